"""The examples of the core's public names and of its notebook run, and its pages of names are made."""

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
from docs.notebook import NOTEBOOK, notebook, section
from lessons.record import ROOT

NAMES = [name for name in tv.__all__ if name != "THEOREMS"]  # a table; its example stands in tv.theory
RECORDS = {"Band", "BandFilm", "Batch", "History", "LearnerInfo", "Problem", "RaceTable", "Theorem", "World"}


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


def test_notebook_is_the_section_with_its_output() -> None:
    assert NOTEBOOK.read_text(encoding="utf-8") == notebook(section()), "write it anew: python -m docs.notebook"


@pytest.mark.wide
def test_api_pages_hold_every_name_and_formula(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-W", "ignore", "-m", "docs.api", str(tmp_path)], cwd=ROOT, check=True, timeout=120)
    whole = "".join(path.read_text("utf-8") for path in tmp_path.rglob("*.html"))
    names = [name for name in tv.__all__ if not isinstance(getattr(tv, name), ModuleType)]
    names += ["Bound", "Policy", "RunState", "CheckedPolicy", "PolicyContract", "BandContract", "BY_NAME"]
    assert [name for name in names if f'id="{name}"' not in whole] == []
    assert not re.search(r"<(script|link|img|iframe)[^>]*(src|href)=.?(https?:)?//|FORMULA", whole)
    assert whole.count("<math") > 100
