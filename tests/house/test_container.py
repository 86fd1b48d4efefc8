"""docs/examples/Containerfile starts the lab: its own COPY, ENV, HEALTHCHECK and CMD, in an empty folder."""

from __future__ import annotations

import asyncio
import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from benchmarks import drive
from benchmarks.visitor import Visitor
from lessons import BY_KEY, LESSONS
from lessons.record import Lesson

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "docs" / "examples" / "Containerfile").read_text("utf-8")
LINES = [line.split(maxsplit=1) for line in re.sub(r"\\\n", " ", TEXT).splitlines() if re.match("[A-Z]", line)]
BIN = Path(sys.executable).parent


def of(instruction: str) -> list[str]:
    """Return what stands after each instruction of this name."""
    return [rest for name, rest in LINES if name == instruction]


def command(text: str) -> list[str]:
    """Return the words of a command in JSON form."""
    return json.loads(text[text.index("[") :])


def build(folder: Path) -> None:
    """Copy what the COPY lines name, as an engine does: a folder's content, and a file into a folder."""
    for sources, place in (line.rsplit(maxsplit=1) for line in of("COPY")):
        for source in sources.split():
            if (ROOT / source).is_dir():
                ignore = shutil.ignore_patterns("__pycache__")
                shutil.copytree(ROOT / source, folder / place, dirs_exist_ok=True, ignore=ignore)
            else:
                (folder / place).mkdir(parents=True, exist_ok=True)
                shutil.copy(ROOT / source, folder / place)


def environment() -> dict[str, str]:
    """Return the ENV lines, beside a path that has this Python first: nothing else of this process."""
    given = dict(word.split("=", 1) for line in of("ENV") for word in line.split())
    return {**given, "PATH": f"{BIN}{os.pathsep}/usr/bin"}


def at_port(text: str, port: int) -> list[str]:
    """Return the words of a command with another port."""
    assert "8501" in text
    return command(text.replace("8501", str(port)))


def healthy(folder: Path, port: int) -> bool:
    (check,) = of("HEALTHCHECK")
    words = at_port(check, port)
    return subprocess.run(words, cwd=folder, env=environment(), capture_output=True, timeout=30).returncode == 0


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("container")
    build(folder)
    return folder


@pytest.fixture(scope="module")
def port(tree: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """Port of a server that the CMD line started in the tree, with a setting among Streamlit's secrets."""
    (tree / ".streamlit" / "secrets.toml").write_text('ALLOWED_HOSTS = "lab.example.org"\n')
    free, log = drive.free_port(), tmp_path_factory.mktemp("log") / "server.log"
    assert not healthy(tree, free)  # nothing listens there yet
    (cmd,) = of("CMD")
    with log.open("wb") as out:
        running = subprocess.Popen(at_port(cmd, free), cwd=tree, env=environment(), stdout=out, stderr=out)
    try:
        end = time.monotonic() + 120
        while not healthy(tree, free):
            assert running.poll() is None and time.monotonic() < end, log.read_text()[-2000:]
            time.sleep(0.2)
        yield free
    finally:
        running.terminate()
        running.wait(10)


def test_copies_hold_all_that_they_import(tree: Path) -> None:
    """Own packages and modules are those that stand at the root of the checkout."""
    own = {path.stem for path in ROOT.iterdir() if path.suffix == ".py" or any(path.glob("*.py"))}
    for path in tree.rglob("*.py"):
        names = re.findall(r"^\s*(?:from|import) (\w+)", path.read_text("utf-8"), re.MULTILINE)
        for name in own.intersection(names):
            assert (tree / name).is_dir() or (tree / f"{name}.py").is_file(), (path, name)


def visits(port: int, lessons: Sequence[Lesson]) -> dict[str, list[str]]:
    """Return the errors of these pages by lesson; a page is through once its film has come."""

    async def visit(lesson: Lesson) -> list[str]:
        tab = Visitor(f"http://127.0.0.1:{port}")
        await tab.open("" if lesson is LESSONS[0] else Path(lesson.file).stem)
        await tab.close()
        return tab.errors if lesson.question in " ".join(tab.texts) else [*tab.errors, "the question is missing"]

    async def all_visits() -> dict[str, list[str]]:
        return {lesson.key: await visit(lesson) for lesson in lessons}

    return asyncio.run(all_visits())


@pytest.mark.slow
def test_front_page_and_film_come_from_copies(port: int) -> None:
    assert visits(port, (LESSONS[0], BY_KEY["drift"])) == {LESSONS[0].key: [], "drift": []}
