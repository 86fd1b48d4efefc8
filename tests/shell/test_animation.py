"""Animations from a shell: which film is meant, and one sentence for everything that keeps it from being made."""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from lessons import BY_KEY, LESSONS, __main__
from lessons.record import Lesson
from shell.export import animation
from tests.shared import ROOT

FILMED = [lesson for lesson in LESSONS if lesson.scene]
ASKING = [lesson for lesson in FILMED if lesson.bet and lesson.until]


def run(out: Path, *words: str, path: str) -> subprocess.CompletedProcess:
    """Run `python -m lessons animation WORDS --out OUT` with programs on this path alone."""
    command = [sys.executable, "-m", "lessons", "animation", *words, "--out", str(out)]
    env = os.environ | {"PATH": path}
    return subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False)


def test_a_moment_is_named_by_its_key_or_its_number_and_nothing_means_the_opening() -> None:
    for number, lesson in enumerate(LESSONS):
        for place, moment in enumerate(lesson.moments if lesson.scene else (), start=1):
            by_key, by_number = (animation.entry(lesson.key, name, LESSONS) for name in (moment.key, str(place)))
            assert by_key.moment is by_number.moment is moment and by_key.lesson_number == number
    opening = animation.entry("bands", None, LESSONS)
    assert opening.moment.values == {} and opening.moment.t == BY_KEY["bands"].t and not opening.of_bet


@pytest.mark.parametrize("lesson", ASKING, ids=lambda lesson: lesson.key)
def test_the_film_of_a_bet_is_that_of_its_question(lesson: Lesson) -> None:
    wanted = animation.entry(lesson.key, "bet", LESSONS)
    assert wanted.of_bet and wanted.moment.t == lesson.bet.opens
    scene = wanted.scene()
    assert scene.start == scene.frames - 1 and "until" in scene.state  # it ends where it is asked
    assert set(scene.sentences()) == {""} and scene.caption == ""  # no word of the answer


@pytest.mark.parametrize(
    ("lesson", "moment", "named"),
    [
        ("nothing", None, ("“nothing”", "bands", "chase")),
        ("game", None, ("“game”", "bands")),  # a game is played, it has no film
        ("bands", "gone", ("“gone”", *(moment.key for moment in BY_KEY["bands"].moments))),
        ("bands", "0", ("“0”", "1 ")),
        ("bands", "99", ("“99”",)),
    ],
)
def test_a_film_that_is_not_there_is_named_beside_those_that_are(
    lesson: str, moment: str | None, named: tuple[str, ...], capsys: pytest.CaptureFixture, tmp_path: Path
) -> None:
    out = tmp_path / "film.gif"
    words = ["animation", lesson, "--out", str(out), *(["--moment", moment] if moment else [])]
    assert __main__.main(words) == 2
    told = capsys.readouterr().err
    assert all(word in told for word in named) and told.count("\n") == 1 and not out.exists()


def test_a_file_that_is_no_animation_is_refused_before_anything_is_computed(
    capsys: pytest.CaptureFixture, tmp_path: Path
) -> None:
    assert __main__.main(["animation", "bands", "--out", str(tmp_path / "bands.png")]) == 2
    assert re.fullmatch(r"“.*bands\.png” is no animation: .*\.gif, \.webm or \.mp4\.\n", capsys.readouterr().err)


def test_without_a_browser_one_sentence_says_so_and_the_exit_code_is_2(tmp_path: Path) -> None:
    done = run(tmp_path / "bands.gif", "bands", path=str(tmp_path))
    assert done.returncode == 2 and done.stdout == ""
    assert done.stderr.count("\n") == 1 and "Chromium or Chrome" in done.stderr and "--browser" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_named_browser_that_is_none_is_repeated(tmp_path: Path) -> None:
    done = run(tmp_path / "bands.gif", "bands", "--browser", "nowhere", path=os.environ["PATH"])
    assert done.returncode == 2 and "“nowhere” is none" in done.stderr and done.stderr.count("\n") == 1


def test_a_browser_that_ends_at_once_leaves_one_sentence_and_no_file(tmp_path: Path) -> None:
    (broken := tmp_path / "browser").write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
    broken.chmod(0o755)
    done = run(tmp_path / "rperp.gif", "rperp", "--browser", str(broken), path=os.environ["PATH"])
    assert done.returncode == 2 and "ended before the animation was made" in done.stderr
    assert done.stderr.count("\n") == 1 and list(tmp_path.iterdir()) == [broken]


def test_a_caption_cannot_end_the_script_that_it_stands_in(monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = animation.entry("rperp", None, LESSONS)
    page = wanted.page(wanted.scene())
    page.caption = "</script><script>alert(1)</script>"
    kind, html = animation._files(page, next(iter(page.charts)), "gif")["/"]
    assert kind == "text/html" and html.decode().count("</script>") == 2  # plotly.js, and the page's own


@pytest.mark.parametrize(("name", "licence"), [(animation.GIFENC, "MIT"), (animation.MEDIABUNNY, "MPL-2.0")])
def test_an_encoder_is_the_one_that_the_list_of_third_parties_names_and_has_its_licence_beside_it(
    name: str, licence: str
) -> None:
    file = ROOT / "assets" / name
    line = next(
        line for line in (ROOT / "THIRD_PARTY.md").read_text(encoding="utf-8").splitlines() if file.name in line
    )
    assert hashlib.sha256(file.read_bytes()).hexdigest()[:16] in line and licence in line
    words = (file.parent / "LICENSE.md").read_text(encoding="utf-8")
    assert words.startswith({"MIT": "The MIT License", "MPL-2.0": "Mozilla Public License Version 2.0"}[licence])
