r"""Under the microscope: one small experiment for every printed statement that is read with care.

`run("deng-times", MicroscopeSetting(seed=3))` takes well under a second and is the same for the same setting. What the
page says and draws about a statement is one `Statement`, beside its experiment.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from lessons.microscope.statements import bogunovic, deng, deng_bounds, flynn, iwazaki, mauduit
from lessons.microscope.statements.record import (
    LEVEL,
    MEASURED,
    OTHER,
    PRINTED,
    READ,
    ROLES,
    Axes,
    Line,
    MicroscopeResult,
    MicroscopeSetting,
    Statement,
)
from tvbo_core.threads import one_thread

STATEMENTS: Mapping[str, Statement] = MappingProxyType(
    {
        statement.key: statement
        for statement in (
            deng.ALL_TIMES,
            bogunovic.SMALL_NOISE,
            mauduit.SQUARE_ROOT,
            mauduit.TWO_POSTERIORS,
            mauduit.WALK,
            mauduit.THREE_TIMES,
            mauduit.INJECTED,
            mauduit.WINDOW_LENGTH,
            mauduit.COST_OF_A_ROUND,
            deng.TODAY,
            deng.OLD_POINTS,
            deng.WEIGHTED_GAINS,
            deng.TWO_SDS,
            deng_bounds.FEATURES,
            deng_bounds.EIGENVALUE_BOUNDS,
            bogunovic.EVERYWHERE_AT_ONCE,
            bogunovic.ONE_BLOCK,
            flynn.EITHER_SIGN,
            flynn.ONE_PARAMETER,
            flynn.MATCHED,
            iwazaki.TAIL,
            iwazaki.TWO_STEPS,
            iwazaki.RESTART_FITS,
            iwazaki.AVERAGE_ESTIMATE,
        )
    }
)  # in the order of the menu


def run(key: str, setting: MicroscopeSetting) -> MicroscopeResult:
    """The experiment of one statement.

    Raises:
        ValueError: there is no statement of this name.
    """
    if key not in STATEMENTS:
        raise ValueError(f"no statement is called {key!r}; there are {', '.join(STATEMENTS)}")
    with one_thread():
        return replace(STATEMENTS[key].experiment(setting), key=key)


__all__ = [
    "LEVEL",
    "MEASURED",
    "OTHER",
    "PRINTED",
    "READ",
    "ROLES",
    "STATEMENTS",
    "Axes",
    "Line",
    "MicroscopeResult",
    "MicroscopeSetting",
    "Statement",
    "run",
]
