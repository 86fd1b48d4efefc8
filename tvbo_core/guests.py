"""Policies and bands of your own by the name of their file, as in `mine.py@Greedy` with `window=20`.

A guest is plain values, with the text of its file among them: equal guests are equal, and a worker process or a
machine of a cluster, where the file does not stand, runs it from that text. The object is named; running its file
registers nothing. `admit` puts it on the lists of policies and bands.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import sha256
from inspect import isclass, signature
from pathlib import Path
from traceback import extract_tb
from types import ModuleType
from typing import Any

from tvbo_core import bands, policies
from tvbo_core.ask_tell import check_policy
from tvbo_core.bands import BandEntry, Bound
from tvbo_core.policies import PolicyEntry

POLICY, BAND = "policy", "band"
METHODS = ("init", "select", "update", "questions", "answer", "band")  # of a policy; the last three where it has them
NAME_LENGTH = 13  # characters of a name, with its star: as long as the longest names of the lists' own
GUEST_MS = 40.0  # assumed cost of a run or a film, between those of the quick methods and the slow ones


@dataclass(frozen=True)
class Guest:
    """A policy or band of a user's own.

    Attributes:
        file: its file's name.   name: of the class in it.   settings: FIELD=VALUE.   source: text of the file.
    """

    file: str
    name: str
    settings: tuple[str, ...] = ()
    source: str = field(default="", repr=False)

    @property
    def made_by(self) -> type:
        """The class; a ValueError where the file raises or has no such class."""
        module = _module(self.file, self.source)
        found = getattr(module, self.name, None)
        if not isclass(found):
            own = [key for key, value in vars(module).items() if isclass(value) and value.__module__ == module.__name__]
            raise ValueError(f"{self.file} has no class {self.name}: it has {', '.join(own) or 'none'}")
        return found

    @property
    def kind(self) -> str:
        """`POLICY` or `BAND`; a ValueError for a class that is neither."""
        made_by = self.made_by
        missing = [name for name in METHODS[:3] if not callable(getattr(made_by, name, None))]
        if issubclass(made_by, Bound) or not missing:
            return BAND if issubclass(made_by, Bound) else POLICY
        raise ValueError(
            f"{self.name} of {self.file} is neither a policy (it has no {missing[0]}) nor a band "
            "(no tvbo_core.bands.Bound)"
        )

    @property
    def word(self) -> str:
        """Its key in the lists: another file, or another setting, has another one."""
        plain = self.name.lower() if self.name.isascii() else "guest"
        return f"{plain[:24]}_{sha256(repr((self, self.source)).encode()).hexdigest()[:6]}"

    def policy(self) -> GuestPolicy:
        """Return the policy; raise ValueError in one sentence where a field is refused."""
        check_policy(self.make(), self.name)
        return GuestPolicy(self)

    def band(self, B: float, sigma: float, delta: float) -> Bound:
        """Return the band under these assumptions; raise ValueError in one sentence where a field is refused."""
        return self.make(B=B, sigma=sigma, delta=delta)

    def make(self, **assumed: float) -> Any:
        """Return an object of the class itself; raise ValueError in one sentence where a field is refused."""
        given = assumed | self._fields(assumed)
        try:
            return self.made_by(**given)
        except Exception as error:
            words = ", ".join(f"{name}={value!r}" for name, value in given.items())
            raise ValueError(f"{self.file}: {self.name}({words}) raises {failure(error)}") from error

    def _fields(self, assumed: Iterable[str]) -> dict[str, Any]:
        """Return the fields of FIELD=VALUE; raise ValueError where the class has no such field."""
        parameters = signature(self.made_by).parameters
        fields = [one for one in parameters if one not in assumed]
        given: dict[str, Any] = {}
        for setting in self.settings:
            one, equals, text = setting.partition("=")
            if not equals:
                raise ValueError(f"a setting is given as FIELD=VALUE, as in window=20, got {setting!r}")
            if one not in fields:
                raise ValueError(f"{self.name} has no field {one}: it has {', '.join(fields) or 'none'}")
            try:
                given[one] = ast.literal_eval(text)
            except (ValueError, SyntaxError):
                given[one] = text
            if isinstance(parameters[one].default, bool) and not isinstance(given[one], bool):
                raise ValueError(f"{one} of {self.name} must be True or False, got {text!r}")
        return given

    def __str__(self) -> str:
        return f"{self.name}({', '.join(self.settings)}) of {self.file}"


class GuestError(ValueError):
    """A guest raised what is the `__cause__` of this error; its message is one sentence with file, line and round."""


@dataclass(frozen=True, repr=False)
class GuestPolicy:
    """A guest as a policy: it calls the object of the user's class, and names file, line and round where that raises.

    Raises:
        GuestError: the object raised.   TimeoutError: it was stopped; the message names the round.
    """

    guest: Guest

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name not in METHODS:
            raise AttributeError(name)
        method = getattr(_made(self.guest), name)  # no such method: an AttributeError, as of the object itself

        def call(*given: Any) -> Any:
            when = f" in round t = {given[1]}" if len(given) > 1 else " before the first round"
            try:
                return method(*given)
            except TimeoutError:
                raise TimeoutError(f", {self.guest}{when}") from None
            except Exception as error:
                raise GuestError(f"{self.guest} raises {failure(error, self.guest.file)}{when}") from error

        return call

    def __repr__(self) -> str:
        return f"{self.guest.name}({', '.join(self.guest.settings)})"


@dataclass(frozen=True)
class GuestBandEntry(BandEntry):
    """A guest on the list of bands."""

    called: str = ""
    guest: Guest = Guest("", "")

    @property
    def name(self) -> str:
        return self.called

    def make(self, B: float, sigma: float, delta: float, **told: float) -> Bound:
        """Return the band under these assumptions; raise ValueError in one sentence where a field is refused."""
        return self.guest.band(B, sigma, delta)


ADMITTED: dict[str, Guest] = {}  # name -> guest, in the order in which they were named


def load_guest(address: str, settings: Iterable[str] = ()) -> Guest:
    """Return the guest of an address FILE@NAME with settings FIELD=VALUE; numbers and lists are read as Python's.

    Raises:
        ValueError: no such file, name or field, a file that raises, or an object that is neither policy nor band.

    >>> tv.load_guest("mine.py")
    Traceback (most recent call last):
    ValueError: a guest is given as FILE@NAME, as in mine.py@Greedy, got 'mine.py'
    """
    place, _, name = address.rpartition("@")
    if not place or not name:
        raise ValueError(f"a guest is given as FILE@NAME, as in mine.py@Greedy, got {address!r}")
    path = Path(place).resolve()
    if path.suffix != ".py" or not path.is_file():
        raise ValueError(f"{place} is no Python file here: give the path of a file that ends with .py")
    try:
        source = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(f"{place} cannot be read: {failure(error)}") from error
    guest = Guest(path.name, name, tuple(settings), source)
    guest._fields(("B", "sigma", "delta") if guest.kind == BAND else ())
    return guest


def admit(guests: Iterable[Guest]) -> None:
    """Put guests at the end of the lists of policies and bands, each once; those of the same names give way.

    Raises:
        ValueError: a field is refused, or two different guests have one name.
    """
    named: dict[str, Guest] = {}
    once = list(dict.fromkeys(guests))
    for guest in once:
        alike = [one for one in once if (one.name, one.file) == (guest.name, guest.file) and one != guest]
        if any(one.settings == guest.settings for one in alike):
            raise ValueError(f"{guest} is named twice, with different files: give one of them another name")
        name = _name(guest, alike)
        k = 2
        while name in named:
            name, k = f"{_cut(name.rstrip('*'), NAME_LENGTH - 3)} {k}*", k + 1
        named[name] = guest
        _list(name, guest)
    ADMITTED.update(named)


def _name(guest: Guest, alike: Sequence[Guest]) -> str:
    """Return the name: that of the class, with the settings in which guests of the same class differ."""
    own = [one for one in guest.settings if alike and not all(one in other.settings for other in alike)]
    plain = " ".join([guest.name, *own])
    if len(plain) < NAME_LENGTH:
        return f"{plain}*"
    values = _cut(" ".join(one.partition("=")[2] for one in own), NAME_LENGTH // 2)
    return " ".join(filter(None, (_cut(guest.name, NAME_LENGTH - 1 - len(values) - bool(values)), values))) + "*"


def _cut(text: str, length: int) -> str:
    return text if len(text) <= length else f"{text[: length - 1]}…"


def _list(name: str, guest: Guest) -> None:
    title = f"{guest}, a guest"
    if guest.kind == BAND:
        guest.band(3.0, 0.2, 0.1)
        bands.ALL[name] = GuestBandEntry(guest.made_by, title, ms=GUEST_MS, called=name, guest=guest)
        return
    guest.policy()
    policies.enlist(
        PolicyEntry(GuestPolicy, guest.word, name, title, GUEST_MS, "plays as its file says", takes_width=False,
                    fixed=(("guest", guest),), own=True)
    )  # fmt: skip


@lru_cache(maxsize=64)
def _module(file: str, source: str) -> ModuleType:
    """Return the module of a file's text, run now and once."""
    module = ModuleType(f"guest_{Path(file).stem}_{sha256(source.encode()).hexdigest()[:6]}")
    sys.modules[module.__name__] = module  # dataclasses look their names up there
    try:
        exec(compile(source, file, "exec", dont_inherit=True), vars(module))
    except (Exception, SystemExit) as error:
        sys.modules.pop(module.__name__)
        raise ValueError(f"{file} cannot be run: {failure(error, file)}") from error
    return module


@lru_cache(maxsize=64)
def _made(guest: Guest) -> Any:
    return guest.make()


def failure(error: BaseException, file: str = "") -> str:
    """Return an error in one line, with the number of the last line of this file that it went through."""
    lines = [frame.lineno for frame in extract_tb(error.__traceback__) if frame.filename == file]
    where = f" in line {lines[-1]}" if lines else ""
    return f"{type(error).__name__}: {_cut(' '.join(str(error).split()), 200)}{where}"
