"""The lesson's figure as Python."""

from __future__ import annotations

from collections.abc import Mapping

from lessons.game import model as duels
from lessons.race import model as racing
from lessons.shared import script as code
from lessons.shared.knobs import METHODS


def recipe(value: Mapping[str, object], t: int) -> str | None:
    """Lesson 11: everybody's place and regret; None until the game is over, as the truth stays hidden till then."""
    setting = duels.Setting(str(value["world"]), int(value["rounds"]), float(value["noise"]))
    played = duels.games().get(setting)
    if played is None or not played.over:
        return None
    made = {METHODS[m]: racing.policy(m, int(value["m"]), duels.WIDTH) for m in value["algos"]}
    return code.join(
        code.title(11, "You against the bandits", f"world {setting.code} after the last of {setting.rounds} rounds"),
        "import tvbo_core as tv\nfrom tvbo_core.policies.human import duel, line_up",
        "from tvbo_core.worlds.codes import hidden_world\n",
        f'world = hidden_world("{setting.code}", {setting.rounds}, {setting.noise!r})',
        "problem = tv.make_problem(world)",
        code.call("you = [", map(str, played.arms), "]  # your questions, numbers of actions"),
        code.mapping("methods", {name: code.policy(rule) for name, rule in made.items()}),
        "rivals = line_up(problem, methods, world.seed)  # all hear the same noise in the same round",
        "game = duel(problem, you, rivals, world.seed)",
        "for name in game.order:",
        '    print(f"{name}: place = {game.place[name][-1]}, regret = {game.total[name][-1]:.4f}")',
    )
