"""The R-PERP figures: what is drawn is what the batches say, in every look and at every grain."""

from __future__ import annotations

import base64
import re
from functools import cache
from itertools import pairwise

import numpy as np
import pytest

from common.formats import signed
from figures.film import Film
from figures.sheet import STAGE_PIXELS
from figures.theme import Theme
from lessons.rperp import figure, figure_growth, figure_progress, figure_shuffles
from lessons.rperp.coverage import CoverageRow
from lessons.rperp.figure_layout import View
from lessons.rperp.model import NAMES, SHUFFLES, PairedRuns, Walkthrough, paired_runs, questions, walkthrough
from lessons.rperp.setting import Setting
from tvbo_core import World
from tvbo_core.policies.elimination.shuffles import Eq9Score

FLOAT32 = 1e-6  # relative: tracks and arrays travel as 32-bit floats, whose unit roundoff is 6e-8
FOLLOWS = Setting(World(kind="still", horizon=100, arms=30, seed=3), True)
GLIDES = Setting(World(kind="glide", horizon=120, arms=30, seed=3), False, restart=50)
WORLDS = {
    "follows": FOLLOWS,
    "glides": GLIDES,
    "eq. 8": Setting(World(kind="glide", horizon=60, arms=30), False, width="theory"),
    "one interval": Setting(World(kind="jumps", horizon=60, arms=20), False, restart=400),
    "Theorem 5": Setting(World(kind="still", horizon=60, arms=20), True, restart=0),
    "a table": Setting(World(kind="data", horizon=60), False),
    "a left-over": Setting(World(kind="glide", horizon=101, arms=20), False, restart=100),
    "Matérn 1/2": Setting(World(kind="glide", horizon=60, arms=20, kernel="matern", nu=0.5), False),
}


@cache
def shown(setting: Setting) -> PairedRuns:
    return paired_runs.__wrapped__(setting)


def view(
    setting: Setting = FOLLOWS, grain: str = "line", order: str = "shuffled", interval: int = 1, repeats: bool = True
) -> View:
    return View(walkthrough(shown(setting), grain, interval), NAMES[order], repeats)


def stage(of: View, theme: Theme | None = None, drawn: int = 0) -> Film:
    return figure.stage(of, theme or Theme(), drawn)


def growth(setting: Setting = FOLLOWS, repeats: bool = False, theme: Theme | None = None) -> tuple[Film, Walkthrough]:
    walk = questions(shown(setting), 1)
    return figure_growth.stage(walk, repeats, theme or Theme(), 0), walk


def axes(film: Film, like: str) -> str:
    """The axis of the panel whose headline begins so; panels are named by their order."""
    names = {"bar": 0, "code": 1, "variance": 2}
    n = names[like]
    return "x" if n == 0 else f"x{n + 1}"


def moving(film: Film, axis: str, attribute: str) -> list[tuple[dict, object]]:
    traces = film.figure.to_dict()["data"]
    mine = [t for t in film.tracks if traces[t.trace]["xaxis"] == axis and t.attribute == attribute]
    return [(traces[t.trace], t.values) for t in mine]


@pytest.mark.parametrize("name", WORLDS)
@pytest.mark.parametrize("order", ["shuffled", "fixed"])
def test_the_stage_of_any_world_is_a_valid_figure_with_axes_that_never_move(name: str, order: str) -> None:
    of = view(WORLDS[name], "batch", order, repeats=order == "shuffled")
    sound(stage(of, Theme(lecture=order == "fixed")), len(of.steps))


@pytest.mark.parametrize("name", WORLDS)
def test_the_stage_of_both_orders_is_a_valid_figure_with_axes_that_never_move(name: str) -> None:
    for look in (Theme(), Theme(dark=True, lecture=True)):
        film, walk = growth(WORLDS[name], look.dark, look)
        sound(film, len(walk.steps))


def sound(film: Film, frames: int) -> None:
    checked = film.figure.checked()
    for key in checked.layout:
        if key.startswith(("xaxis", "yaxis")):
            assert len(checked.layout[key].range) == 2 and np.isfinite(checked.layout[key].range).all()
    assert {len(track) for track in film.tracks} == {frames}
    for track in film.tracks:
        if isinstance(track.values, np.ndarray):
            assert not np.isinf(track.values).any()


