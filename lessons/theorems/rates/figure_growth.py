"""Regret against the horizon on logarithmic axes: slopes are theorem, heights are not."""

from __future__ import annotations

import numpy as np

from common.formats import power_of_ten
from figures import theme as look
from figures.end_labels import end_labels
from figures.sheet import Sheet
from lessons.theorems.figure_style import CLEAR, SHORT_NAMES, colour, dash
from lessons.theorems.rates.model import PowerLaw, Sweep

RATE_AXES = {  # measure -> range of x, of y, titles
    "budget": ((2.0, 7.0), (0.0, 8.0), "horizon T", "regret R<sub>T</sub>, heights arbitrary"),
    "alpha": ((2.0, 7.0), (0.0, 8.0), "horizon T", "regret R<sub>T</sub>, heights arbitrary"),
    "epsilon": ((-5.0, 0.0), (-5.0, 0.4), "rate ε", "regret per step, heights arbitrary"),
}


class Rates:
    """Regret against the horizon on logarithmic axes: slopes are theorem, heights are not."""

    def __init__(self, sheet: Sheet, sweep: Sweep) -> None:
        self.sheet, self.sweep, self.theme = sheet, sweep, sheet.theme
        self.x_span, self.y_span, self.x_title, self.y_title = RATE_AXES[sweep.setting.measure]

    def draw(self, across: list[float]) -> None:
        room = 3.2 if self.theme.lecture else 1.9
        right = self.x_span[1] + room
        y0, y1 = self.y_span
        y_ticks = [v for v in range(int(y0), int(y1) + 1) if v % 2 == 0]
        x_ticks = [v for v in range(int(self.x_span[0]), int(self.x_span[1]) + 1) if v % 2 == int(self.x_span[1]) % 2]
        x = {
            "range": [self.x_span[0], right],
            **look.ticks(x_ticks, map(power_of_ten, x_ticks)),
            "title": self.x_title,
            "showgrid": False,
        }
        y = {
            "range": [y0, y1],
            **look.ticks(y_ticks, map(power_of_ten, y_ticks)),
            "title": "" if self.theme.lecture else self.y_title,
        }
        self.sheet.panel("rates", across, [0.0, 1.0], x, y)
        self._impossible()
        for law in self.sweep.laws:
            self._line(law)
        self._ceiling()
        self._here()
        self._names()
        logs = "with logarithms" if self.sweep.setting.logs else "slopes only"
        said = "Regret" if self.theme.lecture else "How it grows"
        self.sheet.headline("rates", f"<b>{said}</b>, {logs}", size=self.theme.label)

    def _impossible(self) -> None:
        """Hatched: below the lower bound."""
        floor = next(r for r in self.sweep.laws if r.method == "floor")
        foot = np.full(floor.rate.shape, self.y_span[0])
        top = np.where(floor.inside, np.maximum(floor.rate, self.y_span[0]), self.y_span[0])  # only where it holds
        hatch = look.hatch(look.faded(self.theme.ink, 0.45), CLEAR, 0.25)
        self.sheet.area("rates", self.sweep.x, top, foot, CLEAR, **hatch)
        without = "<br>without re-asks" if self.sweep.setting.measure == "alpha" else ""
        middle = 0.5 if self.theme.lecture else 0.45
        self.sheet.note(
            "rates",
            f"impossible{without}",
            middle,
            0.04,
            inside="xy",
            xanchor="center",
            yanchor="bottom",
            bgcolor=self.theme.paper,
        )

    def _line(self, law: PowerLaw) -> None:
        at = colour(self.theme, law.method)
        floor = law.method == "floor"
        inside = law.inside
        beyond = ~inside | np.roll(~inside, 1, axis=1) | np.roll(~inside, -1, axis=1)  # the two parts touch
        y = np.where(law.rate > self.y_span[1], np.nan, law.rate)
        width = 2.4 * self.theme.line if floor else self.theme.line
        shade = look.faded(at, 0.35) if floor else at
        style = dash(law.method, law.name)
        self.sheet.curve("rates", self.sweep.x, np.where(inside, y, np.nan), shade, width, style)
        if not inside.all():
            y = np.where(beyond & ~(inside.all(axis=1)[:, None]), y, np.nan)
            self.sheet.curve("rates", self.sweep.x, y, shade, width, "dot")

    def _ceiling(self) -> None:
        """Regret can never exceed 2BT: a bound above this line says nothing."""
        x = [self.x_span[0], self.x_span[1]]
        y = [0.0, 0.0] if self.sweep.setting.measure == "epsilon" else x
        self.sheet.curve("rates", x, y, self.theme.soft_ink, 2.0, "dash")

    def _here(self) -> None:
        if self.sweep.here is None:
            return
        at = self.sweep.here[1] if self.sweep.setting.measure == "epsilon" else self.sweep.here[0]
        self.sheet.rule("rates", self.theme.soft_ink, 1.2, "dot", x=at)

    def _names(self) -> None:
        laws, high = self.sweep.laws, self.y_span[1]
        ends = np.stack([r.rate[:, -1] for r in laws] + [self._top()], axis=1)
        names = [*(SHORT_NAMES.get(r.name, r.name) for r in laws), "vacuous"]
        shades = [colour(self.theme, r.method) for r in laws] + [self.theme.soft_ink]
        x = np.full(ends.shape, self.x_span[1])
        text = [[f"{n}{' ↑' if v > high else ''}" for n, v in zip(names, row, strict=True)] for row in ends]
        wide = self.sheet.span("rates", "x")[1] - self.x_span[0]
        end_labels(self.sheet, "rates", (x, ends), x + 0.03 * wide, text, shades)

    def _top(self) -> np.ndarray:
        return np.full(self.sweep.frames, 0.0 if self.sweep.setting.measure == "epsilon" else self.x_span[1])
