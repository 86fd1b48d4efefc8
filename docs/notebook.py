"""Writes docs/own_function.ipynb from the section of docs/core.md and runs it: `python -m docs.notebook`.

The section is the one place where its words and its code stand. A notebook is JSON (nbformat 4.5); cells of plain
Python print the same in any program that runs them one after the other.
"""

from __future__ import annotations

import contextlib
import io
import json
import re
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parent
NOTEBOOK = FOLDER / "own_function.ipynb"
TITLE = "## Your own function in ten lines\n"
PYTHON = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}


def section() -> str:
    """Return the section of docs/core.md with its title."""
    return TITLE + (FOLDER / "core.md").read_text(encoding="utf-8").split(TITLE)[1].split("\n## ")[0]


def blocks(text: str) -> list[str]:
    """Return words and code of a text in turn, from its first words to its last code."""
    return [part.strip("\n") for part in re.split(r"```python\n(.*?)```", text, flags=re.S)[:-1]]


def ran(codes: list[str]) -> list[str]:
    """Return what each piece of code prints, run one after the other in one namespace."""
    namespace: dict[str, Any] = {"__name__": "__main__"}
    printed = []
    for code in codes:
        with contextlib.redirect_stdout(io.StringIO()) as out:
            exec(compile(code, str(NOTEBOOK), "exec"), namespace)
        printed.append(out.getvalue())
    return printed


def notebook(text: str) -> str:
    """Return the notebook of a text, with what its code prints."""
    parts = blocks(text)
    printed = ran(parts[1::2])
    cells: list[dict[str, Any]] = []
    for i, part in enumerate(parts):
        cell: dict[str, Any] = {"id": f"cell-{i}", "metadata": {}, "source": part.splitlines(keepends=True)}
        if i % 2:
            text = printed[i // 2]
            stream = {"output_type": "stream", "name": "stdout", "text": text.splitlines(keepends=True)}
            cell |= {"cell_type": "code", "execution_count": i // 2 + 1, "outputs": [stream] if text else []}
        else:
            cell |= {"cell_type": "markdown"}
        cells.append(cell)
    made = {"cells": cells, "metadata": PYTHON, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(made, indent=1, sort_keys=True, ensure_ascii=False) + "\n"  # as Jupyter saves it


if __name__ == "__main__":
    NOTEBOOK.write_text(notebook(section()), encoding="utf-8")
