"""The answers of a bet as bars on the answer's scale, and after the reveal the bet beside the truth.

While the bet is open answers that are numbers are dashed bars, and others have none: buttons name them. After
the reveal a number is two bars, what was said and what it is; of several answers each has its measured bar. Where a
hall has voted, its hands are counted in a row of their own above them, on a scale of their own; of a number the dashed
bars stay.
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

HALF = 0.38  # of the distance of two bars
ROOM = 1.22  # of the highest bar: its number stands over it
LETTERS = {3: 11, 4: 8}  # of a line of a name, by the number of answers
FEW = 5  # answers, up to which each has its number over it
BRACE = 0.2  # from a bar to what its difference is called
PANEL, HALL = "answers", "hands"
# Shares of the height of a figure with hands: what was measured, and above its headline the hands.
BELOW, ABOVE = (0.0, 0.5), (0.68, 1.0)
ROOM_IN_ROW = 1.4  # of the highest bar in a row that is as low as that


@dataclass(frozen=True)
class PlacedBet:
    """A bet as plain values.

    Attributes:
        names: the answers as the screen says them.   axis: what they are measured by, in words.
        at: the number that each answer is, where they are numbers.   ranges: it is the middle of a range.
        sizes: measured for each answer, None where nothing is; empty before the reveal, and where answers are numbers.
        numbers: those sizes as the screen writes them, "" where there is none.
        right: indices of the true answers; of an order all of them, the best first; empty before the reveal.
        mine: indices that were bet on; of an order all of them, the best first; empty without a bet.
        hands: of the hall for each answer, of an order for the first place; empty where they were not counted.
        value: the truth, where answers are numbers; None before the reveal.   amount: that number.
        roles: of the colour of each answer, "" for grey, and ink where it is right; empty where none has one.
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
    hands: tuple[int, ...] = ()
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
        (_votes if bet.hands else _magnitudes)(sheet, bet)
    elif bet.revealed:
        _measured(sheet, bet)
    else:
        _draw_options(sheet, bet)
    sheet.headline(PANEL, bet.axis, color=theme.soft_ink)
    if bet.hands:
        _hands(sheet, bet)
    return sheet.film()


def difference(guess: float, true: float) -> str:
    """Return how far the truth is from what was said, in words: "15 less", "the same"."""
    gap = amount(abs(true - guess))
    return "the same" if gap == amount(0.0) else f"{gap} {'more' if true > guess else 'less'}"


def _draw_options(sheet: Sheet, bet: PlacedBet) -> None:
    """Draw every number as a dashed bar over the key that chooses it."""
    _panel(sheet, [str(i) for i in range(1, len(bet.at) + 1)], max(bet.at), True)
    for i, height in enumerate(bet.at):
        _dashed(sheet, i, height)


def _measured(sheet: Sheet, bet: PlacedBet) -> None:
    """Draw what was measured for every answer; what is right is bold, and what was bet on is named."""
    theme, n = sheet.theme, len(bet.names)
    names = [_answer_label(bet, i, name) for i, name in enumerate(map(_broken(n), bet.names))]
    sizes = bet.sizes or (None,) * n
    top = max((size for size in sizes if size is not None), default=1.0)
    _panel(sheet, names, top, True, hall=bool(bet.hands))
    for i, size in enumerate(sizes):
        right = not bet.ranks and i in bet.right
        if size is not None:
            sheet.rect(PANEL, (i - HALF, i + HALF), (0.0, size), _fill(bet, i, right, theme))
        if size is not None and i in bet.mine and not bet.ranks:
            sheet.rect(PANEL, (i - HALF - 0.06, i + HALF + 0.06), (0.0, size), None, (theme.ink, 3, "dash"))
        if bet.numbers[i] and (n <= FEW or right or i in bet.mine):
            over = size or 0.0
            label, shade = f"<b>{bet.numbers[i]}</b>", theme.ink if right or bet.ranks else theme.soft_ink
            small = n > FEW or len(bet.numbers[i]) > 6 or bool(bet.hands)
            sheet.words(PANEL, [i], [over], [label], shade, "top center", theme.tick if small else theme.label)


def _fill(bet: PlacedBet, i: int, right: bool, theme: Theme) -> str:
    """Return the colour of a measured bar: that of its role, else ink where it is right and grey where it is not."""
    if bet.roles and bet.roles[i]:
        return theme.role(bet.roles[i])
    return theme.ink if right else theme.grey


def _answer_label(bet: PlacedBet, i: int, name: str) -> str:
    """Return an answer's name, with its place in an order, and whether it was bet on."""
    if bet.ranks:
        mine = f"<br>you: {bet.mine.index(i) + 1}" if bet.mine else ""
        return f"{name}<br><b>place {bet.right.index(i) + 1}</b>{mine}"
    name = f"<b>{name}</b>" if i in bet.right else name
    return f"{name}<br>{'you' if len(bet.names) > FEW else 'your bet'}" if i in bet.mine else name


