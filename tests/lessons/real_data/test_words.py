"""What is said about forgetting on a table is what was measured."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise
from types import SimpleNamespace

import numpy as np
import pytest

from common.formats import amount
from lessons.real_data import model, words
from lessons.real_data.knobs import RACING
from lessons.shared.knobs import METHODS
from tests.laws.test_scenes import check_headline
from tests.lessons.real_data.own_table import run


def test_verdict_is_measured_without_changes():
    rng = np.random.default_rng(3)
    shown = run(np.array([0.0, 5.0, 10.0]) + 0.2 * rng.normal(size=(120, 3)))
    assert not shown.switches and words.forgetting_helps(shown) is False
    assert words.verdict(shown).startswith("Forgetting does not help here")
    assert words.notes(shown)[0].startswith(f"The best arm changes 0 times in {shown.problem.horizon} rounds.")


def test_headline_and_odds_are_of_the_pinned():
    shown = run(np.cumsum(np.random.default_rng(6).normal(size=(80, 3)), axis=0), methods=("gp", "tv", "sw"))
    last, pins = shown.problem.horizon - 1, ("GP-UCB", "TV-GP-UCB")
    said = words.finding(shown, [last], pins)[0]
    loss = {name: amount(float(shown.average[name][-1])) for name in shown.average}
    assert re.fullmatch(
        rf'<span class="keeps">GP-UCB</span> .* loses {loss["GP-UCB"]} a round; '
        rf'<span class="forgets">TV-GP-UCB</span> .* loses {loss["TV-GP-UCB"]}\.',
        said,
    )
    best = min(loss, key=lambda name: shown.average[name][-1])
    assert f">{best}</span>" in words.finding(shown, [last], ("PE", "R-PERP"))[0].split(";")[0]
    ends = [shown.total[name][:, -1] for name in pins]
    won = f"**{int((ends[1] < ends[0]).sum())} of {len(ends[0])}**"
    assert words.odds(shown, pins) == f"In {won} repeats of the noise, TV-GP-UCB loses less than GP-UCB."


def test_holding_one_arm_is_nearly_all_rounds():
    shown = run(np.cumsum(np.random.default_rng(6).normal(size=(200, 3)), axis=0), methods=("gp", "tv"))
    looks = {"GP-UCB": np.zeros(80, dtype=int), "TV-GP-UCB": np.repeat([0, 1], [76, 4])}
    shown = replace(shown, looks=looks)
    assert model.holds_one(shown, ("GP-UCB", "TV-GP-UCB"), 79) == ("GP-UCB", "TV-GP-UCB")  # 80 and 76 of 80
    looks["TV-GP-UCB"][0] = 1  # 75 of 80
    assert model.holds_one(shown, ("GP-UCB", "TV-GP-UCB"), 79) == ("GP-UCB",)
    assert model.holds_one(shown, ("GP-UCB", "TV-GP-UCB"), 5) == ()  # a few rounds are no habit
    said = words.finding(shown, [79], ("GP-UCB", "TV-GP-UCB"))[0]
    assert said.count("holds on to one arm") == 1 and "lets old answers fade" in said


@pytest.mark.parametrize("pins", [*pairwise(RACING), ("kamm", "kdmm")])
def test_every_headline_is_short(pins):
    two, loss = [METHODS[pin] for pin in pins], model.loss_of
    facts = {loss(name): 1234.5 for name in two} | {loss(model.FIXED): 1234.5}
    for names in (two, two[:1]):
        for holding in ((), names):
            for arm, period in {*words.ARM_AND_PERIOD.values(), words.OF_A_TABLE}:
                check_headline(words.sentence(facts, names, holding, arm, period), opens=True)
                for counted in words.COUNTED.values():
                    check_headline(words.sentence(facts, names, holding, arm, period, counted), opens=True)


def test_equal_arms_leave_all_near_random():
    rng = np.random.default_rng(4)
    shown = run(rng.normal(size=(300, 6)))
    assert "little better than Random" in words.verdict(shown)


def test_forgetting_helps_on_drift():
    rng = np.random.default_rng(5)
    f = [rng.normal(size=4)]
    for _ in range(599):
        f.append(np.sqrt(0.98) * f[-1] + np.sqrt(0.02) * rng.normal(size=4))
    shown = run(np.array(f))
    assert words.forgetting_helps(shown) is True and "Forgetting saves" in words.verdict(shown)


def test_saving_in_half_of_the_seeds_is_told():
    total = {"GP-UCB": np.array([[20.0], [20.0], [9.0], [20.0]]), "SW-GP-UCB": np.array([[8.0], [9.0], [10.0], [21.0]])}
    average = {name: np.median(ends, axis=0) for name, ends in total.items()}
    shown = SimpleNamespace(switches=[1], total=total, average=average, fixed=np.zeros((2, 1)))
    assert words.verdict(shown) == "SW-GP-UCB loses 52% less than GP-UCB, but only in 2 of 4 seeds."


@pytest.mark.parametrize(("changes", "right"), [(4, "few"), (5, "some"), (20, "some"), (21, "many")])
def test_bet_stands_beside_the_count(changes, right):
    values = np.zeros((120, 2))
    values[:, 0] = np.sin(np.arange(120))  # so that the first part moves
    values[:, 1] = np.cos(np.arange(120))
    block = np.arange(48) * (changes + 1) // 48 % 2  # the second part: 48 rounds
    values[72:, 0], values[72:, 1] = block, 1 - block
    shown = run(values, methods=("gp",), seeds=1)
    assert len(shown.switches) == changes
    for bet in ("few", "some", "many"):
        said = words.bet(shown, bet)
        assert f"Counted: {changes} times" in said and ("well guessed" in said) == (bet == right)
    assert words.bet(shown, "none") == ""
