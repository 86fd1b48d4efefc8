r"""Under the microscope: printed statements that are read with care, most of them with one small experiment.

`run("deng-times", MicroscopeSetting(seed=3))` takes well under a second and is the same for the same setting. What the
page says and draws about a statement is one `Statement`, which stands below its experiment; a `Reading` is a row of the
page's table alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from lessons.microscope.statements import bogunovic, deng, flynn, iwazaki, mauduit
from lessons.microscope.statements.readings import READINGS
from lessons.microscope.statements.record import MicroscopeResult, MicroscopeSetting, Reading, Statement
from tvbo_core.threads import one_thread

# In the order of the menu.
LISTED = (
    deng.ALL_TIMES,
    bogunovic.SMALL_NOISE,
    mauduit.TWO_POSTERIORS,
    mauduit.WALK,
    deng.TODAY,
    flynn.EITHER_SIGN,
    flynn.ONE_PARAMETER,
    iwazaki.TAIL,
    iwazaki.AVERAGE_ESTIMATE,
)
STATEMENTS: Mapping[str, Statement] = MappingProxyType({one.key: one for one in LISTED})
EVERY_READING: list[Reading] = sorted([*LISTED, *READINGS], key=lambda one: one.where)


def run(key: str, setting: MicroscopeSetting) -> MicroscopeResult:
    """Return the result of one statement's experiment.

    Raises:
        ValueError: there is no statement of this name.
    """
    if key not in STATEMENTS:
        raise ValueError(f"no statement is called {key!r}; there are {', '.join(STATEMENTS)}")
    with one_thread():
        return replace(STATEMENTS[key].experiment(setting), key=key)
