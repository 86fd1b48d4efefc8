"""The lesson's figure as Python."""

from __future__ import annotations

from collections.abc import Mapping

from lessons.race import model as racing
from lessons.race import words
from lessons.shared import script as code
from lessons.shared.knobs import METHODS
from lessons.shared.policies import policy
from lessons.shared.script import refuses, seeds, setup, within


def recipe(value: Mapping[str, object], t: int) -> str | None:
    """Every method's median regret in each world, the best first."""
    chosen = racing.chosen(value)
    stages = chosen.stages
    made = {METHODS[m]: policy(m, chosen.memory, chosen.width) for m in chosen.methods}
    made = {name: rule for name, rule in made.items() if not any(refuses(rule, stage) for stage in stages)}
    if not made:
        return None
    t = within(t, 1, stages[0])
    names = ("left", "right")[: len(stages)]
    every = [code.world("left", stages[0], kinds=[w.kind for w in stages])]
    every += [code.other("right", "left", stages[0], stages[1])] if len(stages) == 2 else []
    numbers = chosen.numbers
    return code.join(
        code.title("The race", f"t = {t}, {seeds(numbers)}"),
        *(code.comment(f"{n}: {setup(w)}") for n, w in zip(names, stages, strict=True)),
        "from dataclasses import replace\n" if any("replace(" in line for line in every) else "",
        "import numpy as np\n\nimport tvbo_core as tv\n",
        *every,
        code.mapping("methods", {name: code.policy(rule) for name, rule in made.items()}),
        f"table = tv.race([{', '.join(names)}], methods, seeds=range({numbers.start}, {numbers.stop}))"
        "  # n_jobs=-1: all cores",
        f'print(f"t = {t}\\nmethods = {{len(methods)}}")',
        f"for w, title in enumerate({code.literal(tuple(words.titles(stages)))}):",
        f"    curves = {{name: table.curves(name, w)[:, {t - 1}] for name in methods}}  # regret so far, one a seed",
        "    regret = {name: np.median(curve) for name, curve in curves.items()}",
        "    order = sorted(methods, key=regret.get)  # best first",
        "    first = order[0]  # others are tied with it that are closer than its interquartile range",
        "    spread = np.subtract(*np.quantile(curves[first], (0.75, 0.25)))",
        '    print(f"{title}, tied with the leader = {sum(regret[n] - regret[first] < spread for n in order[1:])}")',
        "    asked = np.median(table.extra_queries[table.names.index(first), w].sum(axis=-1))",
        '    print(f"{title}, re-asks of the leader = {int(asked)}")',
        "    for place, name in enumerate(order, start=1):",
        '        print(f"{title}, {name} = {regret[name]:.4f}\\n{title}, place of {name} = {place}")',
    )
