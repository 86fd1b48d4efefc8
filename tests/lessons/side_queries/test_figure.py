"""The figures about side queries: they first the numbers they are given, and every one is a figure Plotly knows."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest

from common.formats import amount
from figures.frames import choose_frames
from figures.theme import Theme
from lessons.side_queries import (
    budget,
    figure,
    figure_budget,
    figure_counts,
    figure_pickers,
    figure_piles,
    figure_window,
    model,
    pickers,
    window,
)
from lessons.side_queries.model import Setting
from tests.lessons.test_pages import numbers
from tvbo_core import World
from tvbo_core.jobs import outcome
from tvbo_core.worlds.mauduit import Stale

SETTING = Setting(Stale(horizon=120, arms=40, seed=4), 1.0, 0.25, 1.0, "exact", "2", "own", 1)


def played(setting: Setting = SETTING, seeds: int = 2):
    """What the page asks for, without its caches."""
    first = model.first_seed(setting)
    wished = replace(setting, seeds=seeds)
    costs = model.regret_vs_queries(wished, {job: outcome(job) for job in model.jobs(wished)})
    return first, costs


def stage(setting: Setting = SETTING, theme: Theme = Theme(), at: int = 3, seeds: int = 2):  # noqa: B008 (frozen)
    first, costs = played(setting, seeds)
    ticks = choose_frames(first.horizon, first.starts.tolist(), most=40)
    film = figure.stage(
        first, *model.estimate(first, ticks.rows), costs, budget.grown(first), setting.alpha, ticks, theme, at
    )
    return film, first, ticks


@pytest.mark.parametrize("theme", [Theme(), Theme(dark=True, lecture=True)], ids=["desk", "hall"])
@pytest.mark.parametrize("alpha", [0.2, 0.5, 1.0, 1.6])
def test_the_stage_says_what_is_proved_in_every_regime(theme: Theme, alpha: float) -> None:
    setting = replace(SETTING, alpha=alpha, world=replace(SETTING.world, alpha=alpha))
    film, _, _ = stage(setting, theme, seeds=1)
    said = [a.text for a in film.figure.checked().layout.annotations]
    assert any("open question" in text for text in said) == (alpha >= 1 / 3)
    assert any("proved: too few" in text for text in said) == (alpha > 1)
    assert any("no re-asks needed" in text for text in said) == (alpha < 1 / 3)


def trace_track(film, drawn, attribute, wanted):
    """The track of the traces whose name of marks or words fits."""
    return [t.values for t in film.tracks if t.attribute == attribute and wanted(drawn.data[t.trace])]


def test_the_total_that_is_written_is_the_sum_of_the_bars_that_are_not_veiled() -> None:
    film, first, ticks = stage()
    drawn = film.figure.checked()
    words = trace_track(film, drawn, "text", lambda t: t.mode == "text" and t.textposition == "top left")
    assert len(words) == 2
    for name, said in zip(("SparQ", "W-SparQ"), words, strict=True):
        axis = {"SparQ": "x", "W-SparQ": "x2"}[name]
        bars = next(t for t in drawn.data if t.mode == "lines" and t.xaxis == axis and t.fill is None)
        tops, when = numbers(bars.y)[1::3], numbers(bars.x)[1::3]
        for row, (text,) in zip(ticks.rows, said, strict=True):
            shown = int(tops[when <= row + 1].sum())
            assert text == f"{shown:,} of {int(first.plays[name].extra_queries.sum()):,}"


def test_the_readings_of_a_frame_are_the_evidence_of_its_round() -> None:
    film, first, ticks = stage()
    drawn = film.figure.checked()
    rings = trace_track(film, drawn, "y", lambda t: t.mode == "markers" and t.marker.symbol == "circle-open-dot")[0]
    for row, values in zip(ticks.rows, rings, strict=True):
        e = first.evidence[row]
        assert sorted(values[np.isfinite(values)]) == pytest.approx(sorted(e.y[e.asked]), abs=1e-6)  # float32


@pytest.mark.parametrize("q", [1.0, 3.0])
def test_a_pile_has_a_dot_a_question_and_its_cover_leaves_those_that_are_asked(q: float) -> None:
    first, costs = played(replace(SETTING, q=q))
    ticks = choose_frames(first.horizon, first.starts.tolist(), most=40)
    film = figure_piles.stage(first, costs, ticks, Theme(), 3)
    drawn = film.figure.checked()
    for axis, name in (("x2", "W-SparQ"), ("x3", "SparQ")):
        sums = np.cumsum(first.plays[name].extra_queries)
        (dots,) = (t for t in drawn.data if t.mode == "markers" and t.xaxis == axis)
        (cover,) = (i for i, t in enumerate(drawn.data) if t.fill == "toself" and t.xaxis == axis)
        (number,) = (i for i, t in enumerate(drawn.data) if t.mode == "text" and t.xaxis == axis)
        x, y = numbers(dots.x), numbers(dots.y)
        assert len(x) == len(set(zip(x, y, strict=True))) == sums[-1]
        tracks = {(t.trace, t.attribute): t.values for t in film.tracks}
        for frame, row in enumerate(ticks.rows):
            left, level = tracks[cover, "x"][frame][0], tracks[cover, "y"][frame][0]
            seen = (x < left) | ((x < left + 1) & (y > level))
            assert seen.sum() == sums[row] and (numbers(dots.customdata)[seen] <= row + 1).all()
            assert tracks[number, "text"][frame] == (f"<b>{sums[row]:,}</b>",)


@pytest.mark.parametrize(("most", "each"), [(0, 1), (4000, 1), (4001, 2), (60_000, 20), (10**7, 5000)])
def test_a_dot_stands_for_more_questions_only_where_there_are_too_many(most: int, each: int) -> None:
    assert figure_piles._questions_a_dot(most) == each


@pytest.mark.parametrize("theme", [Theme(), Theme(dark=True, lecture=True)], ids=["desk", "hall"])
def test_two_ways_to_pick_stand_side_by_side_on_the_stage(theme: Theme) -> None:
    setting = replace(SETTING, view="picks", seeds=2)
    first = model.first_seed(setting)
    pair = pickers.first_seeds(first)
    results = {job: outcome(job) for job in (*model.jobs(setting), *pickers.jobs(setting))}
    found = pickers.two_pickers(setting, pair, results)
    ticks = choose_frames(first.horizon, first.starts.tolist(), most=40)
    film = figure_pickers.stage(found, {p: model.estimate(one, ticks.rows) for p, one in pair.items()}, ticks, theme, 3)
    drawn = film.figure.checked()
    rings = trace_track(film, drawn, "y", lambda t: t.mode == "markers" and t.marker.symbol == "circle-open-dot")
    for one, frames in zip(pair.values(), rings, strict=True):
        for row, values in zip(ticks.rows, frames, strict=True):
            e = one.evidence[row]
            assert sorted(values[np.isfinite(values)]) == pytest.approx(sorted(e.y[e.asked]), abs=1e-6)  # float32
    ends = next(t.values for t in film.tracks if t.attribute == "text" and "picks" in t.values[0][0])[-1]
    median = {name: np.median(regret[:, -1]) for name, regret in found.regret.items()}
    assert ends == (
        f"k-DPP picks <b>{amount(median['exact'])}</b>",
        f"Random picks <b>{amount(median['random'])}</b>",
        f"GP-UCB <b>{amount(median['GP-UCB'])}</b>",
    )


def test_names_stand_right_of_all_marks_and_are_joined_to_them() -> None:
    """A star lay over a label where methods ask about as often."""
    _, costs = played()
    film, _, ticks = stage()
    names = next(t for t in film.tracks if t.attribute == "text" and "GP-UCB" in t.values[0][0])
    places = {a: next(t.values for t in film.tracks if (t.trace, t.attribute) == (names.trace, a)) for a in "xy"}
    marks = np.stack([np.median(costs.questions[n][:, ticks.index], axis=0) for n in costs.regret], axis=1)
    rings = max(float(q[:, -1].max()) for q in costs.questions.values())
    assert (places["x"] > marks.max()).all() and (places["x"] > rings).all()
    leaders = next(
        t.values
        for t in film.tracks
        if t.attribute == "y" and t.values.shape[1] == 3 * len(costs.regret) and np.isnan(t.values[0, 2])
    )
    np.testing.assert_allclose(leaders[:, 1::3], places["y"], rtol=1e-6)


def test_the_marks_of_the_board_stand_at_questions_and_regret() -> None:
    _, costs = played()
    film, _, ticks = stage()
    drawn = film.figure.checked()
    stars = [t for t in drawn.data if t.mode == "markers" and t.text is not None and "SparQ" in t.text]
    assert len(stars) == 1
    index = list(drawn.data).index(stars[0])
    x, y = (next(t.values for t in film.tracks if t.trace == index and t.attribute == a) for a in "xy")
    for frame, row in enumerate(ticks.rows):
        for i, name in enumerate(costs.regret):
            assert x[frame, i] == pytest.approx(np.median(costs.questions[name][:, row]))
            assert y[frame, i] == pytest.approx(np.median(costs.regret[name][:, row]), rel=1e-5)


@pytest.mark.parametrize("inputs", ["own", "random", "clustered"])
@pytest.mark.parametrize("theme", [Theme(), Theme(dark=True, lecture=True)], ids=["desk", "hall"])
def test_the_pick_shows_three_ways_with_their_matrices(inputs: str, theme: Theme) -> None:
    setting = replace(SETTING, inputs=inputs)
    first = model.first_seed(setting)
    for number in (1, 2, len(first.starts)):
        found = window.picks(first, setting.inputs, number)
        drawn = figure_window.picks(found, first.x, "action x", theme).figure.checked()
        grids = [t for t in drawn.data if t.type == "heatmap"]
        assert [len(numbers(t.z)) for t in grids] == [len(w.arms) ** 2 for w in found.ways]
        rings = [t for t in drawn.data if t.type == "scatter" and t.mode == "markers"]
        assert [len(numbers(t.x)) for t in rings] == [len(w.arms) for w in found.ways]


def test_trust_and_beliefs_leave_the_variational_posterior_out_when_it_is_not_wanted() -> None:
    first = model.first_seed(SETTING)
    sizes = window.sizes(first, 5)
    believed = window.posteriors(first, 60)
    for both in (True, False):
        trust = figure_window.trust(*model.trusted(first), sizes, 4, 3, both, Theme()).figure.checked()
        assert ("variational" in [word for t in trust.data if t.mode == "text" for word in t.text]) == both
        now = figure_window.beliefs(believed, first.x, "action x", 2.0, both, Theme()).figure.checked()
        assert len(now.data) == (5 if both else 3)


@pytest.mark.parametrize(("alpha", "affordable"), [(0.2, 20), (1.0, 500), (2.0, 10_000), (2.0, 20)])
def test_the_plan_draws_every_constant_and_the_budget(alpha: float, affordable: int) -> None:
    bought = budget.plan(1000, alpha, 1, affordable)
    qs, totals, best = budget.priced(bought, 1.25)
    drawn = figure_budget.planner(budget.WINDOW_EXPONENTS, qs, totals, bought, best, 1.25, Theme()).figure.checked()
    (names,) = (t for t in drawn.data if t.mode == "text")
    low, high = drawn.layout.yaxis.range
    pixels = drawn.layout.height - drawn.layout.margin.t - drawn.layout.margin.b
    gap = 1.2 * Theme().tick / pixels * (high - low)  # a line of text
    assert all(b - a >= gap for a, b in itertools.pairwise(sorted(np.log10(numbers(names.y)))))
    assert list(names.text) == ["c = 0.5", "c = 1", "<b>c = 1.25</b>", "c = 2"]
    assert (best is not None) == any(t.mode == "markers" for t in drawn.data)
    assert best is None or best[1] <= affordable


def test_a_world_in_which_nothing_can_be_lost_has_axes_all_the_same() -> None:
    setting = Setting(World(kind="still", budget=0.0, horizon=100, arms=1), 1.0, 0.25, 1.0, "random", "2", "own", 1)
    film, _, _ = stage(setting, seeds=1)
    film.figure.checked()
    assert figure_counts.POWERS[10] == "10"
