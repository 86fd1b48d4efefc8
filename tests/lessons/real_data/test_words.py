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
from lessons.real_data.lesson import LESSON
from lessons.shared.knobs import METHODS
from tests.laws.test_scenes import check_headline
from tests.lessons.real_data.own_table import run
from tests.lessons.test_moment_scripts import state


def test_a_stationary_table_shows_no_gain_from_forgetting_and_the_page_says_so():
    rng = np.random.default_rng(2)
    shown = run(np.linspace(0, 2, 5) + 0.8 * rng.normal(size=(400, 5)))
    assert shown.switches and words.forgetting_helps(shown) is False
    assert "Forgetting does not help" in words.verdict(shown)


def test_a_best_arm_that_never_changes_is_counted_and_the_verdict_is_measured_all_the_same():
    rng = np.random.default_rng(3)
    shown = run(np.array([0.0, 5.0, 10.0]) + 0.2 * rng.normal(size=(120, 3)))
    assert not shown.switches and words.forgetting_helps(shown) is False
    assert words.verdict(shown).startswith("Forgetting does not help here")
    assert words.notes(shown)[0].startswith(f"The best arm changes 0 times in {shown.problem.horizon} rounds.")


def test_the_headline_and_the_odds_are_of_the_two_pinned_methods_and_of_the_best_where_none_races():
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


def test_the_headline_names_what_an_arm_and_a_row_of_the_table_are_and_one_method_stands_beside_the_best_arm():
    weekly = {"table": "stocks-weekly", "seeds": 1, "algos": ("tv",)}
    shown = model.race(model.chosen(LESSON.settings(weekly)))
    said = words.finding(shown, [shown.problem.horizon - 1])[0]
    fixed = amount(float(shown.fixed_average[-1]))
    assert "a week; " in said and said.endswith(f"the best single stock loses {fixed}.")


def test_a_method_is_said_to_hold_on_to_one_arm_exactly_where_nearly_all_its_rounds_are_at_one():
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
def test_every_headline_has_at_most_24_words_and_three_numbers_whoever_is_pinned(pins):
    two, loss = [METHODS[pin] for pin in pins], model.loss_of
    facts = {loss(name): 1234.5 for name in two} | {loss(model.FIXED): 1234.5}
    for names in (two, two[:1]):
        for holding in ((), names):
            for arm, period in {*words.ARM_AND_PERIOD.values(), words.OF_A_TABLE}:
                check_headline(words.sentence(facts, names, holding, arm, period), opens=True)
                for counted in words.COUNTED.values():
                    check_headline(words.sentence(facts, names, holding, arm, period, counted), opens=True)


def test_shuffled_stocks_are_told_with_the_one_stock_that_tv_gp_ucb_asks():
    """At its epsilon of 0.99 the prior variance decides: the same stock in all rounds."""
    shown = model.race(model.chosen(state(LESSON, "break_it")))
    first = shown.looks["TV-GP-UCB"]
    variance = np.diag(shown.problem.kernel(shown.problem.x, shown.problem.x))
    assert shown.memories.epsilon == 0.99 and set(first.tolist()) == {int(variance.argmax())}
    name = shown.problem.arm_names[first[0]]
    assert f"which asks {name}, the arm of the largest prior variance, in every round" in words.verdict(shown)


def test_a_method_that_turns_to_another_arm_is_not_said_to_ask_one():
    shown = run(np.cumsum(np.random.default_rng(6).normal(size=(80, 3)), axis=0))
    assert len(set(shown.looks["R-GP-UCB"].tolist())) > 1 and words._one_arm(shown, "R-GP-UCB") == ""


def test_arms_that_nobody_can_tell_apart_leave_everybody_near_random():
    rng = np.random.default_rng(4)
    shown = run(rng.normal(size=(300, 6)))
    assert "little better than Random" in words.verdict(shown)


def test_a_table_that_drifts_is_better_followed_by_forgetting():
    rng = np.random.default_rng(5)
    f = [rng.normal(size=4)]
    for _ in range(599):
        f.append(np.sqrt(0.98) * f[-1] + np.sqrt(0.02) * rng.normal(size=4))
    shown = run(np.array(f))
    assert words.forgetting_helps(shown) is True and "Forgetting saves" in words.verdict(shown)


def test_a_saving_in_half_of_the_seeds_is_told_with_its_number_and_not_called_nothing():
    total = {"GP-UCB": np.array([[20.0], [20.0], [9.0], [20.0]]), "SW-GP-UCB": np.array([[8.0], [9.0], [10.0], [21.0]])}
    average = {name: np.median(ends, axis=0) for name, ends in total.items()}
    shown = SimpleNamespace(switches=[1], total=total, average=average, fixed=np.zeros((2, 1)))
    assert words.verdict(shown) == "SW-GP-UCB loses 52% less than GP-UCB, but only in 2 of 4 seeds."


def test_the_verdict_is_silent_where_there_is_nothing_to_compare():
    shown = run(np.cumsum(np.random.default_rng(6).normal(size=(80, 3)), axis=0), methods=("tv",))
    assert words.verdict(shown) == "" and "loses" in words.finding(shown, [0])[0]


@pytest.mark.parametrize(("changes", "right"), [(4, "few"), (5, "some"), (20, "some"), (21, "many")])
def test_a_bet_on_the_changes_stands_beside_their_count(changes, right):
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
