"""The samples that CI runs name tests that exist."""

from __future__ import annotations

from pathlib import Path

from tests.browser.conftest import FIRST, HERE
from tests.conftest import CASES


def test_every_name_of_the_sample_is_the_beginning_of_a_test() -> None:
    for module, names in FIRST.items():
        text = (HERE / f"{module}.py").read_text(encoding="utf-8")
        assert all(f"def {name}" in text for name in names), module


def test_every_test_that_walks_is_one_test() -> None:
    texts = [path.read_text(encoding="utf-8") for path in Path(__file__).parents[1].rglob("test_*.py")]
    assert {name: sum(f"def {name}(" in text for text in texts) for name in CASES} == dict.fromkeys(CASES, 1)
