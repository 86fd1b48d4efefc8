"""The lesson's figure as Python."""

from __future__ import annotations

from collections.abc import Mapping

from lessons.microscope.model import FIELDS
from lessons.microscope.statements import STATEMENTS
from lessons.shared import script as code


def recipe(value: Mapping[str, object], t: int) -> str:
    """Return every curve and fact of one statement at one place of its sweep."""
    key = str(value["statement"])
    statement = STATEMENTS[key]
    chosen = [f"{FIELDS[k]}={value[k]!r}" for k in statement.uses]
    return code.join(
        code.title("Under the microscope", f"place {t} of the sweep"),
        code.comment(f"{statement.where}. Measured or exact, beside the printed form and ours."),
        f"from lessons.microscope import statements  {code.CHECKOUT}\n",
        code.call(f'found = statements.run("{key}", statements.MicroscopeSetting(', chosen or [""], "))"),
        f"i = min({max(t, 0)}, found.frames - 1)",
        'print(f"{found.setup}.")  # what was computed',
        "for name, number in found.at(i).items():  # place of the sweep, its curves and what else is said about it",
        '    print(f"{name} = {number:.6g}")',
    )
