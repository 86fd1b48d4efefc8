"""The R-PERP figures: what is drawn is what the batches say, in every look and at every grain."""

from __future__ import annotations

import base64
from functools import cache
from itertools import pairwise

import numpy as np
import pytest

from figures.film import Film
from figures.theme import Theme
from lessons.rperp import figure, figure_progress, figure_shuffles
from lessons.rperp.coverage import CoverageRow
from lessons.rperp.figure_layout import View
from lessons.rperp.model import NAMES, SHUFFLES, PairedRuns, paired_runs, walkthrough
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


def view(setting: Setting = FOLLOWS, grain: str = "line", order: str = "shuffled", interval: int = 1) -> View:
    return View(walkthrough(shown(setting), grain, interval), NAMES[order])


def stage(of: View, theme: Theme | None = None, drawn: int = 0) -> Film:
    return figure.stage(of, theme or Theme(), drawn)


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
@pytest.mark.parametrize("grain", ["line", "batch", "restart"])
@pytest.mark.parametrize("order", ["both", "shuffled", "fixed"])
def test_every_stage_is_a_valid_figure_with_axes_that_never_move(name: str, grain: str, order: str) -> None:
    of = view(WORLDS[name], grain, order)
    film = stage(of, Theme(dark=grain == "batch", lecture=order == "both"))
    checked = film.figure.checked()
    for key in checked.layout:
        if key.startswith(("xaxis", "yaxis")):
            assert len(checked.layout[key].range) == 2 and np.isfinite(checked.layout[key].range).all()
    assert {len(track) for track in film.tracks} == {len(of.steps)}
    for track in film.tracks:
        if isinstance(track.values, np.ndarray):
            assert not np.isinf(track.values).any()


def test_the_figure_at_any_frame_is_that_frame_of_the_film() -> None:
    of = view()
    last = len(of.steps) - 1
    one, other = stage(of, drawn=0), stage(of, drawn=last)
    for track in other.tracks:
        packed = other.figure.to_dict()["data"][track.trace][track.attribute]
        if isinstance(track.values, np.ndarray):
            drawn = np.frombuffer(base64.b64decode(packed["bdata"]), packed["dtype"]).astype(float)
            np.testing.assert_array_equal(drawn, track.values[last])
        else:
            assert tuple(packed) == tuple(track.values[last])
    assert one.figure.mark == other.figure.mark  # the player knows both as the same film


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
            batch = of.runs[name][s.batch]
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
    (batches,) = of.runs.values()
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
        film = stage(view(order="both"), theme)
        lines = {t["line"]["color"] for t in film.figure.to_dict()["data"] if "color" in t.get("line", {})}
        assert {theme.order("fixed"), theme.order("shuffled")} <= lines and theme.missed not in lines
        assert len({theme.order("fixed"), theme.order("shuffled"), theme.missed, theme.ink}) == 4


def test_round_by_round_the_reward_moves_against_each_question_of_the_known_order() -> None:
    of = view(order="both")
    film = stage(of)
    last = next(i for i, s in enumerate(of.steps) if s.judged)
    for axis, name in (("x3", "PE"), ("x5", "R-PERP")):
        bars, asked = (v for t, v in moving(film, axis, "y"))
        (count,) = (v for t, v in moving(film, axis, "text"))
        b = of.runs[name][0]
        away = (of.problem.f[b.start : b.end] - b.truth).mean(axis=1)
        up = bars[last].reshape(-1, 3)[: len(b.picks), 1]
        np.testing.assert_allclose(up, away, rtol=1e-5, atol=1e-7)
        signs = np.sign(b.truth[b.asked] - np.median(b.truth[b.asked]))
        np.testing.assert_array_equal(np.sign(asked[last][: len(b.picks)]), signs)
        against, moved = int((signs * away < -1e-9).sum()), int((np.abs(away) > 1e-9).sum())
        assert count[last][0].startswith(f"<b>{against} of {moved}</b>")
        assert np.isfinite(asked[0]).sum() == 0  # before the first question
        if name == "PE":
            assert against == moved == 4  # of five questions the adversary rests at the middle one


@pytest.mark.parametrize("order", ["both", "shuffled"])
@pytest.mark.parametrize("name", ["follows", "glides", "a table"])
def test_the_average_the_reward_and_the_band_are_named_at_their_ends_without_touching(name: str, order: str) -> None:
    of = view(WORLDS[name], order=order)
    film = stage(of)
    traces, layout = film.figure.to_dict()["data"], film.figure.to_dict()["layout"]
    named = {
        t.trace for t in film.tracks if t.attribute == "text" and "f̄ average" in {w for row in t.values for w in row}
    }
    assert len(named) == len(of.runs)
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
