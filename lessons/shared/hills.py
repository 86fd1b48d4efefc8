"""The bends of lesson 0's hill by hand, as links carry them."""

from __future__ import annotations

from lessons.shared.reshaped import FLAT

HEIGHT = r"-?(\d{1,2}|1[01]\d|120)"  # of a bend, units
SHAPE = f"{HEIGHT}(_{HEIGHT}){{5}}"
DRAWN = "drawn"  # a shape that nobody has bent


def decode(code: str) -> tuple[int, ...]:
    """Return the bends that a link's text stands for."""
    return FLAT if code == DRAWN else tuple(int(part) for part in code.split("_"))
