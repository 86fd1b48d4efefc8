"""The answers of a bet as bars on the answer's scale, and after the reveal the bet beside the truth.

In an open bet each answer that is a number is a dashed bar; other answers have no bars, since buttons name them. After
the reveal a bet on numbers is two bars, the guess and the truth. In other bets each answer has a bar of its measured
size. The votes of a hall have a row of their own above, with a scale of its own; answers that are numbers then stay
dashed bars.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from textwrap import wrap

from common.formats import amount
from figures import theme as style
from figures.film import Film
from figures.sheet import Sheet
from figures.theme import Theme

# Widths and distances on the x axis, where two neighbouring bars are 1 apart.
HALF_WIDTH = 0.38
BRACKET_GAP = 0.2  # from a bar to the bracket of the difference
# Length of the y axis in heights of the highest bar, whose number stands above it. With votes there are two low panels,
# of which a number takes a larger share.
HEADROOM, HEADROOM_WITH_VOTES = 1.22, 1.4
# Letters in a line of a name, by the number of answers; with more answers as with four.
LINE_LETTERS = {3: 11, 4: 8}
MAX_NUMBERED = 5  # answers, up to which each has its number above it
PANEL, VOTES = "answers", "votes"
# Parts of the height, from 0 to 1, of the answers and of the row of votes.
ANSWERS_UP, VOTES_UP = (0.0, 0.5), (0.68, 1.0)


@dataclass(frozen=True)
class PlacedBet:
    """A bet as plain values.

    Attributes:
        names: of the answers on screen.   axis: quantity that is compared, in words.
        at: number that each answer stands for, empty where they are no numbers.   ranges: it is the middle of a range.
        sizes: measured size of each answer, None where there is none; empty before the reveal and for numbers.
        numbers: those sizes as text, "" where there is none.
        right: indices of the true answers; of an order all of them, the best first; empty before the reveal.
        mine: indices of the reader's guess; of an order all of them, the best first; empty without a bet.
        votes: number of votes in the hall for each answer, of an order for its first place; empty where nobody voted.
        value: the truth, where answers are numbers; None before the reveal.   amount: it as text.
        roles: role of each answer's colour in the theme, "" for grey (ink if right); empty where none has one.
    """

    names: tuple[str, ...]
    axis: str
    at: tuple[float, ...] = ()
    ranges: bool = False
    sizes: tuple[float | None, ...] = ()
    numbers: tuple[str, ...] = ()
    right: tuple[int, ...] = ()
    mine: tuple[int, ...] = ()
    value: float | None = None
    amount: str = ""
    votes: tuple[int, ...] = ()
    roles: tuple[str, ...] = ()

    @property
    def revealed(self) -> bool:
        return bool(self.right)

    @property
    def ranks(self) -> bool:
        """Return whether all answers are put in an order."""
        return len(self.right) == len(self.names)


def bars(bet: PlacedBet, theme: Theme) -> Film:
    """Return the still figure of an open bet, or of one beside the truth."""
    sheet = Sheet(theme, 0)
    if bet.revealed and bet.value is not None:
        (_draw_options_and_truth if bet.votes else _draw_guess_and_truth)(sheet, bet)
    elif bet.revealed:
        _draw_measured(sheet, bet)
    else:
        _draw_options(sheet, bet)
    sheet.headline(PANEL, bet.axis, color=theme.soft_ink)
    if bet.votes:
        _draw_votes(sheet, bet)
    return sheet.film()


def difference(guess: float, true: float) -> str:
    """Return how far the truth is from the guess, in words: "15 less", "the same"."""
    gap = amount(abs(true - guess))
    return "the same" if gap == amount(0.0) else f"{gap} {'more' if true > guess else 'less'}"


def _draw_options(sheet: Sheet, bet: PlacedBet) -> None:
    """Draw every number as a dashed bar over the key that chooses it."""
    _lay_out_answers(sheet, [str(i) for i in range(1, len(bet.at) + 1)], max(bet.at))
    for i, height in enumerate(bet.at):
        _draw_dashed_bar(sheet, i, height)


def _draw_measured(sheet: Sheet, bet: PlacedBet) -> None:
    """Draw the measured size of every answer; names that are right are bold, and the guess is marked."""
    theme, n = sheet.theme, len(bet.names)
    names = [_answer_label(bet, i, name) for i, name in enumerate(map(_line_breaker(n), bet.names))]
    sizes = bet.sizes or (None,) * n
    top = max((size for size in sizes if size is not None), default=1.0)
    _lay_out_answers(sheet, names, top, votes=bool(bet.votes))
    for i, size in enumerate(sizes):
        right = not bet.ranks and i in bet.right
        if size is not None:
            sheet.rect(PANEL, (i - HALF_WIDTH, i + HALF_WIDTH), (0.0, size), _fill(bet, i, right, theme))
        if size is not None and i in bet.mine and not bet.ranks:
            sheet.rect(PANEL, (i - HALF_WIDTH - 0.06, i + HALF_WIDTH + 0.06), (0.0, size), None, (theme.ink, 3, "dash"))
        if bet.numbers[i] and (n <= MAX_NUMBERED or right or i in bet.mine):
            over = size or 0.0
            label, shade = f"<b>{bet.numbers[i]}</b>", theme.ink if right or bet.ranks else theme.soft_ink
            small = n > MAX_NUMBERED or len(bet.numbers[i]) > 6 or bool(bet.votes)
            sheet.words(PANEL, [i], [over], [label], shade, "top center", theme.tick if small else theme.label)


def _fill(bet: PlacedBet, i: int, right: bool, theme: Theme) -> str:
    """Return the colour of a measured bar: that of its role, else ink if it is right, else grey."""
    if bet.roles and bet.roles[i]:
        return theme.role(bet.roles[i])
    return theme.ink if right else theme.grey


def _answer_label(bet: PlacedBet, i: int, name: str) -> str:
    """Return an answer's name, with its place if it has one, and a mark if it is the reader's guess."""
    if bet.ranks:
        mine = f"<br>you: {bet.mine.index(i) + 1}" if bet.mine else ""
        return f"{name}<br><b>place {bet.right.index(i) + 1}</b>{mine}"
    name = f"<b>{name}</b>" if i in bet.right else name
    return f"{name}<br>{'you' if len(bet.names) > MAX_NUMBERED else 'your bet'}" if i in bet.mine else name


def _draw_guess_and_truth(sheet: Sheet, bet: PlacedBet) -> None:
    """Draw the guess and the truth as two bars, and a bracket with their difference."""
    theme, value = sheet.theme, bet.value
    assert value is not None
    mine = [bet.at[i] for i in bet.mine]
    break_lines = _line_breaker(3)
    names = [*(f"you said<br>{break_lines(bet.names[i])}" for i in bet.mine), "<b>it is</b>"]
    _lay_out_answers(sheet, names, max(*mine, value, *bet.at), room=0.9)
    for i, guess in enumerate(mine):
        sheet.rect(PANEL, (i - HALF_WIDTH, i + HALF_WIDTH), (0.0, guess), None, (theme.ink, 3, "solid"))
    last = len(mine)
    _draw_truth(sheet, bet, last)
    if not mine or bet.ranges or difference(mine[0], value) == "the same":
        return
    bracket = last + HALF_WIDTH + BRACKET_GAP
    sheet.curve(PANEL, [HALF_WIDTH, bracket], [mine[0], mine[0]], theme.soft_ink, 1.3, "dash")
    sheet.curve(PANEL, [bracket, bracket], [mine[0], value], theme.soft_ink, 2.0)
    apart = f" {difference(mine[0], value)}"
    sheet.words(PANEL, [bracket], [(mine[0] + value) / 2], [apart], theme.ink, "middle right")


def _draw_options_and_truth(sheet: Sheet, bet: PlacedBet) -> None:
    """Draw the answers as in the open bet, and the truth to the right of them."""
    n, value = len(bet.names), bet.value
    assert value is not None
    names = [_answer_label(bet, i, name) for i, name in enumerate(map(_line_breaker(n), bet.names))]
    _lay_out_answers(sheet, [*names, "<b>it is</b>"], max(*bet.at, value), votes=True)
    for i, height in enumerate(bet.at):
        _draw_dashed_bar(sheet, i, height)
    _draw_truth(sheet, bet, n)


def _draw_truth(sheet: Sheet, bet: PlacedBet, column: int) -> None:
    """Draw the bar of the truth with its number."""
    theme = sheet.theme
    sheet.rect(PANEL, (column - HALF_WIDTH, column + HALF_WIDTH), (0.0, bet.value), theme.ink)
    size = theme.label if bet.votes else round(1.3 * theme.label)
    sheet.words(PANEL, [column], [bet.value], [f"<b>{bet.amount}</b>"], theme.ink, "top center", size)


def _draw_votes(sheet: Sheet, bet: PlacedBet) -> None:
    """Draw the votes for each answer in a row above the answers; the numbers of right ones are bold and in ink."""
    theme, rights = sheet.theme, bet.right[:1] if bet.ranks else bet.right
    x = {"range": list(sheet.span(PANEL, "x")), "showticklabels": False, "showgrid": False}
    top = HEADROOM_WITH_VOTES * max(bet.votes)
    y = {"range": [0.0, top], "showticklabels": False, "showgrid": False, "showline": False}
    sheet.panel(VOTES, [0.0, 1.0], VOTES_UP, x, y)
    for i, count in enumerate(bet.votes):
        sheet.rect(VOTES, (i - HALF_WIDTH, i + HALF_WIDTH), (0.0, count), style.faded(theme.ink, 0.3))
        label, shade = (f"<b>{count}</b>", theme.ink) if i in rights else (str(count), theme.soft_ink)
        sheet.words(VOTES, [i], [count], [label], shade, "top center")
    named = "votes<br>for 1st" if bet.ranks else "votes"  # left of the row, which has no numbers there
    more = {"xanchor": "right", "yanchor": "bottom", "align": "right", "xshift": -4, "color": theme.soft_ink}
    sheet.note(VOTES, named, 0, 0, inside="xy", **more)


def _lay_out_answers(sheet: Sheet, names: list[str], top: float, room: float = 0.0, *, votes: bool = False) -> None:
    """Lay out the panel of the answers, with a name below each bar.

    Args:
        top: height of the highest bar.   room: on the x axis right of the last bar.   votes: whether the row of votes
            stands above.
    """
    theme, lines = sheet.theme, max(name.count("<br>") + 1 for name in names)
    top_line = 0.3 if votes else 1.9  # in lines: the row of votes has its name beside it, not above
    sheet.margins(3.4 * theme.tick, 8, top_line * theme.tick, 1.35 * lines * theme.tick + 10)
    x = {"range": [-0.6, len(names) - 0.4 + room], **style.ticks(range(len(names)), names), "showgrid": False}
    over, up = (HEADROOM_WITH_VOTES, ANSWERS_UP) if votes else (HEADROOM, (0.0, 1.0))
    y = {
        "range": [0.0, over * (top or 1.0)],
        "nticks": 3 if votes else 4,
        "showticklabels": True,
        "showgrid": True,
    }
    sheet.panel(PANEL, [0.0, 1.0], up, {**x, "tickangle": 0}, {**y, "showline": False})


def _draw_dashed_bar(sheet: Sheet, i: int, height: float) -> None:
    theme = sheet.theme
    fill, edge = style.faded(theme.grey, 0.12), (theme.ink, 2, "dash")
    sheet.rect(PANEL, (i - HALF_WIDTH, i + HALF_WIDTH), (0.0, height), fill, edge)


def _line_breaker(n: int) -> Callable[[str], str]:
    """Return a function that breaks the name of one of n answers into lines."""
    return lambda name: "<br>".join(wrap(name, LINE_LETTERS.get(n, 8)))
