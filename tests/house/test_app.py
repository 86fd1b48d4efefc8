"""The server's start: the pages' modules are there, their objects are out of the collector's way, and that is all."""

from __future__ import annotations

import socket
import subprocess
import sys
from pathlib import Path

import pytest

from lessons.record import ROOT

START = """
import asyncio, gc, sys
before = gc.get_threshold(), sys.getswitchinterval(), gc.isenabled()
import app
async def start():
    assert gc.get_freeze_count() == 0
    async with app.lifespan(app.app):
        assert gc.get_freeze_count() > 100_000, gc.get_freeze_count()
        assert (gc.get_threshold(), sys.getswitchinterval(), gc.isenabled()) == before
        wanted = {"plotly.graph_objects", "pandas", "scipy.linalg", "figures.film", "lessons", "shell.page.frame"}
        assert wanted <= set(sys.modules), wanted - set(sys.modules)
asyncio.run(start())
"""


@pytest.mark.slow
def test_heap_is_frozen_after_the_pages_modules() -> None:
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", START], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]


def last_line(before: str) -> str:
    """Return the last line of a start that ends, after this was done in the same process."""
    start = f"import os, streamlit, sys; {before}; import app"
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", start], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 1 and "Traceback" not in done.stderr, done.stderr[-2000:]
    return done.stderr.splitlines()[-1]


@pytest.mark.slow
def test_start_that_fails_ends_in_one_sentence() -> None:
    said = last_line("sys.version_info = (3, 10, 2)")
    assert said.startswith("The lab needs Python 3.11 or newer, and this is 3.10:")
    said = last_line("sys.modules['cachetools'] = None")  # as if it were not installed
    assert said.startswith("The package cachetools is not installed here: run ") and "requirements.txt" in said
    assert last_line("sys.argv = ['app.py', '--with', 'none.py@Mine']").startswith("none.py is no Python file here:")
    assert "FRAME_ANCESTORS" in last_line("os.environ['FRAME_ANCESTORS'] = 'a; b'")
    said = last_line("os.environ['MAX_SESSIONS'] = 'many'")
    assert said.startswith("MAX_SESSIONS is ") and said.endswith("got many")


@pytest.mark.slow
def test_secrets_are_read_before_all_else(tmp_path: Path) -> None:
    secrets = tmp_path / "secrets.toml"
    for text, said in (
        ("TVBO_WITH = 'none.py@Mine'", "none.py is no Python file here:"),
        ("GAME_SALT = 'short'", "GAME_SALT must have at least "),
        ("TVBO_DATABASE_URL = 'rooms.db'", "TVBO_DATABASE_URL must be "),
    ):
        secrets.write_text(text)
        assert last_line(f"streamlit.config.set_option('secrets.files', ['{secrets}'])").startswith(said)


@pytest.mark.slow
def test_wrong_file_is_said_before_any_address(tmp_path: Path) -> None:
    """Streamlit's own line would name an address at which nothing ever answers."""
    (tmp_path / "mine.py").write_text("def (")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", str(port)]
    done = subprocess.run(
        [*command, "--", "--with", f"{tmp_path}/mine.py@Mine"], cwd=ROOT, capture_output=True, text=True, timeout=60
    )
    said = done.stdout + done.stderr
    assert done.returncode and said.strip() == "mine.py cannot be run: SyntaxError: invalid syntax (mine.py, line 1)"
