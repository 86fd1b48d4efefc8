"""The drift figures: what every frame draws is what the problem says, on axes that never move."""

from __future__ import annotations

import base64
import struct
import zlib
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from figures import spacetime
from figures.film import Film
from figures.frames import Clock, Side, amount, clock
from figures.theme import Theme
from lessons.drift import figure as drift
from lessons.drift import figure_table as arms
from tests.strategies import LAW
from tvbo_core import Problem, SquaredExponential, Tabulated, World, make_problem
from tvbo_core.worlds import events, moved_most, ties

FLOAT32 = 1e-6  # relative: tracks travel as 32-bit floats, whose unit roundoff is 6e-8; values are up to 1e1
LAWS = settings(LAW, max_examples=40)  # a film of two worlds is about 10 ms to build and 20 ms to validate
GLIDE = World(kind="glide", budget=4.0, horizon=60, arms=30, switches=1, seed=47)


def side(problem: Problem, role: str = "first", short: str = "Glide") -> Side:
    tied = {t: ties(problem, t) for t in range(problem.horizon) if len(ties(problem, t)) > 1}
    hops = [(h.t, h.before[0], h.after[0]) for h in events(problem).hops]
    return Side(short, short, role, problem, moved_most(problem), tied, hops)


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
    ticks = clock(60, [20, 41], most=23)
    film = drift.worlds(sides, ticks, Theme(), drawn=4)
    for s, place in zip(sides, ("left", "right"), strict=True):
        (trace,) = moving(film, axis_of(film, place), 30)
        drawn = every(film, trace, "y")
        for frame, row in enumerate(ticks.rows):
            np.testing.assert_allclose(drawn[frame], s.problem.f[row], rtol=FLOAT32, atol=1e-6)


def test_the_rod_stands_where_a_step_is_longest_and_is_as_long_as_the_step():
    sides = pair()
    film = drift.worlds(sides, clock(60, []), Theme(), drawn=0)
    for s, place in zip(sides, ("left", "right"), strict=True):
        (trace,) = moving(film, axis_of(film, place), 4)
        x, y = every(film, trace, "x"), every(film, trace, "y")
        f = s.problem.f
        for t in range(1, 60):
            gaps = [abs(f[t, i] - f[t - 1, i]) for i in range(f.shape[1])]  # the definition, arm by arm
            if max(gaps) == 0.0:
                assert np.isnan(y[t, :2]).all()  # nothing moved: no rod
                continue
            arm = int(np.argmax(gaps))
            assert x[t, 0] == x[t, 1] == pytest.approx(s.problem.x[arm, 0], rel=FLOAT32)
            # The two ends are float32 of size at most 3, so their difference is good to 2 * 3 * 6e-8.
            assert abs(y[t, 1] - y[t, 0]) == pytest.approx(max(gaps), abs=4e-7)


@given(st.integers(0, 99), st.floats(0.5, 16.0))
@LAWS
def test_the_words_beside_the_rod_are_inside_the_panel_whatever_the_rounding(seed: int, budget: float):
    one = side(make_problem(replace(GLIDE, seed=seed, budget=budget)))
    film = drift.worlds([one], clock(60, []), Theme(), drawn=1)
    (trace,) = moving(film, "y", 4)
    low, high = film.figure.to_dict()["layout"]["yaxis"]["range"]
    y = every(film, trace, "y")[:, 3].astype(float)
    assert (low < y).all() and (y < high).all()  # Plotly hides the words of a point outside the axes
    assert every(film, trace, "text")[1][3].startswith("largest change: ")


def test_the_bill_at_every_frame_is_the_sum_of_all_steps_so_far():
    sides = pair()
    film = drift.worlds(sides, clock(60, []), Theme(), drawn=0)
    cursor = moving(film, axis_of(film, "spent"), 5)[0]  # two ends, a gap, one dot for each world
    dots = every(film, cursor, "y")[:, 3:]
    for which, s in enumerate(sides):
        total = 0.0
        for t in range(60):
            if t:
                total += max(abs(a - b) for a, b in zip(s.problem.f[t], s.problem.f[t - 1], strict=True))
            assert dots[t, which] == pytest.approx(total, rel=1e-6, abs=1e-6)  # float32
    assert dots[-1] == pytest.approx([4.0, 4.0], rel=1e-6)


