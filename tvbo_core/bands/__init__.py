"""Confidence bands for a whole curve: what a band is (base), the five theorems, their duals, films and coverage."""

from tvbo_core.bands.base import Bound
from tvbo_core.bands.radius import RadiusTerms, UCBCurve
from tvbo_core.bands.theorems import AMM, AY, CMM, DMM, IGP
from tvbo_core.gp.spectral import BoundError

__all__ = ["AMM", "AY", "CMM", "DMM", "IGP", "Bound", "BoundError", "RadiusTerms", "UCBCurve"]
