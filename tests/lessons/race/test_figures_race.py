"""The race figures: what is drawn is what the runs say, on axes that never move, with names that keep apart."""

from __future__ import annotations

import base64
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from common.formats import amount
from figures.film import Film
from figures.frames import choose_frames
from figures.race_axes import RaceScale, curves, round_ticks
from figures.theme import METHODS, Theme
from lessons.race import figure as race
from lessons.race import figure_details as race_tools
from tests.strategies import LAW
from tvbo_core import World, make_problem

FLOAT32 = 1e-6  # relative: tracks and arrays travel as 32-bit floats, whose unit roundoff is 6e-8
T, SEEDS = 60, 4
NAMES = ("Random", "GP-UCB", "R-GP-UCB", "SW-GP-UCB", "WGP-UCB", "TV-GP-UCB", "PE", "R-PERP", "SparQ", "W-SparQ")
COLOURED = ("GP-UCB", "SW-GP-UCB", "WGP-UCB", "TV-GP-UCB", "R-PERP", "W-SparQ")
LAWS = settings(LAW, max_examples=60)


def lane(seed: int = 0, kind: str = "jumps", names: tuple[str, ...] = NAMES, seeds: int = SEEDS) -> SimpleNamespace:
    """A world of a race with made-up regret; ranks and medians by their definitions."""
    rng = np.random.default_rng(seed)
    problem = make_problem(World(kind=kind, horizon=T, arms=25, switches=1))
    total = {n: rng.exponential(rng.uniform(0.05, 1), (seeds, T)).cumsum(axis=1) for n in names}
    median = {n: np.median(rows, axis=0) for n, rows in total.items()}
    rank = {
        n: np.array([1 + sum(median[o][t] < median[n][t] for o in names) for t in range(T)]) for n in names
    }  # continuous values: no two medians are the same
    return SimpleNamespace(
        problem=problem,
        total=total,
        median=median,
        spread={n: np.quantile(r, 0.75, axis=0) - np.quantile(r, 0.25, axis=0) for n, r in total.items()},
        rank=rank,
        asked={n: 417 if n == "W-SparQ" else 1568 if n == "SparQ" else 0 for n in names},
        seconds={n: float(rng.uniform(1e-6, 2e-3)) for n in names},
        looks={n: rng.integers(0, 25, T) for n in names},
        jumps=(30,) if kind == "jumps" else (),
    )


LANES = (lane(1, "still"), lane(2))
CLOCK = choose_frames(T, [30], most=25)


def film(drawn: int = 3, lanes=LANES, theme: Theme | None = None, **more: object) -> Film:
    titles = ["Still world", "Jumping world"][: len(lanes)]
    return race.regret(lanes, titles, COLOURED, ("GP-UCB", "TV-GP-UCB"), CLOCK, theme or Theme(), drawn, **more)


def ranked(lanes=LANES) -> Film:
    return race.stage(lanes, ["Still world", "Jumping world"][: len(lanes)], COLOURED[:2], CLOCK, Theme(), 3)


def numbers(packed: dict | list) -> np.ndarray:
    if isinstance(packed, dict):
        return np.frombuffer(base64.b64decode(packed["bdata"]), dtype=packed["dtype"]).astype(float)
    return np.array(packed, dtype=float)


def data(of: Film) -> list[dict]:
    return of.figure.to_dict()["data"]


def moving(of: Film, axis: str, attribute: str) -> dict[int, object]:
    """trace -> frames, of the traces of one panel that move so."""
    traces = data(of)
    return {t.trace: t.values for t in of.tracks if t.attribute == attribute and traces[t.trace]["xaxis"] == axis}


def test_the_coloured_lines_are_the_medians_in_their_own_colour_and_dash():
    one = film()
    for axis, lane_ in (("x", LANES[0]), ("x2", LANES[1])):
        lines = [t for t in data(one) if t["xaxis"] == axis and t.get("line", {}).get("width") == Theme().line]
        drawn = {(t["line"]["color"], t["line"]["dash"]): numbers(t["y"]) for t in lines}
        assert len(drawn) == len(COLOURED)  # colour and dash together name a method
        for name in COLOURED:
            y = drawn[METHODS[name].light, METHODS[name].dash]
            np.testing.assert_allclose(y, np.median(lane_.total[name], axis=0), rtol=FLOAT32)


