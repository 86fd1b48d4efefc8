"""The race: regret against time in one or two worlds, and between them the ranks that change hands.

The lines are drawn once, whole; a curtain in the colour of the paper hides what has not happened yet. So a film
moves a few corners and labels instead of every point of every line.
"""

from __future__ import annotations

from collections.abc import Sequence

from figures import theme as look
from figures.film import Film
from figures.frames import FilmFrames
from figures.race_axes import QUANTITY, RaceScale, curves, seed_medians
from figures.race_panel import RacePanel
from figures.sheet import Sheet
from figures.theme import Theme
from lessons.race.figure_ranks import ranks
from lessons.race.summary import Lane


def stage(
    lanes: Sequence[Lane],
    titles: Sequence[str],
    coloured: Sequence[str],
    pins: Sequence[str],
    clock: FilmFrames,
    theme: Theme,
    drawn: int,
    quantity: str = "total",
    logs: bool = False,
    order: bool = True,
) -> Film:
    """Regret curves of each world with their names at their ends, and the ranks by regret so far.

    Args:
        lanes: one or two.   titles: of the worlds.   coloured: methods in colour, the others are grey.
        pins: methods whose seeds are drawn as thin lines.   clock: rows of the frames.
        quantity: a key of `QUANTITY`.   logs: both axes logarithmic.
        order: whether the ranks stand beside one world.
    """
    sheet = Sheet(theme, drawn, look.layout(theme, None, hoverdistance=30))
    sheet.margins(4.6 * theme.tick, 8, 1.75 * theme.label, 2.9 * theme.label)
    shown = [{n: curves(lane.total[n], quantity) for n in lane.total} for lane in lanes]
    medians = [
        lane.median if quantity == "total" else seed_medians(lines) for lane, lines in zip(lanes, shown, strict=True)
    ]
    scale = RaceScale.of(shown, coloured, pins, logs, medians)
    edge = 0.315 if theme.lecture else 0.335  # of a world; the ranks lie between
    spans = ([0.0, edge], [1.0 - edge, 1.0]) if len(lanes) == 2 else ([0.0, 0.7 if order else 1.0],)
    for i, (lane, lines, across) in enumerate(zip(lanes, shown, spans, strict=True)):
        panel = RacePanel(sheet, f"world {i}", clock, scale, lines, medians[i], lane.jumps, lane.asked)
        panel.draw(titles[i], across, coloured, pins, QUANTITY[quantity] if i == 0 else "")
    if order or len(lanes) == 2:
        ranks(sheet, lanes, titles, coloured, clock, [edge + 0.006, 0.994 - edge] if len(lanes) == 2 else [0.74, 1.0])
    return sheet.film()
