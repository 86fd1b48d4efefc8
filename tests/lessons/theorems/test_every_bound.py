"""The table of all theorems at one's own numbers, against the papers' formulas written anew (MATH.md)."""

from __future__ import annotations

import math

import numpy as np
import pytest

import tvbo_core as tv
from figures.theme import Theme
from lessons.theorems.knobs import THEOREM_NAMES
from lessons.theorems.lesson import LESSON
from lessons.theorems.one_bound import every, model, scene
from lessons.theorems.rates import model as rates
from lessons.theorems.rates import tables
from tvbo_core.theory.against import CASES
from tvbo_core.worlds import make_problem

NU, D, T, V = 2.5, 1, 500, 2.0
# Growth at this place, logarithms left out as in the table; gamma_T counts with its power of T alone.
POWER = T ** (D / (2 * NU + D))
BY_HAND = {
    "Lower bound in V": T ** ((2 * NU + D) / (3 * NU + D)) * V ** (NU / (3 * NU + D)),
    "Restarted OPKB": T ** ((2 * NU + D) / (3 * NU + D)) * V ** (NU / (3 * NU + D)),
    "ADA-OPKB": max(POWER ** (1 / 3) * V ** (1 / 3) * T ** (2 / 3), math.sqrt(POWER * T)),
    "R-GP-UCB": POWER ** (7 / 8) * V**0.25 * T**0.75,
    "R-PERP, budget unknown": T ** ((2 * NU + D) / (3 * NU + D)) * (V + 1),
    "Lower bound, static world": T ** ((NU + D) / (2 * NU + D)),
}

ROUNDED = 5e-3  # the table has three digits


def rows(**changed: object) -> dict[str, dict]:
    values = LESSON.settings({"view": "one", "d": 1, "V": V, "nu": "5/2"} | changed)
    found = every.bounds(model.setting_from(values), T)
    names = [row[every.NAME] for row in found]
    assert len(set(names)) == len(names)
    return {row[every.NAME]: row for row in found}


def test_rates_are_the_papers_formulas():
    found = rows()
    assert {*THEOREM_NAMES.values()} <= {*found}
    for name, value in BY_HAND.items():
        assert found[name][every.RATE_ONLY] == pytest.approx(value, rel=ROUNDED), name
        assert found[name][every.WITH_CONSTANTS] is None and not found[name][every.MET].startswith("needs"), name


def test_explicit_bound_is_equation_101():
    """Eq. 101 and eq. 8 anew; the largest gain lies between a greedy design's and its 1/(1 - 1/e)-fold."""
    p = make_problem(tv.World(kind="still", kernel="matern", nu=NU, horizon=2, norm_bound=3.0, seed=3))
    B, delta, rho = 3.0, 0.1, p.noise_sd
    rule = tv.RPERP(width="theory", delta=delta)
    known = model.known_at(model.setting_from(LESSON.settings({"view": "one", "d": 1, "V": V})), T)
    H = rule.restart_rounds(known)
    ridge = rho**2 if rule.ridge is None else rule.ridge
    Q = math.ceil(T / H) * (1 + math.log2(math.log2(H)))
    L = math.log(4 * len(p.x) * Q / delta)
    beta = (B * 2 * math.sqrt(2) * math.sqrt(L / ridge) + rho * math.sqrt(2 * L / ridge) + B) ** 2
    gram, chosen = p.kernel(p.x, p.x), []
    for _ in range(H):
        K = gram[np.ix_(chosen, chosen)] + ridge * np.eye(len(chosen))
        k = gram[chosen]
        var = gram.diagonal() - (np.einsum("ij,ij->j", k, np.linalg.solve(K, k)) if chosen else 0.0)
        chosen.append(int(var.argmax()))
    greedy = 0.5 * np.linalg.slogdet(np.eye(H) + gram[np.ix_(chosen, chosen)] / ridge)[1]

    def eq101(gain: float) -> float:
        loglog, C1 = math.log2(math.log2(H)), 8 / math.log1p(1 / ridge)
        inner = 2 * B * (math.sqrt(H) + 1) + 4 * (loglog + 1) * (math.sqrt(H) + 1) * math.sqrt(C1 * gain * beta)
        return (7 + loglog) * V * H + math.ceil(T / H) * inner

    shown = rows()[f"R-PERP{every.EXPLICIT}"][every.WITH_CONSTANTS]
    assert (1 - ROUNDED) * eq101(greedy) <= shown <= (1 + ROUNDED) * eq101(greedy / (1 - 1 / math.e))
    assert rows()["R-PERP"][every.RATE_ONLY] == pytest.approx(BY_HAND["Restarted OPKB"], rel=ROUNDED)


def test_table_is_sorted_apart_with_floors():
    found = list(rows().values())
    bounds = [row[every.WITH_CONSTANTS] for row in found if row[every.WITH_CONSTANTS] is not None]
    rates = [row[every.RATE_ONLY] for row in found if row[every.RATE_ONLY] is not None]
    assert bounds == sorted(bounds) and rates == sorted(rates) and len(bounds) >= 3 and len(rates) >= 8
    assert not any(row[every.WITH_CONSTANTS] and row[every.RATE_ONLY] for row in found)
    floor = next(row for row in found if row[every.NAME] == every.FLOOR)
    world = tv.World(kind="adversary", budget=V, horizon=T, kernel="matern", nu=NU, norm_bound=3.0, seed=3)
    x = make_problem(tv.World(kind="still", horizon=2)).x
    assert floor[every.WITH_CONSTANTS] == pytest.approx(float(tv.adversary.lower_bound(world, x)[-1]), rel=ROUNDED)
    assert rows()[every.TRIVIAL][every.WITH_CONSTANTS] == 2 * 3.0 * T


