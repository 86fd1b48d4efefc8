"""The axes that the panels of a race share, and places for names that must not touch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

ROUNDS = 10  # over which the regret of one round is averaged, to be seen
QUANTITY = {
    "total": "regret so far, R<sub>t</sub> (reward units)",
    "mean": "average regret so far, R<sub>t</sub>/t (reward units)",
    "round": "regret of a round, r<sub>t</sub> (reward units)",
}


def curves(total: np.ndarray, quantity: str) -> np.ndarray:
    """(k, T) what is drawn, from the regret so far."""
    t = np.arange(1, total.shape[1] + 1)
    if quantity == "mean":
        return total / t
    if quantity == "round":
        before = np.pad(total, ((0, 0), (ROUNDS, 0)))[:, : total.shape[1]]
        return (total - before) / np.minimum(t, ROUNDS)
    return total


def middle(lines: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """name -> (T,) the median of its lines (k, T); of all names at once where they have as many lines."""
    if len({rows.shape for rows in lines.values()}) != 1:
        return {n: np.median(rows, axis=0) for n, rows in lines.items()}
    return dict(zip(lines, np.median(np.stack(list(lines.values())), axis=1), strict=True))


class Scale:
    """The axes that all panels of a race share: linear or logarithmic, from `low` to `high`."""

    def __init__(self, low: float, high: float, logs: bool) -> None:
        self.low, self.high, self.logs = low, high, logs

    @classmethod
    def of(
        cls, shown: Sequence[Mapping[str, np.ndarray]], coloured: Sequence[str], pins: Sequence[str], logs: bool,
        medians: Sequence[Mapping[str, np.ndarray]] | None = None,
    ) -> Scale:  # fmt: skip
        """Tall enough for the coloured lines and most seeds of the pinned ones; Random may leave at the top.

        `medians` are those of what is shown, where they are known.
        """
        learners = [n for n in coloured if n != "Random"] or list(coloured)
        middles = medians or [middle(lines) for lines in shown]
        tops = [found[n].max() for found in middles for n in learners if n in found]
        tops += [np.quantile(lines[n].max(axis=1), 0.8) for lines in shown for n in pins if n in lines]
        high = max(max(tops, default=1.0), 1e-9) * (1.6 if logs else 1.08)
        if not logs:
            return cls(0.0, high, False)
        late = [row[len(row) // 4 :] for found in middles for row in found.values()]
        every = np.concatenate(late)
        low = 0.7 * every[every > 0].min() if (every > 0).any() else high / 1e3
        return cls(float(min(max(low, high / 1e5), high / 10)), high, True)

    def y(self, values: np.ndarray) -> np.ndarray:
        """Values as an axis places them, those below a logarithmic axis lifted to its foot."""
        return np.maximum(values, self.low) if self.logs else values

    def height(self, values: np.ndarray) -> np.ndarray:
        """Share of the panel's height, 0 to 1 inside."""
        if self.logs:
            return np.log(np.maximum(values, self.low) / self.low) / np.log(self.high / self.low)
        return values / self.high

    def at(self, share: np.ndarray) -> np.ndarray:
        """The value at a share of the height."""
        return self.low * (self.high / self.low) ** share if self.logs else share * self.high

    def axis(self) -> dict:
        if self.logs:
            low, high = np.log10([self.low, self.high])
            ticks = [10.0**e for e in range(int(np.ceil(low)), int(np.floor(high)) + 1)]
            return {"type": "log", "range": [low, high], "tickvals": ticks, "ticktext": [f"{v:g}" for v in ticks]}
        ticks = nice(self.high)
        return {"range": [0.0, self.high], "tickvals": ticks, "ticktext": [f"{v:g}" for v in ticks]}


def nice(high: float, about: int = 5) -> list[float]:
    """Round ticks from 0 up to `high`."""
    rough = high / about
    unit = 10.0 ** np.floor(np.log10(rough))
    step = next(unit * m for m in (1, 2, 2.5, 5, 10) if unit * m >= rough)
    return [round(float(v), 10) for v in np.arange(0.0, high * (1 + 1e-9), step)]


def spread(wanted: np.ndarray, gap: float) -> np.ndarray:
    """(F, n) places near the wanted ones (0 to 1), at least `gap` apart and inside by half of it, in order.

    Isotonic regression of place minus rank times gap, which moves names as little as can be in total squares:
    the largest over all blocks that begin no later of the smallest mean over all that end no earlier.
    """
    n = wanted.shape[1]
    gap = min(gap, 1.0 / n)
    order = np.argsort(wanted, axis=1, kind="stable")
    rank = gap * np.arange(n)
    total = np.pad(np.cumsum(np.take_along_axis(wanted, order, axis=1) - rank, axis=1), ((0, 0), (1, 0)))
    size = np.arange(1, n + 1) - np.arange(n)[:, None]  # of the block from the row's name to the column's
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = np.where(size > 0, (total[:, None, 1:] - total[:, :-1, None]) / size, np.inf)
    least = np.minimum.accumulate(mean[:, :, ::-1], axis=2)[:, :, ::-1]  # over all blocks that end no earlier
    level = np.where(size > 0, least, -np.inf).max(axis=1)
    placed = np.empty_like(wanted, dtype=float)
    np.put_along_axis(placed, order, np.clip(level, 0.5 * gap, 1.0 - gap * (n - 0.5)) + rank, axis=1)
    return placed
