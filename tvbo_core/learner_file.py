"""The values of a learner's file: those of the lab as JSON, those of its user by their name alone."""

from __future__ import annotations

import json
import math
import os
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, fields, is_dataclass
from pathlib import Path
from typing import Any

import numpy as np

from tvbo_core import bands
from tvbo_core.kernels import Matern, SquaredExponential, Tabulated
from tvbo_core.policies import ALL
from tvbo_core.policies.opkb.constants import OPKBConstants
from tvbo_core.policies.width import LogWidth
from tvbo_core.records import LearnerInfo
from tvbo_core.validation import is_number, short_repr

# 1 had `chosen` as a list of the rounds that were asked, and `next`, 2 had no `answered`; a larger one was written by a
# later release.
FORMAT = 3

_CLASSES = (
    *(entry.policy for entry in ALL.values()),
    *(entry.band for entry in bands.ALL.values()),
    *(LogWidth, OPKBConstants, Matern, SquaredExponential, Tabulated, LearnerInfo),
)
BY_CLASS: dict[str, type] = {one.__name__: one for one in _CLASSES}  # what a file may name


@dataclass(frozen=True)
class LoggedRound:
    """One round in the log of a `Learner`.

    Attributes:
        arm: asked, None where nothing was.   told: arm and reward, None where nothing was told.
        closed: no answer to the question is awaited.
        answered: round of the question that was told here, None where it is this one or there was none.
        again, answers: arms asked again before this round and what was heard on them; None where nothing was.
    """

    arm: int | None = None
    told: tuple[int, float] | None = None
    closed: bool = False
    answered: int | None = None
    again: tuple[int, ...] | None = None
    answers: tuple[float, ...] = ()


def current_release() -> str:
    """Return the version of this package."""
    from tvbo_core import __version__  # which imports this module

    return __version__


def as_json(value: Any) -> Any:
    """Return a value as JSON holds it; what is not the lab's by its repr."""
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float) and not np.isfinite(value):
        return {"float": str(value)}
    if value is None or isinstance(value, str | bool | int | float):
        return value
    if isinstance(value, np.ndarray):
        return {"array": value.tolist()}
    if isinstance(value, tuple | list):
        return {"tuple": [as_json(one) for one in value]}
    if isinstance(value, Tabulated):  # its matrix holds the jitter
        return {"class": "Tabulated", "fields": {"matrix": {"array": value.matrix.tolist()}}}
    name = type(value).__name__
    if is_dataclass(value) and BY_CLASS.get(name) is type(value):
        return {"class": name, "fields": {one.name: as_json(getattr(value, one.name)) for one in fields(value)}}
    return {"own": repr(value) if is_dataclass(value) else name}


def from_json(plain: Any, release: str) -> Any:
    """Return the value of what `as_json` wrote.

    Raises:
        ValueError: its class has other fields in this release, or it is not the lab's.
    """
    if not isinstance(plain, dict):
        return plain
    if "class" not in plain:
        ((kind, value),) = plain.items()
        if kind == "tuple":
            return tuple(from_json(one, release) for one in value)
        if kind == "own":
            raise ValueError(f"it holds {value}, which is not the lab's: hand over an equal policy as policy=...")
        return np.array(value) if kind == "array" else float(value)
    known = BY_CLASS.get(plain["class"])
    given = {name: from_json(value, release) for name, value in plain["fields"].items()}
    if known is None or not set(given) <= {field.name for field in fields(known)}:
        names = "" if known is None else f", with the fields {', '.join(field.name for field in fields(known))}"
        raise ValueError(
            f"it holds {plain['class']} with {', '.join(given) or 'no fields'}, as if written by tvbo-core {release}, "
            f"and tvbo-core {current_release()} has {'no such class' if known is None else 'it'}{names}"
        )
    return known(**given)


def saved_or_own(plain: Any, own: Any, name: str, release: str) -> Any:
    """Return the policy or kernel of a file, or the one handed over.

    Raises:
        ValueError: one has to be handed over, or the one handed over is not equal to that of the file.
    """
    if own is None and "own" in plain:
        raise ValueError(f"the {name} of this file is not the lab's: hand over {plain['own']} as {name}=...")
    if own is not None and as_json(own) != plain:
        raise ValueError(f"the {name} of this file is {short_repr(plain)}, not {short_repr(own)}")
    return from_json(plain, release) if own is None else own


