r"""Mauduit et al.: orders of the cost of a round, with every constant counted as 1: operations, not seconds."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from common.formats import power
from lessons.microscope.statements.record import Axes, MicroscopeResult, MicroscopeSetting, Statement, lines


def sparq_cost(T: np.ndarray, d: int) -> np.ndarray:
    r"""(...) $T^2\ln T\,\ln^{3d}\frac T{\ln T}$ of SparQ-GP-UCB in round T.

    Args:
        T: rounds, above e so that the logarithms are positive.   d: dimension of the action.
    Source: Mauduit et al., Theorem 3.6.
    """
    log = np.log(T)
    return T**2 * log * np.log(T / log) ** (3 * d)


def wsparq_cost(T: np.ndarray, d: int, window_exponent: float, alpha: float) -> np.ndarray:
    r"""(...) $T(\ln^dT+T^{\tilde\alpha/\alpha})^2$: the total of W-SparQ-GP-UCB up to round T, a round on average.

    Args:
        window_exponent: $\tilde\alpha$.   alpha: $\alpha>0$; the others as in `sparq_cost`.
    Source: Mauduit et al., section 3.3, computational complexity.
    """
    return T * (np.log(T) ** d + T ** (window_exponent / alpha)) ** 2


def _cost_sentence(f: Mapping[str, float]) -> str:
    share = f["SparQ, Theorem 3.6"]
    verdict = "below" if share < 1 else "above"
    return (
        f"SparQ's order is <b>{power(share)}</b> times T³, {verdict} it; a round of W-SparQ is on average "
        f"{power(f['W-SparQ, mean'])} times T³. Constants count as one."
    )


def cost_of_a_round(setting: MicroscopeSetting) -> MicroscopeResult:
    """Orders of the cost of a round as shares of the full posterior's, over the horizon; constants count as 1."""
    d, window = setting.d, 0.25
    T = np.geomspace(10.0, 1e10, 37)
    full = T**3  # the cost of the posterior from all T observations (after Theorem 3.6)
    shares = {
        ("SparQ, Theorem 3.6", "printed"): sparq_cost(T, d) / full,
        ("W-SparQ, mean", "read"): wsparq_cost(T, d, window, setting.alpha) / full,
        ("full posterior", "level"): 1.0,
    }
    dimensions = np.arange(1.0, 7.0)
    here = {
        ("SparQ", "printed"): np.stack([sparq_cost(T, int(n)) / full for n in dimensions], axis=1),
        ("W-SparQ, mean", "read"): np.stack(
            [wsparq_cost(T, int(n), window, setting.alpha) / full for n in dimensions], axis=1
        ),
        ("full posterior", "level"): 1.0,
    }
    return MicroscopeResult(
        T,
        lines(T, shares),
        lines(dimensions, here),
        f"orders, every constant counted as 1, d = {d}, α̃ = {window:g}, α = {setting.alpha:g}; full posterior: T³",
        tells_at=1e3 if d == 1 else 1e6,
    )


COST_OF_A_ROUND = Statement(
    experiment=cost_of_a_round,
    key="mauduit-36",
    name="Mauduit: cost",
    where="Mauduit et al., Theorem 3.6",
    printed=r"A round of SparQ-GP-UCB costs $O\big(T^2\ln T\,\ln^{3d}\frac T{\ln T}\big)$",
    read=r"W-SparQ-GP-UCB: $O\big(T^2(\ln^dT+T^{\tilde\alpha/\alpha})^2\big)$ in all (section 3.3), here a round on "
    r"average",
    reason=r"The full posterior costs $O(T^3)$ a round. Constants are not stated and count as 1, so a crossing shows "
    r"an order, not a time; times of steps are measured in “The race”.",
    symbol="T =",
    sentence=_cost_sentence,
    over=Axes("Cost of a round, over T³", "horizon T", "share, heights arbitrary", log_x=True, log_y=True),
    here=Axes("At this T", "dimension d", "share, heights arbitrary", log_y=True),
    uses=("alpha", "d"),
)


STATEMENTS = (COST_OF_A_ROUND,)
