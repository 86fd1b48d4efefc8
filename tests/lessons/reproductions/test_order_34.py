"""The order of Mauduit et al., equation 34, beside W-SparQ's regret: its values, its curve and its words."""

from __future__ import annotations

import math

import numpy as np
import pytest

from figures.theme import Theme
from lessons.reproductions import figure_entry, model, rerun_words
from lessons.reproductions.experiments import mauduit
from tests.lessons.reproductions.test_rerun import numbers
from tvbo_core.theory import THEOREMS

BOARD = "mauduit-figure-2"


def test_the_order_has_the_theorems_rate():
    # T = e: every logarithm of T is 1.
    assert mauduit.order_34(np.array([math.e]))[0] == pytest.approx(
        math.sqrt(math.e**1.5 * (math.log(10.0) + math.e**0.25)), rel=1e-12
    )
    far = 1e30  # where ln(1/delta) is nothing beside T^(1/4) ln^2 T
    assert mauduit.order_34(np.array([far]))[0] == pytest.approx(
        THEOREMS["mauduit-3.10"].curve(far, logs=True), rel=1e-9
    )


def test_logarithms_add_to_its_growth():
    T = math.exp(200.0)  # ln(1/delta) is gone: 7/8 + 2/ln T
    assert mauduit.growth_34(T) == pytest.approx(7 / 8 + 2 / 200, abs=1e-7)


def test_its_curve_ends_at_its_methods_mean():
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
