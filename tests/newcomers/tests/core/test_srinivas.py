"""The exponents of GP-UCB's theorem at one place, by hand: gamma_T ~ T^(d/(2 nu + d))."""

from __future__ import annotations

from fractions import Fraction

from tvbo_core.theory import THEOREMS


def test_the_power_of_the_horizon_is_a_half_and_the_power_of_the_gain() -> None:
    theorem = THEOREMS["srinivas-3"]
    assert Fraction(1, 2) + Fraction(1, 6) == theorem.exponent(nu=2.5, d=1).T
    assert Fraction(1, 2) == theorem.exponent(nu=float("inf"), d=3).T and not theorem.valid(T=100, V=0.1)
