"""SupKernelUCB's rate in a static world: the square root of T times the information gain."""

from __future__ import annotations

import math
from fractions import Fraction as F

from tvbo_core.theory import THEOREMS

VALKO = THEOREMS["valko-1"]


def test_exponents_at_one_place_are_exact() -> None:
    assert VALKO.exponent(nu=F(5, 2), d=2, alpha=F(1)) == (F(9, 14), 0)
    assert VALKO.exponent(nu=math.inf, d=2, alpha=F(1)) == (F(1, 2), 0)


def test_it_holds_in_static_worlds_alone() -> None:
    assert VALKO.valid(T=1e4, V=0.0, nu=F(5, 2), d=2) and not VALKO.valid(T=1e4, V=1.0, nu=F(5, 2), d=2)
