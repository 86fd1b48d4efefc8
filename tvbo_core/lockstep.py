r"""Many runs of phased elimination side by side: the counts of `shuffles.eq9_score` for several widths at once.

Runs with the same restart ask batches of the same sizes in the same rounds, whatever they hear. So all of them
go from batch to batch together: each set of candidates is picked from once, and one array operation serves all
runs. Rules that differ in their width alone also share each run's noise and orders.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from tvbo_core.elimination import RPERP
from tvbo_core.film import one_thread
from tvbo_core.phases import batch_sizes
from tvbo_core.picking import Stacks
from tvbo_core.records import Problem
from tvbo_core.shuffles import Score, counted
from tvbo_core.width import THEORY, resolve, resolve_ridge

MOST = 4_000_000  # numbers in a stack of posteriors: 32 MB; more runs go one portion after the other


def eq9_scores(
    problems: Sequence[Problem], rules: Sequence[RPERP], chance: Callable[[int], np.random.Generator]
) -> tuple[Score, ...]:
    """`eq9_score` of every rule, from runs that go side by side.

    Args:
        problems: all with the same arms, kernel and horizon.   rules: that differ in width, form, step, shuffle and
            delta alone.   chance: number of the problem -> the chance of its run, the same for every rule.
    Raises:
        ValueError: the problems or the rules differ in more than that; or as a rule's `init`.
    Source: Iwazaki & Takeno, Theorem 4, eq. 9.
    """
    first = problems[0]
    run = rules[0].init(first.known)
    for problem in problems:
        same = problem is first or (problem.horizon == first.horizon and np.array_equal(problem.x, first.x))
        if not same or (problem.kernel != first.kernel and (problem.kernel(first.x, first.x) != run.gram).any()):
            raise ValueError("only runs with the same arms, kernel and horizon ask the same first questions")
    lengths = {rule.restart_rounds(problem.known) for rule in rules for problem in problems}
    ridges = {resolve_ridge(rule.ridge, problem.known) for rule in rules for problem in problems}
    if len(lengths) > 1 or len(ridges) > 1:
        raise ValueError("only runs with the same restart and ridge go side by side")
    longest = max(batch_sizes(min(run.restart, first.horizon)))
    portion = max(1, MOST // (len(rules) * longest * len(run.gram)))
    with one_thread():
        parts = [
            _Runs(run.gram, run.ridge, problems[i : i + portion], rules, lambda j, i=i: chance(i + j)).play(run.restart)
            for i in range(0, len(problems), portion)
        ]
    held, kept = (np.concatenate([part[k] for part in parts], axis=1) for k in range(2))
    return tuple(counted(h, int(k.sum()), 1.0 - r.delta) for h, k, r in zip(held, kept, rules, strict=True))


class _Runs:
    """R problems under each of W rules, every array with the axes (W, R) in front."""

    def __init__(
        self, gram: np.ndarray, ridge: float, problems: Sequence[Problem], rules: Sequence[RPERP],
        chance: Callable[[int], np.random.Generator],
    ) -> None:  # fmt: skip
        self.stacks, self.problems, self.rules = Stacks(gram, ridge), problems, rules
        self.known = [problem.known for problem in problems]
        self.theory = [[r.theory_width(k) if r.width == THEORY else None for k in self.known] for r in rules]
        self.rngs = [chance(i) for i in range(len(problems))]
        draws = zip(problems, self.rngs, strict=True)
        self.noise = np.array([p.noise_sd * rng.standard_normal(p.horizon) for p, rng in draws])

    def play(self, restart: int) -> tuple[np.ndarray, np.ndarray]:
        """(W, R, bands, m) whether each band covered, and (W, R) whether the best arm was never eliminated."""
        W, R, m = len(self.rules), len(self.problems), len(self.stacks.gram)
        covered, kept = [np.empty((0, W, R, m), dtype=bool)], np.ones((W, R), dtype=bool)
        for start in range(0, self.problems[0].horizon, restart):
            alive, sizes = np.ones((W, R, m), dtype=bool), batch_sizes(min(restart, self.problems[0].horizon - start))
            for number, n in enumerate(sizes):
                orders = np.array([rng.permutation(n) for rng in self.rngs])
                if number < len(sizes) - 1:  # the last batch of an interval is asked, and judges nothing
                    truth = np.array([p.f[start : start + n].mean(axis=0) for p in self.problems])
                    lower, upper = self._bands(alive, start, orders)
                    covered.append(((lower <= truth) & (truth <= upper))[None])
                    survivors = alive & (upper >= np.where(alive, lower, -np.inf).max(axis=2, keepdims=True))
                    best = np.where(alive, truth, -np.inf).argmax(axis=2)
                    kept &= np.take_along_axis(survivors, best[:, :, None], axis=2)[:, :, 0]
                    alive = survivors
                start += n
        return np.concatenate(covered).transpose(1, 2, 0, 3), kept

    def _bands(self, alive: np.ndarray, start: int, orders: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Lower and upper (W, R, m) of the batch that begins in this round, asked in these orders (R, n)."""
        (W, R, m), n = alive.shape, orders.shape[1]
        picked, of = self.stacks.first(alive.reshape(-1, m), n)
        picks, y = picked.picks[of].reshape(W, R, n), np.empty((W, R, n))
        for w, rule in enumerate(self.rules):
            for r, (problem, order) in enumerate(zip(self.problems, orders, strict=True)):
                times = start + (order if rule.shuffled else np.arange(n))
                y[w, r] = problem.f[times, picks[w, r]] + self.noise[r, times]
        mean, of = picked.means(of, y.reshape(-1, n)).reshape(W, R, m), of.reshape(W, R)
        paying = np.unique(of[[rule.pays_for_drift for rule in self.rules]])
        norms = dict(zip(paying.tolist(), picked.weight_norms(paying), strict=True)) if len(paying) else {}
        half = np.empty((W, R, m))
        for w, rule in enumerate(self.rules):
            for r, known in enumerate(self.known):
                width = resolve(rule.width, start + n, lambda w=w, r=r: self.theory[w][r])
                weights = norms.get(int(of[w, r])) if rule.pays_for_drift else None
                half[w, r] = rule.half_of(known, width, picked.sd[of[w, r]], n, weights)
        return mean - half, mean + half
