"""One file a paper (of Flynn & Reeb two), a function a table or figure; `python -m lessons.reproductions NAME` runs it.

Set-ups and printed values are the papers'; what a paper does not state is listed as a choice in every report.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from lessons.reproductions.experiments import bogunovic, deng, flynn, flynn_figures, iwazaki, mauduit
from lessons.reproductions.experiments.record import (
    Experiment,
    Finding,
    PartOutcome,
    Published,
    Results,
    Said,
)

MODULES = (flynn, flynn_figures, iwazaki, deng, bogunovic, mauduit)
EXPERIMENTS: Mapping[str, Experiment] = MappingProxyType({e.name: e for m in MODULES for e in m.EXPERIMENTS})

__all__ = ["EXPERIMENTS", "Experiment", "Finding", "PartOutcome", "Published", "Results", "Said"]
