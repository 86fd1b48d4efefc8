"""Worlds as tables, shared by all lessons and visitors."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

import numpy as np

import tvbo_core as tv
from common.cache import shared
from tvbo_core import History, Problem, World
from tvbo_core.play import WatchedHistory

AnyHistory = TypeVar("AnyHistory", bound=History)


@shared(16)
def problem(world: World) -> Problem:
    """The world as a table."""
    return tv.make_problem(world)


def place_name(p: Problem, arm: int) -> str:
    """An arm as a reader would say it."""
    return f"{p.x[arm, 0]:.2f}"


def coordinates(p: Problem) -> np.ndarray:
    """Return the (m,) coordinates of the actions."""
    return p.x[:, 0]


def observations(p: Problem, design: str, seed: int) -> History:
    """Return the observations of a design that does not learn from them, "ucb" aside, as many as there are rounds."""
    rng = tv.observe.play_rng(seed)
    if design == "ucb":
        return tv.observe.ucb_design(p, p.horizon, rng)
    if design == "clustered":
        return tv.observe.clustered_design(p, p.horizon, rng)
    return tv.observe.random_design(p, p.horizon, rng)


def first_rounds(history: AnyHistory, rounds: int) -> AnyHistory:
    """Return the first rounds of a play without side queries, as if no later one had been played."""
    bands = {"bands": history.bands[:rounds]} if isinstance(history, WatchedHistory) else {}
    head = history.problem.head(max(rounds, 1))
    return replace(history, problem=head, arms=history.arms[:rounds], y=history.y[:rounds], **bands)
