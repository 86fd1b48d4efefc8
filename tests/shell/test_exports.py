"""What leaves a page: the points of every chart, the page as one file, its caption. Each equals what is on screen."""

from __future__ import annotations

import csv
import gzip
import html
import io
import json
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from html.parser import HTMLParser

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

import tvbo_core
from figures.film import Drawn
from lessons import LESSONS
from lessons.record import APART
from shell import film_message, films
from shell.export import captions
from shell.export import csv as points
from shell.export import offline_page as offline
from shell.export.snapshot import Chart, PageSnapshot, written
from shell.film_message import still
from shell.links import permalink
from shell.scripts import plotly_script
from tests.lessons.shown import as_lists, decode, drawn, parts
from tests.lessons.test_pages import CHARTS, GAME, HAS, PAGES, ROOT, film, numbers, opened, specs
from tests.shared import open_closers, session_of
from tests.strategies import LAW

LESSON = {lesson.file: lesson for lesson in LESSONS}


@cache
def left(page: str) -> tuple[AppTest, PageSnapshot]:
    """A page as it opens, and what it left for the exports."""
    at = AppTest.from_file(str(ROOT / "home.py"), default_timeout=60)
    session_of(at).keeps_snapshot = True
    open_closers(at).switch_page(page)
    snapshot = session_of(at.run()).snapshot
    snapshot.settings = written(HAS[page], at.session_state)
    return at, snapshot


def rows(text: str) -> list[dict[str, str]]:
    lines = [line for line in text.splitlines(keepends=True) if not line.startswith("#")]
    return list(csv.DictReader(io.StringIO("".join(lines))))


def close(written: list[str], drawn: object) -> None:
    """The written numbers are the drawn ones, to the last digit of a float32 (what a figure holds)."""
    read = np.array([float(v) if v else np.nan for v in written], dtype=np.float32)
    np.testing.assert_array_equal(read, numbers(drawn).astype(np.float32).ravel())


