"""The moments show what their titles say, and what is hidden is not told."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import tvbo_core as tv
from figures.theme import Theme
from lessons.chase import figure, model, words
from lessons.chase.lesson import LESSON
from lessons.chase.model import ROUNDS, STEPS, Chase


def moment(key: str, **more: object) -> Chase:
    return model.chase(model.setting_from({**LESSON.defaults, **LESSON.moment(key).values, **more}))


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
    assert LESSON.moment("your_turn").values["unseen"] and LESSON.moment("your_turn").t == 17 * 4 + STEPS.index(
        "choose"
    )
    drawn = figure.stage(film, True, Theme(), 1)
    traces = drawn.figure.checked().data
    marks = [i for i, trace in enumerate(traces) if trace.marker.symbol == "triangle-down"]
    (high,) = (track for track in drawn.tracks if track.trace in marks and track.attribute == "y")
    for t, line in enumerate(words.finding(film, True)[1::4]):
        turn = "1 of 12" if t == 17 else f"{t + 1}"
        assert "highest" not in line and "x =" not in line and f"Round {turn}" in line
        assert np.isnan(high.row(4 * t + 1)).all() and not np.isnan(high.row(4 * t + 2)).any()


def test_hidden_hill_stays_out_of_words() -> None:
    for key in (one.key for one in LESSON.moments):
        film = moment(key)
        shown, hidden = words.finding(film, False), words.finding(film, True)
        assert len(hidden) == len(shown) == len(words.labels(film)) == len(STEPS) * ROUNDS
        peaks = [f"x = {film.problem.x[film.problem.best[t], 0]:.2f}, is" for t in range(ROUNDS)]
        assert not any(peak in line for peak, line in zip(peaks, hidden[3::4], strict=True))
        assert not any("So far:" in line or "height 0" in line or "height 1" in line for line in hidden)
        traces = figure.stage(film, True, Theme(), 83).tracks
        rows = [t.row(83) for t in traces if isinstance(t.values, np.ndarray) and len(t.row(83)) == 101]
        assert rows and not any(np.allclose(row, film.problem.f[20], atol=1e-5) for row in rows)


def test_turns_hold_the_drift_and_the_comparison() -> None:
    """The hill moves in the reader's twelve rounds; who asks what the learner would, pays what it pays."""
    film = moment("your_turn")
    first, last = 17, 28
    moved = np.abs(np.diff(film.problem.f[first : last + 1], axis=0)).max(axis=1)
    assert film.problem.steps[:first].max() == 0 and (moved > 0).all()
    own = model.chase(replace(film.setting, beside=False)).learners[0].history
    same = replace(film.setting, asked=tuple((row, int(own.arms[row])) for row in range(first, last + 1)))
    numbers = model.facts(model.chase(same), 4 * last + 3)
    paid = float(own.regret[first : last + 1].sum())
    assert numbers["your regret in your turns"] == pytest.approx(paid) == numbers["the learner's regret in them"]
    worse = replace(film.setting, asked=tuple((row, 100) for row in range(first, last + 1)))
    said = words.finding(model.chase(worse), True)[4 * last + 3]
    assert "Your 12 rounds: regret" in said and "The learner alone:" in said