def test_the_variance_curve_is_the_posterior_of_the_picks_so_far_and_the_rod_falls_from_its_peak() -> None:
    of = view()
    film = stage(of)
    curves = moving(film, axes(film, "variance"), "y")
    (before, now, rod, _) = (values for _, values in curves)
    for i, s in enumerate(of.steps):
        batch, path = of.lead[s.batch], of.variances[s.batch]
        np.testing.assert_allclose(now[i][batch.alive], path[s.picked][batch.alive], rtol=FLOAT32, atol=1e-9)
        assert np.isnan(now[i][~batch.alive]).all()
        if s.line == 8:
            arm = batch.picks[s.picked - 1]
            np.testing.assert_allclose(rod[i], [path[s.picked - 1, arm], path[s.picked, arm]], rtol=FLOAT32, atol=1e-9)
            assert rod[i][0] >= np.nanmax(before[i]) * (1 - 1e-6) and rod[i][1] < rod[i][0]
        else:
            assert np.isnan(rod[i]).all() and np.isnan(before[i]).all()


def test_the_slopes_go_from_the_place_in_the_picks_to_the_place_in_the_queue() -> None:
    for name, order in (("PE", "fixed"), ("R-PERP", "shuffled")):
        of = view(order=order)
        lines, lit = (values for _, values in moving(stage(of), "x4", "y"))
        for i, s in enumerate(of.steps):
            batch = of.run[s.batch]
            n, pairs = len(batch.picks), lines[i].reshape(-1, 3)
            left, right = pairs[:n, 0], pairs[:n, 1]
            assert np.isfinite(left).sum() == s.picked and np.isfinite(right).sum() == (n if s.ordered else 0)
            if s.ordered:
                np.testing.assert_allclose(right * n - 0.5, batch.permutation, atol=1e-4)  # shares as 32-bit floats
                if name == "PE":
                    np.testing.assert_array_equal(left, right)
            if s.line == 13:
                asked = int(np.flatnonzero(batch.permutation == s.heard - 1)[0])
                np.testing.assert_allclose(lit[i] * n - 0.5, [asked, s.heard - 1], atol=1e-4)


def test_without_the_averages_there_is_no_histogram_and_the_panels_take_its_place() -> None:
    with_it, without = (stage(view(repeats=one)).figure.to_dict()["layout"] for one in (True, False))
    assert len([k for k in with_it if k.startswith("xaxis")]) == len([k for k in without if k.startswith("xaxis")]) + 1
    assert with_it["xaxis4"]["domain"][1] < 0.7 and without["xaxis4"]["domain"][1] == 1.0


