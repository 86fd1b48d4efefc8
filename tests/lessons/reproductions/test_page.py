"""The reproductions page in Streamlit's own driver: the account, its filters, an entry by link, and a small run."""

from __future__ import annotations

from time import sleep

from streamlit.testing.v1 import AppTest

from tests.lessons.shown import opened, specs
from tests.lessons.test_pages import REPRODUCED, faults

QUICK = "deng-figure-1a"


def said(at: AppTest) -> str:
    return "\n".join(e.value for kind in ("markdown", "caption", "info") for e in getattr(at, kind))


def pressed(at: AppTest, key: str) -> AppTest:
    return at.button(key=key).click().run()


def test_a_small_run_ends_in_yes():
    at = opened(REPRODUCED, shown=QUICK, cell="3")
    before = specs(at)
    pressed(at, "rerun_full")
    for _ in range(400):
        if not at.get("progress") and "Exactly the stored numbers" in said(at):
            break
        sleep(0.05)
        at.run()
    assert faults(at) == []
    assert "Exactly the stored numbers? Yes" in said(at)
    after = specs(at)
    assert after[0] == before[0]  # the board
    stored, again = before[1]["data"], after[1]["data"]
    assert all(trace in again for trace in stored) and len(again) > len(stored)
    assert at.button(key="rerun_full").disabled
