"""The page of the microscope in Streamlit's own test driver: every statement, its knobs, its links."""

from __future__ import annotations

import pytest

from lessons.microscope.statements import STATEMENTS
from tests.lessons.shown import film, opened, sentences, specs
from tests.lessons.test_pages import MICROSCOPE, ends, faults, turn


@pytest.mark.slow
@pytest.mark.parametrize("key", STATEMENTS)
def test_statements_open_with_their_own_knobs(key: str) -> None:
    at = opened(MICROSCOPE, statement=key)
    assert faults(at) == [] and not at.toast
    drawn = {kind.key for group in (at.slider, at.select_slider, at.number_input) for kind in group}
    assert drawn == set(STATEMENTS[key].uses)
    assert film(at)["start"] > 0
    for name, kind, value in list(ends(at, MICROSCOPE)):
        if name != "statement":
            before = at.session_state[name]
            turn(at, kind, name, value)
            assert faults(at) == [], (name, value)
            turn(at, kind, name, before)


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
