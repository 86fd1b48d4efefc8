"""One entry, and the same seeds run again: they give the stored numbers, digit by digit."""

from __future__ import annotations

import base64
import itertools
import re
from dataclasses import replace
from time import monotonic

import numpy as np
import pytest

from figures.theme import Theme
from lessons.reproductions import figure_entry, model, rerun, rerun_words
from lessons.reproductions.experiments.runner import DRAWN
from lessons.reproductions.names import REPRODUCTIONS
from shell.runs import RUNS

LOOKS = list(itertools.product([False, True], repeat=2))
NOT_A_NUMBER = re.compile(r"\b(nan|None|inf)\b")
QUICK = "deng-figure-1a"  # a repetition takes some hundredths of a second


def numbers(packed: object) -> np.ndarray:
    """A trace's coordinates, as the browser reads them."""
    if isinstance(packed, dict):
        return np.frombuffer(base64.b64decode(packed["bdata"]), np.dtype(packed["dtype"])).astype(float)
    return np.array(packed, dtype=float)


def first(name: str, index: int = 0) -> model.Cell:
    return model.cell(model.board(name), index)


@pytest.mark.parametrize("name", REPRODUCTIONS)
def test_stored_curves_of_single_seeds_end_in_the_stored_numbers(name: str):
    shown = model.board(name)
    for index in range(len(shown.parts)):
        cell = model.cell(shown, index)
        if not len(cell.rounds):
            continue
        assert len(cell.curves) == min(DRAWN, len(cell.values)), "stored before curves were kept: write it again"
        np.testing.assert_allclose(cell.curves[:, -1], cell.values[: len(cell.curves)], rtol=1e-4)  # five digits kept
        assert (np.diff(cell.curves, axis=1) >= -1e-4 * cell.curves[:, -1:]).all()
        if len(cell.curves) == len(cell.values):
            np.testing.assert_allclose(cell.curves.mean(axis=0), cell.middle, rtol=1e-4)


@pytest.mark.parametrize("name", REPRODUCTIONS)
def test_one_entry_is_a_valid_figure_in_every_look(name: str):
    shown = model.board(name)
    for index, (dark, lecture) in zip((0, len(shown.parts) - 1) * 2, LOOKS, strict=True):
        cell = model.cell(shown, index)
        lines, ends = rerun.curves_and_ends(cell, {})
        figure = figure_entry.seeds(cell, lines, ends, Theme(dark, lecture), 330).figure.checked()
        low, high = figure.layout.yaxis.range
        drawn = np.concatenate([numbers(t.y) for t in figure.data])
        assert np.nanmin(drawn) >= low and np.nanmax(drawn) <= high
        said = [rerun_words.facts(cell, shown.report), rerun_words.caption(cell), rerun_words.again(cell, {})]
        assert not any(NOT_A_NUMBER.search(text) for text in said)
        assert cell.part in said[0] and shown.report["version"] in said[0]


def test_the_time_of_a_step_is_drawn_where_it_was_measured():
    seconds = np.array([[0.04, 0.08], [0.004, 0.009], [0.0009, 0.002]])
    figure = figure_entry.step_times(("CMM", "DMM", "AMM"), seconds, Theme(), 330).figure.checked()
    low, high = figure.layout.xaxis.range
    assert figure.layout.xaxis.type == "log" and 10**low < 0.9 and 10**high > 80.0  # milliseconds
    assert list(numbers(figure.data[1].x)) == pytest.approx([40.0, 4.0, 0.9])


def test_the_same_seeds_give_exactly_the_stored_numbers_in_a_worker():
    cell = first(QUICK, 2)
    order = RUNS.order(rerun.repetitions(cell, cell.horizon))
    start = monotonic()
    while not RUNS.wait(order, 0.5):
        assert monotonic() - start < 60.0
    found = RUNS.look(order)
    assert rerun.exact(cell, found) is True
    assert "Yes" in rerun_words.again(cell, found)
    here = {piece: piece.perform() for piece in found}
    assert all(here[p].numbers == found[p].numbers and here[p].curve == found[p].curve for p in found)


def quickest(name: str) -> model.Cell:
    shown = model.board(name)
    return min((model.cell(shown, i) for i in range(len(shown.parts))), key=lambda cell: cell.seconds)


FULL_SIZE = sorted((n for n in REPRODUCTIONS if model.board(n).report["full_size"]), key=lambda n: quickest(n).seconds)


# One seed of each is played anew by its script (tests/lessons/test_recipes.py); here the others are a study.
@pytest.mark.parametrize("name", [FULL_SIZE[0], *(pytest.param(n, marks=pytest.mark.study) for n in FULL_SIZE[1:])])
def test_two_seeds_of_the_quickest_entry_of_every_board_come_out_exactly(name: str):
    cell = quickest(name)
    found = {p: p.perform() for p in rerun.repetitions(cell, cell.horizon)}
    gaps = [rerun.difference(cell, p.seed, r) for p, r in found.items()]
    # Another processor may round otherwise, and then a choice between close arms may turn: within chance of the seeds.
    spread = 6.0 * float(cell.values.std()) / max(abs(cell.mean), 1e-9)
    assert max(gaps) == 0.0 or max(gaps) <= max(1e-6, spread)
    lines, ends = rerun.curves_and_ends(cell, found)
    figure = figure_entry.seeds(cell, lines, ends, Theme(), 330).figure.checked()
    assert [t.marker.symbol for t in figure.data].count("square-open") == 1


@pytest.mark.study
@pytest.mark.parametrize("name", REPRODUCTIONS)
def test_a_seed_of_every_entry_comes_out_again(name: str):
    shown = model.board(name)
    for index in range(len(shown.parts)):
        cell = model.cell(shown, index)
        gap = rerun.difference(cell, 0, rerun.RepetitionJob(name, cell.part, 0, cell.horizon).perform())
        spread = 6.0 * float(cell.values.std()) / max(abs(cell.mean), 1e-9)  # where another processor turns a choice
        assert gap <= max(1e-6, spread), cell.part


def test_a_number_that_is_not_the_stored_one_is_told():
    cell = first(QUICK)
    piece = rerun.repetitions(cell, cell.horizon)[0]
    again = piece.perform()
    other = replace(again, numbers={**again.numbers, "regret": again.numbers["regret"] * (1 + 1e-6)})
    assert rerun.difference(cell, 0, other) == pytest.approx(1e-6, rel=1e-2)
    assert rerun.exact(cell, {piece: other}) is False
    assert "No" in rerun_words.again(cell, {piece: other})
    bent = replace(again, curve=(again.curve[0] * 1.01, *again.curve[1:]))
    assert rerun.exact(cell, {piece: bent}) is False


def test_fewer_rounds_are_offered_where_all_of_them_take_long_and_are_not_compared():
    cell = first(QUICK)
    assert rerun.horizons(cell) == (cell.horizon,)
    slow = replace(cell, seconds=9.0)
    short, whole = rerun.horizons(slow)
    assert rerun.MIN_ROUNDS <= short < whole == cell.horizon
    assert "about 18 s" in rerun_words.button(slow, whole, 2)
    assert f"{short} of {whole} rounds: about 1 s" in rerun_words.button(slow, short, 2)
    found = {p: p.perform() for p in rerun.repetitions(slow, short)}
    assert rerun.exact(slow, found) is None
    assert "not compared" in rerun_words.again(slow, found)
