"""What a control is; lessons/shared/knobs.py lists them all.

A knob knows its words, its symbol, its range and its default, draws itself bound to the link, and says what is
wrong with a value that came from a link. Pages may narrow a range or move a default, never the meaning.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

import streamlit as st

from shell.links import permalink, pending as prepared
from shell.notation import translate as symbols

NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)  # float() would take 1_0 and padding
LONGEST = 40  # characters of a value that a link may hold


class BadValue(ValueError):
    """A value from a link that the knob does not allow; the message says what is allowed."""


@dataclass(frozen=True)
class Knob:
    """One control: plain data, no Streamlit state.

    Attributes:
        key: name in the link and in the session.
        words: label in plain words, with the KaTeX symbol at the end.
        help: what it does and what the papers call it.
        default: value of an untouched page.
        low, high, step: range of a slider (None for a choice).
        options: the values of a choice, in order; their text is what the link carries.
        widget: "slider", "stops" (a slider over listed values), "segmented", "select", "toggle", "number" or
            "pills" (several options at once; none chosen means the default; the value is a tuple).
        names: what the options are called on screen, where that differs from the link's text.
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

    def text(self, value: object) -> str:
        """The value as the link writes it."""
        if isinstance(value, bool):
            return "true" if value else "false"
        if isinstance(value, list | tuple):
            return ".".join(str(v) for v in value)
        return f"{value:g}" if isinstance(value, float | int) else str(value)

    def shown(self, value: object) -> str:
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
                if raw in (self.text(option), self.shown(option)):  # the address bar writes the screen's names
                    return option
            raise BadValue(self.allowed)
        if not NUMBER.fullmatch(raw):
            raise BadValue(self.allowed)
        value = float(raw)
        if not (math.isfinite(value) and self.low <= value <= self.high):
            raise BadValue(self.allowed)
        return self.snap(value)

    def snap(self, value: float) -> float | int:
        """The nearest value on the knob's grid: a link may hold any number in between."""
        steps = round((min(max(value, self.low), self.high) - self.low) / self.step)
        snapped = self.low + steps * self.step
        return round(snapped) if isinstance(self.default, int) else round(snapped, 10)

    def draw(self, *, disabled: bool = False, bound: bool = True) -> float | int | str | bool | tuple:
        """Draw the widget, bound to the link, and return its value on the grid; a link may hide it."""
        if permalink.hidden(self.key):
            return self.keep()
        prepared.drawn(self.key)
        letters = symbols.paper()
        words, said = (symbols.translate(text, letters, "markdown") for text in (self.words, self.help))
        common = {"key": self.key, "help": said, "disabled": disabled}
        if bound:
            common["bind"] = "query-params"
        st.session_state.setdefault(self.key, self.default)
        if self.widget == "pills":
            return self._draw_pills(words, said, disabled)
        if self.widget == "toggle":
            return st.toggle(words, **common)
        if self.widget in ("segmented", "select", "stops"):
            kind = {"segmented": st.segmented_control, "select": st.selectbox, "stops": st.select_slider}
            more = {"required": True} if self.widget == "segmented" else {}
            value = kind[self.widget](words, self.options, format_func=self.shown, **more, **common)
            return self.default if value is None else value
        if self.widget == "number":
            value = st.number_input(words, self.low, self.high, step=self.step, **common)
        else:
            value = st.slider(words, self.low, self.high, step=self.step, **common)
        return self.snap(value)

    def _draw_pills(self, words: str, said: str, disabled: bool) -> tuple:
        """Several at once; the link holds them in one parameter, which Streamlit's binding would repeat."""
        st.session_state[self.key] = list(st.session_state[self.key])
        chosen = st.pills(words, self.options, selection_mode="multi", key=self.key, wrap=True,
                          format_func=self.shown, help=said, disabled=disabled)  # fmt: skip
        value = tuple(option for option in self.options if option in chosen) or self.default
        self.tell(value)
        return value

    def keep(self) -> float | int | str | bool | tuple:
        """The value of a knob that is not drawn, kept in the session and in the link."""
        value = st.session_state[self.key] = st.session_state.get(self.key, self.default)
        if self.widget == "pills":
            value = tuple(option for option in self.options if option in value) or self.default
        self.tell(value)
        return value

    def tell(self, value: object) -> None:
        """Write the value into the link, where the default is left out, as Streamlit does for a bound control."""
        text = self.text(value) if self.widget == "pills" else self.shown(value)
        permalink.write(self.key, None if value == self.default else text)

    def but(self, **changes: object) -> Knob:
        """The same knob with another range or default."""
        return replace(self, **changes)