def test_the_thin_lines_are_the_seeds_of_the_pinned_methods_and_nothing_else():
    one = film()
    seen = [numbers(t["y"]) for t in data(one) if t["xaxis"] == "x2" and t.get("line", {}).get("width") == 1.2]
    want = [
        np.pad(LANES[1].total[n], ((0, 0), (0, 1)), constant_values=np.nan).ravel() for n in ("GP-UCB", "TV-GP-UCB")
    ]
    assert len(seen) == 2
    for found, rows in zip(seen, want, strict=True):
        np.testing.assert_allclose(found, rows, rtol=FLOAT32)


def test_the_curtain_begins_now_and_hides_everything_to_the_right():
    one = film()
    for axis in ("x", "x2"):
        (curtain,) = (v for t, v in moving(one, axis, "x").items() if data(one)[t].get("fillcolor") == "#FFFFFF")
        right = one.figure.to_dict()["layout"]["xaxis" + axis[1:]]["range"][1]
        for frame, now in enumerate(CLOCK.times):
            assert now <= curtain[frame].min() < now + 1
            assert curtain[frame].max() >= right


def test_every_coloured_line_ends_in_its_name_and_re_asks_are_counted_there():
    one = film()
    (texts,) = moving(one, "x2", "text").values()
    for frame, row in enumerate(CLOCK.rows):
        said = [text.removesuffix(" ↑") for text in texts[frame]]
        assert said == [n + (" +417" if n == "W-SparQ" else "") for n in COLOURED]
        assert len(said) == len(LANES[1].median) - 4 and row < T


def test_the_markers_stand_where_the_lines_are_now_or_at_the_top_when_they_have_left():
    one = film()
    high = one.figure.to_dict()["layout"]["yaxis2"]["range"][1]
    places = {t: v for t, v in moving(one, "x2", "y").items() if data(one)[t]["mode"] == "markers"}
    ((_, y),) = places.items()
    for frame, row in enumerate(CLOCK.rows):
        want = [min(LANES[1].median[n][row], high) for n in COLOURED]
        np.testing.assert_allclose(y[frame], want, rtol=FLOAT32, atol=1e-6)


def test_the_ranks_list_every_method_at_its_place_with_its_median():
    one = ranked()
    texts, places = moving(one, "x", "text"), moving(one, "x", "y")
    texts = {trace: said for trace, said in texts.items() if len(said[0]) == len(NAMES)}
    assert len(texts) == 2
    for (trace, said), lane_ in zip(texts.items(), LANES, strict=True):
        for frame, row in enumerate(CLOCK.rows):
            order = sorted(NAMES, key=lambda n: np.median(lane_.total[n][:, row]))
            for name, text, place in zip(NAMES, said[frame], places[trace][frame], strict=True):
                assert order[round(place) - 1] == name
                assert name in text and f"<b>{amount(lane_.median[name][row])}</b>" in text


def test_a_slope_joins_a_methods_two_places():
    one = ranked()
    slopes = {t: v for t, v in moving(one, "x", "y").items() if data(one)[t]["mode"] == "lines+markers"}
    assert len(slopes) == 2
    ends = {tuple(map(float, v[-1])) for v in slopes.values()}
    assert ends == {(float(LANES[0].rank[n][-1]), float(LANES[1].rank[n][-1])) for n in COLOURED[:2]}


def test_the_shade_covers_the_leader_and_all_within_one_interquartile_range_of_it():
    one = ranked()
    shades = [v for t, v in moving(one, "x", "y").items() if "fillcolor" in data(one)[t]]
    for lane_, frames in zip(LANES, shades, strict=True):
        for frame, row in enumerate(CLOCK.rows):
            leader = min(NAMES, key=lambda n: lane_.median[n][row])
            limit = lane_.median[leader][row] + lane_.spread[leader][row]
            tied = sum(lane_.median[n][row] < limit for n in NAMES)
            if tied < 2:
                assert np.isnan(frames[frame]).all()
            else:
                top, foot = frames[frame].min(), frames[frame].max()
                assert [top < k < foot for k in range(1, len(NAMES) + 1)] == [
                    k <= tied for k in range(1, len(NAMES) + 1)
                ]


def test_a_shade_is_named_where_there_is_one_and_only_there():
    one = ranked()
    named = [v for t, v in moving(one, "x", "text").items() if len(v[0]) == 1]
    assert len(named) == 1
    shades = [v for t, v in moving(one, "x", "y").items() if "fillcolor" in data(one)[t]]
    for frame in range(len(CLOCK.rows)):
        shaded = any(np.isfinite(shade[frame]).any() for shade in shades)
        assert list(named[0][frame]) == (["shaded: tied for first place"] if shaded else [""])


