"""Node.js, which runs the scripts of assets/ without a browser."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest


def node(*arguments: object, text: str | None = None, cwd: Path | None = None) -> str:
    """Return what `node ARGUMENTS` prints; a test fails where it fails, or where it is not installed.

    Args:
        text: what it reads from its standard input.
        cwd: the folder that it runs in.
    """
    program = shutil.which("node")
    if program is None:
        pytest.fail("Node.js 20 or newer is not installed; the scripts in assets/ are tested with it (package nodejs).")
    command = [program, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, input=text, check=False, cwd=cwd)
    if done.returncode:
        pytest.fail(f"node {' '.join(map(str, arguments))}\n{done.stdout}{done.stderr}", pytrace=False)
    return done.stdout
