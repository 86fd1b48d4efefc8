r"""Theorems about a steady rate of drift: $\varepsilon$ of a Markov reward, exponent $\alpha$ of injected noise."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from tvbo_core.theory.record import LOWER, UPPER, Place, Powers, Theorem, as_fraction, fixed

BOGUNOVIC, MAUDUIT = "Bogunovic et al.", "Mauduit et al."
THIRD = Fraction(1, 3)
INDEPENDENT = (
    "In the copy we read, the independence in Assumption 2, taken at a point that is observed more than once, "
    "excludes any drift. The theorem is shown as a statement about an independent-noise idealisation."
)
TWO_POSTERIORS = (
    " The KL guarantee quoted from Burt et al. concerns the sparse posterior that uses all outputs through inducing "
    "points; the algorithm has only the outputs at the selected points."
)


def _roughness(at: Place) -> Fraction:
    r"""$c=\frac{d(d+1)}{2\nu+d(d+1)}$, 0 for the squared exponential."""
    if at.nu == math.inf:
        return Fraction(0)
    n = Fraction(at.d * (at.d + 1))
    return n / (2 * as_fraction(at.nu) + n)


def _markov(top: int):
    r"""$T\epsilon^{\frac12\frac{1-c}{\text{top}-c}}$."""
    return lambda at: Powers(Fraction(1), Fraction(1, 2) * (1 - _roughness(at)) / (top - _roughness(at)))


def _still(at: Place) -> Powers:
    r"""The other term of the maximum, $\sqrt{T^{1+c}}$."""
    return Powers((1 + _roughness(at)) / 2, Fraction(0))


def _rate(at: Place) -> tuple[float, float]:
    return 0.0, 1.0


def _alpha(at: Place) -> Fraction:
    return as_fraction(at.alpha)


def _window(at: Place) -> Fraction:
    return as_fraction(at.window_exponent)


def _side_queries(at: Place) -> Fraction:
    return max(1 - _window(at) / _alpha(at), Fraction(0)) if _alpha(at) > 0 else Fraction(0)


MARKOV: dict[str, Any] = {"budget": "epsilon", "model": "Bayesian"}
NEEDS_EPS: dict[str, Any] = {**MARKOV, "side": UPPER, "knows": "the rate $\\varepsilon$"}
INJECTED: dict[str, Any] = {"budget": "alpha", "model": "idealised", "kernels": "se"}

RECORDS = (
    Theorem("bogunovic-4.1", "Lower bound", LOWER, "\\mathbb E[R_T]=\\Omega(T\\varepsilon)",
            "A reward that changes by a share each step costs every algorithm something each step.",
            f"{BOGUNOVIC}, Theorem 4.1", powers=fixed(1, 1), region=_rate,
            condition="0\\le\\varepsilon\\le1", smooth_above=4.0,
            note="It asks for twice continuously differentiable paths and a tail condition on their second derivatives "
            "(eq. 11): for Matérn kernels ν > 4. With a "
            "constant, and for every kernel: $\\mathbb E[R_T]\\ge\\big(1+(T-1)(1-\\sqrt{1-\\varepsilon})\\big)\\,"
            "\\mathbb E[\\max_xf_1(x)]$ (derived here).", **MARKOV),
    Theorem("bogunovic-4.2", "R-GP-UCB", statement=
            "R_T=\\tilde O\\big(\\max\\{\\sqrt{T^{1+c}},\\,T\\varepsilon^{\\frac12\\frac{1-c}{4-c}}\\}\\big),\\quad "
            "c=\\tfrac{d(d+1)}{2\\nu+d(d+1)}\\ (0\\text{ for SE})",
            words="GP-UCB, started over every N steps.", source=f"{BOGUNOVIC}, Theorem 4.2 and Corollary 4.1",
            powers=_markov(4), other=_still, region=_rate, condition="0\\le\\varepsilon\\le1", smooth_above=2.0,
            **NEEDS_EPS),
    Theorem("bogunovic-4.3", "TV-GP-UCB", statement=
            "R_T=\\tilde O\\big(\\max\\{\\sqrt{T^{1+c}},\\,T\\varepsilon^{\\frac12\\frac{1-c}{3-c}}\\}\\big),\\quad "
            "c=\\tfrac{d(d+1)}{2\\nu+d(d+1)}\\ (0\\text{ for SE})",
            words="GP-UCB whose model has the right drift ε.",
            source=f"{BOGUNOVIC}, Theorem 4.3 and Corollary 4.1",
            powers=_markov(3), other=_still, region=_rate, condition="0\\le\\varepsilon\\le1", smooth_above=2.0,
            note="For small noise variances the bound on the time-varying information gain needs an extra factor of "
            "order $1/\\sigma^2$; the published rates, stated for fixed $\\sigma^2$, are not affected.", **NEEDS_EPS),
    Theorem("mauduit-2.6", "Lower bound", LOWER, "R_T=\\Omega\\big(\\min\\{T,\\sqrt{T^{\\alpha+1}}\\}\\big)",
            "Without side queries: answers that go stale like $n^\\alpha$ cost at least this.",
            f"{MAUDUIT}, Proposition 2.6",
            powers=lambda at: Powers(min((_alpha(at) + 1) / 2, Fraction(1)), Fraction(0)), note=INDEPENDENT,
            **INJECTED),
    Theorem("mauduit-2.2", "GP-UCB, injected noise", UPPER,
            "R_T=O\\big(\\sqrt{d^2T^{3\\alpha+1}\\ln^{2(d+1)}T}\\big)",
            "Trust old answers less, ask nothing again: its bound is sublinear only for $\\alpha<1/3$.",
            f"{MAUDUIT}, Proposition 2.2 and eq. 13", powers=lambda at: Powers((3 * _alpha(at) + 1) / 2, Fraction(0)),
            knows="the exponent $\\alpha$", logs=lambda at: Fraction(at.d + 1), note=INDEPENDENT +
            " Granting the paper's confidence lemma, a sharper use of the information gain gives "
            "$\\sqrt{T^{1+\\alpha}}$ up to logarithms (derived here); in this idealisation the threshold 1/3 "
            "comes from the proof technique.",
            **INJECTED),
    Theorem("mauduit-3.3", "SparQ-GP-UCB", UPPER,
            "R_T=O\\big(\\sqrt{(\\ln\\tfrac1\\delta+\\gamma_{Q_T})\\,T\\gamma_T}\\big)",
            "Ask $Q_t$ old questions again in every round: up to logarithms the bound is that of a still world.",
            f"{MAUDUIT}, Theorem 3.3", powers=fixed(Fraction(1, 2)), knows="nothing",
            logs=lambda at: Fraction(at.d + 1, 2),  # of gamma_T; gamma_Q has powers of ln ln T only
            queries=lambda at: Fraction(1), note=INDEPENDENT + TWO_POSTERIORS, **INJECTED),
    Theorem("mauduit-3.10", "W-SparQ-GP-UCB", UPPER,
            "R_T=O\\big(\\sqrt{d^2T^{3\\tilde\\alpha+1}\\ln^{2(d+1)}T}\\big),\\quad "
            "N_T=O\\big(T^{1-\\tilde\\alpha/\\alpha}\\ln^dT\\big)",
            "Ask old questions again at the start of growing windows only.", f"{MAUDUIT}, Theorem 3.10",
            powers=lambda at: Powers((3 * _window(at) + 1) / 2, Fraction(0)), knows="the exponent $\\alpha$",
            logs=lambda at: Fraction(at.d + 1), queries=_side_queries,
            region=lambda at: (0.0, math.inf) if _window(at) < THIRD else (math.inf, -math.inf),
            condition="\\tilde\\alpha<1/3", note="Plotted with the square root, as in the paper's Table 2. "
            + INDEPENDENT + TWO_POSTERIORS, **INJECTED),
    Theorem("mauduit-5.1", "Bounded side queries", LOWER, "N_T=O(1)\\ \\Rightarrow\\ R_T=\\Omega(T)",
            "Any fixed number of side queries, however large, leaves linear regret.", f"{MAUDUIT}, Proposition 5.1",
            powers=fixed(1), queries=lambda at: Fraction(0),
            region=lambda at: (0.0, math.inf) if _alpha(at) > 1 else (math.inf, -math.inf), condition="\\alpha>1",
            note="Stated for rapidly varying regimes: its proof uses $\\alpha>1$. " + INDEPENDENT, **INJECTED),
    Theorem("mauduit-5.3", "Too few side queries", LOWER,
            "N_T=O\\big(T^{\\frac\\alpha{\\alpha+1}}\\big)\\ \\Rightarrow\\ R_T=\\Omega(T)",
            "With so few side queries regret stays linear.", f"{MAUDUIT}, Theorem 5.3", powers=fixed(1),
            queries=lambda at: _alpha(at) / (_alpha(at) + 1),
            region=lambda at: (0.0, math.inf) if _alpha(at) > 1 else (math.inf, -math.inf),
            condition="\\alpha>1", note=INDEPENDENT, **INJECTED),
    Theorem("mauduit-table-2", "Lower bound, many side queries", LOWER, "R_T=\\Omega(\\sqrt T)",
            "Up to about one side query a round leaves at least the regret of a still world.",
            f"{MAUDUIT}, Table 2 (adapted from Scarlett et al., 2017)", powers=fixed(Fraction(1, 2)),
            queries=lambda at: Fraction(1),
            region=lambda at: (0.0, math.inf) if THIRD <= _alpha(at) <= 1 else (math.inf, -math.inf),
            condition="\\tfrac13\\le\\alpha\\le1",
            note="The table has no upper end for $N_T$. With all answers counted the same argument gives "
            "$T/\\sqrt{T+N_T}$ (derived here), which is of order $\\sqrt T$ while $N_T=O(T)$. " + INDEPENDENT,
            **INJECTED),
)  # fmt: skip
