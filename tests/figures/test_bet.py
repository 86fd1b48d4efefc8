"""The answers of a bet as bars: at their place on the answer's scale, all alike while it is open, true after it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from figures.bet import PlacedBet, bars, difference
from figures.theme import Theme
from lessons import LESSONS
from shell.bets.page import placed_bet

LESSON = {lesson.key: lesson for lesson in LESSONS if lesson.bet}
THEMES = [Theme(), Theme(dark=True, lecture=True)]
NUMBERS = PlacedBet(("low", "middle", "high"), "times as many", at=(1.0, 2.0, 3.0))
NAMES = PlacedBet(("A", "B", "Equal"), "regret")
TOLD = replace(NAMES, sizes=(4.0, 5.0, None), numbers=("4.0", "5.0", ""), right=(1,), mine=(0,))
ORDER = replace(NAMES, sizes=(4.0, 5.0, 6.0), numbers=("4.0", "5.0", "6.0"), right=(0, 1, 2), mine=(2, 1, 0))


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


def notes(figure: object) -> list[str]:
    return [note.text for note in figure.layout.annotations]


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("key", LESSON)
def test_every_bet_is_a_valid_figure_open_and_told(key: str, theme: Theme) -> None:
    lesson, bet = LESSON[key], LESSON[key].bet
    told, options = lesson.truth(lesson.settings(bet.values), bet), list(bet.options)
    open_ = bars(PlacedBet(tuple(bet.options.values()), bet.axis, bet.places), theme).figure.checked()
    drawn = boxes(open_)
    assert [round(x) for x, *_ in drawn] == list(range(len(options))) and {dash for _, _, dash, _ in drawn} == {"dash"}
    assert [height for _, height, *_ in drawn] == pytest.approx(bet.places or [1.0] * len(options))
    assert len({fill for *_, fill in drawn}) == 1  # all alike
    for guess in (".".join(options) if bet.ranks else options[-1], "open"):
        shown = bars(placed_bet(bet, told, guess), theme).figure.checked()
        assert bet.axis in [note.text for note in shown.layout.annotations]
        heights = {round(height, 4) for _, height, *_ in boxes(shown)}
        assert {round(size, 4) for size in told.sizes.values()} <= heights
        if told.value is not None:
            assert round(told.value, 4) in heights and any(told.said in word for word in words(shown))


def test_a_number_that_was_bet_stands_beside_the_truth_with_the_difference_in_words() -> None:
    figure = bars(replace(NUMBERS, right=(2,), mine=(0,), value=3.2, said="× 3.2"), Theme()).figure.checked()
    mine, truth = boxes(figure)
    assert mine[:2] == (0.0, 1.0) and truth[:2] == (1.0, pytest.approx(3.2)) and not mine[3] and truth[3]
    assert any("2.2 more" in word for word in words(figure)) and figure.layout.xaxis.ticktext[0] == "you said<br>low"
    assert figure.layout.yaxis.range[0] == 0.0  # magnitudes


def test_of_a_range_no_difference_is_said() -> None:
    figure = bars(replace(NUMBERS, ranges=True, right=(2,), mine=(0,), value=3.2, said="3.2"), Theme()).figure.checked()
    assert not any("more" in word or "less" in word for word in words(figure))


def test_without_a_bet_there_is_the_truth_alone() -> None:
    figure = bars(replace(NUMBERS, right=(2,), value=3.2, said="3.2"), Theme()).figure.checked()
    assert [box[:2] for box in boxes(figure)] == [(0.0, pytest.approx(3.2))]
    assert not any(
        "your bet" in name for name in bars(replace(TOLD, mine=()), Theme()).figure.checked().layout.xaxis.ticktext
    )


def test_what_was_measured_stands_where_it_was_asked_and_the_true_answer_is_in_ink() -> None:
    figure = bars(TOLD, Theme()).figure.checked()
    filled = [box for box in boxes(figure) if box[3]]
    assert [box[:2] for box in filled] == [(0.0, 4.0), (1.0, 5.0)] and filled[1][3] == Theme().ink != filled[0][3]
    names = figure.layout.xaxis.ticktext
    assert "your bet" in names[0] and names[1] == "<b>B</b>" and names[2] == "Equal"


def test_an_order_names_both_places_of_each() -> None:
    names = bars(ORDER, Theme()).figure.checked().layout.xaxis.ticktext
    assert names == (
        "A<br><b>place 1</b><br>you: 3",
        "B<br><b>place 2</b><br>you: 2",
        "Equal<br><b>place 3</b><br>you: 1",
    )


@settings(max_examples=60)
@given(st.floats(0.01, 1e4), st.floats(0.01, 1e4))
def test_a_difference_has_the_sign_of_the_truth_less_the_bet(said: float, true: float) -> None:
    words = difference(said, true)
    assert words == "the same" or words.endswith("more" if true > said else "less")
    assert difference(said, said) == "the same"


def test_the_open_bet_knows_no_truth() -> None:
    """The figure of a question is made from names and places alone."""
    bet = LESSON["forgetting"].bet
    placed = PlacedBet(tuple(bet.options.values()), bet.axis, bet.places)
    assert not placed.revealed and placed.sizes == () and placed.numbers == () and placed.value is None


HANDS = (12, 3, 0)


@pytest.mark.parametrize("told", [TOLD, ORDER], ids=["answers", "order"])
def test_the_hands_of_a_hall_are_a_histogram_in_a_row_of_their_own_above_what_was_measured(told: PlacedBet) -> None:
    figure = bars(replace(told, hands=HANDS), Theme()).figure.checked()
    hall, panel = figure.layout.yaxis2, figure.layout.yaxis
    assert hall.domain[0] > panel.domain[1] and figure.layout.xaxis2.range == figure.layout.xaxis.range
    assert [box[:2] for box in boxes(figure, "y2")] == [(0.0, 12.0), (1.0, 3.0)]  # counts; of none no bar
    assert hall.range[0] == 0.0 and not hall.showticklabels  # each bar has its count over it
    right = 0 if told is ORDER else 1  # in an order a hand is for the first place
    assert words(figure, "y2") == [f"<b>{n}</b>" if i == right else str(n) for i, n in enumerate(HANDS)]
    measured = {middle: height for middle, height, _, fill in boxes(figure) if fill}
    assert measured == {i: size for i, size in enumerate(told.sizes) if size is not None}  # regret alone, full width
    assert {"regret", "hands<br>for 1st" if told is ORDER else "hands"} <= {*notes(figure)}


def test_without_hands_there_is_no_row_for_them() -> None:
    figure = bars(TOLD, Theme()).figure.checked()
    assert "yaxis2" not in figure.layout.to_plotly_json() and figure.layout.yaxis.domain == (0.0, 1.0)


def test_hands_for_numbers_keep_the_bars_that_were_asked_about_beside_the_truth() -> None:
    told = replace(NUMBERS, right=(2,), mine=(0,), value=3.2, said="× 3.2", hands=(4, 0, 8))
    figure = bars(told, Theme()).figure.checked()
    assert list(figure.layout.xaxis.ticktext) == ["low<br>your bet", "middle", "<b>high</b>", "<b>it is</b>"]
    drawn = boxes(figure)
    assert [box[:2] for box in drawn if box[2] == "dash"] == [(0.0, 1.0), (1.0, 2.0), (2.0, 3.0)]
    assert (3.0, pytest.approx(3.2)) in [box[:2] for box in drawn]
    assert [box[:2] for box in boxes(figure, "y2")] == [(0.0, 4.0), (2.0, 8.0)]
    assert words(figure, "y2") == ["4", "0", "<b>8</b>"]
