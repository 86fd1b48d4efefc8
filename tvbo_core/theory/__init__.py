r"""Every theorem of the five papers as one record: statement, source, budget, validity, exponents, curve.

`THEOREMS["iwazaki-5-matern"].exponent(nu=2.5, d=2)` is (14/19, 5/19). The records are written down by kind of
drift (budgets.py: $V_T$, $B_T$; rates.py: $\varepsilon$, $\alpha$); finite.py has the bounds whose constants are
explicit.

>>> theorem = tv.theory.THEOREMS["iwazaki-5-matern"]
>>> [str(power) for power in theorem.exponent(nu=2.5, d=2)]
['14/19', '5/19']
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from types import MappingProxyType

from tvbo_core.theory import budgets, rates
from tvbo_core.theory.record import BUDGETS, LOWER, UPPER, Place, Powers, Theorem

THEOREMS: Mapping[str, Theorem] = MappingProxyType({t.key: t for t in (*budgets.RECORDS, *rates.RECORDS)})


def for_kernel(stem: str, nu: float) -> Theorem:
    """The record of a statement for this smoothness: "iwazaki-5" is one record for SE and one for Matern.

    Raises:
        ValueError: there is none.
    """
    for key in (f"{stem}-{'se' if nu == math.inf else 'matern'}", stem):
        if key in THEOREMS:
            return THEOREMS[key]
    raise ValueError(f"no theorem is called {stem!r}; there are {', '.join(THEOREMS)}")


__all__ = ["BUDGETS", "LOWER", "THEOREMS", "UPPER", "Place", "Powers", "Theorem", "for_kernel"]
