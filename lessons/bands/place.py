"""A closer look at the bands: one place at one time, in parts, and beside the conic program."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import tvbo_core as tv
from common.cache import keyed, shared
from lessons.bands.dual_curve import UCBCurve, ucb_curve
from lessons.bands.model import BandsOverTime, bands_over_time
from lessons.bands.setting import BandSetting
from lessons.shared.problems import place_name
from tvbo_core.bands import BoundError
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


@shared(32)
def certificates(setting: BandSetting, t: int, arm: int) -> list[dict] | str:
    """Return CMM beside the conic program at an arm and at both ends, or one sentence on why there is no answer."""
    run = bands_over_time(setting)
    h, band, film, x = run.history, run.cmm, run.films["CMM"], run.problem.x
    rows = []
    for j in dict.fromkeys((0, arm, len(x) - 1)):
        try:
            bounds = tv.certify.socp_bounds(
                run.problem.kernel, h.X[:t], h.y[:t], x[j], band.B, band.sigma, band.delta, band.c
            )
        except ImportError:
            return "The conic solver is not installed; `pip install cvxpy clarabel` brings it."
        except BoundError as refusal:
            return str(refusal)
        for side, cone, dual in zip(("lower", "upper"), bounds, (film.lower[t, j], film.upper[t, j]), strict=True):
            rows.append(
                {
                    "x": place_name(run.problem, j),
                    "side": side,
                    "conic program": cone,
                    "dual (drawn)": float(dual),
                    "gap": f"{abs(cone - dual):.1e}",
                }
            )
    return rows
