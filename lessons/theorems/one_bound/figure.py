"""One bound against the horizon: its value, the trivial bound, the lower bound, and where it is non-vacuous."""

from __future__ import annotations

import textwrap

import numpy as np

from common.formats import in_millions, power_of_ten
from figures import theme as style
from figures.end_labels import end_labels
from figures.film import Film
from figures.sheet import Sheet
from figures.theme import Theme
from lessons.theorems.one_bound import words
from lessons.theorems.one_bound.model import OneBound

CONDITIONS, CURVE, NAMES = (0.0, 0.25), (0.31, 0.86), (0.86, 1.0)  # shares of the width
# On a phone the conditions and the curve with its names are a screen each, and the axis begins at T = 1: the number
# over the point is wide.
NARROW_CONDITIONS, NARROW_CURVE, NARROW_NAMES = (0.0, 0.44), (0.575, 0.84), (0.84, 1.0)
WIDEST = {False: 34, True: 25}  # characters of a line of conditions
THEOREM, TRIVIAL = "theorem|the theorem|rate|bound", "trivial bound"  # what sentences call the curves
MET, UNMET = "✓", "✕"


def stage(found: OneBound, theme: Theme, frame: int) -> Film:
    """Return the conditions beside the curve; time is the horizon, and the reader's point rides on the curve."""
    sheet = Sheet(theme, frame, hoverdistance=24)
    sheet.margins(style.HANG, 0.5 * theme.tick, 1.5 * theme.label, 3.0 * theme.label)
    _Curve(sheet, found).draw()
    _conditions(sheet, found)
    sheet.screens("conditions", "the bound")
    for panel, share in {"conditions": NARROW_CONDITIONS, "curve": NARROW_CURVE, "names": NARROW_NAMES}.items():
        sheet.narrow(panel, "medium", domain=list(share))
    sheet.narrow("curve", "medium", range=[0.0, sheet.span("curve", "x")[1]], **_horizons(4))
    return sheet.film()


class _Curve:
    """The right panel: everything is log10, because a film's coordinates are evenly spaced numbers."""

    def __init__(self, sheet: Sheet, found: OneBound) -> None:
        self.sheet, self.found, self.theme = sheet, found, sheet.theme
        self.T, self.value, self.most, self.floor = map(np.log10, (found.T, found.value, found.most, found.floor))
        self.colour = self.theme.ink if found.is_floor else self.theme.covered
        shown = np.concatenate([self.value, self.floor, self.most])
        low, high = float(np.nanmin(shown)), float(np.nanmax(shown))
        pad = 0.06 * (high - low)
        self.span = low - pad, high + 2.5 * pad

    def draw(self) -> None:
        theme, found = self.theme, self.found
        self.sheet.panel("curve", CURVE, [0.0, 1.0], self._axes()[0], self._axes()[1])
        names = {"range": [0.0, 1.0], **style.BARE}, {"range": list(self.span), **style.BARE}
        self.sheet.panel("names", NAMES, [0.0, 1.0], *names)  # beyond its axes Plotly writes no text
        if found.has_constants:  # a bound above the trivial one is vacuous
            over = np.maximum(self.value, self.most)
            self.sheet.area("curve", self.T, over, self.most, style.faded(theme.soft_ink, 0.1))
        self.sheet.curve("curve", self.T, self.most, theme.grey, 2.0, meta=TRIVIAL)
        if np.isfinite(self.floor).any():
            self.sheet.curve("curve", self.T, self.floor, theme.ink, theme.truth_line, meta="lower bound")
        self._theorem()
        self._crossing()
        self._point()
        self._names()

    def _axes(self) -> tuple[dict, dict]:
        x = {
            "range": [float(self.T[0]), float(self.T[-1])],
            **_horizons(4 if self.theme.lecture else 2),
            "tickangle": 0,
            "title": "horizon T",
            "showgrid": False,
        }
        tens = style.decades(*self.span, 5)
        y = {
            "range": list(self.span),
            **style.ticks(tens, map(power_of_ten, tens)),
            "title": "regret (reward units)" if self.found.has_constants else "regret, constants = 1",
            "showgrid": False,
        }
        return x, y

    def _theorem(self) -> None:
        """Dotted where a condition is not met."""
        holds = self.found.holds
        beside = holds.copy()  # the two parts share a point
        beside[:-1] |= holds[1:]
        for shown, dash in ((holds, "solid"), (~holds | (beside & ~holds), "dot")):
            if shown.any():
                value, width = np.where(shown, self.value, np.nan), self.theme.line + 1
                self.sheet.curve("curve", self.T, value, self.colour, width, dash, meta=THEOREM)

    def _crossing(self) -> None:
        """A ring where the bound falls below the trivial one, and a dotted line down."""
        crossing, theme = self.found.crossing, self.theme
        if crossing is None or crossing <= self.found.T[0]:
            return
        at = float(np.log10(crossing))
        height = float(np.interp(at, self.T, self.most))
        self.sheet.curve("curve", [at, at], [self.span[0], height], theme.ink, 1.6, "dot")
        ring = {"rim": (2.5, theme.ink), "opacity": 1, "meta": "non-vacuous"}
        self.sheet.dots("curve", [at], [height], theme.paper, theme.marker + 4, **ring)
        side = "right" if at > 8 else "left"
        self.sheet.note(
            "curve",
            "<b>non-vacuous<br>from here</b>",
            at,
            self.span[0] + 0.09 * (self.span[1] - self.span[0]),
            xanchor=side,
            yanchor="bottom",
            xshift=-6 if side == "right" else 6,
            yshift=1,
            align=side,
        )

    def _point(self) -> None:
        """The horizon of the frame, riding on the curve, with the bound and the trivial bound there."""
        found, theme, T, value, most = self.found, self.theme, self.T, self.value, self.most
        if not np.isfinite(value).any():
            self.sheet.cursor("curve", T, np.tile(self.span, (len(T), 1)), theme.soft_ink, 1.5, "dot")
            self.sheet.shows("T", "x", 0, np.log10)
            return
        if found.has_constants:
            self.sheet.cursor("curve", T, np.stack([most, value], axis=1), theme.ink, 1.6, "dot")
            self.sheet.dots("curve", T[:, None], most[:, None], theme.grey, theme.marker, opacity=1, meta=TRIVIAL)
            self.sheet.shows("the most", "y", 0, np.log10)
        self.sheet.dots("curve", T[:, None], value[:, None], self.colour, theme.marker + 5, opacity=1, meta=THEOREM)
        self.sheet.shows("bound" if found.has_constants else "rate", "y", 0, np.log10)
        texts = [["" if np.isnan(v) else f"<b>{in_millions(v)}</b>"] for v in found.value]
        wide, top = T[-1] - T[0], np.fmax(value, most)
        beyond = np.interp(T + 0.38 * wide, T, top)  # the curve must not run through the number's right end
        height = np.minimum(beyond, self.span[1] - 0.14 * (self.span[1] - self.span[0]))
        x = T + wide * np.interp((T - T[0]) / wide, [0, 0.2, 0.8, 1], [0.24, 0.0, 0.0, -0.3])
        self.sheet.words("curve", x[:, None], height[:, None], texts, self.colour, "top center", 1.4 * theme.label)

    def _names(self) -> None:
        found, theme = self.found, self.theme
        rows = [("trivial bound" if found.has_constants else "grows like T", self.most, theme.soft_ink)]
        if np.isfinite(self.value).any():
            rows.append(("the theorem", self.value, self.colour))
        if np.isfinite(self.floor[-1]):
            rows.append(("lower bound", self.floor, theme.ink))
        ends = np.array([[values[-1] for _, values, _ in rows]])
        names = [[name for name, *_ in rows]]
        end_labels(self.sheet, "names", (np.zeros(ends.shape), ends), 0.05, names, [c for *_, c in rows])
        if np.isfinite(self.floor).any() and not np.isfinite(self.floor[-1]):
            k = int(np.flatnonzero(np.isfinite(self.floor))[-1])
            place = [self.T[k] + 0.2], [self.floor[k]]
            self.sheet.words("curve", *place, ["lower bound"], theme.ink, "middle right")


