"""The wall and the smaller figures of real data: what is drawn is what was measured, on axes that never move."""

from __future__ import annotations

import base64
from types import SimpleNamespace

import numpy as np
import pytest

from figures.film import Film
from figures.frames import choose_frames
from figures.theme import METHODS, Theme
from lessons.real_data import figure, figure_details
from lessons.shared.policies import coloured
from tvbo_core import trial
from tvbo_core.worlds.tables import Table, data_problem, training_problem

FLOAT32 = 1e-6  # relative: arrays travel as 32-bit floats, whose unit roundoff is 6e-8
LOOKS = [(d, h) for d in (False, True) for h in (False, True)]


def shown(
    rows: int = 90, arms: int = 5, filled: bool = False, methods: tuple[str, ...] = trial.NAMES[:6]
) -> SimpleNamespace:
    rng = np.random.default_rng(arms)
    names = tuple(f"a long street name {i}" for i in range(arms))
    holes = rng.random((rows, arms)) < 0.1 if filled else None
    rewards = np.cumsum(rng.normal(size=(rows, arms)), axis=0)
    times = tuple(f"2024-01-{t}" for t in range(rows))
    table = Table("own", "own", rewards, names, times, "visitors an hour", "", "", "", rows // 2, filled=holes)
    problem = data_problem(table, rows)
    T = problem.horizon
    arm, loss = trial.fixed_arm(problem)
    switches = [t for t in range(1, T) if problem.best[t] != problem.best[t - 1]]
    return SimpleNamespace(
        problem=problem,
        train=table.train_rows,
        rewards=rewards,
        filled=holes,
        times=table.times,
        unit=table.unit,
        total={n: rng.exponential(1 + i, (3, T)).cumsum(axis=1) for i, n in enumerate(methods)},
        looks={n: rng.integers(0, arms, T) for n in methods},
        fixed=(arm, loss),
        switches=switches,
        table=table,
        mixed=False,
    )


TRIAL = shown()
CLOCK = choose_frames(TRIAL.problem.horizon, TRIAL.switches, most=20)


def film(of: SimpleNamespace = TRIAL, drawn: int = 3, theme: Theme | None = None, **more: object) -> Film:
    ticks = choose_frames(of.problem.horizon, of.switches, most=20)
    return figure.stage(of, ("GP-UCB", "TV-GP-UCB"), ticks, theme or Theme(), drawn, **more)


def numbers(packed: dict | list) -> np.ndarray:
    if isinstance(packed, dict):
        return np.frombuffer(base64.b64decode(packed["bdata"]), dtype=packed["dtype"]).astype(float)
    return np.array(packed, dtype=float)


def traces(of: Film) -> list[dict]:
    return of.figure.to_dict()["data"]


def fixed_ranges(of: Film) -> None:
    shown = of.figure.checked()
    axes = [name for name in shown.to_dict()["layout"] if name.startswith(("xaxis", "yaxis"))]
    assert axes and all(len(shown.layout[name].range) == 2 for name in axes)


@pytest.mark.parametrize("quantity", list(figure.QUANTITY))
def test_any_table_gives_a_valid_wall(quantity):
    for of in (shown(30, 2), shown(60, 40, filled=True), shown(methods=("GP-UCB",)), shown(methods=("Random",))):
        one = film(of, quantity=quantity)
        fixed_ranges(one)
        assert len({len(track) for track in one.tracks}) == 1
        for track in one.tracks:
            if isinstance(track.values, np.ndarray):
                assert not np.isinf(track.values).any()


def test_wall_lines_are_medians_and_fixed_arm():
    lines = {
        t["line"]["dash"] + t["line"]["color"]: numbers(t["y"])
        for t in traces(film())
        if t.get("xaxis") == "x3" and "dash" in t.get("line", {})
    }
    t = np.arange(1, TRIAL.problem.horizon + 1)
    for name, total in TRIAL.total.items():
        drawn = lines[METHODS[name].dash + METHODS[name].light]
        np.testing.assert_allclose(drawn, np.median(total / t, axis=0), rtol=FLOAT32)
    np.testing.assert_allclose(lines["longdash" + Theme().ink], TRIAL.fixed[1].cumsum() / t, rtol=FLOAT32, atol=1e-7)


def bars(of: SimpleNamespace) -> np.ndarray:
    """The (B, 2, 2) ends of the white bars: (from, row), (to, row)."""
    (path,) = (t for t in traces(film(of)) if t["xaxis"] == "x" and t.get("line", {}).get("color") == "#FFFFFF")
    return np.stack([numbers(path["x"]), numbers(path["y"])], axis=1).reshape(-1, 3, 2)[:, :2]


@pytest.mark.parametrize("busy", [False, True])
def test_best_arm_is_a_bar_in_its_row(busy):
    of = shown(400, 3)
    if busy:
        of.rewards = np.random.default_rng(0).normal(size=of.rewards.shape)
    ends = bars(of)
    assert (ends[:, 0, 1] == ends[:, 1, 1]).all()  # none crosses a row
    best = np.repeat(ends[:, 0, 1], (ends[:, 1, 0] - ends[:, 0, 0]).astype(int))
    np.testing.assert_array_equal(best, of.rewards.argmax(axis=1))
    crossing = [t for t in traces(film(of)) if "rgba(255" in t.get("line", {}).get("color", "")]
    assert len(crossing) == (not busy) and all(t["line"]["width"] < 1 for t in crossing)


def test_at_most_six_lines_have_a_colour():
    of = shown(methods=trial.NAMES)
    names = coloured(trial.NAMES, ("GP-UCB", "TV-GP-UCB"))
    one = film(of, coloured=names)
    said = next(t.values for t in one.tracks if t.attribute == "text" and "best fixed arm" in " ".join(t.values[0]))
    assert len(names) == 6 and {"GP-UCB", "TV-GP-UCB"} <= set(names)
    assert [text.rsplit(" ", 1)[0].removesuffix(" ↑") for text in said[-1]] == [*names, "best fixed arm"]


def test_filled_cells_carry_a_stroke():
    of = shown(filled=True)
    (strokes,) = (t for t in traces(film(of)) if t.get("marker", {}).get("symbol") == "line-ne-open")
    rows, arms = np.nonzero(of.filled)
    np.testing.assert_array_equal(numbers(strokes["x"]), rows + 1)
    np.testing.assert_array_equal(numbers(strokes["y"]), arms)


@pytest.mark.parametrize(("dark", "hall"), LOOKS)
def test_the_smaller_figures_are_valid_with_fixed_axes(dark, hall):
    theme = Theme(dark, hall)
    learnt = trial.learn(training_problem(TRIAL.table), 0)
    fit, references = learnt.fit, {"Random": 9.0, "GP-UCB": 4.0, "best fixed arm": 4.05}
    for one in (
        figure_details.likelihood(fit.grid, fit.curve, fit.epsilon, (fit.low, fit.high), fit.best, theme),
        figure_details.likelihood(fit.grid, fit.curve, 0.0, (0.0, 0.01), float(fit.curve[0]), theme),
        figure_details.lengths(learnt.lengths, learnt.scores, theme),
        figure_details.lengths((5,), {"R-GP-UCB": np.array([0.0])}, theme),
        figure_details.guesses(trial.EPSILONS, np.linspace(5, 3, len(trial.EPSILONS)), fit.epsilon, references, theme),
        figure_details.guesses(trial.EPSILONS, np.zeros(len(trial.EPSILONS)), 0.0, {}, theme),
    ):
        fixed_ranges(one)
    for arms in (2, 8, 30, 200):
        C = np.cov(np.random.default_rng(arms).normal(size=(400, arms)), rowvar=False)
        fixed_ranges(figure_details.correlations(C, [f"arm number {i}" for i in range(arms)], theme))
    C, at = training_problem(TRIAL.table).kernel.matrix, np.random.default_rng(1).uniform(170, 170.1, (5, 2))
    fixed_ranges(figure_details.sensor_map(C, at, TRIAL.problem.arm_names, TRIAL.problem.best, theme))


def test_heat_map_holds_correlations_and_map_shares():
    C = training_problem(TRIAL.table).kernel.matrix
    sd = np.sqrt(C.diagonal())
    cells = figure_details.correlations(C, TRIAL.problem.arm_names, Theme()).figure.to_dict()["data"][0]
    np.testing.assert_allclose(numbers(cells["z"]).reshape(C.shape), C / np.outer(sd, sd), rtol=1e-5, atol=1e-7)
    at = np.array([[-36.85, 174.76 + 0.001 * i] for i in range(5)])
    places = figure_details.sensor_map(C, at, TRIAL.problem.arm_names, TRIAL.problem.best, Theme()).figure.to_dict()[
        "data"
    ][0]
    share = np.bincount(TRIAL.problem.best, minlength=5) / TRIAL.problem.horizon
    assert np.argmax(places["marker"]["size"]) == share.argmax() == np.argmax(places["marker"]["line"]["width"])
    assert places["marker"]["color"][int(share.argmax())] == pytest.approx(1.0)
    assert np.ptp(places["x"]) == pytest.approx(0.004 * 111.3 * np.cos(np.radians(36.85)), rel=1e-3)  # kilometres
