"""The samples that CI runs name tests that exist, and no folder is left out."""

from __future__ import annotations

import tomllib
from pathlib import Path

from tests.conftest import CASES


def test_every_test_that_walks_is_one_test() -> None:
    texts = [path.read_text(encoding="utf-8") for path in Path(__file__).parents[1].rglob("test_*.py")]
    assert {name: sum(f"def {name}(" in text for text in texts) for name in CASES} == dict.fromkeys(CASES, 1)


def test_every_folder_is_collected_without_a_path() -> None:
    root = Path(__file__).parents[2]
    listed = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["tool"]["pytest"]["ini_options"]["testpaths"]
    folders = {f"tests/{path.relative_to(root / 'tests').parts[0]}" for path in (root / "tests").rglob("test_*.py")}
    assert {*listed} == folders - {"tests/browser", "tests/newcomers"}
