"""The order of Mauduit et al., equation 34, beside W-SparQ's regret: its values, its curve and its words."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest

from figures.theme import Theme
from lessons.reproductions import figure_entry, model, rerun_words, words
from lessons.reproductions.experiments import EXPERIMENTS, mauduit
from tests.lessons.reproductions.test_rerun import numbers
from tvbo_core.theory import THEOREMS

BOARD = "mauduit-figure-2"


def test_the_order_has_the_logarithm_of_delta_and_the_rate_of_the_theorem():
    # T = e: every logarithm of T is 1.
    assert mauduit.order_34(np.array([math.e]))[0] == pytest.approx(
        math.sqrt(math.e**1.5 * (math.log(10.0) + math.e**0.25)), rel=1e-12
    )
    far = 1e30  # where ln(1/delta) is nothing beside T^(1/4) ln^2 T
    assert mauduit.order_34(np.array([far]))[0] == pytest.approx(
        THEOREMS["mauduit-3.10"].curve(far, logs=True), rel=1e-9
    )


def test_its_growth_is_the_power_of_t_and_what_the_logarithms_add():
    T = math.exp(200.0)  # ln(1/delta) is gone: 7/8 + 2/ln T
    assert mauduit.growth_34(T) == pytest.approx(7 / 8 + 2 / 200, abs=1e-7)


def test_the_curve_stands_in_the_entries_of_its_method_alone_and_ends_at_the_mean():
    board = model.board(BOARD)
    cells = [model.cell(board, i) for i in range(len(board.parts))]
    assert {cell.title.split(" · ")[1] for cell in cells if len(cell.bound)} == {"W-SparQ-GP-UCB"}
    assert all(not len(model.cell(model.board(name), 0).bound) for name in ("flynn-table-1", "flynn-figure-1"))
    for cell in cells:
        lines = [
            t
            for t in figure_entry.seeds(cell, [], np.zeros((0, 3)), Theme(), 330).figure.checked().data
            if t.mode == "lines" and t.line.dash == "dot"
        ]
        assert len(lines) == bool(len(cell.bound))
        if lines:
            drawn = numbers(lines[0].y)
            assert drawn[-1] == pytest.approx(cell.mean, rel=1e-6)  # drawn in single precision
            exact = mauduit.order_34(cell.rounds)
            np.testing.assert_allclose(drawn / drawn[-1], exact / exact[-1], rtol=1e-6)
            assert f"{exact[-1]:,.0f}" in rerun_words.caption(cell)


def test_the_note_says_what_the_order_is_worth_at_this_horizon():
    said = words.notes(model.board(BOARD))[0]
    T = EXPERIMENTS[BOARD].horizon
    log_sq = math.log(T) ** 2
    assert f"{math.sqrt(T**1.5 * log_sq * (math.log(10) + T**0.25 * log_sq)):,.0f} at T = {T}" in said
    turn = 1e6 * float(re.search(r"about (\d+) million rounds", said)[1])
    slopes = [
        math.log(b / a) / math.log(2.0)
        for a, b in (mauduit.order_34(np.array([x, 2 * x])) for x in (turn / 10, turn * 10))
    ]
    assert slopes[0] > 1.0 > slopes[1]  # below the turn it grows faster than T, above more slowly
