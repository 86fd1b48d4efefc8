r"""The one loop.

Chance has three streams. The noise of the whole horizon is drawn first (as in designs.py), so every policy
hears the same noise in the same round; then the same generator serves the policy's own choices; the noise of
side queries comes from a spawned generator, so that asking more does not change what the rounds sound like.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from time import perf_counter
from typing import Any

import numpy as np

from tvbo_core.ask_tell import (
    RunState,
    check_arm,
    check_global_chance,
    check_policy,
    check_state,
    global_chance,
    unchecked,
)
from tvbo_core.designs import noise_of
from tvbo_core.records import Band, BandFilm, History, Policy, Problem
from tvbo_core.threads import one_thread
from tvbo_core.validation import short_repr


@dataclass(frozen=True, eq=False)
class WatchedHistory(History):
    """A History with the policy's band before each choice.

    Attributes:
        bands: T bands of m arms; `bands[t]` is what round t was decided with.
    """

    bands: tuple[Band, ...] = ()

    @cached_property
    def film(self) -> BandFilm:
        """The bands as one film, (T, m)."""
        return BandFilm.of(self.bands)


def play(problem: Problem, policy: Policy, rng: np.random.Generator, bands: bool = False) -> History:
    r"""Play one policy in one problem: in round t it pulls $x_t$ and observes $y_t=f_t(x_t)+\xi_t$.

    The policy is told `problem.known` and what it hears, never f. One that has `questions(state, t, rng)`
    (arms to ask now, at $f_t$, each with fresh noise) and `answer(state, t, arms, ys)` is asked before
    `select` in every round. `seconds` is the policy's own time; round 0 includes `init`.

    Args:
        rng: chance of the play; equally seeded generators give every policy the same noise.
        bands: keep the policy's `band(state, t)` of every round; the result is then a `WatchedHistory`.
    Raises:
        ValueError: the policy is none, chose an arm that does not exist, returned no state, drew from numpy's
            global random state, or has no band to show; or what it refuses.

    >>> problem = tv.make_problem(tv.World(kind="jumps", horizon=60, arms=15))
    >>> history = tv.play(problem, tv.GPUCB(), tv.observe.play_rng(0), bands=True)
    >>> len(history.bands), history.y.shape
    (60, (60,))
    """
    check_policy(policy)
    if not isinstance(problem, Problem):
        raise ValueError(f"problem must be a Problem, as tv.make_problem makes one, got {short_repr(problem)}")
    chance, noise = global_chance(), noise_of(problem, rng)
    side_queries = _SideQueries(problem, rng.spawn(1)[0]) if hasattr(policy, "questions") else None
    if bands and not callable(getattr(policy, "band", None)):
        raise ValueError(f"{type(policy).__name__} has no band to show; play it with bands=False")
    # The loop counts the rounds and checks each choice itself.
    select, update = unchecked(policy, "select"), unchecked(policy, "update")
    f, known = problem.f, problem.known
    seen: list[Band] = []
    T, m = f.shape
    arms, y, seconds = np.empty(T, dtype=int), np.empty(T), np.empty(T)
    with one_thread():  # matrices are small: more threads wait for each other
        start = perf_counter()
        state = policy.init(known)
        counts = isinstance(state, RunState)
        for t in range(T):
            if side_queries is not None:
                state = side_queries.ask(policy, state, t, rng)
            if bands:
                seen.append(policy.band(state, t))  # type: ignore[attr-defined]
            arm = check_arm(policy, t, "chose", select(state, t, rng), m)
            arms[t], y[t] = arm, f[t, arm] + noise[t]
            before, state = state, update(state, t, arm, float(y[t]))
            check_state(policy, t, before, state)
            if counts:
                state.t = t + 1
            now = perf_counter()
            seconds[t], start = now - start, now
    check_global_chance(policy, chance)
    heard: dict[str, Any] = {"problem": problem, "arms": arms, "y": y, "seconds": seconds}
    heard |= {"extra_queries": np.zeros(T, dtype=int)} if side_queries is None else side_queries.log()
    return WatchedHistory(**heard, bands=tuple(seen)) if bands else History(**heard)


def watch(policy: Policy, history: History) -> BandFilm:
    """Return the bands (n+1, m) of a policy that is told what another design has asked: row t knows t observations.

    Raises:
        ValueError: the policy has no band to show, or refuses the problem.

    >>> history = tv.observe.random_design(tv.make_problem(tv.World(horizon=60, arms=15)), 60, tv.observe.play_rng(0))
    >>> tv.watch(tv.WGPUCB(discount=0.95), history).upper.shape
    (61, 15)
    """
    if not callable(getattr(policy, "band", None)):
        raise ValueError(f"{type(policy).__name__} has no band to show")
    bands: list[Band] = []
    with one_thread():
        state = policy.init(history.problem.known)
        for t, (arm, y) in enumerate(zip(history.arms, history.y, strict=True)):
            bands.append(policy.band(state, t))  # type: ignore[attr-defined]
            state = policy.update(state, t, int(arm), float(y))
        bands.append(policy.band(state, len(history.y)))  # type: ignore[attr-defined]
    return BandFilm.of(bands)


class _SideQueries:
    """Answers and log of the side queries of one play."""

    def __init__(self, problem: Problem, rng: np.random.Generator) -> None:
        self.problem, self.rng = problem, rng
        self.counts = np.zeros(problem.horizon, dtype=int)
        self.arms: list[np.ndarray] = [np.empty(0, dtype=int)]
        self.answers: list[np.ndarray] = [np.empty(0)]

    def ask(self, policy: Any, state: Any, t: int, rng: np.random.Generator) -> Any:
        row = self.problem.f[t]
        wanted = [check_arm(policy, t, "asked again", a, len(row)) for a in policy.questions(state, t, rng)]
        if not wanted:
            return policy.answer(state, t, self.arms[0], self.answers[0])
        arms = np.array(wanted, dtype=int)
        self.counts[t] = len(arms)
        ys = row[arms] + self.problem.noise_sd * self.rng.standard_normal(len(arms))
        self.arms.append(arms)
        self.answers.append(ys)
        return policy.answer(state, t, arms, ys)

    def log(self) -> dict[str, np.ndarray]:
        """Return the fields of a History that hold them."""
        return {
            "extra_queries": self.counts,
            "asked": np.concatenate(self.arms),
            "answers": np.concatenate(self.answers),
        }
