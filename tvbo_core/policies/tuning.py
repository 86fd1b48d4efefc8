r"""Memory lengths "as in the paper", from the budget, the horizon, the smoothness and the dimension.

The theorems for restarts, windows and discounts measure drift by
$B_T=\sum_t\|f_{t+1}-f_t\|_{\mathcal H}$. Where it is unknown its smallest possible value $V_T/\sqrt\kappa$
stands in (the experiments of Iwazaki & Takeno use $V_T$).
"""

from __future__ import annotations

import math

from tvbo_core.policies.width import largest_prior
from tvbo_core.records import LearnerInfo
from tvbo_core.validation import check_rounds, check_share, is_word

PAPER, UNKNOWN = "paper", "unknown"  # "unknown": the paper's tuning for an unknown budget, as if it were 1


def gain_rate(T: int, nu: float, d: int) -> float:
    r"""The rate of the maximum information gain without its constant, $\tilde\gamma_T$.

    $\ln^{d+1}T$ (squared exponential, nu = inf), $T^{d/(2\nu+d)}\ln^{2\nu/(2\nu+d)}T$ (Matern); $\ln T$
    counts as at least 1.

    Source: Vakili et al. (2021) as used by Iwazaki & Takeno, sec. 6.
    """
    log = max(math.log(T), 1.0)
    if math.isinf(nu):
        return log ** (d + 1)
    return T ** (d / (2 * nu + d)) * log ** (2 * nu / (2 * nu + d))


def known_gain_rate(known: LearnerInfo) -> float:
    r"""$\tilde\gamma_T$ of this problem; a table of m arms counts as linear in m features, $m\ln T$."""
    if hasattr(known.kernel, "lengthscale"):
        return gain_rate(known.horizon, float(getattr(known.kernel, "nu", math.inf)), known.x.shape[-1])
    return known.x.shape[-2] * max(math.log(known.horizon), 1.0)


def budget(known: LearnerInfo, setting: str = PAPER) -> float:
    r"""$B_T$, else $V_T/\sqrt\kappa$ (which is at most $B_T$); 1 for the setting "unknown"."""
    if setting == UNKNOWN:
        return 1.0
    if known.rkhs_variation is not None:
        return known.rkhs_variation
    return known.sup_variation / math.sqrt(largest_prior(known) or 1.0)


def memory_length(T: int, variation: float, gain: float) -> int:
    r"""Rounds to remember: $\lceil\gamma_T^{1/4}\sqrt{T/B_T}\rceil$, within [1, T]; T when nothing drifts.

    Source: restart interval and window of Zhou & Shroff (2021) after the correction of their rates, as stated
        by Iwazaki & Takeno, sec. 6.
    """
    if variation <= 0:
        return T
    length = gain**0.25 * math.sqrt(T / variation)
    return T if length >= T else max(1, math.ceil(length))


def discount(T: int, variation: float, gain: float) -> float:
    r"""$\gamma=1-\dot\gamma_T^{-1/4}\sqrt{B_T/T}$, kept within [0, 1] ($\dot\gamma_T$: the unweighted rate).

    Source: Deng et al., Corollary 5.
    """
    return max(0.0, 1.0 - gain**-0.25 * math.sqrt(variation / T))


def markov_restart(T: int, epsilon: float, nu: float = math.inf, d: int = 1) -> int:
    r"""Restart interval for a Markov world: $\lceil\min(T,12\epsilon^{-1/4})\rceil$ (squared exponential),
    $\lceil\min(T,24\epsilon^{-1/(4-c)})\rceil$ with $c=\frac{d(d+1)}{2\nu+d(d+1)}$ (Matern).

    Source: Bogunovic et al., Corollary 4.1 with the constants of sec. 5.
    """
    check_share("epsilon", epsilon)
    if epsilon == 0:
        return T
    if math.isinf(nu):
        return math.ceil(min(T, 12 * epsilon**-0.25))
    c = d * (d + 1) / (2 * nu + d * (d + 1))
    return math.ceil(min(T, 24 * epsilon ** (-1 / (4 - c))))


def markov_epsilon(T: int, sup_variation: float, prior: float) -> float:
    r"""The $\epsilon$ in [0, 1] whose step has sd $V_T/(T-1)$: $2(1-\sqrt{1-\epsilon})\kappa=(V_T/(T-1))^2$.

    Derived here: the paper takes $\epsilon$ as known. A maximum over arms is larger than one arm's sd, so
    this errs towards forgetting.
    """
    if T < 2 or prior <= 0:
        return 0.0
    step = sup_variation / (T - 1)
    return 1.0 - (1.0 - min(1.0, step**2 / (2.0 * prior))) ** 2


def resolve_length(setting: int | str, known: LearnerInfo) -> int:
    """A number of rounds from a setting: itself, or computed for "paper" and "unknown"."""
    if isinstance(setting, str):
        return memory_length(known.horizon, budget(known, setting), known_gain_rate(known))
    return int(setting)


def resolve_discount(setting: float | str, known: LearnerInfo) -> float:
    """A discount from a setting: itself, or computed for "paper" and "unknown"."""
    if isinstance(setting, str):
        return discount(known.horizon, budget(known, setting), known_gain_rate(known))
    return float(setting)


def resolve_epsilon(setting: float | str, known: LearnerInfo) -> float:
    """A per-round change from a setting: itself, or computed for "paper"."""
    if isinstance(setting, str):
        return markov_epsilon(known.horizon, known.sup_variation, largest_prior(known))
    return float(setting)


def check_length(name: str, setting: int | str) -> None:
    """Complain about what is no tuning of a number of rounds (ValueError)."""
    if not is_word(setting, (PAPER, UNKNOWN)):
        _check(name, setting, check_rounds, (PAPER, UNKNOWN))


def check_tuned_share(name: str, setting: float | str, words: tuple[str, ...]) -> None:
    """Complain about what is neither a number in [0, 1] nor one of these words (ValueError)."""
    if not is_word(setting, words):
        _check(name, setting, check_share, words)


def _check(name: str, setting: object, check, words: tuple[str, ...]) -> None:
    if isinstance(setting, str):
        allowed = " or ".join(f'"{word}"' for word in words)
        raise ValueError(f"{name} must be a number or {allowed}, got {setting!r}")
    check(name, setting)
