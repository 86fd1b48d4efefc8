"""The section "Your own function" of docs/core.md: its ten lines, what it says that policies need, and its notebook.

That every policy of the list is asked and told so on the wheel alone is tried in tests/house/test_package.py.
"""

from __future__ import annotations

import io
import json
from contextlib import redirect_stdout
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from docs.notebook import FOLDER, NOTEBOOK, blocks, notebook, section
from tvbo_core.policies import BY_NAME

CODE = blocks(section())[1::2]


@pytest.fixture
def reader() -> dict[str, Any]:
    """Return the names after the section has run, with fewer rounds."""
    names: dict[str, Any] = {}
    for code in CODE:
        with redirect_stdout(io.StringIO()):
            exec(code, names)
    names["known"] = replace(names["known"], horizon=30)
    return names


def test_only_kernelucb_refuses_without_a_norm_bound(reader: dict[str, Any]) -> None:
    reader["known"] = replace(reader["known"], norm_bound=None)
    refused = set()
    for name, entry in BY_NAME.items():
        try:
            assert np.isfinite(reader["follow"](entry.make())), name
        except ValueError as said:
            assert "needs a bound on the norm of the rewards" in str(said), name
            refused.add(entry.policy.__name__)
    assert refused == {"KernelUCB", "ETCMMUCB"}


def test_notebook_is_the_section_with_its_output() -> None:
    assert NOTEBOOK.read_text(encoding="utf-8") == notebook(section()), "write it anew: python -m docs.notebook"


def test_section_says_what_the_notebook_shows() -> None:
    said = (FOLDER / "core.md").read_text(encoding="utf-8")
    lines = json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"][-1]["outputs"][0]["text"]
    means = {line.rsplit(maxsplit=1)[0]: float(line.rsplit(maxsplit=1)[1]) for line in lines}
    assert list(means) == [name for name, entry in BY_NAME.items() if entry.default]
    assert "PE, made for a world that stands still, is no better than chance here" in said
    assert means["PE"] <= means["Random"] < means["TV-GP-UCB"] < 1
