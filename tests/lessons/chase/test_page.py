"""The front page follows its controls and what is done on its stage, and its link says so."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest

from lessons.record import ROOT


def opened(**link: str) -> AppTest:
    at = AppTest.from_file(str(ROOT / "home.py"), default_timeout=60)
    at.query_params.update(link)
    at.run()
    assert not at.exception, at.exception
    return at


def caption(at: AppTest) -> str:
    return next(c.value for c in at.caption if "The learner never sees the hill" in c.value)


def test_reset_takes_back_bends_and_questions() -> None:
    at = opened(start="0_0_20_0_0_-5", asked="3-50_9-12")
    assert "shapes bent by hand" in caption(at) and "your queries: 2" in caption(at)
    at.button(key="undo_all").click().run()
    assert not at.exception and "bent" not in caption(at) and "yours" not in caption(at)
    assert not {"start", "asked"} & {*at.query_params} and not [b for b in at.button if b.key == "as_drawn"]
    at.select_slider(key="memory").set_value("all")
    at.toggle(key="beside").set_value(False)
    at.slider(key="drift").set_value(0.0).run()  # each control is followed
    assert caption(at).startswith("GP-UCB, width 3") and "$V_T$ = 0.0," in caption(at) and not at.exception
