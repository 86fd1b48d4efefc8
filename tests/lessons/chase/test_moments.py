"""The five moments show what their titles say."""

from __future__ import annotations

import re

import numpy as np
import pytest

import tvbo_core as tv
from common.formats import two_decimals
from figures.theme import Theme
from lessons.chase import figure, model, words
from lessons.chase.lesson import LESSON
from lessons.chase.model import ROUNDS, STEPS, TURNS, Chase
from lessons.shared.odds import share


def moment(key: str) -> Chase:
    return model.chase(model.setting({**LESSON.defaults, **LESSON.moment(key).values}))


def distance(film: Chase, learner: int = 0) -> np.ndarray:
    """(T,) how far each question lies from the peak."""
    x = film.problem.x[:, 0]
    return np.abs(x[film.learners[learner].history.arms] - x[film.problem.best])


def test_one_it_stands_still_and_is_found() -> None:
    film = moment("still")
    assert film.problem.sup_variation == 0 and len(film.learners) == 1
    opens = LESSON.moment("still").t // len(STEPS)
    assert opens < 15  # "a few questions"
    assert film.learners[0].history.regret[opens:].max() < 0.1 * model.HEIGHT
    assert np.median(distance(film)[opens:]) <= 0.03


def test_two_it_moves_and_the_learner_stays_behind_sure_of_itself() -> None:
    film, t = moment("moving"), LESSON.moment("moving").t // len(STEPS)
    one, f, best = film.learners[0], film.problem.f, film.problem.best
    assert distance(film)[t] > 0.2
    assert f[t, best[t]] > one.upper[t, best[t]] and model.facts(film, 4 * t)["outside the band"] > 0.3
    half = (one.upper - one.lower)[t] / 2
    assert half[one.history.arms[t]] < 0.2 and one.history.regret[t] > 1.0


