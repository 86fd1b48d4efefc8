"""The first view of real data: three lines with their numbers, and below them who holds which arm."""

from __future__ import annotations

import re
from types import SimpleNamespace

import numpy as np
import pytest

from common.formats import amount
from figures.film import Film
from figures.frames import FilmFrames
from figures.theme import Theme
from lessons.real_data import figure_lines, model
from lessons.real_data.model import Trial
from tests.lessons.real_data.own_table import run
from tests.lessons.real_data.test_figure import FLOAT32, fixed_ranges, numbers, traces

PINS = ("GP-UCB", "TV-GP-UCB")
LOOKS = [(d, h) for d in (False, True) for h in (False, True)]


def walk(arms: int, rows: int = 200) -> Trial:
    return run(np.cumsum(np.random.default_rng(arms).normal(size=(rows, arms)), axis=0), seeds=3)


FOUR, MANY = walk(4), walk(12)


def clock(of: Trial) -> FilmFrames:
    return FilmFrames(tuple(range(of.problem.horizon)), of.problem.horizon)


def film(of: Trial = FOUR, names: tuple[str, ...] = PINS, most: int = 6, **more: object) -> Film:
    theme = more.pop("theme", Theme())
    return figure_lines.stage(of, model.lanes(of, names, most), "day", clock(of), theme, 3, **more)


def on(of: Film, axis: str, **wanted: object) -> list[dict]:
    return [t for t in traces(of) if t["xaxis"] == axis and all(t.get(key) == value for key, value in wanted.items())]


@pytest.mark.parametrize("quantity", list(figure_lines.QUANTITY))
@pytest.mark.parametrize(("dark", "hall"), LOOKS)
def test_any_table_gives_valid_lines(quantity, dark, hall):
    for of, names in ((FOUR, PINS), (MANY, PINS), (FOUR, PINS[:1]), (walk(2, 40), ("TV-GP-UCB", "SW-GP-UCB"))):
        one = film(of, names, theme=Theme(dark, hall), quantity=quantity)
        fixed_ranges(one)
        assert {len(track) for track in one.tracks} == {of.problem.horizon}


def test_lines_are_medians_in_colours_of_roles():
    theme, t = Theme(), np.arange(1, FOUR.problem.horizon + 1)
    lines = {
        trace["line"]["color"]: numbers(trace["y"])
        for trace in on(film(), "x", mode="lines")
        if len(numbers(trace["y"])) == len(t) and trace["line"]["width"] > 1
    }
    wanted = {
        theme.role(role): np.median(FOUR.total[n] / t, axis=0) for role, n in (("keeps", PINS[0]), ("forgets", PINS[1]))
    }
    wanted[theme.grey] = FOUR.fixed[1].cumsum() / t
    assert lines.keys() == wanted.keys()
    for colour, line in wanted.items():
        np.testing.assert_allclose(lines[colour], line, rtol=FLOAT32, atol=1e-7)


@pytest.mark.parametrize("hall", [False, True])
def test_each_line_ends_in_its_number_and_name(hall):
    theme = Theme(lecture=hall)
    one = film(theme=theme)
    said = next(t for t in one.tracks if t.attribute == "text")
    heights = next(t for t in one.tracks if t.trace == said.trace and t.attribute == "y")
    always = f"always {FOUR.problem.arm_names[FOUR.fixed[0]]}"
    plain = [[re.sub("<[^>]*>", "", text) for text in row] for row in said.values]
    for row in (0, 40, FOUR.problem.horizon - 1):
        values = [*(float(FOUR.average[n][row]) for n in PINS), float(FOUR.fixed_average[row])]
        assert plain[row] == [f"{amount(v)} {n}" for v, n in zip(values, [*PINS, always], strict=True)]
    big = [float(px) for row in said.values for text in row for px in re.findall(r"font-size:(\d+)px", text)]
    assert min(big) >= 1.5 * theme.tick
    layout = one.figure.to_dict()["layout"]
    (low, high), (foot, top) = layout["yaxis"]["range"], layout["yaxis"]["domain"]
    tall = (400 if hall else 430) - layout["margin"]["t"] - layout["margin"]["b"]
    pixels = np.sort(np.asarray(heights.values), axis=1) / (high - low) * (top - foot) * tall
    assert (np.diff(pixels, axis=1) > big[0]).all()  # a line of them is as high as its largest letters


def covered(trace: dict) -> set[tuple[int, int]]:
    """The rounds (from 1) and rows that the bars of a lane cover."""
    x, y = numbers(trace["x"]).reshape(-1, 5)[:, :4], numbers(trace["y"]).reshape(-1, 5)[:, :4]
    bars = zip(x.min(axis=1), x.max(axis=1), y.mean(axis=1), strict=True)
    return {(t, round(row)) for left, right, row in bars for t in range(round(left + 0.5), round(right + 0.5))}


@pytest.mark.parametrize("of", [FOUR, MANY], ids=["four arms", "twelve arms"])
def test_lanes_are_the_arms_held_in_every_round(of):
    lanes = model.lanes(of, PINS, 6)
    bars = [t for t in on(film(of), "x2", fill="toself") if t["fillcolor"] != Theme().paper]
    assert [t["fillcolor"] for t in bars] == [Theme().ink, Theme().role("forgets"), Theme().role("keeps")]
    asked = (of.problem.best, of.looks["TV-GP-UCB"], of.looks["GP-UCB"])
    for trace, arms in zip(bars, asked, strict=True):
        names = [of.problem.arm_names[arm] for arm in arms]
        rows = [lanes.rows.index(name) if name in lanes.rows else len(lanes.rows) - 1 for name in names]
        assert covered(trace) == {(t, row) for t, row in enumerate(rows, start=1)}


def test_arms_held_most_often_have_a_row():
    lanes = model.lanes(MANY, PINS, 6)
    assert len(lanes.rows) == 6 and lanes.rows[-1] == "7 others"
    often = sum(np.bincount(a, minlength=12) for a in (MANY.problem.best, *(MANY.looks[n] for n in PINS)))
    shown = [MANY.problem.arm_names.index(name) for name in lanes.rows[:-1]]
    assert shown == sorted(shown) and min(often[shown]) >= max(np.delete(often, shown))
    assert model.lanes(FOUR, PINS, 4).rows == FOUR.problem.arm_names


def test_pinned_methods_are_filled_up_with_the_best():
    shown = SimpleNamespace(average={"Random": [9.0], "GP-UCB": [5.0], "WGP-UCB": [2.0]})
    assert model.told(shown, ("GP-UCB", "Random")) == ("GP-UCB", "Random")
    assert model.told(shown, ("PE", "GP-UCB")) == ("GP-UCB", "WGP-UCB")
    assert model.told(shown, ()) == ("WGP-UCB", "GP-UCB")
