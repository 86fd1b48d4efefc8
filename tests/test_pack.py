"""The lecture pack: what it holds, in which order, and what happens when a moment or the process fails."""

from __future__ import annotations

import io
import json
import re
import threading
import zipfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from time import monotonic, sleep

import pytest
from shell.export.pack_process import Packer, Packing
from streamlit.testing.v1 import AppTest

from lessons import LESSONS
from shell.export import captions
from shell.export import lecture_pack as pack
from shell.export import offline_page as offline
from shell.export import pack_process as packing
from shell.export.snapshot import KEEP, SPOT, Chart, Shelf
from tests.test_pages import ROOT, opened


@cache
def made() -> tuple[bytes, list[pack.Take], list[tuple[int, str]]]:
    """A real pack of two moments, asked for in the wrong order."""
    heard: list[tuple[int, str]] = []
    zipped, takes = pack.make(pack.chosen(["10.1", "2.3"]), lambda i, spot: heard.append((i, spot.name)))
    return zipped, takes, heard


def files(zipped: bytes) -> dict[str, str]:
    """The texts of a pack by name."""
    with zipfile.ZipFile(io.BytesIO(zipped)) as box:
        assert box.testzip() is None
        return {name: box.read(name).decode() for name in box.namelist() if name.endswith(".html")}


def stub(text: str) -> Shelf:
    figure = type("F", (), {"mark": None, "to_dict": lambda self: {"data": [{"y": [1]}], "layout": {}}})()
    return Shelf(1, text, text, charts={"main": Chart(figure, text)}, caption=text)


def test_every_moment_of_every_lesson_can_be_chosen_by_its_number() -> None:
    assert list(pack.spots()) == [f"{x.number}.{k}" for x in LESSONS for k in range(1, len(x.moments) + 1)]
    assert pack.chosen(["all"]) == list(pack.spots().values())


def test_moments_come_in_the_order_of_the_lecture_and_once() -> None:
    assert [spot.name for spot in pack.chosen(["4.1", "1.2", "4.1", "1.1"])] == ["1.1", "1.2", "4.1"]


@pytest.mark.parametrize(
    ("names", "said"), [(["99.1"], "no moment 99.1"), (["1"], "no moment 1"), ([], "No moment was")]
)
def test_a_moment_that_is_not_there_is_one_sentence_with_those_that_are(names: list[str], said: str) -> None:
    with pytest.raises(ValueError, match=said) as refused:
        pack.chosen(names)
    assert "1.1" in str(refused.value) and "\n" not in str(refused.value)


def test_the_files_of_all_moments_have_names_of_their_own_that_every_system_takes() -> None:
    names = [spot.file for spot in pack.spots().values()]
    assert len(set(names)) == len(names)
    assert all(re.fullmatch(r"\d\d-\d-[a-z0-9-]+\.html", name) and len(name) < 80 for name in names)


def test_a_real_pack_holds_an_index_its_moments_in_order_and_plotly_once() -> None:
    zipped, takes, heard = made()
    assert heard == [(0, "2.3"), (1, "10.1")]
    assert [t.note for t in takes] == ["", ""]
    with zipfile.ZipFile(io.BytesIO(zipped)) as box:
        assert box.namelist() == [
            "index.html",
            "02-3-the-empty-set.html",
            takes[1].spot.file,
            offline.PLOTLY,
            offline.FONT,
        ]
        assert box.read(offline.PLOTLY) == offline.plotly_script()
    texts = files(zipped)
    index = texts["index.html"]
    places = [
        index.index(word)
        for word in ("whole curve", "The empty set", "No function fits these data", "printed statements")
    ]
    assert places == sorted(places)
    assert re.findall(r'href="(.*?)"', index) == [t.spot.file for t in takes]
    first, second = (texts[t.spot.file] for t in takes)
    assert f'href="{takes[1].spot.file}"' in first and f'href="{takes[0].spot.file}"' in second
    assert '"ways": {"i": "index.html", "n": ' in first and '"ways": {"i": "index.html", "p": ' in second
    for text in texts.values():
        assert set(re.findall(r'<script[^>]* src="(.*?)"', text)) <= {offline.PLOTLY}
        assert not re.search(r"""(src|href)\s*=\s*["']?(https?:)?//|url\(["']?(https?:)?//|@import""", text)
        assert "default-src 'none'" in text


