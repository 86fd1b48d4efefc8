r"""Under the microscope: one small experiment for every printed statement that is read with care.

`run("deng-times", Setting(seed=3))` takes well under a second and is the same for the same setting. The records
hold numbers only; the wording of each statement belongs to the page that shows it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from tvbo_core.microscope import bogunovic, deng, deng_bounds, flynn, iwazaki, mauduit
from tvbo_core.microscope.record import (
    LEVEL,
    MEASURED,
    OTHER,
    PRINTED,
    READ,
    ROLES,
    Line,
    MicroscopeResult,
    MicroscopeSetting,
)
from tvbo_core.threads import one_thread

EXPERIMENTS: Mapping[str, Callable[[MicroscopeSetting], MicroscopeResult]] = MappingProxyType(
    {
        "deng-times": deng.all_times,
        "bogunovic-21": bogunovic.small_noise,
        "mauduit-subset": mauduit.two_posteriors,
        "flynn-11": flynn.either_sign,
        "mauduit-34": mauduit.square_root,
        "mauduit-walk": mauduit.walk,
        "mauduit-three": mauduit.three_times,
        "mauduit-third": mauduit.injected,
        "mauduit-length": mauduit.window_length,
        "mauduit-36": mauduit.cost_of_a_round,
        "deng-old": deng.old_points,
        "deng-today": deng.today,
        "deng-gain": deng.weighted_gains,
        "deng-sd": deng.two_sds,
        "deng-14": deng_bounds.features,
        "deng-7": deng_bounds.eigenvalue_bounds,
        "bogunovic-block": bogunovic.one_block,
        "bogunovic-16": bogunovic.everywhere_at_once,
        "flynn-12": flynn.one_parameter,
        "flynn-63": flynn.matched,
        "iwazaki-C": iwazaki.tail,
        "iwazaki-list": iwazaki.two_steps,
        "iwazaki-H": iwazaki.restart_fits,
        "iwazaki-mean": iwazaki.average_estimate,
    }
)


def run(key: str, setting: MicroscopeSetting) -> MicroscopeResult:
    """The experiment of one statement.

    Raises:
        ValueError: there is no statement of this name.
    """
    if key not in EXPERIMENTS:
        raise ValueError(f"no statement is called {key!r}; there are {', '.join(EXPERIMENTS)}")
    with one_thread():
        return EXPERIMENTS[key](setting)


__all__ = [
    "EXPERIMENTS", "LEVEL", "MEASURED", "OTHER", "PRINTED", "READ", "ROLES", "Line", "MicroscopeResult",
    "MicroscopeSetting", "run",
]  # fmt: skip
