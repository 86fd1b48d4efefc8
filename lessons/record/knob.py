"""A control as plain data, and what a link may write for it."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

Values = Mapping[str, Any]
NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)  # float() would take 1_0 and padding
PARTS = OF_WORLD, OF_LEARNER, OF_DISPLAY = "World", "Learner", "Display"
LONGEST = 40  # characters of a value that a link may hold


def text_of(value: object) -> str:
    """Return a value as a link writes it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)  # every digit
    if isinstance(value, list | tuple):
        return ".".join(str(v) for v in value)
    return f"{value:g}" if isinstance(value, float) else str(value)


class BadValue(ValueError):
    """A value from a link that the knob does not allow; the message says what is allowed."""


@dataclass(frozen=True)
class Knob:
    """One control: plain data, no Streamlit state.

    Attributes:
        key: name in the link and in the session.
        words: label in plain words, with the KaTeX symbol at the end.
        help: what it does and what the papers call it.   explains: what its help says besides, by the value chosen.
        default: value of an untouched page.
        low, high, step: range of a slider (None for a choice).
        options: the values of a choice, in order; their text is what the link carries.
        widget: "slider", "stops" (a slider over listed values, all numbers or all words: see `spelled`), "segmented",
            "select", "toggle", "number" or "pills" (several options at once; none chosen means the default; the value
            is a tuple).
        names: what the options are called on screen, where that differs from the link's text.
        linked: whether links carry it: what one player knows may be another one's question. A link may still set it.
        acts: the settings in which it changes anything, any one of them, each as other knobs with the values that they
            may have then; empty where it always does. Elsewhere the page draws it idle, or not at all.
        idle: what its label says besides while it is drawn idle.
        part: heading under which it stands in a list of many: of the world, the learner or the display.
    """

    key: str
    words: str
    help: str
    default: float | int | str | bool | tuple
    low: float | None = None
    high: float | None = None
    step: float | None = None
    options: tuple = ()
    widget: str = "slider"
    names: Mapping[str, str] | None = None
    linked: bool = True
    acts: tuple[Mapping[str, tuple], ...] = ()
    idle: str = ""
    part: str = OF_LEARNER
    explains: Mapping[str, str] = field(default_factory=dict)

    def acts_at(self, values: Values) -> bool:
        """Return whether it changes anything at these values of the page's knobs."""
        return not self.acts or any(all(values[key] in some for key, some in case.items()) for case in self.acts)

    def where(self, **allowed: tuple) -> Knob:
        """The same knob, which acts in fewer settings: only where other knobs have these values too."""
        return self.replace(acts=tuple({**case, **allowed} for case in self.acts or ({},)))

    @cached_property
    def spelled(self) -> tuple:
        """Return the options of a slider over numbers that are words; they are chosen beside it."""
        words = tuple(one for one in self.options if not NUMBER.fullmatch(self.screen_text(one)))
        return words if self.widget == "stops" and len(words) < len(self.options) else ()

    def text(self, value: object) -> str:
        """The value as the link writes it."""
        return text_of(value)

    def screen_text(self, value: object) -> str:
        """The value as the screen writes it."""
        return (self.names or {}).get(str(value), self.text(value))

    @property
    def allowed(self) -> str:
        """The allowed values in a few words."""
        if self.widget == "toggle":
            return "true or false"
        if self.widget == "pills":
            return f"some of {', '.join(self.options)}, with dots between"
        if self.options:
            first, last = self.text(self.options[0]), self.text(self.options[-1])
            if isinstance(self.options[0], float | int):
                return f"{first} to {last} in steps of 1, 2, 5"
            return ", ".join(self.text(o) for o in self.options)
        return f"{self.low:g} to {self.high:g}"

    def read(self, raw: str) -> float | int | str | bool | tuple:
        """The value that a link's text stands for, on the knob's grid.

        Raises:
            BadValue: the text is not a value of this knob.
        """
        if self.widget == "pills":
            chosen = raw.split(".") if len(raw) <= len(self.text(self.options)) else []
            if not chosen or not set(chosen) <= set(self.options):
                raise BadValue(self.allowed)
            return tuple(option for option in self.options if option in chosen)
        if len(raw) > LONGEST or (not raw.isascii() and self.widget not in ("segmented", "select")):
            raise BadValue(self.allowed)
        if self.widget == "toggle":
            if raw.lower() not in ("true", "false", "1", "0"):
                raise BadValue(self.allowed)
            return raw.lower() in ("true", "1")
        if self.options:
            for option in self.options:
                # The address bar writes the screen's names.
                if raw in (self.text(option), self.screen_text(option)):
                    return option
            raise BadValue(self.allowed)
        if not NUMBER.fullmatch(raw):
            raise BadValue(self.allowed)
        value = float(raw)
        if not (math.isfinite(value) and self.low <= value <= self.high):
            raise BadValue(self.allowed)
        return self.snap(value)

    @cached_property
    def stops(self) -> tuple:
        """The values at which a slider can stand, from the left."""
        if self.options:
            return tuple(option for option in self.options if option not in self.spelled)
        return tuple(self.snap(self.low + i * self.step) for i in range(round((self.high - self.low) / self.step) + 1))

    @cached_property
    def stop_texts(self) -> list[str]:
        """The stops as a link writes them."""
        return [self.text(stop) for stop in self.stops]

    def snap(self, value: float) -> float | int:
        """The nearest value on the knob's grid: a link may hold any number in between."""
        steps = round((min(max(value, self.low), self.high) - self.low) / self.step)
        snapped = self.low + steps * self.step
        return round(snapped) if isinstance(self.default, int) else round(snapped, 10)

    def tidy(self, value: Any) -> Any:
        """Return a value that it can stand at as the page reads it: on its grid, or its options in order."""
        if self.widget == "pills":
            return tuple(option for option in self.options if option in value) or self.default
        return value if self.low is None else self.snap(value)

    def has(self, value: object) -> bool:
        """Return whether the knob can stand at this value, which a browser sent; it need not be on the grid."""
        if self.widget == "pills":
            return isinstance(value, list | tuple) and all(one in self.options for one in value)
        if self.widget == "toggle":
            return isinstance(value, bool)
        if self.options:
            return any(value == one and isinstance(value, bool) == isinstance(one, bool) for one in self.options)
        number = isinstance(value, float | int) and not isinstance(value, bool)
        return number and self.low <= value <= self.high  # NaN is not

    def replace(self, **changes: Any) -> Knob:
        """The same knob with another range or default."""
        return replace(self, **changes)


@dataclass(frozen=True)
class Code(Knob):
    """A short text of one form; its only option is the word for "nothing said".

    Attributes:
        form: regular expression of the other values.   means: what they are, in a few words.
    """

    form: str = ""
    means: str = ""

    @property
    def allowed(self) -> str:
        return f"{self.options[0]}, or {self.means}"

    def read(self, raw: str) -> str:
        if raw in self.options or (len(raw) <= 1000 and re.fullmatch(self.form, raw, re.ASCII)):
            return raw
        raise BadValue(self.allowed)

    def has(self, value: object) -> bool:
        try:
            return isinstance(value, str) and bool(self.read(value))
        except BadValue:
            return False


LECTURE = Knob("lecture", "Lecture", "Large type for a lecture (key L). Key ? shows all keys.", False, widget="toggle")
