"""The check under the newest Python: it takes the newest released one, and says so in one line where none is newer."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def ran(folder: Path, **pythons: str) -> subprocess.CompletedProcess[str]:
    """Run the check on a path with these Pythons before all others: name -> minor version that it says it has."""
    for name, minor in pythons.items():
        file = folder / name.replace("_", ".")
        file.write_text(f'#!/bin/sh\n[ "$1" = -c ] && echo {minor} || {{ echo "made by 3.{minor}: $*"; exit 3; }}\n')
        file.chmod(0o755)
    uv = folder / "uv"  # that fetches nothing and says so to nobody
    uv.write_text("#!/bin/sh\n")
    uv.chmod(0o755)
    path = f"{folder}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        ["bash", ROOT / ".ci" / "newest-python", "tests/test_x.py"],
        capture_output=True,
        text=True,
        env={**os.environ, "PATH": path, "PYENV_ROOT": str(folder)},
    )


def test_newest_released_python_makes_the_environment(tmp_path: Path) -> None:
    done = ran(tmp_path, python3="11", python3_97="97", python3_98="98", python3_99="0")  # 3.99 is no release yet
    assert done.returncode == 3 and "made by 3.98: -m venv --clear .venv-newest" in done.stdout
    assert done.stdout.splitlines()[0].endswith("-m pytest -n auto tests/test_x.py")


def test_no_newer_python_prints_one_line(tmp_path: Path) -> None:
    done = ran(tmp_path, python3="99")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "No Python newer than 3.99 is installed here: nothing more was tested.\n"
