"""Exports of a page: the points of every chart, the page as one file, its caption. Each equals what is on screen."""

from __future__ import annotations

import base64
import csv
import gzip
import html
import io
import json
import re
from dataclasses import replace
from functools import cache

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

import tvbo_core
from answers import captions, points
from answers.ask import SCRIPT, ask
from answers.state import State
from common.markup import plain_markdown
from figures.film import Film, PackedFigure
from figures.theme import Theme
from lessons import BY_KEY, LESSONS
from lessons.record import APART, Code, Lesson, number_of
from shell.links import permalink
from shell.server.scripts import plotly_script
from shell.static import drawer, pages, template
from shell.static.view import View
from tests.lessons.shown import as_lists, decode, opened, sent
from tests.lessons.test_pages import numbers
from tests.shared import few, session_of
from tests.strategies import LAW

FEW = ("drift", "forgetting")
OTHERS = [one for one in LESSONS if one.scene and one.key not in FEW]  # for a night
EACH = pytest.mark.parametrize(
    "lesson", few([BY_KEY[key] for key in FEW], "drift") + few(OTHERS, rest=pytest.mark.wide)
)


@cache
def opening_view(key: str) -> View:
    """Return what a page leaves for the exports as it opens."""
    lesson = BY_KEY[key]
    scene = lesson.scene(lesson.defaults, Theme())
    return View(lesson, lesson.defaults, lesson.t, number=number_of(lesson, LESSONS), given=scene)


def at_frame(view: View, frame: int) -> View:
    """Return the view at a frame of its film."""
    return replace(view, t=int(view.scene.times[frame]))


def rows(text: str) -> list[dict[str, str]]:
    lines = [line for line in text.splitlines(keepends=True) if not line.startswith("#")]
    return list(csv.DictReader(io.StringIO("".join(lines))))


def close(written: list[str], drawn: np.ndarray) -> None:
    """The written numbers are the drawn ones, to the last digit of a float32 (what a figure holds)."""
    np.testing.assert_array_equal(np.array(written, dtype=np.float32), drawn.astype(np.float32).ravel())


@EACH
def test_table_holds_the_points_of_its_frame(lesson: Lesson) -> None:
    whole, last = opening_view(lesson.key), opening_view(lesson.key).scene.frames - 1
    for frame in {0, whole.frame, last}:
        page = at_frame(whole, frame)
        film = whole.scene.films["main"].draw(frame)
        assert page.frame == frame
        for key in page.pictures:
            found = rows(points.table(page, key))
            assert found and {row["chart"] for row in found} == {key}
            of_trace: dict[str, list] = {}
            for row in found:
                of_trace.setdefault(row["trace"], []).append(row)
            traces = points.figure_at_pause(page, key)["data"]
            shown = film.figure.to_dict()["data"]
            if key == "main":  # a moving map's numbers come in 250 steps
                flat = [[trace for trace in unpacked(one) if "z" not in trace] for one in (traces, shown)]
                assert as_lists(flat[0]) == as_lists(flat[1])
            for number, trace in enumerate(traces):
                for axis in "z" if "z" in trace else "xy":
                    part = trace.get(axis)
                    if part is not None and not (isinstance(part, list) and any(isinstance(v, str) for v in part)):
                        kept = numbers(part) if not isinstance(part, np.ndarray) else part
                        mine = [row[axis] for row in of_trace.get(str(number), ()) if row[axis]]
                        close(mine, kept[np.isfinite(kept)])


def unpacked(traces: list[dict]) -> list[dict]:
    """Return traces with their packed arrays as arrays."""
    return [{k: numbers(v) if isinstance(v, dict) and "bdata" in v else v for k, v in one.items()} for one in traces]


