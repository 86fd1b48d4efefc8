"""The lab in a notebook is a frame without a network, and the page's own figures."""

from __future__ import annotations

import re
from html import unescape

import pytest

import tv_lab
from lessons import BY_KEY


def test_frame_loads_nothing_and_holds_the_setting() -> None:
    made = tv_lab.show("bands", "missed", V=3, t=50)._repr_html_()
    page = unescape(re.fullmatch(r"<iframe srcdoc='([^']*)' sandbox=\"allow-scripts\" [^<>]*></iframe>", made)[1])
    assert "default-src 'none'" in page and not re.search(r'<(script|link|img)[^>]+(src|href)="http', page)
    assert BY_KEY["bands"].question in page


@pytest.mark.parametrize("lesson", ["bands", "theorems"])
def test_frame_is_small_beside_its_data(lesson: str) -> None:
    made = tv_lab.show(lesson)._repr_html_()
    data = re.findall(r'&lt;script type="application/json" id="[^"]*"&gt;(.*?)&lt;/script', made)
    assert data and len(made) - sum(map(len, data)) < 420_000  # bytes: the page is ASCII but for some signs


def test_figures_are_the_pages_own() -> None:
    found = tv_lab.figures("bands", "missed")
    lesson = BY_KEY["bands"]
    scene = lesson.scene(lesson.settings(lesson.moment("missed").values), tv_lab.View.theme)
    assert list(found) == [*scene.films, *scene.stills]
    drawn = scene.films["main"].draw(scene.at_time(70)).figure.to_dict()
    assert len(found["main"].data) == len(drawn["data"])
