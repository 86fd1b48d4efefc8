"""The drift figures: what every frame draws is what the problem says, on axes that never move."""

from __future__ import annotations

import base64
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from figures.film import Film
from figures.frames import choose_frames
from figures.theme import Theme
from lessons.drift import figure, figure_table
from lessons.drift.model import Side, WorldDrift
from tests.strategies import LAW
from tvbo_core import Problem, SquaredExponential, Tabulated, World, make_problem
from tvbo_core.worlds import events, moved_most, ties

FLOAT32 = 1e-6  # relative: tracks travel as 32-bit floats, whose unit roundoff is 6e-8; values are up to 1e1
LAWS = settings(LAW, max_examples=40)  # a film of two worlds is about 10 ms to build and 20 ms to validate
GLIDE = World(kind="glide", budget=4.0, horizon=60, arms=30, switches=1, seed=47)


def side(problem: Problem, role: str = "first", short: str = "Glide") -> Side:
    tied = {t: ties(problem, t) for t in range(problem.horizon) if len(ties(problem, t)) > 1}
    drift = WorldDrift(World(kind="still"), problem, events(problem), moved_most(problem), tied)
    return Side(drift, short, short, role)


def pair(world: World = GLIDE) -> tuple[Side, Side]:
    other = make_problem(replace(world, kind="jumps"))
    return side(make_problem(world)), side(other, "second", "Jumps")


def table(f: np.ndarray, names: tuple[str, ...]) -> Problem:
    m = f.shape[1]
    x = np.arange(m, dtype=float)[:, None]
    return Problem(x, f, 0.1, Tabulated(np.eye(m)), 1.0, arm_names=names)


def grid(f: np.ndarray) -> Problem:
    x = np.linspace(0.0, 1.0, f.shape[1])[:, None] if f.shape[1] > 1 else np.array([[0.5]])
    return Problem(x, f, 0.1, SquaredExponential(0.2), None)


def every(film: Film, trace: int, attribute: str) -> np.ndarray:
    (track,) = (t for t in film.tracks if t.trace == trace and t.attribute == attribute)
    return track.values


def numbers(packed: dict) -> np.ndarray:
    """An array of a figure's packed specification."""
    return np.frombuffer(base64.b64decode(packed["bdata"]), dtype=packed["dtype"])


def moving(film: Film, panel_axis: str, points: int) -> list[int]:
    """Traces of one panel whose moving y has so many points a frame."""
    data = film.figure.to_dict()["data"]
    found = [t.trace for t in film.tracks if t.attribute == "y" and np.shape(t.values)[1] == points]
    return [i for i in found if data[i]["yaxis"] == panel_axis]


def axis_of(film: Film, words: str) -> str:
    """The y axis of the panel that carries this headline's rank: panels are laid out in a fixed order."""
    order = {
        "left": "y",
        "left history": "y2",
        "right": "y3",
        "right history": "y4",
        "spent": "y5",
        "steps": "y6",
    }
    return order[words]


def test_the_truth_of_every_frame_is_the_row_of_the_problem_that_the_clock_names():
    sides = pair()
    ticks = choose_frames(60, [20, 41], most=23)
    film = figure.worlds(sides, ticks, Theme(), drawn=4)
    for s, place in zip(sides, ("left", "right"), strict=True):
        (trace,) = moving(film, axis_of(film, place), 30)
        drawn = every(film, trace, "y")
        for frame, row in enumerate(ticks.rows):
            np.testing.assert_allclose(drawn[frame], s.drift.problem.f[row], rtol=FLOAT32, atol=1e-6)