def write_learner(path: Path, content: dict[str, Any], saved: Sequence[str]) -> list[str]:
    """Write a learner's file in the place of an earlier state; return the marks of its states, `saved` and this one.

    Raises:
        ValueError: there is a file that is none of these states, such as that of another learner.
    """
    saved = [*dict.fromkeys([*saved, _mark(content)])]
    if path.exists():
        try:
            known = _mark(json.loads(path.read_text(encoding="utf-8"))) in saved
        except (ValueError, AttributeError):
            known = False
        if not known:
            raise ValueError(
                f"{path} holds another learner, or what this one was told elsewhere, and save would replace it: go on "
                f"with tv.Learner.load({str(path)!r}), or save to another path"
            )
    new = path.with_name(f"{path.name}.new")
    new.write_text(json.dumps(content | {"saved": saved}, allow_nan=False), encoding="utf-8")
    os.replace(new, path)
    return saved


def _mark(content: dict[str, Any]) -> str:
    """Return a mark of the state in a file, the same for what was asked and told alike."""
    state = {name: one for name, one in content.items() if name not in ("release", "chosen", "saved")}
    return f"{zlib.crc32(json.dumps(state, sort_keys=True).encode()):08x}"


def read_learner(path: str | os.PathLike, make: Any, policy: Any, kernel: Any) -> tuple[Any, dict[str, Any]]:
    """Return a learner that has been told nothing, as `make` makes it for a file, and the content of the file.

    Raises:
        ValueError: see `Learner.load`.
    """
    try:
        content = json.loads(Path(path).read_text(encoding="utf-8"))
        release, known = content["release"], content["known"]["fields"]
        content["saved"] = [*content.get("saved", ()), _mark(content)]  # an edit by hand has a mark of its own
        if content["format"] > FORMAT:
            raise ValueError(f"it was written by tvbo-core {release}, which is later than {current_release()}: update")
        known["kernel"] = saved_or_own(known["kernel"], kernel, "kernel", release)
        rng = np.random.default_rng()
        try:
            rng.bit_generator.state = content["rng"]
        except (TypeError, ValueError, KeyError, OverflowError):
            raise ValueError(f"its rng is {short_repr(content['rng'])}, and no state of numpy's PCG64") from None
        new = make(
            saved_or_own(content["policy"], policy, "policy", release),
            LearnerInfo(**{name: from_json(value, release) for name, value in known.items()}),
            per_time=content["per_time"],
            rng=rng,
        )
        rounds, arms = new.known.horizon * new.per_time, new.known.x.shape[-2]
        log = dict(sorted(_logged(key, row, rounds, arms) for key, row in content["log"].items()))
        if type(content["round"]) is not int or not 0 <= content["round"] <= rounds:
            raise ValueError(f"its round is {short_repr(content['round'])}, and can be 0 to {rounds}")
        chosen = content["chosen"]
        if isinstance(chosen, list):
            chosen = dict(zip((r for r, trial in log.items() if trial.arm is not None), chosen, strict=False))
        told = [r + 1 for r, trial in log.items() if trial.told]
        content |= {"log": log, "round": max([content["round"], *told])}
        content |= {"chosen": {int(r): arm for r, arm in chosen.items()}}
    except (KeyError, TypeError, AttributeError, UnicodeDecodeError, json.JSONDecodeError) as error:
        raise ValueError(
            f"{path} is not the whole file of a learner ({type(error).__name__}: {error}): `save` writes one"
        ) from None
    except ValueError as error:
        raise ValueError(f"{path} cannot be loaded: {error}") from None
    return new, content


def _logged(key: str, row: dict[str, Any], rounds: int, arms: int) -> tuple[int, LoggedRound]:
    """Return one round of a log with its number; raise ValueError for a value that none can have."""
    try:
        r = int(key)
        values: dict[str, Any] = {name: tuple(one) if isinstance(one, list) else one for name, one in row.items()}
        trial = LoggedRound(**values)
        told, again = trial.told or (0, 0.0), trial.again or ()
        numbers = [0 if trial.arm is None else trial.arm, told[0], *again]
        rewards = [told[1], *trial.answers]
        fine = (
            0 <= r < rounds
            and (trial.answered is None or (type(trial.answered) is int and 0 <= trial.answered < rounds))
            and (len(told), len(again), type(trial.closed)) == (2, len(trial.answers), bool)
            and all(type(arm) is int and 0 <= arm < arms for arm in numbers)
            and all(is_number(y) and math.isfinite(y) for y in rewards)
        )
    except (TypeError, ValueError, IndexError):
        fine = False
    if not fine:
        raise ValueError(
            f"round {key} of its log is {short_repr(row)}, and a log has the rounds 0 to {rounds - 1}, each with an "
            f"arm from 0 to {arms - 1} or null, told as null or [arm, finite reward], closed as true or false, "
            "answered as null or a round, and as many answers as arms asked again"
        )
    return r, trial
