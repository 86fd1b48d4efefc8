"""The lines, the wall and the smaller figures: what is drawn is what was measured, on axes that never move."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from figures.film import Film
from figures.frames import choose_frames
from figures.theme import Theme
from lessons.real_data import figure, figure_details, figure_lines, model
from lessons.real_data.model import Trial
from tests.lessons.real_data.own_table import run
from tvbo_core import trial
from tvbo_core.worlds.tables import training_problem

PINS = ("GP-UCB", "TV-GP-UCB")


def walk(arms: int, rows: int = 120, **how: object) -> Trial:
    return run(np.cumsum(np.random.default_rng(arms).normal(size=(rows, arms)), axis=0), seeds=3, **how)


FOUR, MANY = walk(4), walk(12)
HOLES = np.random.default_rng(0).random(FOUR.rewards.shape) < 0.1
FILLED = replace(FOUR, table=replace(FOUR.table, filled=HOLES))


def wall(of: Trial = FOUR, theme: Theme | None = None, **more: object) -> Film:
    return figure.stage(of, PINS, choose_frames(of.problem.horizon, of.switches, 20), theme or Theme(), 3, **more)


def lines(of: Trial = FOUR, theme: Theme | None = None, names: tuple[str, ...] = PINS, **more: object) -> Film:
    clock = choose_frames(of.problem.horizon, of.switches, 999)
    return figure_lines.stage(of, model.lanes(of, names, 6), "day", clock, theme or Theme(), 3, **more)


def fixed_ranges(of: Film) -> None:
    shown = of.figure.checked()
    axes = [name for name in shown.to_dict()["layout"] if name.startswith(("xaxis", "yaxis"))]
    assert axes and all(len(shown.layout[name].range) == 2 for name in axes)


def test_any_table_has_figures_on_fixed_axes() -> None:
    theme = Theme(lecture=True)
    odd = (FOUR, MANY, FILLED, walk(2, 40), walk(40, 60, methods=("tv", "gp")))
    films = [wall(of, theme, quantity=quantity) for of in odd for quantity in figure.QUANTITY]
    films += [lines(of, theme, quantity=quantity) for of in odd for quantity in figure_lines.QUANTITY]
    films.append(lines(FOUR, theme, PINS[:1]))
    for one in films:
        assert len({len(track) for track in one.tracks}) == 1
        assert not any(np.isinf(t.values).any() for t in one.tracks if isinstance(t.values, np.ndarray))
    learnt = trial.learn(training_problem(FOUR.table), 0)
    fit = learnt.fit
    films += [
        figure_details.likelihood(fit.grid, fit.curve, fit.epsilon, (fit.low, fit.high), fit.best, theme),
        figure_details.likelihood(fit.grid, fit.curve, 0.0, (0.0, 0.01), float(fit.curve[0]), theme),
        figure_details.lengths(learnt.lengths, learnt.scores, theme),
        figure_details.lengths((5,), {"R-GP-UCB": np.array([0.0])}, theme),
    ]
    for arms in (2, 30, 200):
        C = np.cov(np.random.default_rng(arms).normal(size=(400, arms)), rowvar=False)
        films.append(figure_details.correlations(C, [f"arm number {i}" for i in range(arms)], theme))
    for one in films:
        fixed_ranges(one)
