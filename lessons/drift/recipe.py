"""The lesson's figure as Python."""

from __future__ import annotations

from collections.abc import Mapping

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
    names = ("left", "right")[: len(chosen)]
    made = [code.world("left", chosen[0], kinds=[w.kind for w in chosen])]
    made += [code.other("right", "left", chosen[0], chosen[1])] if len(chosen) == 2 else []
    table = chosen[0].kind == "data"
    place = "problem.arm_names[problem.best[now]]" if table else "x[now]:.4f"
    norm = all(w.kind in KNOWN_NORM for w in chosen)
    return code.join(
        code.title(1, "Drifting rewards", f"t = {t} of {chosen[0].horizon}"),
        *(code.comment(f"{n}: {worlds.caption(w)}") for n, w in zip(names, chosen, strict=True)),
        "from dataclasses import replace\n" if len(chosen) == 2 else "",
        "import tvbo_core as tv\n",
        *made,
        f"now, before = {t - 1}, {max(t - 2, 0)}  # rows count from 0",
        code.mapping("worlds", {n: n for n in names}),
        "for name, world in worlds.items():",
        "    problem = tv.make_problem(world)  # f[t, i]: expected reward of arm i in round t",
        "    spent = problem.steps[:now].sum()  # V_t: the largest change of each step so far, added up",
        "    x, best = problem.x[problem.best, 0], problem.f.max(axis=1)  # best action and its reward",
        '    print(f"{name}: V_T = {problem.sup_variation:.4f}, V_t = {spent:.4f}, "',
        f'          f"x* = {{{place}}}, hop = {{abs(x[now] - x[before]):.4f}}, "',
        '          f"best reward moves by = {abs(best[now] - best[before]):.4f}")',
        '    print(f"  in the RKHS norm: B_T = {problem.rkhs_variation:.4f}")' if norm else "",
    )
