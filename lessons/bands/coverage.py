"""Coverage of the bands over repeated still worlds with the kernel, noise and norm of the page's world."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

import tvbo_core as tv
from common.cache import shared
from lessons.bands.setting import BandSetting, listed_bands
from tvbo_core.bands import Bound
from tvbo_core.bands.coverage import Coverage, still_coverage
from tvbo_core.guests import ADMITTED

WORLDS = 200
WORLD_MS, TIGHT_WORLD_MS = 0.3, 5.0  # of one world with 100 observations; where the norm is assumed too small
STREAM = 5  # of a world's seed; worlds and plays use others


def still_worlds(setting: BandSetting) -> BandSetting:
    """Return the setting of the repeated worlds."""
    # Neither how the reward moves nor where the data of the stage fall plays a part: same key, same answer.
    still = replace(setting.world, kind="still", budget=0.0, epsilon=0.01, alpha=1.0)
    return replace(setting, world=still, design="random")


def expected_seconds(still: BandSetting) -> float:
    """Return about how long it takes to measure the coverage in these worlds.

    Under an assumed norm that is too small membership fails, and many worlds are checked band by band.
    """
    return WORLDS * (WORLD_MS if still.ratio >= 1 else TIGHT_WORLD_MS) / 1000 * (still.world.horizon / 100)


def measured(still: BandSetting) -> Coverage:
    """Return in how many of these worlds each band covered the whole curve at all times."""
    return _measured(still, tuple(guest.word for guest in ADMITTED.values()))  # a worker may have had other guests


@shared(64)
def _measured(still: BandSetting, guests: tuple[str, ...]) -> Coverage:
    world, p = still.world, tv.make_problem(still.world)
    bands = listed_bands(still, world.norm_bound, p.noise_sd)

    def count(some: Mapping[str, Bound]) -> Coverage:
        rng = np.random.default_rng([world.seed, STREAM])
        return still_coverage(some, p.kernel, p.x, p.horizon, WORLDS, world.norm_bound, p.noise_sd, rng)

    def works(name: str) -> bool:
        try:
            return bool(count({name: bands[name]}))
        except Exception:  # a guest may raise anything, and the others stay
            return False

    try:
        return count(bands)
    except Exception:
        if not ADMITTED:
            raise
        return count({name: band for name, band in bands.items() if name not in ADMITTED or works(name)})
