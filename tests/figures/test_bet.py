"""The words beside the bars of a bet have the sign of the truth; the bars themselves stand in the baseline."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from figures.bet import difference


@settings(max_examples=60)
@given(st.floats(0.01, 1e4), st.floats(0.01, 1e4))
def test_difference_has_the_sign_of_the_truth(said: float, true: float) -> None:
    words = difference(said, true)
    assert words == "the same" or words.endswith("more" if true > said else "less")
    assert difference(said, said) == "the same"
