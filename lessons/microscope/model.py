"""One cached experiment by statement and setting, the stops of its sweep, and the conic program beside a dual."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from common.cache import shared
from lessons.microscope import statements
from lessons.microscope.statements import STATEMENTS, MicroscopeResult, MicroscopeSetting
from tvbo_core.gp.spectral import BoundError

FIELDS = {"eps": "epsilon", "fade": "gamma"}  # knobs of the page whose field in the setting has another name
MAX_STOPS = 12


def setting_from(key: str, values: Mapping[str, Any]) -> MicroscopeSetting:
    """Return the setting of a statement's experiment; knobs that it does not use stay at their defaults."""
    return MicroscopeSetting(**{FIELDS.get(k, k): values[k] for k in STATEMENTS[key].uses if k in values})


@shared(64)
def experiment(key: str, setting: MicroscopeSetting) -> MicroscopeResult:
    """Return the experiment of one statement."""
    return statements.run(key, setting)


def events(found: MicroscopeResult) -> list[int]:
    """Return the frame that says it best, and those where two curves over the sweep cross."""
    stops = {found.tells}
    curves = [line.y for line in found.over if not line.dots]
    for one, other in pairwise(curves):
        above = one > other
        stops |= {i for i in range(1, found.frames) if above[i] != above[i - 1]}
    return sorted(stops)[:MAX_STOPS]


@shared(64)
def conic(key: str, setting: MicroscopeSetting, frame: int) -> str:
    """Return the conic program beside the dual at one frame, or one sentence on why there is no answer."""
    found, solve = experiment(key, setting), STATEMENTS[key].conic
    assert solve is not None  # the page asks only where there is one
    dual = float(found.value("with plus")[frame])
    try:
        value = solve(setting, int(found.sweep[frame]))
    except ImportError:
        return "The conic solver is not installed; `pip install cvxpy clarabel` brings it."
    except BoundError as problem:
        return str(problem)
    return f"Conic program: {value:.7f}. With a plus: {dual:.7f}. They differ by {abs(value - dual):.0e}."
