"""What leaves a page: the points of every chart, the page as one file, its caption. Each equals what is on screen."""

from __future__ import annotations

import csv
import gzip
import html
import io
import json
import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

import tvbo_core
from common.markup import plain_markdown
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
from tests.lessons.shown import as_lists, decode, drawn, parts, sent
from tests.lessons.test_pages import CHARTS, GAME, HAS, PAGES, ROOT, film, numbers, opened, specs
from tests.shared import open_closers, session_of
from tests.strategies import LAW

LESSON = {lesson.file: lesson for lesson in LESSONS}
FEW = ("pages/Drifting_rewards.py", "pages/Forgetting.py")  # of the first ring; the second has every page


def on_pages(check: Callable[[str], None]) -> Callable[[str], None]:
    """Return a test of every page, of which the first ring runs a few."""
    marks = [pytest.param(page, marks=() if page in FEW else pytest.mark.slow) for page in PAGES]
    return pytest.mark.parametrize("page", marks)(check)


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


@on_pages
def test_exports_hold_what_the_page_shows(page: str) -> None:
    at, snapshot = left(page)
    assert len(snapshot.charts) == CHARTS[page] == len(specs(at))
    assert not list(buttons(at)) and not sent(at, "tvbo_export", "json")  # a closed drawer sends nothing
    scene = snapshot.reel.scene
    stills = {key: one.figure and still(key, one.figure) for key, one in snapshot.charts.items()}
    sent_alone = {key: gzip.decompress(one) if one else b"" for key, one in stills.items()}
    assert drawn(at) == (film_message.film(scene, "ours", films.marked(scene)), sent_alone)
    assert all(len(chart.alt) > 20 for chart in snapshot.charts.values())
    assert snapshot.caption.strip() in [c.value.strip() for c in at.caption]
    assert snapshot.reel.label == film(at)["labels"][film(at)["start"]]
    text = captions.full_caption(snapshot, "http://lab/?v=1")
    assert captions.VERSION in text and tvbo_core.__version__ in text and f"links version {permalink.VERSION}" in text
    assert "seed" in text.lower() or "seed" not in HAS[page]
    for key, knob in HAS[page].items():  # nobody has bet or tries a task here: what is not chosen is no setting
        assert (f"{key} = {knob.shown(at.session_state[key])}" in text) == (key not in APART)
    assert not re.search(r"\$|\*\*|~~|:material|:red|\\[a-z]", text)
    check_points(snapshot)
    check_one_file(snapshot)


def check_points(snapshot: PageSnapshot) -> None:
    """The table of a chart has the drawn points, at the frame that is shown and at both ends of the film."""
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
    moved, tables = snapshot.reel.films["main"], []
    for frame in (0, moved.frames() - 1):
        other = PageSnapshot(1, "", "", charts=snapshot.charts, reel=replace(snapshot.reel, frame=frame))
        figure, tables = points.figure_at_pause(other, "main"), [*tables, points.table(other, "main")]
        for track in moved.tracks:
            expected, shown = track.row(frame), figure["data"][track.trace][track.attribute]
            same = isinstance(expected, np.ndarray)
            assert np.array_equal(np.asarray(shown), np.asarray(expected), equal_nan=same)
    assert tables[0] != tables[1]


def check_one_file(snapshot: PageSnapshot) -> None:
    """A page in one file asks for nothing and opens at the shown time with the same film."""
    text = offline.html_page(snapshot)
    scripts = re.findall(r"<script[^>]*>(.*?)</script>", text, re.DOTALL)
    markup = re.sub(r"<script[^>]*>.*?</script>", "", text, flags=re.DOTALL)
    assert not re.search(r"<(link|iframe|object|embed|base)\b|<[^>]* (src|srcset|data|poster|action)=", markup)
    assert "<script src" not in text
    styles = "".join(re.findall(r"<style>(.*?)</style>", text, re.DOTALL))
    assert "@import" not in styles and all(u.startswith("data:") for u in re.findall(r"url\((.*?)\)", styles))
    assert "default-src 'none'" in text and "connect-src" not in text  # the browser itself refuses any request
    own = [script for script in scripts if script != plotly_script()]
    assert len(own) == len(scripts) - 1
    requests = r"https?://|\bfetch\(|XMLHttpRequest|WebSocket|\bimport\(|^import |^export "
    assert not re.search(requests, own[-1], re.MULTILINE)
    told = json.loads(own[0])
    assert told["charts"] == list(snapshot.charts)
    assert f"<title>{html.escape(snapshot.question)}</title>" in text
    assert html.escape(captions.stage_caption(snapshot)) in text and html.escape(captions.settings(snapshot)) in text
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
    assert told["said"]["start"] == snapshot.reel.frame and told["said"]["reset"] == head["reset"]


def test_table_of_points_opens_in_pandas() -> None:
    _, snapshot = left("pages/Forgetting.py")
    text = points.table(snapshot, "worlds")
    told = [line for line in text.splitlines() if line.startswith("#")]
    assert any("seed: " in line for line in told) and any(tvbo_core.__version__ in line for line in told)
    table = pd.read_csv(io.BytesIO(text.encode("utf-8-sig")), comment="#")
    assert len(table) == len(rows(text)) and table["x"].dtype == float
    with pytest.raises(ValueError, match="no chart “nothing” here; the charts are main"):
        points.table(snapshot, "nothing")