def _horizons(step: int) -> dict:
    """Return the ticks of the axis of T, so many powers of ten apart."""
    tens = range(2, 15, step)
    return style.ticks(tens, map(power_of_ten, tens))


def _conditions(sheet: Sheet, found: OneBound) -> None:
    """Draw the theorem's conditions, each met or not met at the horizon of the frame."""
    theme, F = sheet.theme, len(found.T)
    sheet.panel(
        "conditions", CONDITIONS, [0.0, 1.0], {"range": [0.0, 1.0], **style.BARE}, {"range": [0.0, 1.0], **style.BARE}
    )
    every = [words.conditions(found, i) for i in range(F)]
    parts: list[tuple] = [(["Conditions"], theme.soft_ink)] if every[0] else []
    for k in range(len(every[0])):
        parts.append(([["<br>".join(_wrapped(*rows[k], WIDEST[theme.lecture]))] for rows in every], theme.ink))
    parts += [([said], theme.soft_ink) for said in words.remarks(found)]
    share = sheet.line_share("conditions")
    tall = [share * (1 + max("".join(text).count("<br>") for text in texts)) for texts, _ in parts]
    gap = min(0.45 * share, (1.0 - sum(tall)) / max(len(parts) - 1, 1))  # in a hall they stand closer
    top = 1.0
    for (texts, colour), height in zip(parts, tall, strict=True):
        sheet.words("conditions", [0.0], [top - 0.5 * height], texts, colour, "middle right", theme.tick)
        top -= height + gap


def _wrapped(text: str, met: bool, wide: int) -> list[str]:
    """Return a condition in lines, with its mark; what is not met says so, and is bold."""
    text = text if met else f"not met: {text}"
    lines = textwrap.wrap(text, wide + 11 * text.count("<sub>"))
    first, rest = lines[0], lines[1:]
    if met:
        return [f"{MET} {first}", *(f"   {line}" for line in rest)]
    return [f"<b>{UNMET} {first}</b>", *(f"   <b>{line}</b>" for line in rest)]
