"""The strip of a hundred worlds as places of dots, on the axis of what decides a claim."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from math import ceil

from figures.theme import Theme
from lessons.record import Strip

COLUMNS, ROWS = 100, 6  # of dots: so many fit beside each other, and on each other


def dots(strip: Strip, dark: bool) -> Mapping[str, object]:
    """Return what assets/strip/strip.js draws: places from 0 to 1 along the axis, rows from the bottom; and "knob", the
    key of the one that chooses a world.
    """
    worlds = list(zip(strip.numbers, strip.worlds, strict=True))
    if strip.here is not None and strip.world not in strip.worlds:
        worlds.append((strip.here, strip.world))
    worlds.sort()
    low, high = min(worlds[0][0], strip.limit.at), max(worlds[-1][0], strip.limit.at)
    along = [(number - low) / (high - low) for number, _ in worlds]
    limit = (strip.limit.at - low) / (high - low)
    return {
        "knob": strip.knob,
        "label": f"{len(strip.worlds)} {strip.counted}, in the order of the claim's number; red: the claim fails",
        "limit": [limit, strip.number_text(strip.limit.at)],
        "here": "" if strip.here is None else f"here: {strip.number_text(strip.here)}",
        "broken": Theme(dark).missed,
        "dots": [
            {
                "x": x,
                "row": row,
                "world": world,
                "title": f"world {world}: {strip.number_text(number)}",
                "holds": strip.limit(number),
                "here": world == strip.world,
            }
            for (x, row), (number, world) in zip(stacked(along, limit), worlds, strict=True)
        ],
    }


def stacked(along: Sequence[float], limit: float) -> list[tuple[float, float]]:
    """Return place and row of each dot.

    Dots of one column stand on each other: beside each other as far as the next column and the limit are away, and
    closer where more than `ROWS` still share a column.

    Args:
        along: (n,) places from 0 to 1, ascending.   limit: place of the limit.
    """
    columns = [round(place * (COLUMNS - 1)) for place in along]
    others = {*columns, round(limit * (COLUMNS - 1))}
    found = []
    for column, many in Counter(columns).items():
        room = min((abs(column - other) for other in others if other != column), default=COLUMNS) - 1
        wide = max(1, min(room, ceil(many / ROWS)))
        closer = min(1.0, (ROWS - 1) / max(ceil(many / wide) - 1, 1))
        shift = column - (wide - 1) / 2
        found += [((shift + i % wide) / (COLUMNS - 1), i // wide * closer) for i in range(many)]
    return found
