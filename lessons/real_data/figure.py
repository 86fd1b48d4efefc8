"""The second view, the wall: all series over time with the best arm's path, the drift below, the regret beside it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from common.formats import amount, plural
from figures import spacetime
from figures import theme as style
from figures.film import Film
from figures.frames import FilmFrames
from figures.palette import METHODS
from figures.race_axes import averages, highest
from figures.race_panel import RacePanel
from figures.sheet import Sheet, strokes
from figures.theme import Theme
from lessons.real_data.model import FIXED, Trial, loss_of

SERIES_WIDTH = 0.56  # share of the width for the series
LONGEST_UNIT = 60  # characters, which stand on a line of their own in the axis title
MAX_NAMES = {False: 15, True: 9}  # that fit beside the series, on a screen and in a hall
JOINED_UP_TO = 0.25  # changes a row up to which hairlines join the bars of the best arm: more would veil the wall
ABOVE_DRIFT, NO_DATES = (0.3, 1.0), {"showticklabels": False}  # of the series, whose dates the drift below them has
ABOUT_HALF = 0.02  # share by which a part may miss one half and still be called half


def stage(trial: Trial, pins: Sequence[str], frames: FilmFrames, theme: Theme, frame: int) -> Film:
    """Return the film: series and drift on the left, regret on the right; what has not happened yet is veiled.

    Args:
        pins: methods whose choices are dots over the series, whose lines have a colour and whose seeds are thin lines.
        frames: rows of the test part that the film shows.
    """
    sheet, names = _sheet(trial, theme, frame)
    pins = [p for p in pins if p in trial.total]
    _series(sheet, trial, pins, frames, names, SERIES_WIDTH, ABOVE_DRIFT, NO_DATES)
    _drift(sheet, trial, pins, frames, SERIES_WIDTH)
    lines = {n: averages(total) for n, total in trial.total.items()}
    medians = {n: np.median(rows, axis=0) for n, rows in lines.items()}
    late = slice(trial.problem.horizon // 20, None)  # the first averages are of few rounds
    settled = [{n: rows[..., late] for n, rows in some.items()} for some in (lines, medians)]
    high = highest(settled[:1], settled[1:], pins, pins)
    fixed = averages(trial.fixed[1].cumsum())
    tail = fixed[len(fixed) // 4 :].max() * 1.12
    high = float(max(high, min(tail, 1.6 * high)))
    panel = _RegretPanel(sheet, "regret", frames, high, lines, medians)
    panel.fixed = fixed
    unit = f"<br>({short(trial.table.unit, LONGEST_UNIT)})" if trial.table.unit else ""
    title = f"average regret, R<sub>t</sub>/t{unit}"
    panel.draw("Who keeps up?", [SERIES_WIDTH + 0.085, 1.0], pins, pins, title)
    return sheet.film()


def wall(trial: Trial, frames: FilmFrames, theme: Theme, frame: int) -> Film:
    """Return the series, with the drift below them once the second part has begun."""
    sheet, names = _sheet(trial, theme, frame)
    if trial.problem.horizon == 1:
        _series(sheet, trial, (), frames, names, 1.0, (0.0, 1.0), _dates(trial, theme))
        return sheet.film()
    _series(sheet, trial, (), frames, names, 1.0, ABOVE_DRIFT, NO_DATES)
    _drift(sheet, trial, (), frames, 1.0)
    return sheet.film()


def _sheet(trial: Trial, theme: Theme, frame: int) -> tuple[Sheet, list[str]]:
    """Return an empty sheet with room for the names of the arms, and these."""
    sheet = Sheet(theme, frame, hoverdistance=20)
    names = [short(n, 13 if theme.lecture else 18) for n in trial.problem.arm_names]
    left = int((0.58 if theme.lecture else 0.6) * theme.tick * max(map(len, names))) + 22
    sheet.margins(left, 8, 1.75 * theme.label, 2.9 * theme.label)
    return sheet, names


class _RegretPanel(RacePanel):
    """The race's regret panel with one more line: the arm that would have been best all along."""

    fixed: np.ndarray

    def _greys(self, names: Sequence[str]) -> None:
        super()._greys(names)
        theme = self.sheet.theme
        self.sheet.curve(self.name, self._t, self.fixed, theme.ink, theme.line, "longdash")

    def _ends(self, names: Sequence[str]) -> None:
        """Draw a marker, the name and the number where each line stands now, the fixed arm among them."""
        theme, rows = self.sheet.theme, self.frames.index
        every = [*names, "fixed arm" if theme.lecture else FIXED]
        values = np.stack([*(self.middle[n][rows] for n in names), self.fixed[rows]], axis=1)
        text = [
            [f"{n}{' ↑' if x > self.high else ''} {amount(x)}" for n, x in zip(every, row, strict=True)]
            for row in values
        ]
        colours = [*(theme.method(n) for n in names), theme.ink]
        self._mark_ends(values, text, colours, [*(METHODS[n].symbol for n in names), "diamond-open"])
        self.sheet.shows("t", "x", 0)
        for i, name in enumerate([*names, FIXED]):
            self.sheet.shows(loss_of(name), "y", i, self._height)

    def _height(self, value: float) -> float:
        """Return where a number stands; one above the panel stands at its top."""
        return min(max(value, 0.0), self.high)


