"""Curves that index algorithms maximise, all from one set of observations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

import tvbo_core as tv
from common.cache import shared
from lessons.race.model import RaceSetting
from lessons.shared.knobs import METHODS
from lessons.shared.play_jobs import cached_problem
from lessons.shared.policies import policy
from tvbo_core import World
from tvbo_core.policies.index import IndexPolicy

WHO = ("gp", "r", "sw", "wgp", "tv", "et")  # each queries where mean + width x sd of what it remembers is highest
SOURCE = tv.GPUCB(width=2.0)  # whose observations all of them are given
ROUNDING = 1e-9  # heights this close are equal: those of equal arms differ by some 1e-13 here


@dataclass(frozen=True, eq=False)
class Indices:
    """One set of observations under several algorithms.

    Attributes:
        curves: name -> (F, m) mean + width x sd of every action, before the query of each frame.
        best: name -> (F,) arm at its highest point.
    """

    curves: Mapping[str, np.ndarray]
    best: Mapping[str, np.ndarray]


@shared(8)
def indices(setting: RaceSetting, world: World, rows: Sequence[int]) -> Indices:
    """Return what each algorithm that can play there would maximise at these rounds, with GP-UCB's observations.

    Args:
        world: with the seed of the observations.   rows: from 0, increasing.
    """
    problem = cached_problem(world)
    history, curves = tv.play(problem, SOURCE, tv.observe.play_rng(world.seed)), {}
    for word in WHO:
        rule = policy(word, setting.memory, setting.width)
        assert isinstance(rule, IndexPolicy)
        try:
            state = rule.init(problem.known)
        except ValueError:
            continue  # its width or memory cannot be set in this world, and a note of the page says why
        at, found = set(rows), []
        for t in range(max(rows) + 1):
            if t in at:
                found.append(rule.band(state, t).upper)
            state = rule.update(state, t, int(history.arms[t]), float(history.y[t]))
        curves[METHODS[word]] = np.array(found)
    return Indices(curves, {name: _highest(some) for name, some in curves.items()})


def _highest(curves: np.ndarray) -> np.ndarray:
    """Return (F,) the first arm at the highest point of each of the curves (F, m).

    Arms that no observation reaches are equally high; rounding, which differs between processors, does not choose.
    """
    return (curves > curves.max(axis=1, keepdims=True) - ROUNDING).argmax(axis=1)
