"""The front page is lesson 0 and a path: every lesson with its question and a moving picture, and the courses."""

from __future__ import annotations

import re
from xml.etree import ElementTree

from lessons import BY_KEY
from shell.page import pictures
from tests.shared import ROOT


def test_pictures_keep_to_known_colours() -> None:
    known = set(re.findall(r"--[\w-]+(?=:)", (ROOT / "assets/colours.css").read_text("utf-8")))
    for file in pictures.FOLDER.rglob("*.svg"):
        inks = re.findall(r'(?:fill|stroke)="([^"]+)"', file.read_text("utf-8"))
        assert {*inks} - {"none"} <= {f"var({name})" for name in known}, file.name


def test_thumbnails_move_and_one_frame_rests() -> None:
    own = {file.stem for file in (pictures.FOLDER / "lessons").iterdir()} - {"plain"}
    assert own <= BY_KEY.keys()
    for key in own:
        picture = ElementTree.fromstring(pictures.thumbnail(key, 'A & "B"'))
        assert (picture.get("role"), picture.get("aria-label")) == ("img", 'Thumbnail of A & "B"')
        frames = [part for part in picture if "frame" in part.get("class", "")]
        assert [part.get("style") for part in frames] == [f"--i:{i}" for i in range(12)], key
        assert sum("rest" in part.get("class") for part in frames) == 1, key
