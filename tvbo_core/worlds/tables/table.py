"""Tables of rewards, and the transformations of their columns."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, eq=False)
class Table:
    """Rewards of several arms over time.

    Attributes:
        name: as in `DATASETS`, or the user's own.
        title: in a few words.
        rewards: (T, m) in `unit`, finite; the first `train_rows` rows are for the kernel.
        arm_names: m names.
        times: T labels, in order.
        unit: of a reward.
        source: one sentence on where the numbers come from.
        licence: one sentence, with the attribution that the licence asks for.
        caution: one sentence on what not to conclude.
        train_rows: number of rows of the training part, at least 2 and less than T.
        filled: (T, m) which rewards stand in for missing ones, or None.
    Raises:
        ValueError: shapes disagree, a reward is not finite, or one of the two parts is too short.
    """

    name: str
    title: str
    rewards: np.ndarray
    arm_names: tuple[str, ...]
    times: tuple[str, ...]
    unit: str
    source: str
    licence: str
    caution: str
    train_rows: int
    filled: np.ndarray | None = None

    def __post_init__(self) -> None:
        shape = (len(self.times), len(self.arm_names))
        if self.rewards.shape != shape or not shape[1]:
            raise ValueError(f"rewards must have shape (times, arms) = {shape}, got {self.rewards.shape}")
        if not np.isfinite(self.rewards).all():
            raise ValueError("rewards must be finite everywhere; fill or drop the missing ones first")
        if not 2 <= self.train_rows < shape[0]:
            raise ValueError(f"train_rows must be from 2 to {shape[0] - 1}, got {self.train_rows}")


def spread(values: np.ndarray) -> np.ndarray:
    """(m,) standard deviations, without overflow whatever the size; never 0 for an arm that moves."""
    size = np.abs(values).max(axis=0)
    size[size == 0] = 1.0
    return np.maximum((values / size).std(axis=0), 1e-15) * size


def trailing_log_return(prices: np.ndarray, lag: int) -> np.ndarray:
    r"""(T - lag, m) percent, $100\ln(p_t/p_{t-\mathrm{lag}})$ of prices (T, m)."""
    return 100.0 * np.log(prices[lag:] / prices[:-lag])
