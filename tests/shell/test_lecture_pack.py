"""Lecture packs: their entries and order, the pages as on the screen, and moments or workers that fail."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import replace
from functools import cache, partial
from html import escape
from pathlib import Path
from time import monotonic

import pytest
from streamlit.testing.v1 import AppTest

from figures.theme import Theme
from lessons import LESSONS, __main__
from lessons.race.lesson import LESSON
from lessons.record import Moment, Scene, Values, number_of
from shell import run_panel
from shell.export import captions, lecture_pack, offline_page
from shell.export.lecture_pack import PackPageJob
from shell.export.snapshot import of_scene, written
from shell.jobs import Failure, outcome
from shell.runs import Order, Runs
from shell.scripts import plotly_script
from tests.lessons.shown import drawn
from tests.lessons.shown import of_scene as of_page
from tests.lessons.test_pages import RACE as RACE_PAGE
from tests.lessons.test_pages import ROOT, opened
from tests.shared import open_closers, session_of

MOMENTS = [f"race.{moment.key}" for moment in LESSON.moments]
# Pages of the race take about 0.1 s each here; the first one loads stored runs and figures too.
PACK_SECONDS = 15.0
PATIENCE = 300.0  # seconds that a busy machine may take to start workers


@cache
def made() -> tuple[bytes, list[lecture_pack.PackEntry], float]:
    """Return the pack of the race's moments, asked for in the wrong order, its entries, and the seconds it took."""
    start = monotonic()
    wanted = lecture_pack.chosen(MOMENTS[::-1], LESSONS)
    packed = lecture_pack.archive(wanted, {job: job.perform() for job in lecture_pack.jobs(wanted)})
    return packed, wanted, monotonic() - start


def files(packed: bytes) -> dict[str, str]:
    """Return the pages of a pack by name."""
    with zipfile.ZipFile(io.BytesIO(packed)) as box:
        assert box.testzip() is None
        return {name: box.read(name).decode() for name in box.namelist() if name.endswith(".html")}


def contents(page: str) -> dict:
    """Return the data of an offline page: charts, sentences, links."""
    return json.loads(re.search(r'<script type="application/json" id="lab-page">(.*?)</script>', page, re.DOTALL)[1])


# Entries -------------------------------------------------------------------------------------------------------------


def test_every_moment_of_every_lesson_can_be_chosen_by_its_keys_or_by_the_number_that_the_reader_sees() -> None:
    known = lecture_pack.entries(LESSONS)
    assert list(known) == [f"{lesson.key}.{moment.key}" for lesson in LESSONS for moment in lesson.moments]
    numbers = [f"{n}.{k}" for n, lesson in enumerate(LESSONS) for k in range(1, len(lesson.moments) + 1)]
    assert [entry.name for number in numbers for entry in lecture_pack.chosen([number], LESSONS)] == list(known)
    assert [entry.title.split(" · ")[0] for entry in known.values()] == numbers
    assert [entry.name for entry in lecture_pack.chosen(["all"], LESSONS)] == list(known)


def test_moments_come_in_the_order_of_the_lecture_and_once() -> None:
    wanted = lecture_pack.chosen(["race.jumps", "drift.bogunovic", "4.1", "drift.budget"], LESSONS)
    assert [entry.name for entry in wanted] == ["drift.budget", "drift.bogunovic", "race.jumps"]


@pytest.mark.parametrize(
    ("names", "said"), [(["99.1"], "no moment 99.1"), (["race"], "no moment race"), ([], "No moment was")]
)
def test_a_moment_that_is_not_there_is_one_sentence_with_those_that_are(names: list[str], said: str) -> None:
    with pytest.raises(ValueError, match=said) as refused:
        lecture_pack.chosen(names, LESSONS)
    assert "drift.budget" in str(refused.value) and "\n" not in str(refused.value)


def test_the_files_of_all_moments_have_names_of_their_own_that_every_system_takes() -> None:
    names = [entry.file for entry in lecture_pack.entries(LESSONS).values()]
    assert len(set(names)) == len(names)
    assert all(re.fullmatch(r"\d\d-\d-[a-z0-9-]+\.html", name) and len(name) < 80 for name in names)


