"""The strip that shows a bet beside the truth: marks where they belong, words that do not meet, valid figures."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from figures import bet as bet_figure
from figures.bet import PlacedBet, strip
from figures.theme import METHODS, Theme
from lessons import LESSONS
from shell.bets.reveal import placed_bet

LESSON = {lesson.key: lesson for lesson in LESSONS if lesson.bet}
BETS = {key: lesson.bet for key, lesson in LESSON.items()}
THEMES = [Theme(), Theme(dark=True, lecture=True)]
ROW = PlacedBet(("A", "B", "Equal"), (), ("4.0", "4.1", ""), 1, 0, (), (), None, "", "")
AXIS = PlacedBet(("low", "middle", "high"), (), ("", "", ""), None, 2, (), (0.0, 1.0, 2.0), 1.3, "1.3", "times as many")
RACED = ("TV-GP-UCB", "GP-UCB", "Random")
ORDER = PlacedBet(RACED, RACED, ("42", "149", "415"), None, None, (1, 0, 2), (), None, "", "")


def dots(figure: object, ink: str) -> list[tuple[float, float]]:
    """Where the filled circles in ink stand."""
    found = [t for t in figure.data if t.mode == "markers" and t.marker.color == ink]
    return [(float(x), float(y)) for t in found for x, y in zip(t.x, t.y, strict=True)]


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("key", BETS)
def test_every_bet_is_a_valid_figure_with_the_truth_and_the_bet_in_it(key: str, theme: Theme) -> None:
    bet, told = BETS[key], LESSON[key].truth(LESSON[key].settings(BETS[key].values), BETS[key])
    words = list(bet.options)
    where = placed_bet(bet, told, ".".join(words) if bet.ranks else words[-1])
    figure = strip(where, theme).figure.checked()
    shapes = figure.layout.shapes
    assert len(shapes) == (len(words) if bet.ranks else 1)
    assert all(s.line.dash == "dot" and s.line.color == theme.grey and s.path.startswith("M 0 ") for s in shapes)
    if bet.ranks:
        assert dots(figure, theme.ink) == [(1.0, float(i)) for i in range(len(words))]
        return
    x = where.at[-1] if where.at else len(words) - 1.0
    assert shapes[0].xanchor == pytest.approx(x) and shapes[0].yanchor == 0
    truth = where.value if where.at else words.index(told.right[0])
    assert dots(figure, theme.ink) == [(pytest.approx(truth, abs=1e-6), 0.0)]  # float32 in the message
    low, high = figure.layout.xaxis.range
    assert low < min(x, truth) and max(x, truth) < high


def texts(figure: object) -> dict[str, tuple[float, str]]:
    """word -> (x, side) of everything written."""
    return {
        str(w): (float(x), t.textposition)
        for t in figure.data
        if t.mode == "text"
        for w, x in zip(t.text, t.x, strict=True)
    }


def test_a_right_bet_has_one_tag_and_both_marks() -> None:
    figure = strip(replace(ROW, mine=1), Theme()).figure.checked()
    assert "<b>truth</b> = your bet" in texts(figure) and "your bet" not in texts(figure)
    assert figure.layout.shapes[0].xanchor == 1.0 and dots(figure, Theme().ink) == [(1.0, 0.0)]


@settings(max_examples=40)
@given(st.floats(0.0, 2.0), st.sampled_from([0, 1, 2]))
def test_tags_never_meet(value: float, mine: int) -> None:
    """Where the marks are close the tags stand on the far sides of them, else each over its own."""
    figure = strip(replace(AXIS, value=value, mine=mine), Theme()).figure.checked()
    said = texts(figure)
    if "<b>truth</b> = your bet" in said:
        assert value == mine
        return
    (at, side), (bet, other) = said["<b>truth</b>"], said["your bet"]
    low, high = figure.layout.xaxis.range
    if abs(at - bet) < 0.159 * (high - low):
        assert {side, other} == {"middle left", "middle right"}
        assert (side == "middle left") == (value < mine)  # the words run away from each other


def test_without_a_bet_there_is_the_truth_alone() -> None:
    for bet in (replace(ROW, mine=None), replace(AXIS, mine=None), replace(ORDER, order=())):
        figure = strip(bet, Theme()).figure.checked()
        assert not figure.layout.shapes and "your bet" not in texts(figure) and dots(figure, Theme().ink)


def test_an_order_is_joined_line_by_line_in_the_colours_of_the_methods() -> None:
    figure = strip(ORDER, Theme()).figure.checked()
    lines = [t for t in figure.data if t.mode == "lines"]
    assert [(float(t.y[0]), float(t.y[1])) for t in lines] == [(0.0, 1.0), (1.0, 0.0), (2.0, 2.0)]
    assert [t.line.color for t in lines] == [METHODS[ORDER.keys[k]].light for k in ORDER.order]
    assert {f"{ORDER.names[k]}  {i}" for i, k in enumerate(ORDER.order, 1)} <= set(texts(figure))


@pytest.mark.parametrize(
    ("name", "lines"), [("Equal", 1), ("Over 20 times", 1), ("Three times as often", 2), ("Unbreakablelongword", 1)]
)
def test_a_long_answer_is_broken_at_a_blank(name: str, lines: int) -> None:
    figure = strip(replace(ROW, names=(name, "B", "C")), Theme()).figure.checked()
    written = next(w for w in texts(figure) if w.replace("<br>", " ") == name)
    assert written.count("<br>") + 1 == lines


def test_type_is_as_large_as_everywhere_else() -> None:
    for theme in THEMES:
        figure = strip(ROW, theme).figure.checked()
        assert {t.textfont.size for t in figure.data if t.mode == "text"} == {theme.tick}
        assert np.all(
            np.diff([bet_figure.NAMES_Y, 0.0, bet_figure.NUMBERS_Y, bet_figure.TAGS_Y]) > 0.5
        )  # three lines and the marks
