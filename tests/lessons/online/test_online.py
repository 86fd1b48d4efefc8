"""The shares that What holds then? says, by other code, and the theorem beside them."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest

import tvbo_core as tv
from lessons.online import model
from lessons.online.lesson import HOLDS_BET, LESSON, truth
from lessons.online.model import FOLLOWS, FORGETS, KEEPS, ONLINE_WORLD, OnlineSetting
from lessons.online.scene import promise

SETTINGS = [
    OnlineSetting(ONLINE_WORLD, 20, 0.5),
    OnlineSetting(replace(ONLINE_WORLD, kind="glide", seed=7), 5, 2.0),
    OnlineSetting(replace(ONLINE_WORLD, kind="still", seed=8, noise_sd=0.5), 80, 0.05),
]


@pytest.mark.parametrize("setting", SETTINGS, ids=["jumps", "glide", "static"])
def test_shares_are_those_of_plain_regression(setting: OnlineSetting) -> None:
    """Every round is predicted by its own weighted regression of the earlier observations, written out here."""
    film = model.online(setting)
    problem, arms, y = film.history.problem, film.history.arms, film.history.y
    K, noise, n = problem.kernel(problem.x, problem.x), problem.noise_sd, len(y)
    inside = dict.fromkeys((KEEPS, FORGETS, FOLLOWS), 0)
    q = 1.0
    for t in range(n):
        age, past = np.arange(t, 0, -1), arms[:t]
        for name, kept in ((KEEPS, 1.0), (FORGETS, 1.0 - 1.0 / setting.m)):
            weight = kept ** (age - 1.0)
            # An observation of weight w counts as one with noise variance sigma^2 / w.
            C, k = K[np.ix_(past, past)] + np.diag(noise**2 / weight), K[past, arms[t]]
            solved = np.linalg.solve(C, np.c_[k, y[:t]])
            mean, var = k @ solved[:, 1], K[arms[t], arms[t]] - k @ solved[:, 0]
            h = 1.645 * np.sqrt(max(var, 0.0) + noise**2)
            score = abs(y[t] - mean) / h
            inside[name] += score <= 1.0
        inside[FOLLOWS] += score <= q
        q += setting.eta * ((score > q) - 0.1)
    facts = model.facts(film, n)
    assert {name: round(facts[f"{name}: share inside"] * n) for name in inside} == inside


@pytest.mark.parametrize("setting", SETTINGS, ids=["jumps", "glide", "static"])
def test_share_is_within_its_bound_at_every_time(setting: OnlineSetting) -> None:
    film = model.online(setting)
    for t in range(1, film.rounds + 1):
        found = model.facts(film, t)
        assert abs(found[f"{FOLLOWS}: share inside"] - 0.9) <= found["share may be off by"] + 1e-12


@pytest.mark.parametrize("setting", SETTINGS, ids=["jumps", "glide", "static"])
def test_proved_share_is_never_rounded_up(setting: OnlineSetting) -> None:
    film = model.online(setting)
    for t in range(1, film.rounds + 1):
        proved = 100 * (0.9 - model.facts(film, t)["share may be off by"])
        said = re.search(r"at least (\d+) %", promise(film, t)[0])
        assert int(said[1]) <= proved < int(said[1]) + 1 if said else proved < 1


def test_an_interval_knows_nothing_of_its_observation() -> None:
    """Other observations from round 100 on leave every interval up to that round as it was."""
    film = model.online(SETTINGS[0])
    head, half = film.until(100), [one.half[:101] for one in film.intervals]
    other = replace(film.history, y=np.where(np.arange(film.rounds) < 100, film.history.y, -film.history.y))
    for policy, one in zip(model.policies(SETTINGS[0]), film.intervals, strict=False):
        again = tv.watch(policy, other)
        np.testing.assert_array_equal(again.mean[:101], one.mean[:101])
    assert all((one.half == part).all() for one, part in zip(head.intervals, half, strict=True))


def test_bet_says_who_kept_nine_in_ten() -> None:
    outcome = truth(LESSON.settings(HOLDS_BET.values), HOLDS_BET)
    assert outcome.right == ("follow",)
    static = truth(LESSON.settings(model.STILL), HOLDS_BET)
    assert "follow" in static.right and len(static.right) > 1
