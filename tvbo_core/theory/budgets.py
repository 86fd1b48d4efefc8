r"""Theorems about a total budget of drift: $V_T$ in the sup norm, $B_T$ in the RKHS norm, or none."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from tvbo_core.theory.record import (
    LOWER,
    UPPER,
    Place,
    Powers,
    Ratio,
    Theorem,
    by_smoothness,
    fixed,
    from_one_on,
    log_of,
)

IWAZAKI, HONG, DENG = "Iwazaki & Takeno", "Hong et al. (2023)", "Deng et al."
ZHOU = "Zhou & Shroff (2021), corrected, as stated by Iwazaki & Takeno, Table 1"
T_FLOOR, V_FLOOR = Ratio(2, 1, 3, 1), Ratio(1, 0, 3, 1)  # (2 nu + d)/(3 nu + d), nu/(3 nu + d)
STILL = Ratio(1, 1, 2, 1)  # (nu + d)/(2 nu + d)
GAIN = Ratio(0, 1, 2, 1)  # d/(2 nu + d), power of T in the information gain
GAIN_LOG = Ratio(2, 0, 2, 1)
KNOWS_V, KNOWS_B = "the budget $V_T$", "the budget $B_T$"
SWITCH_BUDGET = (
    "The theorem is in $B_T$, also where Iwazaki & Takeno's Table 1 lists its rate with $V_T$. $V_T$ is at most "
    "$\\sqrt\\kappa B_T$; a guarantee in $B_T$ is not one in $V_T$."
)
OWN_H = (
    "The prescribed restart length is at most T exactly when {} (derived here); below that the lab uses H = T. The "
    "rate is the same up to logarithms."
)


def _gain_powers(gain: Fraction, T: Fraction, drift: Fraction):
    """Powers of $\\gamma_T^g\\,T^a\\,\\text{drift}^b$ with the rate of the gain put in."""
    return lambda at: Powers(T + gain * GAIN.at(at.nu, at.d), drift)


def gain_log(place: Place) -> Fraction:
    """Power of ln T in the information gain."""
    return Fraction(place.d + 1) if place.nu == math.inf else GAIN_LOG.at(place.nu, place.d)


def _se_floor(at: Place) -> tuple[float, float]:
    r"""Its upper end is where the rate reaches T: every $T^c$ with $c<1$ lies below it for large T (derived here)."""
    log = math.log(at.T)
    return at.T**-0.5 * log ** (at.d / 4), at.T * max(log, 1.0) ** (-at.d / 2)


def _matern_floor(at: Place) -> tuple[float, float]:
    return at.T ** -float(Ratio(1, 0, 2, 1).at(at.nu, at.d)), at.T


def _se_restart(at: Place) -> tuple[float, float]:
    return at.T**-0.5 * math.log(at.T) ** ((at.d + 2) / 2), at.T


def _matern_restart(at: Place) -> tuple[float, float]:
    log = math.log(at.T) ** float(Ratio(4, 1, 4, 2).at(at.nu, at.d))
    return _matern_floor(at)[0] * log, at.T


def _gain(at: Place) -> float:
    return at.T ** float(GAIN.at(at.nu, at.d)) * math.log(at.T) ** float(gain_log(at))


def _own_discount(at: Place) -> tuple[float, float]:
    return 1.0, math.sqrt(_gain(at)) * at.T


def _adaptive_still(at: Place) -> Powers:
    r"""The term of ADA-OPKB's sum without drift, $\sqrt{\gamma_TT}$."""
    return Powers((1 + GAIN.at(at.nu, at.d)) / 2, Fraction(0))


MATERN_H = "V_T\\ge T^{-\\frac{\\nu}{2\\nu+d}}\\ln^{\\frac{4\\nu+d}{4\\nu+2d}}T"
SE_H = "V_T\\ge T^{-1/2}\\ln^{\\frac{d+2}2}T"
RESTART: dict[str, Any] = {"budget": "V_T", "side": UPPER, "knows": KNOWS_V}
MATERN: dict[str, Any] = {
    "kernels": "matern",
    "smooth_above": 0.5,
    "region": _matern_restart,
    "condition": MATERN_H,
    "note": OWN_H.format(f"${MATERN_H}$"),
    "logs": log_of(Ratio(4, 1, 6, 2)),
}
FLOOR = by_smoothness(T_FLOOR, V_FLOOR)
SE_FLOOR = fixed(Fraction(2, 3), Fraction(1, 3))
UNKNOWN: dict[str, Any] = {"budget": "V_T", "side": UPPER, "knows": "nothing", "plus_one": True}
A_CONSTANT = " The tables assume that the budget is at least a constant, which counts as 1 here."
OLD: dict[str, Any] = {"side": UPPER, "budget": "B_T", "note": SWITCH_BUDGET + A_CONSTANT}
# Corollary 5 works its features out for SE; the Matern rate is the one that Iwazaki & Takeno list.
DENG_KERNELS = (
    ("", "se", f"{DENG}, Corollary 5"),
    ("-matern", "matern", f"{IWAZAKI}, Table 1 (Deng et al., Corollary 5, works its features out for SE)"),
)

