"""The lesson's figure as Python."""

from __future__ import annotations

from collections.abc import Mapping

from lessons.game.model import WIDTH, Game
from lessons.shared import script as code
from lessons.shared import sealed
from lessons.shared.knobs import METHODS
from lessons.shared.policies import policy


def recipe(value: Mapping[str, object], t: int, game: Game | None = None) -> str | None:
    """Return a script that prints everybody's place and regret at frame t; None until a game is over.

    It does not say how the world moves, which a player may still have to guess.
    """
    if game is None or not game.over:
        return None
    setting = game.setting
    now = min(max(t, 0), setting.rounds - 1) + 1
    made = {METHODS[m]: policy(m, int(value["m"]), WIDTH) for m in value["algos"]}
    return code.join(
        code.title("You against the bandits", f"world {setting.code} after round {now} of {setting.rounds}"),
        "import tvbo_core as tv\nfrom tvbo_core.policies.human import duel, line_up",
        "from tvbo_core.worlds import events" if now == setting.rounds else "",
        "from tvbo_core.worlds.codes import hidden_world\n",
        f'world = hidden_world("{sealed.plain(setting.code)}", {setting.rounds}, {setting.noise!r})',
        "problem = tv.make_problem(world)",
        code.call("you = [", map(str, game.arms), "]  # your questions, numbers of actions"),
        code.mapping("methods", {name: code.policy(rule) for name, rule in made.items()}),
        "rivals = line_up(problem, methods, world.seed)  # all hear the same noise in the same round",
        "game = duel(problem, you, rivals, world.seed)",
        f"row = {now - 1}  # rows count from 0",
        "x, mine = problem.x[:, 0], game.you",
        'facts = {"round": row + 1, "players": len(game.order), "you asked x": x[mine.arms[row]],',
        '         "best x": x[problem.best[row]], "you missed": mine.regret[row]}',
        "for name in game.order:",
        '    facts |= {f"{name}: place": game.place[name][row], f"{name}: regret": game.total[name][row]}',
        *(_end() if now == setting.rounds else ()),
        'print("\\n".join(f"{name} = {number:.6g}" for name, number in facts.items()))',
    )


def _end() -> list[str]:
    """Return the lines of the last round: how far the world moved, and who asked again how often."""
    return [
        'facts["V_T"] = problem.sup_variation',
        'facts |= {f"jump {i}: in round": jump.t + 1 for i, jump in enumerate(events(problem).jumps, 1)}',
        "asked = {name: run.extra_queries for name, run in game.rivals.items()}  # beside the rounds",
        'facts |= {f"{n}: re-asks": a.sum() for n, a in asked.items() if a is not None and a.any()}',
    ]
