"""The code of a hidden world as a setting of a link."""

from __future__ import annotations

from dataclasses import dataclass

from lessons.record import BadValue, Code
from tvbo_core.worlds import codes as riddle

FIRST = "rwzg3"  # the world of an untouched page


@dataclass(frozen=True)
class WorldCode(Code):
    """A code that a world has; a slip of the finger is most probably none."""

    @property
    def allowed(self) -> str:
        return f"a code of {riddle.LENGTH} signs that somebody gave you"

    def read(self, raw: str) -> str:
        try:
            riddle.decode(raw)
        except ValueError:
            raise BadValue(self.allowed) from None
        return riddle.tidy(raw)
