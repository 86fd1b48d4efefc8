"""Theorems at one's own numbers: what sentences say of them, and formulas of the papers written anew (MATH.md)."""

from __future__ import annotations

import math

import pytest

import tvbo_core as tv
from figures.theme import Theme
from lessons.theorems.lesson import LESSON
from lessons.theorems.one_bound import model, scene
from lessons.theorems.rates import model as rates
from lessons.theorems.rates import tables
from tvbo_core.theory.against import CASES
from tvbo_core.worlds import make_problem

NU, D, T, V = 2.5, 1, 500, 2.0
POWER = T ** (D / (2 * NU + D))  # of gamma_T, logarithms left out


def setting(**changed: object) -> model.OneSetting:
    return model.setting_from(LESSON.settings({"view": "one", "d": 1, "V": V, "nu": "5/2"} | changed))


def test_static_theorems_say_so_where_drift():
    for V_T, says in ((2.0, True), (0.0, False)):
        values = LESSON.settings({"view": "one", "d": 1, "thm": "kernelucb", "V": V_T})
        sentences = scene.scene(values, Theme()).sentences()
        assert all(("static" in one) == says for one in sentences)
        assert all("<b>" in one for one in sentences)


def test_budgets_say_what_was_put_in():
    """V_T bounds no B_T: a bound in B_T has its number at B_T := V_T, and says so where the number stands."""
    for thm in ("wgp", "r"):
        for sentence in scene.scene(
            LESSON.settings({"view": "one", "d": 1, "thm": thm, "nu": "∞", "V": V}), Theme()
        ).sentences():
            assert "B<sub>T</sub> := 2" in sentence


def test_explicit_bounds_cite_their_equation():
    for changed, source in (
        ({}, "Iwazaki & Takeno, eq. 101 with C = 2√2"),
        ({"thm": "wgp", "nu": "∞"}, "Deng et al., Appendix C.5"),
        ({"thm": "kernelucb", "V": 0.0}, "Flynn & Reeb, Appendix D.2 at c = 1"),
    ):
        one = setting(**changed)
        assert one.case is not None and model.bound_at(one, one.case, T).source == source
    world = tv.World(kind="markov", epsilon=0.03, horizon=50, arms=20)
    known = make_problem(world).known
    assert CASES["tv"].at(known, 0.03, 0.1).source == "Bogunovic et al., eq. 20"
    assert CASES["rgp"].at(known, 0.03, 0.1).source == "Bogunovic et al., eq. 17"


def test_rates_bound_no_number():
    """A rate has no constant: its sentence does not say "at most"."""
    sentences = scene.scene(LESSON.settings({"view": "one", "d": 1, "thm": "ada"}), Theme()).sentences()
    assert not any("t most" in one or "t least" in one for one in sentences)
    table = tables.table(rates.SweepSetting(), rates.NUS.index(2.5))
    assert {row["side"] for row in table} == {"upper bound", "lower bound"}


def test_ada_holds_at_little_drift():
    """Its bound is a sum: where V_T is small the term sqrt(gamma T) is the larger one, and the theorem holds."""
    one = setting(thm="ada", V=0.0)
    assert all(condition.met for condition in model.conditions(one, T))
    assert model.value_at(one, T) == pytest.approx(math.sqrt(POWER * T), rel=1e-9)
    found = scene.scene(LESSON.settings({"view": "one", "d": 1, "thm": "ada", "V": 0.0}), Theme())
    still = (NU + D) / (2 * NU + D)  # power of T in sqrt(gamma T)
    assert all(f"T<sup>{still:.3f}</sup>" in one for one in found.sentences()) and "T^{7/12}$" in found.caption


def test_rates_are_those_of_the_sliders():
    sweep = rates.setting_from(LESSON.settings({"view": "rates", "growth": 0.25}))
    T, d, nu = 1e4, sweep.d, 2.5
    V = T**0.25
    assert sweep.drift == pytest.approx(V, rel=1e-12)
    shown = {row["theorem"]: row["rate here (constants = 1)"] for row in tables.table(sweep, rates.NUS.index(2.5))}
    by_hand = T ** ((2 * nu + d) / (3 * nu + d)) * V ** (nu / (3 * nu + d))
    assert shown["R-PERP"] == pytest.approx(by_hand, rel=1e-5)  # six digits are shown
