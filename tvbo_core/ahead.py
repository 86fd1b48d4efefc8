r"""SparQ several rounds at a time: what it pulls in a round rests on that round's answers alone.

Which old arms are asked rests on chance and on the set of arms pulled so far. So until an arm is pulled for the
first time, the rounds do not wait for one another: they are drawn, answered and decided side by side. Where one of
them pulls a new arm, the rounds after it are taken back, and chance goes on from where it then was.
"""

from __future__ import annotations

from time import perf_counter

import numpy as np

from tvbo_core.observe import noise_of
from tvbo_core.queries import Asking, SparQ
from tvbo_core.records import History, Problem
from tvbo_core.threads import one_thread

MOST = 16  # rounds at a time; they double while nothing new is pulled


def play_ahead(problem: Problem, policy: SparQ, rng: np.random.Generator) -> History:
    """What `race.play` hears of SparQ round by round, to the last digit; rounds side by side share their seconds.

    Raises:
        ValueError: what the policy refuses.
    """
    noise, T = noise_of(problem, rng), problem.horizon
    chance = (rng, rng.spawn(1)[0])  # of the picks, and of the answers
    arms, seconds = np.empty(T, dtype=int), np.empty(T)
    asked: list[np.ndarray] = []
    answers: list[np.ndarray] = []
    with one_thread():  # matrices are small: more threads wait for each other
        start, state, most = perf_counter(), policy.init(problem.known), 1
        while (t := len(asked)) < T:
            n = min(most, T - t)
            pulls, questions, heard = _side_by_side(problem, policy, state, range(t, t + n), chance)
            here = slice(t, t + len(pulls))
            arms[here], asked, answers = pulls, asked + questions, answers + heard
            most = min(2 * n, MOST) if len(pulls) == n else 1
            now = perf_counter()
            seconds[here], start = (now - start) / len(pulls), now
    y = problem.f[np.arange(T), arms] + noise
    counts = np.array([len(one) for one in asked])
    return History(problem, arms, y, counts, seconds, np.concatenate(asked), np.concatenate(answers))


def _side_by_side(
    problem: Problem, policy: SparQ, state: Asking, rounds: range, chance: tuple[np.random.Generator, ...]
) -> tuple[np.ndarray, list[np.ndarray], list[np.ndarray]]:
    """The arms pulled in these rounds, what was asked before each and the answers: up to the first new arm."""
    before = [rng.bit_generator.state for rng in chance]
    asked, answers = _asked(problem, policy, state, rounds, chance)
    pulls = policy.pulls(state, rounds, asked, answers)
    fresh = [i for i, arm in enumerate(pulls.tolist()) if arm not in state.pulled]
    if not fresh:
        return pulls, asked, answers
    kept = fresh[0] + 1
    if kept < len(rounds):
        for rng, then in zip(chance, before, strict=True):
            rng.bit_generator.state = then
        _asked(problem, policy, state, rounds[:kept], chance)
    state.pulled.append(int(pulls[fresh[0]]))
    return pulls[:kept], asked[:kept], answers[:kept]


def _asked(
    problem: Problem, policy: SparQ, state: Asking, rounds: range, chance: tuple[np.random.Generator, ...]
) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """Which arms are asked before each of these rounds, and the answers."""
    picks, noise = chance
    asked = policy.questions_of(state, rounds, picks)
    return asked, [
        problem.f[t, a] + problem.noise_sd * noise.standard_normal(len(a)) for t, a in zip(rounds, asked, strict=True)
    ]