def test_the_three_quantities_are_sums_averages_and_means_of_the_last_ten():
    rng = np.random.default_rng(3)
    r = rng.uniform(0, 1, (3, 40))
    total = r.cumsum(axis=1)
    t = np.arange(1, 41)
    np.testing.assert_array_equal(curves(total, "total"), total)
    np.testing.assert_allclose(curves(total, "mean") * t, total, rtol=1e-12)
    for k in (1, 5, 10, 11, 40):
        # Differences of sums up to 40: rounding below 1e-12.
        np.testing.assert_allclose(curves(total, "round")[:, k - 1], r[:, max(k - 10, 0) : k].mean(axis=1), atol=1e-12)


@given(st.floats(1e-3, 1e5), st.floats(1e-4, 0.9), st.booleans())
@LAWS
def test_a_height_and_the_value_at_it_are_inverse(high: float, share: float, logs: bool):
    scale = RaceScale(high * 1e-4 if logs else 0.0, high, logs)
    assert scale.height(scale.at(np.array([share])))[0] == pytest.approx(share, rel=1e-9, abs=1e-12)


@given(st.floats(1e-6, 1e9))
@LAWS
def test_ticks_begin_at_nothing_end_inside_and_are_few(high: float):
    ticks = round_ticks(high)
    assert ticks[0] == 0 and ticks[-1] <= high * (1 + 1e-9)
    assert 2 <= len(ticks) <= 6


def test_one_method_alone_and_one_seed_alone_are_drawn():
    alone = lane(5, names=("PE",), seeds=1)
    one = race.regret([alone], ["Jumping world"], ("PE",), ("PE",), CLOCK, Theme(), 0)
    assert one.figure.checked() and len(data(one)) > 3
    assert race.stage([alone], ["Jumping world"], ("PE",), CLOCK, Theme(), 0).figure.checked()
    assert race_tools.ledger(alone, ["PE"], Theme()).figure.checked()
    assert race_tools.duels(["PE"], np.zeros((1, 1), int), np.ones((1, 1), int), Theme()).figure.checked()


def test_the_dots_are_the_arms_that_the_pinned_methods_asked():
    pins = ("GP-UCB", "W-SparQ")
    one = race_tools.looking(LANES[1], pins, CLOCK, Theme(), 0, 270)
    assert one.figure.checked()
    dots = [t for t in data(one) if t["mode"] == "markers"]
    x = LANES[1].problem.x[:, 0]
    for name, trace in zip(pins, dots, strict=True):
        np.testing.assert_allclose(numbers(trace["y"]), x[LANES[1].looks[name]], rtol=FLOAT32)
        np.testing.assert_array_equal(numbers(trace["x"]), np.arange(1, T + 1))


@pytest.mark.parametrize("dark", [False, True])
def test_the_matrix_writes_every_count_once(dark: bool):
    rng = np.random.default_rng(0)
    wins = rng.integers(0, 9, (10, 10))
    held = np.full((10, 10), 8)
    one = race_tools.duels(NAMES, np.minimum(wins, 8), held, Theme(dark))
    assert one.figure.checked()
    seen = {}
    for trace in data(one):
        for j, i, text in zip(trace["x"], trace["y"], trace.get("text", ()), strict=False):
            assert (i, j) not in seen
            seen[i, j] = text
    assert seen == {(i, j): f"{min(wins[i, j], 8)}/8" for i in range(10) for j in range(10) if i != j}


def test_the_ledger_shows_every_seed_and_counts_the_re_asks():
    one = race_tools.ledger(LANES[1], NAMES, Theme(lecture=True))
    assert one.figure.checked()
    rings = [t for t in data(one) if t.get("marker", {}).get("symbol") == "circle-open" and "hovertemplate" in t]
    for name, trace in zip(NAMES, rings, strict=True):
        np.testing.assert_allclose(numbers(trace["x"]), LANES[1].total[name][:, -1], rtol=FLOAT32)
    said = {note["text"] for note in one.figure.to_dict()["layout"]["annotations"]}
    assert {"+417", "+1,568"} <= said


def test_a_table_of_two_arms_can_be_looked_at():
    problem = make_problem(World(kind="data", dataset="stocks", horizon=T))
    table = lane(4)
    arms = {n: np.arange(problem.horizon) % problem.f.shape[1] for n in NAMES}
    one = race_tools.looking(
        SimpleNamespace(**{**vars(table), "problem": problem, "looks": arms}),
        ("GP-UCB",),
        replace(CLOCK, horizon=problem.horizon),
        Theme(),
        0,
        270,
    )
    assert one.figure.checked()
