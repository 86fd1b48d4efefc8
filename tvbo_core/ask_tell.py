"""Ask and tell, checked: what a user hands to a policy is checked once, where the policy is called.

Each error is one sentence with the policy, the round and what is allowed. The same check makes states values: `update`
and `answer` are handed a copy of the state, which they may change. And it lets time pass: a state stands at the round
after the last `update`, and rounds up to t that nothing was told about are skipped.
"""

from __future__ import annotations

import math
import operator
import pickle
from collections.abc import Callable
from functools import wraps
from inspect import isfunction, signature
from types import MethodType
from typing import Any, Self

import numpy as np

from tvbo_core.records import LearnerInfo
from tvbo_core.validation import short_repr

# Methods by what they do with the state of round t: read it, also that of the round after the last, or change it.
READS, READS_AT_THE_END, CHANGES = ("select", "questions"), ("band", "band_of", "ahead"), ("update", "asked", "answer")


class RunState:
    """State of one run of a policy, and a value: only copies of it change.

    Attributes:
        policy: to which it belongs.   known: information given to `init`.
        t: round 0, 1, ... at which it stands: the one after the last `update`.
    """

    policy: Any
    known: LearnerInfo
    t: int

    def copy(self) -> Self:
        """Return a copy that may change without this one; subclasses copy what they write in place."""
        new = object.__new__(type(self))
        new.__dict__.update(self.__dict__)
        return new

    def skip(self) -> None:
        """Let round `t` pass without an observation; by itself a state does not depend on time."""


class CheckedPolicy:
    """Base of the lab's policies: the methods of a subclass that are named here check what they are handed.

    A loop that makes the checks itself and keeps no older state takes `unchecked` methods, as `tv.play` does.
    """

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        for name in ("init", *READS, *READS_AT_THE_END, *CHANGES):
            if isfunction(method := vars(cls).get(name)):
                setattr(cls, name, _begins(method) if name == "init" else _checked(name, method))


def unchecked(policy: Any, name: str) -> Any:
    """Return this method of a policy without its check: `update` then changes the state that it is handed."""
    method = getattr(policy, name)
    plain = getattr(method, "__wrapped__", None) if isinstance(policy, CheckedPolicy) else None
    return method if plain is None else MethodType(plain, policy)


def check_policy(policy: Any, called: str = "a policy") -> None:
    """Raise ValueError for what is no policy: a class, a function, anything without init, select and update."""
    if isinstance(policy, type):
        raise ValueError(f"{called} must be an instance, got the class {policy.__name__}: write {policy.__name__}()")
    missing = [name for name in ("init", "select", "update") if not callable(getattr(policy, name, None))]
    if missing:
        raise ValueError(f"{called} must have init, select and update, and {short_repr(policy)} has no {missing[0]}")


def check_arm(policy: Any, t: int, verb: str, arm: Any, m: int) -> int:
    """Return the number of an arm 0..m-1; raise ValueError for anything else."""
    if type(arm) is int and 0 <= arm < m:
        return arm
    try:
        number = operator.index(arm)
    except TypeError:
        number = None
    if number is None or isinstance(arm, bool):
        raise ValueError(
            f"{_name(policy)} {verb} {short_repr(arm)} in round t = {t}, which is not an arm number: "
            f"arms are numbered 0 to {m - 1}"
        )
    if not 0 <= number < m:
        raise ValueError(f"{_name(policy)} {verb} arm {number} in round t = {t}; arms are numbered 0 to {m - 1}")
    return number


def check_reward(policy: Any, t: int, y: Any, failed: str = "") -> float:
    """Return a reward as a float; raise ValueError, which says what to do instead, unless it is one finite number."""
    if type(y) is float and math.isfinite(y):
        return y
    try:
        value = math.nan if isinstance(y, str | bytes) or np.ndim(y) else float(y)
    except (TypeError, ValueError, OverflowError):
        value = math.nan
    if not math.isfinite(value):
        raise ValueError(
            f"{_name(policy)} was told a reward of {short_repr(y)} in round t = {t}, and a reward is a finite number: "
            f"where an evaluation failed, {failed or f'leave `update` out and go on with round t = {t + 1}'}"
        )
    return value


def check_state(policy: Any, t: int, before: Any, after: Any) -> None:
    """Raise ValueError where `update` or `answer` returned nothing, or no state, in place of the next state."""
    if after is before:
        return
    if (after is None and before is not None) or (isinstance(before, RunState) and not isinstance(after, RunState)):
        raise ValueError(
            f"{_name(policy)} returned {short_repr(after)} in round t = {t}: `update` returns the next state"
        )


def global_chance() -> bytes:
    """Return numpy's global random state, to compare with."""
    return pickle.dumps(np.random.get_state(legacy=False))  # noqa: NPY002 (read only, to compare)


