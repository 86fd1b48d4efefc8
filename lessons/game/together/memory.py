r"""The memory that explains the choices of a crowd best: a softmax over the index of a GP that discounts.

In round t a phone that has heard $H_t$ queries the action x with probability
$$P(x_t=x\mid H_t)=\frac{\exp(U_m(x;H_t)/\tau)}{\sum_z\exp(U_m(z;H_t)/\tau)},\qquad U_m=\mu_m+2s_m,$$
where $\mu_m$ and $s_m$ are mean and standard deviation of WGP-UCB's posterior with the world's kernel and noise: an
observation's weight falls by the factor $1-1/m$ a round, from 1 for the newest ($m=1$: the newest alone counts;
$m=\infty$: all count alike). All phones share $m$ and the temperature $\tau$, and a phone's choices depend on its own
observations alone. The first query tells nothing, as the index is flat there.

$\hat m$ maximises $\ell(m)=\max_\tau\sum_{i,t\ge2}\ln P(x_{i,t}\mid H_{i,t})$ over `MEMORIES` and `TEMPERATURES`. Its
interval holds the middle 95 % of the $\hat m$ of `DRAWS` crowds that are drawn from the phones with replacement, and
one of `MEMORIES` more on each side, as a memory between two of them is fitted by the nearer one. It says how far
$\hat m$ would move with other phones, also where they do not choose as the model has it.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

import numpy as np

from tvbo_core.kernels import Kernel

MEMORIES = (1, 2, 3, 4, 5, 6, 8, 10, 12, 14, 17, 20, 25, 30, 40, 60, inf)
TEMPERATURES = (0.05, 0.1, 0.2, 0.35, 0.6, 1.0, 2.0, 5.0)  # reward units
WIDTH = 2.0  # of the index, as of the game's bandits
DRAWS, SHARE = 400, 0.95
# Phones: with fewer there is no interval; of more, as many by chance are fitted, as that takes about two seconds.
LEAST, MOST = 10, 150


@dataclass(frozen=True, eq=False)
class MemoryFit:
    """The fit of each memory to a crowd's choices.

    Attributes:
        likelihood: (M,) largest log-likelihood of each of `MEMORIES`, less that of the best one.
        best: the memory that fits best.   low, high: ends of its interval.   temperature: with it.   phones: computed.
    """

    likelihood: np.ndarray
    best: float
    low: float
    high: float
    temperature: float
    phones: int


def fit(kernel: Kernel, x: np.ndarray, noise_sd: float, arms: np.ndarray, rewards: np.ndarray) -> MemoryFit | None:
    """Return the memory that fits whole games best; None for fewer than `LEAST` phones.

    Args:
        x: (A, d) actions.   arms: (n, T) queries of each phone, in any order.   rewards: (n, T) what it heard.
    """
    if len(arms) < LEAST:
        return None
    arms, rewards = arms[:MOST], rewards[:MOST]
    table = np.stack([_likelihoods(index(kernel, x, noise_sd, arms, rewards, m), arms) for m in MEMORIES], axis=1)
    total = table.sum(axis=0)  # (memory, temperature)
    profile = total.max(axis=1)
    best = int(profile.argmax())
    n = len(arms)
    counts = np.random.default_rng(0).multinomial(n, np.full(n, 1 / n), DRAWS)
    drawn = np.einsum("bn,nmt->bmt", counts.astype(float), table, optimize=True).max(axis=2).argmax(axis=1)
    ends = np.quantile(drawn, [(1 - SHARE) / 2, (1 + SHARE) / 2], method="nearest").astype(int)
    return MemoryFit(
        likelihood=profile - profile[best],
        best=MEMORIES[best],
        low=MEMORIES[max(ends[0] - 1, 0)],
        high=MEMORIES[min(ends[1] + 1, len(MEMORIES) - 1)],
        temperature=TEMPERATURES[int(total[best].argmax())],
        phones=n,
    )


def index(
    kernel: Kernel, x: np.ndarray, noise_sd: float, arms: np.ndarray, rewards: np.ndarray, memory: float
) -> np.ndarray:
    """Return WGP-UCB's (n, T - 1, A) index before rounds 2 to T, of each phone from its own observations.

    Args:
        arms, rewards: (n, T).   memory: m, at least 1.
    """
    K, keeps = kernel(x, x), 1.0 - 1.0 / memory
    n, T = arms.shape
    found = np.empty((n, T - 1, len(x)))
    for t in range(1, T):
        past = arms[:, :t]
        scale = np.sqrt(keeps ** np.arange(t - 1, -1, -1.0)) / noise_sd
        pairs = K[past[:, :, None], past[:, None, :]] * scale[:, None] * scale
        # The factor's pivots are at least 1, so its inverse is as exact as solving with it.
        inverse = np.linalg.inv(np.linalg.cholesky(np.eye(t) + pairs))
        across = inverse @ (scale[:, None] * K[past])
        heard = inverse @ (scale * rewards[:, :t])[:, :, None]
        mean = (across * heard).sum(axis=1)
        found[:, t - 1] = mean + WIDTH * np.sqrt(np.maximum(kernel.diag(x) - (across**2).sum(axis=1), 0.0))
    return found


def _likelihoods(index: np.ndarray, arms: np.ndarray) -> np.ndarray:
    """Return (n, temperatures) log-likelihoods of each phone's choices from the second round on."""
    above = index - index.max(axis=2, keepdims=True)
    chosen = np.take_along_axis(above, arms[:, 1:, None], axis=2)[:, :, 0]
    return np.stack(
        [(chosen / tau - np.log(np.exp(above / tau).sum(axis=2))).sum(axis=1) for tau in TEMPERATURES], axis=1
    )
