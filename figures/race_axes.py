"""The axes that the panels of a race share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from figures import theme as style

MEAN_ROUNDS = 10  # over which the regret of a round is averaged
QUANTITY = {
    "total": "regret so far, R<sub>t</sub> (reward units)",
    "mean": "average regret so far, R<sub>t</sub>/t (reward units)",
    "round": "regret of a round, r<sub>t</sub> (reward units)",
}


def curves(total: np.ndarray, quantity: str) -> np.ndarray:
    """Return the quantity that is drawn, (k, T), from the cumulative regret (k, T).

    Args:
        quantity: "total" for R_t, "mean" for R_t / t, "round" for the mean of r_t over the last `MEAN_ROUNDS` rounds.
    """
    t = np.arange(1, total.shape[1] + 1)
    if quantity == "mean":
        return total / t
    if quantity == "round":
        before = np.pad(total, ((0, 0), (MEAN_ROUNDS, 0)))[:, : total.shape[1]]
        return (total - before) / np.minimum(t, MEAN_ROUNDS)
    return total


def seed_medians(lines: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Return name -> median over seeds (T,) of its lines (k, T)."""
    # One call of NumPy for all names, where they have as many lines.
    if len({rows.shape for rows in lines.values()}) != 1:
        return {n: np.median(rows, axis=0) for n, rows in lines.items()}
    return dict(zip(lines, np.median(np.stack(list(lines.values())), axis=1), strict=True))


class RaceScale:
    """The value axis that all panels of a race share: linear or logarithmic, from `low` to `high`."""

    def __init__(self, low: float, high: float, logs: bool) -> None:
        self.low, self.high, self.logs = low, high, logs

    @classmethod
    def of(
        cls,
        shown: Sequence[Mapping[str, np.ndarray]],
        coloured: Sequence[str],
        pins: Sequence[str],
        logs: bool,
        medians: Sequence[Mapping[str, np.ndarray]] | None = None,
    ) -> RaceScale:
        """Return a scale for the coloured medians and four fifths of the pinned seeds; Random may leave at the top.

        Args:
            shown: for each panel, name -> lines (k, T).   coloured, pins: names.
            medians: of `shown`, where they are known.
        """
        learners = [n for n in coloured if n != "Random"] or list(coloured)
        middles = medians or [seed_medians(lines) for lines in shown]
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
        """Return the values, those below a logarithmic axis raised to its lower end."""
        return np.maximum(values, self.low) if self.logs else values

    def height(self, values: np.ndarray) -> np.ndarray:
        """Return the share of the panel's height, between 0 and 1 inside the panel."""
        if self.logs:
            return np.log(np.maximum(values, self.low) / self.low) / np.log(self.high / self.low)
        return values / self.high

    def at(self, share: np.ndarray) -> np.ndarray:
        """Return the value at a share of the height; inverse of `height`."""
        return self.low * (self.high / self.low) ** share if self.logs else share * self.high

    def axis(self) -> dict:
        """Return the range and the ticks as attributes of a Plotly axis."""
        if self.logs:
            low, high = np.log10([self.low, self.high])
            ticks = [10.0**e for e in range(int(np.ceil(low)), int(np.floor(high)) + 1)]
            return {"type": "log", "range": [low, high], **style.ticks(ticks)}
        return {"range": [0.0, self.high], **style.ticks(round_ticks(self.high))}


def round_ticks(high: float, about: int = 5) -> list[float]:
    """Return about so many ticks from 0 to `high`, at multiples of 1, 2, 2.5 or 5 times a power of ten."""
    rough = high / about
    unit = 10.0 ** np.floor(np.log10(rough))
    step = next(unit * m for m in (1, 2, 2.5, 5, 10) if unit * m >= rough)
    return [round(float(v), 10) for v in np.arange(0.0, high * (1 + 1e-9), step)]