@pytest.mark.slow
@EACH
def test_one_file_is_whole_and_asks_for_nothing(lesson: Lesson) -> None:
    view = opening_view(lesson.key)
    text = pages.one_file(view)
    scripts = re.findall(r"<script[^>]*>(.*?)</script>", text, re.DOTALL)
    markup = re.sub(r"<script[^>]*>.*?</script>", "", text, flags=re.DOTALL)
    assert set(re.findall(r"<(?:link|iframe|object|embed|base)\b[^>]*>", markup)) == {'<link rel="icon" href="data:,">'}
    assert not re.search(r"<[^>]* (src|srcset|data|poster|action)=", markup) and "<script src" not in text
    styles = "".join(re.findall(r"<style>(.*?)</style>", text, re.DOTALL))
    assert "@import" not in styles and all(u.startswith("data:") for u in re.findall(r"url\((.*?)\)", styles))
    assert "default-src 'none'" in text and "connect-src" not in text  # the browser itself refuses any request
    assert plotly_script() in scripts and re.search("@[A-Z]+@", markup) is None
    said = json.loads(scripts[0])
    (told,) = said["views"]
    assert told["t"] == view.t and f"<title>{html.escape(lesson.title)}</title>" in text
    held = re.findall(r'<script type="application/json" id="([^"]+)">(.*?)</script>', text, re.DOTALL)
    held = {name: json.loads(one) for name, one in held[1:]}
    stage = held[f"{told['file']}.light"]
    told = stage["page"]
    assert told["caption"] == captions.stage_caption(view) and told["settings"] == captions.settings(view)
    assert stage["film"]  # which one: tests/shell/test_site.py
    below = {key for one in told["scene"]["drawers"] for key in one["charts"]}
    assert {"main"} | below == {*view.scene.films, *view.scene.stills}


def test_caption_names_settings_versions_and_no_markup() -> None:
    for lesson in (BY_KEY[key] for key in FEW):
        text = captions.full_caption(opening_view(lesson.key), "http://lab/?v=1")
        assert captions.VERSION in text and tvbo_core.__version__ in text
        assert f"links version {permalink.VERSION}" in text and lesson.question in text
        for key, knob in lesson.knobs.items():  # nobody has bet or tries a task here: that is no setting
            named = f"{plain_markdown(knob.words)}: {knob.screen_text(knob.default)}"
            counts = key not in APART and knob.acts_at(lesson.settings({})) and not isinstance(knob, Code)
            assert (named in text) == counts and f"{key} = " not in text.split("Settings")[1], key
        assert not re.search(r"\$|\*\*|~~|:material|:red|\\[a-z]", text)
    for markdown, plain in (
        (r"$V_T\le\sqrt\kappa B_T$.", "V_T ≤ √κ B_T."),
        ("99% :red[~~if it does not move~~] (it moves)", "99% if it does not move (it moves)"),
        (r":material/info: Lines\: median, 5 \% `code`  " + "\nnext", "Lines: median, 5 % code next"),
        (r"✚ at $T=10^{4}$", "✚ at T=10^4"),
        (r"$c\propto T^{-d/(2d+2\nu)}$, $N^{-1/2}$, $x^{2\nu}$", "c∝ T^(-d/(2d+2ν)), N^(-1/2), x^(2ν)"),
        (r"β² \= 0\.8 ln\(0\.4 t\), \#1", "β² = 0.8 ln(0.4 t), #1"),
    ):
        assert plain_markdown(markdown) == plain


def test_table_of_points_opens_in_pandas() -> None:
    text = points.table(opening_view("forgetting"), "weights")
    told = [line for line in text.splitlines() if line.startswith("#")]
    assert any("seed: " in line for line in told) and any(tvbo_core.__version__ in line for line in told)
    table = pd.read_csv(io.BytesIO(text.encode("utf-8-sig")), comment="#")
    assert len(table) == len(rows(text)) and table["x"].dtype == float
    with pytest.raises(ValueError, match="no chart “nothing” here; the charts are main"):
        points.table(opening_view("forgetting"), "nothing")


def test_heatmaps_and_error_bars_are_written_whole() -> None:
    z = np.array([[1.0, 2.0, np.nan], [4.0, 5.0, 6.0]])
    found = list(points.points({"data": [{"type": "heatmap", "z": z, "y": ["a", "b"]}], "layout": {}}, "k"))
    cells = [" ".join((row["x"], row["y"], row["z"])) for row in found]
    assert cells == ["0 a 1.0", "1 a 2.0", "2 a ", "0 b 4.0", "1 b 5.0", "2 b 6.0"]
    for down, minus in (({"arrayminus": [0.25, 1.0]}, ["0.25", "1.0"]), ({}, ["0.5", "2.0"])):
        trace = {"type": "scatter", "x": [1, 2], "y": [3.0, 4.0], "error_y": {"array": [0.5, 2.0]} | down}
        found = list(points.points({"data": [trace], "layout": {}}, "stage"))
        assert [row["plus"] for row in found] == ["0.5", "2.0"] and [row["minus"] for row in found] == minus