def test_the_rod_stands_where_a_step_is_longest_and_is_as_long_as_the_step():
    sides = pair()
    film = figure.worlds(sides, choose_frames(60, []), Theme(), drawn=0)
    for s, place in zip(sides, ("left", "right"), strict=True):
        (trace,) = moving(film, axis_of(film, place), 8)
        x, y = every(film, trace, "x"), every(film, trace, "y")
        f = s.drift.problem.f
        for t in range(1, 60):
            gaps = [abs(f[t, i] - f[t - 1, i]) for i in range(f.shape[1])]  # the definition, arm by arm
            if max(gaps) == 0.0:
                assert np.isnan(y[t, :2]).all()  # nothing moved: no rod
                continue
            arm = int(np.argmax(gaps))
            assert x[t, 0] == x[t, 1] == pytest.approx(s.drift.problem.x[arm, 0], rel=FLOAT32)
            # The two ends are float32 of size at most 3, so their difference is good to 2 * 3 * 6e-8.
            assert abs(y[t, 1] - y[t, 0]) == pytest.approx(max(gaps), abs=4e-7)


@given(st.integers(0, 99), st.floats(0.5, 16.0))
@LAWS
def test_the_words_beside_the_rod_are_inside_the_panel_whatever_the_rounding(seed: int, budget: float):
    one = side(make_problem(replace(GLIDE, seed=seed, budget=budget)))
    film = figure.worlds([one], choose_frames(60, []), Theme(), drawn=1)
    (trace,) = moving(film, "y", 8)
    low, high = film.figure.to_dict()["layout"]["yaxis"]["range"]
    y = every(film, trace, "y")[:, 3].astype(float)
    assert (low < y).all() and (y < high).all()  # Plotly hides the words of a point outside the axes
    assert every(film, trace, "text")[1][3].startswith("largest change: ")


def test_the_bill_at_every_frame_is_the_sum_of_all_steps_so_far():
    sides = pair()
    film = figure.worlds(sides, choose_frames(60, []), Theme(), drawn=0)
    cursor = moving(film, axis_of(film, "spent"), 5)[0]  # two ends, a gap, one dot for each world
    dots = every(film, cursor, "y")[:, 3:]
    for which, s in enumerate(sides):
        total = 0.0
        for t in range(60):
            if t:
                total += max(abs(a - b) for a, b in zip(s.drift.problem.f[t], s.drift.problem.f[t - 1], strict=True))
            assert dots[t, which] == pytest.approx(total, rel=1e-6, abs=1e-6)  # float32
    assert dots[-1] == pytest.approx([4.0, 4.0], rel=1e-6)


def test_the_dot_of_every_frame_is_on_the_best_action_and_on_the_path_below():
    sides = pair()
    film = figure.worlds(sides, choose_frames(60, []), Theme(), drawn=30)
    for s, place in zip(sides, ("left", "right"), strict=True):
        (drop,) = moving(film, axis_of(film, place), 2)
        above = moving(film, axis_of(film, f"{place} history"), 3)[0]
        for t in range(60):
            best = max(range(30), key=lambda i: (s.drift.problem.f[t, i], -i))
            assert every(film, drop, "y")[t, 1] == pytest.approx(s.drift.problem.f[t, best], rel=1e-6, abs=1e-6)
            assert every(film, drop, "x")[t, 1] == pytest.approx(s.drift.problem.x[best, 0], rel=1e-6)
            assert every(film, above, "x")[t, 1] == every(film, drop, "x")[t, 1]
            assert every(film, above, "y")[t, 1] == t + 1


KINDS = st.sampled_from(["still", "glide", "jumps", "markov", "cyclic", "rough", "adversary"])


