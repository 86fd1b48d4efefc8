"""The lesson's figure as Python."""

from __future__ import annotations

from collections.abc import Mapping

from lessons.forgetting import model
from lessons.forgetting.knobs import MEMORY_STEPS
from lessons.shared import script as code
from lessons.shared.knobs import METHODS
from lessons.shared.script import seeds, setup, within
from tvbo_core import policies

# The field that says how much a method remembers, for a memory of m steps (tvbo_core.gp.memory.matched), as source.
FIELD_OF_M = {
    "restart": "min(2 * m, {T})",
    "window": "min(m, {T})",
    "discount": "1 - 1 / m",
    "epsilon": "min(2 / m, 1)",
}


def recipe(value: Mapping[str, object], t: int) -> str:
    """Return the figure as Python: regret of one method against its memory, in the world and its family."""
    past, chosen = model.chosen(value)
    base, T = past.world, past.world.horizon
    t = within(t, 1, base)
    kinds = [w.kind for w in chosen.worlds]
    width = {"log": "tv.LogWidth(2.0)"}.get(chosen.width) or repr(float(chosen.width))
    entry = policies.ALL[chosen.front]
    rule = code.public(entry.policy, f'tv.policies.ALL["{entry.word}"].policy')
    rule += f"({entry.memory}={FIELD_OF_M[entry.memory].format(T=T)}" + (
        f", width={width})" if entry.takes_width else ")"
    )
    numbers = chosen.numbers
    family = "world" if len(kinds) == 1 else f"replace(world, kind=kind) for kind in {code.literal(tuple(kinds))}"
    return code.join(
        code.title("Forgetting", f"the bowl of {METHODS[chosen.front]} at t = {t}, {seeds(numbers)}"),
        code.comment(setup(base)),
        "from dataclasses import replace\n" if len(kinds) > 1 else "",
        "import numpy as np\n\nimport tvbo_core as tv\n",
        code.world("world", base, kinds=kinds),
        f"memories = {MEMORY_STEPS!r}  # past steps that count",
        f'methods = {{f"m = {{m}}": {rule} for m in memories}}',
        f'methods["never forgets"] = tv.GPUCB(width={width})',
        f"worlds = [{family}]",
        f"table = tv.race(worlds, methods, seeds=range({numbers.start}, {numbers.stop}))  # n_jobs=-1: all cores",
        f"t = {t}",
        'print(f"t = {t}")',
        f'print("{model.HELD} =", min(t - 1, {past.tuning.window}))  # that its window of your memory still holds',
        "for w, world in enumerate(worlds):",
        f'    print(f"{{world.kind}}: seeds = {len(numbers)}")',
        "    regret = {name: np.median(table.curves(name, w)[:, t - 1]) for name in methods}  # so far, over the seeds",
        "    for name, lost in regret.items():",
        '        print(f"{world.kind}, {name}: regret = {lost:.4f}")',
        """    print(f"{world.kind}: best m =", min(memories, key=lambda m: regret[f"m = {m}"]))""",
    )
