"""The settings of the lesson's script."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lessons.game.knobs import BANDITS, MEMORY
from lessons.game.model import WIDTH, Game
from lessons.shared import script as code
from lessons.shared.knobs import METHODS
from lessons.shared.policies import policy


def recipe(
    value: Mapping[str, object], t: int, game: Game | None = None, methods: Sequence[str] = BANDITS
) -> str | None:
    """Return a script that prints everybody's place and regret at round t.

    It says how the world moves, so it is None until a game is over, and in a secret world until the player has guessed.
    """
    if game is None or not game.revealed(str(value["challenge"])):
        return None
    setting = game.setting
    row = min(max(t, 0), setting.rounds - 1)
    made = {METHODS[m]: policy(m, MEMORY, WIDTH) for m in methods}
    return code.script(
        __file__,
        f"You against the bandits, world {setting.code} after round {row + 1} of {setting.rounds}",
        [],
        settings=[
            code.world(setting.world, "world"),
            code.call("you = [", map(str, game.arms), "]  # your questions, numbers of actions"),
            code.mapping("methods", {name: code.policy(rule) for name, rule in made.items()}),
            f"row = {row}  # rows count from 0",
        ],
        over=row + 1 == setting.rounds,
    )
