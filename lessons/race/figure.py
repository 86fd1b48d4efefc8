"""The race: the ranks that change hands between two worlds, and below them regret against time.

The lines are drawn once, whole; a curtain in the colour of the paper hides what has not happened yet. So a film
moves a few corners and labels instead of every point of every line.
"""

from __future__ import annotations

from collections.abc import Sequence

from figures import theme as style
from figures.film import Film
from figures.frames import FilmFrames
from figures.race_axes import highest
from figures.race_panel import RacePanel
from figures.sheet import Sheet
from figures.theme import Theme
from lessons.race.figure_ranks import ranks
from lessons.race.summary import Lane


def stage(
    lanes: Sequence[Lane], titles: Sequence[str], coloured: Sequence[str], clock: FilmFrames, theme: Theme, frame: int
) -> Film:
    """Return the ranks by regret so far in two worlds, or the list of one.

    Args:
        titles: of the worlds.   coloured: methods in colour, the others are grey.   clock: rows of the frames.
    """
    sheet = Sheet(theme, frame)
    sheet.margins(style.HANG, 0.8 * theme.tick, 1.75 * theme.label, 0.6 * theme.tick)
    ranks(sheet, lanes, titles, coloured, clock)
    return sheet.film()


def regret(
    lanes: Sequence[Lane],
    titles: Sequence[str],
    coloured: Sequence[str],
    pins: Sequence[str],
    clock: FilmFrames,
    theme: Theme,
    frame: int,
    height: int | None = None,
) -> Film:
    """Return the regret curves of each world with their names at their ends.

    Args:
        lanes: one or two.   coloured: methods in colour, the others are grey.
        pins: methods whose seeds are drawn as thin lines.   height: in pixels, None for that of the stage.
    """
    sheet = Sheet(theme, frame, height, hoverdistance=30)
    sheet.margins(4.6 * theme.tick, 8, 1.75 * theme.label, 2.9 * theme.label)
    high = highest([lane.total for lane in lanes], [lane.median for lane in lanes], coloured, pins)
    spans = ([0.0, 0.48], [0.52, 1.0]) if len(lanes) == 2 else ([0.0, 1.0],)
    for i, (lane, across) in enumerate(zip(lanes, spans, strict=True)):
        panel = RacePanel(sheet, f"world {i}", clock, high, lane.total, lane.median, lane.jumps, lane.side_queries)
        panel.draw(titles[i], across, coloured, pins, "regret so far, R<sub>t</sub> (reward units)" if i == 0 else "")
    return sheet.film()
