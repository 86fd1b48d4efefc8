"""The strip of a bet: answers in a row or on a number axis, or an order beside the measured order.

The truth is a filled circle in ink with its number, the reader's bet a dotted grey diamond.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from figures import theme as look
from figures.theme import Film, Theme

LINE_LETTERS = 15  # a longer answer is written in two lines
TAG_SHARE = 0.16  # of the axis; tags of marks that are closer are set side by side
TAGS_Y, NUMBERS_Y, NAMES_Y = 2.0, 1.2, -0.75  # heights of the three lines of words; the marks stand at 0


@dataclass(frozen=True)
class PlacedBet:
    """A revealed bet as plain values.

    Attributes:
        names: the answers as the screen says them; of an order bet the methods, best first.
        keys: of an order bet the methods whose colours these are, else empty.
        numbers: measured for each answer, "" where there is none.
        right: index of the true answer, None on a number axis.   mine: index that was bet on, None without a bet.
        order: of an order bet, for each place of the bet the index of its name; empty without one.
        at: places of the answers on a number axis (already logarithms on a logarithmic one), empty in a row.
        value: the truth on that axis.   said: its number.   title: of the axis.
    """

    names: tuple[str, ...]
    keys: tuple[str, ...]
    numbers: tuple[str, ...]
    right: int | None
    mine: int | None
    order: tuple[int, ...]
    at: tuple[float, ...]
    value: float | None
    said: str
    title: str


def strip(bet: PlacedBet, theme: Theme) -> Film:
    """Return the still figure of a bet beside the truth."""
    return _orders(bet, theme) if bet.keys else _answers(bet, theme)


def _answers(bet: PlacedBet, theme: Theme) -> Film:
    """Draw the answers side by side, the truth and the bet among them."""
    x = [float(place) for place in (bet.at or range(len(bet.names)))]
    truth = bet.value if bet.value is not None else None if bet.right is None else x[bet.right]
    mine = None if bet.mine is None else x[bet.mine]
    ends = [*x, *([] if truth is None else [truth])]
    low, high = min(ends), max(ends)
    margin = 0.16 * (high - low) if bet.at else 0.55
    span = (low - margin, high + margin)
    size, lines = theme.tick, max(_two_lines(name).count("<br>") for name in bet.names)
    frame = look.layout(
        theme,
        round(size * (6.0 + 1.2 * lines + (1.7 if bet.title else 0))),
        margin={"l": 8, "r": 8, "t": 4, "b": 4},
        xaxis=look.axis(theme, range=list(span), visible=False),
        yaxis=look.axis(theme, range=[-1.7 - 0.7 * lines - (0.95 if bet.title else 0), 2.4], visible=False),
    )
    traces = [
        look.line(list(span), [0.0, 0.0], theme.soft_ink, 1.2),
        look.dots(x, [0.0] * len(x), None, theme.marker, "line-ns", (1.5, theme.soft_ink)),
        _words(x, NAMES_Y, [_two_lines(n) for n in bet.names], theme.ink, size, "bottom center"),
    ]
    if bet.title:
        below = NAMES_Y - 0.95 - 0.7 * lines
        traces.append(_words([(low + high) / 2], below, [bet.title], theme.soft_ink, size, "bottom center"))
    if any(bet.numbers):
        shades = [theme.ink if truth is not None and v == truth else theme.soft_ink for v in x]
        said = [f"<b>{n}</b>" if v == truth and n else n for n, v in zip(bet.numbers, x, strict=True)]
        traces.append(_words(x, NUMBERS_Y, said, shades, size, "middle center"))
    elif truth is not None:
        traces.append(_words([truth], NUMBERS_Y, [f"<b>{bet.said}</b>"], theme.ink, size, "middle center"))
    traces += _tags(truth, mine, span, theme)
    if truth is not None:
        traces.append(look.dots([truth], [0.0], theme.ink, theme.marker + 4, opacity=1))
    if mine is not None:
        frame["shapes"] = [_diamond(mine, 0.0, theme)]
    return look.film(traces, frame)


def _tags(truth: float | None, mine: float | None, span: tuple[float, float], theme: Theme) -> list[dict]:
    """Return the labels above the two marks, side by side where the marks are close."""
    sides = ("center", "center")
    if truth is not None and mine is not None and abs(truth - mine) < TAG_SHARE * (span[1] - span[0]):
        if truth == mine:
            return [_words([truth], TAGS_Y, ["<b>truth</b> = your bet"], theme.ink, theme.tick, "middle center")]
        sides = ("right", "left") if mine > truth else ("left", "right")
    found = []
    if truth is not None:
        side = {"left": "right", "right": "left"}.get(sides[0], "center")
        found.append(_words([truth], TAGS_Y, ["<b>truth</b>"], theme.ink, theme.tick, f"middle {side}"))
    if mine is not None:
        side = {"left": "right", "right": "left"}.get(sides[1], "center")
        found.append(_words([mine], TAGS_Y, ["your bet"], theme.soft_ink, theme.tick, f"middle {side}"))
    return found


def _orders(bet: PlacedBet, theme: Theme) -> Film:
    """Draw a slope chart of the order that was bet on and the measured one."""
    n, size = len(bet.names), theme.tick
    frame = look.layout(
        theme,
        round(size * (1.6 * n + 2.0)),
        margin={"l": 8, "r": 8, "t": 4, "b": 4},
        xaxis=look.axis(theme, range=[-0.85, 2.0], visible=False),
        yaxis=look.axis(theme, range=[n - 0.4, -1.1], visible=False),
    )
    place = [float(i) for i in range(n)]
    said = [
        f"{i}  <b>{name}</b>  {number}" for i, (name, number) in enumerate(zip(bet.names, bet.numbers, strict=True), 1)
    ]
    shades = [theme.method(key) for key in bet.keys]
    traces = [
        _words([1.06], -0.8, ["<b>truth</b>, regret"], theme.ink, size, "middle right"),
        {**_words([1.06] * n, 0.0, said, shades, size, "middle right"), "y": place},
    ]
    if bet.order:
        traces.append(_words([-0.09], -0.8, ["your bet"], theme.soft_ink, size, "middle left"))
        guessed = [f"{bet.names[k]}  {i}" for i, k in enumerate(bet.order, start=1)]
        traces.append({**_words([-0.09] * n, 0.0, guessed, theme.soft_ink, size, "middle left"), "y": place})
        for i, k in enumerate(bet.order):
            dash = look.METHODS[bet.keys[k]].dash
            traces.append(look.line([0.0, 1.0], [float(i), float(k)], shades[k], theme.line, dash))
        frame["shapes"] = [_diamond(0.0, float(i), theme, 0.7) for i in range(n)]
    traces.append(look.dots([1.0] * n, place, theme.ink, theme.marker, opacity=1))
    return look.film(traces, frame)


def _words(x: list[float], y: float, text: list[str], colour: Any, size: int, place: str) -> dict:
    return look.words(x, [y] * len(x), text, colour, size, place)


def _diamond(x: float, y: float, theme: Theme, share: float = 1.0) -> dict:
    """Return a dotted grey diamond of fixed size; it is a path because no marker of Plotly has a dotted edge."""
    r = round(share * (theme.marker + 6))
    return {
        "type": "path",
        "path": f"M 0 {r} L {r} 0 L 0 {-r} L {-r} 0 Z",
        "xsizemode": "pixel",
        "ysizemode": "pixel",
        "xanchor": x,
        "yanchor": y,
        "xref": "x",
        "yref": "y",
        "name": "your bet",
        "line": {"color": theme.grey, "width": 3, "dash": "dot"},
        "fillcolor": "rgba(0,0,0,0)",
    }


def _two_lines(name: str) -> str:
    """Return the answer, a long one broken at the blank nearest to its middle."""
    blanks = [i for i, letter in enumerate(name) if letter == " "]
    if len(name) < LINE_LETTERS or not blanks:
        return name
    cut = min(blanks, key=lambda i: abs(i - len(name) / 2))
    return f"{name[:cut]}<br>{name[cut + 1 :]}"
