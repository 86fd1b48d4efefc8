"""The Pyodide that tests use: TVBO_PYODIDE, a folder beside the checkout, or the published one."""

from __future__ import annotations

import hashlib
import os
import urllib.request
from pathlib import Path

import pytest

from lessons.record import ROOT
from shell.static import engine

BESIDE = ROOT.parent / "shared" / "pyodide"


def folder(into: Path) -> Path:
    """Return the folder; the published files are fetched into `into` once, and a test fails where they do not come."""
    for one in (os.environ.get("TVBO_PYODIDE"), BESIDE):
        if one and (Path(one) / "pyodide.mjs").exists():
            return Path(one)
    found = engine.published()
    into.mkdir(parents=True, exist_ok=True)
    for name, expected in found.files.items():
        core = name in engine.CORE
        try:
            with urllib.request.urlopen(f"{found.core if core else found.packages}{name}") as got:
                content = got.read()
        except OSError as problem:
            pytest.fail(f"There is no Pyodide to test with: name its folder in TVBO_PYODIDE ({name}: {problem}).")
        assert hashlib.sha256(content).hexdigest() == expected, name
        (into / name).write_bytes(content)
    return into
