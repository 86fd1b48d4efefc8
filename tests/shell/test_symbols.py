"""The symbols switch: whole letters, all at once, quotations untouched; what a screen reader says of them."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from answers.letters import in_letters, translate
from answers.quantities import ALL_PAPERS, PAPERS
from common.markup import in_words
from figures.film import Film, PackedFigure, Track
from lessons import LESSONS
from shell.notation import translate as symbols
from tests.lessons import test_pages as pages
from tests.strategies import LAW

PLAIN_WORDS = """At;B jumps;T = 200;as;is;She's (here);alpha;sigma;HOUSE;Horizon;x* =;t = 3;R-PERP;W-SparQ;GP-UCB
V = 4.0;I;N<sub>T</sub>;10%;a/b;£5""".replace("\n", ";").split(";")
KINDS = ("markdown", "html", "plain")


@LAW
@given(
    st.sampled_from(ALL_PAPERS), st.sampled_from(KINDS), st.lists(st.sampled_from(PLAIN_WORDS), max_size=8), st.text()
)
def test_words_and_our_own_letters_stay(paper: str, kind: str, words: list[str], text: str) -> None:
    assert translate(" ".join(words), paper, kind) == " ".join(words)
    assert translate(text, "ours", kind) == text  # not "is": a cache may answer with an equal text


FORMULAS = (
    # The letter that one quantity gives away is the letter that another one takes: in one go or not at all.
    ("iwazaki", r"$\sigma$ and $s_t$", r"$\rho$ and ${\sigma_t}$"),
    ("flynn", r"$\lambda^{\alpha}$", r"$\alpha^{{\mathring{\alpha}}}$"),
    ("flynn", "λ, α", "α, α\u030a"),
    ("deng", r"$V_T^{\mathcal H}\ne V_T$", r"${B_T}\ne V_T$"),
    ("deng", r"$\beta s_t(x)\le R_T$", r"${\beta_t} {\hat\sigma_t}(x)\le R_T$"),
    ("deng", r"$\sigma\sqrt{2}/R_T$", r"${R}\sqrt{2}/R_T$"),
    ("bogunovic", r"$H=2m$, $\mathcal H$, $H(u)$", r"${N}=2m$, $\mathcal H$, $H(u)$"),
    ("deng", r"$V_T^{\mathcal H}=B_T=\sum_t$", r"$B_T=\sum_t$"),
    # An index of the past is no standard deviation, a likelihood no lengthscale, a misfit no regret.
    ("flynn", r"$\sum_{s<t}\omega_s(x)y_s,\ f_s(x)$", r"$\sum_{s<t}\omega_s(x)y_s,\ f_s(x)$"),
    ("deng", r"$\ell(\varepsilon)$ at $\ell=0.2$", r"$\ell(\varepsilon)$ at ${l}=0.2$"),
    ("flynn", r"$\tilde R_\lambda^2=R_t^2$ and $R_t$", r"$\tilde R_\alpha^2=R_t^2$ and ${r_{1:t}}$"),
    ("mauduit", r"$\lambda_{\max}$ of $\lambda$", r"$\lambda_{\max}$ of ${\Sigma_{ii}}$"),
    # What a paper is said to write, and tables of letters, stay.
    ("flynn", "regulariser λ (Flynn & Reeb: α)", "regulariser α (Flynn & Reeb: α)"),
    ("deng", r"σ (Iwazaki: σ, Deng: σ), `σ`", r"R (Iwazaki: σ, Deng: σ), `σ`"),
    (
        "deng",
        "| noise | here | Deng |\n|---|---|---|\n| a | $\\sigma$ | $R$ |\n\nσ",
        "| noise | here | Deng |\n|---|---|---|\n| a | $\\sigma$ | $R$ |\n\nR",
    ),
    # Their regulariser is the noise variance: where both are named, ours is kept.
    ("bogunovic", r"$\lambda$", r"${\sigma^2}$"),
    ("bogunovic", r"$\lambda=\sigma^2/c$", r"$\lambda=\sigma^2/c$"),
    # Several letters raised to a power stand in brackets.
    ("iwazaki", r"$\beta^2$", r"${(\beta_T^{1/2})}^2$"),
)


def test_formula_is_in_the_papers_letters() -> None:
    for paper, ours, theirs in FORMULAS:
        assert translate(ours, paper, "markdown") == theirs, (paper, ours)
    assert translate("width β<sub>t</sub>, α̃", "bogunovic", "html") == "width β<sub>t</sub><sup>1/2</sup>, α̃"
    assert translate("β = 2", "bogunovic", "plain") == "β_t^1/2 = 2"
    assert translate("β = 2, σ = 0.1", "deng", "markdown") == "$\\beta_t$ = 2, R = 0.1"
    assert translate("<b style='color:#0C6'>ε̂</b> %{x} λ", "mauduit", "html") == (
        "<b style='color:#0C6'>ϵ̂</b> %{x} Σ<sub>ii</sub>"
    )


def test_figure_in_other_letters_is_one_copy(monkeypatch: pytest.MonkeyPatch) -> None:
    words = {"type": "scatter", "mode": "text", "x": [0.0], "y": [1.0], "text": ["λ"], "name": "λ"}
    drawn, label = PackedFigure([words], {"title": {"text": "σ"}}), "σ = 1"
    film = Film(drawn, (Track(0, "text", (("σ",), ("λ",))),))
    monkeypatch.setattr(symbols, "paper", lambda: "ours")
    assert in_letters(drawn, "ours") is drawn and symbols.to_html(label) is label and in_letters(film, "ours") is film
    monkeypatch.setattr(symbols, "paper", lambda: "iwazaki")
    shown = in_letters(drawn, "iwazaki")
    assert shown is in_letters(drawn, "iwazaki") is not drawn
    assert shown.to_dict()["layout"]["title"]["text"] == "ρ" and drawn.to_dict()["layout"]["title"]["text"] == "σ"
    said = in_letters(film, "iwazaki")
    assert said.figure is shown and film.figure is drawn and said.tracks[0].values == (("ρ",), ("λ",))


# As one reads it aloud, written down by hand.
SAID = {
    "Drift budget $V_T$": "Drift budget V T",
    "Assumed norm $\\hat B/B$": "Assumed norm B hat over B",
    "Believed change per step $\\hat\\varepsilon$": "Believed change per step epsilon hat",
    "Drift growth $v$, $V_T=T^v$": "Drift growth v, V T = T to the power v",
    "Number of actions $|\\mathcal X|$": "Number of actions X",
    "Restart every $H$ steps": "Restart every H steps",
    "Width ${\\beta_T^{1/2}}$": "Width beta T to the power one half",
    "Window exponent $\\tilde\\alpha$": "Window exponent alpha tilde",
    "Lengthscale $\\ell$": "Lengthscale l",
    "Which world (seed)": "Which world (seed)",
}


def test_label_is_said_as_a_person_does() -> None:
    assert {written: in_words(written) for written in SAID} == SAID
    for paper in PAPERS:
        labels = {translate(knob.words, paper, "markdown") for lesson in LESSONS for knob in lesson.knobs.values()}
        assert [label for label in labels if re.search(r"[$\\_^{}|]|  ", in_words(label))] == [], paper
    at = pages.opened(pages.DRIFT)
    assert at.slider(key="V").label == "Drift budget V T"
    assert "Drift budget $V_T$" in [one.value for one in at.markdown]
