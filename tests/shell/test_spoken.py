"""Names of controls for those who hear the page: no TeX, and what a person would say."""

from __future__ import annotations

import re

import pytest

from lessons import LESSONS
from shell.notation.spoken import spoken
from shell.notation.table import PAPERS
from shell.notation.translate import translate
from tests.lessons.test_pages import opened

# As one reads it aloud, written down by hand.
SAID = {
    "Drift budget $V_T$": "Drift budget V T",
    "Assumed size $\\hat B/B$": "Assumed size B hat over B",
    "Believed change per step $\\hat\\varepsilon$": "Believed change per step epsilon hat",
    "AY's ridge, in $\\sigma^2/c$": "AY's ridge, in sigma squared over c",
    "Drift growth $v$, $V_T=T^v$": "Drift growth v, V T = T to the power v",
    "Number of actions $|\\mathcal X|$": "Number of actions X",
    "Restart every $H$ steps": "Restart every H steps",
    "Width ${\\beta_T^{1/2}}$": "Width beta T to the power one half",
    "Window exponent $\\tilde\\alpha$": "Window exponent alpha tilde",
    "Lengthscale $\\ell$": "Lengthscale l",
    "Which world (seed)": "Which world (seed)",
}


@pytest.mark.parametrize(("written", "said"), SAID.items())
def test_a_label_is_said_as_a_person_says_it(written: str, said: str) -> None:
    assert spoken(written) == said


@pytest.mark.parametrize("paper", PAPERS)
def test_no_name_of_a_control_holds_tex_in_any_papers_letters(paper: str) -> None:
    labels = {translate(knob.words, paper, "markdown") for lesson in LESSONS for knob in lesson.knobs.values()}
    assert [label for label in labels if re.search(r"[$\\_^{}|]|  ", spoken(label))] == []


def test_a_slider_carries_the_spoken_name_and_the_page_writes_the_formula() -> None:
    at = opened(next(one.file for one in LESSONS if one.key == "drift"))
    assert at.slider(key="V").label == "Drift budget V T"
    assert "Drift budget $V_T$" in [one.value for one in at.markdown]