def _magnitudes(sheet: Sheet, bet: PlacedBet) -> None:
    """Draw what was said and what it is as two bars, and how far they are apart."""
    theme, value = sheet.theme, bet.value
    assert value is not None
    mine = [bet.at[i] for i in bet.mine]
    broken = _broken(3)
    names = [*(f"you said<br>{broken(bet.names[i])}" for i in bet.mine), "<b>it is</b>"]
    _panel(sheet, names, max(*mine, value, *bet.at), True, room=0.9)
    for i, guess in enumerate(mine):
        sheet.rect(PANEL, (i - HALF, i + HALF), (0.0, guess), None, (theme.ink, 3, "solid"))
    last = len(mine)
    _is(sheet, bet, last)
    if not mine or bet.ranges or difference(mine[0], value) == "the same":
        return
    edge = last + HALF + BRACE
    sheet.curve(PANEL, [HALF, edge], [mine[0], mine[0]], theme.soft_ink, 1.3, "dash")
    sheet.curve(PANEL, [edge, edge], [mine[0], value], theme.soft_ink, 2.0)
    apart = f" {difference(mine[0], value)}"
    sheet.words(PANEL, [edge], [(mine[0] + value) / 2], [apart], theme.ink, "middle right")


def _votes(sheet: Sheet, bet: PlacedBet) -> None:
    """Draw the numbers that were asked about as they stood, and beside them what it is."""
    n, value = len(bet.names), bet.value
    assert value is not None
    names = [_answer_label(bet, i, name) for i, name in enumerate(map(_broken(n), bet.names))]
    _panel(sheet, [*names, "<b>it is</b>"], max(*bet.at, value), True, hall=True)
    for i, height in enumerate(bet.at):
        _dashed(sheet, i, height)
    _is(sheet, bet, n)


def _is(sheet: Sheet, bet: PlacedBet, column: int) -> None:
    """Draw the number that is true."""
    theme = sheet.theme
    sheet.rect(PANEL, (column - HALF, column + HALF), (0.0, bet.value), theme.ink)
    size = theme.label if bet.hands else round(1.3 * theme.label)
    sheet.words(PANEL, [column], [bet.value], [f"<b>{bet.amount}</b>"], theme.ink, "top center", size)


def _hands(sheet: Sheet, bet: PlacedBet) -> None:
    """Draw the hands of a hall for each answer above what was measured for it; those that had it right are in ink."""
    theme, rights = sheet.theme, bet.right[:1] if bet.ranks else bet.right
    x = {"range": list(sheet.span(PANEL, "x")), "showticklabels": False, "showgrid": False}
    y = {"range": [0.0, ROOM_IN_ROW * max(bet.hands)], "showticklabels": False, "showgrid": False, "showline": False}
    sheet.panel(HALL, [0.0, 1.0], ABOVE, x, y)
    for i, count in enumerate(bet.hands):
        sheet.rect(HALL, (i - HALF, i + HALF), (0.0, count), style.faded(theme.ink, 0.3))
        label, shade = (f"<b>{count}</b>", theme.ink) if i in rights else (str(count), theme.soft_ink)
        sheet.words(HALL, [i], [count], [label], shade, "top center")
    named = "votes<br>for 1st" if bet.ranks else "votes"  # left of the row, where it has no numbers
    more = {"xanchor": "right", "yanchor": "bottom", "align": "right", "xshift": -4, "color": theme.soft_ink}
    sheet.note(HALL, named, 0, 0, inside="xy", **more)


def _panel(sheet: Sheet, names: list[str], top: float, numbers: bool, room: float = 0.0, *, hall: bool = False) -> None:
    """Lay out the panel of the answers; every bar stands over its name.

    Args:
        top: of the highest bar.   numbers: whether the upright axis has them.   room: right of the last bar, in bars.
        hall: the row of hands stands above it.
    """
    theme, lines = sheet.theme, max(name.count("<br>") + 1 for name in names)
    top_line = 0.3 if hall else 1.9  # lines; the row of hands is named beside it
    sheet.margins((3.4 if numbers else 0.8) * theme.tick, 8, top_line * theme.tick, 1.35 * lines * theme.tick + 10)
    x = {"range": [-0.6, len(names) - 0.4 + room], **style.ticks(range(len(names)), names), "showgrid": False}
    over, up = (ROOM_IN_ROW, BELOW) if hall else (ROOM, (0.0, 1.0))
    y = {
        "range": [0.0, over * (top or 1.0)],
        "nticks": 3 if hall else 4,
        "showticklabels": numbers,
        "showgrid": numbers,
    }
    sheet.panel(PANEL, [0.0, 1.0], up, {**x, "tickangle": 0}, {**y, "showline": False})


def _dashed(sheet: Sheet, i: int, height: float) -> None:
    theme = sheet.theme
    fill, edge = style.faded(theme.grey, 0.12), (theme.ink, 2, "dash")
    sheet.rect(PANEL, (i - HALF, i + HALF), (0.0, height), fill, edge)


def _broken(n: int) -> Callable[[str], str]:
    """Return what breaks the name of one of n answers into lines."""
    return lambda name: "<br>".join(wrap(name, LETTERS.get(n, 8)))
