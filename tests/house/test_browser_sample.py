"""The sample of browser tests that CI runs names tests that exist."""

from __future__ import annotations

from tests.browser.conftest import FIRST, HERE


def test_every_name_of_the_sample_is_the_beginning_of_a_test() -> None:
    for module, names in FIRST.items():
        text = (HERE / f"{module}.py").read_text(encoding="utf-8")
        assert all(f"def {name}" in text for name in names), module
