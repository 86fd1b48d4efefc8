"""A server on a free port and a Chromium that looks at it: shared by benchmarks.browser and tests/browser."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

ROOT = Path(__file__).resolve().parent.parent
HOST = "127.0.0.1"
# As docs/examples/tvbo-lab@.service starts a server (tests/house/test_settings.py compares them).
ENVIRONMENT = {
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MALLOC_ARENA_MAX": "2",
    "MALLOC_MMAP_THRESHOLD_": "262144",
}
# No sandbox, because tests run as root in containers; and every name but this machine is unknown to it.
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    f"--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE {HOST}",
)


def chromium_path() -> str:
    """The browser to drive: CHROMIUM, or the first one on the path.

    Raises:
        RuntimeError: there is none.
    """
    found = os.environ.get("CHROMIUM") or shutil.which("chromium") or "/usr/bin/chromium"
    if not Path(found).exists():
        raise RuntimeError(f"no Chromium at {found}: install it or name it in CHROMIUM")
    return found


def free_port() -> int:
    """A port that nobody listens on now."""
    with socket.socket() as s:
        s.bind((HOST, 0))
        return s.getsockname()[1]


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *words: object) -> None:
        pass


@contextmanager
def files_of(folder: Path) -> Iterator[str]:
    """Yield the address at which the files of a folder are served."""
    with ThreadingHTTPServer((HOST, 0), partial(Quiet, directory=str(folder))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://{HOST}:{server.server_port}"
        server.shutdown()


@contextmanager
def server(command: Sequence[str], log: Path, port: int | None = None, prefix: str = "") -> Iterator[str]:
    """Run `python COMMAND --server.port N` in a server's `ENVIRONMENT` until it answers; yields its address.

    Args:
        prefix: path that the pages lie under, with a slash before it.

    Raises:
        RuntimeError: it ended or did not answer within a minute; the message holds the end of its log.
    """
    port = port or free_port()
    address = f"http://{HOST}:{port}{prefix}"
    env = os.environ | ENVIRONMENT
    with log.open("wb") as out:
        process = subprocess.Popen(
            [sys.executable, *command, "--server.port", str(port), "--server.headless", "true"],
            cwd=ROOT,
            env=env,
            stdout=out,
            stderr=subprocess.STDOUT,
        )
        try:
            _wait(process, address, log)
            yield address
        finally:
            process.terminate()
            try:
                process.wait(timeout=10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()  # one that nobody waits for is a warning in whatever runs next


def _wait(process: subprocess.Popen, address: str, log: Path) -> None:
    for _ in range(240):
        if process.poll() is not None:
            break
        try:
            with urlopen(f"{address}/_stcore/health", timeout=2):
                return
        except (URLError, OSError):
            time.sleep(0.25)
    raise RuntimeError(f"the server did not answer: {log.read_text(errors='replace')[-2000:]}")