@given(KINDS, KINDS, st.integers(0, 99), st.integers(2, 40), st.integers(1, 25), st.floats(0, 16), st.booleans())
@LAWS
def test_any_two_worlds_give_a_valid_film_on_axes_that_never_move(left, right, seed, T, m, budget, dark):
    world = World(kind=left, budget=budget, horizon=T, arms=m, seed=seed, switches=1, centres=5)
    sides = [side(make_problem(world)), side(make_problem(replace(world, kind=right)), "second")]
    film = figure.worlds(sides, choose_frames(T, []), Theme(dark=dark), drawn=T // 2)
    shown = film.figure.checked()  # Plotly's own validation
    assert all(len(track) == T for track in film.tracks)
    shared = [shown.layout[a].range for a in ("yaxis", "yaxis3")]
    assert shared[0] == shared[1]  # two worlds compare by eye
    for name, axis in shown.layout.to_plotly_json().items():
        if name.startswith(("xaxis", "yaxis")):
            assert np.isfinite(axis["range"]).all() and axis["range"][0] != axis["range"][1]
    low, high = shared[0]
    for s in sides:
        assert low < s.drift.problem.f.min() and s.drift.problem.f.max() < high
    for note in shown.layout.annotations:
        assert "nan" not in note.text.lower() and np.isfinite([note.x, note.y]).all()


@pytest.mark.parametrize("theme", [Theme(), Theme(dark=True), Theme(lecture=True), Theme(True, True)])
def test_all_words_are_as_large_as_the_theme_promises(theme: Theme):
    shown = figure.worlds(pair(), choose_frames(60, []), theme, drawn=0).figure.checked()
    least = 22 if theme.lecture else 14
    sizes = [n.font.size for n in shown.layout.annotations]
    sizes += [t.textfont.size for t in shown.data if t.textfont.size]
    for name in shown.layout.to_plotly_json():
        if name.startswith(("xaxis", "yaxis")):
            sizes += [shown.layout[name].tickfont.size, shown.layout[name].title.font.size]
    assert min(sizes) >= least


def test_a_film_moves_few_traces_because_each_costs_time_in_the_browser():
    film = figure.worlds(pair(), choose_frames(60, []), Theme(), drawn=0)
    assert len(film.figure.to_dict()["data"]) <= 26
    assert all(trace["type"] == "scatter" for trace in film.figure.to_dict()["data"])  # no heatmap: it would vanish


def test_one_world_alone_takes_the_place_of_two():
    one, _ = pair()
    shown = figure.worlds([one], choose_frames(60, []), Theme(), drawn=10).figure.checked()
    two = figure.worlds(pair(), choose_frames(60, []), Theme(), drawn=10).figure.checked()
    assert shown.layout.xaxis.domain[1] == pytest.approx(two.layout.xaxis3.domain[1])
    assert len(shown.layout.images) == 1


def test_equal_best_actions_are_both_ringed_and_a_single_one_is_not():
    f = np.array([[0.0, 1.0, 0.0, 0.0, 0.5], [0.0, 1.0, 0.0, 1.0, 0.5], [1.0, 1.0, 1.0, 1.0, 1.0]])
    s = side(grid(f))
    film = figure.worlds([s], choose_frames(3, []), Theme(), drawn=0)
    (rings,) = moving(film, "y", 5)[1:]  # the truth has five points too, and comes first
    x, y = every(film, rings, "x"), every(film, rings, "y")
    assert np.isnan(x[0]).all()
    assert x[1][~np.isnan(x[1])] == pytest.approx([0.25, 0.75]) and set(y[1][~np.isnan(y[1])]) == {1.0}
    assert len(x[2][~np.isnan(x[2])]) == 5


@pytest.mark.parametrize("f", [np.zeros((2, 1)), np.full((3, 4), 7.0), np.array([[0.0], [5.0]]), np.eye(2) * 1e6])
def test_constant_rewards_one_action_and_huge_rewards_still_give_a_picture(f: np.ndarray):
    shown = figure.worlds([side(grid(f))], choose_frames(len(f), []), Theme(), drawn=len(f) - 1).figure.checked()
    assert all(np.isfinite(shown.layout[a].range).all() for a in ("yaxis", "yaxis3", "yaxis4"))


def test_a_table_shows_every_arm_by_name_with_its_reward_now():
    rng = np.random.default_rng(5)
    f = rng.normal(size=(30, 3))
    names = ("one", "two", "a name that is far too long for the margin")
    film = figure_table.table(side(table(f, names)), choose_frames(30, []), Theme(), drawn=12)
    shown = film.figure.checked()
    assert shown.layout.yaxis.ticktext[:2] == ("one", "two")
    assert shown.layout.yaxis.ticktext[2].endswith("…") and names[2].startswith(shown.layout.yaxis.ticktext[2][:-1])
    stems = every(film, 0, "x").reshape(30, 3, 3)
    np.testing.assert_allclose(stems[:, :, 1], f, rtol=1e-6, atol=1e-7)  # float32
    assert (stems[:, :, 0] == 0).all() and np.isnan(stems[:, :, 2]).all()
    best = every(film, 2, "y")[:, 0]
    assert best.tolist() == f.argmax(axis=1).tolist()
    low, high = shown.layout.xaxis.range
    assert low < min(f.min(), 0) and high > max(f.max(), 0)


@pytest.mark.parametrize("count", [1, 4, 21, 60])
def test_names_of_any_number_of_arms_fit_between_their_rows(count: int):
    f = np.random.default_rng(0).normal(size=(5, count))
    for lecture in (False, True):
        p = table(f, tuple(f"arm {i}" for i in range(count)))
        shown = figure_table.table(side(p), choose_frames(5, []), Theme(lecture=lecture), drawn=0).figure.checked()
        assert shown.layout.yaxis.tickfont.size * count <= max(figure_table.ROWS_PIXELS[lecture], 9 * count)


def test_a_click_anywhere_on_a_history_tells_the_time_at_that_place():
    sides = pair()
    film = figure.worlds(sides, choose_frames(60, []), Theme(), drawn=0)
    ears = [t for t in film.figure.to_dict()["data"] if t["mode"] == "none"]
    assert len(ears) == 2
    for ear in ears:
        times = numbers(ear["customdata"])
        assert np.array_equal(times, numbers(ear["y"]))  # time runs along the upright axis
        assert set(times.astype(int)) == set(range(1, 61))
        assert ear.get("hoverinfo") != "skip"  # skipped points hear no click


def test_two_totals_that_agree_are_said_once_and_different_ones_at_each_line():
    same = figure.worlds(pair(), choose_frames(60, []), Theme(), drawn=0).figure.checked()
    assert "both end at 4.0" in [n.text for n in same.layout.annotations]
    left, right = side(grid(np.eye(3))), side(grid(2 * np.eye(3)), "second", "Jumps")
    other = figure.worlds([left, right], choose_frames(3, []), Theme(), drawn=0).figure.checked()
    words = [n.text for n in other.layout.annotations]
    assert "<b>Glide</b> 2.0" in words and "<b>Jumps</b> 4.0" in words


def glides(film: Film, panel_axis: str) -> list[tuple[int, str, list[bool] | None]]:
    """(points, attribute, glides) of every moving trace of a panel that moves numbers."""
    data = film.figure.to_dict()["data"]
    mine = [t for t in film.tracks if data[t.trace]["yaxis"] == panel_axis and isinstance(t.values, np.ndarray)]
    return [(t.values.shape[1], t.attribute, None if t.glides is None else t.glides.tolist()) for t in mine]


def test_a_gliding_reward_is_drawn_on_its_way_a_jumping_one_never_and_a_best_action_that_hops_waits():
    worlds = [replace(GLIDE, horizon=60), replace(GLIDE, kind="jumps")]
    sides = [
        Side(WorldDrift(w, p := make_problem(w), events(p), moved_most(p), {}), w.kind, w.kind, role)
        for w, role in zip(worlds, ("first", "second"), strict=True)
    ]
    hops = {hop.t for hop in sides[0].drift.events.hops}
    assert hops and not sides[0].drift.events.jumps and sides[1].drift.events.jumps
    ticks = choose_frames(60, [], most=25)
    film, always = figure.worlds(sides, ticks, Theme(), drawn=0), [True] * (len(ticks.rows) - 1)
    waits = [not any(a < hop <= b for hop in hops) for a, b in pairwise(ticks.rows)]
    assert False in waits and True in waits
    left, right = glides(film, axis_of(film, "left")), glides(film, axis_of(film, "right"))
    assert (30, "y", always) in left and (2, "x", waits) in left and (2, "y", waits) in left
    assert all(way is None for points, _, way in left if points == 4)  # a step belongs to its round
    assert all(way is None for _, _, way in right)
    path = glides(film, axis_of(film, "right history"))
    assert (3, "x", None) in path and (3, "y", always) in path  # time goes on in any world
    for panel in ("spent", "steps"):
        assert (5, "x", always) in glides(film, axis_of(film, panel))
        assert all(way is None for _, attribute, way in glides(film, axis_of(film, panel)) if attribute == "y")