@LAW
@given(st.lists(st.floats(width=32, allow_infinity=False), max_size=9), st.booleans())
def test_any_numbers_come_back_from_the_table(values: list[float], as_list: bool) -> None:
    trace = {"type": "scatter", "x": list(range(len(values)))}
    trace["y"] = values if as_list else np.array(values, dtype=np.float32)
    read = [float(row["y"]) if row["y"] else np.nan for row in points.points({"data": [trace], "layout": {}}, "k")]
    np.testing.assert_array_equal(np.array(read, dtype=np.float32), np.array(values, dtype=np.float32))


def test_reader_cannot_write_markup_into_files() -> None:
    nasty = "</script><script>alert(1)</script>&\"'"
    view = opening_view("drift")
    main = view.scene.films["main"]
    drawn = replace(main, draw=lambda at: Film(PackedFigure([{"text": [nasty]}], {})), alt=nasty, title=nasty)
    scene = replace(view.scene, films={"main": drawn}, says=lambda at: nasty, caption=nasty)
    text = pages.one_file(replace(view, given=scene, lesson=replace(view.lesson, question=nasty, title=nasty)))
    assert "alert(1)</script>" not in text
    held = re.findall(r'<script type="application/json" id="[^"]+">(.*?)</script>', text, re.DOTALL)
    (chart,) = decode(gzip.decompress(base64.b64decode(json.loads(held[1])["film"])))["charts"]
    assert chart["figure"]["data"][0]["text"] == [nasty]
    assert template.fill("a @ONE@ b @TWO@ mail@x", {"ONE": "@TWO@", "TWO": "2"}) == "a @TWO@ b 2 mail@x"


def tables(at: AppTest) -> list[str]:
    """Return the charts whose tables the drawer offers."""
    names = [found.proto.id.rsplit("-", 1)[-1] for found in at.get("download_button")]
    return [name.removeprefix("export_csv_") for name in names if name.startswith("export_csv_")]


def test_drawer_offers_figures_and_tables() -> None:
    lesson = BY_KEY["forgetting"]
    at = opened(lesson.file, drawers=True)
    # A closed drawer keeps no film for its visitor, and sends nothing.
    assert session_of(at).view is None and not tables(at) and not sent(at, "tvbo_export", "json")
    at.session_state["drawer_export"] = True
    at.run()
    view = session_of(at).view
    shown = [json.loads(told) for told in sent(at, "tvbo_export", "json")]
    assert [row["key"] for row in shown] == tables(at) == list(view.pictures) == list(opening_view(lesson.key).pictures)
    assert shown[0]["caption"] == captions.stage_caption(view) and shown[0]["name"].startswith("lesson-")
    assert all(captions.VERSION in row["caption"] and "Settings: " in row["caption"] for row in shown[1:])
    before = len(at.dataframe)
    for key in view.pictures:
        at.toggle(key=f"export_table_{key}").set_value(True)
    at.run()
    assert not at.exception
    assert [len(t.value) > 0 and {"trace", "x", "y"} <= set(t.value.columns) for t in at.dataframe[before:]] == [
        True
    ] * len(shown)


SCRIPTED = [(one, moment) for one in LESSONS if one.scene for moment in one.moments]


def test_script_names_the_packages_it_imports() -> None:
    found = {one.key: set() for one, _ in SCRIPTED}
    for lesson, moment in SCRIPTED:
        script = ask(State(lesson, lesson.settings(moment.values), moment.t, number=number_of(lesson, LESSONS)), SCRIPT)
        assert script is not None
        found[lesson.key].add(drawer.packages(script))
        title = script.split("\n")[0]
        assert not re.search(r"[<>$*\\^_]", title), title  # no marks of HTML, TeX or Markdown
    # Statements, reports, trials on tables and the order of an adversary stand in a checkout alone.
    everything = ("microscope", "reproductions", "real_data")
    wanted = {key: {drawer.CHECKOUT} for key in everything} | {"rperp": {".", drawer.CHECKOUT}}
    assert found == {key: wanted.get(key, {"."}) for key in found}
