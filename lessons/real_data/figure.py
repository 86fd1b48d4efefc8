"""All rewards of a table as a heat map over time, with the best arm of every row."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from common.formats import amount, plural
from figures import spacetime
from figures import theme as style
from figures.film import Film
from figures.frames import FilmFrames
from figures.sheet import Sheet, strokes
from figures.theme import Theme
from lessons.real_data.model import Split

MAX_NAMES = {False: 15, True: 9}  # that fit beside the series, on a screen and in a hall
JOINED_UP_TO = 0.25  # changes a row up to which hairlines join the bars of the best arm: more would veil the wall
CHANGES = 0.14  # share of the height for the changes of the best arm
ABOUT_HALF = 0.02  # share by which a part may miss one half and still be called half


def wall(
    split: Split, frames: FilmFrames, theme: Theme, frame: int, height: int | None = None, whole: Split | None = None
) -> Film:
    """Return every arm as a row, time across: brightness is reward, white bars are the best arm, strokes its changes.

    Args:
        frames: rows of the second part that the film shows; what has not happened yet is veiled.
        whole: the table of which `split` is the beginning; None where it is all of it.
    """
    f, times, arms = split.table.rewards, split.table.times, split.problem.arm_names
    n, m = f.shape
    sheet = Sheet(theme, frame, height, hoverdistance=20)
    names = [short(name, 13 if theme.lecture else 18) for name in arms]
    left = int((0.58 if theme.lecture else 0.6) * theme.tick * max(map(len, names))) + 22
    sheet.margins(left, 8, 1.75 * theme.label, 2.9 * theme.label)
    step = max(1, -(-m // MAX_NAMES[theme.lecture]))
    span = [m - 0.5 + 0.02 * m, -0.5 - 0.02 * m]
    up = {"range": span, **style.ticks(range(0, m, step), names[::step]), "showgrid": False}
    time = {"range": [0.5, n + 0.5], "showgrid": False}
    sheet.panel("wall", [0.0, 1.0], [CHANGES, 1.0], {**time, "showticklabels": False}, up)
    low, high = np.quantile(f, [0.01, 0.99]) if f.size > 400 else (f.min(), f.max())
    spacetime.draw_values(sheet, "wall", f.T, (0.5, n + 0.5, -0.5, m - 0.5), (float(low), float(high)))
    _parts(sheet, split, n)
    _hatched(sheet, split)
    _path(sheet, f.argmax(axis=1))
    rows, which = (a.ravel() for a in np.meshgrid(spacetime.even_indices(n, 60), spacetime.even_indices(m, 40)))
    texts = [f"{times[r]}, {arms[a]}: {amount(float(f[r, a]))}" for r, a in zip(rows, which, strict=True)]
    then = np.maximum(rows + 1 - split.table.train_rows, 1)
    spacetime.hover_points(sheet, "wall", rows + 1, which, then, texts, "%{text}")
    sheet.panel("changes", [0.0, 1.0], [0.0, CHANGES], time | _dates(split, theme), {"range": [0.0, 1.0], **style.BARE})
    _changes(sheet, split, frames, _size(whole or split))
    now = np.asarray(frames.times, dtype=float) + 0.5 + split.table.train_rows
    for panel in ("wall", "changes"):
        sheet.rect(panel, (now, n + 0.5), sheet.span(panel, "y"), style.faded(theme.paper, 0.78))
    return sheet.film()


def _changes(sheet: Sheet, split: Split, frames: FilmFrames, size: str) -> None:
    """Draw a stroke at every change of the best arm in the second part, and how many there are so far."""
    where = np.asarray(split.switches, dtype=np.float32) + 1 + split.table.train_rows
    if len(where):
        sheet.curve("changes", strokes(where, where), strokes(np.zeros_like(where), 0.7), sheet.theme.ink, 1.2)
    so_far = np.searchsorted(split.switches, frames.rows, side="right").tolist()
    texts = [(f"{plural(n, 'change')} of the best arm in the second {size}",) for n in so_far]
    left = np.full((len(texts), 1), 0.5 + 0.012 * len(split.table.rewards))
    sheet.words("changes", left, np.full_like(left, 0.4), texts, sheet.theme.ink, "middle right")
    sheet.shows("changes of the best arm", "text", 0)


def _size(split: Split) -> str:
    """Return what the two parts of a table are called: half, or part."""
    return "half" if abs(split.table.train_rows / len(split.table.rewards) - 0.5) < ABOUT_HALF else "part"


def _path(sheet: Sheet, best: np.ndarray) -> None:
    """Draw the best arm of every row: thin bars in the middle of its row, so that the rewards stay in sight."""
    first = np.flatnonzero(np.diff(best, prepend=-1))
    last = np.append(first[1:], len(best))
    if len(first) <= JOINED_UP_TO * len(best):
        x, y = strokes(first[1:] + 0.5, first[1:] + 0.5), strokes(best[first[:-1]], best[first[1:]])
        sheet.curve("wall", x, y, "rgba(255,255,255,0.45)", 0.8)
    x, y = strokes(first + 0.5, last + 0.5), strokes(best[first], best[first])
    sheet.curve("wall", x, y, "#FFFFFF", 2.5, outline=("#111111", 2.0))


def _parts(sheet: Sheet, split: Split, n: int) -> None:
    """Draw the border between the two parts, and what each is for."""
    theme, train = sheet.theme, split.table.train_rows
    words = {"yanchor": "bottom", "yshift": 2, "size": theme.tick, "color": theme.soft_ink}
    parts = (("first", "tuning", train / n, 0.5 * train), ("second", "race", 1 - train / n, 0.5 * (train + n)))
    for which, use, share, at in parts:
        if share > (0.3 if theme.lecture else 0.2):
            text = f"{which} {_size(split)}: {use}" if share < 1 - ABOUT_HALF else "bright: high reward"
            sheet.note("wall", f"<b>{text}</b>", at, 1.0, "y", **words)
    sheet.rule("wall", theme.ink, 1.5, "dot", x=train + 0.5, yref="paper")


def _hatched(sheet: Sheet, split: Split) -> None:
    """Draw a stroke on every cell that stands in for a missing one, thinned where they are many."""
    if split.table.filled is None or not split.table.filled.any():
        return
    rows, arms = np.nonzero(split.table.filled)
    keep = spacetime.even_indices(len(rows), 1500)
    x, y = (rows[keep] + 1).astype(np.float32), arms[keep].astype(np.float32)
    sheet.dots("wall", x, y, None, 7, symbol="line-ne-open", rim=(1.2, "#FFFFFF"))


def _dates(split: Split, theme: Theme) -> dict:
    """Return the ticks and the title of an axis of time."""
    labels = time_ticks(split.table.times, 3 if theme.lecture else 4)
    title = "rounds in a random order; each row keeps its own date" if split.setting.base.mixed else "time"
    ticks = style.ticks([r + 1 for r in labels], [short(split.table.times[r], 10, "") for r in labels])
    return {**ticks, "title": title}


def time_ticks(times: Sequence[str], most: int) -> list[int]:
    """Return the rows whose label stands on the axis, away from its ends."""
    n = len(times)
    return sorted({round((i + 0.5) / most * (n - 1)) for i in range(most)})


def short(text: str, most: int, tail: str = "…") -> str:
    """Return a text of at most so many letters; one that was longer ends with the tail."""
    return text if len(text) <= most else text[: most - len(tail)] + tail
