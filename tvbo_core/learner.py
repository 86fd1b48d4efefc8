"""A policy used over days by ask and tell: with failed and late evaluations, open questions, and a file.

All that a `Learner` holds follows from its log: which rounds were asked, told and skipped. The policy's state is the
log replayed from the first round on, when a choice or a band is wanted. So no answer waits for a computation, and a
learner that was loaded goes on as if it had never stopped.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import wraps
from pathlib import Path
from threading import RLock
from typing import Any, Self

import numpy as np

from tvbo_core.ask_tell import check_arm, check_policy, check_reward
from tvbo_core.learner_file import FORMAT, LoggedRound, as_json, current_release, read_learner, write_learner
from tvbo_core.policies import ALL, BY_NAME
from tvbo_core.records import Band, LearnerInfo, Policy
from tvbo_core.replay import Replay
from tvbo_core.threads import one_thread
from tvbo_core.validation import as_floats, check_rounds, is_whole, short_repr

WITHDRAW = "withdraw(time) takes an answer back"
LOCK = RLock()  # shared by all learners, since a learner that holds a lock could not be copied


def _locked(method: Callable[..., Any]) -> Callable[..., Any]:
    """Return the method of a learner such that only one thread at a time runs it."""

    @wraps(method)
    def locked(self: Any, *given: Any, **named: Any) -> Any:
        with LOCK:
            return method(self, *given, **named)

    return locked


def _refuse_load(*given: Any, **named: Any) -> Any:
    raise ValueError("load makes a new learner and changes none: write learner = tv.Learner.load(path)")


class Learner:
    r"""A policy used by ask and tell for as long as an experiment takes.

    A time is a whole number from 0, for example the day. Its rounds are as many as answers may come at one time. An
    answer counts at the time of its question, or at the one that `tell` is given. A time passes with or without its
    answers.

    Args:
        policy: a policy, or its name in `policies.BY_NAME` ("TV-GP-UCB") or its key in `policies.ALL` ("tv").
        known: what you assume; its `horizon` counts times, and `x` holds your arms, or `tv.grid(...)`.
        warm: own data first, arms and rewards, and their times where they are not 0, 1, ...: told before any question.
        per_time: how many answers one time may have. Policies count rounds: `per_time` of them pass with a time.
        rng: seed, or a generator as numpy.random.default_rng makes one.
    Raises:
        ValueError: the policy is unknown or refuses `known` or the own data, or a value is out of its range.

    >>> known = tv.LearnerInfo(tv.grid((0, 1, 5)), 30, 0.1, tv.SquaredExponential(0.3), norm_bound=1, sup_variation=2)
    >>> learner = tv.Learner("GP-UCB", known, warm=([0, 4], [0.1, 0.3]))
    >>> learner.ask(), learner.time, learner.pending
    (2, 2, [(2, 2)])
    """

    def __init__(
        self,
        policy: Policy | str,
        known: LearnerInfo,
        *,
        warm: Sequence[Any] | None = None,
        per_time: int = 1,
        rng: int | np.random.Generator = 0,
    ) -> None:
        if isinstance(policy, str):
            entry = BY_NAME.get(policy) or ALL.get(policy)
            if entry is None:
                raise ValueError(f"no policy is called {policy!r}: give an object, or one of {', '.join(BY_NAME)}")
            policy = entry.make()
        check_policy(policy)
        if not isinstance(known, LearnerInfo):
            raise ValueError(f"a learner needs a LearnerInfo, as problem.known is one, got {short_repr(known)}")
        if known.x.shape[-2] == 1 < known.x.shape[-1]:
            raise ValueError(f"x has one arm with {known.x.shape[-1]} coordinates: arms are its rows, so hand over x.T")
        check_rounds("per_time", per_time)
        chance = np.random.default_rng(rng) if not isinstance(rng, np.random.Generator) else rng
        if not isinstance(chance.bit_generator, np.random.PCG64):
            raise ValueError("rng must be a seed or a generator as numpy.random.default_rng makes one")
        self.policy, self.known, self.per_time = policy, known, int(per_time)
        x = known.x if known.x.ndim == 2 else np.repeat(known.x, per_time, axis=0)
        self._known = replace(known, x=x, horizon=int(known.horizon) * self.per_time)
        self._replay = Replay(policy, self._known, dict(chance.bit_generator.state), self.per_time)
        self._log: dict[int, LoggedRound] = {}
        self._round = 0
        self._saved: list[str] = []  # checksums of the states that were written
        self.load = _refuse_load  # type: ignore[method-assign]
        self._replay.state_at(self._log, 0)  # raises here and not at the first question if the policy refuses `known`
        if warm is not None:
            if not (isinstance(warm, list | tuple) and 2 <= len(warm) <= 3):
                raise ValueError("warm must hold arms, rewards and, where they are not 0, 1, ..., their times")
            self._take_answers(*warm)

    @_locked
    def ask(self, n: int | None = None) -> Any:
        r"""Return the arm to try now, the same one until it is told or skipped; of `n`, a list for n rounds from now.

        A batch policy (PE, R-PERP, OPKB) hands out no more than is left of its batch. A policy that asks where its band
        is highest chooses n different arms, as long as there are n: each as if those before it had been observed at
        their means, so that the mean stays and the sd shrinks, $\mu_{fb}(x)+\beta\,s_{t-1}(x)$ (GP-BUCB). Others
        choose each as if those before it failed.

        Proved for GP-BUCB on a still reward: where the rewards that are awaited hold at most C nats of information
        about f, $s_{fb}\le e^Cs_{t-1}$, and with a width $e^C$ times GP-UCB's the regret bound is $e^C$ times GP-UCB's.
        C = $\gamma_{n-1}$ always holds; a first phase that asks where the sd is largest makes C a constant that does
        not grow with n. Here the width is the policy's own, there is no such phase, and arms that are awaited are left
        out even where their index is highest: nothing is proved of these three.

        Raises:
            ValueError: the horizon is over, or earlier arms are to be asked again first (`questions`).
        Source: Desautels, Krause & Burdick (2014), GP-BUCB and its regret bounds in sec. 4.
        """
        if n is None:
            return self._question()
        check_rounds("n", n)
        self._question()
        arms = self._replay.several(self._log, self._round, n)
        for r, arm in enumerate(arms, self._round):
            self._log[r] = replace(self._log.get(r, LoggedRound()), arm=arm, closed=False)
        return arms

    @_locked
    def tell(self, arm: Any, y: Any = None, time: int | None = None) -> None:
        """Take the answer y of an arm, or several answers at once; a round ends with each.

        Nothing is computed here: an answer is in `data` and in the file before the policy is updated. A late answer
        counts in its own time, of PE and R-PERP in its batch; what has been asked since stays asked. If a policy of
        your own raises an error on an answer, this one stays in `data` and does not count, and a warning says so.

        Args:
            arm: number of the arm, asked or not, or a list of them.   y: its reward, or a list.
            time: when it was measured, also one that has passed. None: when this arm was asked, or else now.
        Raises:
            ValueError: no such arm or time, a reward that is not finite, no room at this time, or an arm that PE or
                R-PERP did not ask then. The learner is then as it was.
        """
        if not isinstance(arm, list | tuple | np.ndarray) or np.ndim(arm) == 0:
            arm, y = [arm], [y]
        if not isinstance(y, list | tuple | np.ndarray):
            raise ValueError(f"several arms need as many rewards, got {short_repr(y)}")
        self._take_answers(list(arm), list(y), None if time is None else [time] * len(arm))

    @_locked
    def correct(self, time: int, y: float, arm: int | None = None, *, again: bool = False) -> None:
        """Put reward y in the place of the one that was told of this time, and of this arm where it has several.

        Args:
            again: the reward belongs to an arm that was asked again before the choice (`answer`).
        Raises:
            ValueError: nothing was told of it, several arms were, or y is not finite.
        """
        r, told = self._find_answer(time, arm, again)
        y, trial = check_reward(self.policy, r, y, WITHDRAW), self._log[r]
        if again:
            heard = zip(trial.again or (), trial.answers, strict=True)
            self._log[r] = replace(trial, answers=tuple(y if one == told else before for one, before in heard))
        else:
            self._log[r] = replace(trial, told=(told, y))

    @_locked
    def withdraw(self, time: int, arm: int | None = None) -> None:
        """Take back what was told of this time, and of this arm where it has several; its question is open again.

        A question of a later round than its answer is open again unless another one has been asked in its place.

        Raises:
            ValueError: nothing was told of it, or several arms were.
        """
        r, told = self._find_answer(time, arm)
        trial = self._log[r]
        own = trial.answered is None and trial.arm == told
        self._log[r] = replace(trial, told=None, answered=None, closed=trial.closed and not own)
        if trial.answered is not None:
            question = self._log.get(trial.answered, LoggedRound())
            if question.arm == told and (question.told is None or question.told[0] != told):
                self._log[trial.answered] = replace(question, closed=False)

    @_locked
    def skip(self, time: int | None = None) -> None:
        """Give up the question of this round, whose trial failed, or all open ones of a time; the round passes."""
        if time is None:
            r = self._within_horizon(self._round)
            self._log[r] = replace(self._log.get(r, LoggedRound()), closed=True)
            self._round = r + 1
            return
        rounds = [r for r, at, _ in self._open() if at == time]
        if not rounds:
            raise ValueError(f"no question of time {time} is open; open ones are {self.pending or 'none'}")
        self._log |= {r: replace(self._log[r], closed=True) for r in rounds}
        self._round = max(self._round, rounds[-1] + 1)

    @_locked
    def advance(self, times: int = 1) -> None:
        """Move on by this many times. Questions stay open: their rewards can be told later."""
        check_rounds("times", times)
        self._round = min((self.time + int(times)) * self.per_time, self._known.horizon)

    @_locked
    def questions(self) -> list[int]:
        """Return the arms that the policy asks again before it chooses, at this time; empty for most policies."""
        r = self._within_horizon(self._round)
        return self._replay.questions(self._log, r) if self._may_ask_again(r) else []

    @_locked
    def answer(self, arms: Sequence[int], ys: Sequence[float]) -> None:
        """Take the rewards of arms of `questions`, each once; leave out those that failed.

        Raises:
            ValueError: an arm is none of them, or has two rewards, or a reward is not finite. Once they are answered
                they are none, and `correct(..., again=True)` changes a reward.
        """
        pending, r = self.questions(), self._within_horizon(self._round)
        numbers = [check_arm(self.policy, r, "was told", arm, self._known.x.shape[-2]) for arm in arms]
        if len(numbers) != len(ys) or len(set(numbers)) != len(numbers) or not set(numbers) <= set(pending):
            raise ValueError(
                "answer needs one reward for each arm, each arm once, and only arms of questions(), which are "
                f"{pending}: correct(time, y, arm, again=True) changes a reward that was taken"
            )
        rewards = tuple(check_reward(self.policy, r, y, "leave out what failed") for y in ys)
        if self._may_ask_again(r):
            self._log[r] = replace(self._log.get(r, LoggedRound()), again=tuple(numbers), answers=rewards)

    @property
    def time(self) -> int:
        """The time now: of the next question."""
        return self._round // self.per_time

    @property
    @_locked
    def pending(self) -> list[tuple[int, int]]:
        """(time, arm) of each question that was neither told nor skipped, the oldest first."""
        return [(at, arm) for _, at, arm in self._open()]

    @property
    @_locked
    def data(self) -> tuple[list[int], list[float], list[int]]:
        """Arms, rewards and times of all that was told: `warm` of another learner, for example with a new horizon."""
        rows = [(*trial.told, r // self.per_time) for r, trial in sorted(self._log.items()) if trial.told]
        return [a for a, _, _ in rows], [y for _, y, _ in rows], [t for _, _, t in rows]

    @_locked
    def band(self) -> Band:
        """Return the policy's band now, of all arms.

        Raises:
            ValueError: the policy has none.
        """
        if not callable(getattr(self.policy, "band", None)):
            raise ValueError(f"{type(self.policy).__name__} has no band to show")
        state = self._replay.state_at(self._log, self._round)
        with one_thread():
            return self.policy.band(state, self._round)  # type: ignore[attr-defined]

    def best(self) -> int:
        """Return the arm with the largest mean now; raises as `band` does."""
        return int(self.band().mean.argmax())

    @_locked
    def save(self, path: str | os.PathLike) -> None:
        """Write the learner to a JSON file, which is replaced at once or not at all.

        Raises:
            ValueError: there is a file that is no earlier state of this learner.
        """
        self._write(path, {})
        # The choices of this machine let `load` notice that another one chooses otherwise. A policy may raise while
        # they are computed: by then the answers are in the file.
        self._replay.state_at(self._log, self._round)
        self._write(path, self._replay.chosen)

    @classmethod
    def load(cls, path: str | os.PathLike, policy: Policy | None = None, kernel: Any = None) -> Self:
        """Return the learner of a file, which asks what the one that was saved would have asked.

        On another processor, or with another numpy or release, the policy may choose otherwise where places tie. Then
        what was asked and told stands, and a warning says from which time on fresh advice may differ.

        Args:
            policy, kernel: needed only where they are of a class of your own, and then equal to the saved ones.
        Raises:
            ValueError: the file is no learner's, holds a value that none can have, or needs another policy or kernel.
        """
        new, content = read_learner(path, cls, policy, kernel)
        new._log, new._round, new._saved = content["log"], content["round"], content["saved"]
        new._replay.state_at(new._log, new._round)
        chosen = new._replay.chosen
        differing = [r for r, arm in content["chosen"].items() if chosen.get(r, arm) != arm]
        if differing:
            warnings.warn(
                f"{path}: from time {min(differing) // new.per_time} on tvbo-core {current_release()} here chooses "
                f"otherwise than {content['release']} did where it was written (another processor, numpy or release, "
                "or an edit by hand): what was asked and told stands, fresh advice may differ",
                stacklevel=3,
            )
        return new

    def _write(self, path: str | os.PathLike, chosen: dict[int, int]) -> None:
        content = {
            "format": FORMAT,
            "release": current_release(),
            "policy": as_json(self.policy),
            "known": as_json(self.known),
            "per_time": self.per_time,
            "rng": self._replay.start,
            "round": self._round,
            "log": {str(r): vars(trial) for r, trial in sorted(self._log.items())},
            "chosen": {str(r): arm for r, arm in sorted(chosen.items())},
        }
        self._saved = write_learner(Path(path), content, self._saved)

    def _may_ask_again(self, r: int) -> bool:
        """Return whether the policy asks earlier arms again, and was not answered in round r."""
        return hasattr(self.policy, "questions") and self._log.get(r, LoggedRound()).again is None

    def _question(self) -> int:
        """Return the arm of this round, asked now unless it was before."""
        r = self._within_horizon(self._round)
        trial = self._log.get(r, LoggedRound())
        if trial.arm is not None and not trial.closed:
            return trial.arm
        if again := self.questions():
            raise ValueError(
                f"{type(self.policy).__name__} asks {len(again)} earlier arms again before it chooses: "
                "measure the arms of questions() and hand them to answer(arms, ys), answer([], []) if all failed"
            )
        if self._may_ask_again(r):
            self._log[r] = trial = replace(trial, again=())
        # A question that was answered before its round came is asked no more: the policy chooses anew.
        trial = replace(trial, arm=None, closed=False)
        arm = self._replay.choose(self._log | {r: trial}, r)
        self._log[r] = replace(trial, arm=arm)
        return arm

    def _take_answers(self, arms: Sequence[Any], ys: Sequence[Any], times: Sequence[Any] | None = None) -> None:
        """Take answers, all or none of them."""
        if not len(arms) == len(ys) == len(arms if times is None else times):
            raise ValueError(f"each answer needs its arm, reward and time, got {len(arms)} arms and {len(ys)} rewards")
        log, now = self._log.copy(), self._round
        rewards = [check_reward(self.policy, now, y, "call skip()") for y in ys]
        numbers = [check_arm(self.policy, now, "was told", arm, self._known.x.shape[-2]) for arm in arms]
        for number, reward, time in zip(numbers, rewards, [None] * len(arms) if times is None else times, strict=True):
            r, question = self._slot(log, now, number, time)
            if hasattr(self.policy, "asked") and log.get(r, LoggedRound()).arm != number:
                raise ValueError(
                    f"{type(self.policy).__name__} did not ask arm {number} at time {r // self.per_time}, and uses "
                    f"answers to its own questions alone; open ones are {self.pending or 'none'}"
                )
            elsewhere = None if question == r else question
            log[r] = replace(log.get(r, LoggedRound()), told=(number, reward), answered=elsewhere)
            if question is not None:
                log[question] = replace(log[question], closed=True)
            now = max(now, r + 1)
        self._log, self._round = log, now

    def _slot(self, log: dict[int, LoggedRound], now: int, arm: int, time: Any) -> tuple[int, int | None]:
        """Return the round in which an answer counts, and that of the question which it answers, if any.

        It answers the question of this arm at that time, or else its oldest open one.
        """
        questions = [(r, at) for r, at, awaited in self._open(log) if awaited == arm]
        if time is not None and not (isinstance(time, int | np.integer) and 0 <= time < self.known.horizon):
            raise ValueError(f"a time is a whole number from 0 to {self.known.horizon - 1}, got {short_repr(time)}")
        if time is None and not questions:
            return self._within_horizon(now), None
        at = questions[0][1] if time is None else int(time)
        rounds = range(at * self.per_time, (at + 1) * self.per_time)
        question = min((r not in rounds, r) for r, _ in questions)[1] if questions else None
        awaited = {r for r, *_ in self._open(log)}
        asked = {r: log.get(r, LoggedRound()).arm == arm for r in rounds}
        free = [r for r in rounds if not log.get(r, LoggedRound()).told]
        if free:
            # The question's own round is best, then one that asked this arm, then one that awaits no other answer.
            return min(free, key=lambda r: (r != question, not asked[r], r in awaited, r)), question
        if time is None:
            return self._within_horizon(now), question
        raise ValueError(
            f"time {at} has its {self.per_time} answers (per_time) already: correct({at}, y) changes one, and a "
            f"learner made with per_time={self.per_time + 1} has room for more at one time"
        )

    def _find_answer(self, time: Any, arm: Any, again: bool = False) -> tuple[int, int]:
        """Return round and arm of the answer of a time, the last one where an arm has several."""
        found = [
            (r, one)
            for r, trial in sorted(self._log.items())
            for one in ((trial.again or ()) if again else (trial.told or ())[:1])
            if r // self.per_time == time and arm in (None, one)
        ]
        if len({one for _, one in found}) != 1:
            raise ValueError(
                f"time {time} has answers of the arms {', '.join(str(one) for _, one in found)}: say which by arm=..."
                if found
                else f"nothing was told of time {time}{'' if arm is None else f' and arm {arm}'}: `data` has what was, "
                "and correct(..., again=True) changes what was heard on an arm that was asked again"
            )
        return found[-1]

    def _open(self, log: dict[int, LoggedRound] | None = None) -> list[tuple[int, int, int]]:
        """Return round, time and arm of each question without an answer."""
        rows = sorted((self._log if log is None else log).items())
        return [(r, r // self.per_time, trial.arm) for r, trial in rows if trial.arm is not None and not trial.closed]

    def _within_horizon(self, r: int) -> int:
        """Return a round; raise ValueError where it is after the horizon."""
        if r < self._known.horizon:
            return r
        again = "which begins anew: it uses answers to its own questions alone"
        raise ValueError(
            f"the horizon of {self.known.horizon} times is over: go on with a longer one in a new learner, "
            + (again if hasattr(self.policy, "asked") else "tv.Learner(policy, known, warm=learner.data)")
        )


def grid(*axes: tuple[float, float, int]) -> np.ndarray:
    """Return (m, d) arms on a grid, an axis each given by its ends and number of points; the last axis runs fastest.

    >>> tv.grid((0, 1, 3), (10, 20, 2)).shape
    (6, 2)

    Raises:
        ValueError: an axis is not (low, high, number of points), or an end is not finite.
    """
    for axis in axes:
        ends = as_floats("an axis", axis)
        if ends.shape != (3,) or not np.isfinite(ends).all() or not (is_whole(ends[2]) and ends[2] >= 1):
            raise ValueError(f"an axis is (low, high, number of points) with finite ends, got {short_repr(axis)}")
    if not axes:
        raise ValueError("a grid has at least one axis (low, high, number of points)")
    lines = [np.linspace(low, high, int(n)) for low, high, n in axes]
    return np.stack(np.meshgrid(*lines, indexing="ij"), axis=-1).reshape(-1, len(lines))
