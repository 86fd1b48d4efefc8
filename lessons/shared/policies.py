"""The bandits as the pages tune them, and which of them get a coloured line."""

from __future__ import annotations

from collections.abc import Sequence

from tvbo_core.elimination import PE, RPERP
from tvbo_core.opkb import OPKB
from tvbo_core.policies import GPUCB, RGPUCB, SWGPUCB, TVGPUCB, WGPUCB, Random
from tvbo_core.queries import SparQ, WSparQ
from tvbo_core.records import Policy
from tvbo_core.width import THEORY, LogWidth, Width

PAPER = "paper"
# One method of each family, in the order in which they get a colour.
FAMILIES = ("GP-UCB", "TV-GP-UCB", "R-PERP", "W-SparQ", "SW-GP-UCB", "OPKB", "WGP-UCB", "R-GP-UCB", "PE", "SparQ",
            "Random")  # fmt: skip


def policy(method: str, memory: int, width: str) -> Policy:
    """Return a bandit with this memory.

    Args:
        method: a word of `knobs.METHODS`.   memory: m, past steps that count; 0 for its paper's own tuning.
        width: a number as text, "log" or "theory".
    """
    w: Width = {"log": LogWidth(2.0), "theory": THEORY}.get(width) or float(width)
    m = memory or PAPER
    twice, discount = (2 * memory, 1.0 - 1.0 / memory) if memory else (PAPER, PAPER)
    made = {
        "rnd": lambda: Random(),
        "gp": lambda: GPUCB(width=w),
        "r": lambda: RGPUCB(restart=twice, width=w),
        "sw": lambda: SWGPUCB(window=m, width=w),
        "wgp": lambda: WGPUCB(discount=discount, width=w),
        "tv": lambda: TVGPUCB(epsilon=2.0 / memory if memory else PAPER, width=w),
        "pe": lambda: PE(width=w),
        "rperp": lambda: RPERP(restart=twice, width=w),
        "opkb": lambda: OPKB(),
        "sparq": lambda: SparQ(width=w),
        "wsparq": lambda: WSparQ(width=w),
    }
    return made[method]()


def coloured(names: Sequence[str], pins: Sequence[str], most: int = 6) -> tuple[str, ...]:
    """Return the names that get a coloured line: the pinned ones, then one of each family, in the given order."""
    chosen = list(dict.fromkeys(n for n in (*pins, *FAMILIES) if n in names))[:most]
    return tuple(n for n in names if n in chosen)