# A pack of the race's moments ----------------------------------------------------------------------------------------


def test_a_pack_holds_an_index_its_moments_in_order_and_plotly_once() -> None:
    packed, wanted, _ = made()
    names = [entry.file for entry in wanted]
    with zipfile.ZipFile(io.BytesIO(packed)) as box:
        assert box.namelist() == ["index.html", *names, offline_page.PLOTLY, offline_page.FONT]
        assert box.read(offline_page.PLOTLY) == plotly_script().encode()
    index = files(packed)["index.html"]
    assert re.findall(r'href="(.*?)"', index) == names
    assert captions.VERSION in index and LESSON.question in index
    places = [index.index(escape(entry.moment.script)) for entry in wanted]
    assert places == sorted(places)


def test_the_charts_of_a_page_lie_in_closed_drawers_below_its_stage_named_as_in_the_lab() -> None:
    packed, wanted, _ = made()
    page, scene = files(packed)[wanted[0].file], wanted[0].scene()
    main, *folds = re.split(r"<details>", page.split("<main>")[1].split("</main>")[0])
    charts = {**scene.films, **scene.stills}
    assert re.findall(r'class="st-key-(\w+)"', main) == ["main"] and "<details open" not in page
    assert [tuple(re.findall(r'class="st-key-(\w+)"', fold)) for fold in folds] == scene.drawers
    titles = [re.search("<summary>(.*?)</summary>", fold)[1] for fold in folds]
    assert titles == [escape(captions.without_markdown(charts[keys[0]].title)) for keys in scene.drawers]
    assert len(titles) > 2 and all(titles)


def test_a_page_of_a_pack_leads_to_its_neighbours_and_to_the_index() -> None:
    packed, wanted, _ = made()
    texts, names = files(packed), [entry.file for entry in wanted]
    for number, name in enumerate(names):
        links = {"i": "index.html"}
        links |= {"p": names[number - 1]} if number else {}
        links |= {"n": names[number + 1]} if number + 1 < len(names) else {}
        assert contents(texts[name])["ways"] == links
        assert all(f'href="{file}"' in texts[name] for file in links.values())
        title, script = escape(wanted[number].title), escape(wanted[number].moment.script)
        assert title in texts[name] and script in texts[name]


def test_a_pack_loads_nothing_from_a_network() -> None:
    for text in files(made()[0]).values():
        assert set(re.findall(r'<script[^>]* src="(.*?)"', text)) <= {offline_page.PLOTLY}
        assert not re.search(r"""(src|href)\s*=\s*["']?(https?:)?//|url\(["']?(https?:)?//|@import""", text)
        assert "default-src 'none'" in text and "connect-src" not in text


def test_a_pack_of_the_races_moments_takes_a_few_seconds() -> None:
    assert made()[2] < PACK_SECONDS


@pytest.mark.parametrize("moment", LESSON.moments, ids=lambda moment: moment.key)
def test_a_moment_in_the_pack_is_the_moment_of_the_app(moment: Moment) -> None:
    at = AppTest.from_file(str(ROOT / "home.py"), default_timeout=60)
    session_of(at).keeps_snapshot = True
    open_closers(at).switch_page(RACE_PAGE)
    at.query_params.update(moment=moment.key, lecture="true", theme="light")
    shown = session_of(at.run()).snapshot
    assert not at.exception and at.session_state["moment"] == moment.key
    values = LESSON.settings(moment.values)
    scene = LESSON.scene(values, moment.t, Theme(lecture=True))
    packed = of_scene(LESSON, number_of(LESSON, LESSONS), scene, values, dark=False, lecture=True)
    assert list(packed.charts) == list(shown.charts)
    assert drawn(at) == of_page(scene)
    assert [chart.alt for chart in packed.charts.values()] == [chart.alt for chart in shown.charts.values()]
    assert packed.reel.frame == shown.reel.frame and packed.reel.scene is scene
    assert packed.said == shown.said and packed.lecture and not packed.dark
    assert captions.without_markdown(packed.caption) == captions.without_markdown(shown.caption)
    assert packed.settings == written(LESSON.knobs, at.session_state)
    page = files(made()[0])[made()[1][LESSON.moments.index(moment)].file]
    assert contents(page)["charts"] == list(shown.charts)


