"""Confidence bands for a whole curve: what a band is (base), the theorems, their duals, films and coverage.

`ALL` lists every band by its short name. A new band is a frozen class in a file of its own and one line here.
"""

from tvbo_core.bands.base import Bound
from tvbo_core.bands.entry import BandEntry
from tvbo_core.bands.radius import RadiusTerms
from tvbo_core.bands.theorems import AMM, AY, CMM, DMM, IGP
from tvbo_core.gp.spectral import BoundError

ALL: dict[str, BandEntry] = {
    entry.name: entry
    for entry in (
        BandEntry(CMM, "Convex mixture martingale (exact)", needs=("c",), ms=83.0),
        BandEntry(DMM, "Dual mixture martingale", needs=("c",), ms=2.3),
        BandEntry(AMM, "Analytic mixture martingale", needs=("c",), ms=0.6),
        BandEntry(AY, "Abbasi-Yadkori (2012)", needs=("ridge",), ms=0.6),
        BandEntry(IGP, "Improved GP-UCB, Chowdhury & Gopalan (2017)", needs=("eta",), ms=0.6),
    )
}

__all__ = ["ALL", "AMM", "AY", "CMM", "DMM", "IGP", "BandEntry", "Bound", "BoundError", "RadiusTerms"]
