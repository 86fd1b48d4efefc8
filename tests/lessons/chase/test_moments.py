"""The five moments show what their titles say."""

from __future__ import annotations

import numpy as np
import pytest

from lessons.chase import model, words
from lessons.chase.lesson import PEAK
from lessons.chase.model import ROUNDS, STEPS, Chase


def moment(number: int) -> Chase:
    return model.chase(model.setting({**PEAK.defaults, **PEAK.moments[number - 1].values}))


def distance(film: Chase, learner: int = 0) -> np.ndarray:
    """(T,) how far each question lies from the peak."""
    x = film.problem.x[:, 0]
    return np.abs(x[film.learners[learner].history.arms] - x[film.problem.best])


def test_one_it_stands_still_and_is_found() -> None:
    film = moment(1)
    assert film.problem.sup_variation == 0
    assert distance(film)[-10:].max() <= 0.05
    opens = PEAK.moments[0].t // len(STEPS)
    assert distance(film)[5:].max() <= 0.05 and film.learners[0].history.regret[opens] < 0.01  # "a few questions"


def test_two_it_moves_and_the_learner_stays_behind_sure_of_itself() -> None:
    film = moment(2)
    one, f, best = film.learners[0], film.problem.f, film.problem.best
    assert distance(film)[-10:].min() > 0.2
    last = ROUNDS - 1
    asked = sorted(one.history.arms[-10:])
    assert not asked[0] <= best[last] <= asked[-1]  # the peak lies outside what it asks
    for t in range(last - 9, ROUNDS):
        assert f[t, best[t]] > one.upper[t, best[t]]  # and outside its band
        assert words.outside(film, one, t) > 0.5
    half = (one.upper - one.lower)[-1] / 2
    assert half[one.history.arms[-1]] < 0.1 and one.history.regret[PEAK.moments[1].t // len(STEPS)] > 1.5


def test_three_it_forgets_and_follows_for_half_of_the_keepers_regret_or_less() -> None:
    film = moment(3)
    forgets, keeps = film.learners
    assert (forgets.memory, keeps.memory) == ("3", "all")
    late = slice(ROUNDS // 2, None)
    assert forgets.history.regret[late].sum() <= 0.5 * keeps.history.regret[late].sum()
    assert np.median(distance(film)[late]) <= 0.1 < 0.2 < np.median(distance(film, 1)[late])


def test_four_it_forgets_too_much_and_never_knows() -> None:
    film, follows = moment(4), moment(3).learners[0]
    one = film.learners[0]
    assert one.paid[-1] > 1.5 * follows.paid[-1]
    late = slice(ROUNDS // 2, None)
    assert (one.upper - one.lower)[late].mean() > 1.2 * (follows.upper - follows.lower)[late].mean()
    wander = [np.abs(np.diff(two.history.X[late, 0])).mean() for two in (one, follows)]
    assert wander[0] > 2 * wander[1]  # it asks all over the place
    assert one.history.regret[PEAK.moments[3].t // len(STEPS)] > 1.5


def test_five_is_the_readers_turn_before_anything_was_heard() -> None:
    values = {**PEAK.defaults, **PEAK.moments[4].values}
    assert values["unseen"] and PEAK.moments[4].t == STEPS.index("choose")
    assert "where do you ask?" in words.finding(moment(5), True)[PEAK.moments[4].t]


def test_the_page_opens_at_a_regret_that_can_be_seen() -> None:
    film = model.chase(model.setting(PEAK.defaults))
    row, step = divmod(PEAK.t, len(STEPS))
    assert STEPS[step] == "pay" and film.learners[0].history.regret[row] > 1.5
    assert distance(film)[row] > 0.1


@pytest.mark.parametrize("number", range(1, 6))
@pytest.mark.parametrize("unseen", [False, True])
def test_every_frame_has_a_sentence_and_a_label_and_a_hidden_truth_is_not_told(number: int, unseen: bool) -> None:
    film = moment(number)
    said = words.finding(film, unseen)
    assert len(said) == len(words.labels()) == len(STEPS) * ROUNDS
    assert all(20 < len(line) < 190 for line in said)
    if unseen:
        peaks = [f"x = {film.problem.x[film.problem.best[t], 0]:.2f}, is" for t in range(ROUNDS)]
        assert not any(peak in line for peak, line in zip(peaks, said[3::4], strict=True))
        assert not any("Paid so far" in line or "the hill is" in line for line in said)


def test_a_sentence_holds_the_numbers_of_its_round() -> None:
    film = model.chase(model.setting(PEAK.defaults))
    one, t = film.learners[0], 20
    said = words.finding(film, False)[4 * t : 4 * t + 4]
    assert f"x = {one.history.X[t, 0]:.2f}" in said[1]
    assert words.number(float(one.history.y[t])) in said[2]
    assert words.number(float(one.history.regret[t])) in said[3] and f"{one.paid[t]:.1f}" in said[3]


def test_a_question_of_the_readers_is_called_theirs() -> None:
    film = model.chase(model.setting({**PEAK.defaults, "asked": "4-70"}))
    assert "<b>You</b> choose x = 0.70" in words.finding(film, False)[4 * 4 + 1]
    assert "1 question of yours" in words.caption(film)


def test_a_sentence_never_says_that_nothing_is_higher_or_taken_away() -> None:
    film = moment(1)
    said, one = words.finding(film, False), film.learners[0]
    assert "as high everywhere" in said[1] and np.ptp(one.upper[0]) < 1e-9 < np.ptp(one.upper[1])
    assert "as high everywhere" not in said[5]
    for t in range(ROUNDS):
        gap, noise = one.history.regret[t], one.history.y[t] - film.problem.f[t, one.history.arms[t]]
        assert ("the <b>regret</b> is 0.00" in said[4 * t + 3]) == (gap < 0.005)
        assert ("noise changes nothing" in said[4 * t + 2]) == (abs(noise) < 0.005)
        assert "is 0.00 higher" not in said[4 * t + 3] and "away 0.00" not in said[4 * t + 2]
