"""The example for nginx, loaded by nginx, with the lab behind it: `python -m pytest -m nginx tests/test_nginx.py`.

Ports, names, places of files, waits and two limits are those of this test; everything else is the example's own.
"""

from __future__ import annotations

import asyncio
import re
import shutil
import socket
import subprocess
from collections.abc import Iterator
from email.message import Message
from pathlib import Path
from time import monotonic, sleep
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen
from uuid import uuid4

import pytest

from benchmarks import drive
from benchmarks.load import COMMAND
from benchmarks.visitor import Dropped, Visitor

pytestmark = pytest.mark.nginx
EXAMPLE = (drive.ROOT / "docs" / "examples" / "nginx.conf").read_text(encoding="utf-8")
SESSIONS, HEADER_SECONDS = 4, 1.0
WHOLE = """
daemon off; master_process off; pid {folder}/pid; error_log {folder}/start.log;
events {{ worker_connections 512; }}
http {{
    client_body_temp_path {folder}/1; proxy_temp_path {folder}/2; fastcgi_temp_path {folder}/3;
    uwsgi_temp_path {folder}/4; scgi_temp_path {folder}/5;
    {example}
}}
"""


def adapted(folder: Path, lab: int, port: int) -> str:
    """The example with this test's ports, places and waits; each change must find what it changes."""
    text = EXAMPLE
    for old, new in {
        r"server 127\.0\.0\.1:850[12];": f"server 127.0.0.1:{lab};",
        r"listen 80( default_server)?;": rf"listen 127.0.0.1:{port}\1;",
        r"server_name lab\.example\.org;": "server_name 127.0.0.1;",
        r"/var/log/nginx/": f"{folder}/",
        r"client_header_timeout 10s;": f"client_header_timeout {HEADER_SECONDS:g}s;",
        r"tvbo_sessions 120;": f"tvbo_sessions {SESSIONS};",
    }.items():
        text, found = re.subn(old, new, text)
        assert found, old
    return WHOLE.format(folder=folder, example=text)


@pytest.fixture(scope="module")
def proxy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    """The address of nginx before a server of the lab, and the folder of its logs."""
    nginx = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
    assert nginx, "install nginx for these tests (Debian: apt-get install nginx-light)"
    folder, port = tmp_path_factory.mktemp("nginx"), drive.free_port()
    config = folder / "nginx.conf"
    with drive.server(COMMAND, folder / "lab.log") as lab:
        config.write_text(adapted(folder, int(lab.rpartition(":")[2]), port), encoding="utf-8")
        checked = subprocess.run([nginx, "-t", "-c", config, "-p", folder], capture_output=True, text=True, check=False)
        assert checked.returncode == 0, checked.stderr
        running = subprocess.Popen([nginx, "-c", config, "-p", folder], stderr=subprocess.DEVNULL)
        try:
            address = f"http://127.0.0.1:{port}"
            for _ in range(100):
                if answer(f"{address}/_stcore/health")[0] == 200:
                    break
                sleep(0.05)
            yield address, folder
        finally:
            running.terminate()
            running.wait(10)


def answer(url: str, method: str = "GET", body: bytes | None = None, **headers: str) -> tuple[int, dict[str, str]]:
    """Status and headers; 0 where the connection was closed without an answer."""
    try:
        with urlopen(Request(url, body, headers, method=method), timeout=10) as found:
            return found.status, joined(found.headers)
    except HTTPError as found:
        return found.code, joined(found.headers)
    except (URLError, OSError):
        return 0, {}


def joined(headers: Message) -> dict[str, str]:
    """Each header once; several of one name with a line between."""
    return {name.title(): "\n".join(headers.get_all(name)) for name in headers}


def test_a_page_comes_with_its_headers_once_and_a_seat(proxy: tuple[str, Path]) -> None:
    status, headers = answer(proxy[0] + "/")
    assert status == 200 and headers["Content-Security-Policy"].startswith("default-src 'self'")
    assert headers["Content-Security-Policy"].count("\n") == 0
    assert re.search(r"^tvbo_seat=[0-9a-f]{32}; Path=/; HttpOnly; SameSite=Strict$", headers["Set-Cookie"], re.M)
    assert "tvbo_seat" not in answer(proxy[0] + "/", Cookie="tvbo_seat=" + "a" * 32)[1].get("Set-Cookie", "")


def test_a_session_runs_through_it(proxy: tuple[str, Path]) -> None:
    async def visit() -> list[str]:
        tab = Visitor(proxy[0])
        await tab.open("Drifting_rewards")
        await tab.move("V", 4.0)
        await tab.close()
        return tab.errors

    assert asyncio.run(visit()) == []


def test_a_foreign_name_and_measurements_are_not_answered(proxy: tuple[str, Path]) -> None:
    assert answer(proxy[0] + "/", Host="evil.example")[0] == 0
    for path in ("metrics", "agent", "agent/x"):
        assert answer(f"{proxy[0]}/_stcore/{path}")[0] == 404


def test_an_address_has_so_many_sessions_and_no_more(proxy: tuple[str, Path]) -> None:
    async def crowd() -> int:
        tabs, came = [Visitor(proxy[0], patience=10) for _ in range(SESSIONS + 3)], 0
        for tab in tabs:
            try:
                await tab.connect()
                came += 1
            except Dropped:
                pass
        for tab in tabs:
            await tab.close()
        return came

    assert asyncio.run(crowd()) == SESSIONS


def test_uploads_are_limited_in_size_and_rate_and_no_id_stands_in_the_log(proxy: tuple[str, Path]) -> None:
    address, folder = proxy
    session = str(uuid4())
    put = f"{address}/_stcore/upload_file/{session}/{uuid4()}"
    assert answer(put, "PUT", bytes(12_000_000))[0] == 413
    found = [answer(put, "PUT", b"x")[0] for _ in range(40)]
    assert found.count(429) >= 15 and 204 not in found  # a session that does not exist takes nothing
    sleep(0.2)
    log = (folder / "tvbo.log").read_text() + (folder / "tvbo-error.log").read_text()
    assert session not in log and "/_stcore/upload_file/-" in log


def test_who_sends_a_request_byte_by_byte_is_not_waited_for(proxy: tuple[str, Path]) -> None:
    host, port = proxy[0].removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=20) as slow:
        began = monotonic()
        slow.sendall(b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ")
        slow.recv(1000)  # nginx closes it (or answers 408)
        assert HEADER_SECONDS * 0.5 < monotonic() - began < HEADER_SECONDS + 10
