"""Every public name of the core shows its formula or its shapes, its source, and an example that runs."""

from __future__ import annotations

import doctest
import inspect
from types import ModuleType

import numpy as np
import pytest

import tvbo_core as tv

NAMES = [name for name in tv.__all__ if name != "THEOREMS"]  # a table; its example stands in tv.theory
RECORDS = {"Band", "BandFilm", "Batch", "History", "Problem", "RaceTable", "Theorem", "World"}
# What carries others' formulas from one place to another.
PLUMBING = {"band_film", "films", "first_miss", "make_kernel", "make_problem", "play", "race", "LogWidth", "Random",
            "Tabulated"}  # fmt: skip


def said(name: str) -> str:
    return inspect.getdoc(getattr(tv, name)) or ""


@pytest.mark.parametrize("name", NAMES)
def test_the_example_of_a_name_runs_and_prints_what_it_says(name: str) -> None:
    test = doctest.DocTestParser().get_doctest(said(name), {"np": np, "tv": tv}, name, None, 0)
    assert 1 <= len(test.examples) <= 3 and (name in RECORDS or f"tv.{name}" in said(name))
    assert test.examples[-1].want  # it prints something
    failures: list[str] = []
    doctest.DocTestRunner(verbose=False).run(test, out=failures.append)
    assert not failures, "".join(failures)


@pytest.mark.parametrize("name", [n for n in NAMES if not isinstance(getattr(tv, n), ModuleType)])
def test_a_name_says_its_formula_or_shapes_and_its_source(name: str) -> None:
    text = said(name)
    if name in RECORDS:
        assert "Attributes:" in text
    elif name not in PLUMBING:
        assert "$" in text or "as `" in text
        assert "Source:" in text or "derived here" in text
    if inspect.isfunction(getattr(tv, name)) and "X" in inspect.signature(getattr(tv, name)).parameters:
        assert "(n, d)" in text or "(m, d)" in text or "as `" in text


def test_the_notation_table_is_the_first_thing_that_help_prints() -> None:
    rows = [line for line in inspect.getdoc(tv).splitlines() if line.startswith("|")]
    assert [cell.strip() for cell in rows[0].strip("|").split("|")] == ["On paper", "in code", "meaning"]
    assert len(rows) > 15 and all(row.count(" | ") == 2 for row in rows[2:])
