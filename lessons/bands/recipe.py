"""The settings of the lesson's script."""

from __future__ import annotations

from collections.abc import Mapping

from lessons.bands.knobs import BANDS_WORLD
from lessons.shared import script as code
from lessons.shared import worlds
from tvbo_core import World
from tvbo_core.bands import ALL, BandEntry
from tvbo_core.guests import GuestBandEntry

DESIGNS = {"ucb": "ucb_design", "clustered": "clustered_design"}


def recipe(value: Mapping[str, object], t: int) -> str:
    """Return a script for mean half-width, first miss and emptiness of the bands."""
    world = worlds.build(value, BANDS_WORLD)
    t, n = code.within(t, 0, world), code.within(world.horizon, 0, world)
    ratio, delta = float(value["Bhat"]), float(value["delta"])
    design = DESIGNS.get(str(value["design"]), "random_design")
    return code.script(
        __file__,
        f"Confidence bands, t = {t} of {n}",
        [f"{worlds.caption(world)}; assumed size {ratio:g} B, delta = {delta:g}"],
        settings=[
            code.world(world, "world"),
            f"design, t, delta = tv.observe.{design}, {t}, {delta!r}  # t: so many observations",
        ],
        tuning=[
            # The paths of a Markov reward leave the space: its bound is only assumed.
            f"B = {ratio!r} * {'world' if world.kind == 'markov' else 'problem'}.norm_bound",
            *_tuning(value, world),
            code.mapping("bands", {name: _band(entry) for name, entry in ALL.items()}),
        ],
    )


def _band(entry: BandEntry) -> str:
    """Return the source of a band, which is given what it needs under its names."""
    if isinstance(entry, GuestBandEntry):
        return f"{code.guest(entry.guest)}.band(B, sigma, delta)"
    needs = [f"{name}={name}" for name in entry.needs]
    listed = f'tv.bands.ALL["{entry.name}"].band'
    return f"{code.public(entry.band, listed)}({', '.join(['B', 'sigma', 'delta', *needs])})"


def _tuning(value: Mapping[str, object], world: World) -> list[str]:
    """Return the lines of the covariance scale c and of AY's ridge."""
    chosen = float(value["c"])
    c = f"c = {chosen!r}  # scale of the prior that AMM, DMM and CMM mix over"
    if not chosen:
        power = f"{world.horizon} ** (-{world.dimension} / (2 * {world.nu!r} + 2 * {world.dimension}))"
        c = f"c = {power if world.kernel == 'matern' else 1.0}  # Flynn & Reeb, sec. 7"
    return [c, "ridge = sigma**2 / c  # AY's, which then smooths as AMM does"]
