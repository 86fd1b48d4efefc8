"""The hills: curves, rod and bar of every frame are what the table of rewards says, by the definition of V_T."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from figures.film import Film
from figures.frames import choose_frames
from figures.theme import Theme
from lessons.drift import figure_hills
from lessons.drift.model import Side
from tests.lessons.drift.test_figure import GLIDE, KINDS, LAWS, every, grid, numbers, pair, side
from tvbo_core import World, make_problem

FLOAT32 = 1e-6  # relative, as in test_figure


def hills(sides: list[Side], T: int, theme: Theme | None = None, drawn: int = -1, bill: bool = True) -> Film:
    return figure_hills.hills(sides, choose_frames(T, []), theme or Theme(), drawn % T, bill)


def traces(film: Film, axis: str, **has: object) -> list[int]:
    data = film.figure.to_dict()["data"]
    return [
        i
        for i, trace in enumerate(data)
        if trace["yaxis"] == axis and all(trace.get(key) == value for key, value in has.items())
    ]


def changes(f: np.ndarray) -> list[float]:
    """The largest change at any action, round by round: the definition."""
    return [max(abs(a - b) for a, b in zip(f[t], f[t - 1], strict=True)) for t in range(1, len(f))]


def rod(film: Film, axis: str) -> tuple[np.ndarray, np.ndarray]:
    """Ends of the slivers of every frame: (F, n, 2)."""
    (trace,) = (t for t in traces(film, axis, mode="lines") if film.figure.to_dict()["data"][t]["line"]["width"] == 10)
    y = every(film, trace, "y")
    tracks = [t for t in film.tracks if (t.trace, t.attribute) == (trace, "x")]
    still = np.broadcast_to(numbers(film.figure.to_dict()["data"][trace]["x"]), y.shape)
    x = tracks[0].values if tracks else still
    return tuple(values.reshape(len(y), -1, 3)[:, :, :2] for values in (x, y))


def bar(film: Film, axis: str) -> tuple[np.ndarray, np.ndarray]:
    """Where the bar ends that is drawn, and where every frame's cover begins and ends."""
    whole, cover = traces(film, axis, fill="toself")
    return np.array(film.figure.to_dict()["data"][whole]["x"]), every(film, cover, "x")


@given(KINDS, KINDS, st.integers(0, 99), st.integers(2, 40), st.integers(1, 25), st.floats(0, 16), st.booleans())
@LAWS
def test_of_any_two_worlds_the_bar_is_as_long_as_the_changes_so_far_and_the_rod_as_its_last_ones(
    left, right, seed, T, m, budget, dark
):
    world = World(kind=left, budget=budget, horizon=T, arms=m, seed=seed, switches=1, centres=5)
    sides = [side(make_problem(world)), side(make_problem(replace(world, kind=right)), "second")]
    film = hills(sides, T, Theme(dark=dark))
    shown = film.figure.checked()
    assert all(len(track) == T for track in film.tracks) and len(shown.data) <= 20
    assert (
        shown.layout.yaxis.range == shown.layout.yaxis3.range and shown.layout.xaxis2.range == shown.layout.xaxis4.range
    )
    for one, hill, bill in zip(sides, ("y", "y3"), ("y2", "y4"), strict=True):
        f = one.drift.problem.f
        each = changes(f)
        whole, cover = bar(film, bill)
        assert whole.max() == pytest.approx(sum(each), rel=1e-9)
        x, y = rod(film, hill)
        lengths = np.nansum(np.abs(y[:, :, 1] - y[:, :, 0]), axis=1)
        tips = every(film, traces(film, hill, mode="markers")[0], "y")
        for t in range(T):
            assert cover[t].min() == pytest.approx(sum(each[:t]), rel=1e-5, abs=1e-6)
            arm, begin = one.drift.rods[t]
            far = abs(f[t, arm] - f[begin, arm])
            ends = np.cumsum([0.0, *reversed(each[:t])])
            # The last changes together, to rounding: at least the last that is not 0, never more than the bar.
            assert np.abs(ends - far).min() <= 1e-9 * max(1.0, np.abs(f).max())
            assert (far > 0) == (sum(each[:t]) > 0)
            if not far:
                assert np.isnan(y[t]).all() and np.isnan(tips[t]).all()  # nothing has moved: no rod
                continue
            assert 0.59 * far - 1e-6 <= lengths[t] <= far * (1 + 1e-5) + 1e-6  # but for the clefts it is all there
            assert (x[t][~np.isnan(y[t])] == np.float32(one.drift.problem.x[arm, 0])).all()
            if not np.isnan(tips[t]).any():
                assert tips[t] == pytest.approx([f[begin, arm], f[t, arm]], rel=FLOAT32, abs=1e-6)


def test_the_glide_has_as_many_slivers_as_steps_and_the_jump_one_block_and_both_bars_are_as_long():
    left, right = (
        side(make_problem(replace(GLIDE, horizon=200, arms=100, kind=kind)), role)
        for kind, role in (("glide", "first"), ("jumps", "second"))
    )
    film = hills([left, right], 200)
    counts = [(~np.isnan(rod(film, axis)[1][-1, :, 0])).sum() for axis in ("y", "y3")]
    assert counts == [199, 1]
    for axis, one in (("y", left), ("y3", right)):
        x, _ = rod(film, axis)
        f = one.drift.problem.f
        (arm,) = np.flatnonzero(np.isclose(one.drift.problem.x[:, 0], x[-1, 0, 0], rtol=FLOAT32))
        assert np.abs(f[-1] - f[0]).argmax() == arm  # where it moved most
        assert abs(f[-1, arm] - f[0, arm]) == pytest.approx(4.0)
    text = [[n for n in row if n] for track in film.tracks if track.attribute == "text" for row in [track.values[-1]]]
    assert text == [["<b>199 steps of 0.02</b>"], ["<b>1 step of 4.0</b>"]]
    for axis in ("y2", "y4"):
        whole, cover = bar(film, axis)
        assert whole.max() == pytest.approx(4.0) and cover[-1].min() == pytest.approx(4.0)
    jump = bar(film, "y4")[1].min(axis=1)
    assert jump[99] == 0.0 and jump[100] == pytest.approx(4.0)  # in one frame
    assert film.figure.checked().layout.xaxis2.ticktext[-1] == "4"


