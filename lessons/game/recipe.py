"""The lesson's figure as Python."""

from __future__ import annotations

from collections.abc import Mapping

from lessons.game import sealed
from lessons.game.model import WIDTH, Game
from lessons.shared import script as code
from lessons.shared.knobs import METHODS
from lessons.shared.policies import policy


def recipe(value: Mapping[str, object], t: int, game: Game | None = None) -> str | None:
    """Return a script that prints everybody's place and regret; None until a game is over, as the truth is hidden."""
    if game is None or not game.over:
        return None
    setting = game.setting
    made = {METHODS[m]: policy(m, int(value["m"]), WIDTH) for m in value["algos"]}
    return code.join(
        code.title(11, "You against the bandits", f"world {setting.code} after the last of {setting.rounds} rounds"),
        "import tvbo_core as tv\nfrom tvbo_core.policies.human import duel, line_up",
        "from tvbo_core.worlds.codes import hidden_world\n",
        f'world = hidden_world("{sealed.plain(setting.code)}", {setting.rounds}, {setting.noise!r})',
        "problem = tv.make_problem(world)",
        code.call("you = [", map(str, game.arms), "]  # your questions, numbers of actions"),
        code.mapping("methods", {name: code.policy(rule) for name, rule in made.items()}),
        "rivals = line_up(problem, methods, world.seed)  # all hear the same noise in the same round",
        "game = duel(problem, you, rivals, world.seed)",
        "for name in game.order:",
        '    print(f"{name}: place = {game.place[name][-1]}, regret = {game.total[name][-1]:.4f}")',
    )
