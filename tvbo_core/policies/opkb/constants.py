r"""The constants of OPKB and ADA-OPKB in one problem: the paper's, the authors', or your own."""

from __future__ import annotations

import math
from dataclasses import dataclass
from numbers import Integral

from tvbo_core.gp.optimal_design import Design
from tvbo_core.validation import is_positive


@dataclass(frozen=True)
class OPKBConstants:
    r"""Factors on the paper's constants; all 1 (and the mixture 1/2) is the paper.

    Attributes:
        block: on E, the length of block 0.   gain: on $\gamma_T$ wherever it occurs.   weight: on $\beta_j$.
        floor: on $\mu_j$, the share of rounds that goes to the optimal design.
        mixture: share of $\pi(A)$ in Q.   near: on the limit of the gaps of A.
        test: on the limit of ADA-OPKB's test.   averaged: limit from the mean of $\mu_m$ and $\mu_k$, not the
            larger.
        first: the smallest block number that is replayed and compared with.
    """

    block: float = 1.0
    gain: float = 1.0
    weight: float = 1.0
    floor: float = 1.0
    mixture: float = 0.5
    near: float = 1.0
    test: float = 1.0
    averaged: bool = False
    first: int = 0

    def __post_init__(self) -> None:
        for name in ("block", "gain", "weight", "floor", "mixture", "near", "test"):
            value, most = getattr(self, name), 1.0 if name in ("floor", "mixture") else math.inf
            if not (is_positive(value) and value <= most):
                raise ValueError(
                    f"the constant {name} must be a number above 0"
                    f"{' and at most 1' if most == 1 else ''}, got {value!r}"
                )
        if not (isinstance(self.first, Integral) and self.first >= 0):
            raise ValueError(f"the constant first must be a whole number from 0, got {self.first!r}")


THEORY = OPKBConstants()
# Values of the authors' experiments; their gain carries the 1/2 that the paper's has not.
TUNED = OPKBConstants(
    block=0.01, gain=0.5, weight=50, floor=0.2, mixture=0.2, near=0.05, test=0.005, averaged=True, first=4
)


@dataclass(frozen=True, eq=False)
class OPKBPlan:
    r"""Plan of OPKB in one problem, before any observation.

    Attributes:
        horizon: rounds T that the constants are computed for (the restart interval when there is one).
        arms: N.   sigma, delta: as in the policy.   constants: the factors.
        scale: rewards are divided by it and cut to [-1, 1].
        design: $\pi(\mathcal X)$ and its certificate.
    """

    horizon: int
    arms: int
    sigma: float
    delta: float
    constants: OPKBConstants
    scale: float
    design: Design

    @property
    def ridge(self) -> float:
        r"""$\sigma/T$."""
        return self.sigma / self.horizon

    @property
    def gain(self) -> float:
        r"""$\gamma_T=\max_P\ln\det S(TP/\sigma,1)$ (no 1/2), certified from above, times its factor; nats."""
        return (self.design.log_det + self.design.gap) * self.constants.gain

    @property
    def log_term(self) -> float:
        r"""$\ln(C_0N/\delta)$, $C_0=8T\log_2T$ with T counted as at least 2."""
        T = max(self.horizon, 2)
        return math.log(8.0 * T * math.log2(T) * self.arms / self.delta)

    @property
    def alpha(self) -> float:
        r"""$\alpha=\sigma/(4\ln(C_0N/\delta))$."""
        return self.sigma / (4.0 * self.log_term)

    @property
    def c0(self) -> float:
        r"""$c_0=40+16\sqrt\alpha$; $c_0\beta_j\mu_j=2\gamma_T$ with the paper's constants."""
        return 40.0 + 16.0 * math.sqrt(self.alpha)

    @property
    def block(self) -> int:
        r"""$E=\lceil4\gamma_T\ln(C_0N/\delta)\rceil$, length of block 0; at least 1."""
        return max(1, math.ceil(4.0 * self.gain * self.log_term * self.constants.block))

    def length(self, j: int) -> int:
        """Rounds $2^jE$ of block j."""
        return 2**j * self.block

    def mu(self, j: int) -> float:
        r"""$\mu_j=\frac122^{-j/2}$, the share of the optimal design in block j."""
        return 0.5 * 2.0 ** (-j / 2) * self.constants.floor

    def beta(self, j: int) -> float:
        r"""$\beta_j=\frac{\gamma_T}{10+4\sqrt\alpha}2^{j/2}$, how much estimated gaps weigh in block j."""
        return self._plain_beta(j) * self.constants.weight

    def near(self, j: int) -> float:
        r"""Limit of the gaps of A in block j, $2\alpha\gamma_T/\beta_j$."""
        return 2.0 * self.alpha * self.gain / self._plain_beta(j) * self.constants.near

    def limit(self, m: int, k: int) -> float:
        r"""Limit of ADA-OPKB's test of level m against the blocks up to k, $4c_0\mu_{m\wedge k}$."""
        levels = [0.5 * 2.0 ** (-j / 2) for j in (m, k)]
        level = sum(levels) / 2 if self.constants.averaged else max(levels)
        return 4.0 * self.c0 * level * self.constants.test

    def _plain_beta(self, j: int) -> float:
        return self.gain / (10.0 + 4.0 * math.sqrt(self.alpha)) * 2.0 ** (j / 2) if self.gain > 0 else 1.0

    @property
    def blocks(self) -> tuple[int, ...]:
        """Lengths of the blocks that begin within the horizon, the last one as far as it gets."""
        lengths, rest, j = [], self.horizon, 0
        while rest:
            lengths.append(min(self.length(j), rest))
            rest -= lengths[-1]
            j += 1
        return tuple(lengths)

    @property
    def only_design(self) -> bool:
        """Return True when block 0 lasts to the end: no reward is ever used."""
        return self.block >= self.horizon

    @property
    def note(self) -> str:
        """Return one sentence when that is so, else the empty string."""
        if not self.only_design:
            return ""
        return (
            f"The first block alone would last {self.block} rounds and there are {self.horizon}: the whole "
            "run plays the optimal design and never uses a reward."
        )
