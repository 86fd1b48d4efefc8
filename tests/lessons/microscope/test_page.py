"""The page of the microscope in Streamlit's own test driver: every statement, its knobs, its links."""

from __future__ import annotations

import pytest

from tests.lessons.shown import opened
from tests.lessons.test_pages import MICROSCOPE


@pytest.mark.slow
def test_the_conic_solver_agrees_on_screen() -> None:
    pytest.importorskip("cvxpy")
    at = opened(MICROSCOPE, statement="flynn-11")
    next(b for b in at.button if "conic" in b.label).click().run()
    said = next(m.value for m in at.markdown if m.value.startswith("Conic program"))
    assert float(said.rsplit(" ", 1)[1].rstrip(".")) < 1e-6