def test_the_dot_of_every_frame_is_on_the_best_action_and_on_the_path_below():
    sides = pair()
    film = drift.worlds(sides, clock(60, []), Theme(), drawn=30)
    for s, place in zip(sides, ("left", "right"), strict=True):
        (drop,) = moving(film, axis_of(film, place), 2)
        above = moving(film, axis_of(film, f"{place} history"), 3)[0]
        for t in range(60):
            best = max(range(30), key=lambda i: (s.problem.f[t, i], -i))
            assert every(film, drop, "y")[t, 1] == pytest.approx(s.problem.f[t, best], rel=1e-6, abs=1e-6)
            assert every(film, drop, "x")[t, 1] == pytest.approx(s.problem.x[best, 0], rel=1e-6)
            assert every(film, above, "x")[t, 1] == every(film, drop, "x")[t, 1]
            assert every(film, above, "y")[t, 1] == t + 1


def levels_of(source: str) -> np.ndarray:
    """The palette levels of a PNG data URI, read back chunk by chunk with the checksums verified."""
    raw = base64.b64decode(source.removeprefix("data:image/png;base64,"))
    assert raw[:8] == b"\x89PNG\r\n\x1a\n"
    at, chunks = 8, {}
    while at < len(raw):
        (length,) = struct.unpack(">I", raw[at : at + 4])
        kind, body = raw[at + 4 : at + 8], raw[at + 8 : at + 8 + length]
        assert struct.unpack(">I", raw[at + 8 + length : at + 12 + length])[0] == zlib.crc32(kind + body)
        chunks[kind] = body
        at += 12 + length
    width, height = struct.unpack(">II", chunks[b"IHDR"][:8])
    assert len(chunks[b"PLTE"]) == 3 * 256
    rows = np.frombuffer(zlib.decompress(chunks[b"IDAT"]), dtype=np.uint8).reshape(height, width + 1)
    assert (rows[:, 0] == 0).all()  # no filter
    return rows[:, 1:]


@given(st.integers(1, 500), st.integers(1, 500), st.integers(0, 99))
@LAWS
def test_a_picture_shows_every_value_in_order_of_brightness(rows: int, columns: int, seed: int):
    values = np.random.default_rng(seed).normal(size=(rows, columns))
    low, high = float(values.min()), float(values.max())
    levels = levels_of(spacetime.picture(values, low, high))
    assert 200 <= levels.shape[0] <= 500 and 200 <= levels.shape[1] <= 500  # crisp, and small to send
    r = np.minimum((np.arange(levels.shape[0]) + 0.5) * rows / levels.shape[0], rows - 1).astype(int)
    if rows <= spacetime.FINEST and columns <= spacetime.FINEST:
        c = np.minimum((np.arange(levels.shape[1]) + 0.5) * columns / levels.shape[1], columns - 1).astype(int)
        expected = 255 * (values[np.ix_(r, c)] - low) / (high - low) if high > low else np.full(levels.shape, 127.5)
        assert np.abs(levels - expected).max() <= 0.5 + 1e-9  # rounding to 256 levels


def test_the_ramp_of_brightness_never_gets_darker():
    rgb = np.frombuffer(spacetime.ramp(), dtype=np.uint8).reshape(256, 3).astype(float) / 255
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    luminance = linear @ [0.2126, 0.7152, 0.0722]
    # Eight bits a channel: a rounded colour may be darker than its neighbour by half a level.
    assert np.diff(luminance).min() > -0.003 and luminance[-1] > luminance[0] + 0.5


@given(st.integers(1, 2000), st.lists(st.integers(0, 1999), max_size=30), st.integers(2, 200))
@LAWS
def test_a_film_keeps_its_ends_and_every_stop_exactly_and_stays_short(horizon: int, stops: list, most: int):
    stops = [s for s in stops if s < horizon]
    ticks = clock(horizon, stops, most)
    assert ticks.rows[0] == 0 and ticks.rows[-1] == horizon - 1
    assert list(ticks.rows) == sorted(set(ticks.rows))
    assert all(s in ticks.rows and max(s - 1, 0) in ticks.rows for s in stops)
    assert len(ticks.rows) <= min(most, horizon) + 2 * len(stops)
    if horizon <= most:
        assert ticks.rows == tuple(range(horizon))
    assert [ticks.rows[i] for i in ticks.frames(stops)] == sorted(set(stops))


