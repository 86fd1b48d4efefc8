"""Checks of one kind of object, run one by one or by pytest."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from dis import opmap
from traceback import extract_tb
from typing import Any, ClassVar
from unittest import SkipTest

import numpy as np

from tvbo_core.guests import GuestError
from tvbo_core.records import Band

PASS, FAIL, OFF = "pass", "fail", "off"


@dataclass(frozen=True)
class CheckResult:
    """Outcome of one check: its name, `PASS`, `FAIL` or `OFF`, and what was measured, went wrong or is the reason."""

    name: str
    outcome: str
    detail: str = ""


class Contract:
    """Checks of one kind of object; a check is a method whose name begins with test_.

    Attributes:
        off: name of a check (without test_) -> reason why it is not made.
        measured: what the check that was made last found out, for its line.
        where: the world that a check is in, for the line of what raises there.
        file: name of the file whose line is named where something raises.
    """

    off: ClassVar[Mapping[str, str]] = {}
    measured = where = file = ""

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        for name, reason in cls.off.items():
            if name not in cls.checks():
                raise ValueError(f"there is no check {name!r} to switch off: there are {', '.join(cls.checks())}")
            if not reason:
                raise ValueError(f"the check {name} is switched off without a reason")
            setattr(cls, f"test_{name}", _switched_off(reason))

    @classmethod
    def checks(cls) -> list[str]:
        """Return the names of all checks, in the order in which they are written."""
        names = [name for base in reversed(cls.__mro__) for name in vars(base) if name.startswith("test_")]
        return [name.removeprefix("test_") for name in dict.fromkeys(names)]

    def run(self) -> Iterable[CheckResult]:
        """Yield the outcome of every check as it is made."""
        for name in self.checks():
            self.measured = self.where = ""
            try:
                getattr(self, f"test_{name}")()
            except SkipTest as reason:
                yield CheckResult(name, OFF, str(reason))
            except AssertionError as error:
                yield CheckResult(name, FAIL, " ".join(str(error).split()))
            except Exception as error:
                yield CheckResult(name, FAIL, crash(error, self.file) + (f", in {self.where}" if self.where else ""))
            else:
                yield CheckResult(name, PASS, self.measured)


def _switched_off(reason: str) -> Any:
    def check(self: Any) -> None:
        raise SkipTest(reason)

    return check


def is_refusal(error: BaseException) -> bool:
    """Return whether this is a `ValueError` that somebody raised by that statement.

    What a function of Python's raises, numpy or scipy, is a crash.
    """
    cause = error.__cause__ if isinstance(error, GuestError) else error
    last = None if cause is None else cause.__traceback__
    while last is not None and last.tb_next is not None:
        last = last.tb_next
    if last is None or type(cause) is not ValueError:
        return False
    written = last.tb_frame.f_code.co_code[last.tb_lasti] == opmap["RAISE_VARARGS"]
    return written and last.tb_frame.f_globals["__name__"].split(".")[0] not in ("numpy", "scipy")


def crash(error: Exception, file: str) -> str:
    """Return an error in one line: its type, unless it is a sentence, and the last line of this file that it met."""
    words = " ".join(str(error).split())
    lines = [frame.lineno for frame in extract_tb(error.__traceback__) if frame.filename == file]
    kind = "" if isinstance(error, GuestError) or is_refusal(error) else f"{type(error).__name__}: "
    return kind + words + (f" in line {lines[-1]}" if lines else "")


def require(holds: object, otherwise: str) -> None:
    """Raise AssertionError with this sentence where something does not hold."""
    if not holds:
        raise AssertionError(otherwise)


def check_curves(band: Band, m: int, where: str) -> None:
    """Require finite curves of m points, lower <= mean <= upper."""
    curves = [np.asarray(curve) for curve in (band.lower, band.mean, band.upper)]
    shapes = [curve.shape for curve in curves]
    require(shapes == [(m,)] * 3, f"in {where} lower, mean and upper have shapes {shapes}, not ({m},)")
    require(np.isfinite(curves).all(), f"in {where} a curve is not finite")
    require((np.diff(curves, axis=0) >= 0).all(), f"in {where} lower <= mean <= upper does not hold")
