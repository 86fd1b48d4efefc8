"""The answers of a bet as bars: at their place on the answer's scale, all alike while it is open, true after it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from figures.bet import PlacedBet, bars, difference
from figures.theme import Theme

NUMBERS = PlacedBet(("low", "middle", "high"), "times as many", at=(1.0, 2.0, 3.0))


def boxes(figure: object, axis: str = "y") -> list[tuple[float, float, str, str]]:
    """Return (middle, height, dash, fill) of every bar of a panel."""
    found = []
    for trace in figure.data:
        if (
            trace.yaxis == axis
            and trace.mode == "lines"
            and len(trace.x) >= 4
            and len(set(np.asarray(trace.y).tolist())) == 2
        ):
            middle = float(np.mean([min(trace.x), max(trace.x)]))
            found.append((round(middle, 6), float(max(trace.y)), trace.line.dash or "", trace.fillcolor or ""))
    return found


def words(figure: object, axis: str = "y") -> list[str]:
    return [str(word) for trace in figure.data if trace.yaxis == axis and trace.mode == "text" for word in trace.text]


def test_number_bets_stand_beside_the_truth() -> None:
    figure = bars(replace(NUMBERS, right=(2,), mine=(0,), value=3.2, said="× 3.2"), Theme()).figure.checked()
    mine, truth = boxes(figure)
    assert mine[:2] == (0.0, 1.0) and truth[:2] == (1.0, pytest.approx(3.2)) and not mine[3] and truth[3]
    assert any("2.2 more" in word for word in words(figure)) and figure.layout.xaxis.ticktext[0] == "you said<br>low"
    assert figure.layout.yaxis.range[0] == 0.0  # magnitudes


@settings(max_examples=60)
@given(st.floats(0.01, 1e4), st.floats(0.01, 1e4))
def test_difference_has_the_sign_of_the_truth(said: float, true: float) -> None:
    words = difference(said, true)
    assert words == "the same" or words.endswith("more" if true > said else "less")
    assert difference(said, said) == "the same"
