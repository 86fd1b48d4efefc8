"""The stage of side queries shows what was played, at every frame."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from figures.frames import choose_frames
from figures.theme import Theme
from lessons.side_queries import (
    budget,
    figure,
    figure_piles,
    model,
)
from lessons.side_queries.model import SideQueriesSetting
from tests.lessons.test_pages import numbers
from tvbo_core import World
from tvbo_core.jobs import outcome
from tvbo_core.worlds.mauduit import Stale

SETTING = SideQueriesSetting(Stale(horizon=120, arms=40, seed=4), 1.0, 0.25, 1.0, "exact", "2", "own", 1)


def played(setting: SideQueriesSetting = SETTING, seeds: int = 2):
    """What the page asks for, without its caches."""
    first = model.first_seed(setting)
    wished = replace(setting, seeds=seeds)
    costs = model.regret_vs_queries(wished, {job: outcome(job) for job in model.jobs(wished)})
    return first, costs


def stage(setting: SideQueriesSetting = SETTING, seeds: int = 2):
    first, costs = played(setting, seeds)
    ticks = choose_frames(first.horizon, first.starts.tolist(), most=40)
    estimate = model.estimate(first, ticks.rows)
    film = figure.stage(first, *estimate, costs, budget.grown(first), setting.alpha, ticks, Theme(), 3)
    return film, first, ticks


def test_a_pile_has_a_dot_a_question() -> None:
    first, costs = played(replace(SETTING, q=3.0))
    ticks = choose_frames(first.horizon, first.starts.tolist(), most=40)
    film = figure_piles.stage(first, costs, ticks, Theme(), 3)
    drawn = film.figure.checked()
    for axis, name in (("x2", "W-SparQ"), ("x3", "SparQ")):
        sums = np.cumsum(first.plays[name].extra_queries)
        (dots,) = (t for t in drawn.data if t.mode == "markers" and t.xaxis == axis)
        (cover,) = (i for i, t in enumerate(drawn.data) if t.fill == "toself" and t.xaxis == axis)
        x, y = numbers(dots.x), numbers(dots.y)
        assert len(x) == len(set(zip(x, y, strict=True))) == sums[-1]
        tracks = {(t.trace, t.attribute): t.values for t in film.tracks}
        for frame, row in enumerate(ticks.rows):
            left, level = tracks[cover, "x"][frame][0], tracks[cover, "y"][frame][0]
            seen = (x < left) | ((x < left + 1) & (y > level))  # what the cover leaves
            assert seen.sum() == sums[row] and (numbers(dots.customdata)[seen] <= row + 1).all()
    assert [figure_piles._questions_a_dot(n) for n in (0, 4000, 4001, 60_000, 10**7)] == [1, 1, 2, 20, 5000]


def test_a_world_without_loss_has_axes() -> None:
    setting = SideQueriesSetting(
        World(kind="still", budget=0.0, horizon=100, arms=1), 1.0, 0.25, 1.0, "random", "2", "own", 1
    )
    stage(setting, seeds=1)[0].figure.checked()