class Asked(HTMLParser):
    """Everything that a page would fetch, and its scripts."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.fetched: list[str] = []
        self.scripts: list[str] = []
        self._in: str | None = None
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.fetched += [found[name] for name in ("src", "srcset", "data", "poster", "action") if found.get(name)]
        if tag in ("link", "iframe", "object", "embed", "base"):
            self.fetched.append(tag)
        self._in = tag if tag == "script" else None
        if tag == "script" and "src" not in found:
            self.scripts.append("")

    def handle_endtag(self, tag: str) -> None:
        self._in = None

    def handle_data(self, data: str) -> None:
        if self._in and self.scripts:
            self.scripts[-1] += data


@pytest.mark.parametrize("page", PAGES)
def test_every_chart_of_a_page_is_in_the_snapshot_with_its_words_and_its_caption(page: str) -> None:
    at, snapshot = left(page)
    assert len(snapshot.charts) == CHARTS[page] == len(specs(at))
    scene = snapshot.reel.scene
    stills = {key: one.figure and still(key, one.figure) for key, one in snapshot.charts.items()}
    sent_alone = {key: gzip.decompress(sent) if sent else b"" for key, sent in stills.items()}
    assert drawn(at) == (film_message.film(scene, "ours", films.marked(scene)), sent_alone)
    assert all(len(chart.alt) > 20 for chart in snapshot.charts.values())
    assert snapshot.caption.strip() in [c.value.strip() for c in at.caption]
    assert snapshot.reel.label == film(at)["labels"][film(at)["start"]]


@pytest.mark.parametrize("page", PAGES)
def test_the_points_of_every_chart_are_the_drawn_ones_at_the_time_that_is_shown(page: str) -> None:
    _, snapshot = left(page)
    for key in snapshot.charts:
        found = rows(points.table(snapshot, key))
        assert found and {row["chart"] for row in found} == {key}
        traces = points.figure_at_pause(snapshot, key)["data"]
        for number, trace in enumerate(traces):
            mine = [row for row in found if row["trace"] == str(number)]
            if "z" in trace:
                close([row["z"] for row in mine], trace["z"])
                continue
            for axis in ("x", "y"):
                given_ = trace.get(axis)
                if given_ is None or (isinstance(given_, list) and any(isinstance(v, str) for v in given_)):
                    continue
                drawn = numbers(given_) if not isinstance(given_, np.ndarray) else given_
                kept = drawn[np.isfinite(drawn)]
                read = np.array([float(row[axis]) for row in mine if row[axis]], dtype=np.float32)
                np.testing.assert_array_equal(read, kept.astype(np.float32).ravel())


@pytest.mark.parametrize("page", PAGES)
def test_a_films_points_are_those_of_its_frame_and_not_of_another(page: str) -> None:
    _, snapshot = left(page)
    moved = snapshot.reel.films["main"]
    first, last = (replace(snapshot.reel, frame=frame) for frame in (0, moved.frames() - 1))
    for reel in (first, last):
        other = PageSnapshot(1, "", "", charts=snapshot.charts, reel=reel)
        figure = points.figure_at_pause(other, "main")
        for track in moved.tracks:
            expected = track.row(reel.frame)
            assert np.array_equal(
                np.asarray(figure["data"][track.trace][track.attribute]),
                np.asarray(expected),
                equal_nan=isinstance(expected, np.ndarray),
            )
    assert points.table(PageSnapshot(1, "", "", charts=snapshot.charts, reel=first), "main") != points.table(
        PageSnapshot(1, "", "", charts=snapshot.charts, reel=last), "main"
    )


def test_a_table_of_points_opens_in_pandas_and_says_where_it_comes_from() -> None:
    _, snapshot = left("pages/Confidence_bands.py")
    text = points.table(snapshot, "widths")
    told = [line for line in text.splitlines() if line.startswith("#")]
    assert any("seed: 6" in line for line in told) and any("V = 1.5" in line for line in told)
    assert any(tvbo_core.__version__ in line for line in told) and any("t = 70 of 100" in line for line in told)
    table = pd.read_csv(io.BytesIO(text.encode("utf-8-sig")), comment="#")
    assert len(table) == len(rows(text)) and table["x"].dtype == float


def test_a_heatmap_is_written_cell_by_cell() -> None:
    z = np.array([[1.0, 2.0, np.nan], [4.0, 5.0, 6.0]])
    found = list(points.points({"data": [{"type": "heatmap", "z": z, "y": ["a", "b"]}], "layout": {}}, "k"))
    assert [(row["x"], row["y"], row["z"]) for row in found] == [
        ("0", "a", "1.0"),
        ("1", "a", "2.0"),
        ("2", "a", ""),
        ("0", "b", "4.0"),
        ("1", "b", "5.0"),
        ("2", "b", "6.0"),
    ]


@LAW
@given(st.lists(st.floats(width=32, allow_infinity=False), max_size=9), st.booleans())
def test_any_numbers_come_back_from_the_table_packed_or_not(values: list[float], as_list: bool) -> None:
    given_ = values if as_list else np.array(values, dtype=np.float32)
    trace = {"type": "scatter", "x": list(range(len(values))), "y": given_}
    found = list(points.points({"data": [trace], "layout": {}}, "k"))
    assert len(found) == len(values)
    read = [float(row["y"]) if row["y"] else np.nan for row in found]
    np.testing.assert_array_equal(np.array(read, dtype=np.float32), np.array(values, dtype=np.float32))


def test_error_bars_are_written_with_both_of_their_ends() -> None:
    bars = {"array": [0.5, 2.0], "arrayminus": [0.25, 1.0]}
    even = {"array": [0.5, 2.0]}
    for error, minus in ((bars, ["0.25", "1.0"]), (even, ["0.5", "2.0"])):
        trace = {"type": "scatter", "x": [1, 2], "y": [3.0, 4.0], "error_y": error}
        found = list(points.points({"data": [trace], "layout": {}}, "stage"))
        assert [row["plus"] for row in found] == ["0.5", "2.0"]
        assert [row["minus"] for row in found] == minus


def test_a_chart_that_is_not_there_is_one_sentence() -> None:
    with pytest.raises(ValueError, match="no chart “nothing” here; the charts are main"):
        points.table(left(PAGES[0])[1], "nothing")


@pytest.mark.parametrize(
    ("markdown", "plain"),
    [
        (r"$B_T$ = 4.6 (Deng et al.)", "B_T = 4.6 (Deng et al.)"),
        (r"$V_T\le\sqrt\kappa B_T$.", "V_T ≤ √κ B_T."),
        ("99% :red[~~if it does not move~~] (it moves)", "99% if it does not move (it moves)"),
        (r":material/info: Lines\: median, 5 \% `code`  " + "\nnext", "Lines: median, 5 % code next"),
        (r"✚ at $T=10^{4}$", "✚ at T=10^4"),
        (r"β² \= 0\.8 ln\(0\.4 t\), \#1", "β² = 0.8 ln(0.4 t), #1"),
        ("", ""),
    ],
)
def test_a_caption_loses_its_markup_and_keeps_its_words(markdown: str, plain: str) -> None:
    assert captions.without_markdown(markdown) == plain


@pytest.mark.parametrize("page", PAGES)
def test_a_caption_holds_seed_settings_and_version_and_no_markup(page: str) -> None:
    at, snapshot = left(page)
    text = captions.full_caption(snapshot, "http://lab/?v=1")
    assert captions.VERSION in text and tvbo_core.__version__ in text and f"links version {permalink.VERSION}" in text
    assert "seed" in text.lower() or "seed" not in HAS[page]
    for key, knob in HAS[page].items():
        # Nobody has bet or tries a task here, and what is not chosen is no setting.
        assert (f"{key} = {knob.shown(at.session_state[key])}" in text) == (key not in APART)
    assert not re.search(r"\$|\*\*|~~|:material|:red|\\[a-z]", text)


@pytest.mark.parametrize("page", PAGES)
def test_a_page_in_one_file_asks_for_nothing_and_holds_all_that_it_shows(page: str) -> None:
    _, snapshot = left(page)
    text = offline.html_page(snapshot)
    asked = Asked(text)
    assert asked.fetched == []
    styles = "".join(re.findall(r"<style>(.*?)</style>", text, re.DOTALL))
    assert "@import" not in styles and all(u.startswith("data:") for u in re.findall(r"url\((.*?)\)", styles))
    assert "default-src 'none'" in text and "connect-src" not in text  # the browser itself refuses any request
    library = plotly_script()
    own = [script for script in asked.scripts if script != library]
    assert len(own) == len(asked.scripts) - 1
    ours = own[-1]
    assert not re.search(
        r"https?://|\bfetch\(|XMLHttpRequest|WebSocket|\bimport\(|^import |^export ", ours, re.MULTILINE
    )
    told = json.loads(own[0])
    assert told["charts"] == list(snapshot.charts)
    assert f"<title>{html.escape(snapshot.question)}</title>" in text
    assert html.escape(captions.stage_caption(snapshot)) in text and html.escape(captions.settings(snapshot)) in text


@pytest.mark.parametrize("page", PAGES)
def test_a_page_in_one_file_opens_at_the_time_that_is_shown_with_the_same_film(page: str) -> None:
    _, snapshot = left(page)
    head, packed = parts(offline._message(snapshot))
    film, alone = decode(gzip.decompress(packed)), decode(film_message.film(snapshot.reel.scene, "ours"))
    assert head["start"] == snapshot.reel.frame and head["question"] is None and head["follows"] is False
    assert {name: film[name] for name in alone if name not in ("charts", "arrays")} == {
        name: part for name, part in alone.items() if name not in ("charts", "arrays")
    }
    assert film["labels"] == list(snapshot.reel.labels)
    assert {chart["key"] for chart in film["charts"]} == set(snapshot.charts)
    for one, other in zip(
        film["charts"], alone["charts"], strict=False
    ):  # the film's come first, then what stands still
        np.testing.assert_equal(as_lists(one), as_lists(other))
    told = json.loads(Asked(offline.html_page(snapshot)).scripts[0])
    assert told["said"]["start"] == snapshot.reel.frame and told["said"]["reset"] == head["reset"]


def test_words_of_a_reader_cannot_become_markup_of_the_file() -> None:
    nasty = "</script><script>alert(1)</script>&\"'"
    figure = Drawn([{"text": [nasty]}], {})
    snapshot = PageSnapshot(
        1, nasty, nasty, charts={"main": Chart(figure, nasty)}, caption=nasty, settings={"file": nasty}
    )
    text = offline.html_page(snapshot)
    assert "alert(1)</script>" not in text
    (chart,) = decode(gzip.decompress(parts(offline._message(snapshot))[1]))["charts"]
    assert chart["figure"]["data"][0]["text"] == [nasty]


def test_a_page_without_a_figure_says_so() -> None:
    with pytest.raises(ValueError, match="shows no figure"):
        offline.html_page(PageSnapshot(1, "", ""))


def test_a_template_is_filled_once_and_what_is_put_in_stays_as_it_is() -> None:
    assert offline.fill("a @ONE@ b @TWO@ mail@x", {"ONE": "@TWO@", "TWO": "2"}) == "a @TWO@ b 2 mail@x"


def drawer(page: str, **link: str) -> AppTest:
    at = opened(page, **link)
    at.session_state["drawer_export"] = True
    return at.run()


def buttons(at: AppTest) -> Iterator[str]:
    for found in at.get("download_button"):
        yield found.proto.id.rsplit("-", 1)[-1]


@pytest.mark.parametrize("page", PAGES)
def test_the_drawer_offers_every_figure_and_the_page_and_the_pack(page: str) -> None:
    at = drawer(page)
    assert not at.exception and not at.error
    keys = list(session_of(at).snapshot.charts)
    assert len(keys) == CHARTS[page]
    shown = [json.loads(c.proto.json) for c in at.get("bidi_component") if c.proto.component_name == "tvbo_export"]
    assert [row["key"] for row in shown] == keys
    assert all(captions.VERSION in row["caption"] and row["name"].startswith("lesson-") for row in shown)
    assert shown[0]["caption"] == captions.stage_caption(session_of(at).snapshot)
    assert all("Settings: " in row["caption"] for row in shown[1:])
    assert [b for b in buttons(at) if b.startswith("export_csv_")] == [f"export_csv_{key}" for key in keys]
    assert "export_html" in list(buttons(at))
    assert at.code[0].value.startswith(LESSON[page].question) and "Link: " in at.code[0].value
    chosen = [f"{LESSON[page].key}.{moment.key}" for moment in LESSON[page].moments]
    assert at.multiselect(key="pack_moments").value == chosen


def test_a_lesson_that_is_not_played_yet_says_so_and_still_offers_the_pack() -> None:
    at = drawer(GAME)
    assert not at.exception
    assert any("no figure on this page to export" in info.value for info in at.info)
    assert at.button(key="pack_make") and not [b for b in buttons(at) if b.startswith("export_csv_")]


@pytest.mark.parametrize("page", PAGES)
def test_a_closed_drawer_sends_nothing(page: str) -> None:
    at, _ = left(page)
    assert not list(buttons(at))
    assert not [c for c in at.get("bidi_component") if c.proto.component_name == "tvbo_export"]


def test_a_page_whose_export_drawer_is_closed_keeps_no_film_for_its_visitor() -> None:
    assert session_of(opened(PAGES[1])).snapshot is None
    assert session_of(drawer(PAGES[1])).snapshot is not None


@pytest.mark.parametrize("page", PAGES)
def test_every_chart_has_a_data_table_with_its_points(page: str) -> None:
    at = drawer(page)
    snapshot = session_of(at).snapshot
    before = len(at.dataframe)
    for key in snapshot.charts:
        at.toggle(key=f"export_table_{key}").set_value(True)
    at.run()
    assert not at.exception
    tables = [table.value for table in at.dataframe[before:]]
    assert len(tables) == len(snapshot.charts) and all(len(t) and {"trace", "x", "y"} <= set(t.columns) for t in tables)
