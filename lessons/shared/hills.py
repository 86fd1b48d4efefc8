"""The hill of lesson 0 as a reader has reshaped it, as a short code that links carry from page to page."""

from __future__ import annotations

from lessons.shared.reshaped import FLAT, Reshaped

HEIGHT = r"-?(\d{1,2}|1[01]\d|120)"  # of a bend, units
SHAPE = f"{HEIGHT}(_{HEIGHT}){{5}}"
DRAWN = "drawn"  # a shape that nobody has bent
FORM = f"\\d{{1,2}}~(4|[0-3](\\.[2468])?)~({DRAWN}|{SHAPE})~({DRAWN}|{SHAPE})"
MEANS = "the code of a hill of lesson 0: its seed, its drift and its two shapes with ~ between"
AS_DRAWN = "none"


def write(world: Reshaped) -> str:
    """Return a hill as a link carries it."""
    return f"{world.hill}~{world.drift:g}~{encode(world.start)}~{encode(world.end)}"


def read(code: str) -> Reshaped:
    """Return the hill that a link's text stands for; without one lesson 0's as it was drawn."""
    if code == AS_DRAWN:
        return Reshaped()
    hill, drift, start, end = code.split("~")
    return Reshaped(hill=int(hill), drift=float(drift), start=decode(start), end=decode(end))


def decode(code: str) -> tuple[int, ...]:
    """Return the bends that a link's text stands for."""
    return FLAT if code == DRAWN else tuple(int(part) for part in code.split("_"))


def encode(bent: tuple[int, ...]) -> str:
    """Return bends as a link writes them."""
    return DRAWN if not any(bent) else "_".join(map(str, bent))