def test_static_theorems_say_so_where_drift():
    drifts, still = rows()["KernelUCB"], rows(V=0.0)[f"KernelUCB{every.EXPLICIT}"]
    assert drifts[every.MET].startswith("needs V_T = 0") and drifts[every.WITH_CONSTANTS] is None
    assert still[every.MET] == "yes" and still[every.WITH_CONSTANTS] > 0
    for V_T, says in ((2.0, True), (0.0, False)):
        values = LESSON.settings({"view": "one", "d": 1, "thm": "kernelucb", "V": V_T})
        sentences = scene.scene(values, Theme()).sentences()
        assert all(("static" in one) == says for one in sentences)
        assert all("<b>" in one for one in sentences)


def test_budgets_say_what_was_put_in():
    """V_T bounds no B_T: a bound in B_T has its number at B_T := V_T, and says so where the number stands."""
    for name, row in rows().items():
        if row[every.WITH_CONSTANTS] is None and row[every.RATE_ONLY] is None:
            continue
        put = {"R": "B_T := 2, assumed", "V": "V_T = 2"}
        budget = "R" if name.startswith(("R-GP", "SW-GP", "WGP", "Lower bound, RKHS")) else "V"
        if row[every.MEASURE] not in ("none, static", "any"):
            assert row[every.MEASURE] == put[budget], name
    smooth = rows(nu="∞")
    assert smooth[f"WGP-UCB{every.EXPLICIT}"][every.MEASURE] == "B_T := 2, assumed"
    for thm in ("wgp", "r"):
        for sentence in scene.scene(
            LESSON.settings({"view": "one", "d": 1, "thm": thm, "nu": "∞", "V": V}), Theme()
        ).sentences():
            assert "B<sub>T</sub> := 2" in sentence


def test_explicit_rows_cite_their_equation():
    found = (
        rows(nu="∞", V=0.0)
        | {"R-PERP": rows()[f"R-PERP{every.EXPLICIT}"]}
        | {"WGP": rows(nu="∞")[f"WGP-UCB{every.EXPLICIT}"]}
    )
    assert found["R-PERP"][every.SOURCE] == "Iwazaki & Takeno, eq. 101 with C = 2√2"
    assert found["WGP"][every.SOURCE] == "Deng et al., Appendix C.5"
    assert found[f"KernelUCB{every.EXPLICIT}"][every.SOURCE] == "Flynn & Reeb, Appendix D.2 at c = 1"
    world = tv.World(kind="markov", epsilon=0.03, horizon=50, arms=20)
    known = make_problem(world).known
    assert CASES["tv"].at(known, 0.03, 0.1).source == "Bogunovic et al., eq. 20"
    assert CASES["rgp"].at(known, 0.03, 0.1).source == "Bogunovic et al., eq. 17"
    assert rows()[every.FLOOR][every.SOURCE].startswith("Iwazaki & Takeno, Theorem 1")
    assert rows(V=0.0)[every.FLOOR][every.SOURCE].startswith("Scarlett et al. (2017)")
    assert "T^(-d/(2d+2ν))" in rows(V=0.0)["KernelUCB"][every.SOURCE]


def test_rates_bound_no_number():
    """A rate has no constant: neither its row nor its sentence says "at most"."""
    for row in rows().values():
        if row[every.WITH_CONSTANTS] is None:
            assert row[every.SIDE] not in (every.AT_MOST, every.AT_LEAST)
    sentences = scene.scene(LESSON.settings({"view": "one", "d": 1, "thm": "ada"}), Theme()).sentences()
    assert not any("t most" in one or "t least" in one for one in sentences)
    table = tables.table(rates.SweepSetting(), rates.NUS.index(2.5))
    assert {row["side"] for row in table} == {"upper bound", "lower bound"}


def test_ada_holds_at_little_drift():
    """Its bound is a sum: where V_T is small the term sqrt(gamma T) is the larger one, and the theorem holds."""
    row = rows(V=0.0)["ADA-OPKB"]
    assert row[every.MET] == "yes" and row[every.RATE_ONLY] == pytest.approx(math.sqrt(POWER * T), rel=ROUNDED)
    found = scene.scene(LESSON.settings({"view": "one", "d": 1, "thm": "ada", "V": 0.0}), Theme())
    still = (NU + D) / (2 * NU + D)  # power of T in sqrt(gamma T)
    assert all(f"T<sup>{still:.3f}</sup>" in one for one in found.sentences()) and "T^{7/12}$" in found.caption


def test_known_drift_is_said():
    found = rows()
    assert found["R-PERP"][every.KNOWS] == "V_T" and found["R-GP-UCB"][every.KNOWS] == "B_T"
    assert found["ADA-OPKB"][every.KNOWS] == "no" == found["R-PERP, budget unknown"][every.KNOWS]


def test_rates_are_those_of_the_sliders():
    setting = rates.setting_from(LESSON.settings({"view": "rates", "log_T": 6.0, "growth": 0.25}))
    T, d, nu = 1e6, setting.d, 2.5
    V = T**0.25
    assert setting.drift(setting.T) == pytest.approx(V, rel=1e-12)
    shown = {row["theorem"]: row["rate here (constants = 1)"] for row in tables.table(setting, rates.NUS.index(2.5))}
    by_hand = T ** ((2 * nu + d) / (3 * nu + d)) * V ** (nu / (3 * nu + d))
    assert shown["R-PERP"] == pytest.approx(by_hand, rel=1e-5)  # six digits are shown
