"""The answers of a bet as bars on the answer's scale, and after the reveal the bet beside the truth.

While the bet is open every answer is a dashed bar, all alike but for their heights where an answer is a number. After
the reveal a number is two bars, what was said and what it is; of several answers each has its measured bar.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from textwrap import wrap

from common.formats import amount
from figures import theme as look
from figures.sheet import Sheet
from figures.theme import Film, Theme

HALF = 0.38  # of the distance of two bars
ROOM = 1.22  # of the highest bar: its number stands over it
LETTERS = {3: 11, 4: 11}  # of a line of a name, by the number of answers
FEW = 5  # answers, up to which each has its number over it
BRACE = 0.2  # from a bar to what its difference is called
PANEL = "answers"


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
        value: the truth, where answers are numbers; None before the reveal.   said: that number.
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
    said: str = ""

    @property
    def revealed(self) -> bool:
        return bool(self.right)

    @property
    def ranks(self) -> bool:
        """Whether all answers are put in an order."""
        return len(self.right) == len(self.names)


def bars(bet: PlacedBet, theme: Theme) -> Film:
    """Return the still figure of an open bet, or of one beside the truth."""
    sheet = Sheet(theme, 0, look.layout(theme, None))
    if bet.revealed and bet.value is not None:
        _magnitudes(sheet, bet)
    elif bet.revealed:
        _measured(sheet, bet)
    else:
        _asked(sheet, bet)
    sheet.headline(PANEL, bet.axis, color=theme.soft_ink)
    return sheet.film()


def difference(said: float, true: float) -> str:
    """Return how far the truth is from what was said, in words: "15 less", "the same"."""
    gap = amount(abs(true - said))
    return "the same" if gap == amount(0.0) else f"{gap} {'more' if true > said else 'less'}"


def _asked(sheet: Sheet, bet: PlacedBet) -> None:
    """Draw every answer as a dashed bar."""
    heights = bet.at or (1.0,) * len(bet.names)
    said = [f"{name}<br>{i}" for i, name in enumerate(map(_broken(len(bet.names)), bet.names), start=1)]
    _panel(sheet, said, max(heights), bool(bet.at))
    for i, height in enumerate(heights):
        _dashed(sheet, i, height)


def _measured(sheet: Sheet, bet: PlacedBet) -> None:
    """Draw what was measured for every answer, in ink where it is right; what was bet on is named."""
    theme, n = sheet.theme, len(bet.names)
    names = [_named(bet, i, name) for i, name in enumerate(map(_broken(n), bet.names))]
    sizes = bet.sizes or (None,) * n
    top = max((size for size in sizes if size is not None), default=1.0)
    _panel(sheet, names, top, True)
    for i, size in enumerate(sizes):
        right = not bet.ranks and i in bet.right
        if size is not None:
            sheet.rect(PANEL, (i - HALF, i + HALF), (0.0, size), theme.ink if right else theme.grey)
        if size is not None and i in bet.mine and not bet.ranks:
            sheet.rect(PANEL, (i - HALF - 0.06, i + HALF + 0.06), (0.0, size), None, (theme.ink, 3, "dash"))
        if bet.numbers[i] and (n <= FEW or right or i in bet.mine):
            over = size or 0.0
            said, shade = f"<b>{bet.numbers[i]}</b>", theme.ink if right or bet.ranks else theme.soft_ink
            small = n > FEW or len(bet.numbers[i]) > 6
            sheet.words(PANEL, [i], [over], [said], shade, "top center", theme.tick if small else theme.label)


def _named(bet: PlacedBet, i: int, name: str) -> str:
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
    both = [*mine, value]
    broken = _broken(3)
    names = [*(f"you said<br>{broken(bet.names[i])}" for i in bet.mine), "<b>it is</b>"]
    _panel(sheet, names, max(*both, *bet.at), True, room=0.9)
    for i, said in enumerate(mine):
        sheet.rect(PANEL, (i - HALF, i + HALF), (0.0, said), None, (theme.ink, 3, "solid"))
    last = len(mine)
    sheet.rect(PANEL, (last - HALF, last + HALF), (0.0, value), theme.ink)
    sheet.words(PANEL, [last], [value], [f"<b>{bet.said}</b>"], theme.ink, "top center", round(1.3 * theme.label))
    if not mine or bet.ranges or difference(mine[0], value) == "the same":
        return
    edge = last + HALF + BRACE
    sheet.curve(PANEL, [HALF, edge], [mine[0], mine[0]], theme.soft_ink, 1.3, "dash")
    sheet.curve(PANEL, [edge, edge], [mine[0], value], theme.soft_ink, 2.0)
    apart = f" {difference(mine[0], value)}"
    sheet.words(PANEL, [edge], [(mine[0] + value) / 2], [apart], theme.ink, "middle right")


def _panel(sheet: Sheet, names: list[str], top: float, numbers: bool, room: float = 0.0) -> None:
    """Lay out the one panel; every bar stands over its name.

    Args:
        top: of the highest bar.   numbers: whether the upright axis has them.   room: right of the last bar, in bars.
    """
    theme, lines = sheet.theme, max(name.count("<br>") + 1 for name in names)
    sheet.margins((3.4 if numbers else 0.8) * theme.tick, 8, 1.9 * theme.tick, 1.35 * lines * theme.tick + 10)
    x = {"range": [-0.6, len(names) - 0.4 + room], **look.ticks(range(len(names)), names), "showgrid": False}
    y = {"range": [0.0, ROOM * (top or 1.0)], "nticks": 4, "showticklabels": numbers, "showgrid": numbers}
    sheet.panel(PANEL, [0.0, 1.0], [0.0, 1.0], {**x, "tickangle": 0}, {**y, "showline": False})


def _dashed(sheet: Sheet, i: int, height: float) -> None:
    theme = sheet.theme
    fill, edge = look.faded(theme.grey, 0.12), (theme.ink, 2, "dash")
    sheet.rect(PANEL, (i - HALF, i + HALF), (0.0, height), fill, edge)


def _broken(n: int) -> Callable[[str], str]:
    """Return what breaks the name of one of n answers into lines."""
    return lambda name: "<br>".join(wrap(name, LETTERS.get(n, 8)))
