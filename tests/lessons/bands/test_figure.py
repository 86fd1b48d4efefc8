"""The figures of the bands: every frame draws what the records say, on axes that never move."""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tvbo_core as tv
from figures.film import Film
from figures.theme import Theme
from lessons.bands import figure, figure_details, model
from lessons.bands.figure_lens import Lens
from lessons.bands.figure_panels import GAP_SHARE, Panels
from lessons.bands.model import BandsAtPlace, BandSetting, BandsOverTime
from tests.strategies import LAW
from tvbo_core import World
from tvbo_core.bands.coverage import Coverage, CoverageCount, wilson
from tvbo_core.bands.over_time import missed
from tvbo_core.gp.spectral import spectrum
from tvbo_core.records import BandFilm, History, Problem

FLOAT32 = 1e-6  # relative: tracks travel as 32-bit floats, whose unit roundoff is 6e-8; values are up to 1e1
LAWS = settings(LAW, max_examples=25)  # five films of 20 frames take about 30 ms
GLIDE = World(kind="glide", budget=1.0, horizon=30, kernel="matern", nu=1.5, arms=21, seed=12)
NAMES = ("CMM", "DMM", "AMM", "AY", "IGP")  # in the order of the panels
LOOKS = [Theme(dark, lecture) for dark, lecture in product((False, True), repeat=2)]


def five(p: Problem, n: int, ratio: float = 1.0) -> Mapping[str, object]:
    B, sigma, delta = p.norm_bound * ratio, p.noise_sd, 0.01
    return {
        **{name: rule(B, sigma, delta, 1.0) for name, rule in (("CMM", tv.CMM), ("DMM", tv.DMM), ("AMM", tv.AMM))},
        "AY": tv.AY(B, sigma, delta, sigma**2),
        "IGP": tv.IGP(B, sigma, delta, 2.0 / max(n, 1)),
    }


def run_of(p: Problem, n: int, ratio: float = 1.0) -> BandsOverTime:
    history = tv.observe.random_design(p, n, np.random.default_rng(5)) if n else _nothing(p)
    bands = five(p, n, ratio)
    films = tv.films(bands, p.kernel, history.X, history.y, p.x)
    truth = p.f[[max(t - 1, 0) for t in range(n + 1)]]
    misses = {name: missed(film, truth) for name, film in films.items()}
    return BandsOverTime(BandSetting(GLIDE), history, bands, films, truth, misses)


def _nothing(p: Problem) -> History:
    return History(p, np.zeros(0, dtype=int), np.zeros(0))


def table() -> Problem:
    """Four arms that have names instead of places."""
    rng = np.random.default_rng(2)
    f = np.cumsum(0.3 * rng.normal(size=(20, 4)), axis=0)
    K = np.cov(rng.normal(size=(4, 40))) + 0.1 * np.eye(4)
    return Problem(np.arange(4.0)[:, None], f, 0.2, tv.Tabulated(K), 6.0, arm_names=("AAPL", "GOOG", "IBM", "MSFT"))


@cache
def runs() -> dict[str, BandsOverTime]:
    """The states that the page can be in."""
    make = tv.make_problem
    return {
        "glide": run_of(make(GLIDE), 30),
        "still": run_of(make(replace(GLIDE, kind="still", budget=0.0)), 20),
        "empty set": run_of(make(replace(GLIDE, budget=8.0, horizon=60)), 60),
        "one arm": run_of(make(replace(GLIDE, kind="still", budget=0.0, arms=1)), 10),
        "no data": run_of(make(GLIDE), 0),
        "one datum": run_of(make(GLIDE), 1),
        "arms with names": run_of(table(), 20),
        "norm guessed too small": run_of(make(GLIDE), 20, ratio=0.5),
    }


def staged(name: str, theme: Theme = LOOKS[0], drawn: int = 0, view: str = "side", front: str = "CMM") -> Film:
    return figure.stage(runs()[name], theme, drawn, view, front)


