"""The chase computes what the core computes, its moments show what they say, and its stage takes what a hand may do."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tvbo_core as tv
from figures.theme import Theme
from lessons.chase import figure, model, words
from lessons.chase.lesson import LESSON
from lessons.chase.model import STEPS, TURNS, Chase, ChaseLearner
from lessons.chase.scene import answer_frames, pick
from lessons.chase.setting import (
    ARMS,
    HALF_LIFE,
    ROUNDS,
    WIDTH,
    ChaseSetting,
    discount,
    hill,
    setting_from,
)
from lessons.record import Ask
from lessons.shared import hills, queries
from lessons.shared.reshaped import HANDLES, UNIT, bends
from shell.page import events
from tests.strategies import LAW

FEW = settings(LAW, max_examples=15)  # a film takes about 15 ms
BENDS = st.tuples(*[st.integers(-120, 120)] * len(HANDLES))


def believed(film: Chase, one: ChaseLearner, t: int) -> tuple[np.ndarray, np.ndarray]:
    """Return mean and sd that the core computes from the first t answers with fading weights."""
    p = film.problem
    noise = p.noise_sd**2 * discount(one.memory) ** -(t - 1.0 - np.arange(t))
    return tv.posterior(p.kernel, one.history.X[:t], one.history.y[:t], p.x, noise)


@pytest.mark.parametrize("memory", list(HALF_LIFE))
def test_band_is_the_posterior_with_fading_weights(memory: str) -> None:
    film = model.chase(ChaseSetting(memory=memory))
    one, half = film.learners[0], HALF_LIFE[memory]
    for t in (0, 1, 17, ROUNDS - 1):
        mean, sd = believed(film, one, t)
        np.testing.assert_allclose(one.mean[t], mean, atol=1e-6)
        np.testing.assert_allclose(one.upper[t], mean + WIDTH * sd, atol=1e-6)
        np.testing.assert_allclose(one.lower[t], mean - WIDTH * sd, atol=1e-6)
        assert one.history.arms[t] == one.choice[t] == one.upper[t].argmax()
    heard = np.tril(np.ones((ROUNDS, ROUNDS)), -1)
    age = np.clip(np.subtract.outer(np.arange(ROUNDS), np.arange(ROUNDS)) - 1, 0, None)
    np.testing.assert_allclose(one.weight, heard * (0.5 ** (age / half) if half else 1.0), rtol=1e-12)


@pytest.mark.parametrize("drift", [0.0, 0.2, 4.0])
def test_unbent_hill_is_the_world_of_the_core(drift: float) -> None:
    film = model.chase(ChaseSetting(drift=drift))
    f, one = tv.make_problem(film.setting.world).f, film.learners[0]
    np.testing.assert_allclose(film.problem.f, f, atol=1e-12)
    assert film.problem.sup_variation == pytest.approx(drift, abs=1e-9)
    gap = f.max(axis=1) - f[np.arange(ROUNDS), one.history.arms]
    np.testing.assert_allclose(one.history.regret, gap, atol=1e-12)
    np.testing.assert_allclose(one.paid, np.cumsum(gap), atol=1e-9)


@given(start=BENDS, end=BENDS, drift=st.sampled_from([0.2, 2.2, 4.0]))
@FEW
def test_bent_hill_travels_between_its_two_bends(start: tuple, end: tuple, drift: float) -> None:
    s = ChaseSetting(drift=drift, start=start, end=end)
    (problem, way), (plain, _) = hill(s), hill(ChaseSetting(drift=drift))
    lift = UNIT * bends(plain.kernel, HANDLES, plain.x)[1]
    first, last = np.array(start) @ lift, np.array(end) @ lift
    assert (way[:18] == 0).all() and (way[43:] == 1).all() and (np.diff(way[17:44]) > 0).all()
    assert np.interp(0.5, way[17:44], np.arange(17, 44)) == 30  # round 31 is half way
    for row, bend in ((0, first), (17, first), (30, 0.5 * (first + last)), (43, last), (ROUNDS - 1, last)):
        np.testing.assert_allclose(problem.f[row], plain.f[row] + bend, atol=1e-9)
    np.testing.assert_allclose(problem.coefficients @ problem.kernel(problem.centres, problem.x), problem.f, atol=1e-6)
    assert problem.norm_bound == pytest.approx(problem.norms.max())


def test_caption_names_the_norm_of_a_bent_hill() -> None:
    bent = model.chase(ChaseSetting(start=(0, 0, 60, 0, 0, 0)))
    norms = bent.problem.norms
    assert norms is not None and norms.max() > 2.1
    assert f" B = {norms.max():.3g}, " in words.caption(bent)
    assert " B = 2, " in words.caption(model.chase(ChaseSetting()))


@given(row=st.integers(0, ROUNDS - 1), memory=st.sampled_from(list(HALF_LIFE)))
@FEW
def test_question_at_the_learners_choice_changes_nothing(row: int, memory: str) -> None:
    plain = model.chase(ChaseSetting(memory=memory)).learners[0]
    yours = model.chase(ChaseSetting(memory=memory, queries=((row, int(plain.choice[row])),))).learners[0]
    np.testing.assert_array_equal(yours.history.y, plain.history.y)
    np.testing.assert_array_equal(yours.upper, plain.upper)


@given(row=st.integers(0, ROUNDS - 1), arm=st.integers(0, ARMS - 1))
@FEW
def test_readers_question_is_learnt_from(row: int, arm: int) -> None:
    plain, asked = model.chase(ChaseSetting()), model.chase(ChaseSetting(queries=((row, arm),)))
    one, yours = plain.learners[0], asked.learners[0]
    np.testing.assert_array_equal(yours.upper[: row + 1], one.upper[: row + 1])  # what was before it stays
    assert yours.history.arms[row] == arm
    noise = one.history.y - plain.problem.f[np.arange(ROUNDS), one.history.arms]
    assert yours.history.y[row] == pytest.approx(plain.problem.f[row, arm] + noise[row])  # the noise of that round
    if row + 1 < ROUNDS:
        np.testing.assert_allclose(yours.mean[row + 1], believed(asked, yours, row + 1)[0], atol=1e-5)


@given(BENDS, st.dictionaries(st.integers(0, ROUNDS - 1), st.integers(0, ARMS - 1), max_size=ROUNDS))
@LAW
def test_bends_and_questions_travel_in_a_link(bent: tuple, pairs: dict) -> None:
    asked = tuple(sorted(pairs.items()))
    assert hills.decode("_".join(map(str, bent))) == bent
    code = "_".join(f"{row}-{arm}" for row, arm in asked) or "none"
    assert queries.read(code, ROUNDS, ARMS) == asked


def moment(key: str, **more: object) -> Chase:
    return model.chase(setting_from({**LESSON.defaults, **LESSON.moment(key).values, **more}))


def test_claims_are_numbers_of_two_plain_plays() -> None:
    values = {**LESSON.defaults, "hill": 1003}
    world = tv.World("travel", 2.2, 56, lengthscale=0.25, norm_bound=2.0, arms=101, noise_sd=0.1, seed=1003)
    paid = {}
    for half in (1, 10, None):
        method = tv.GPUCB(width=3.0) if half is None else tv.WGPUCB(0.5 ** (1 / half), width=3.0)
        paid[half] = np.cumsum(tv.play(tv.make_problem(world), method, tv.observe.play_rng(1003)).regret)
    claim = {one.key: one.claim.number({**values, **one.values}) for one in LESSON.moments if one.key != "your_turn"}
    assert claim["moving"] == pytest.approx(np.diff(paid[None])[48] / 2.0, abs=1e-9)
    assert claim["follow"] == pytest.approx(paid[10][49] / paid[None][49], rel=1e-9)
    assert claim["too_much"] == pytest.approx(paid[1][49] / paid[10][49], rel=1e-9)
    assert LESSON.bet.claim.number({**values, **LESSON.bet.values}) == pytest.approx(
        paid[10][-1] / paid[None][-1], rel=1e-9
    )


def test_less_noise_is_a_ratio_of_two_medians() -> None:
    values = {**LESSON.defaults, **LESSON.moment("less_noise").values, "hill": 34}
    medians = []
    for noise in (0.05, 0.1):
        paid = []
        for seed in range(30 * 34, 30 * 35):
            world = tv.World("travel", 2.2, 56, lengthscale=0.25, norm_bound=2.0, arms=101, noise_sd=noise, seed=seed)
            rule = tv.WGPUCB(0.5**0.1, width=3.0)
            paid.append(tv.play(tv.make_problem(world), rule, tv.observe.play_rng(seed)).regret.sum())
        medians.append(np.median(paid))
    ratio = LESSON.moment("less_noise").claim.number(values)
    assert ratio == pytest.approx(medians[0] / medians[1], rel=1e-9)


def test_readers_turn_hides_the_learners_choice() -> None:
    film = moment("your_turn")
    assert LESSON.moment("your_turn").values["unseen"] and LESSON.moment("your_turn").t == 17 * 4 + STEPS.index(
        "choose"
    )
    drawn = figure.stage(film, True, range(film.frames), Theme(), 1)
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
        traces = figure.stage(film, True, range(film.frames), Theme(), 83).tracks
        rows = [t.row(83) for t in traces if isinstance(t.values, np.ndarray) and len(t.row(83)) == 101]
        assert rows and not any(np.allclose(row, film.problem.f[20], atol=1e-5) for row in rows)


def test_turns_hold_the_drift_and_the_comparison() -> None:
    """The hill moves in the reader's twelve rounds; who asks what the learner would, pays what it pays."""
    film = moment("your_turn")
    first, last = 17, 28
    moved = np.abs(np.diff(film.problem.f[first : last + 1], axis=0)).max(axis=1)
    assert film.problem.steps[:first].max() == 0 and (moved > 0).all()
    own = model.chase(replace(film.setting, beside=False)).learners[0].history
    same = replace(film.setting, queries=tuple((row, int(own.arms[row])) for row in range(first, last + 1)))
    numbers = model.facts(model.chase(same), 4 * last + 3)
    paid = float(own.regret[first : last + 1].sum())
    assert numbers["your regret in your turns"] == pytest.approx(paid) == numbers["the learner's regret in them"]
    worse = replace(film.setting, queries=tuple((row, 100) for row in range(first, last + 1)))
    said = words.finding(model.chase(worse), True)[4 * last + 3]
    assert "Your 12 rounds: regret" in said and "The learner alone:" in said


