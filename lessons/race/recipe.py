"""The settings of the lesson's script."""

from __future__ import annotations

from collections.abc import Mapping

from lessons.race import model as racing
from lessons.race import words
from lessons.shared import script as code
from lessons.shared.knobs import METHODS
from lessons.shared.policies import policy


def recipe(value: Mapping[str, object], t: int) -> str | None:
    """Return a script for every method's median regret in each world, the best first."""
    setting = racing.setting_from(value)
    stages, numbers = setting.stages, setting.numbers
    made = {METHODS[m]: policy(m, setting.memory, setting.width) for m in setting.methods}
    made = {name: rule for name, rule in made.items() if not any(code.refuses(rule, stage) for stage in stages)}
    if not made:
        return None
    t = code.within(t, 1, stages[0])
    titles = words.titles(stages)
    return code.script(
        __file__,
        f"The race, t = {t}, {code.seeds(numbers)}",
        [code.setup(world) for world in stages],
        settings=[
            code.named_worlds(titles, stages),
            code.mapping("methods", {name: code.policy(rule) for name, rule in made.items()}),
            f"seeds, t = {numbers}, {t}",
        ],
    )
