"""Every sentence of the game is what was computed."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest

from common.formats import ordinal, three_digits
from lessons.game import model, words
from lessons.game.model import Game, Setting
from lessons.shared.knobs import METHODS
from lessons.shared.policies import policy
from tests.lessons.game.games import JUMPS, QUICK, SETTING, STILL, TELLING, finished
from tvbo_core.policies.human import YOU, line_up
from tvbo_core.worlds.codes import encode


def test_the_status_names_the_round_the_last_reward_and_the_best() -> None:
    played = Game(SETTING, (31, 90, 31))
    rewards = [0.5, 1.25, -0.404]
    assert words.status(played, rewards) == (
        "Round 4 of 10: last reward −0.40 at x = 0.31; the best, 1.25 at x = 0.90, is 2 rounds old."
    )
    assert words.status(played, [0.5, 1.2, 2.0]) == (
        "Round 4 of 10: last reward 2.00 at x = 0.31; it is the best so far."
    )


@pytest.mark.parametrize(
    ("n", "said"),
    [(1, "1st"), (2, "2nd"), (3, "3rd"), (4, "4th"), (11, "11th"), (12, "12th"), (13, "13th"), (21, "21st")],
)
def test_places_are_said_as_people_say_them(n: int, said: str) -> None:
    assert ordinal(n) == said


def test_the_verdict_names_place_regrets_and_what_the_world_did() -> None:
    played = finished(JUMPS)
    done = model.finished(played, QUICK, 10, "best")
    d, said = done.duel, words.finding(done)
    assert len(said) == 30
    place, mine, rival, best = re.search(
        r"came (\d+)\w\w</b>: you paid ([\d.]+), the best bandit, ([\w-]+), ([\d.]+)\.$", said[-1]
    ).groups()
    assert int(place) == d.place[YOU][-1]
    totals = {name: curve[-1] for name, curve in d.total.items() if name != YOU}
    assert float(mine) == pytest.approx(d.total[YOU][-1], abs=0.05)
    assert rival == min(totals, key=totals.get) and float(best) == pytest.approx(totals[rival], abs=0.05)
    row = int(np.abs(np.diff(d.problem.f, axis=0)).max(axis=1).argmax()) + 2
    (note,) = words.notes(done)
    assert f"jumped, in round {row} ($V_T$ = 3.00)" in note
    for t, text in enumerate(said[:-1]):
        assert text.startswith(f"You asked x = {d.you.X[t, 0]:.2f}, ")
        assert text.endswith(f"you have paid {three_digits(d.total[YOU][t])}.") and not TELLING.search(text)
    for text in (*said, words.rules(played, 11)):
        assert len(text.split()) <= 24 and len(re.findall(r"\d+(?:\.\d+)?", text)) <= 3


def test_chance_is_what_replays_with_other_noise_decide_now_for_you_and_now_against_you() -> None:
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
    assert words.notes(done) == [f"{words.moved(done)} {said}"]


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (["A"], "A"),
        (["A", "B"], "A and B"),
        (["A", "B", "C", "D"], "A, B, C and D"),
        (["A", "B", "C", "D", "E"], "A, B, C and 2 others"),
    ],
)
def test_names_are_listed_as_people_list_them(found: list[str], said: str) -> None:
    assert words.names(found) == said


def test_a_game_that_was_won_says_who_is_next() -> None:
    rival = model.field(STILL, QUICK, 10)
    problem = model.problem(STILL)
    played = Game(STILL, tuple(int(a) for a in problem.best))
    done = model.finished(played, QUICK, 10, "best")
    said = words.verdict(done)
    assert "came 1st</b>: you paid 0.00, the next, " in said
    assert "stood still ($V_T$ = 0)" in words.notes(done)[0]
    assert done.duel.best_rival in rival.histories
    assert ", the best place." in words.finding(done)[0]


@pytest.mark.parametrize("setting", [SETTING, STILL, JUMPS, Setting(encode(8, 1), 50, 1.0)])
def test_what_there_is_to_learn_is_what_was_measured(setting: Setting) -> None:
    done = model.finished(finished(setting), QUICK, 10, "gp")
    d, said = done.duel, " ".join(words.lessons(done))
    close = (d.you.regret <= setting.noise).sum()
    assert f"in {close} of {setting.rounds} rounds" in said
    assert f"; GP-UCB in {(d.rivals['GP-UCB'].regret <= setting.noise).sum()}." in said
    early = d.you.regret[: setting.rounds // 3].sum() / d.you.regret.sum()
    assert f"{early:.0%} of your regret" in said and f"round {d.you.regret.argmax() + 1} (" in said
    assert "nan" not in said


def test_the_line_to_hand_in_says_code_set_up_regret_place_and_try() -> None:
    done = model.finished(replace(finished(JUMPS), tries=2), QUICK, 10, "best")
    d, said = done.duel, words.result(done)
    assert said.startswith(f"world {JUMPS.code}, 30 rounds, noise 0.2: my regret ")
    assert f"I came {ordinal(int(d.place[YOU][-1]))} of 4 (2nd try)" in said
    assert f"best bandit: {d.best_rival} " in said