def test_the_histogram_counts_every_order_once_and_marks_both_averages() -> None:
    of = view(order="shuffled")
    film = stage(of)
    axis = "x5"
    (shuffled, fixed) = (values for trace, values in moving(film, axis, "y"))
    (means,) = (values for trace, values in moving(film, axis, "x"))
    for i, s in enumerate(of.steps):
        spread = of.walk.runs.spreads[s.batch]
        for values, errors in ((shuffled, spread.shuffled), (fixed, spread.fixed)):
            heights = values[i][1:-1:2]
            # Heights are counts over the tallest of both; 400 orders in all.
            tall = max(np.nanmax(shuffled[i]), np.nanmax(fixed[i]))
            assert tall == 1.0 and len(errors) == SHUFFLES
            counts = heights * (SHUFFLES / heights.sum())
            np.testing.assert_allclose(counts, np.round(counts), atol=1e-3)
        j = spread.place
        want = [spread.shuffled[:, j].mean(), spread.fixed[:, j].mean()]
        np.testing.assert_allclose(means[i], want, rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize("order", ["shuffled", "fixed"])
def test_the_verdict_shows_the_band_what_was_heard_and_hatches_who_is_out(order: str) -> None:
    of = view(order=order)
    film = stage(of)
    batches = of.run
    axis = film.figure.to_dict()["data"][-1]["xaxis"]
    ys, xs = moving(film, axis, "y"), moving(film, axis, "x")
    hatch, mark, name, stems, heard, best, *_ = (values for _, values in xs)
    said = [" ".join(row[0] for row in rows) for rows in zip(*(v for _, v in moving(film, axis, "text")), strict=True)]
    fill = next(v for t, v in ys if t.get("fillcolor", "").endswith("0.18)"))
    low, high = film.figure.to_dict()["layout"]["yaxis" + axis[1:]]["range"]
    for i, s in enumerate(of.steps):
        b = batches[s.batch]
        if s.judged:
            want = np.clip(np.concatenate([b.band.lower, b.band.upper[::-1]]), low, high)
            np.testing.assert_allclose(fill[i], want, rtol=1e-5, atol=1e-6)
        else:
            assert np.isnan(fill[i]).all()
        assert np.isfinite(heard[i][:-1]).sum() == s.heard and np.isfinite(heard[i][-1]) == (s.line == 13)
        alive = b.survivors if s.dropped or s.line == 16 else b.alive
        spans = hatch[i].reshape(-1, 6)[:, :2]
        spans = spans[np.isfinite(spans).all(axis=1)]
        covered = np.array([((spans[:, 0] < x) & (x < spans[:, 1])).any() for x in of.x])
        np.testing.assert_array_equal(covered, ~alive)
        t = min(b.start + s.heard, of.problem.horizon - 1) if s.judged else b.start + max(s.heard - 1, 0)
        today = of.problem.f[t].argmax()
        assert best[i][0] == pytest.approx(of.x[today], abs=1e-6)
        assert np.isfinite(best[i][3]) == (not alive[today]) == ("thrown out" in said[i])
        # The headline's place, and a stem from the batch average at each place that was asked.
        x = of.x[of.walk.runs.spreads[s.batch].arms[of.walk.runs.spreads[s.batch].place]]
        np.testing.assert_allclose(mark[i], [x] * 2, rtol=FLOAT32)
        # Its name stands over it, but beside the best action and inside the panel.
        aside = 0.17 * np.ptp(of.x) - 1e-6
        inside = of.x[0] + 0.5 * aside < x < of.x[-1] - 0.5 * aside
        assert abs(name[i][0] - of.x[today]) > 0.5 * aside
        if inside and abs(x - of.x[today]) > aside + 1e-5:
            assert name[i][0] == pytest.approx(x, abs=1e-6)
        asked = stems[i].reshape(-1, 3)[:, 0]
        assert sorted(asked[np.isfinite(asked)]) == pytest.approx(sorted(of.x[b.asked[: s.heard]]), abs=1e-6)


def test_a_huge_band_leaves_the_picture_and_not_the_rewards() -> None:
    of = view(WORLDS["eq. 8"], order="shuffled")
    layout = stage(of).figure.to_dict()["layout"]
    low, high = layout[max(k for k in layout if k.startswith("yaxis"))]["range"]
    f = of.problem.f[: of.walk.runs.H]
    assert low <= f.min() and f.max() <= high and high - low < 4 * max(np.ptp(f), 0.5)


def test_the_two_orders_have_two_colours_and_none_is_that_of_a_broken_promise() -> None:
    for dark in (False, True):
        theme = Theme(dark)
        film, _ = growth(theme=theme)
        lines = {t["line"]["color"] for t in film.figure.to_dict()["data"] if "color" in t.get("line", {})}
        assert {theme.order("fixed"), theme.order("shuffled")} <= lines and theme.missed not in lines
        assert len({theme.order("fixed"), theme.order("shuffled"), theme.missed}) == 3


def marked(film: Film, meta: str) -> np.ndarray:
    """The line with this mark in every frame."""
    k = next(i for i, t in enumerate(film.figure.to_dict()["data"]) if t.get("meta") == meta)
    return next(t.values for t in film.tracks if (t.trace, t.attribute) == (k, "y"))


@pytest.mark.parametrize("name", ["follows", "glides", "a table"])
def test_both_lines_grow_by_one_pull_a_question_to_the_error_of_the_batch(name: str) -> None:
    film, walk = growth(WORLDS[name])
    found = walk.runs.pulls(0)
    for mark, pulls in (("PE", found.known), ("R-PERP", found.shuffled)):
        line = marked(film, mark)
        for k, row in enumerate(line):
            assert np.isfinite(row).sum() == k + 1
            np.testing.assert_allclose(row[: k + 1], found.path(pulls)[: k + 1], rtol=1e-5, atol=FLOAT32)
        assert line[-1][-1] == pytest.approx(found.error(pulls), rel=1e-5, abs=FLOAT32)


def test_a_bar_is_the_step_of_the_line_below_it_in_the_same_column_and_the_tape_is_there_from_the_start() -> None:
    film, walk = growth()
    found, n = walk.runs.pulls(0), len(walk.steps) - 1
    for axis, pulls in (("x3", found.known), ("x4", found.shuffled)):
        ((trace, bars),) = moving(film, axis, "y")
        x = np.frombuffer(base64.b64decode(trace["x"]["bdata"]), trace["x"]["dtype"]).reshape(-1, 6)
        ((_, totals),) = moving(film, axis, "text")
        for k, row in enumerate(bars):
            high = row.reshape(-1, 6)[:, 2]
            assert np.isfinite(high).sum() == k
            np.testing.assert_allclose(high[:k], pulls[:k], rtol=1e-5, atol=FLOAT32)
        np.testing.assert_allclose(x[:, :2].mean(axis=1), np.arange(1, n + 1))
        assert f"up {pulls.clip(0).sum():.2f}, down {(-pulls).clip(0).sum():.2f}" in totals[-1][0] and totals[0] == (
            "",
        )
    tape = next(t for t in film.figure.to_dict()["data"] if "▲" in t.get("text", ()))
    signs = {"▲": 1, "▼": -1, "–": 0}
    assert [signs[one] for one in tape["text"]] == [int(np.sign(round(v, 9))) for v in found.lifted]


def test_the_average_over_all_shuffles_is_drawn_only_where_it_is_asked_for() -> None:
    def said(repeats: bool) -> list[str]:
        film, _ = growth(repeats=repeats)
        return [t.values[-1][0] for t in film.tracks if t.attribute == "text" and "</b> average" in t.values[-1][0]]

    film, walk = growth(repeats=True)
    found = walk.runs.pulls(0)
    mean = found.path(found.others).mean(axis=0)
    dotted = [
        t.values
        for trace, t in ((film.figure.to_dict()["data"][t.trace], t) for t in film.tracks)
        if t.attribute == "y" and trace.get("line", {}).get("dash") == "dot"
    ]
    assert said(False) == [] and len(said(True)) == len(dotted) == 1
    np.testing.assert_allclose(dotted[0][-1], mean, rtol=1e-5, atol=FLOAT32)


@pytest.mark.parametrize("name", ["follows", "glides", "a table", "one interval"])
def test_the_errors_stand_beside_their_lines_apart_and_inside_the_panel(name: str) -> None:
    for theme in (Theme(), Theme(lecture=True)):
        film, walk = growth(WORLDS[name], True, theme)
        layout, found = film.figure.to_dict()["layout"], walk.runs.pulls(0)
        (low, high), (foot, head) = layout["yaxis5"]["range"], layout["yaxis5"]["domain"]
        room = STAGE_PIXELS[theme.lecture] - layout["margin"]["t"] - layout["margin"]["b"]
        line = 1.3 * theme.tick / (room * (head - foot)) * (high - low)  # of text, in reward units, on a small screen
        names = [
            t
            for t in film.tracks
            if t.attribute == "text"
            and "</b>" in t.values[0][0]
            and film.figure.to_dict()["data"][t.trace]["xaxis"] == "x5"
        ]
        places = [next(t.values for t in film.tracks if (t.trace, t.attribute) == (one.trace, "y")) for one in names]
        large = figure_growth.BIG
        tall = [
            line * (1.0 if "average" in one.values[0][0] else large + one.values[0][0].count("<br>")) for one in names
        ]
        assert sum(tall) <= high - low
        for row in np.stack(places, axis=1)[:, :, 0]:
            for i, j in pairwise(np.argsort(row)):
                assert row[j] - row[i] >= 0.5 * (tall[i] + tall[j]) * 0.999
            assert (row - np.multiply(tall, 0.499) >= low).all() and (row + np.multiply(tall, 0.499) <= high).all()
        ends = [float(found.error(pulls)) for pulls in (found.shuffled, found.known)]
        assert [re.sub("<[^>]*>", " ", one.values[-1][0]).split()[0] for one in names[:2]] == list(map(signed, ends))


@pytest.mark.parametrize("order", ["fixed", "shuffled"])
@pytest.mark.parametrize("name", ["follows", "glides", "a table"])
def test_the_average_the_reward_and_the_band_are_named_at_their_ends_without_touching(name: str, order: str) -> None:
    of = view(WORLDS[name], order=order)
    film = stage(of)
    traces, layout = film.figure.to_dict()["data"], film.figure.to_dict()["layout"]
    named = {
        t.trace for t in film.tracks if t.attribute == "text" and "f̄ average" in {w for row in t.values for w in row}
    }
    assert len(named) == 1
    for k in named:
        tracks = {t.attribute: t.values for t in film.tracks if t.trace == k}
        low, high = layout["yaxis" + traces[k]["yaxis"][1:]]["range"]
        for s, places, said in zip(of.steps, tracks["y"], tracks["text"], strict=True):
            there = np.isfinite(places)
            words = {w for w, ok in zip(said, there, strict=True) if ok}
            assert {"f̄ average", "band μ ± βs"} <= words if s.judged else words == {"f<sub>t</sub> now"}
            assert (np.diff(np.sort(places[there])) > 0.08 * (high - low)).all()


def test_the_lit_line_is_the_line_of_the_step() -> None:
    of = view()
    film = stage(of)
    ((_, boxes),) = moving(film, axes(film, "code"), "y")
    lines = list(figure_progress.CODE)
    middles = [round(float(box.min() + box.max()) / 2) for box in boxes]
    assert [lines[k] for k in middles] == [s.line for s in of.steps]


def test_the_bar_shows_each_restart_the_batches_of_this_one_and_now() -> None:
    of = view(GLIDES, "batch")
    film = stage(of)
    lit, _, parts, names, now = (values for _, values in moving(film, "x", "x"))
    (texts,) = (values for _, values in moving(film, "x", "text"))
    for i, s in enumerate(of.steps):
        b = of.lead[s.batch]
        start = 50 * (b.interval - 1)
        assert (lit[i][0], lit[i][1]) == (start, min(start + 50, 120))
        widths = parts[i].reshape(-1, 6)[: len(b.sizes)]
        np.testing.assert_allclose((widths[:, 1] - widths[:, 0]) / 120, np.array(b.sizes) / sum(b.sizes), rtol=1e-5)
        assert now[i][0] == b.start + len(b.picks)
        assert all(str(n) in text for n, text in zip(b.sizes, texts[i], strict=False) if text)
        assert np.isfinite(names[i]).sum() == len(b.sizes)


@pytest.mark.parametrize("theme", [Theme(), Theme(dark=True, lecture=True)])
def test_the_coverage_panel_counts_and_shows_what_was_promised(theme: Theme) -> None:
    none, all_ = Eq9Score(20, 0, 0.0, 0.16, 3, 0.5, 320, 0.9), Eq9Score(20, 20, 0.84, 1.0, 20, 1.0, 320, 0.9)
    rows = [CoverageRow("2", True, none), CoverageRow("2", False, all_)]
    film = figure_shuffles.coverage(rows, ["β = 2, shuffled", "β = 2, fixed"], theme)
    film.figure.checked()
    texts = [t["text"][0] for t in film.figure.to_dict()["data"] if t.get("mode") == "text"]
    assert texts == ["0/20", "20/20", "promised 90%"]


@pytest.mark.parametrize("grain", ["line", "batch", "restart"])
def test_only_time_is_drawn_between_two_steps_and_never_on_its_way_into_another_restart(grain: str) -> None:
    of = view(GLIDES, grain)
    film = stage(of)
    traces, (cursor,) = film.figure.to_dict()["data"], [t for t in film.tracks if t.glides is not None]
    assert traces[cursor.trace]["xaxis"] == "x" and cursor.attribute == "x"
    restarts = [of.lead[step.batch].interval for step in of.steps]
    assert cursor.glides.tolist() == [a == b for a, b in pairwise(restarts)]
    assert (grain == "line") == all(cursor.glides)
