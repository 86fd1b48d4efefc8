"""A policy used over days by ask and tell: with failed and late evaluations, open questions, and a file.

Everything that a `Learner` knows follows from its log: which rounds were asked, told and skipped. A late answer and a
file are the log played again from the first round, so a learner that was loaded goes on as if it had never stopped.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Self

import numpy as np

from tvbo_core.ask_tell import check_arm, check_policy, check_reward, check_state
from tvbo_core.learner_file import as_json, current_release, from_json, saved_or_own
from tvbo_core.policies import ALL, BY_NAME
from tvbo_core.records import Band, LearnerInfo, Policy
from tvbo_core.threads import one_thread
from tvbo_core.validation import check_rounds, short_repr

FORMAT = 1  # of the file; a larger one was written by a later release


@dataclass(frozen=True)
class LoggedRound:
    """One round in the log of a `Learner`.

    Attributes:
        arm: asked, None where nothing was.   told: arm and reward, None where nothing was told.
        closed: no answer is awaited: the trial failed, or its answer counts at another time.
        again, answers: arms asked again before this round and what was heard on them; None where nothing was.
    """

    arm: int | None = None
    told: tuple[int, float] | None = None
    closed: bool = False
    again: tuple[int, ...] | None = None
    answers: tuple[float, ...] = ()


class Learner:
    r"""A policy used by ask and tell for as long as an experiment takes.

    A time is a whole number from 0, for example the day. Its rounds are as many as answers may come at one time. An
    answer counts at the time of its question, or at the one that `tell` is given, and what is not told was not heard:
    the time passes all the same.

    Args:
        policy: a policy, or its name in `policies.BY_NAME` ("TV-GP-UCB") or in links ("tv").
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

    _state: Any
    _rng: np.random.Generator
    _again: tuple[int, list[int], np.random.Generator] | None  # round, its questions, the generator after them

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
        check_rounds("per_time", per_time)
        chance = np.random.default_rng(rng) if not isinstance(rng, np.random.Generator) else rng
        if not isinstance(chance.bit_generator, np.random.PCG64):
            raise ValueError("rng must be a seed or a generator as numpy.random.default_rng makes one")
        self.policy, self.known, self.per_time = policy, known, per_time
        x = known.x if known.x.ndim == 2 else np.repeat(known.x, per_time, axis=0)
        self._known = replace(known, x=x, horizon=known.horizon * per_time)
        self._start: dict[str, Any] = dict(chance.bit_generator.state)
        self._log: dict[int, LoggedRound] = {}
        self._round = 0
        self._replay(self._log)
        if warm is not None:
            self._take_answers(*warm)

    # --- asking and telling -----------------------------------------------------------------------------------------

    def ask(self, n: int | None = None) -> Any:
        """Return the arm to try now, the same one until it is told or skipped; of `n`, a list for n rounds from now.

        A batch policy (PE, R-PERP, OPKB) hands out no more than is left of its batch. The others choose each of the n
        as if those before it failed.

        Raises:
            ValueError: the horizon is over, or earlier arms are to be asked again first (`questions`).
        """
        if n is not None:
            check_rounds("n", n)
            if ahead := getattr(self.policy, "ahead", None):
                n = min(n, ahead(self._state, self._checked(self._round)))
        arms = [self._question(r) for r in range(self._round, min(self._round + (n or 1), self._last(n)))]
        return arms[0] if n is None else arms

    def tell(self, arm: Any, y: Any, time: int | None = None) -> None:
        """Take the answer y of an arm, or several answers at once; a round ends with each.

        Args:
            arm: number of the arm, asked or not, or a list of them.   y: its reward, or a list.
            time: when it was measured, also one that has passed. None: when this arm was asked, or else now.
        Raises:
            ValueError: no such arm or time, a reward that is not finite, no room at this time, or a question that
                the policy did not ask and cannot use. The learner is then as it was.
        """
        arms, ys = (list(arm), list(y)) if isinstance(arm, list | tuple | np.ndarray) else ([arm], [y])
        self._take_answers(arms, ys, None if time is None else [time] * len(arms))

    def skip(self, time: int | None = None) -> None:
        """Give up the question of this round, whose trial failed, or all open ones of a time; the round passes."""
        if time is None:
            r = self._checked(self._round)
            self._log[r] = replace(self._log.get(r, LoggedRound()), closed=True)
            self._round = r + 1
            return
        gone = [r for r, at, _ in self._open() if at == time]
        if not gone:
            raise ValueError(f"no question of time {time} is open; open ones are {self.pending or 'none'}")
        self._log |= {r: replace(self._log[r], closed=True) for r in gone}
        self._round = max(self._round, gone[-1] + 1)

    def advance(self, times: int = 1) -> None:
        """Let so many times pass. Questions stay open: their rewards can be told later."""
        check_rounds("times", times)
        self._round = min((self.time + times) * self.per_time, self._known.horizon)

    def questions(self) -> list[int]:
        """Return the arms that the policy asks again before it chooses, at this time; empty for most policies."""
        r = self._checked(self._round)
        if not hasattr(self.policy, "questions") or self._log.get(r, LoggedRound()).again is not None:
            return []
        if self._again is None or self._again[0] != r:
            rng = deepcopy(self._rng)  # if nothing is answered, nothing was drawn
            arms = self._live(lambda: self.policy.questions(self._state, r, rng))
            self._again = r, [int(arm) for arm in arms], rng
        return self._again[1]

    def answer(self, arms: Sequence[int], ys: Sequence[float]) -> None:
        """Take what was heard on `questions`; leave out those that failed."""
        pending, r = self.questions(), self._checked(self._round)
        if len(arms) != len(ys) or not set(map(int, arms)) <= set(pending):
            raise ValueError(f"answer needs as many rewards as arms, and only arms of questions(), which are {pending}")
        heard = tuple(check_reward(self.policy, r, y) for y in ys)
        trial = replace(self._log.get(r, LoggedRound()), again=tuple(map(int, arms)), answers=heard)
        self._state = self._live(lambda: _after_answers(self.policy, self._state, r, trial))
        if self._again is not None:
            self._rng = self._again[2]
        self._log[r] = trial

    # --- what it knows ----------------------------------------------------------------------------------------------

    @property
    def time(self) -> int:
        """The time now: of the next question."""
        return self._round // self.per_time

    @property
    def pending(self) -> list[tuple[int, int]]:
        """(time, arm) of each question that was neither told nor skipped, the oldest first."""
        return [(at, arm) for _, at, arm in self._open()]

    @property
    def data(self) -> tuple[list[int], list[float], list[int]]:
        """Arms, rewards and times of all that was told: `warm` of another learner, for example with a new horizon."""
        rows = [(*trial.told, r // self.per_time) for r, trial in sorted(self._log.items()) if trial.told]
        return [a for a, _, _ in rows], [y for _, y, _ in rows], [t for _, _, t in rows]

    def band(self) -> Band:
        """Return the policy's band now, of all arms.

        Raises:
            ValueError: the policy has none.
        """
        if not callable(getattr(self.policy, "band", None)):
            raise ValueError(f"{type(self.policy).__name__} has no band to show")
        with one_thread():
            return self.policy.band(self._state, self._round)  # type: ignore[attr-defined]

    def best(self) -> int:
        """Return the arm with the largest mean now; raises as `band` does."""
        return int(self.band().mean.argmax())

    # --- its file ---------------------------------------------------------------------------------------------------

    def save(self, path: str | os.PathLike) -> None:
        """Write the learner to a JSON file, which is replaced at once or not at all."""
        path = Path(path)
        content = {
            "format": FORMAT,
            "release": current_release(),
            "policy": as_json(self.policy),
            "known": as_json(self.known),
            "per_time": self.per_time,
            "rng": self._start,
            "round": self._round,
            "log": {str(r): vars(trial) for r, trial in sorted(self._log.items())},
            "chosen": self._replay(self._log),
            "next": self._next(),
        }
        new = path.with_name(f"{path.name}.new")
        new.write_text(json.dumps(content, allow_nan=False), encoding="utf-8")
        os.replace(new, path)

    @classmethod
    def load(cls, path: str | os.PathLike, policy: Policy | None = None, kernel: Any = None) -> Self:
        """Return the learner of a file, which asks exactly what the one that was saved would have asked.

        Args:
            policy, kernel: those of your own, equal to the ones that were saved; the lab's stand in the file.
        Raises:
            ValueError: the file is no learner's, another policy or kernel is needed, or this release would not
                choose as the one that wrote it.
        """
        try:
            content = json.loads(Path(path).read_text(encoding="utf-8"))
            written, release = content["format"], content["release"]
            if written > FORMAT:
                raise ValueError(
                    f"{path} was written by tvbo-core {release}, which is later than {current_release()}: update"
                )
            known = content["known"]
            known["fields"]["kernel"] = saved_or_own(known["fields"]["kernel"], kernel, "kernel", release)
            new = cls(
                saved_or_own(content["policy"], policy, "policy", release),
                LearnerInfo(**{name: from_json(value, release) for name, value in known["fields"].items()}),
                per_time=content["per_time"],
            )
            new._start, new._round = content["rng"], content["round"]
            new._log = {int(r): _trial(row) for r, row in content["log"].items()}
            arms, saved = content["chosen"], content["next"]
        except (KeyError, TypeError, AttributeError, UnicodeDecodeError, json.JSONDecodeError) as error:
            raise ValueError(f"{path} is not the whole file of a learner ({error}): `save` writes one") from None
        if new._replay(new._log) != arms or new._next() != saved:
            raise ValueError(
                f"{path} was written by tvbo-core {release}, and {current_release()} does not choose as that one did: "
                f"load it with {release}, or begin anew with its data as `warm`"
            )
        return new

    # --- the log ----------------------------------------------------------------------------------------------------

    def _question(self, r: int) -> int:
        """Return the arm of round r, asked now unless it was before."""
        trial = self._log.get(r, LoggedRound())
        if trial.arm is not None:
            return trial.arm
        if self.questions():
            raise ValueError(
                f"{type(self.policy).__name__} asks {len(self.questions())} earlier arms again before it chooses: "
                "measure the arms of questions() and hand them to answer(arms, ys), answer([], []) if all failed"
            )
        if hasattr(self.policy, "questions") and trial.again is None:
            self.answer([], [])
            trial = self._log[r]
        arm = self._live(lambda: self.policy.select(self._state, r, self._rng))
        arm = check_arm(self.policy, r, "chose", arm, self._known.x.shape[-2])
        self._log[r] = replace(trial, arm=arm)
        return arm

    def _take_answers(self, arms: Sequence[Any], ys: Sequence[Any], times: Sequence[Any] | None = None) -> None:
        """Take answers, all or none of them."""
        if not len(arms) == len(ys) == len(arms if times is None else times):
            raise ValueError(f"each answer needs its arm, reward and time, got {len(arms)} arms and {len(ys)} rewards")
        log, here, late = self._log.copy(), self._round, False
        for arm, y, time in zip(arms, ys, [None] * len(arms) if times is None else times, strict=True):
            number = check_arm(self.policy, here, "was told", arm, self._known.x.shape[-2])
            r = self._slot(log, here, number, time)
            log[r] = replace(log.get(r, LoggedRound()), told=(number, check_reward(self.policy, r, y)), closed=True)
            for old, _, awaited in self._open(log):  # measured at another time than it was asked
                if time is not None and awaited == number:
                    log[old] = replace(log[old], closed=True)
                    break
            late = late or any(one > r for one in log)
            here = max(here, r + 1)
        if late or len(arms) > 1:
            self._replay(log)
        else:
            self._live(lambda: self._step(r, log[r]))
        self._log, self._round = log, here

    def _slot(self, log: dict[int, LoggedRound], here: int, arm: int, time: Any) -> int:
        """Return the round in which an answer counts."""
        if time is None:
            return next((r for r, _, awaited in self._open(log) if awaited == arm), self._checked(here))
        if type(time) is not int or not 0 <= time < self.known.horizon:
            raise ValueError(f"a time is a whole number from 0 to {self.known.horizon - 1}, got {short_repr(time)}")
        free = [
            r for r in range(time * self.per_time, (time + 1) * self.per_time) if not log.get(r, LoggedRound()).told
        ]
        if not free:
            raise ValueError(
                f"time {time} has its {self.per_time} answers (per_time) already: "
                f"make the learner with per_time={self.per_time + 1} for more at one time"
            )
        awaited = {r: log.get(r, LoggedRound()).arm for r in free}
        wanted = [(awaited[r] != arm, awaited[r] is not None, r) for r in free]
        return min(wanted)[2]

    def _open(self, log: dict[int, LoggedRound] | None = None) -> list[tuple[int, int, int]]:
        """Round, time and arm of the questions without an answer."""
        rows = sorted((self._log if log is None else log).items())
        return [(r, r // self.per_time, trial.arm) for r, trial in rows if trial.arm is not None and not trial.closed]

    def _checked(self, r: int) -> int:
        if r < self._known.horizon:
            return r
        raise ValueError(
            f"the horizon of {self.known.horizon} times is over: go on with a longer one in a new learner, "
            "tv.Learner(policy, known, warm=learner.data)"
        )

    def _last(self, n: int | None) -> int:
        return self._known.horizon if n and self._round < self._known.horizon else self._round + 1

    def _live(self, call: Any) -> Any:
        """Return the result of a call on the state; where it raises, the state is restored from the log."""
        try:
            with one_thread():
                return call()
        except Exception:
            self._replay(self._log)
            raise

    def _step(self, r: int, trial: LoggedRound) -> None:
        if trial.told:
            before, self._state = self._state, self.policy.update(self._state, r, *trial.told)
            check_state(self.policy, r, before, self._state)

    def _replay(self, log: dict[int, LoggedRound]) -> list[int]:
        """Play a log from the first round on; return what was chosen. Where the policy refuses it, nothing changes."""
        rng = np.random.default_rng()
        rng.bit_generator.state = self._start
        kept = {name: self.__dict__.get(name) for name in ("_state", "_rng", "_again")}
        arms: list[int] = []
        try:
            with one_thread():
                self._state, self._rng, self._again = self.policy.init(self._known), rng, None
                for r, trial in sorted(log.items()):
                    if trial.again is not None:
                        self.policy.questions(self._state, r, rng)  # type: ignore[attr-defined]
                        self._state = _after_answers(self.policy, self._state, r, trial)
                    if trial.arm is not None:
                        arms.append(int(self.policy.select(self._state, r, rng)))
                    self._step(r, trial)
        except Exception:
            self.__dict__.update(kept)
            raise
        return arms

    def _next(self) -> list[int]:
        """Return what it would ask next, without asking: arms to ask again, or the one arm to try."""
        if self._round >= self._known.horizon:
            return []
        trying = deepcopy(self)
        return trying.questions() or [trying.ask()]


def grid(*axes: tuple[float, float, int]) -> np.ndarray:
    """Return (m, d) arms on a grid, an axis each given by its ends and number of points; the last axis runs fastest.

    >>> tv.grid((0, 1, 3), (10, 20, 2)).shape
    (6, 2)
    """
    lines = [np.linspace(low, high, n) for low, high, n in axes]
    return np.stack(np.meshgrid(*lines, indexing="ij"), axis=-1).reshape(-1, len(lines))


def _after_answers(policy: Any, state: Any, r: int, trial: LoggedRound) -> Any:
    """Return the state after the answers to the questions before a round."""
    after = policy.answer(state, r, np.array(trial.again, dtype=int), np.array(trial.answers, dtype=float))
    check_state(policy, r, state, after)
    return after


def _trial(row: dict[str, Any]) -> LoggedRound:
    values: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in row.items()}
    return LoggedRound(**values)