def test_a_moment_in_the_pack_is_the_moment_of_the_app() -> None:
    _, takes, _ = made()
    at = AppTest.from_file(str(ROOT / "home.py"), default_timeout=60)
    at.session_state[KEEP] = True
    at.switch_page("pages/2_Confidence_bands.py")
    at.query_params.update(moment="3", lecture="true")
    shown = at.run().session_state[SPOT]
    packed = takes[0].shelf
    assert list(packed.charts) == list(shown.charts) and packed.caption == shown.caption
    assert packed.reel.packed["bytes"] == shown.reel.packed["bytes"] and packed.reel.head == shown.reel.head
    assert packed.said == shown.said and packed.lecture and not packed.dark
    assert packed.settings["V"] == "4" and packed.settings["front"] == "AMM"


def test_a_moment_that_is_missing_is_said_in_the_index_and_the_neighbours_are_linked_past_it() -> None:
    spots = pack.chosen(["1.1", "1.2", "1.3"])
    takes = [
        pack.Take(spots[0], stub("a")),
        pack.Take(spots[1], None, "It was <late>."),
        pack.Take(spots[2], stub("b")),
    ]
    texts = files(pack.archive(takes))
    assert set(texts) == {"index.html", spots[0].file, spots[2].file}
    assert "It was &lt;late&gt;." in texts["index.html"] and spots[1].file not in texts["index.html"]
    assert f'"n": "{spots[2].file}"' in texts[spots[0].file] and f'"p": "{spots[0].file}"' in texts[spots[2].file]


def test_a_pack_without_any_figure_is_an_index_that_says_so() -> None:
    texts = files(pack.archive([pack.Take(pack.chosen(["1.1"])[0], None, "Left out.")]))
    assert (
        set(texts) == {"index.html"}
        and "Left out." in texts["index.html"]
        and "const first = null" in texts["index.html"]
    )


class Slow:
    """A page whose runs never end, in the place of Streamlit's driver."""

    def __init__(self, shelf: Shelf | None, exception: bool = False, late: bool = False) -> None:
        self.session_state = {SPOT: shelf} if shelf else {}
        self.query_params: dict[str, str] = {}
        self.exception, self.info, self.late = exception, [], late

    def switch_page(self, page: str) -> None: ...

    def run(self) -> None:
        if self.late:
            raise RuntimeError("AppTest script run timed out")

    def get(self, kind: str) -> list[str]:
        return ["progress"]


