"""The lesson's figure as Python."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from lessons.shared import script as code
from lessons.shared.script import seeds, setup, within
from lessons.side_queries import model, pickers
from tvbo_core import World
from tvbo_core.worlds.mauduit import Synthetic


def recipe(value: Mapping[str, object], t: int) -> str:
    """Return the figure as Python: old questions asked again in the first seed, and every method's median regret."""
    chosen = model.chosen(value)
    world, numbers = chosen.world, chosen.numbers
    t = within(t, 1, world)
    own = type(world) is not World
    methods = chosen.policies
    if chosen.view == "picks":
        first, other = methods["W-SparQ"], pickers.rival(chosen.picker)
        methods = {pickers.WITHOUT: methods[pickers.WITHOUT], "W-SparQ": first}
        methods[pickers.name_of(other)] = replace(first, picker=other)
    return code.join(
        code.title("Side queries", f"t = {t}, {seeds(numbers)}"),
        code.comment(("Mauduit et al., sec. 4.1: " if isinstance(world, Synthetic) else "") + setup(world)),
        "import numpy as np\n\nimport tvbo_core as tv" + ("" if own else "\n"),
        f"from tvbo_core.worlds.mauduit import {type(world).__name__}\n" if own else "",
        code.world("world", world),
        code.mapping("methods", {name: code.policy(rule) for name, rule in methods.items()}),
        f"table = tv.race(world, methods, seeds=range({numbers.start}, {numbers.stop}))  # n_jobs=-1: all cores",
        f"t = {t}",
        'print(f"t = {t}")',
        "for p, name in enumerate(table.names):",
        f"    asked = table.extra_queries[p, 0, 0, :t].sum()  # old questions asked again, seed {world.seed}",
        '    print(f"{name}: re-asks = {asked}")',
        '    print(f"{name}: regret = {np.median(table.curves(name)[:, t - 1]):.4f}")  # so far, median over the seeds',
    )
