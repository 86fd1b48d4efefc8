"""One cached experiment by statement and setting, and the stops of its sweep."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from common.cache import shared
from lessons.microscope import statements
from lessons.microscope.statements import STATEMENTS, MicroscopeResult, MicroscopeSetting

FIELDS = {"eps": "epsilon", "fade": "gamma"}  # The setting has other names for these knobs.
MAX_STOPS = 12


def setting_from(key: str, values: Mapping[str, Any]) -> MicroscopeSetting:
    """Return the setting of a statement's experiment; knobs that it does not use stay at their defaults."""
    return MicroscopeSetting(**{FIELDS.get(k, k): values[k] for k in STATEMENTS[key].uses if k in values})


@shared(64)
def experiment(key: str, setting: MicroscopeSetting) -> MicroscopeResult:
    """Return the experiment of one statement."""
    return statements.run(key, setting)


def events(found: MicroscopeResult) -> list[int]:
    """Return the frame that shows the statement best, and those where two curves over the sweep cross."""
    stops = {found.tells}
    curves = [line.y for line in found.over if not line.dots]
    for one, other in pairwise(curves):
        above = one > other
        stops |= {i for i in range(1, found.frames) if above[i] != above[i - 1]}
    return sorted(stops)[:MAX_STOPS]
