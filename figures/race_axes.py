"""The axes that the panels of a race share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np


def averages(total: np.ndarray) -> np.ndarray:
    """Return the average regret so far, (..., T), from the cumulative regret (..., T)."""
    return total / np.arange(1, total.shape[-1] + 1)


def highest(
    lines: Sequence[Mapping[str, np.ndarray]],
    medians: Sequence[Mapping[str, np.ndarray]],
    coloured: Sequence[str],
    pins: Sequence[str],
) -> float:
    """Return where the panels of a race end: above the coloured medians, but for Random, and most of the pinned seeds.

    Args:
        lines: for each panel, name -> regret (k, T).   medians: of these, name -> (T,).   coloured, pins: names.
    """
    learners = [n for n in coloured if n != "Random"] or list(coloured)
    tops = [found[n].max() for found in medians for n in learners if n in found]
    tops += [np.quantile(panel[n].max(axis=1), 0.8) for panel in lines for n in pins if n in panel]
    return float(max(max(tops, default=1.0), 1e-9) * 1.08)


def round_ticks(high: float, about: int = 5) -> list[float]:
    """Return about so many ticks from 0 to `high`, at multiples of 1, 2, 2.5 or 5 times a power of ten."""
    rough = high / about
    unit = 10.0 ** np.floor(np.log10(rough))
    step = next(unit * m for m in (1, 2, 2.5, 5, 10) if unit * m >= rough)
    return [round(float(v), 10) for v in np.arange(0.0, high * (1 + 1e-9), step)]
