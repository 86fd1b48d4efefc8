r"""Windows of side queries: their starts, the number of questions, and the least number that is of use.

Rounds count from 1 as on paper. With $p=\tilde\alpha/\alpha$, window $j$ holds the rounds
$t_j,\dots,t_{j+1}-1$; what was heard in it is at most $\lfloor t_j^p\rfloor$ rounds old, so its variance as a
reading of today's reward is at most $2\sigma^2t^{\tilde\alpha}$.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from decimal import Decimal, localcontext
from fractions import Fraction

from tvbo_core.validation import check_amount, check_count, is_positive


def window_starts(T: int, alpha: float, window_exponent: float) -> list[int]:
    r"""Rounds in which W-SparQ opens a window.

    $t_1=1$, $t_{j+1}=t_j+\lfloor t_j^{\tilde\alpha/\alpha}\rfloor+1$, exact also where the power is a whole
    number: the exponents are read as the decimals they are written as.

    Args:
        T: horizon, at least 0.
        alpha: drift exponent $\alpha>0$.
        window_exponent: $\tilde\alpha\ge0$; the theorem asks for less than 1/3.
    Returns:
        increasing rounds from 1 to T.
    Raises:
        ValueError: T, alpha or window_exponent is out of range.
    Source: Mauduit et al., eq. 32.

    >>> tv.window_starts(30, alpha=1.0, window_exponent=0.25)
    [1, 3, 5, 7, 9, 11, 13, 15, 17, 20, 23, 26, 29]
    """
    check_count("the horizon", T)
    p = _ratio(alpha, window_exponent)
    starts: list[int] = []
    t = 1
    while t <= T:
        # From here on the window is longer than the horizon (and its length may leave the range of floats).
        if p * math.log(t) > math.log(T) + 1.0:
            return [*starts, t]
        length = floor_power(t, p) + 1
        equal = range(t, _first_power(length, p, T + 1), length)  # windows of one length, all at once
        starts.extend(equal)
        t = equal[-1] + length
    return starts


def planned_queries(rounds: Iterable[int], q_const: float, dimension: int) -> list[int]:
    r"""Number of old questions to ask after round t, $Q_t=\min(t,\lceil q\ln^d(1+t)\rceil)$.

    A plan: a run asks for no more than the different arms pulled so far, or the rank of their covariance.

    Args:
        rounds: rounds t, at least 0 (`window_starts`, or 1..T for SparQ).
        q_const: q > 0, which the paper leaves open.   dimension: d >= 1.
    Returns:
        one number a round.
    Raises:
        ValueError: a round is negative, q_const not positive and finite, or dimension below 1.
    Source: order of Mauduit et al., Prop. 3.2 and Thm 3.10.
    """
    if not is_positive(q_const):
        raise ValueError(f"q_const must be positive and finite, got {q_const!r}")
    if dimension < 1:
        raise ValueError(f"the dimension must be at least 1, got {dimension}")
    rounds = list(rounds)
    if min(rounds, default=0) < 0:
        raise ValueError(f"rounds must be at least 0, got {min(rounds)}")
    return [math.ceil(min(t, q_const * math.log1p(t) ** dimension)) for t in rounds]


def floor_power(t: int, p: Fraction) -> int:
    r"""$\lfloor t^p\rfloor$ of a whole number $t\ge1$, exact also at and next to whole powers; $p\ge0$."""
    if p.denominator <= 64:
        return _floor_root(t**p.numerator, p.denominator)
    # A whole t^(a/b) in lowest terms needs t = m^b, so here t^p is whole for t = 1 only; what comes close to
    # a whole number is settled by 50 digits after the point.
    digits = p * math.log10(t)
    value = t ** float(p) if digits < 15 else math.inf
    if value < math.inf and abs(value - round(value)) > 1e-9 * value:
        return math.floor(value)
    with localcontext(prec=50 + math.ceil(digits)):
        return int((Decimal(t).ln() * p.numerator / p.denominator).exp())


def _first_power(n: int, p: Fraction, most: int) -> int:
    r"""The first whole $t\ge1$ with $t^p\ge n$, or `most` where that is not below it."""
    # The slack leaves what is close to `most` to whole numbers.
    if p == 0 or math.log(n) > p * math.log(most) * (1.0 + 1e-9) + 1e-9:
        return most
    t = floor_power(n, 1 / p)
    return min(t if floor_power(t, p) >= n else t + 1, most)


def _floor_root(x: int, b: int) -> int:
    r"""$\lfloor x^{1/b}\rfloor$ of a whole number $x\ge1$ by Newton's steps in whole numbers, from above."""
    n = 1 << -(-x.bit_length() // b)
    while (m := ((b - 1) * n + x // n ** (b - 1)) // b) < n:
        n = m
    return n


def _ratio(alpha: float, window_exponent: float) -> Fraction:
    """window_exponent / alpha as the fraction that their decimals say: 0.25 / 0.75 is 1/3."""
    _check_alpha(alpha)
    check_amount("window_exponent", window_exponent)
    p = Fraction(repr(float(window_exponent))) / Fraction(repr(float(alpha)))
    return min(p, Fraction(1000))  # 2^1000 is beyond any horizon, and beyond it floats overflow


def _check_alpha(alpha: float) -> None:
    if not is_positive(alpha):
        raise ValueError(f"alpha must be positive and finite, got {alpha!r}")
