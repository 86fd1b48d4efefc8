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
        code.title(10, "Under the microscope", f"place {t} of the sweep"),
        code.comment(f"{statement.where}. Measured or exact, beside the printed form and ours."),
        "import numpy as np\n\nfrom tvbo_core import microscope\n",
        code.call(f'found = microscope.run("{key}", microscope.MicroscopeSetting(', chosen or [""], "))"),
        f"i = min({max(t, 0)}, found.frames - 1)",
        "print(found.setup)  # what was computed",
        'print(f"sweep at = {found.sweep[i]:.6g}")',
        "curves = {line.name: line.y[i] for line in found.over}  # what the curves say at this place",
        "curves |= {name: values[i] for name, values in found.facts.items()}",
        "for name, number in curves.items():",
        "    if np.isfinite(number):  # elsewhere the curve has a gap",
        '        print(f"{name} = {number:.6g}")',
    )