@pytest.mark.parametrize("moment", LESSON.moments, ids=lambda moment: moment.key)
def test_the_live_link_beside_a_page_of_an_old_pack_opens_its_moment(moment: Moment) -> None:
    """Captions gave the link with the number of the moment: "Link: http://lab/The_race?v=3&moment=2&theme=light"."""
    number = str(LESSON.moments.index(moment) + 1)
    old = opened(RACE_PAGE, v="3", moment=number, theme="light", hide="menu")
    assert not old.exception and not old.toast
    assert old.session_state["moment"] == moment.key == old.button_group(key="moment").value
    assert any(moment.script in caption.value for caption in old.caption)


# Moments without a page ----------------------------------------------------------------------------------------------


def refused(values: Values, t: int, theme: Theme) -> Scene:
    raise ValueError("Nothing was <played>.")


def test_a_moment_without_a_figure_is_named_in_the_index_and_on_a_page_of_its_own() -> None:
    lesson = replace(LESSON, scene=refused)
    wanted = lecture_pack.chosen(["all"], [lesson])
    results = {job: outcome(job) for job in lecture_pack.jobs(wanted)}
    assert all(isinstance(result, Failure) and result.refused for result in results.values())
    jobs = lecture_pack.jobs(lecture_pack.chosen(["all"], [LESSON]))
    results = {
        job: jobs[0].perform() if job.entry.moment is LESSON.moments[0] else result for job, result in results.items()
    }
    texts = files(lecture_pack.archive(wanted, results))
    first, second = wanted[:2]
    assert set(texts) == {"index.html", *(entry.file for entry in wanted)}  # neighbours link to each of them
    assert re.findall(r'href="(.*?)"', texts["index.html"]) == [first.file]
    for text in (texts["index.html"], texts[second.file]):
        assert "shows no figure before it is played" in text and "Nothing was &lt;played&gt;." in text
    assert 'href="index.html"' in texts[second.file]


def test_a_moment_that_could_not_be_drawn_says_so_and_not_why_a_program_failed() -> None:
    wanted = lecture_pack.chosen(MOMENTS[:1], LESSONS)
    texts = files(lecture_pack.archive(wanted, dict.fromkeys(lecture_pack.jobs(wanted), Failure("KeyError"))))
    for text in texts.values():
        assert "could not be drawn" in text and "KeyError" not in text


def test_a_lesson_without_a_scene_has_no_page_and_its_neighbours_are_linked_past_it() -> None:
    lessons = [replace(lesson, scene=None) if lesson.key == "theorems" else lesson for lesson in LESSONS]
    wanted = lecture_pack.chosen(["race.jumps", "theorems.dots", "rperp.one_shuffle"], lessons)
    jobs = lecture_pack.jobs(wanted)
    assert [job.entry.name for job in jobs] == ["race.jumps", "rperp.one_shuffle"]
    assert dict(jobs[0].links)["n"] == wanted[2].file and dict(jobs[1].links)["p"] == wanted[0].file
    texts = files(lecture_pack.archive(wanted, dict.fromkeys(jobs, zlib.compress(b"a page"))))
    assert set(texts) == {"index.html", wanted[0].file, wanted[2].file}
    assert wanted[1].title.split(" · ")[1] in texts["index.html"] and wanted[1].file not in texts["index.html"]


def test_a_pack_without_any_figure_is_an_index_that_says_so() -> None:
    wanted = lecture_pack.chosen(MOMENTS[:1], [replace(LESSON, scene=None)])
    packed = lecture_pack.archive(wanted, {})
    assert set(files(packed)) == {"index.html"} and "const first = null" in files(packed)["index.html"]
    with zipfile.ZipFile(io.BytesIO(packed)) as box:
        assert offline_page.PLOTLY not in box.namelist()


