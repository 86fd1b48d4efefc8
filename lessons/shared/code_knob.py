"""Settings of a link that have no slider: a fingerprint, and numbers of columns."""

from __future__ import annotations

import re
from dataclasses import dataclass

from shell.knobs import BadValue, Knob


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
