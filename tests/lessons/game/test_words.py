"""Every sentence of the game is what was computed."""

from __future__ import annotations

import re

import numpy as np

from common.formats import three_digits
from lessons.game import model, words
from lessons.game.model import Game, Setting
from lessons.shared.knobs import METHODS
from lessons.shared.policies import policy
from tests.lessons.game.games import JUMPS, QUICK, SETTING, STILL, TELLING, finished
from tvbo_core.policies.human import YOU, line_up
from tvbo_core.worlds.codes import encode


def test_verdict_names_place_regrets_and_rival() -> None:
    done = model.finished(finished(JUMPS), QUICK, 10, "best")
    d, said = done.duel, words.finding(done)
    place, mine, rival, best = re.search(
        r"came (\d+)\w\w</b>: you paid ([\d.]+), the best bandit, ([\w-]+), ([\d.]+)\.$", said[-1]
    ).groups()
    assert int(place) == d.place[YOU][-1]
    totals = {name: curve[-1] for name, curve in d.total.items() if name != YOU}
    assert mine == three_digits(d.total[YOU][-1])
    assert rival == min(totals, key=totals.get) and best == three_digits(totals[rival])
    row = int(np.abs(np.diff(d.problem.f, axis=0)).max(axis=1).argmax()) + 2
    assert f"jumped, in round {row} ($V_T$ = 3.00)" in words.notes(done)[0]
    for t, text in enumerate(said[:-1]):
        assert text.startswith(f"You asked x = {d.you.X[t, 0]:.2f}, ")
        assert text.endswith(f"you have paid {three_digits(d.total[YOU][t])}.") and not TELLING.search(text)


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


def test_won_game_says_who_is_next() -> None:
    played = Game(STILL, tuple(int(a) for a in model.problem(STILL).best))
    done = model.finished(played, QUICK, 10, "best")
    assert "came 1st</b>: you paid 0.00, the next, " in words.verdict(done)
    assert "stood still ($V_T$ = 0)" in words.notes(done)[0]
    assert ", the best place." in words.finding(done)[0]


def test_lessons_of_a_game_are_measured() -> None:
    for setting in (SETTING, STILL, JUMPS, Setting(encode(8, 1), 50, 1.0)):
        done = model.finished(finished(setting), QUICK, 10, "gp")
        d, said = done.duel, " ".join(words.lessons(done))
        assert f"in {(d.you.regret <= setting.noise).sum()} of {setting.rounds} rounds" in said
        assert f"; GP-UCB in {(d.rivals['GP-UCB'].regret <= setting.noise).sum()}." in said
        early = d.you.regret[: setting.rounds // 3].sum() / d.you.regret.sum()
        assert f"{early:.0%} of your regret" in said and f"round {d.you.regret.argmax() + 1} (" in said