def test_heatmaps_and_error_bars_are_written_whole() -> None:
    z = np.array([[1.0, 2.0, np.nan], [4.0, 5.0, 6.0]])
    found = list(points.points({"data": [{"type": "heatmap", "z": z, "y": ["a", "b"]}], "layout": {}}, "k"))
    assert [" ".join((row["x"], row["y"], row["z"])) for row in found] == [
        "0 a 1.0",
        "1 a 2.0",
        "2 a ",
        "0 b 4.0",
        "1 b 5.0",
        "2 b 6.0",
    ]
    bars = {"array": [0.5, 2.0], "arrayminus": [0.25, 1.0]}
    even = {"array": [0.5, 2.0]}
    for error, minus in ((bars, ["0.25", "1.0"]), (even, ["0.5", "2.0"])):
        trace = {"type": "scatter", "x": [1, 2], "y": [3.0, 4.0], "error_y": error}
        found = list(points.points({"data": [trace], "layout": {}}, "stage"))
        assert [row["plus"] for row in found] == ["0.5", "2.0"]
        assert [row["minus"] for row in found] == minus


@LAW
@given(st.lists(st.floats(width=32, allow_infinity=False), max_size=9), st.booleans())
def test_any_numbers_come_back_from_the_table(values: list[float], as_list: bool) -> None:
    given_ = values if as_list else np.array(values, dtype=np.float32)
    trace = {"type": "scatter", "x": list(range(len(values))), "y": given_}
    found = list(points.points({"data": [trace], "layout": {}}, "k"))
    assert len(found) == len(values)
    read = [float(row["y"]) if row["y"] else np.nan for row in found]
    np.testing.assert_array_equal(np.array(read, dtype=np.float32), np.array(values, dtype=np.float32))


def test_caption_loses_its_markup_and_keeps_words() -> None:
    for markdown, plain in (
        (r"$B_T$ = 4.6 (Deng et al.)", "B_T = 4.6 (Deng et al.)"),
        (r"$V_T\le\sqrt\kappa B_T$.", "V_T ≤ √κ B_T."),
        ("99% :red[~~if it does not move~~] (it moves)", "99% if it does not move (it moves)"),
        (r":material/info: Lines\: median, 5 \% `code`  " + "\nnext", "Lines: median, 5 % code next"),
        (r"✚ at $T=10^{4}$", "✚ at T=10^4"),
        (r"β² \= 0\.8 ln\(0\.4 t\), \#1", "β² = 0.8 ln(0.4 t), #1"),
        ("", ""),
    ):
        assert plain_markdown(markdown) == plain


def test_reader_cannot_write_markup_into_files() -> None:
    nasty = "</script><script>alert(1)</script>&\"'"
    figure = Drawn([{"text": [nasty]}], {})
    snapshot = PageSnapshot(
        1, nasty, nasty, charts={"main": Chart(figure, nasty)}, caption=nasty, settings={"file": nasty}
    )
    text = offline.html_page(snapshot)
    assert "alert(1)</script>" not in text
    (chart,) = decode(gzip.decompress(parts(offline._message(snapshot))[1]))["charts"]
    assert chart["figure"]["data"][0]["text"] == [nasty]
    assert offline.fill("a @ONE@ b @TWO@ mail@x", {"ONE": "@TWO@", "TWO": "2"}) == "a @TWO@ b 2 mail@x"
    with pytest.raises(ValueError, match="shows no figure"):
        offline.html_page(PageSnapshot(1, "", ""))


def buttons(at: AppTest) -> list[str]:
    return [found.proto.id.rsplit("-", 1)[-1] for found in at.get("download_button")]


@on_pages
def test_drawer_offers_figures_tables_page_and_pack(page: str) -> None:
    at = opened(page)
    assert session_of(at).snapshot is None  # a closed drawer keeps no film for its visitor
    at.session_state["drawer_export"] = True
    at.run()
    assert not at.exception and not at.error
    snapshot = session_of(at).snapshot
    keys = list(snapshot.charts)
    assert len(keys) == CHARTS[page]
    shown = [json.loads(told) for told in sent(at, "tvbo_export", "json")]
    assert [row["key"] for row in shown] == keys
    assert all(captions.VERSION in row["caption"] and row["name"].startswith("lesson-") for row in shown)
    assert shown[0]["caption"] == captions.stage_caption(snapshot)
    assert all("Settings: " in row["caption"] for row in shown[1:])
    assert [b for b in buttons(at) if b.startswith("export_csv_")] == [f"export_csv_{key}" for key in keys]
    assert "export_html" in buttons(at)
    assert at.code[0].value.startswith(LESSON[page].question) and "Link: " in at.code[0].value
    chosen = [f"{LESSON[page].key}.{moment.key}" for moment in LESSON[page].moments]
    assert at.multiselect(key="pack_moments").value == chosen
    before = len(at.dataframe)
    for key in keys:
        at.toggle(key=f"export_table_{key}").set_value(True)
    at.run()
    assert not at.exception
    tables = [table.value for table in at.dataframe[before:]]
    assert len(tables) == len(keys) and all(len(t) and {"trace", "x", "y"} <= set(t.columns) for t in tables)


def test_unplayed_game_offers_the_pack_alone() -> None:
    at = opened(GAME)
    at.session_state["drawer_export"] = True
    at.run()
    assert not at.exception
    assert any("no figure on this page to export" in info.value for info in at.info)
    assert at.button(key="pack_make") and not [b for b in buttons(at) if b.startswith("export_csv_")]