every_run = pytest.mark.parametrize("name", runs())


def moving(film: Film, attribute: str) -> dict[int, object]:
    """trace -> what it shows in every frame."""
    rows = {t.trace: [t.row(i) for i in range(len(t))] for t in film.tracks if t.attribute == attribute}
    return rows if attribute == "text" else {i: np.array(v) for i, v in rows.items()}


def panel(film: Film, name: str) -> dict[int, tuple[np.ndarray, np.ndarray]]:
    """trace -> (F, k) places and heights of what moves in one band's panel, side by side, in its own places."""
    found, xs, ys = {}, moving(film, "x"), moving(film, "y")
    for i, trace in enumerate(drawn(film)):
        if trace.get("xaxis", "x") != "x" or i not in ys:
            continue
        x = xs.get(i, np.broadcast_to(np.asarray(trace["x"], float), ys[i].shape))
        # A fifth of the sheet each, less the gaps; a hair's breadth of it is float32.
        start = NAMES.index(name) * (1 - 4 * GAP_SHARE) / 5 + NAMES.index(name) * GAP_SHARE
        share = (x - start) / ((1 - 4 * GAP_SHARE) / 5)
        inside = ((share > -1e-5) & (share < 1 + 1e-5)).any(axis=0)
        if inside.any():
            found[i] = (share[:, inside], ys[i][:, inside])
    return found


def drawn(film: Film) -> list[dict]:
    """The traces as drawn, each through Plotly's validation, with packed arrays read back."""
    traces = film.figure.checked().to_plotly_json()["data"]
    return [
        {k: numbers(v) if isinstance(v, dict) and "bdata" in v else v for k, v in trace.items()} for trace in traces
    ]


def numbers(packed: dict) -> np.ndarray:
    return np.frombuffer(base64.b64decode(packed["bdata"]), np.dtype(packed["dtype"]))


def colour(trace: dict) -> str | None:
    return trace.get("line", {}).get("color")


def headline(film: Film, name: str, t: int) -> str:
    """Name and width as plain words."""
    texts = moving(film, "text")
    ((trace, column),) = ((i, k) for i in texts for k, word in enumerate(texts[i][0]) if f"<b>{name}</b>" in word)
    return re.sub("<[^>]*>", "", texts[trace][t][column])


def status(film: Film, name: str, t: int) -> str:
    """The verdict at the end of a band's lane."""
    traces = film.figure.to_dict()["data"]
    (said,) = (rows for i, rows in moving(film, "text").items() if traces[i].get("xaxis") == "x2")
    return said[t][NAMES[::-1].index(name)]


def spoken(node: object) -> list[str]:
    """Every text of a figure or film."""
    if isinstance(node, str):
        return [node]
    if isinstance(node, Mapping):
        return [w for k, v in node.items() if k != "bdata" for w in spoken(v)]
    return [w for v in node for w in spoken(v)] if isinstance(node, list | tuple) else []


def test_the_runs_are_what_their_names_say():
    found = runs()
    assert any(film.empty.any() for film in found["empty set"].films.values())
    assert any(found["glide"].first_miss.values()) and not any(f.empty.any() for f in found["glide"].films.values())
    assert set(found["still"].first_miss.values()) == {None}
    assert (found["no data"].frames, found["one datum"].frames) == (1, 2)


@every_run
@pytest.mark.parametrize("view", ["side", "overlay"])
def test_the_axis_of_rewards_holds_the_truth_and_the_data(name: str, view: str):
    run, layout = runs()[name], staged(name, view=view).figure.to_dict()["layout"]
    low, high = layout["yaxis"]["range"]
    assert low < min(run.truth.min(), *run.history.y, 9e9) and max(run.truth.max(), *run.history.y, -9e9) < high


