"""A closer look at the bands: one place at one time, in parts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from common.cache import keyed
from lessons.bands.dual_curve import UCBCurve, ucb_curve
from lessons.bands.model import BandsOverTime
from tvbo_core.bands.radius import RadiusTerms
from tvbo_core.gp.spectral import spectrum

_closer_looks = keyed(64)


@dataclass(frozen=True, eq=False)
class BandsAtPlace:
    """The bands at one time and arm.

    Attributes:
        bounds: name -> (lower, mean, upper).   truth: the reward there.
        parts: name -> part of the half-width by term, reward units; of the bands that have terms.
    """

    bounds: Mapping[str, tuple[float, float, float]]
    truth: float
    parts: Mapping[str, Mapping[str, float]]


def closer_look(run: BandsOverTime, t: int, arm: int) -> tuple[BandsAtPlace, UCBCurve]:
    """Return the bands at one time and arm, and there UCB(alpha) with DMM's five alphas and CMM's minimum."""

    def make() -> tuple[BandsAtPlace, UCBCurve]:
        h = run.history
        spec = spectrum(h.problem.kernel, h.X[:t], h.y[:t], h.problem.x)
        films, terms = run.films.items(), {name: band.terms(spec, arm) for name, band in run.bands.items()}
        bounds = {n: (float(f.lower[t, arm]), float(f.mean[t, arm]), float(f.upper[t, arm])) for n, f in films}
        parts = {name: half_width_parts(found) for name, found in terms.items() if found}
        return BandsAtPlace(bounds, float(run.truth[t, arm]), parts), ucb_curve(run.cmm, spec, arm)

    return _closer_looks((run.setting, run.only, t, arm), make)


def half_width_parts(terms: RadiusTerms) -> dict[str, float]:
    """Return parts by term that add up to the half-width, reward units.

    Legs (AY, IGP): B, then the noise leg split by the shares under its root. Hypotenuse (AMM, DMM, CMM): by the
    shares of the squares. It is a way to draw a root of a sum, stated in the caption.
    """
    noise = {
        "log_det": terms.scale * terms.log_det,
        "log_delta": terms.scale * terms.log_delta,
        "steps": terms.scale * terms.steps,
    }
    if terms.rule == "legs":
        total, leg = sum(noise.values()), terms.width - terms.norm
        parts = {key: leg * part / total if total > 0 else 0.0 for key, part in noise.items()}
        parts |= {"norm": terms.norm, "misfit": 0.0}
    else:
        squares = {**noise, "norm": terms.norm**2, "misfit": terms.misfit}
        parts = {key: part / terms.width if terms.width > 0 else 0.0 for key, part in squares.items()}
    return {key: part * terms.sd for key, part in parts.items()}