def check_global_chance(policy: Any, before: bytes) -> None:
    """Raise ValueError where numpy's global random state has moved since."""
    if global_chance() != before:
        raise ValueError(
            f"{_name(policy)} draws from numpy's global random state, so one seed gives different runs: "
            "draw from the `rng` that `select` is handed"
        )


def belief(band: Any, state: Any, t: int) -> Any:
    """Return the band of round t of a run of KernelUCB, whose field `band` is this one and is called like a method."""
    policy = getattr(state, "policy", None)
    if not (isinstance(policy, CheckedPolicy) and getattr(policy, "band", None) == band):
        raise _foreign("KernelUCB", state)
    return policy.band_of(state, t)  # type: ignore[attr-defined]


def _name(policy: Any) -> str:
    return str(getattr(policy, "guest", type(policy).__name__))  # a guest is known by its file


def _foreign(name: str, state: Any) -> ValueError:
    owner = getattr(state, "policy", None)
    got = f"the state of a run of {short_repr(owner)}" if isinstance(owner, CheckedPolicy) else short_repr(state)
    return ValueError(f"{name} needs the state that its own `init` or `update` returned, got {got}")


def _standing(policy: Any, state: Any, t: Any, own: bool = False, end: int = 0) -> Any:
    """Return the state as it stands in round t, a copy where it changes or is to be changed.

    Args:
        own: return a copy anyway.   end: 1 where the round after the last one is allowed too.
    """
    if not isinstance(state, RunState) or (state.policy is not policy and state.policy != policy):
        raise _foreign(_name(policy), state)
    if type(t) is not int:
        try:
            t = operator.index(t)
        except TypeError:
            raise ValueError(
                f"{_name(policy)} needs a round t = 0, 1, ... as a whole number, got {short_repr(t)}"
            ) from None
    rounds = state.known.horizon
    if not state.t <= t < rounds + end:
        if t >= rounds:
            raise ValueError(
                f"{_name(policy)} has no round t = {t}: with the horizon {rounds} of its `LearnerInfo` "
                f"the last round is t = {rounds - 1}"
            )
        raise ValueError(
            f"{_name(policy)} has left round t = {t} behind: this state stands at t = {state.t}; "
            "keep an older state to go back"
        )
    if own or state.t < t:
        state = state.copy()
        while state.t < t:
            state.skip()
            state.t += 1
    return state


def _begins(method: Callable) -> Callable:
    """Return `init` with its check."""

    @wraps(method)
    def init(self: Any, known: Any = None) -> Any:
        if not isinstance(self, CheckedPolicy):
            raise ValueError("init was called on a class: make a policy of it first, as in tv.GPUCB().init(known)")
        if not isinstance(known, LearnerInfo):
            raise ValueError(f"{_name(self)} needs a LearnerInfo, as problem.known is one, got {short_repr(known)}")
        state = method(self, known)
        if not isinstance(state, RunState):
            raise ValueError(f"{_name(self)} returned {short_repr(state)} from `init`, which returns a RunState")
        state.policy, state.known, state.t = self, known, 0
        return state

    return init


def _checked(name: str, method: Callable) -> Callable:
    """Return a method `name(self, state, t, ...)` with its check."""
    more = list(signature(method).parameters)[3:]

    @wraps(method)
    def checked(self: Any, state: Any, t: int, *told: Any, **named: Any) -> Any:
        now = _standing(self, state, t, own=name in CHANGES, end=int(name in READS_AT_THE_END))
        missing = [one for one in more[len(told) :] if one not in named]
        if missing:
            raise ValueError(f"{_name(self)} needs {missing[0]}: write {name}({', '.join(('state', 't', *more))})")
        told = (*told, *(named[one] for one in more[len(told) :]))
        after = method(self, now, now.t, *(_told(self, now, name, *told) if name in CHANGES else told))
        if name in CHANGES:
            check_state(self, now.t, now, after)  # which may be a new object
            after.policy, after.known, after.t = self, now.known, now.t + (name == "update")
        return after

    return checked


def _told(policy: Any, state: RunState, name: str, arm: Any, y: Any = None) -> tuple:
    """Return arms as numbers and rewards as floats, checked: of `answer` (n,) each."""
    t, m = state.t, state.known.x.shape[-2]
    if name == "asked":
        return (check_arm(policy, t, "asked", arm, m),)
    if name == "update":
        return check_arm(policy, t, "was told", arm, m), check_reward(policy, t, y)
    if len(arm) != len(y):
        raise ValueError(f"{_name(policy)} was told {len(y)} answers to {len(arm)} questions in round t = {t}")
    numbers = np.array([check_arm(policy, t, "was told", one, m) for one in arm], dtype=np.intp)
    return numbers, np.array([check_reward(policy, t, one) for one in y], dtype=float)
