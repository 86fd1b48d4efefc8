"""The reader's choice, and the bands and observations that follow from it."""

from __future__ import annotations

from dataclasses import dataclass

from lessons.bands.knobs import BANDS_WORLD
from lessons.record import Values
from lessons.shared import worlds
from tvbo_core import World
from tvbo_core.bands import ALL
from tvbo_core.bands.base import Bound


@dataclass(frozen=True)
class BandSetting:
    """Choices of the reader: plain values.

    Attributes:
        world: gives the reward; as many observations are made as it has rounds.
        ratio: assumed norm bound over the world's.   delta: failure probability.
        c: covariance scale, 0 for the paper's choice.
        design: "random", "ucb" or "clustered".
    """

    world: World
    ratio: float = 1.0
    delta: float = 0.01
    c: float = 1.0
    design: str = "random"


def setting_from(values: Values) -> BandSetting:
    """Return the setting that these values of the page's knobs describe."""
    v = values
    world = worlds.build(v, BANDS_WORLD)
    return BandSetting(world, v["Bhat"], v["delta"], v["c"], v["design"])


def listed_bands(setting: BandSetting, norm_bound: float, noise_sd: float) -> dict[str, Bound]:
    """Return every band of `tvbo_core.bands.ALL` under the same assumptions.

    Args:
        norm_bound: of the reward, before it is assumed larger or smaller.   noise_sd: of one observation.
    """
    eta = 2.0 / setting.world.horizon
    sigma, delta = noise_sd, setting.delta
    B = norm_bound * setting.ratio
    c = covariance_scale(setting)
    return {name: entry.make(B, sigma, delta, c=c, ridge=sigma**2 / c, eta=eta) for name, entry in ALL.items()}


def covariance_scale(setting: BandSetting) -> float:
    """Return c: the reader's, or Flynn & Reeb's (sec. 7): n^(-d/(2 nu + 2 d)) for a Matern kernel, 1 for the SE one."""
    world = setting.world
    if setting.c:
        return setting.c
    if world.kernel == "se":
        return 1.0
    return float(world.horizon ** (-world.dimension / (2.0 * world.nu + 2.0 * world.dimension)))