def test_handles_stand_on_the_shapes() -> None:
    for setting in (ChaseSetting(start=(0, 5, 0, 0, -3, 0)), ChaseSetting(0.0)):
        film = model.chase(setting)
        handles = pick(film, False, True).handles
        assert [*handles] == ["start", "end"][: 1 + film.moves]
        assert handles["start"].numbers == setting.start and handles["start"].unit == UNIT
        for i, one in enumerate(handles.values()):
            at = np.rint(np.array(one.x) * 100).astype(int)
            np.testing.assert_allclose(one.y, film.shapes[i][at])
        figure.stage(film, False, range(film.frames), Theme(), 3, bending=True).figure.checked()


def frames_of_answers(*rows: int, unseen: bool = False) -> tuple[int, int] | None:
    return answer_frames(model.chase(ChaseSetting(beside=False, queries=tuple((row, 50) for row in rows))), unseen)


def test_answer_plays_to_its_payment_or_turn() -> None:
    assert frames_of_answers() is None
    assert frames_of_answers(3) == (13, 15) and frames_of_answers(3, unseen=True) == (13, 17)
    assert frames_of_answers(*range(17, 17 + TURNS), unseen=True) == (113, 115)  # the score is said
    assert frames_of_answers(ROUNDS - 1, unseen=True) == (221, 223)


def test_a_question_plays_later_rounds_again(monkeypatch: pytest.MonkeyPatch) -> None:
    state = {"player": {"ask": {"t": 4 * 7 + 2, "place": 100, "n": 1}}, "asked": "3-4_7-1_9-2"}
    monkeypatch.setattr(events.st, "session_state", state)
    events.keep_query(LESSON, Ask("asked", ("x",), ARMS), ROUNDS * len(STEPS), len(STEPS))
    assert state["asked"] == "3-4_7-100"
