"""The R-PERP page restarts as Theorem 5 says for the world that its restart makes."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from lessons.rperp.model import PairedRuns, paired_runs
from lessons.rperp.setting import RPERPSetting
from tvbo_core import World

FOLLOWS = RPERPSetting(World(kind="still", budget=16.0, horizon=200, seed=81), True)
GLIDES = RPERPSetting(World(kind="glide", horizon=100, arms=40, seed=0), False, restart=50)


@cache
def fresh_runs(setting: RPERPSetting) -> PairedRuns:
    return paired_runs.__wrapped__(setting)


def test_theorem_five_fits_its_own_follower() -> None:
    runs = fresh_runs(replace(FOLLOWS, restart=0))
    assert runs.theorem_rounds == runs.H  # the drift of the follower of H asks for H again
