"""A policy's state as a function of a learner's log: what was heard, played from the first round on."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from copy import deepcopy
from typing import Any

import numpy as np

from tvbo_core.ask_tell import check_arm, check_state
from tvbo_core.learner_file import LoggedRound
from tvbo_core.policies import IndexPolicy, KernelUCB, SparQ
from tvbo_core.records import LearnerInfo, Policy
from tvbo_core.threads import one_thread


class Replay:
    """A policy with its state after the rounds of a log, which are played when the state is wanted.

    What was played is compared with the log each time. Where they differ (an answer came late, or was corrected) all
    is played anew, so that a state never depends on the order in which the log was written.

    Attributes:
        chosen: arm that the policy itself chooses, by each round that was asked.
    """

    def __init__(self, policy: Policy, known: LearnerInfo, start: dict[str, Any], per_time: int) -> None:
        self.policy, self.known, self.start, self.per_time = policy, known, start, per_time
        self._unused: set[tuple] = set()  # steps that the policy raised on
        self._forget()

    def state_at(self, log: dict[int, LoggedRound], r: int) -> Any:
        """Return the state at round r: earlier ones are played, its side queries heard, its choice drawn if asked."""
        steps = list(_steps(log, r))
        with self._whole():
            if [one for one in steps if one not in self._unused][: len(self._played)] != self._played:
                self._forget()
                self._unused.clear()  # after other answers the policy may be able to use them
            while not self._plays([one for one in steps if one not in self._unused]):
                self._forget()  # what it raised on may have changed the state
        return self._state

    def choose(self, log: dict[int, LoggedRound], r: int) -> int:
        """Return what the policy chooses in round r, which was not asked before."""
        self.state_at(log, r)
        with self._whole():
            self._choose(r)
        self._played.append((r, "asked"))
        return self.chosen[r]

    def questions(self, log: dict[int, LoggedRound], r: int) -> list[int]:
        """Return the arms that the policy asks again before round r."""
        state = self.state_at(log, r)
        with one_thread():  # if nothing is answered, nothing was drawn
            return [int(arm) for arm in self.policy.questions(state, r, deepcopy(self._rng))]  # type: ignore[attr-defined]

    def several(self, log: dict[int, LoggedRound], r: int, n: int) -> list[int]:
        """Return the arms of at most n rounds from r on, of which the first was asked; see `Learner.ask`."""
        self.state_at(log, r)
        if ahead := getattr(self.policy, "ahead", None):
            n = min(n, ahead(self._state, r))
        rounds = range(r, min(r + n, self.known.horizon))
        asked = {q: log[q].arm for q in rounds if q in log and log[q].arm is not None and not log[q].closed}
        arms: list[Any] = [asked[r]]
        optimist = isinstance(self.policy, IndexPolicy | KernelUCB | SparQ)
        with one_thread():
            # Only copies move on; policy and arms stay the same objects, by which a policy knows its state.
            same = {id(one): one for one in (self.policy, self.known)}
            state, rng = deepcopy((self._state, self._rng), same)
            for q in rounds[1:]:
                if optimist:
                    mean = self.policy.band(state, q - 1).mean  # type: ignore[attr-defined]
                    state = self.policy.update(state, q - 1, arms[-1], float(mean[arms[-1]]))
                arm, known = self.policy.select(state, q, rng), asked.get(q)
                if optimist and known is None:
                    upper = self.policy.band(state, q).upper.copy()  # type: ignore[attr-defined]
                    later = [one for at, one in asked.items() if at > q]
                    taken = arms[len(arms) // len(upper) * len(upper) :] + later
                    if arm in taken and len(set(taken)) < len(upper):
                        upper[taken] = -np.inf
                        arm = upper.argmax()
                arms.append(self._checked(q, arm) if known is None else known)
        return arms

    def _forget(self) -> None:
        self._state: Any = None
        self._rng = np.random.default_rng()
        self._rng.bit_generator.state = self.start
        self.chosen: dict[int, int] = {}
        self._played: list[tuple] = []

    @contextmanager
    def _whole(self) -> Iterator[None]:
        """Let one thread compute, and keep nothing of what does not end."""
        try:
            with one_thread():
                yield
        except BaseException:
            self._forget()
            raise

    def _plays(self, steps: list[tuple]) -> bool:
        """Play the steps that the state has not heard; return False where the policy raises on an answer."""
        if self._state is None:
            self._state = self.policy.init(self.known)
        for step in steps[len(self._played) :]:
            try:
                self._play(*step)
            except Exception as error:
                self._unused.add(step)
                warnings.warn(
                    f"{type(self.policy).__name__} cannot use what was told of time {step[0] // self.per_time} "
                    f"({type(error).__name__}: {error}): it is kept and does not count",
                    stacklevel=2,
                )
                return False
            self._played.append(step)
        return True

    def _play(self, r: int, kind: str, arms: Any = None, ys: Any = None) -> None:
        policy: Any = self.policy
        before = self._state
        if kind == "asked":
            with suppress(Exception):  # it was asked, whatever the policy says now
                self._choose(r)
            return
        if kind == "heard again":
            policy.questions(before, r, self._rng)
            self._state = policy.answer(before, r, np.array(arms, dtype=int), np.array(ys, dtype=float))
        else:
            if hasattr(policy, "asked") and self.chosen.get(r) != arms:
                before = policy.asked(before, r, arms)
            self._state = policy.update(before, r, arms, ys)
        check_state(policy, r, before, self._state)

    def _choose(self, r: int) -> None:
        self.chosen[r] = self._checked(r, self.policy.select(self._state, r, self._rng))

    def _checked(self, r: int, arm: Any) -> int:
        return check_arm(self.policy, r, "chose", arm, self.known.x.shape[-2])


def _steps(log: dict[int, LoggedRound], r: int) -> Iterator[tuple]:
    """Yield what a policy hears before its choice of round r, and what it chooses: round, kind, arms and rewards."""
    for q, trial in sorted(log.items()):
        if q > r:
            return
        if trial.again is not None:
            yield q, "heard again", trial.again, trial.answers
        if trial.arm is not None:
            yield q, "asked"
        if q < r and trial.told:
            yield q, "told", *trial.told