@given(st.integers(2, 1500), st.integers(-5, 9999))
@LAWS
def test_a_time_is_shown_by_the_nearest_frame(horizon: int, time: int):
    ticks = clock(horizon, [], most=50)
    frame = ticks.frame(time)
    assert abs(ticks.times[frame] - time) == min(abs(t - time) for t in ticks.times)
    assert ticks.frame(ticks.times[frame]) == frame


KINDS = st.sampled_from(["still", "glide", "jumps", "markov", "cyclic", "rough", "adversary"])


@given(KINDS, KINDS, st.integers(0, 99), st.integers(2, 40), st.integers(1, 25), st.floats(0, 16), st.booleans())
@LAWS
def test_any_two_worlds_give_a_valid_film_on_axes_that_never_move(left, right, seed, T, m, budget, dark):
    world = World(kind=left, budget=budget, horizon=T, arms=m, seed=seed, switches=1, centres=5)
    sides = [side(make_problem(world)), side(make_problem(replace(world, kind=right)), "second")]
    film = drift.worlds(sides, clock(T, []), Theme(dark=dark), drawn=T // 2)
    figure = film.figure.checked()  # Plotly's own validation
    assert all(len(track) == T for track in film.tracks)
    shared = [figure.layout[a].range for a in ("yaxis", "yaxis3")]
    assert shared[0] == shared[1]  # two worlds compare by eye
    for name, axis in figure.layout.to_plotly_json().items():
        if name.startswith(("xaxis", "yaxis")):
            assert np.isfinite(axis["range"]).all() and axis["range"][0] != axis["range"][1]
    low, high = shared[0]
    for s in sides:
        assert low < s.problem.f.min() and s.problem.f.max() < high
    for note in figure.layout.annotations:
        assert "nan" not in note.text.lower() and np.isfinite([note.x, note.y]).all()


@pytest.mark.parametrize("theme", [Theme(), Theme(dark=True), Theme(lecture=True), Theme(True, True)])
def test_all_words_are_as_large_as_the_theme_promises(theme: Theme):
    figure = drift.worlds(pair(), clock(60, []), theme, drawn=0).figure.checked()
    least = 22 if theme.lecture else 14
    sizes = [n.font.size for n in figure.layout.annotations]
    sizes += [t.textfont.size for t in figure.data if t.textfont.size]
    for name in figure.layout.to_plotly_json():
        if name.startswith(("xaxis", "yaxis")):
            sizes += [figure.layout[name].tickfont.size, figure.layout[name].title.font.size]
    assert min(sizes) >= least


def test_a_film_moves_few_traces_because_each_costs_time_in_the_browser():
    film = drift.worlds(pair(), clock(60, []), Theme(), drawn=0)
    assert len(film.figure.to_dict()["data"]) <= 26
    assert all(trace["type"] == "scatter" for trace in film.figure.to_dict()["data"])  # no heatmap: it would vanish


def test_one_world_alone_takes_the_place_of_two():
    one, _ = pair()
    figure = drift.worlds([one], clock(60, []), Theme(), drawn=10).figure.checked()
    two = drift.worlds(pair(), clock(60, []), Theme(), drawn=10).figure.checked()
    assert figure.layout.xaxis.domain[1] == pytest.approx(two.layout.xaxis3.domain[1])
    assert len(figure.layout.images) == 1


def test_equal_best_actions_are_both_ringed_and_a_single_one_is_not():
    f = np.array([[0.0, 1.0, 0.0, 0.0, 0.5], [0.0, 1.0, 0.0, 1.0, 0.5], [1.0, 1.0, 1.0, 1.0, 1.0]])
    s = side(grid(f))
    film = drift.worlds([s], clock(3, []), Theme(), drawn=0)
    (rings,) = moving(film, "y", 5)[1:]  # the truth has five points too, and comes first
    x, y = every(film, rings, "x"), every(film, rings, "y")
    assert np.isnan(x[0]).all()
    assert x[1][~np.isnan(x[1])] == pytest.approx([0.25, 0.75]) and set(y[1][~np.isnan(y[1])]) == {1.0}
    assert len(x[2][~np.isnan(x[2])]) == 5


@pytest.mark.parametrize("f", [np.zeros((2, 1)), np.full((3, 4), 7.0), np.array([[0.0], [5.0]]), np.eye(2) * 1e6])
def test_constant_rewards_one_action_and_huge_rewards_still_give_a_picture(f: np.ndarray):
    figure = drift.worlds([side(grid(f))], clock(len(f), []), Theme(), drawn=len(f) - 1).figure.checked()
    assert all(np.isfinite(figure.layout[a].range).all() for a in ("yaxis", "yaxis3", "yaxis4"))


def test_a_table_shows_every_arm_by_name_with_its_reward_now():
    rng = np.random.default_rng(5)
    f = rng.normal(size=(30, 3))
    names = ("one", "two", "a name that is far too long for the margin")
    film = arms.table(side(table(f, names)), clock(30, []), Theme(), drawn=12)
    figure = film.figure.checked()
    assert figure.layout.yaxis.ticktext[:2] == ("one", "two")
    assert figure.layout.yaxis.ticktext[2].endswith("…") and names[2].startswith(figure.layout.yaxis.ticktext[2][:-1])
    stems = every(film, 0, "x").reshape(30, 3, 3)
    np.testing.assert_allclose(stems[:, :, 1], f, rtol=1e-6, atol=1e-7)  # float32
    assert (stems[:, :, 0] == 0).all() and np.isnan(stems[:, :, 2]).all()
    best = every(film, 2, "y")[:, 0]
    assert best.tolist() == f.argmax(axis=1).tolist()
    low, high = figure.layout.xaxis.range
    assert low < min(f.min(), 0) and high > max(f.max(), 0)


@pytest.mark.parametrize("count", [1, 4, 21, 60])
def test_names_of_any_number_of_arms_fit_between_their_rows(count: int):
    f = np.random.default_rng(0).normal(size=(5, count))
    for lecture in (False, True):
        p = table(f, tuple(f"arm {i}" for i in range(count)))
        figure = arms.table(side(p), clock(5, []), Theme(lecture=lecture), drawn=0).figure.checked()
        assert figure.layout.yaxis.tickfont.size * count <= max(arms.TALL[lecture], 9 * count)


def test_a_click_anywhere_on_a_history_tells_the_time_at_that_place():
    sides = pair()
    film = drift.worlds(sides, clock(60, []), Theme(), drawn=0)
    ears = [t for t in film.figure.to_dict()["data"] if t["mode"] == "none"]
    assert len(ears) == 2
    for ear in ears:
        times = numbers(ear["customdata"])
        assert np.array_equal(times, numbers(ear["y"]))  # time runs along the upright axis
        assert set(times.astype(int)) == set(range(1, 61))
        assert ear.get("hoverinfo") != "skip"  # skipped points hear no click


def test_amounts_are_written_with_one_decimal_fewer_when_large_and_two_digits_when_tiny():
    written = [amount(v) for v in (0.0, 0.0201, 0.5, 3.999999, 49.41, 744.2, 1974.4)]
    assert written == ["0.0", "0.02", "0.5", "4.0", "49.4", "744", "1,974"]


def test_two_totals_that_agree_are_said_once_and_different_ones_at_each_line():
    same = drift.worlds(pair(), clock(60, []), Theme(), drawn=0).figure.checked()
    assert "both end at 4.0" in [n.text for n in same.layout.annotations]
    left, right = side(grid(np.eye(3))), side(grid(2 * np.eye(3)), "second", "Jumps")
    other = drift.worlds([left, right], clock(3, []), Theme(), drawn=0).figure.checked()
    words = [n.text for n in other.layout.annotations]
    assert "<b>Glide</b> 2.0" in words and "<b>Jumps</b> 4.0" in words


def test_a_clock_knows_only_rows_that_it_shows():
    assert Clock((0, 3, 9), 10).frames([9, 4, 3, 3]) == [1, 2]