def _series(
    sheet: Sheet,
    trial: Trial,
    pins: Sequence[str],
    frames: FilmFrames,
    names: list[str],
    wide: float,
    up: tuple[float, float],
    dates: dict,
) -> None:
    """Draw every arm as a row, time across; brightness is reward, white bars are the best arm."""
    theme, f, train = sheet.theme, trial.table.rewards, trial.table.train_rows
    n, m = f.shape
    span = [-0.5 - 0.02 * m, m - 0.5 + 0.02 * m]
    step = max(1, -(-m // MAX_NAMES[theme.lecture]))
    arms = {"range": span[::-1], **style.ticks(range(0, m, step), names[::step]), "showgrid": False}
    time = {"range": [0.5, n + 0.5], "showgrid": False, **dates}
    sheet.panel("wall", [0.0, wide], up, time, arms)
    low, high = np.quantile(f, [0.01, 0.99]) if f.size > 400 else (f.min(), f.max())
    spacetime.draw_values(sheet, "wall", f.T, (0.5, n + 0.5, -0.5, m - 0.5), (float(low), float(high)))
    _parts(sheet, trial, n)
    _hatched(sheet, trial)
    _path(sheet, f.argmax(axis=1))
    for pin, shift in zip(pins, (-0.24, 0.24), strict=False):
        _choices(sheet, trial, pin, shift)
    rows, which = (a.ravel() for a in np.meshgrid(spacetime.even_indices(n, 60), spacetime.even_indices(m, 40)))
    texts = [
        f"{trial.table.times[r]}, {trial.problem.arm_names[a]}: {amount(float(f[r, a]))}"
        for r, a in zip(rows, which, strict=True)
    ]
    spacetime.hover_points(sheet, "wall", rows + 1, which, np.maximum(rows + 1 - train, 1), texts, "%{text}")
    _veil(sheet, "wall", trial, frames, span)


def _path(sheet: Sheet, best: np.ndarray) -> None:
    """Draw the best arm of every row: thin bars in the middle of its row, so that the rewards stay in sight."""
    first = np.flatnonzero(np.diff(best, prepend=-1))
    last = np.append(first[1:], len(best))
    if len(first) <= JOINED_UP_TO * len(best):
        x, y = strokes(first[1:] + 0.5, first[1:] + 0.5), strokes(best[first[:-1]], best[first[1:]])
        sheet.curve("wall", x, y, "rgba(255,255,255,0.45)", 0.8)
    x, y = strokes(first + 0.5, last + 0.5), strokes(best[first], best[first])
    sheet.curve("wall", x, y, "#FFFFFF", 2.5, outline=("#111111", 2.0))


def _parts(sheet: Sheet, trial: Trial, n: int) -> None:
    """Draw the border between the two parts, and what each is for."""
    theme, train = sheet.theme, trial.table.train_rows
    words = {"yanchor": "bottom", "yshift": 2, "size": theme.tick, "color": theme.soft_ink}
    parts = (("first", "tuning", train / n, 0.5 * train), ("second", "race", 1 - train / n, 0.5 * (train + n)))
    for which, use, share, at in parts:
        if share > (0.3 if theme.lecture else 0.2):
            size = "half" if abs(share - 0.5) < ABOUT_HALF else "part"
            text = f"{which} {size}: {use}" if share < 1 - ABOUT_HALF else "bright: high reward"
            sheet.note("wall", f"<b>{text}</b>", at, 1.0, "y", **words)
    sheet.rule("wall", theme.ink, 1.5, "dot", x=train + 0.5, yref="paper")


def _hatched(sheet: Sheet, trial: Trial) -> None:
    """Draw a stroke on every cell that stands in for a missing one, thinned where they are many."""
    if trial.table.filled is None or not trial.table.filled.any():
        return
    rows, arms = np.nonzero(trial.table.filled)
    keep = spacetime.even_indices(len(rows), 1500)
    x, y = (rows[keep] + 1).astype(np.float32), arms[keep].astype(np.float32)
    sheet.dots("wall", x, y, None, 7, symbol="line-ne-open", rim=(1.2, "#FFFFFF"))


def _choices(sheet: Sheet, trial: Trial, pin: str, shift: float) -> None:
    """Draw the choices of a method in the first seed, a mark a round, beside the middle of the arm's row."""
    looks, symbol = trial.looks[pin], METHODS[pin].symbol.removesuffix("-open")
    at = np.arange(1, len(looks) + 1, dtype=np.float32) + trial.table.train_rows
    size = 6 if sheet.theme.lecture else 4
    # Dark ones under bright ones: a rim round every mark would hide its colour where marks stand close.
    bright = METHODS[pin].dark if pin != "Random" else "#FFFFFF"  # over the series the same in either theme
    for grow, colour in ((3, "#111111"), (0, bright)):
        sheet.dots("wall", at, looks + shift, colour, size + grow, symbol=symbol, opacity=1)


def _drift(sheet: Sheet, trial: Trial, pins: Sequence[str], frames: FilmFrames, wide: float) -> None:
    """Draw the drift so far in the test part, with a stroke at every change of the best arm."""
    theme, train, n = sheet.theme, trial.table.train_rows, len(trial.table.rewards)
    spent = np.concatenate([[0.0], trial.problem.steps.cumsum()])
    top = 1.3 * (float(spent[-1]) or 1.0)
    time = {"range": [0.5, n + 0.5], "showgrid": False, **_dates(trial, theme)}
    sheet.panel("drift", [0.0, wide], [0.0, 0.205], time, {"range": [0.0, top], "nticks": 3})
    marks = {
        "circle": "●",
        "triangle-down": "▼",
        "triangle-up": "▲",
        "square": "■",
        "diamond": "◆",
        "x": "✖",
        "cross": "✚",
    }
    where = [f'<span style="color:{theme.method(p)}">{marks.get(METHODS[p].symbol, "–")} {p}</span>' for p in pins]
    if where:
        below = " below the bar" if len(where) > 1 else ""
        sheet.headline("drift", " above, ".join(where) + below, xanchor="right")
    at = np.arange(1, len(spent) + 1, dtype=np.float32) + train
    colour = theme.world("data")
    sheet.area("drift", at, spent, np.zeros_like(spent), style.faded(colour, 0.15))
    sheet.curve("drift", at, spent, colour, theme.line)
    if len(trial.switches):
        where = np.asarray(trial.switches, dtype=np.float32) + 1 + train
        y = strokes(np.full(len(where), 0.9 * top), top)
        sheet.curve("drift", strokes(where, where), y, theme.ink, 1.2)
    _veil(sheet, "drift", trial, frames, [0.0, top])
    so_far = np.searchsorted(trial.switches, frames.rows, side="right").tolist()
    texts = [
        (f"drift so far, V<sub>t</sub> = {amount(float(spent[row]))}<br>{plural(n, 'change')} of the best arm",)
        for n, row in zip(so_far, frames.rows, strict=True)
    ]
    here = np.full((len(frames.rows), 1), 0.5 + 0.012 * n)
    sheet.words("drift", here, np.full_like(here, 0.55 * top), texts, theme.ink, "middle right")
    sheet.shows("changes of the best arm", "text", 0)


def _dates(trial: Trial, theme: Theme) -> dict:
    """Return the ticks and the title of an axis of time."""
    labels = time_ticks(trial.table.times, 3 if theme.lecture else 4)
    title = "rounds in a random order; each row keeps its own date" if trial.setting.base.mixed else "time"
    ticks = style.ticks([r + 1 for r in labels], [short(trial.table.times[r], 10, "") for r in labels])
    return {**ticks, "title": title}


def _veil(sheet: Sheet, name: str, trial: Trial, frames: FilmFrames, span: Sequence[float]) -> None:
    """Draw a veil over what has not happened yet."""
    now = np.asarray(frames.times, dtype=float) + 0.5 + trial.table.train_rows
    sheet.rect(name, (now, len(trial.table.rewards) + 0.5), span, style.faded(sheet.theme.paper, 0.78))


def time_ticks(times: Sequence[str], most: int) -> list[int]:
    """Return the rows whose label stands on the axis, away from its ends."""
    n = len(times)
    return sorted({round((i + 0.5) / most * (n - 1)) for i in range(most)})


def short(text: str, most: int, tail: str = "…") -> str:
    """Return a text of at most so many letters; one that was longer ends with the tail."""
    return text if len(text) <= most else text[: most - len(tail)] + tail
