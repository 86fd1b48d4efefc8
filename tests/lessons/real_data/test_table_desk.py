"""A reader's own table on a page of files: the same cells, sentences and race as a server's page, without a server."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import urlencode

import numpy as np
import pytest

from answers.browser import Desk
from lessons import BY_KEY
from lessons.real_data import model, words
from lessons.real_data.tables import load, read, suggest
from lessons.record import DATA
from tests.lessons.real_data.own_table import table
from tests.shared import ROOT

EXAMPLE = (ROOT / "assets" / "example_table.csv").read_bytes()
KEY = "real_data"


class Reader:
    """A reader of the page without a server: what it shows, and the words of its address."""

    def __init__(self) -> None:
        self.desk, self.words = Desk([(BY_KEY[KEY], 10)]), {"table": "own", "seeds": "2"}

    @property
    def text(self) -> str:
        return f"{KEY}?{urlencode(self.words)}"

    @property
    def page(self) -> dict[str, Any]:
        return json.loads(self.desk.say("page", self.text))

    def act(self, act: str, name: str, value: Any = "") -> dict[str, Any]:
        self.words |= json.loads(self.desk.table(self.text, act, name, value))
        return self.page

    def choose(self, name: str, value: Any) -> dict[str, Any]:
        return self.act("choose", name, json.dumps(value))

    def play(self) -> list[dict[str, Any]]:
        told = []
        while not told or told[-1]["done"] < told[-1]["of"]:
            told.append(json.loads(self.desk.run(self.text)))
        return told


@pytest.fixture
def reader() -> Reader:
    return Reader()


def test_page_asks_for_a_table_first(reader: Reader) -> None:
    page = reader.page
    assert page["scene"] is None and page["waits"] is None and page["refused"] == words.request_for_table("none")
    assert page["table"]["private"] == words.AT_HOME and "name" not in page["table"]
    assert [one for one, _ in page["knobs"]["table"]["stops"]][-1] == "own"


def test_file_is_shown_before_it_races(reader: Reader) -> None:
    page = reader.act("take", "mine.csv", EXAMPLE)
    cells = read(EXAMPLE, "mine.csv")
    loaded = load(cells, suggest(cells))
    said = page["table"]
    assert page["refused"] == "" and page["scene"] is None and reader.words["file"] == cells.fingerprint[:12]
    assert said["file"]["rows"][0][1:] == list(cells.rows[0])
    assert said["rounds"]["rows"][0] == [loaded.table.times[0], *(f"{v:.10g}" for v in loaded.table.rewards[0])]
    assert said["checks"] == [[check.ok, check.sentence] for check in loaded.checks]
    assert {one["name"]: one["value"] for one in said["form"]}["arms"] == list(loaded.choices.arms)


def test_race_is_the_one_a_server_plays(reader: Reader) -> None:
    reader.act("take", "mine.csv", EXAMPLE)
    waits = reader.act("accept", "yes")["waits"]
    told = reader.play()
    page, cells = reader.page, read(EXAMPLE, "mine.csv")
    assert waits["jobs"] == waits["of"] == told[-1]["of"] and [one["done"] for one in told][:2] == [1, 2]
    loaded, lesson = load(cells, suggest(cells)), BY_KEY[KEY]
    trial = model.race(model.setting_from(lesson.settings({"table": "own", "seeds": 2}), loaded), loaded.table)
    rows = json.loads(reader.desk.say("table", reader.text, DATA))
    assert page["waits"] is None and page["scene"] and rows == model.rows(trial)
    assert "all checks passed" in page["table"]["racing"]
    status, film = reader.desk.get("film/real_data?" + urlencode([tuple(one) for one in page["film"]["query"]]))
    assert status == 200 and film
    reader.words["pin2"] = "sw"  # another look at the same race plays nothing
    assert reader.page["scene"] and reader.page["waits"] is None
    reader.words["m"] = "20"
    assert reader.page["scene"] is None and reader.page["waits"]["jobs"] == len(told)
    assert reader.act("accept", "")["waits"] is None


@pytest.mark.parametrize(
    ("raw", "sentence"), [(b"", "The file is empty"), (b'a,"b', "A quotation mark"), (bytes(range(256)), "binary data")]
)
def test_wrong_file_keeps_the_table(reader: Reader, raw: bytes, sentence: str) -> None:
    assert sentence in reader.act("take", "wrong.csv", raw)["table"]["problem"]
    before = reader.act("take", "")["table"]  # the example
    after = reader.act("take", "wrong.csv", raw)["table"]
    assert sentence in after["problem"] and after | {"problem": None} == before


def test_same_file_again_does_not_race(reader: Reader) -> None:
    for _ in range(2):  # the link is about this file the second time
        assert "racing" not in reader.act("take", "")["table"]
    reader.act("accept", "yes")
    assert "racing" in reader.act("take", "")["table"]  # nothing has changed
    reader.act("take", "mine.csv", EXAMPLE + b"2030-01-01,1,2,3,4,5\n")
    assert "racing" not in reader.act("take", "")["table"]


def test_choices_are_in_the_address(reader: Reader) -> None:
    values = np.random.default_rng(0).normal(size=(60, 3)).cumsum(axis=0)
    text = table(values).splitlines()
    text[8] = "7,1.5,closed,2"
    page = reader.act("take", "mine.csv", "\n".join(text).encode())
    assert "closed" in page["table"]["unusable"] and page["table"]["rounds"] is None
    assert reader.act("accept", "yes")["waits"] is None
    page = reader.choose("missing", ["closed"])
    assert reader.words["choices"] == '{"missing":["closed"]}' and page["waits"]["jobs"]
    reader.choose("arms", [1, 2])
    reader.choose("time", [])
    assert json.loads(reader.words["choices"]) == {"missing": ["closed"], "time": []}


def test_link_about_another_file_says_so(reader: Reader) -> None:
    reader.words["file"] = "0123456789ab"
    assert "0123456789ab" in reader.page["refused"]
    page = reader.act("take", "mine.csv", EXAMPLE)
    assert "0123456789ab" in page["table"]["problem"] and page["table"]["name"] == "mine.csv"


def test_race_that_cannot_be_says_why(reader: Reader) -> None:
    reader.words["algos"] = "opkb"
    reader.act("take", "mine.csv", table(np.random.default_rng(0).normal(size=(60, 150))).encode())
    if (page := reader.act("accept", "yes"))["waits"]:
        reader.play()
        page = reader.page
    assert "races on at most" in page["refused"] and page["waits"] is None and page["scene"] is None
