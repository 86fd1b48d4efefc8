"""Animations from a shell: which film is meant, and one sentence for everything that keeps it from being made."""

from __future__ import annotations

import os
import re
from dataclasses import replace
from pathlib import Path

import pytest

from lessons import BY_KEY, LESSONS, __main__
from shell.static import animation

ASKING = [lesson for lesson in LESSONS if lesson.scene and lesson.bet and lesson.question_scene]


def test_film_of_a_bet_is_its_question() -> None:
    for lesson in ASKING:
        wanted = animation.wanted(lesson.key, "bet", LESSONS)
        assert wanted.until == wanted.t == lesson.bet.opens
        scene = wanted.scene
        assert scene.start == scene.frames - 1 and "until" in scene.state, lesson.key  # it ends where it is asked
        assert set(scene.sentences()) == {""} and scene.caption == ""  # no word of the answer


def test_missing_film_or_form_is_one_sentence(capsys: pytest.CaptureFixture, tmp_path: Path) -> None:
    for lesson, moment, named in (
        ("nothing", None, ("“nothing”", "bands", "chase")),
        ("game", None, ("“game”", "bands")),  # a game is played, it has no film
        ("bands", "gone", ("“gone”", *(moment.key for moment in BY_KEY["bands"].moments))),
        ("bands", "0", ("“0”", "1 ")),
        ("bands", "99", ("“99”",)),
    ):
        words = ["animation", lesson, "--out", str(tmp_path / "film.gif"), *(["--moment", moment] if moment else [])]
        assert __main__.main(words) == 2
        told = capsys.readouterr().err
        assert all(word in told for word in named) and told.count("\n") == 1, (lesson, moment)
    assert __main__.main(["animation", "bands", "--out", str(tmp_path / "bands.png")]) == 2
    assert re.fullmatch(r"“.*bands\.png” is no animation: .*\.gif, \.webm or \.mp4\.\n", capsys.readouterr().err)
    assert list(tmp_path.iterdir()) == []


def test_missing_or_broken_browser_is_one_sentence(
    capsys: pytest.CaptureFixture, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (broken := tmp_path / "browser").write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
    broken.chmod(0o755)
    for path, more, said in (
        (str(tmp_path / "empty"), (), ("Chromium or Chrome", "--browser")),
        (os.environ["PATH"], ("--browser", "nowhere"), ("“nowhere” is none",)),
        (os.environ["PATH"], ("--browser", str(broken)), ("ended before the animation was made",)),
    ):
        monkeypatch.setenv("PATH", path)
        assert __main__.main(["animation", "rperp", *more, "--out", str(tmp_path / "rperp.gif")]) == 2
        told = capsys.readouterr()
        assert told.out == "" and told.err.count("\n") == 1 and all(word in told.err for word in said)
        assert list(tmp_path.iterdir()) == [broken]


def test_caption_cannot_end_its_script() -> None:
    wanted = animation.wanted("rperp", None, LESSONS)
    nasty = replace(wanted, shown=replace(wanted.scene, caption="</script><script>alert(1)</script>"))
    kind, html = animation._files(nasty, "gif")["/"]
    assert kind == "text/html" and html.decode().count("</script>") == 2  # plotly.js, and the page's own
