"""Every law of the tests runs under one profile of hypothesis, whichever file it stands in."""

from __future__ import annotations

import re
from pathlib import Path

from hypothesis import settings

from tests.strategies import LAW

TESTS = Path(__file__).resolve().parents[1]


def test_a_law_without_settings_of_its_own_has_no_deadline_leaves_no_file_and_fails_everywhere_or_nowhere() -> None:
    for made in (settings(), settings(max_examples=40), LAW):
        assert made.deadline is None and made.database is None and made.derandomize


def test_no_file_of_tests_sets_a_deadline_but_the_profile() -> None:
    found = [
        p.relative_to(TESTS).as_posix()
        for p in sorted(TESTS.rglob("*.py"))
        if p != Path(__file__) and re.search(r"\bdeadline=", p.read_text(encoding="utf-8"))
    ]
    assert found == ["conftest.py"]
