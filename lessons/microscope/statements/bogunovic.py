r"""Bogunovic et al. (TV-GP-UCB): the gain about a Markov reward beside its bounds.

With a constant kernel the reward is one number that forgets, whose covariance over T rounds is the matrix
$(1-\epsilon)^{|i-j|/2}$: the gain is exact, for all queries.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
from scipy.linalg import toeplitz

from common.formats import number
from lessons.microscope.statements.record import Axes, MicroscopeResult, MicroscopeSetting, Statement, lines

T = 600
PRINTED_21, WITH_NOISE, SHARPER = "(21) as printed", "with 1/σ²", "Mandl & Kekkonen"


def _small_noise_sentence(f: Mapping[str, float]) -> str:
    exact, printed, noisy = f["exact"], f["(21) as printed"], f["with 1/σ²"]
    low = f" is too low, <b>{number(printed)}</b>; with the noise variance it is {number(noisy)}"
    bound = low if printed < exact else f" is <b>{number(printed)}</b>"
    return f"The information gain is {number(exact)} nats. The printed bound{bound}."


def small_noise(setting: MicroscopeSetting) -> MicroscopeResult:
    """The gain of 600 rounds against three bounds, over the noise variance."""
    epsilon = setting.epsilon
    noises = np.geomspace(1e-4, 1.0, 41)
    eigenvalues = np.linalg.eigvalsh(toeplitz((1.0 - epsilon) ** (0.5 * np.arange(T))))
    exact = 0.5 * np.log1p(np.maximum(eigenvalues, 0.0) / noises[:, None]).sum(axis=1)
    N, noise = np.arange(1.0, T + 1), noises[:, None]
    still = 0.5 * np.log1p(N / noise)
    moved = epsilon * N * np.sqrt(N * N - 1.0) * np.sqrt(still) / (2.0 * math.sqrt(3.0) * noise)
    by_length = {
        PRINTED_21: (T / N + 1.0) * (still + N**3.0 * epsilon),
        WITH_NOISE: (T / N + 1.0) * (still + N**2.5 * epsilon / (2.0 * math.sqrt(6.0) * noise)),
        SHARPER: np.ceil(T / N) * (still + moved),
    }
    roles = dict(zip(by_length, ("printed", "read", "other"), strict=True))
    over = {("exact", "measured"): exact} | {(n, roles[n]): v.min(axis=1) for n, v in by_length.items()}
    shown = np.unique(np.concatenate([np.arange(1, 31), np.geomspace(31, T, 30).round()])).astype(int) - 1
    here = {("exact", "measured"): exact[:, None]} | {(n, roles[n]): v[:, shown] for n, v in by_length.items()}
    return MicroscopeResult(
        noises,
        lines(noises, over),
        lines(N[shown], here),
        f"constant kernel, T = {T}, ε = {epsilon:g}; each bound has its best block length",
        tells_at=1e-3,
    )


SMALL_NOISE = Statement(
    experiment=small_noise,
    key="bogunovic-21",
    name="Bogunovic: (21)",
    where="Bogunovic et al., eq. 21 (the step from 20)",
    printed=r"$\tilde\gamma_T\le\big(\frac T{\tilde N}+1\big)\big(\gamma_{\tilde N}+\tilde N^3\epsilon\big)$",
    read=r"$\tilde\gamma_T\le\big(\frac T{\tilde N}+1\big)\big(\gamma_{\tilde N}+\frac{\tilde "
    r"N^{5/2}\epsilon}{2\sqrt6\,\sigma^2}\big)$ (derived here)",
    reason=r"For small noise variances the bound on the time-varying information gain needs an extra factor of order "
    r"$1/\sigma^2$; the published rates, stated for fixed $\sigma^2$, are not affected.",
    symbol="σ² =",
    sentence=_small_noise_sentence,
    over=Axes("Information in 600 rounds", "noise variance σ²", "nats", log_x=True, log_y=True),
    here=Axes("For each block length", "block length N", "nats", log_x=True, log_y=True, span=(10.0, 1e5)),
    uses=("eps",),
)