RECORDS = (
    Theorem("scarlett-se", "Still world's floor", LOWER, "R_T=\\Omega\\big(\\sqrt{T\\ln^{d/2}T}\\big)",
            "Even if nothing moves, no algorithm can promise less.",
            f"Scarlett et al. (2017), Theorem 2, as used in {IWAZAKI}, Lemma 2", "none", fixed(Fraction(1, 2)),
            kernels="se", logs=lambda at: Fraction(at.d, 4)),
    Theorem("scarlett-matern", "Still world's floor", LOWER, "R_T=\\Omega\\big(T^{\\frac{\\nu+d}{2\\nu+d}}\\big)",
            "Even if nothing moves, no algorithm can promise less.",
            f"Scarlett et al. (2017), Theorem 2, as used in {IWAZAKI}, Lemma 2", "none", by_smoothness(STILL),
            kernels="matern"),
    Theorem("iwazaki-1-se", "Lower bound", LOWER, "\\mathbb E[R_T]=\\Omega\\big(T^{2/3}V_T^{1/3}\\ln^{d/6}T\\big)",
            "Every algorithm loses at least this much in some world with this much drift.",
            f"{IWAZAKI}, Theorem 1", "V_T", SE_FLOOR, kernels="se", logs=lambda at: Fraction(at.d, 6),
            region=_se_floor, condition="T^{-1/2}\\ln^{d/4}T\\lesssim V_T\\lesssim T^c,\\ c<1",
            note="The condition $V_T\\le\\bar CT^{\\bar c}$ with $\\bar c<1$ is about large T. At a given T the lab "
            "ends it at $V_T=T\\ln^{-d/2}T$, where the rate reaches T: regret cannot exceed 2BT (derived here)."),
    Theorem("iwazaki-1-matern", "Lower bound", LOWER,
            "\\mathbb E[R_T]=\\Omega\\big(T^{\\frac{2\\nu+d}{3\\nu+d}}V_T^{\\frac\\nu{3\\nu+d}}\\big)",
            "Every algorithm loses at least this much in some world with this much drift.",
            f"{IWAZAKI}, Theorem 1", "V_T", FLOOR, kernels="matern", region=_matern_floor,
            condition="T^{-\\frac\\nu{2\\nu+d}}\\lesssim V_T\\lesssim T"),
    Theorem("iwazaki-3-matern", "Restarted OPKB", statement=
            "R_T=\\tilde O\\big(V_T^{\\frac\\nu{3\\nu+d}}T^{\\frac{2\\nu+d}{3\\nu+d}}\\big)",
            words="OPKB, started over every H steps: as good as possible up to logarithms.",
            source=f"{IWAZAKI}, Theorem 3", powers=FLOOR, **RESTART, **MATERN),
    Theorem("iwazaki-5-se", "R-PERP", statement="R_T=\\tilde O\\big(V_T^{1/3}T^{2/3}\\big)",
            words="Eliminate in shuffled batches, start over every H steps: as good as possible up to logarithms.",
            source=f"{IWAZAKI}, Theorem 5", powers=SE_FLOOR, kernels="se", region=_se_restart, condition=SE_H,
            logs=lambda at: Fraction(at.d + 2, 3), note=OWN_H.format(f"${SE_H}$"), **RESTART),
    Theorem("iwazaki-5-matern", "R-PERP", statement=
            "R_T=\\tilde O\\big(V_T^{\\frac\\nu{3\\nu+d}}T^{\\frac{2\\nu+d}{3\\nu+d}}\\big)",
            words="Eliminate in shuffled batches, start over every H steps: as good as possible up to logarithms.",
            source=f"{IWAZAKI}, Theorem 5", powers=FLOOR, **RESTART, **MATERN),
    Theorem("iwazaki-d-se", "R-PERP, budget unknown", statement="R_T=\\tilde O\\big(T^{2/3}(V_T+1)\\big)",
            words="The restart interval is set as if the budget were 1; drift then counts in full.",
            source=f"{IWAZAKI}, Appendix D", powers=fixed(Fraction(2, 3), 1), kernels="se",
            logs=lambda at: Fraction(at.d + 2, 3), **UNKNOWN),
    Theorem("iwazaki-d-matern", "R-PERP, budget unknown", statement=
            "R_T=\\tilde O\\big(T^{\\frac{2\\nu+d}{3\\nu+d}}(V_T+1)\\big)",
            words="The restart interval is set as if the budget were 1; drift then counts in full.",
            source=f"{IWAZAKI}, Appendix D", powers=by_smoothness(T_FLOOR, 1), kernels="matern", smooth_above=0.5,
            logs=log_of(Ratio(4, 1, 6, 2)), **UNKNOWN),
    Theorem("hong-ada", "ADA-OPKB", UPPER,
            "R_T=\\tilde O\\big(\\gamma_T^{1/3}V_T^{1/3}T^{2/3}+\\sqrt{\\gamma_TT}\\big)",
            "Restarts when tests say that the world has moved; needs no budget, and solves a program a block.",
            f"{HONG}, ADA-OPKB; its term with $V_T$ as stated by {IWAZAKI}, sec. 4", "V_T",
            _gain_powers(Fraction(1, 3), Fraction(2, 3), Fraction(1, 3)), knows="nothing",
            logs=lambda at: gain_log(at) / 3, other=_adaptive_still,
            note="A sum of two terms; the larger one is drawn. Below $V_T=\\sqrt{\\gamma_T/T}$ that is "
            "$\\sqrt{\\gamma_TT}$, as in a static world."),
    *(Theorem(f"zhou-{key}", name, statement="R_T=\\tilde O\\big(\\gamma_T^{7/8}B_T^{1/4}T^{3/4}\\big)", words=words,
              source=ZHOU, powers=_gain_powers(Fraction(7, 8), Fraction(3, 4), Fraction(1, 4)), knows=KNOWS_B,
              logs=lambda at: Fraction(7, 8) * gain_log(at), region=_own_discount,
              condition="1\\lesssim B_T\\le\\sqrt{\\gamma_T}\\,T", **OLD)
      for key, name, words in (("r", "R-GP-UCB", "GP-UCB, started over every H steps."),
                               ("sw", "SW-GP-UCB", "GP-UCB on the last W observations."))),
    *(Theorem(f"zhou-{key}-unknown", f"{name}, budget unknown", statement=
              "R_T=\\tilde O\\big(\\gamma_T^{7/8}B_TT^{3/4}\\big)", words="Tuned as if the budget were 1.",
              source=ZHOU, powers=_gain_powers(Fraction(7, 8), Fraction(3, 4), Fraction(1)), knows="nothing",
              logs=lambda at: Fraction(7, 8) * gain_log(at), region=from_one_on, condition="1\\lesssim B_T", **OLD)
      for key, name in (("r", "R-GP-UCB"), ("sw", "SW-GP-UCB"))),
    *(Theorem(f"deng-5{kernel}", "WGP-UCB", statement="R_T=\\tilde O\\big(\\dot\\gamma_T^{7/8}B_T^{1/4}T^{3/4}\\big)",
              words="Old observations lose weight by a factor a step, tuned to the budget.", source=source,
              powers=_gain_powers(Fraction(7, 8), Fraction(3, 4), Fraction(1, 4)), knows=KNOWS_B,
              logs=lambda at: Fraction(7, 8) * gain_log(at), region=_own_discount, kernels=kernels,
              condition="1\\lesssim B_T<\\sqrt{\\dot\\gamma_T}\\,T", **OLD)
      for kernel, kernels, source in DENG_KERNELS),
    *(Theorem(f"deng-5-unknown{kernel}", "WGP-UCB, budget unknown", statement=
              "R_T=\\tilde O\\big(\\dot\\gamma_T^{7/8}B_TT^{3/4}\\big)", words="Tuned as if the budget were 1.",
              source=source, powers=_gain_powers(Fraction(7, 8), Fraction(3, 4), Fraction(1)), knows="nothing",
              logs=lambda at: Fraction(7, 8) * gain_log(at), region=from_one_on, kernels=kernels,
              condition="1\\lesssim B_T", **OLD)
      for kernel, kernels, source in DENG_KERNELS),
    Theorem("block-rkhs", "Block argument", LOWER,
            "\\mathbb E[R_T]=\\Omega\\big(B_T^{\\frac\\nu{2\\nu+d}}T^{\\frac{\\nu+d}{2\\nu+d}}\\big)",
            "Pieces that change by the whole norm 2B: what drift in the RKHS norm costs at the least by this argument.",
            "block argument, derived here", "B_T", by_smoothness(STILL, Ratio(1, 0, 2, 1)), kernels="matern",
            region=lambda at: (1.0, at.T), condition="B\\lesssim B_T\\lesssim T",
            note="Cai & Scarlett (2025) prove lower bounds for drift in either norm; of their paper only the abstract "
            "was read here."),
    Theorem("flynn-6.4-se", "KernelUCB", UPPER, "R_T=O\\big(\\sqrt T\\,\\ln^{d+1}T\\big)",
            "Optimism under the CMM, DMM or AMM band, in a world that stands still.",
            "Flynn & Reeb, Theorem 6.4 with c constant", "none", fixed(Fraction(1, 2)), kernels="se",
            logs=lambda at: Fraction(at.d + 1), region=lambda at: (0.0, 0.0), condition="V_T=0"),
    Theorem("flynn-6.4-matern", "KernelUCB", UPPER,
            "R_T=O\\big(T^{\\frac{2d+\\nu}{2d+2\\nu}}\\ln^{\\frac{2\\nu}{d+2\\nu}}T\\big)",
            "Optimism under the CMM, DMM or AMM band, in a world that stands still.",
            "Flynn & Reeb, Theorem 6.4 with $c\\propto T^{-d/(2d+2\\nu)}$", "none",
            by_smoothness(Ratio(1, 2, 2, 2)), kernels="matern", logs=log_of(GAIN_LOG),
            region=lambda at: (0.0, 0.0), condition="V_T=0"),
)  # fmt: skip
