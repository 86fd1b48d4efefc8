r"""Width, ridge and norm bound of a policy, resolved from its settings in a given problem.

The index of a policy is mean + width * sd. A width is a number, a slowly growing `LogWidth`, or "theory": the
confidence width of the method's own paper.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from tvbo_core.records import LearnerInfo
from tvbo_core.validation import is_positive, is_word

THEORY = "theory"
# The ridge of noiseless rewards, as a share of the largest prior variance (observe.ucb_design uses the same).
NOISELESS_RIDGE = 1e-6


@dataclass(frozen=True)
class LogWidth:
    r"""A width that grows slowly: $c\sqrt{\ln(st)}$ in round t = 1, 2, ..., with $st$ counted as at least 2.

    Attributes:
        c: factor, above 0.
        scale: $s>0$ inside the logarithm; $\beta_t=0.8\ln(4t)$ of Bogunovic et al. is c = sqrt(0.8), scale 4.
    Raises:
        ValueError: a field is not positive and finite.

    >>> width = tv.LogWidth(c=0.8**0.5, scale=4.0)
    >>> [round(width.at(t), 3) for t in (0, 9, 99)]
    [1.053, 1.718, 2.189]
    """

    c: float = 1.0
    scale: float = 1.0

    def __post_init__(self) -> None:
        for name in ("c", "scale"):
            value = getattr(self, name)
            if not is_positive(value):
                raise ValueError(f"{name} of a LogWidth must be a positive finite number, got {value!r}")

    def at(self, t: int) -> float:
        """The width in round t = 0, 1, ... (the paper's round t + 1)."""
        return self.c * math.sqrt(math.log(max(self.scale * (t + 1), 2.0)))


Width = float | str | LogWidth


def check_width(width: Width) -> None:
    """Complain about what is no width.

    Raises:
        ValueError: neither a positive finite number, nor a LogWidth, nor "theory".
    """
    if not (isinstance(width, LogWidth) or is_word(width, (THEORY,)) or is_positive(width)):
        raise ValueError(f'width must be a positive finite number, a LogWidth or "theory", got {width!r}')


def resolve(width: Width, t: int, theory: Callable[[], float]) -> float:
    """The multiplier of the sd in round t = 0, 1, ...; `theory` is asked only when the width is "theory"."""
    if isinstance(width, LogWidth):
        return width.at(t)
    return float(theory()) if width == THEORY else float(width)


def check_ridge(ridge: float | None) -> None:
    """Complain about a ridge that is neither None nor positive and finite (ValueError)."""
    if ridge is not None and not is_positive(ridge):
        raise ValueError(f"ridge must be a positive finite number or None (the noise variance), got {ridge!r}")


def resolve_ridge(ridge: float | None, known: LearnerInfo) -> float:
    r"""The regulariser $\lambda$, reward^2: None means the problem's noise variance.

    Then it is at least `NOISELESS_RIDGE` of the largest prior variance, so that noiseless problems work.
    """
    if ridge is not None:
        return float(ridge)
    return max(float(known.noise_sd) ** 2, NOISELESS_RIDGE * largest_prior(known)) or NOISELESS_RIDGE


def largest_prior(known: LearnerInfo) -> float:
    r"""$\kappa=\max_xk(x,x)$ over the arms."""
    x = known.x.reshape(-1, known.x.shape[-1])
    return float(known.kernel.diag(x).max())


def norm_bound(known: LearnerInfo) -> float:
    """The bound B that a "theory" width relies on.

    Raises:
        ValueError: the problem has none.
    """
    if known.norm_bound is None:
        raise ValueError(
            'the width "theory" needs a bound on the norm of the rewards, and this problem has none: '
            "give a number or a LogWidth instead"
        )
    return float(known.norm_bound)


def union_width(events: float, t: int, delta: float) -> float:
    r"""Return $\sqrt{2\ln(n\pi_t/\delta)}$, $\pi_t=\pi^2t^2/6$, for n events in the paper's round t = 1, 2, ...

    That many standard deviations hold for all events of all rounds with probability at least $1-\delta$.

    Args:
        events: n, at least 1.   t: round 0, 1, ... of the loop, the paper's t + 1.
    """
    return math.sqrt(2.0 * math.log(events * (math.pi * (t + 1)) ** 2 / 6.0 / delta))