def test_three_it_forgets_and_follows_for_half_of_the_keepers_regret_or_less() -> None:
    film = moment("follow")
    forgets, keeps = film.learners
    assert (forgets.memory, keeps.memory) == ("10", "all")
    late = slice(ROUNDS // 2, None)
    assert forgets.history.regret[late].sum() <= 0.5 * keeps.history.regret[late].sum()
    assert np.median(distance(film)[late]) <= 0.1 < 0.2 < np.median(distance(film, 1)[late])


def test_four_it_forgets_too_much_and_never_knows() -> None:
    film, follows = moment("too_much"), moment("follow").learners[0]
    one = film.learners[0]
    assert one.paid[-1] > 1.5 * follows.paid[-1]
    late = slice(ROUNDS // 2, None)
    assert (one.upper - one.lower)[late].mean() > 1.2 * (follows.upper - follows.lower)[late].mean()
    wander = [np.abs(np.diff(two.history.X[late, 0])).mean() for two in (one, follows)]
    assert wander[0] > 2 * wander[1]  # it asks all over the place


def test_the_numbers_of_the_claims_are_those_of_two_plain_plays_in_the_core() -> None:
    values = {**LESSON.defaults, "hill": 1003}
    world = tv.World("travel", 2.2, 56, lengthscale=0.25, norm_bound=2.0, arms=101, noise_sd=0.1, seed=1003)
    paid = {}
    for half in (1, 10, None):
        method = tv.GPUCB(width=3.0) if half is None else tv.WGPUCB(0.5 ** (1 / half), width=3.0)
        paid[half] = np.cumsum(tv.play(tv.make_problem(world), method, tv.observe.play_rng(1003)).regret)
    claim = {one.key: one.claim.number({**values, **one.values}) for one in LESSON.moments if one.claim}
    assert claim["moving"] == pytest.approx(np.diff(paid[None])[48] / 2.0, abs=1e-9)
    assert claim["follow"] == LESSON.claim.number(values) == pytest.approx(paid[10][49] / paid[None][49], rel=1e-9)
    assert claim["too_much"] == pytest.approx(paid[1][49] / paid[10][49], rel=1e-9)
    assert LESSON.bet.claim.number(values) == pytest.approx(paid[10][-1] / paid[None][-1], rel=1e-9)


def test_five_is_the_readers_turn_before_anything_was_heard() -> None:
    values = {**LESSON.defaults, **LESSON.moment("your_turn").values}
    assert values["unseen"] and LESSON.moment("your_turn").t == STEPS.index("choose")
    assert "where do you ask?" in words.finding(moment("your_turn"), True)[LESSON.moment("your_turn").t]


def test_while_it_is_the_readers_turn_nothing_says_where_the_learner_would_ask() -> None:
    film = moment("your_turn")
    drawn = figure.stage(film, True, model.reach(film), Theme(), 1)
    traces = drawn.figure.checked().data
    marks = [i for i, trace in enumerate(traces) if trace.marker.symbol == "triangle-down"]
    (high,) = (track for track in drawn.tracks if track.trace in marks and track.attribute == "y")
    for t, line in enumerate(words.finding(film, True)[1::4]):
        assert "highest" not in line and "x =" not in line and f"Round {t + 1}" in line
        assert np.isnan(high.values[4 * t + 1]).all() and not np.isnan(high.values[4 * t + 2]).any()


def test_after_twelve_rounds_of_the_readers_the_score_is_said_and_not_before() -> None:
    values = {**LESSON.defaults, **LESSON.moment("your_turn").values}
    asks = [(row, 10 * (row % 4)) for row in range(TURNS)]
    film = model.chase(model.setting({**values, "asked": model.written(tuple(asks))}))
    said = words.finding(film, True)
    score = f"<b>Your 12 rounds are over: you have paid {film.learners[0].paid[11]:.1f}.</b>"
    assert TURNS == 12 and said[4 * 11 + 3].startswith(score) and sum(score in line for line in said) == 1
    for missing in (0, 5, 11):  # a round that the learner asked is none of the reader's
        fewer = tuple(one for one in asks if one[0] != missing)
        film = model.chase(model.setting({**values, "asked": model.written(fewer)}))
        assert not any("are over" in line for line in words.finding(film, True))
        assert (words.finding(film, True)[4 * missing + 1]).startswith(f"<b>Round {missing + 1} of 12: where")


def test_the_page_opens_where_one_learner_has_stayed_behind_and_the_other_has_not() -> None:
    film = model.chase(model.setting(LESSON.defaults))
    row, step = divmod(LESSON.t, len(STEPS))
    forgets, keeps = film.learners
    assert STEPS[step] == "pay" and keeps.history.regret[row] > 1.0 and distance(film, 1)[row] > 0.2
    assert forgets.history.regret[row] < 0.1 and forgets.paid[row] < 0.5 * keeps.paid[row]


@pytest.mark.parametrize("key", [one.key for one in LESSON.moments])
@pytest.mark.parametrize("unseen", [False, True])
def test_every_frame_has_a_sentence_and_a_label_and_a_hidden_truth_is_not_told(key: str, unseen: bool) -> None:
    film = moment(key)
    said = words.finding(film, unseen)
    assert len(said) == len(words.labels(film)) == len(STEPS) * ROUNDS
    plain = [re.sub("<[^>]+>", "", line) for line in said]
    assert all(len(line) > 20 and len(line.split()) <= 24 for line in plain)
    assert all(len(re.findall(r"\d+(?:\.\d+)?", line)) <= 3 for line in plain)
    if unseen:
        peaks = [f"x = {film.problem.x[film.problem.best[t], 0]:.2f}, is" for t in range(ROUNDS)]
        assert not any(peak in line for peak, line in zip(peaks, said[3::4], strict=True))
        assert not any("Paid so far" in line or "the hill is" in line for line in said)


def test_a_sentence_holds_the_numbers_of_its_round() -> None:
    film = moment("moving")
    one, t = film.learners[0], 20
    said = words.finding(film, False)[4 * t : 4 * t + 4]
    assert f"x = {one.history.X[t, 0]:.2f}" in said[1]
    assert two_decimals(float(one.history.y[t])) in said[2]
    assert two_decimals(float(one.history.regret[t])) in said[3] and f"{one.paid[t]:.1f}" in said[3]


def test_the_headline_of_two_learners_is_what_each_has_paid_in_its_colour() -> None:
    film = moment("follow")
    forgets, keeps = (f"{one.paid[-1]:.1f}" for one in film.learners)
    said = words.finding(film, False)[-1]
    assert re.search(rf"class='keeps'>Keep[^;]+ {keeps};.*class='forgets'>let [^;]+ {forgets}\.$", said)
    both = model.chase(model.setting({**LESSON.defaults, "memory": "all"}))
    assert f"Both keep every answer</span>: each has paid {keeps}." in words.finding(both, False)[-1]


def test_the_odds_stand_where_they_were_counted_and_nowhere_else() -> None:
    for key in ("still", "moving", "too_much", "follow"):
        claim = LESSON.moment(key).claim
        said = words.odds(moment(key), False)
        assert claim.says in said and f"**{share(f'chase/{key}')} of 100**" in said
        assert not words.odds(moment(key), True)
    other = [{"hill": 7}, {"drift": 1.0}, {"memory": "5"}, {"noise": 0.2}, {"asked": "3-70"}, {"end": "0_0_9_0_0_0"}]
    there = [bool(words.odds(model.chase(model.setting({**LESSON.defaults, **more})), False)) for more in other]
    assert there == [True, False, False, False, False, False]


def test_a_question_of_the_readers_is_called_theirs() -> None:
    film = model.chase(model.setting({**LESSON.defaults, "asked": "4-70", "beside": False}))
    assert "<b>You</b> choose x = 0.70" in words.finding(film, False)[4 * 4 + 1]
    assert "1 question of yours" in words.caption(film)


def test_a_sentence_never_says_that_nothing_is_higher_or_taken_away() -> None:
    film = moment("still")
    said, one = words.finding(film, False), film.learners[0]
    assert "as high everywhere" in said[1] and np.ptp(one.upper[0]) < 1e-9 < np.ptp(one.upper[1])
    assert "as high everywhere" not in said[5]
    for t in range(ROUNDS):
        gap, noise = one.history.regret[t], one.history.y[t] - film.problem.f[t, one.history.arms[t]]
        assert ("the <b>regret</b> is 0.00" in said[4 * t + 3]) == (gap < 0.005)
        assert ("noise changes nothing" in said[4 * t + 2]) == (abs(noise) < 0.005)
        assert "is 0.00 higher" not in said[4 * t + 3] and "away 0.00" not in said[4 * t + 2]
