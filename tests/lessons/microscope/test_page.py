"""The page of the microscope in Streamlit's own test driver: every statement, its knobs, its links."""

from __future__ import annotations

import pytest

from tests.lessons.shown import film, opened, sentences, specs
from tests.lessons.test_pages import MICROSCOPE, faults, turn


def test_another_statement_opens_and_knobs_wait() -> None:
    at = opened(MICROSCOPE, fade="0.98")
    before = specs(at)
    next(b for b in at.button if b.label == "Run it again").click().run()
    assert at.session_state["seed"] == 4 and specs(at) != before and faults(at) == []
    turn(at, "select", "statement", "bogunovic-21")
    assert film(at)["labels"][10] == "σ² = 0.001" and film(at)["start"] == 10
    assert "printed bound allows" in sentences(at)[10]
    turn(at, "select", "statement", "deng-times")
    assert at.session_state["fade"] == 0.98 and film(at)["start"] == 27
    assert at.query_params["fade"] in ("0.98", ["0.98"])


@pytest.mark.slow
def test_the_conic_solver_agrees_on_screen() -> None:
    pytest.importorskip("cvxpy")
    at = opened(MICROSCOPE, statement="flynn-11")
    next(b for b in at.button if "conic" in b.label).click().run()
    said = next(m.value for m in at.markdown if m.value.startswith("Conic program"))
    assert float(said.rsplit(" ", 1)[1].rstrip(".")) < 1e-6
