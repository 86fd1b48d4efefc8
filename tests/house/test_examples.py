"""Every public name of the core shows its formula or its shapes, its source, and an example that runs."""

from __future__ import annotations

import doctest
import inspect
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import tvbo_core as tv

ROOT = Path(__file__).resolve().parents[2]
NAMES = [name for name in tv.__all__ if name != "THEOREMS"]  # a table; its example stands in tv.theory
RECORDS = {"Band", "BandFilm", "Batch", "History", "LearnerInfo", "Problem", "RaceTable", "Theorem", "World"}
# What carries others' formulas from one place to another.
PLUMBING = {
    "band_film",
    "films",
    "first_miss",
    "make_kernel",
    "make_problem",
    "play",
    "race",
    "Learner",
    "grid",
    "LogWidth",
    "Random",
    "Tabulated",
}


def doc(name: str) -> str:
    return inspect.getdoc(getattr(tv, name)) or ""


def test_examples_of_public_names_run() -> None:
    failures: list[str] = []
    for name in NAMES:
        test = doctest.DocTestParser().get_doctest(doc(name), {"np": np, "tv": tv}, name, None, 0)
        assert 1 <= len(test.examples) <= 3 and (name in RECORDS or f"tv.{name}" in doc(name)), name
        assert test.examples[-1].want, name  # it prints something
        doctest.DocTestRunner(verbose=False).run(test, out=failures.append)
    assert not failures, "".join(failures)


def test_public_names_state_formula_shapes_and_source() -> None:
    for name in NAMES:
        value, text = getattr(tv, name), doc(name)
        if isinstance(value, ModuleType):
            continue
        if name in RECORDS:
            assert "Attributes:" in text, name
        elif name not in PLUMBING:
            assert "$" in text or "as `" in text, name
            assert "Source:" in text or "derived here" in text, name
        if inspect.isfunction(value) and "X" in inspect.signature(value).parameters:
            assert "(n, d)" in text or "(m, d)" in text or "as `" in text, name


def test_help_begins_with_the_notation_table() -> None:
    rows = [line for line in inspect.getdoc(tv).splitlines() if line.startswith("|")]
    assert [cell.strip() for cell in rows[0].strip("|").split("|")] == ["On paper", "in code", "meaning"]
    assert len(rows) > 15 and all(row.count(" | ") == 2 for row in rows[2:])


@pytest.mark.wide
def test_api_pages_hold_every_name_and_formula(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-W", "ignore", "-m", "docs.api", str(tmp_path)], cwd=ROOT, check=True, timeout=120)
    whole = "".join(path.read_text("utf-8") for path in tmp_path.rglob("*.html"))
    names = [name for name in tv.__all__ if not isinstance(getattr(tv, name), ModuleType)]
    assert [name for name in names if f'id="{name}"' not in whole] == []
    assert not re.search(r"<(script|link|img|iframe)[^>]*(src|href)=.?(https?:)?//|FORMULA", whole)
    assert whole.count("<math") > 100
