r"""Under the microscope: one small experiment for every printed statement that is read with care.

`run("deng-times", MicroscopeSetting(seed=3))` takes well under a second and is the same for the same setting. What the
page says and draws about a statement is one `Statement`, which stands below its experiment.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from lessons.microscope.statements import (
    bogunovic,
    deng,
    deng_bounds,
    deng_discount,
    flynn,
    iwazaki,
    mauduit,
    mauduit_costs,
    mauduit_drift,
)
from lessons.microscope.statements.record import MicroscopeResult, MicroscopeSetting, Statement
from tvbo_core.threads import one_thread

FIRST = "deng-times", "bogunovic-21"  # These stand at the top of the menu; the others follow file by file.
FILES = mauduit, mauduit_drift, mauduit_costs, deng, deng_discount, deng_bounds, bogunovic, flynn, iwazaki
IN_FILES = [one for file in FILES for one in file.STATEMENTS]
STATEMENTS: Mapping[str, Statement] = MappingProxyType(
    {one.key: one for one in sorted(IN_FILES, key=lambda one: one.key not in FIRST)}  # The sort is stable.
)


def run(key: str, setting: MicroscopeSetting) -> MicroscopeResult:
    """Return the result of one statement's experiment.

    Raises:
        ValueError: there is no statement of this name.
    """
    if key not in STATEMENTS:
        raise ValueError(f"no statement is called {key!r}; there are {', '.join(STATEMENTS)}")
    with one_thread():
        return replace(STATEMENTS[key].experiment(setting), key=key)