# Workers -------------------------------------------------------------------------------------------------------------


def ends_its_worker_once(file: str, values: Values, t: int, theme: Theme) -> Scene:
    """Return the race's scene, but end this process the first time."""
    if not Path(file).exists():
        Path(file).touch()
        os._exit(1)
    return LESSON.scene(values, t, theme)


def finished(runs: Runs, order: Order) -> dict[PackPageJob, object]:
    start = monotonic()
    while not runs.wait(order, 0.2):
        assert monotonic() - start < PATIENCE, "it did not happen"
    return order.results


@pytest.mark.wide
def test_the_end_of_a_worker_costs_no_page(tmp_path: Path) -> None:
    lesson = replace(LESSON, scene=partial(ends_its_worker_once, str(tmp_path / "ended")))
    jobs = lecture_pack.jobs(lecture_pack.chosen(MOMENTS[:2], [lesson]))
    runs = Runs(1)
    try:
        results = finished(runs, runs.order(jobs))
    finally:
        runs.close()
    assert (tmp_path / "ended").exists() and set(results) == set(jobs)
    assert all(isinstance(result, bytes) for result in results.values())


def test_a_worker_that_writes_pages_imports_no_streamlit() -> None:
    script = """
import sys
from shell.export import captions, course_pack, csv, lecture_pack
from shell import film_message, jobs
print("streamlit" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", script], cwd=ROOT, capture_output=True, text=True)
    assert done.stdout.strip() == "False", done.stdout + done.stderr[-2000:]


# The drawer and the command line -------------------------------------------------------------------------------------


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch) -> Iterator[Runs]:
    """Runs of a server of its own, with one worker."""
    found = Runs(1)
    monkeypatch.setattr(run_panel, "RUNS", found)
    yield found
    found.close()


def drawer(*names: str) -> AppTest:
    """Return the race's page after a press on the button of a pack of these moments."""
    at = opened(RACE_PAGE)
    at.session_state["drawer_export"] = True
    at.run()
    assert at.multiselect(key="pack_moments").value == MOMENTS
    at.multiselect(key="pack_moments").set_value(list(names)).run()
    at.button(key="pack_make").click()
    return at.run()


def saved(at: AppTest) -> bool:
    return any(b.proto.id.endswith("pack_save") for b in at.get("download_button"))


def test_the_drawer_makes_a_pack_from_a_press_to_the_file(runs: Runs) -> None:
    at = drawer("race.deng", "race.jumps")
    start = monotonic()
    while not saved(at):
        assert not at.exception and monotonic() - start < PATIENCE
        at.run()
    packed = files(session_of(at).pack)
    assert list(packed) == [
        "index.html",
        *(entry.file for entry in lecture_pack.chosen(["race.jumps", "race.deng"], LESSONS)),
    ]
    assert not session_of(at).run_sets["pack"].results  # the zip holds them


def test_a_pack_that_is_cancelled_in_the_drawer_leaves_nothing(runs: Runs, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs, "look", lambda order: {})  # nothing is submitted, so the order cannot be over before
    at = drawer("race.jumps")
    assert not at.exception and not saved(at)
    at.button(key="pack_cancel").click().run()
    assert not at.exception and not saved(at) and at.button(key="pack_make")
    assert any("was stopped; nothing was kept" in info.value for info in at.info)


def test_the_command_line_writes_a_zip_and_counts_its_moments(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(__main__, "RUNS", Runs(1))  # it closes them at its end
    out = tmp_path / "lecture.zip"
    assert __main__.main(["--moments", "race.jumps", "--out", str(out)]) == 0
    assert "1 of 1 moments" in capsys.readouterr().out
    assert len(files(out.read_bytes())) == 2


def test_the_command_line_refuses_a_moment_that_is_not_there_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        __main__.main(["--moments", "chase.gone"])
    assert "There is no moment chase.gone" in capsys.readouterr().err
