"""Write the lab's texts to build/words for `npm run words`: what the baseline says is on screen, and all docstrings."""

from __future__ import annotations

import ast
import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
OUT = ROOT / "build" / "words"
TAG = re.compile(r"<[^<>]+>")
NO_WORDS = re.compile(r"^(?:==|state|script|times|\S+ facts|frame \d+ \S+\.[xy]:)")


def screen() -> list[str]:
    """Return the lines of the approved baseline that hold words, each once."""
    files = sorted((ROOT / "tests" / "baseline" / "expected").glob("*.txt"))
    lines = {TAG.sub("", line) for one in files for line in one.read_text(encoding="utf-8").splitlines()}
    return sorted(line for line in lines if not NO_WORDS.match(line))


def docstrings() -> list[str]:
    """Return the docstrings of all tracked modules, each behind its file."""
    tracked = subprocess.run(["git", "ls-files", "*.py"], cwd=ROOT, capture_output=True, text=True, check=True)
    found = []
    for name in tracked.stdout.splitlines():
        for node in ast.walk(ast.parse((ROOT / name).read_text(encoding="utf-8"))):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                text = ast.get_docstring(node)
                found += [f"{name}: {text}"] if text else []
    return found


if __name__ == "__main__":
    OUT.mkdir(parents=True, exist_ok=True)
    (OUT / "screen.txt").write_text("\n\n".join(screen()), encoding="utf-8")
    (OUT / "docstrings.txt").write_text("\n\n".join(docstrings()), encoding="utf-8")