@pytest.mark.parametrize("name", [n for n in runs() if n != "arms with names"])
def test_the_panel_of_a_band_draws_that_bands_bounds_mean_truth_and_data(name: str):
    run, film = runs()[name], staged(name)
    for band in NAMES:
        low, high = Panels(run, 5).range_x
        lines = panel(film, band)
        ys = {i: y for i, (_, y) in lines.items()}
        record: BandFilm = run.films[band]
        gone = record.empty[:, None]
        for wanted in (record.lower, record.upper, record.mean):
            shown = np.where(gone, np.nan, wanted)
            close = {"rtol": FLOAT32, "atol": 1e-6, "equal_nan": True}
            assert any(v.shape == shown.shape and np.allclose(v, shown, **close) for v in ys.values()), band
        (now,) = (i for i, v in ys.items() if np.array_equal(v, run.truth.astype(np.float32)))
        # Places travel as 32-bit shares of the sheet.
        np.testing.assert_allclose(low + (high - low) * lines[now][0][0], run.x, rtol=0, atol=1e-5 * (high - low))
        n = len(run.history.y)
        for t in (0, n // 2, n) if n else ():  # frame t has heard the first t rewards
            heard = np.where(np.arange(n) < t, run.history.y, np.nan).astype(np.float32)
            assert any(v.shape[1] == n and np.array_equal(v[t], heard, equal_nan=True) for v in ys.values())


@every_run
def test_a_headline_says_the_mean_half_width_and_a_lane_whether_the_promise_still_stands(name: str):
    run, film = runs()[name], staged(name)
    for band, t in product(NAMES, range(run.frames)):
        record, since = run.films[band], run.first_miss[band]
        said, verdict = headline(film, band, t), status(film, band, t)
        if record.empty[t]:
            start = t
            while start and record.empty[start - 1]:
                start -= 1
            assert (said, verdict) == (band, f"empty since {start}")
            continue
        width = np.mean([(u - lo) / 2 for lo, u in zip(record.lower[t], record.upper[t], strict=True)])
        bad = run.misses[band].any(axis=1) & ~record.empty
        if since is None or since > t:
            wanted = "covers so far"
        elif not bad[t]:
            wanted = f"covers, missed at {since}"
        else:
            start = t
            while start and bad[start - 1]:
                start -= 1
            wanted = f"misses since {start}" if start == since else f"misses, first at {since}"
        assert (said, verdict) == (f"{band} ±{width:.2f}", wanted)


def reds(film: Film, band: str) -> list[np.ndarray]:
    """(F, k) heights of each red trace in a band's panel."""
    shown, ours = drawn(film), {look.missed for look in LOOKS}
    red = {i for i, t in enumerate(shown) if {colour(t), t.get("fillcolor")} & ours and t.get("xaxis", "x") == "x"}
    return [y for i, (_, y) in panel(film, band).items() if i in red]


def red_heights(film: Film, run: BandsOverTime, band: str) -> np.ndarray:
    """(F, m) height of the red between a band and the truth outside it."""
    m = run.truth.shape[1]
    if run.arm_names:
        (rods,) = (y for y in reds(film, band) if y.shape[1] == 3 * m)
        return np.nan_to_num(np.abs(rods[:, 0::3] - rods[:, 1::3]))
    (area,) = (y for y in reds(film, band) if y.shape[1] == 2 * m)
    return np.abs(area[:, :m] - area[:, : m - 1 : -1])


def outside(run: BandsOverTime, band: str) -> np.ndarray:
    """(F, m) distance from a band to the truth where that is outside, else 0."""
    record = run.films[band]
    far = np.maximum(run.truth - record.upper, record.lower - run.truth)
    return np.where(run.misses[band] & ~record.empty[:, None], far, 0.0)


@every_run
def test_red_reaches_from_the_band_to_the_truth_where_that_is_outside_and_nowhere_else(name: str):
    run, film = runs()[name], staged(name)
    for band in NAMES:
        far, red = outside(run, band), red_heights(film, run, band)
        np.testing.assert_allclose(red, far, rtol=0, atol=2 * FLOAT32 * max(1.0, np.abs(run.truth).max()))
        assert (red[far == 0] == 0).all()


@pytest.mark.parametrize("name", [n for n in runs() if n != "arms with names"])
@pytest.mark.parametrize("lecture", [False, True])
def test_a_magnifier_is_open_exactly_while_a_band_misses_and_shows_the_truth_and_the_red_inside_its_disc(
    name: str, lecture: bool
):
    run, panels = runs()[name], Panels(runs()[name], 5)
    for i, band in enumerate(NAMES):
        far = outside(run, band)
        near = (run.truth - np.where(run.truth > run.films[band].upper, far, -far)).astype(np.float32)
        near = np.where(far > 0, near, run.truth.astype(np.float32))
        lens = Lens.over(panels, i, run, near, lecture)
        missed_now = (near != run.truth.astype(np.float32)).any(axis=1)
        ground, low = lens.ground[1], panels.range_y[0]
        np.testing.assert_array_equal(np.isfinite(ground).all(axis=1), missed_now)
        np.testing.assert_array_equal(np.isfinite(ground).any(axis=1), missed_now)
        if not missed_now.any():
            continue
        x0, rx = lens.ground[0][0].mean(), np.ptp(lens.ground[0][0]) / 2
        x0 = lens.ground[0][0].min() + rx
        up = np.ptp(ground[missed_now][0]) / 2
        y0 = ground[missed_now][0].min() + up
        assert low <= y0 - up and y0 + up < min(run.truth.min(), *run.history.y)  # no answer lies below it
        assert panels.left(i) <= x0 - rx and x0 + rx <= panels.left(i) + panels.wide
        for x, y in (lens.band, lens.missed, lens.truth):
            inside = np.hypot((x - x0) / rx, (y - y0) / up)
            assert (inside[np.isfinite(inside)] <= 1 + 1e-6).all()
        half = lens.missed[1].shape[1] // 2
        red = np.abs(lens.missed[1][:, :half] - lens.missed[1][:, : half - 1 : -1]).max(axis=1)
        assert (red[missed_now] > 0).all()


@every_run
def test_the_strip_is_red_exactly_while_a_band_misses_and_its_cursor_is_the_frame(name: str):
    run, film = runs()[name], staged(name)
    shown = drawn(film)
    strip = [i for i, trace in enumerate(shown) if trace.get("xaxis") == "x2"]
    red = Theme().missed
    for row, band in enumerate(reversed(NAMES)):
        bad = run.misses[band].any(axis=1)
        mine = [shown[i] for i in strip if shown[i].get("meta") == band]
        for ink, wanted in ((True, bad), (False, ~bad)):
            lines = [line for line in mine if (colour(line) == red) == ink]
            inside = np.zeros(run.frames, dtype=bool)
            for line in lines:
                x, y = np.asarray(line["x"], float), np.asarray(line["y"], float)
                starts = x[0::3][y[0::3] == row]
                ends = x[1::3][y[0::3] == row]
                for a, b in zip(starts, ends, strict=True):
                    inside |= (np.arange(run.frames) > a) & (np.arange(run.frames) < b)
            np.testing.assert_array_equal(inside, wanted, err_msg=band)
    (cursor,) = (v for i, v in moving(film, "x").items() if i in strip and v.shape[1] == 2)
    np.testing.assert_array_equal(cursor, np.repeat(np.arange(run.frames)[:, None], 2, axis=1))
    (veil,) = (v for i, v in moving(film, "x").items() if i in strip and v.shape[1] == 3 * len(NAMES))
    np.testing.assert_array_equal(veil[:, 0::3], np.arange(run.frames)[:, None] + np.full(len(NAMES), 0.5))
    assert (veil[:, 1::3] >= run.frames - 0.5).all()  # it hides all that is to come


@LAWS
@given(
    st.integers(0, 99),
    st.sampled_from([0.0, 0.5, 2.0, 6.0]),
    st.integers(0, 20),
    st.sampled_from([2, 11, 40]),
)
def test_whatever_the_world_the_figure_is_sound_and_red_means_missed(seed: int, V: float, n: int, m: int):
    kind = "glide" if V else "still"
    p = tv.make_problem(replace(GLIDE, kind=kind, budget=V, seed=seed, arms=m, horizon=20))
    run = run_of(p, n)
    film = figure.stage(run, LOOKS[seed % 4], n // 2, "side", "CMM")
    film.figure.checked()
    for band in NAMES:
        far, red = outside(run, band), red_heights(film, run, band)
        np.testing.assert_allclose(red, far, rtol=0, atol=2 * FLOAT32 * max(1.0, np.abs(run.truth).max()))
        for t in range(n + 1):
            assert headline(film, band, t).startswith(band)


# The smaller figures.


@every_run
def test_the_curve_of_widths_is_the_mean_half_width_of_each_band_while_its_set_is_not_empty(name: str):
    run = runs()[name]
    for theme in LOOKS:
        film = figure_details.widths(run.films, theme, run.frames - 1)
        shown = drawn(film)
        low, high = film.figure.to_dict()["layout"]["yaxis"]["range"]
        for band, record in run.films.items():
            (line,) = (t for t in shown if colour(t) == theme.band(band))
            wanted = np.where(record.empty, np.nan, 0.5 * (record.upper - record.lower).mean(axis=1))
            y = np.asarray(line["y"], float)
            np.testing.assert_allclose(y, wanted, rtol=FLOAT32)
            assert (y[np.isfinite(y)] >= 10**low).all() and (y[np.isfinite(y)] <= 10**high).all()
        (words,) = (t for t in shown if t["mode"] == "text")
        assert sorted(text.split()[0] for text in words["text"]) == sorted(NAMES)
        (cursor,) = film.tracks
        np.testing.assert_array_equal(cursor.values[:, 0], np.arange(run.frames))


def test_the_end_labels_of_the_widths_stand_apart_in_the_order_of_their_lines():
    for name, theme in product(runs(), LOOKS):
        film = figure_details.widths(runs()[name].films, theme, 0)
        layout = film.figure.to_dict()["layout"]
        low, high = layout["yaxis"]["range"]
        pixels = (layout["height"] - layout["margin"]["t"] - layout["margin"]["b"]) / (high - low)
        (words,) = (t for t in drawn(film) if t["mode"] == "text")
        at = np.sort(np.log10(np.asarray(words["y"], dtype=float)) * pixels)
        # A line of type needs its size.
        assert (np.diff(at) >= theme.tick).all(), name


def radius_terms(name: str, t: int, arm: int) -> tuple[dict, dict, float]:
    run = runs()[name]
    p, h = run.history.problem, run.history
    spec = spectrum(p.kernel, h.X[:t], h.y[:t], p.x)
    terms = {band: rule.terms(spec, arm) for band, rule in five(p, len(h.y)).items()}
    bounds = {b: tuple(float(a[t, arm]) for a in (f.lower, f.mean, f.upper)) for b, f in run.films.items()}
    return terms, bounds, float(run.truth[t, arm])


SPOTS = [
    ("glide", 0, 3),
    ("glide", 12, 10),
    ("glide", 30, 0),
    ("still", 20, 20),
    ("one arm", 10, 0),
    ("no data", 0, 5),
    ("empty set", 60, 4),
    ("arms with names", 20, 2),
]


@pytest.mark.parametrize(("name", "t", "arm"), SPOTS)
def test_the_parts_of_a_half_width_add_up_to_it(name: str, t: int, arm: int):
    terms, bounds, _ = radius_terms(name, t, arm)
    for band, part in terms.items():
        split = model.half_width_parts(part)
        assert set(split) == {key for key, *_ in figure_details.TERMS}
        # Sums of at most five terms that may cancel: the misfit is negative.
        assert sum(split.values()) == pytest.approx(part.width * part.sd, rel=1e-9, abs=1e-12)
        if not runs()[name].films[band].empty[t]:
            # What is drawn is the upper side: CMM and DMM find their two sides at two regularisers. The film
            # and the terms come by different routes: one factor for all times, one spectrum for this time.
            assert part.bound(1) == pytest.approx(bounds[band][2], rel=1e-6, abs=1e-9)


@pytest.mark.parametrize(("name", "t", "arm"), SPOTS)
def test_one_place_shows_each_interval_and_the_truth_inside_its_axes(name: str, t: int, arm: int):
    terms, bounds, truth = radius_terms(name, t, arm)
    at = BandsAtPlace(bounds, truth, {band: model.half_width_parts(part) for band, part in terms.items()})
    for theme in LOOKS:
        film = figure_details.place(at, theme)
        shown = drawn(film)
        low, high = film.figure.to_dict()["layout"]["xaxis"]["range"]
        assert low < truth < high
        for band, (a, mean, b) in bounds.items():
            spans = [tuple(t["x"]) for t in shown if colour(t) == theme.band(band)]
            assert any(np.allclose(s, (a, b), rtol=FLOAT32) for s in spans), band
            assert low < a <= mean <= b < high
        bars = [t for t in shown if t["type"] == "bar"]
        assert {t["name"] for t in bars} <= {word for _, word, *_ in figure_details.TERMS}
        for row, band in enumerate(terms):
            stacked = sum(np.asarray(t["x"], float)[row] for t in bars)
            assert stacked == pytest.approx(terms[band].width * terms[band].sd, rel=1e-5, abs=1e-6)  # float32
        assert not film.tracks


@pytest.mark.parametrize(("name", "t", "arm"), SPOTS)
def test_the_dual_curve_marks_its_lowest_point_and_never_dips_below_it(name: str, t: int, arm: int):
    run = runs()[name]
    p, h = run.history.problem, run.history
    curve = five(p, len(h.y))["CMM"].curve(spectrum(p.kernel, h.X[:t], h.y[:t], p.x), arm)
    for theme in LOOKS:
        film = figure_details.dual_curve(curve, theme)
        shown = drawn(film)
        low, high = film.figure.to_dict()["layout"]["yaxis"]["range"]
        stars = [t for t in shown if t.get("marker", {}).get("symbol") == "star"]
        assert bool(stars) == (np.isfinite(curve.best_alpha) and not curve.empty)
        for star in stars:
            (line,) = (trace for trace in shown if colour(trace) == theme.band("CMM"))
            y, best = np.asarray(line["y"], float), star["y"][0]
            assert best <= y[np.isfinite(y)].min() + 1e-6 * max(1.0, abs(best))  # the line is float32
            assert low < best < high
        assert [w for w in spoken(film.figure.to_dict()) if re.search(r"\b(nan|inf)\b", w)] == []


@LAWS
@given(st.lists(st.integers(0, 200), min_size=5, max_size=5), st.sampled_from([0.8, 0.95, 0.99, 0.999]))
def test_coverage_shows_every_share_interval_and_count_inside_the_axis(covered: list, promised: float):
    counts = {b: CoverageCount(k, 200, *wilson(k, 200), promised) for b, k in zip(NAMES, covered, strict=True)}
    film = figure_details.coverage(Coverage(counts, 100, 0), LOOKS[covered[0] % 4])
    low, high = film.figure.to_dict()["layout"]["xaxis"]["range"]
    said = [w.strip() for w in spoken(film.figure.to_dict())]
    marks = {round(float(t["x"][0]), 6) for t in drawn(film) if t["mode"] == "markers"}
    assert marks == {round(k / 200, 6) for k in covered}
    assert low <= promised <= high
    for band, k in zip(NAMES, covered, strict=True):
        assert f"{k}/200" in said
        assert low <= counts[band].low <= counts[band].high <= high
    assert f"promised {100 * promised:g}%" in said


@pytest.mark.parametrize("count", [4, 5, 6, 8])
@pytest.mark.parametrize("lecture", [False, True])
def test_any_number_of_bands_stands_side_by_side_with_headlines_that_fit_their_panels(count: int, lecture: bool):
    known = run_of(tv.make_problem(GLIDE), 10)
    names = [*NAMES, "a", "b", "c"][:count]  # newcomers have the films of AMM

    def of(table: Mapping) -> dict:
        return {name: table.get(name, table["AMM"]) for name in names}

    run = replace(known, bands=of(known.bands), films=of(known.films), misses=of(known.misses))
    film = figure.stage(run, Theme(lecture=lecture), 5, "side", "CMM")
    shown = film.figure.checked()
    text, lanes = (t for t in shown.data if t.mode == "text")
    assert len(text.text) == count and [said.split("<b>")[1].split("</b>")[0] for said in text.text] == names
    assert list(shown.layout.yaxis2.ticktext) == names[::-1]
    pixels = (1190 if lecture else 1010) * Panels(run, count).wide  # of a window of 1366 pixels
    assert 0.5 * len("CMM ±0.38") * text.textfont.size < pixels
    low, high = shown.layout.xaxis2.range
    longest, width = ("first miss 99", 640) if lecture else ("covers, missed at 99", 1010)  # 640 beside a bet in a hall
    assert 0.48 * len(longest) * lanes.textfont.size < width * (high - lanes.x[0]) / (high - low)


def test_in_a_hall_a_lane_says_when_its_band_first_missed_and_nothing_else():
    run = runs()["glide"] if "glide" in runs() else next(iter(runs().values()))
    shown = figure.stage(run, Theme(lecture=True), run.frames - 1, "side", "CMM")
    said = {str(word) for track in shown.tracks if track.attribute == "text" for word in track.values[-1]}
    firsts = {f"first miss {first}" for band, first in run.first_miss.items() if first is not None}
    assert firsts and firsts <= said and not any(word.startswith(("misses", "covers,")) for word in said)


@every_run
def test_only_the_lanes_of_time_are_drawn_between_two_observations(name: str):
    film = staged(name)
    (cursor,) = [track for track in film.tracks if track.glides is not None and track.values.shape[1] == 2]
    (veil,) = [track for track in film.tracks if track.glides is not None and track is not cursor]
    assert film.figure.to_dict()["data"][veil.trace]["xaxis"] == "x2" and veil.glides.all()
    assert cursor.values.tolist() == [[t, t] for t in range(len(cursor.values))]
    assert cursor.glides.tolist() == [True] * (len(cursor.values) - 1)


def test_a_phone_opens_at_the_tightest_band_that_misses_and_has_a_range_of_the_axis_for_each():
    for name, run in runs().items():
        for t in {0, run.frames // 2, run.frames - 1}:
            layout = figure.stage(run, Theme(), t, "side", "CMM").figure.to_dict()["layout"]
            panels, bad = layout["meta"]["panels"], [band for band in NAMES if run.misses[band][t].any()]
            wide = {band: run.films[band].half_width[t] for band in bad or NAMES}
            assert wide[NAMES[panels["point"]]] == min(wide.values()), name
            sheet = Panels(run, len(NAMES))
            for i, (low, high) in enumerate(panels["ranges"]):
                mine, next_ = sheet.left(i), sheet.left(i + 1)
                assert low < mine < mine + sheet.wide < high < next_  # whole, and nothing of the next one
    assert panels["names"] == list(NAMES)
    assert "panels" not in figure.stage(run, Theme(), 0, "overlay", "CMM").figure.to_dict()["layout"]["meta"]
