r"""How far the fast engines are from a dense solve after very many rounds.

The engines carry a posterior from round to round; the answer to hold them against is one fresh dense solve of
the same data. A discount and a Markov prior forget: of their past only the rounds that still weigh more than
$10^{-18}$ enter the dense solve. Injected uncertainty is not here: it adds up its sums anew every round.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from tvbo_core.fast.posteriors import stack_of
from tvbo_core.gp import grid_posterior, log_det, posterior
from tvbo_core.gp.learner_state import make_state
from tvbo_core.gp.memory import Discount, Keep, Markov, Memory, Restart, SpaceTime, Window
from tvbo_core.kernels import Kernel, Matern, SquaredExponential
from tvbo_core.records import LearnerInfo

ARMS = 60
X = np.linspace(0.0, 1.0, ARMS)[:, None]
LEAST = 1e-18  # an older observation that weighs less than this changes no digit
WINDOW, RESTART, GAMMA, EPSILON = 200, 1_500, 0.98, 0.05


@dataclass(frozen=True)
class EngineError:
    """Largest error over the arms after the last round.

    Attributes:
        mean: in units of the largest reward.   sd: as a share of the sd itself.
        log_det: as a share of itself, or None where the engine has none.
    """

    mean: float
    sd: float
    log_det: float | None


def rewards(rounds: int, noise: float) -> tuple[np.ndarray, np.ndarray]:
    """Arms (n,) and rewards (n,): half at random, half in a walk that dwells, of a curve that swings over time."""
    rng = np.random.default_rng(1)
    walk = np.clip(np.cumsum(rng.integers(-1, 2, rounds)) % (2 * ARMS), 0, None)
    walk = np.where(walk < ARMS, walk, 2 * ARMS - 1 - walk)
    arms = np.where(rng.random(rounds) < 0.5, rng.integers(0, ARMS, rounds), walk)
    f = np.sin(7 * X[arms, 0] + 1e-3 * np.arange(rounds))
    return arms, f + math.sqrt(noise) * rng.normal(size=rounds)


def last(rounds: int, memory: Memory) -> slice:
    """The rounds that a dense solve after `rounds` of them needs."""
    if isinstance(memory, Window):
        return slice(max(0, rounds - memory.length), rounds)
    if isinstance(memory, Restart):
        return slice(rounds - rounds % memory.interval, rounds)
    if isinstance(memory, Discount):
        return slice(max(0, rounds - math.ceil(math.log(LEAST) / math.log(memory.gamma))), rounds)
    if isinstance(memory, Markov):
        return slice(max(0, rounds - math.ceil(2 * math.log(LEAST) / math.log(1 - memory.epsilon))), rounds)
    return slice(0, rounds)


def dense(kernel: Kernel, memory: Memory, arms: np.ndarray, y: np.ndarray, noise: float) -> tuple:
    """Mean (m,), sd (m,) and log det after all rounds, by one Cholesky factor of the data that count."""
    n, kept = len(arms), last(len(arms), memory)
    variances = memory.noise(n - np.arange(n)[kept], noise, n)
    if isinstance(memory, Keep):  # 10^5 rows do not fit: each arm's observations as one of their summed precision
        return *grid_posterior(kernel(X, X), arms, y, variances), None
    points = X[arms[kept]]
    if isinstance(memory, Markov):
        then = np.column_stack([points, np.arange(n)[kept].astype(float)])
        here = np.column_stack([X, np.full(ARMS, float(n))])
        return *posterior(SpaceTime(kernel, memory.epsilon), then, y[kept], here, variances), None
    return *posterior(kernel, points, y[kept], X, variances), log_det(kernel(points, points), variances)


def compare(mean: np.ndarray, sd: np.ndarray, det: float | None, exact: tuple, y: np.ndarray) -> EngineError:
    share = None if det is None or exact[2] is None else abs(det - exact[2]) / abs(exact[2])
    return EngineError(
        mean=float(np.abs(mean - exact[0]).max() / np.abs(y).max()),
        sd=float(np.abs(sd / exact[1] - 1.0).max()),
        log_det=share,
    )


def carried(kernel: Kernel, memory: Memory, rounds: int, noise: float) -> EngineError:
    """The engine of this memory after so many rounds, against the dense solve."""
    arms, y = rewards(rounds, noise)
    known = LearnerInfo(X, rounds, math.sqrt(noise), kernel, None, 0.0, None)
    past = make_state(known, memory, noise)
    for arm, reward in zip(arms.tolist(), y.tolist(), strict=True):
        past.learn(arm, reward)
    mean, sd = past.curves()
    return compare(mean, sd, past.log_det, dense(kernel, memory, arms, y, noise), y)


def stepped(kernel: Kernel, memory: Memory, rounds: int, noise: float) -> EngineError:
    """The stack of runs in lockstep (here one run) after so many rounds, against the dense solve."""
    arms, y = rewards(rounds, noise)
    stack = stack_of([memory], kernel(X, X), np.array([noise]), rounds)
    for arm, reward in zip(arms[:, None], y[:, None], strict=True):
        stack.learn(arm, reward)
    mean, sd = stack.curves()
    return compare(mean[0], sd[0], None, dense(kernel, memory, arms, y, noise), y)


MEMORIES: dict[str, Memory] = {
    "keep everything, rows folded (RankOne)": Keep(),
    f"restart every {RESTART} (RankOne)": Restart(RESTART),
    f"window of {WINDOW}, taken back (RankOne)": Window(WINDOW),
    f"fading, epsilon {EPSILON:g} (RankOne)": Markov(EPSILON),
    f"discount {GAMMA:g} (Merged)": Discount(GAMMA),
}
STEPPED = {f"{memory.name}, in lockstep (stacks)": memory for memory in MEMORIES.values()}
KERNELS: dict[str, Kernel] = {
    "Matérn 3/2, 0.2": Matern(1.5, 0.2),
    "SE, 0.2": SquaredExponential(0.2),
    "SE, 1000": SquaredExponential(1000.0),
}
ENGINES: dict[str, Callable[[Kernel, int, float], EngineError]] = {
    **{name: (lambda kernel, n, noise, kept=kept: carried(kernel, kept, n, noise)) for name, kept in MEMORIES.items()},
    **{name: (lambda kernel, n, noise, kept=kept: stepped(kernel, kept, n, noise)) for name, kept in STEPPED.items()},
}
