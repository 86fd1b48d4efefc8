"""A policy or band of your own by the name of its file, as in `mine.py@Greedy` with `window=20`.

The object is named; running its file registers nothing. It is handed to `tv.play` and `tv.race` like any other, also in
worker processes.
"""

from __future__ import annotations

import ast
import importlib.util
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from inspect import isclass, signature
from pathlib import Path
from traceback import extract_tb
from typing import Any

import cloudpickle  # type: ignore[import-untyped]

from tvbo_core.ask_tell import check_policy
from tvbo_core.bands import Bound
from tvbo_core.records import Policy
from tvbo_core.validation import shown

POLICY, BAND = "policy", "band"


@dataclass(frozen=True)
class Guest:
    """A policy or band of the reader's own.

    Attributes:
        file: its file's name.   name: of the object in it.   kind: `POLICY` or `BAND`.
        made_by: the class.   settings: fields given.
    """

    file: str
    name: str
    kind: str
    made_by: type
    settings: Mapping[str, Any] = field(default_factory=dict)

    def policy(self) -> Policy:
        """Return the policy; raise ValueError in one sentence where a field is refused."""
        policy = self._make()
        check_policy(policy, self.name)
        return policy

    def band(self, B: float, sigma: float, delta: float) -> Bound:
        """Return the band under these assumptions; raise ValueError in one sentence where a field is refused."""
        return self._make(B=B, sigma=sigma, delta=delta)

    def _make(self, **assumed: float) -> Any:
        try:
            return self.made_by(**assumed, **self.settings)
        except Exception as error:
            given = ", ".join(f"{name}={value!r}" for name, value in (assumed | dict(self.settings)).items())
            raise ValueError(f"{self.file}: {self.name}({given}) raises {_told(error)}") from error


def load_guest(address: str, settings: Iterable[str] = ()) -> Guest:
    """Return the guest of an address FILE@NAME with settings FIELD=VALUE; numbers and lists are read as Python's.

    Raises:
        ValueError: no such file, name or field, a file that raises, or an object that is neither policy nor band.

    >>> load_guest("mine.py")
    Traceback (most recent call last):
    ValueError: a guest is given as FILE@NAME, as in mine.py@Greedy, got 'mine.py'
    """
    place, _, name = address.rpartition("@")
    if not place or not name:
        raise ValueError(f"a guest is given as FILE@NAME, as in mine.py@Greedy, got {address!r}")
    path = Path(place).resolve()
    if path.suffix != ".py" or not path.is_file():
        raise ValueError(f"{place} is no Python file here: give the path of a file that ends with .py")
    module = _run(path)
    made_by = getattr(module, name, None)
    if not isclass(made_by):
        own = [key for key, value in vars(module).items() if isclass(value) and value.__module__ == module.__name__]
        raise ValueError(f"{path.name} has no class {name}: it has {', '.join(own) or 'none'}")
    kind = BAND if issubclass(made_by, Bound) else POLICY
    missing = [m for m in ("init", "select", "update") if not callable(getattr(made_by, m, None))]
    if kind == POLICY and missing:
        raise ValueError(
            f"{name} of {path.name} is neither a policy (it has no {missing[0]}) nor a band (no tvbo_core.bands.Bound)"
        )
    return Guest(path.name, name, kind, made_by, _settings(made_by, name, kind, settings))


def _run(path: Path) -> Any:
    """Return the module of a file, run now; workers are sent its classes whole, as they cannot import it."""
    name = f"guest_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None  # of a file that ends with .py
    module = importlib.util.module_from_spec(spec)
    before = sys.modules.get(name)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        sys.modules.pop(name)
        if before is not None:
            sys.modules[name] = before
        lines = [frame.lineno for frame in extract_tb(error.__traceback__) if Path(frame.filename) == path]
        at = f" in line {lines[-1]}" if lines else ""
        raise ValueError(f"{path.name} cannot be run: {_told(error)}{at}") from error
    cloudpickle.register_pickle_by_value(module)
    return module


def _settings(made_by: type, name: str, kind: str, settings: Iterable[str]) -> dict[str, Any]:
    """Return the fields of FIELD=VALUE; raise ValueError where the class has no such field."""
    assumed = ("B", "sigma", "delta") if kind == BAND else ()
    fields = [field for field in signature(made_by).parameters if field not in assumed]
    given: dict[str, Any] = {}
    for setting in settings:
        one, equals, text = setting.partition("=")
        if not equals:
            raise ValueError(f"a setting is given as FIELD=VALUE, as in window=20, got {setting!r}")
        if one not in fields:
            raise ValueError(f"{name} has no field {one}: it has {', '.join(fields) or 'none'}")
        try:
            given[one] = ast.literal_eval(text)
        except (ValueError, SyntaxError):
            given[one] = text
    return given


def _told(error: Exception) -> str:
    """Return an error as one line."""
    return f"{type(error).__name__}: {shown(str(error))[1:-1]}"
