"""Markdown as HTML, for pages that have no Markdown: formulas, marks, blocks, and nothing of a stranger's."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from itertools import chain

import pytest

from answers.drawers import help_texts
from answers.letters import translate
from answers.quantities import PAPERS
from common.markup import html_markdown, html_tex
from lessons import LESSONS

TEXTS = {(lesson.key, key): text for lesson in LESSONS for key, (_, text) in help_texts(lesson).items()}
LABELS = [
    text
    for lesson in LESSONS
    for knob in lesson.knobs.values()
    for text in (knob.words, knob.help, *knob.explains.values())
]


def bare(html: str) -> str:
    return html.removeprefix('<span class="formula">').removesuffix("</span>")


@pytest.mark.parametrize(
    ("tex", "html"),
    [
        (r"V_T", "V<sub>T</sub>"),
        (r"V_T\le\sqrt\kappa", "V<sub>T</sub> ≤ √κ"),
        (r"\frac{\tilde R_\lambda}{\sqrt{1+x}}", "R̃<sub>λ</sub>/(√(1+x))"),
        (r"T^{2/3}x_{j+1}^2", "T<sup>2/3</sup>x<sub>j+1</sub><sup>2</sup>"),
        (r"\|f\|_{\mathcal H}<1", "‖f‖<sub>H</sub>&lt;1"),
        (r"\frac12", "1/2"),
        (r"\frac{C}{\sqrt\lambda}\sqrt{2L}-1", "C/√λ√(2L)−1"),
    ],
)
def test_formula_has_its_indices(tex: str, html: str) -> None:
    assert bare(html_tex(tex)) == html


def test_marks_of_markdown_become_html() -> None:
    made = html_markdown(r"The **budget $V_T$** of `a*b`, [drift](#term-drift), 2 \* 3 & 4")
    assert made == (
        'The <b>budget <span class="formula">V<sub>T</sub></span></b> of <code>a*b</code>, '
        '<a class="term" href="#term-drift">drift</a>, 2 * 3 &amp; 4'
    )


def test_lines_become_paragraphs_lists_and_code() -> None:
    made = html_markdown(
        "First.\n\n- one\n- two\n\n```python\nif a < b:\n    c * d\n```\n| ours | theirs |\n|---|---|\n"
    )
    assert made == (
        "<p>First.</p><ul><li>one</li><li>two</li></ul><pre><code>if a &lt; b:\n    c * d</code></pre>"
        "<table><tr><td>ours</td><td>theirs</td></tr></table>"
    )


@pytest.mark.parametrize("text", ["<img src=x onerror=alert(1)>", "[x](javascript:alert(1))", "$<script>$", "`<b>`"])
def test_no_markup_comes_from_a_text(text: str) -> None:
    tags: set[str] = set()

    class Reader(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list) -> None:
            tags.add(tag)

    Reader().feed(html_markdown(text))
    assert tags <= {"span", "code"}


def test_every_help_text_is_read_whole() -> None:
    for text in chain(TEXTS.values(), LABELS):
        for paper in PAPERS:
            made = re.sub(r"<code>.*?</code>", "", html_markdown(translate(text, paper, "markdown")), flags=re.DOTALL)
            words = re.sub(r"<[^>]+>", "", made)
            assert not re.search(r"[\ue000\ue001]|\\[a-zA-Z]|\*\*|\$|\]\(", words), words
            for tag in ("span", "sub", "sup", "b", "i", "p", "ul", "li", "table", "tr", "td", "a"):
                assert len(re.findall(rf"<{tag}\b", made)) == made.count(f"</{tag}>"), (tag, made)
