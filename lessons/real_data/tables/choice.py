"""The reader's choices about a sheet, and a guess of them from the sheet itself."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lessons.real_data.reading.cells import times
from lessons.real_data.reading.limits import MAX_ARMS
from lessons.real_data.reading.reader import RawTable

FORWARD, DROP = "forward", "drop"
TIME_NAMES = frozenset(
    (
        "time",
        "date",
        "datetime",
        "timestamp",
        "day",
        "week",
        "month",
        "year",
        "hour",
        "minute",
        "t",
        "datum",
        "zeit",
        "jour",
        "fecha",
        "data",
        "index",
    )
)


@dataclass(frozen=True)
class Choice:
    """Choices about a sheet: plain values.

    Attributes:
        time: number of the time column, or None: the rows are in order.
        arms: numbers of the columns that are arms.   higher: whether more is better.
        fill: `FORWARD` (a missing cell repeats the last one) or `DROP` (rows with missing cells go).
        standardise: divide every arm by the standard deviation of its training part.
        share: of the rows for training.
        keep_codes: read codes for missing cells, such as -999, as numbers.
        log_returns: race on log returns of prices.
    """

    time: int | None
    arms: tuple[int, ...]
    higher: bool = True
    fill: str = FORWARD
    standardise: bool = False
    share: float = 0.6
    keep_codes: bool = False
    log_returns: bool = False


def guess(sheet: RawTable) -> Choice:
    """The time column and the arms that a sheet most likely means."""
    time = next((i for i in range(min(len(sheet.header), 8)) if _is_time(sheet, i)), None)
    arms = [i for i, c in enumerate(sheet.parsed) if i != time and c.numeric]
    return Choice(time, tuple(arms[:MAX_ARMS]))


def _is_time(sheet: RawTable, i: int) -> bool:
    """Dates; or, in the first column or under the name of a time, numbers that rise all the way."""
    column, read = sheet.parsed[i], times(sheet.columns[i][:400])
    if read.dated and (read.at is not None or not column.numeric):
        return read.at is None or np.unique(read.at).size > 1 or sheet.height == 1
    named = sheet.header[i].lower() in TIME_NAMES
    if not column.numeric or not (named or i == 0):
        return False
    steps = np.diff(column.values)
    return bool(named or (len(steps) > 1 and (steps > 0).all() and np.ptp(steps) <= 1e-9 * abs(steps).max()))
