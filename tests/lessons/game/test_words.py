"""Every sentence of the game is what was computed."""

from __future__ import annotations

from lessons.game import model, words
from lessons.game.model import GameSetting
from lessons.shared.knobs import METHODS
from lessons.shared.policies import policy
from tests.lessons.game.games import JUMPS, QUICK, SETTING, STILL, finished
from tvbo_core.policies.human import YOU, line_up
from tvbo_core.worlds.codes import encode


def test_chance_is_what_replays_decide() -> None:
    done = model.finished(finished(JUMPS), QUICK, 10, "best")
    mine, seed = done.duel.total[YOU][-1], JUMPS.world.seed
    found: dict[str, set[bool]] = {}
    for other in range(seed, seed + model.REPLAYS + 1):  # the player's own noise first
        field = line_up(model.problem(JUMPS), {METHODS[m]: policy(m, 10, "2") for m in QUICK}, other)
        for name, run in field.histories.items():
            found.setdefault(name, set()).add(bool(run.regret.sum() < mine))
    less, more, either = done.standings
    assert {name: len(sides) > 1 for name, sides in found.items()} == {name: name in either for name in found}
    assert all(found[name] == {True} for name in less) and all(found[name] == {False} for name in more)
    said = words.chance(done)
    assert all(name in said for name in (*less, *more, *either)) and f"In {model.REPLAYS} replays" in said


def test_lessons_of_a_game_are_measured() -> None:
    for setting in (SETTING, STILL, JUMPS, GameSetting(encode(8, 1), 50, 1.0)):
        done = model.finished(finished(setting), QUICK, 10, "gp")
        d, said = done.duel, " ".join(words.lessons(done))
        assert f"in {(d.you.regret <= setting.noise).sum()} of {setting.rounds} rounds" in said
        assert f"; GP-UCB in {(d.rivals['GP-UCB'].regret <= setting.noise).sum()}." in said
        early = d.you.regret[: setting.rounds // 3].sum() / d.you.regret.sum()
        assert f"{early:.0%} of your regret" in said and f"round {d.you.regret.argmax() + 1} (" in said
