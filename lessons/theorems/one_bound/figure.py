"""One bound against the horizon: its value, the most that can be lost, the lower bound, from where on it speaks."""

from __future__ import annotations

import textwrap

import numpy as np

from common.formats import in_millions, power_of_ten
from figures import theme as look
from figures.end_labels import end_labels
from figures.film import Film
from figures.sheet import Sheet
from figures.theme import Theme
from lessons.theorems.one_bound import words
from lessons.theorems.one_bound.model import OneBound

ASKS, CURVE = (0.0, 0.25), (0.31, 0.86)  # shares of the width; names stand right of the curve
WIDEST = {False: 34, True: 25}  # characters of a line of conditions
MET, UNMET = "✓", "✕"


def stage(found: OneBound, theme: Theme, drawn: int) -> Film:
    """Return the conditions beside the curve; time is the horizon, and the reader's point rides on the curve."""
    sheet = Sheet(theme, drawn, look.layout(theme, None, hoverdistance=24))
    sheet.margins(0.5 * theme.tick, 0.5 * theme.tick, 1.5 * theme.label, 3.0 * theme.label)
    _Curve(sheet, found).draw()
    _conditions(sheet, found)
    return sheet.film()


class _Curve:
    """The right panel."""

    def __init__(self, sheet: Sheet, found: OneBound) -> None:
        self.sheet, self.found, self.theme = sheet, found, sheet.theme
        self.T, self.F = found.T, len(found.T)
        self.colour = self.theme.ink if found.is_floor else self.theme.covered
        shown = np.concatenate([found.value, found.floor, found.most, *([found.runs[1]] if found.runs else [])])
        shown = np.log10(shown[np.isfinite(shown) & (shown > 0)])
        low, high = float(shown.min()), float(shown.max())
        pad = 0.06 * (high - low)
        self.span = low - pad, high + 2.5 * pad

    def draw(self) -> None:
        theme, found, T = self.theme, self.found, self.T
        x = {
            "type": "log",
            "range": [float(np.log10(T[0])), float(np.log10(T[-1]))],
            **look.ticks([10.0**e for e in range(2, 15, 3 if theme.lecture else 2)],
                         [power_of_ten(e) for e in range(2, 15, 3 if theme.lecture else 2)]),
            "title": "horizon T",
            "showgrid": False,
        }  # fmt: skip
        every = list(range(int(np.ceil(self.span[0])), int(np.floor(self.span[1])) + 1))
        some = every[:: max(1, -(-len(every) // 5))]
        y = {
            "type": "log",
            "range": list(self.span),
            **look.ticks([10.0**e for e in some], [power_of_ten(e) for e in some]),
            "title": "regret" if found.has_constants else "regret, constants = 1",
            "showgrid": False,
        }
        self.sheet.panel("curve", CURVE, [0.0, 1.0], x, y)
        self._vacuous()
        self.sheet.curve("curve", T, found.most, theme.grey, 2.0)
        if np.isfinite(found.floor).any():
            self.sheet.curve("curve", T, found.floor, theme.ink, theme.truth_line)
        self._theorem()
        if found.runs is not None:
            self.sheet.curve("curve", *found.runs, theme.covered, theme.line + 1)
            self.sheet.dots("curve", *found.runs, theme.covered, theme.marker - 3, opacity=1,
                            hovertemplate="T = %{x}: %{y:.4g}<extra>mean of eight runs</extra>")  # fmt: skip
        self._crossing()
        self._point()
        self._names()

    def _vacuous(self) -> None:
        """Grey: a bound with its constants above the most that can be lost says nothing."""
        found = self.found
        if found.has_constants:
            top = np.maximum(found.value, found.most)
            self.sheet.area("curve", self.T, top, found.most, look.faded(self.theme.soft_ink, 0.1))

    def _theorem(self) -> None:
        """Dotted where a condition is not met."""
        found, width = self.found, self.theme.line + 1
        holds = found.holds
        for held, dash in ((holds, "solid"), (~holds, "dot")):
            if held.any():
                near = held | np.roll(held, 1) & (np.arange(self.F) > 0) if dash == "dot" else held
                self.sheet.curve("curve", self.T, np.where(near, found.value, np.nan), self.colour, width, dash)

    def _crossing(self) -> None:
        """A ring where the bound falls below the most that can be lost, and a dotted line down."""
        found, theme = self.found, self.theme
        at = found.crossing
        if at is None or at <= self.T[0]:
            return
        height = float(np.exp(np.interp(np.log(at), np.log(self.T), np.log(found.most))))
        foot = 10.0 ** self.span[0]
        self.sheet.curve("curve", [at, at], [foot, height], theme.ink, 1.6, "dot")
        self.sheet.dots("curve", [at], [height], theme.paper, theme.marker + 4, rim=(2.5, theme.ink), opacity=1)
        left = at > 1e11 or theme.lecture
        self.sheet.note("curve", "from here on<br><b>it says something</b>", float(np.log10(at)), self.span[0],
                        xanchor="right" if left else "left", yanchor="bottom", align="right" if left else "left",
                        xshift=-6 if left else 6, yshift=6)  # fmt: skip

    def _point(self) -> None:
        """The reader's horizon, riding on the curve, with its value and the most that can be lost there."""
        found, theme, T = self.found, self.theme, self.T
        value, most = found.value, found.most
        if not np.isfinite(value).any():
            self.sheet.cursor("curve", T, np.tile([10.0 ** self.span[0], 10.0 ** self.span[1]], (self.F, 1)),
                              theme.soft_ink, 1.5, "dot")  # fmt: skip
            self.sheet.shows("T", "x", 0)
            return
        if found.has_constants:
            self.sheet.cursor("curve", T, np.stack([most, value], axis=1), theme.ink, 1.6, "dot")
            self.sheet.dots("curve", T[:, None], most[:, None], theme.grey, theme.marker, opacity=1)
            self.sheet.shows("the most", "y", 0)
        self.sheet.dots("curve", T[:, None], value[:, None], self.colour, theme.marker + 5, opacity=1)
        self.sheet.shows("bound" if found.has_constants else "rate", "y", 0)
        size = 1.7 * theme.label
        said = [["" if np.isnan(v) else f"<b>{in_millions(v)}</b>"] for v in value]
        up = 10.0 ** (0.05 * (self.span[1] - self.span[0]))
        height = np.fmax(value, most if found.has_constants else value) * up
        middle = np.log10(T[-1] / T[0])
        x = T * 10.0 ** (middle * np.interp(np.log10(T / T[0]) / middle, [0, 0.2, 0.8, 1], [0.13, 0.0, 0.0, -0.13]))
        self.sheet.words("curve", x[:, None], height[:, None], said, self.colour, "top center", size)

    def _names(self) -> None:
        found, theme = self.found, self.theme
        most = "all you can lose" if found.has_constants else "grows like T"
        rows = [(most, found.most, theme.soft_ink)]
        if np.isfinite(found.value).any():
            rows.append(("the theorem", found.value, self.colour))
        if np.isfinite(found.floor[-1]):
            rows.append(("no method below", found.floor, theme.ink))
        ends = np.array([[values[-1] for _, values, _ in rows]])
        named = [[name for name, *_ in rows]]
        beyond = float(self.T[-1])
        end_labels(self.sheet, "curve", (np.full(ends.shape, beyond), ends), beyond * 2.0, named, [c for *_, c in rows])
        if np.isfinite(found.floor).any() and not np.isfinite(found.floor[-1]):
            last = int(np.flatnonzero(np.isfinite(found.floor))[-1])
            self.sheet.words("curve", [self.T[last] * 1.6], [found.floor[last]], ["no method below"], theme.ink,
                             "middle right")  # fmt: skip
        if found.runs is not None:
            self.sheet.words("curve", [found.runs[0][-1] * 1.6], [found.runs[1][-1] * 2.0], ["measured"],
                             theme.covered, "middle right")  # fmt: skip


def _conditions(sheet: Sheet, found: OneBound) -> None:
    """What the theorem asks for, each met or not met at the horizon of the frame."""
    theme, F = sheet.theme, len(found.T)
    sheet.panel("asks", ASKS, [0.0, 1.0], {"range": [0.0, 1.0], **look.BARE}, {"range": [0.0, 1.0], **look.BARE})
    share, wide = sheet.line_share("asks"), WIDEST[theme.lecture]
    y = 1.0 - share
    every = [words.asks(found, i) for i in range(F)]
    if every[0]:
        sheet.words("asks", [0.0], [y], ["It asks for"], theme.soft_ink, "middle right", theme.tick)
        y -= 1.5 * share
    for k in range(len(every[0])):
        texts = [["<br>".join(_wrapped(*rows[k], wide))] for rows in every]
        lines = max(text[0].count("<br>") + 1 for text in texts)
        y -= 0.5 * (lines - 1) * share
        sheet.words("asks", [0.0], [y], texts, theme.ink, "middle right", theme.tick)
        y -= (0.5 * (lines - 1) + 1.45) * share
    y -= 0.4 * share
    for said in words.remarks(found):
        lines = said.count("<br>") + 1
        y -= 0.5 * (lines - 1) * share
        sheet.words("asks", [0.0], [y], [said], theme.soft_ink, "middle right", theme.tick)
        y -= (0.5 * (lines - 1) + 1.35) * share


def _wrapped(text: str, met: bool, wide: int) -> list[str]:
    """Return a condition in lines, with its mark; what is not met is bold."""
    lines = textwrap.wrap(text, wide + 11 * text.count("<sub>"))
    first, rest = lines[0], lines[1:]
    if met:
        return [f"{MET} {first}", *(f"   {line}" for line in rest)]
    return [f"<b>{UNMET} {first}</b>", *(f"   <b>{line}</b>" for line in rest)]
