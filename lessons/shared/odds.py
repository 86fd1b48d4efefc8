"""In how many of a hundred seeds a claim holds, as `python -m lessons.odds` counted it."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from lessons.record import Values

FILE = Path(__file__).resolve().parents[2] / "assets" / "odds.json"
LEAST = 80  # a claim that holds in fewer of a hundred seeds says in how many


def block(values: Values) -> Values:
    """Return the values with their seed as the number of a block of seeds; two blocks have no seed in common."""
    return {**values, "seed": int(values["seeds"]) * int(values["seed"])}


@cache
def shipped() -> dict[str, Any]:
    """Return the file: the engine's version, the seeds, and name of a claim -> what it says, numbers, share."""
    return json.loads(FILE.read_text(encoding="utf-8"))


def share(name: str) -> int:
    """Return in how many of a hundred seeds the claim of this name holds.

    Raises:
        KeyError: nobody has counted it yet.
    """
    return int(shipped()["claims"][name]["share"])
