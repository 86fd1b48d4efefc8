"""Every sentence of the game is what was computed."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np

from common.formats import ordinal, three_digits
from lessons.game import model, words
from lessons.game.model import Game, Setting
from lessons.shared.knobs import METHODS
from lessons.shared.policies import policy
from tests.lessons.game.games import JUMPS, QUICK, SETTING, STILL, TELLING, finished
from tvbo_core.policies.human import YOU, line_up
from tvbo_core.worlds.codes import encode


def test_status_names_last_reward_and_best() -> None:
    played = Game(SETTING, (31, 90, 31))
    assert words.status(played, [0.5, 1.25, -0.404]) == (
        "Round 4 of 10: last reward −0.40 at x = 0.31; the best, 1.25 at x = 0.90, is 2 rounds old."
    )
    assert words.status(played, [0.5, 1.2, 2.0]).endswith("last reward 2.00 at x = 0.31; it is the best so far.")


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


def test_names_are_listed_as_people_do() -> None:
    assert words.names(["A"]) == "A" and words.names(["A", "B"]) == "A and B"
    assert words.names([*"ABCD"]) == "A, B, C and D" and words.names([*"ABCDE"]) == "A, B, C and 2 others"


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


def test_line_to_hand_in_says_all() -> None:
    done = model.finished(replace(finished(JUMPS), tries=2), QUICK, 10, "best")
    d, said = done.duel, words.result(done)
    assert said.startswith(f"world {JUMPS.code}, 30 rounds, noise 0.2: my regret ")
    assert f"I came {ordinal(int(d.place[YOU][-1]))} of 4 (2nd try)" in said and f"best bandit: {d.best_rival} " in said
