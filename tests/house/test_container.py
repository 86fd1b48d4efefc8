"""docs/examples/Containerfile copies all that the lab imports."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from answers.address import READ
from lessons.record import ROOT

TEXT = (ROOT / "docs" / "examples" / "Containerfile").read_text("utf-8")
COPIES = re.findall(r"^COPY (.+)$", re.sub(r"\\\n", " ", TEXT), re.MULTILINE)


def build(folder: Path) -> None:
    """Copy what the COPY lines name, as an engine does: a folder's content, and a file into a folder."""
    for sources, place in (line.rsplit(maxsplit=1) for line in COPIES):
        for source in sources.split():
            if (ROOT / source).is_dir():
                ignore = shutil.ignore_patterns("__pycache__")
                shutil.copytree(ROOT / source, folder / place, dirs_exist_ok=True, ignore=ignore)
            else:
                (folder / place).mkdir(parents=True, exist_ok=True)
                shutil.copy(ROOT / source, folder / place)


def test_copies_hold_all_that_they_import(tmp_path: Path) -> None:
    """Own packages and modules are those that stand at the root of the checkout."""
    build(tmp_path)
    own = {path.stem for path in ROOT.iterdir() if path.suffix == ".py" or any(path.glob("*.py"))}
    found = list(tmp_path.rglob("*.py"))
    assert len(found) > 100 and all((tmp_path / folder).is_dir() for folder in READ)
    for path in found:
        names = re.findall(r"^\s*(?:from|import) (\w+)", path.read_text("utf-8"), re.MULTILINE)
        for name in own.intersection(names):
            assert (tmp_path / name).is_dir() or (tmp_path / f"{name}.py").is_file(), (path, name)
