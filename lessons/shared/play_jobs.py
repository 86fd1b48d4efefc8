"""One run as a value: which policy plays in which world with which seed, and what is kept of the play."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from common.failure import Failure
from tvbo_core.designs import play_rng
from tvbo_core.guests import GuestPolicy
from tvbo_core.play import play
from tvbo_core.race_results import Run
from tvbo_core.race_results import run_of as whole_run
from tvbo_core.records import History, Policy, Problem, World
from tvbo_core.worlds.make import make_problem

# (guest, rounds) -> where it was stopped: its other runs of this process do not take as long again.
_LATE: dict[tuple[Policy, int], str] = {}


@dataclass(frozen=True)
class PlayJob:
    """One run to be played: a policy under its name, in the world of one seed. Equal jobs have equal results."""

    name: str
    policy: Policy
    world: World

    def __hash__(self) -> int:
        # Kept with the job: a race looks the same thousands of jobs up again and again.
        if "_hash" not in self.__dict__:
            object.__setattr__(self, "_hash", hash((self.name, self.policy, self.world)))
        return int(self.__dict__["_hash"])

    def __reduce__(self) -> tuple:
        return PlayJob, (self.name, self.policy, self.world)  # without the hash: texts hash differently in each process

    @property
    def own(self) -> bool:
        """Return whether the policy is a guest."""
        return isinstance(self.policy, GuestPolicy)

    def perform(self) -> Run:
        """Return the run that `tvbo_core.race.race` makes with this policy, world and seed.

        Raises:
            ValueError: the policy refuses this world.
            TimeoutError: a guest was stopped; the message names seed and round.
        """
        if late := _LATE.get((self.policy, self.world.horizon)):
            raise TimeoutError(late)
        try:
            history = play(cached_problem(self.world), self.policy, play_rng(self.world.seed))
        except (ValueError, TimeoutError) as error:
            if not self.own:
                raise
            message = f"{error} (seed {self.world.seed})"
            if isinstance(error, TimeoutError):
                _LATE[self.policy, self.world.horizon] = message
            raise type(error)(message) from error
        return run_of(self.name, self.world.seed, history)


def outcome(job: PlayJob) -> Run | Failure:
    """Return the run of a job played here and now, or the sentence with which its policy refuses the world."""
    try:
        return job.perform()
    except ValueError as refusal:
        return Failure(str(refusal), refused=True)


@lru_cache(maxsize=4)  # the policies of one world are played one after the other
def cached_problem(world: World) -> Problem:
    """Return the world as a table."""
    return make_problem(world)


def run_of(name: str, seed: int, history: History) -> Run:
    """Return arms, regret, side queries and times of a play, without the rewards that were heard."""
    return lean(whole_run(name, 0, seed, history))


def lean(run: Run) -> Run:
    """Return the same run in less than half the memory: 14 bytes a round instead of 32 with at most 256 arms.

    Arms and side queries become the smallest unsigned integers that hold them, seconds are rounded to single
    precision (7 digits of a measured time); regret stays as it is, to the last bit.
    """

    def small(counts: np.ndarray) -> np.ndarray:
        return counts.astype(np.min_scalar_type(int(counts.max(initial=0))))

    return replace(
        run,
        arms=small(run.arms),
        extra_queries=small(run.extra_queries),
        seconds=run.seconds.astype(np.float32),
    )