def test_a_rod_begins_anew_where_the_largest_change_turns_or_moves_to_another_action():
    there_and_back = side(grid(np.array([[0.0, 0.0], [1.0, 0.0], [2.0, 0.5], [1.5, 0.5], [1.5, 0.5], [1.5, 2.5]])))
    film = hills([there_and_back], 6)
    tips = every(film, traces(film, "y", mode="markers")[0], "y")
    assert np.isnan(tips[0]).all()
    assert tips[1:].tolist() == [[0.0, 1.0], [0.0, 2.0], [2.0, 1.5], [2.0, 1.5], [0.5, 2.5]]
    assert bar(film, "y2")[1].min(axis=1).tolist() == [0.0, 1.0, 2.0, 2.5, 2.5, 4.5]
    said = next(track.values for track in film.tracks if track.attribute == "text")
    assert [row[0] for row in said] == [
        f"<b>{text}</b>"
        for text in (
            "0 steps",
            "1 step of 1.0",
            "2 steps of 1.0",
            "3 steps, at most 1.0",
            "3 steps, at most 1.0",
            "4 steps, at most 2.0",
        )
    ]


def test_a_curve_of_another_time_is_drawn_only_once_its_round_has_come():
    film = hills(list(pair()), 60)
    f = pair()[0].drift.problem.f
    (past,) = (t for t in traces(film, "y", mode="lines") if film.figure.to_dict()["data"][t]["line"]["width"] == 1.2)
    drawn = every(film, past, "y").reshape(60, 4, -1)[:, :, :-1]
    for t in range(60):
        for i, row in enumerate((12, 24, 35, 47)):
            if row <= t:
                np.testing.assert_allclose(drawn[t, i], f[row], rtol=FLOAT32, atol=1e-6)
            else:
                assert np.isnan(drawn[t, i]).all()


def test_of_a_world_that_jumps_twice_the_reward_between_stays_as_pale_as_the_first():
    world = World(kind="jumps", budget=8.0, horizon=60, arms=30, switches=2, seed=47)
    film, f = hills([side(make_problem(world))], 60), make_problem(world).f
    first, second = (t for t in range(1, 60) if (f[t] != f[t - 1]).any())
    (between,) = (
        t
        for t in traces(film, "y", mode="lines")
        if any((track.trace, track.attribute) == (t, "y") for track in film.tracks)
        and film.figure.to_dict()["data"][t]["line"]["width"] == Theme().line
    )
    drawn = every(film, between, "y")[:, :30]
    assert np.isnan(drawn[:first]).all()
    np.testing.assert_allclose(drawn[first:], np.tile(f[first], (60 - first, 1)), rtol=FLOAT32, atol=1e-6)
    assert (f[first] == f[second - 1]).all() and (f[first] != f[second]).any()


def test_without_the_bill_nothing_of_it_is_there():
    film = hills(list(pair()), 60, bill=False)
    layout, data = film.figure.to_dict()["layout"], film.figure.to_dict()["data"]
    assert sorted(name for name in layout if name.startswith("xaxis")) == ["xaxis", "xaxis2"]
    assert len(data) == len(hills(list(pair()), 60).figure.to_dict()["data"]) - 2 * 6
    assert not [track for track in film.tracks if track.attribute == "text"]
    assert not [note for note in layout["annotations"] if "step" in note["text"]]
    assert all(trace["line"]["color"] != Theme().role("drift") for trace in data)


@pytest.mark.parametrize("theme", [Theme(), Theme(dark=True), Theme(lecture=True), Theme(True, True)])
def test_all_words_of_the_hills_are_as_large_as_the_theme_promises_and_one_colour_stands_out(theme: Theme):
    film = hills(list(pair()), 60, theme)
    shown = film.figure.checked()
    least = 22 if theme.lecture else 14
    sizes = [n.font.size for n in shown.layout.annotations] + [t.textfont.size for t in shown.data if t.textfont.size]
    sizes += [axis.tickfont.size for axis in (shown.layout.xaxis2, shown.layout.yaxis)]
    assert min(sizes) >= least
    colours = {t.line.color for t in shown.data if t.mode == "lines" and t.line.color} | {
        t.fillcolor for t in shown.data
    }
    assert {c for c in colours if c in {theme.world(kind) for kind in ("glide", "jumps")}} == set()
    assert theme.role("drift") in colours


@pytest.mark.parametrize("f", [np.zeros((2, 1)), np.full((3, 4), 7.0), np.array([[0.0], [5.0]]), np.eye(2) * 1e6])
def test_constant_rewards_one_action_and_huge_rewards_still_give_hills(f: np.ndarray):
    shown = hills([side(grid(f))], len(f)).figure.checked()
    ranges = [shown.layout[axis].range for axis in ("xaxis", "yaxis", "xaxis2", "yaxis2")]
    assert np.isfinite(ranges).all() and all(low < high for low, high in ranges)