@pytest.mark.parametrize(
    ("page", "shown", "said"),
    [
        (Slow(stub("a")), True, "not done within 0 s: the figure shows those that were"),
        (Slow(stub("a"), exception=True), False, "could not draw this moment"),
        (Slow(stub("a"), late=True), False, "not ready within 0 s"),
        (Slow(None), False, "shows no figure"),
    ],
)
def test_a_moment_that_does_not_come_is_one_honest_sentence(
    page: Slow, shown: bool, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(AppTest, "from_file", lambda *_, **__: page)
    found = pack.take(pack.chosen(["1.1"])[0], patience=0.0)
    assert (found.shelf is not None) == shown and said in found.note


def test_the_command_line_writes_a_zip_and_names_each_moment(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "lecture.zip"
    assert pack.main(["--moments", "9.1", "--out", str(out)]) == 0
    said = capsys.readouterr().out
    assert "1 of 1: 9.1 · " in said and "1 of 1 moments" in said
    assert len(files(out.read_bytes())) == 2


def test_the_command_line_refuses_a_moment_that_is_not_there_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        pack.main(["--moments", "0.7"])
    assert "There is no moment 0.7" in capsys.readouterr().err


def until(claim: Callable[[], bool], seconds: float = 30.0) -> None:
    end = monotonic() + seconds
    while not claim():
        assert monotonic() < end, "it did not happen"
        sleep(0.02)


PROGRAM = """
import json, sys, time
out = sys.argv[sys.argv.index("--out") + 1]
print("a stray line")
print(json.dumps([1, 2, "9.9 · Second"]), flush=True)
{}
"""


def process(body: str) -> tuple[Packing, threading.Lock]:
    gate = threading.Lock()
    gate.acquire()
    return Packing(["9.8", "9.9"], gate, ("-c", PROGRAM.format(body))), gate


def test_an_order_tells_its_progress_and_hands_over_the_zip() -> None:
    order, gate = process("open(out, 'wb').write(b'zip')")
    until(lambda: order.over and not gate.locked())
    assert (order.result, order.problem, order.done, order.total) == (b"zip", None, 2, 2)


@pytest.mark.parametrize("body", ["sys.exit(1)", "raise ValueError", "pass"])
def test_an_order_that_fails_is_one_sentence_and_makes_room(body: str) -> None:
    order, gate = process(body)
    until(lambda: order.over and not gate.locked())
    assert (order.result, order.problem) == (None, packing.FAILED)


def test_a_cancelled_order_ends_its_process_and_makes_room() -> None:
    order, gate = process("time.sleep(600)")
    until(lambda: order.name == "9.9 · Second")
    assert (order.done, order.total) == (1, 2)
    order.cancel()
    until(lambda: not gate.locked())
    assert order.problem == packing.STOPPED and order._process.returncode is not None
    assert not order._file.parent.exists()


def test_an_order_that_nobody_looks_at_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packing, "FORGOTTEN", 0.2)
    order, gate = process("time.sleep(600)")
    until(lambda: not gate.locked())
    assert order.problem == packing.STOPPED


def test_a_pack_in_the_making_ends_with_the_server_that_asked_for_it() -> None:
    order, gate = process(
        "from ui import pack\npack._until_input_ends()\nprint('[2, 2, \"here\"]', flush=True)\ntime.sleep(600)"
    )
    until(lambda: order.name == "here", 60)
    order._process.stdin.close()  # as the system does when the server is gone
    until(lambda: not gate.locked())
    assert order._process.returncode == 1 and order.problem == packing.FAILED


def test_one_pack_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    begun = []
    monkeypatch.setattr(packing, "Packing", lambda names, gate: begun.append(gate) or "order")
    packer = Packer()
    assert packer.order(["1.1"]) == "order" and packer.order(["1.2"]) is None
    begun[0].release()
    assert packer.order(["1.2"]) == "order"


def test_the_drawer_makes_a_pack_from_a_press_to_the_file() -> None:
    at = opened("pages/9_Reproductions.py")
    at.session_state["drawer_export"] = True
    at.run()
    at.multiselect(key="pack_moments").set_value(["9.1"])
    at.run()
    at.button(key="pack_make").click()
    at.run()
    order = at.session_state["_packing"]
    assert not at.exception and (order.over or at.button(key="pack_cancel"))
    until(lambda: order.over, 90)
    at.run()
    assert order.problem is None
    assert any(b.proto.id.endswith("pack_save") for b in at.get("download_button"))
    assert captions.VERSION in files(order.result)["index.html"]


def test_the_app_speaks_in_lines_that_a_program_reads(capsys: pytest.CaptureFixture[str], tmp_path: Path,
                                                      monkeypatch: pytest.MonkeyPatch) -> None:  # fmt: skip
    monkeypatch.setattr(pack, "take", lambda spot, patience: pack.Take(spot, None, "no"))
    monkeypatch.setattr(pack, "_until_input_ends", lambda: None)
    assert pack.main(["--app", "--moments", "1.1", "1.2", "--out", str(tmp_path / "x.zip")]) == 1
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert lines == [[k, 2, spot.title] for k, spot in enumerate(pack.chosen(["1.1", "1.2"]))]
