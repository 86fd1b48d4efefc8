"""The moments show what their titles say, and what is hidden is not told."""

from __future__ import annotations

import re

import numpy as np
import pytest

import tvbo_core as tv
from figures.theme import Theme
from lessons.chase import figure, model, words
from lessons.chase.lesson import LESSON
from lessons.chase.model import ROUNDS, STEPS, TURNS, Chase
from lessons.shared.odds import share

LATE = slice(ROUNDS // 2, None)


def moment(key: str, **more: object) -> Chase:
    return model.chase(model.setting({**LESSON.defaults, **LESSON.moment(key).values, **more}))


def distance(film: Chase, learner: int = 0) -> np.ndarray:
    """Return how far each question lies from the peak."""
    x = film.problem.x[:, 0]
    return np.abs(x[film.learners[learner].history.arms] - x[film.problem.best])


def test_still_hill_is_found() -> None:
    film, opens = moment("still"), LESSON.moment("still").t // len(STEPS)
    assert film.problem.sup_variation == 0 and len(film.learners) == 1 and opens < 15
    assert film.learners[0].history.regret[opens:].max() < 0.1 * model.HEIGHT
    assert np.median(distance(film)[opens:]) <= 0.03


def test_moving_hill_leaves_the_learner_behind_and_sure() -> None:
    film, t = moment("moving"), LESSON.moment("moving").t // len(STEPS)
    one, f, best = film.learners[0], film.problem.f, film.problem.best
    assert distance(film)[t] > 0.2 and one.history.regret[t] > 1.0
    assert f[t, best[t]] > one.upper[t, best[t]] and model.facts(film, 4 * t)["outside the band"] > 0.3
    assert ((one.upper - one.lower)[t] / 2)[one.history.arms[t]] < 0.2


def test_forgetting_follows_for_half_the_regret() -> None:
    film = moment("follow")
    forgets, keeps = film.learners
    assert (forgets.memory, keeps.memory) == ("10", "all")
    assert forgets.history.regret[LATE].sum() <= 0.5 * keeps.history.regret[LATE].sum()
    assert np.median(distance(film)[LATE]) <= 0.1 < 0.2 < np.median(distance(film, 1)[LATE])


def test_forgetting_too_much_never_knows() -> None:
    one, follows = (moment(key).learners[0] for key in ("too_much", "follow"))
    assert one.paid[-1] > 1.5 * follows.paid[-1]
    assert (one.upper - one.lower)[LATE].mean() > 1.2 * (follows.upper - follows.lower)[LATE].mean()
    wander = [np.abs(np.diff(two.history.X[LATE, 0])).mean() for two in (one, follows)]
    assert wander[0] > 2 * wander[1]  # it asks all over the place


def test_opening_shows_one_left_behind_and_one_not() -> None:
    film = model.chase(model.setting(LESSON.defaults))
    row, step = divmod(LESSON.t, len(STEPS))
    forgets, keeps = film.learners
    assert STEPS[step] == "pay" and keeps.history.regret[row] > 1.0 and distance(film, 1)[row] > 0.2
    assert forgets.history.regret[row] < 0.1 and forgets.paid[row] < 0.5 * keeps.paid[row]


def test_claims_are_numbers_of_two_plain_plays() -> None:
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


def test_readers_turn_hides_the_learners_choice() -> None:
    film = moment("your_turn")
    assert LESSON.moment("your_turn").values["unseen"] and LESSON.moment("your_turn").t == STEPS.index("choose")
    drawn = figure.stage(film, True, model.reach(film), Theme(), 1)
    traces = drawn.figure.checked().data
    marks = [i for i, trace in enumerate(traces) if trace.marker.symbol == "triangle-down"]
    (high,) = (track for track in drawn.tracks if track.trace in marks and track.attribute == "y")
    for t, line in enumerate(words.finding(film, True)[1::4]):
        assert "highest" not in line and "x =" not in line and f"Round {t + 1}" in line
        assert np.isnan(high.values[4 * t + 1]).all() and not np.isnan(high.values[4 * t + 2]).any()


def test_hidden_truth_is_not_told() -> None:
    for key in (one.key for one in LESSON.moments):
        film = moment(key)
        shown, hidden = words.finding(film, False), words.finding(film, True)
        assert len(hidden) == len(shown) == len(words.labels(film)) == len(STEPS) * ROUNDS
        peaks = [f"x = {film.problem.x[film.problem.best[t], 0]:.2f}, is" for t in range(ROUNDS)]
        assert not any(peak in line for peak, line in zip(peaks, hidden[3::4], strict=True))
        assert not any("Paid so far" in line or "the hill is" in line for line in hidden)
        traces = figure.stage(film, True, model.reach(film), Theme(), 83).tracks
        rows = [t.values[83] for t in traces if isinstance(t.values, np.ndarray) and len(t.values[83]) == 101]
        assert rows and not any(np.allclose(row, film.problem.f[20], atol=1e-5) for row in rows)


def test_score_is_said_after_twelve_readers_rounds() -> None:
    asks = [(row, 10 * (row % 4)) for row in range(TURNS)]
    film = moment("your_turn", asked=model.written(tuple(asks)))
    said = words.finding(film, True)
    score = f"<b>Your 12 rounds are over: you have paid {film.learners[0].paid[11]:.1f}.</b>"
    assert TURNS == 12 and said[4 * 11 + 3].startswith(score) and sum(score in line for line in said) == 1
    for missing in (0, 5, 11):  # a round that the learner asked is none of the reader's
        fewer = tuple(one for one in asks if one[0] != missing)
        said = words.finding(moment("your_turn", asked=model.written(fewer)), True)
        assert not any("are over" in line for line in said)
        assert said[4 * missing + 1].startswith(f"<b>Round {missing + 1} of 12: where")


def test_headline_gives_each_learner_its_own_sum() -> None:
    film = moment("follow")
    forgets, keeps = (f"{one.paid[-1]:.1f}" for one in film.learners)
    said = words.finding(film, False)[-1]
    assert re.search(rf"class='keeps'>Keep[^;]+ {keeps};.*class='forgets'>let [^;]+ {forgets}\.$", said)
    both = model.chase(model.setting({**LESSON.defaults, "memory": "all"}))
    assert f"Both keep every answer</span>: each has paid {keeps}." in words.finding(both, False)[-1]


def test_nothing_is_higher_by_zero() -> None:
    film = moment("still")
    said, one = words.finding(film, False), film.learners[0]
    assert "as high everywhere" in said[1] and np.ptp(one.upper[0]) < 1e-9 < np.ptp(one.upper[1])
    assert "as high everywhere" not in said[5]
    for t in range(ROUNDS):
        gap, noise = one.history.regret[t], one.history.y[t] - film.problem.f[t, one.history.arms[t]]
        assert ("the <b>regret</b> is 0.00" in said[4 * t + 3]) == (gap < 0.005)
        assert ("noise changes nothing" in said[4 * t + 2]) == (abs(noise) < 0.005)
        assert "is 0.00 higher" not in said[4 * t + 3] and "away 0.00" not in said[4 * t + 2]


def test_odds_stand_only_where_they_were_counted() -> None:
    for key in ("still", "moving", "too_much", "follow"):
        said = words.odds(moment(key), False)
        assert LESSON.moment(key).claim.says in said and f"**{share(f'chase/{key}')} of 100**" in said
        assert not words.odds(moment(key), True)
    other = [{"hill": 7}, {"drift": 1.0}, {"memory": "5"}, {"noise": 0.2}, {"asked": "3-70"}, {"end": "0_0_9_0_0_0"}]
    there = [bool(words.odds(model.chase(model.setting({**LESSON.defaults, **more})), False)) for more in other]
    assert there == [True, False, False, False, False, False]
