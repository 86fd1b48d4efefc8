"""The values of a learner's file: those of the lab as JSON, those of its reader by their name alone."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np

from tvbo_core import bands
from tvbo_core.kernels import Matern, SquaredExponential, Tabulated
from tvbo_core.policies import ALL
from tvbo_core.policies.opkb.constants import OPKBConstants
from tvbo_core.policies.width import LogWidth
from tvbo_core.records import LearnerInfo
from tvbo_core.validation import short_repr

_CLASSES = (
    *(entry.policy for entry in ALL.values()),
    *(entry.band for entry in bands.ALL.values()),
    *(LogWidth, OPKBConstants, Matern, SquaredExponential, Tabulated, LearnerInfo),
)
BY_CLASS: dict[str, type] = {one.__name__: one for one in _CLASSES}  # what a file may name


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
    if isinstance(value, tuple):
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
        ValueError: its class has other fields in this release.
    """
    if not isinstance(plain, dict):
        return plain
    if "class" not in plain:
        ((kind, value),) = plain.items()
        if kind == "tuple":
            return tuple(from_json(one, release) for one in value)
        return np.array(value) if kind == "array" else float(value)
    known = BY_CLASS.get(plain["class"])
    given = {name: from_json(value, release) for name, value in plain["fields"].items()}
    if known is None or not set(given) <= {field.name for field in fields(known)}:
        now = current_release()
        raise ValueError(f"{plain['class']} of tvbo-core {release} is not that of {now}: load it with {release}")
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
