"""Rules beyond import-linter and ruff (pyproject.toml): writes into Streamlit, the picture of the rooms, paths.

Which room imports which is `lint-imports`' to check; private names of a framework are ruff's.
"""

from __future__ import annotations

import re
import subprocess
import tomllib
from graphlib import TopologicalSorter
from pathlib import Path
from xml.etree import ElementTree

from grimp import build_graph

from lessons.record import ROOT

ROOMS = ("tvbo_core", "common", "figures", "lessons", "answers", "shell", "pages", "app.py", "home.py")
SVG = "{http://www.w3.org/2000/svg}"


def sources() -> dict[str, str]:
    """Return the source of every Python file of the rooms by its path."""
    files = [p for room in ROOMS for p in ((ROOT / room).rglob("*.py") if "." not in room else [ROOT / room])]
    return {p.relative_to(ROOT).as_posix(): p.read_text(encoding="utf-8") for p in sorted(files)}


def test_picture_of_rooms_shows_their_imports() -> None:
    picture = ElementTree.parse(ROOT / "docs" / "rooms.svg")
    boxes = [group.get("data-rooms", "").split() for group in picture.iter(f"{SVG}g") if group.get("data-rooms")]
    box = {room: i for i, rooms in enumerate(boxes) for room in rooms}
    assert sorted(box) == sorted(ROOMS)
    found = set()
    for path, source in sources().items():
        for room in re.findall(r"^\s*(?:from|import) (\w+)", source, flags=re.MULTILINE):
            if room in box and box[room] != box[path.split("/")[0]]:
                found.add((box[path.split("/")[0]], box[room]))
    arrows = [path.get("data-imports", "") for path in picture.iter(f"{SVG}path")]
    drawn = {tuple(box[end.split()[0]] for end in arrow.split(" > ")) for arrow in arrows if arrow}
    assert drawn == found


def test_no_file_names_one_machine() -> None:
    needles = ["/" + name + "/" for name in ("work", "tmp", "root")] + ["." + "library"]
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True)
    for name in listed.stdout.splitlines():
        if Path(name).suffix in {".py", ".md", ".toml", ".txt", ".js", ".css", ".html", ".json", ""}:
            text = (ROOT / name).read_text(encoding="utf-8", errors="replace") if (ROOT / name).is_file() else ""
            assert [n for n in needles if n in text] == [], name


def test_every_folder_is_collected_without_a_path() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["pytest"]["ini_options"]
    folders = {f"tests/{path.relative_to(ROOT / 'tests').parts[0]}" for path in (ROOT / "tests").rglob("test_*.py")}
    assert {*settings["testpaths"]} == folders - {"tests/browser", "tests/newcomers", "tests/servers"}


def test_no_file_of_the_shell_imports_itself_through_others() -> None:
    """A script that imports such a file first fails; between rooms of the shell circles are allowed, so no contract."""
    graph = build_graph("shell", exclude_type_checking_imports=True)
    TopologicalSorter({one: graph.find_modules_directly_imported_by(one) for one in graph.modules}).prepare()
