r"""Rewards from hourly counts of street sensors: the surprise of a day.

Raw counts show nothing, one street is always busiest. The surprise of a day is
$100\ln\frac{\text{count}}{\text{usual count of that weekday}}$, averaged over seven days.
"""

from __future__ import annotations

import numpy as np

ONE_DAY = np.timedelta64(1, "D")  # a bare 1 has no unit, and numpy 2.5 refuses to guess one
FIRST_DAY, TEST_FROM = np.datetime64("2023-01-01"), np.datetime64("2024-01-01")
LAST_DAY = np.datetime64("2024-09-27")  # from the next day on, the file's days begin an hour late
OUTAGE_HOURS = 6  # in these years no live sensor was at 0 for longer than five hours; a dead one is coded 0
LEAST_HOURS = 18  # a sensor dead for more than a quarter of a day is sick in its other hours too
LEAST_SHARE = 0.2  # of the usual count: below, a covered or failing camera; no healthy sensor has such weeks
ROLLING_DAYS = 7


def calendar_counts(hourly) -> tuple[np.ndarray, np.ndarray]:
    """Counts by calendar day and hour, from the file's reporting days.

    A reporting day runs from 06:00 to 05:59, so its hours 0 to 5 belong to the next calendar day.

    Args:
        hourly: pandas DataFrame with columns date, hour ("6:00-6:59"), year, then one column a sensor.
    Returns:
        days (D,) as datetime64[D] and counts (D, 24, m); NaN where the file has none.
    """
    date = hourly["date"].to_numpy(dtype="datetime64[D]")
    hour = hourly["hour"].str.split(":").str[0].to_numpy(dtype=int)
    day = date + (hour < 6) * ONE_DAY
    inside = (day >= FIRST_DAY) & (day <= LAST_DAY)
    days = np.arange(FIRST_DAY, LAST_DAY + ONE_DAY, ONE_DAY)
    counts = np.full((len(days), 24, hourly.shape[1] - 3), np.nan)
    counts[(day[inside] - FIRST_DAY) // ONE_DAY, hour[inside]] = hourly.iloc[:, 3:].to_numpy(float)[inside]
    return days, counts


def without_outages(counts: np.ndarray, least: int = OUTAGE_HOURS) -> np.ndarray:
    """Counts (D, 24, m) with every run of at least `least` zeros in a row replaced by NaN: a dead sensor."""
    series = counts.reshape(-1, counts.shape[2])
    zero = np.pad(series == 0, ((1, 1), (0, 0))).astype(np.int8)
    edge = np.diff(zero, axis=0)
    dead = np.zeros(edge.shape, dtype=np.int8)
    for j in range(series.shape[1]):
        start, end = np.flatnonzero(edge[:, j] == 1), np.flatnonzero(edge[:, j] == -1)
        long = end - start >= least
        dead[start[long], j], dead[end[long], j] = 1, -1
    return np.where(np.cumsum(dead, axis=0)[:-1] > 0, np.nan, series).reshape(counts.shape)


def surprise(counts: np.ndarray, days: np.ndarray, train_days: int) -> np.ndarray:
    r"""(D - 6, m) seven-day mean of $100\ln(\text{count}/\text{usual count})$ of hourly counts (D, 24, m).

    The usual count is the training mean of that weekday, hour by hour; both are summed over the hours in
    which the sensor was alive. Days of a sick sensor do not count, neither as a reward nor as what is usual.
    The mean is over the healthy days among the last seven; longer gaps are joined by a straight line.

    Args:
        days: (D,) datetime64[D].   train_days: number of days, from the first, that say what is usual.
    """
    counts = without_outages(counts)
    weekday = days.astype("datetime64[D]").astype(int) % 7  # seven classes; their names do not matter
    learnt = counts[:train_days]
    for _ in range(2):  # the second time, what is usual is learnt from the healthy days alone
        log_ratio, healthy = _log_ratio(counts, weekday, learnt)
        learnt = np.where(healthy[:train_days, None, :], learnt, np.nan)
    return _trailing_mean(100.0 * log_ratio, healthy)


def _log_ratio(counts: np.ndarray, weekday: np.ndarray, learnt: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(D, m) log of count over usual count, and which days are healthy; `learnt` counts say what is usual."""
    usual = np.stack([_mean(learnt[weekday[: len(learnt)] == w]) for w in range(7)])
    alive = np.isfinite(counts)
    total = np.where(alive, counts, 0.0).sum(axis=1)
    expected = np.where(alive, usual[weekday], 0.0).sum(axis=1)
    healthy = (alive.sum(axis=1) >= LEAST_HOURS) & (expected > 0) & (total >= LEAST_SHARE * expected)
    return np.log(np.divide(total, expected, out=np.ones_like(total), where=healthy)), healthy


def _mean(counts: np.ndarray) -> np.ndarray:
    """(24, m) mean over the days (first axis) of the counts that are known; 0 where none is."""
    known = np.isfinite(counts)
    return np.where(known, counts, 0.0).sum(axis=0) / np.maximum(known.sum(axis=0), 1)


def _trailing_mean(values: np.ndarray, known: np.ndarray) -> np.ndarray:
    """(D - 6, m) mean of the known values among the last seven rows; gaps are joined by straight lines."""

    def window_sum(a: np.ndarray) -> np.ndarray:
        return np.lib.stride_tricks.sliding_window_view(a, ROLLING_DAYS, axis=0).sum(axis=-1)

    number = window_sum(known.astype(float))
    mean = window_sum(np.where(known, values, 0.0)) / np.maximum(number, 1)
    rows = np.arange(len(mean))
    for j in np.flatnonzero((number == 0).any(axis=0)):
        there = number[:, j] > 0
        if not there.any():
            raise ValueError(f"sensor {j} was never alive, so it has no reward; drop its column")
        mean[:, j] = np.interp(rows, rows[there], mean[there, j])
    return mean
