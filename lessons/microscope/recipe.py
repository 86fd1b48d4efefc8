"""The settings of the lesson's script."""

from __future__ import annotations

from collections.abc import Mapping

from lessons.microscope.model import FIELDS
from lessons.microscope.statements import STATEMENTS
from lessons.shared import script as code


def recipe(value: Mapping[str, object], t: int) -> str:
    """Return a script for every curve and fact of one statement at one place of its sweep."""
    key = str(value["statement"])
    statement = STATEMENTS[key]
    arguments = [f"{FIELDS.get(k, k)}={value[k]!r}" for k in statement.uses]
    return code.script(
        __file__,
        f"Under the microscope, place {t} of the sweep",
        [f"{statement.where}. Measured or exact, beside the printed form and ours."],
        settings=[
            code.call(f'found = statements.run("{key}", statements.MicroscopeSetting(', arguments or [""], "))"),
            f"i = min({max(t, 0)}, found.frames - 1)",
        ],
    )
