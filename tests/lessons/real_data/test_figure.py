"""The lines, the wall and the smaller figures: what is drawn is what was measured, on axes that never move."""

from __future__ import annotations

import base64
import re
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from common.formats import amount
from figures.film import Film
from figures.frames import choose_frames
from figures.theme import METHODS, Theme
from lessons.real_data import figure, figure_details, figure_lines, model
from lessons.real_data.model import Trial
from lessons.shared.policies import coloured
from tests.lessons.real_data.own_table import run
from tvbo_core import trial
from tvbo_core.worlds.tables import training_problem

FLOAT32 = 1e-6  # relative: arrays travel as 32-bit floats, whose unit roundoff is 6e-8
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


def numbers(packed: dict | list) -> np.ndarray:
    if isinstance(packed, dict):
        return np.frombuffer(base64.b64decode(packed["bdata"]), dtype=packed["dtype"]).astype(float)
    return np.array(packed, dtype=float)


def traces(of: Film, axis: str, **wanted: object) -> list[dict]:
    every = of.figure.to_dict()["data"]
    return [t for t in every if t["xaxis"] == axis and all(t.get(key) == value for key, value in wanted.items())]


def fixed_ranges(of: Film) -> None:
    shown = of.figure.checked()
    axes = [name for name in shown.to_dict()["layout"] if name.startswith(("xaxis", "yaxis"))]
    assert axes and all(len(shown.layout[name].range) == 2 for name in axes)


@pytest.mark.parametrize("theme", [Theme(d, h) for d in (False, True) for h in (False, True)])
def test_any_table_has_figures_on_fixed_axes(theme: Theme) -> None:
    odd = (FOUR, MANY, FILLED, walk(2, 40), walk(40, 60, methods=("tv", "gp")))
    films = [wall(of, theme, quantity=quantity) for of in odd for quantity in figure.QUANTITY]
    films += [lines(of, theme, quantity=quantity) for of in odd for quantity in figure_lines.QUANTITY]
    films.append(lines(FOUR, theme, PINS[:1]))
    for one in films:
        assert len({len(track) for track in one.tracks}) == 1
        assert not any(np.isinf(t.values).any() for t in one.tracks if isinstance(t.values, np.ndarray))
    learnt = trial.learn(training_problem(FOUR.table), 0)
    fit, curve = learnt.fit, (trial.EPSILONS, np.linspace(5, 3, len(trial.EPSILONS)))
    films += [
        figure_details.likelihood(fit.grid, fit.curve, fit.epsilon, (fit.low, fit.high), fit.best, theme),
        figure_details.likelihood(fit.grid, fit.curve, 0.0, (0.0, 0.01), float(fit.curve[0]), theme),
        figure_details.lengths(learnt.lengths, learnt.scores, theme),
        figure_details.lengths((5,), {"R-GP-UCB": np.array([0.0])}, theme),
        figure_details.guesses(*curve, fit.epsilon, {"Random": 9.0, "GP-UCB": 4.0, "best fixed arm": 4.05}, theme),
        figure_details.guesses(curve[0], np.zeros(len(curve[0])), 0.0, {}, theme),
    ]
    for arms in (2, 30, 200):
        C = np.cov(np.random.default_rng(arms).normal(size=(400, arms)), rowvar=False)
        films.append(figure_details.correlations(C, [f"arm number {i}" for i in range(arms)], theme))
    for one in films:
        fixed_ranges(one)


def test_lines_and_wall_are_medians() -> None:
    t, theme = np.arange(1, FOUR.problem.horizon + 1), Theme()
    fixed = FOUR.fixed[1].cumsum() / t
    median = {name: np.median(total / t, axis=0) for name, total in FOUR.total.items()}
    wanted = {METHODS[name].dash + METHODS[name].light: median[name] for name in FOUR.total}
    drawn = {
        one["line"]["dash"] + one["line"]["color"]: numbers(one["y"])
        for one in traces(wall(), "x3")
        if "dash" in one.get("line", {})
    }
    for key, line in (wanted | {"longdash" + theme.ink: fixed}).items():
        np.testing.assert_allclose(drawn[key], line, rtol=FLOAT32, atol=1e-7)
    drawn = {
        one["line"]["color"]: numbers(one["y"])
        for one in traces(lines(), "x", mode="lines")
        if len(numbers(one["y"])) == len(t) and one["line"]["width"] > 1
    }
    wanted = {theme.role("keeps"): median[PINS[0]], theme.role("forgets"): median[PINS[1]], theme.grey: fixed}
    assert drawn.keys() == wanted.keys()
    for colour, line in wanted.items():
        np.testing.assert_allclose(drawn[colour], line, rtol=FLOAT32, atol=1e-7)


