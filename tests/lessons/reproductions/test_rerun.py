"""One entry, and the same seeds run again: they give the stored numbers, digit by digit."""

from __future__ import annotations

import base64
from dataclasses import replace

import numpy as np
import pytest

from lessons.reproductions import model, rerun, rerun_words
from lessons.reproductions.experiments.runner import DRAWN
from lessons.reproductions.names import REPRODUCTIONS

QUICK = "deng-figure-1a"  # a repetition takes some hundredths of a second


def numbers(packed: object) -> np.ndarray:
    """A trace's coordinates, as the browser reads them."""
    if isinstance(packed, dict):
        return np.frombuffer(base64.b64decode(packed["bdata"]), np.dtype(packed["dtype"])).astype(float)
    return np.array(packed, dtype=float)


def first(name: str, index: int = 0) -> model.Cell:
    return model.cell(model.board(name), index)


def test_stored_curves_end_in_stored_numbers() -> None:
    for name in REPRODUCTIONS:
        shown = model.board(name)
        for cell in (model.cell(shown, index) for index in range(len(shown.parts))):
            if not len(cell.rounds):
                continue
            ends = cell.values[: len(cell.curves)]
            assert len(cell.curves) == min(DRAWN, len(cell.values)), "stored before curves were kept: write it again"
            np.testing.assert_allclose(cell.curves[:, -1], ends, rtol=1e-4)  # five digits kept
            assert (np.diff(cell.curves, axis=1) >= -1e-4 * cell.curves[:, -1:]).all()
            if len(cell.curves) == len(cell.values):
                np.testing.assert_allclose(cell.curves.mean(axis=0), cell.middle, rtol=1e-4)


def test_another_number_is_told():
    cell = first(QUICK)
    piece = rerun.repetitions(cell, cell.horizon)[0]
    again = piece.perform()
    other = replace(again, numbers={**again.numbers, "regret": again.numbers["regret"] * (1 + 1e-6)})
    assert rerun.difference(cell, 0, other) == pytest.approx(1e-6, rel=1e-2)
    assert rerun.exact(cell, {piece: other}) is False
    assert "No" in rerun_words.again(cell, {piece: other})
    bent = replace(again, curve=(again.curve[0] * 1.01, *again.curve[1:]))
    assert rerun.exact(cell, {piece: bent}) is False
