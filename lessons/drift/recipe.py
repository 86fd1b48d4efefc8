"""The lesson's figure as Python."""

from __future__ import annotations

from collections.abc import Mapping

from lessons.drift import words
from lessons.drift.knobs import DRIFT_WORLD
from lessons.shared import script as code
from lessons.shared import worlds
from lessons.shared.script import within
from tvbo_core.worlds import ALL

# Kinds whose RKHS drift B_T is known.
KNOWN_NORM = {"data", *(kind.name for kind in ALL.values() if kind.path)}


def recipe(value: Mapping[str, object], t: int) -> str:
    """Return a script for the drift so far, the best action and its hop, in each world."""
    chosen = worlds.pair(value, DRIFT_WORLD)
    t = within(t, 1, chosen[0])
    variables = ("left", "right")[: len(chosen)]
    names = [short for _, short in words.titles(chosen)]
    made = [code.world("left", chosen[0], kinds=[w.kind for w in chosen])]
    made += [code.other("right", "left", chosen[0], chosen[1])] if len(chosen) == 2 else []
    norm = all(w.kind in KNOWN_NORM for w in chosen)
    arm = '    print(name, "best arm now:", problem.arm_names[problem.best[now]])' if chosen[0].kind == "data" else ""
    return code.join(
        code.title("Drifting rewards", f"t = {t} of {chosen[0].horizon}"),
        *(code.comment(f"{n}: {worlds.caption(w)}") for n, w in zip(variables, chosen, strict=True)),
        "from dataclasses import replace\n" if any("replace(" in line for line in made) else "",
        "import numpy as np",
        "import tvbo_core as tv\n",
        *made,
        f"now, before = {t - 1}, {max(t - 2, 0)}  # rows count from 0",
        'print(f"t = {now + 1}")',
        code.mapping("worlds", dict(zip(names, variables, strict=True))),
        "for name, world in worlds.items():",
        "    problem = tv.make_problem(world)  # f[t, i]: expected reward of arm i in round t",
        "    x, best = problem.x[problem.best, 0], problem.f.max(axis=1)  # best action and its reward",
        '    facts = {"V_T": problem.sup_variation, "V_t": problem.steps[:now].sum(),  # sums of the largest changes',
        f'             "largest change": {"problem.steps[before]" if t > 1 else "0.0"}, "x*": x[now],',
        '             "steps": np.count_nonzero(problem.steps[:now]),',
        '             "hop": abs(x[now] - x[before]), "best reward moves by": abs(best[now] - best[before])}',
        '    facts["B_T"] = problem.rkhs_variation  # in the norm of the kernel' if norm else "",
        '    print("\\n".join(f"{name} {fact} = {number:.4f}" for fact, number in facts.items()))',
        '    print(f"{name} equally good actions = {(problem.f[now] >= best[now] - 1e-9).sum()}")',
        arm,
    )
