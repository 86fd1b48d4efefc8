"""The words beside the bars of a bet have the sign of the truth; the bars themselves stand in the baseline."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from figures.bet import PlacedBet, bars, difference
from figures.theme import Theme


@settings(max_examples=60)
@given(st.floats(0.01, 1e4), st.floats(0.01, 1e4))
def test_difference_has_the_sign_of_the_truth(said: float, true: float) -> None:
    words = difference(said, true)
    assert words == "the same" or words.endswith("more" if true > said else "less")
    assert difference(said, said) == "the same"


def test_votes_that_were_right_alone_stand_bold() -> None:
    votes, order = (11, 14, 12), {"names": ("a", "b", "c"), "axis": "regret", "sizes": (3.0, 2.0, 1.0)}
    for right, bold in (((2, 1, 0), {12}), ((1,), {14}), ((0, 2), {11, 12})):  # of an order the first place
        drawn = bars(PlacedBet(**order, numbers=("3", "2", "1"), right=right, votes=votes), Theme()).figure.spec
        texts = {text for trace in drawn["data"] for text in trace.get("text") or ()}
        assert {vote for vote in votes if f"<b>{vote}</b>" in texts} == bold
        assert {vote for vote in votes if str(vote) in texts} == {*votes} - bold