def test_each_line_ends_in_its_number_and_name() -> None:
    said = next(track for track in lines().tracks if track.attribute == "text")
    plain = [[re.sub("<[^>]*>", "", text) for text in row] for row in said.values]
    names = [*PINS, f"always {FOUR.problem.arm_names[FOUR.fixed[0]]}"]
    for row in (0, 20, FOUR.problem.horizon - 1):
        values = [*(float(FOUR.average[n][row]) for n in PINS), float(FOUR.fixed_average[row])]
        assert plain[row] == [f"{amount(v)} {name}" for v, name in zip(values, names, strict=True)]


@pytest.mark.parametrize("rewards", [MANY.rewards, np.random.default_rng(0).normal(size=(400, 3))])
def test_best_arm_is_a_bar_in_its_row(rewards: np.ndarray) -> None:
    of = run(rewards, methods=("gp", "tv"), seeds=1)
    (path,) = (t for t in traces(wall(of), "x") if t.get("line", {}).get("color") == "#FFFFFF")
    ends = np.stack([numbers(path["x"]), numbers(path["y"])], axis=1).reshape(-1, 3, 2)[:, :2]
    assert (ends[:, 0, 1] == ends[:, 1, 1]).all()  # none crosses a row
    best = np.repeat(ends[:, 0, 1], (ends[:, 1, 0] - ends[:, 0, 0]).astype(int))
    np.testing.assert_array_equal(best, of.rewards.argmax(axis=1))


def test_filled_cells_carry_a_stroke() -> None:
    (strokes,) = (t for t in traces(wall(FILLED), "x") if t.get("marker", {}).get("symbol") == "line-ne-open")
    rows, arms = np.nonzero(HOLES)
    np.testing.assert_array_equal(numbers(strokes["x"]), rows + 1)
    np.testing.assert_array_equal(numbers(strokes["y"]), arms)


def test_at_most_six_lines_have_a_colour() -> None:
    names = coloured(trial.NAMES, PINS)
    assert len(names) == 6 and set(PINS) <= set(names)


@pytest.mark.parametrize("of", [FOUR, MANY], ids=["four arms", "twelve arms"])
def test_lanes_are_the_arms_held_in_every_round(of: Trial) -> None:
    lanes = model.lanes(of, PINS, 6)
    bars = [t for t in traces(lines(of), "x2", fill="toself") if t["fillcolor"] != Theme().paper]
    assert [t["fillcolor"] for t in bars] == [Theme().ink, Theme().role("forgets"), Theme().role("keeps")]
    for trace, arms in zip(bars, (of.problem.best, of.looks[PINS[1]], of.looks[PINS[0]]), strict=True):
        x, y = (numbers(trace[axis]).reshape(-1, 5)[:, :4] for axis in "xy")
        ends = zip(x.min(axis=1), x.max(axis=1), y.mean(axis=1), strict=True)
        covered = {(t, round(row)) for a, b, row in ends for t in range(round(a + 0.5), round(b + 0.5))}
        names = [of.problem.arm_names[arm] for arm in arms]
        rows = [lanes.rows.index(name) if name in lanes.rows else len(lanes.rows) - 1 for name in names]
        assert covered == set(enumerate(rows, start=1))


def test_arms_held_most_often_have_a_row() -> None:
    lanes = model.lanes(MANY, PINS, 6)
    assert len(lanes.rows) == 6 and lanes.rows[-1] == "7 others"
    often = sum(np.bincount(a, minlength=12) for a in (MANY.problem.best, *(MANY.looks[n] for n in PINS)))
    shown = [MANY.problem.arm_names.index(name) for name in lanes.rows[:-1]]
    assert shown == sorted(shown) and min(often[shown]) >= max(np.delete(often, shown))
    few = SimpleNamespace(average={"Random": [9.0], "GP-UCB": [5.0], "WGP-UCB": [2.0]})
    asked = (("GP-UCB", "Random"), ("PE", "GP-UCB"), ())  # pinned ones that do not race give way to the best
    assert [model.told(few, pins) for pins in asked] == [asked[0], ("GP-UCB", "WGP-UCB"), ("WGP-UCB", "GP-UCB")]


def test_heat_map_holds_correlations_and_map_shares() -> None:
    C, best = training_problem(FOUR.table).kernel.matrix, FOUR.problem.best
    sd = np.sqrt(C.diagonal())
    cells = figure_details.correlations(C, FOUR.problem.arm_names, Theme()).figure.to_dict()["data"][0]
    np.testing.assert_allclose(numbers(cells["z"]).reshape(C.shape), C / np.outer(sd, sd), rtol=1e-5, atol=1e-7)
    at = np.array([[-36.85, 174.76 + 0.001 * i] for i in range(4)])
    drawn = figure_details.sensor_map(C, at, FOUR.problem.arm_names, best, Theme())
    places, share = drawn.figure.to_dict()["data"][0], np.bincount(best, minlength=4) / FOUR.problem.horizon
    assert np.argmax(places["marker"]["size"]) == share.argmax() == np.argmax(places["marker"]["line"]["width"])
    assert np.ptp(places["x"]) == pytest.approx(0.003 * 111.3 * np.cos(np.radians(36.85)), rel=1e-3)  # kilometres
    fixed_ranges(drawn)
