"""The example for nginx, loaded by nginx, with the lab behind it: `pytest -m slow tests/servers/test_nginx.py`.

Ports, names, user and the folder that stands for /var are those of this test; everything else, all limits too, is the
example's own.
"""

from __future__ import annotations

import asyncio
import getpass
import gzip
import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import AsyncExitStack, ExitStack, suppress
from email.message import Message
from pathlib import Path
from time import monotonic, sleep
from urllib.error import HTTPError, URLError
from urllib.parse import urlencode
from urllib.request import Request, urlopen
from uuid import uuid4

import pytest
from playwright.async_api import async_playwright
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidStatus

from answers.address import VERSION, release
from benchmarks import drive
from benchmarks.load import COMMAND
from benchmarks.visitor import Visitor
from lessons import BY_KEY
from shell.server import modules
from shell.stage.player import STAGE

pytestmark = pytest.mark.slow
EXAMPLE = (drive.ROOT / "docs" / "examples" / "nginx.conf").read_text(encoding="utf-8")
RECIPE = (drive.ROOT / "docs" / "hosting.md").read_text(encoding="utf-8").split("```nginx\n")[1].split("```")[0]
ALONE = """
daemon off; pid {folder}/pid; error_log {folder}/error.log; events {{ }}
http {{
    access_log off; client_body_temp_path {folder}/1; proxy_temp_path {folder}/2; fastcgi_temp_path {folder}/3;
    uwsgi_temp_path {folder}/4; scgi_temp_path {folder}/5;
    server {{ listen 127.0.0.1:{port}; {recipe} }}
}}
"""
HALL = 400  # phones, behind one address with the lecturer's machine
SESSIONS, OF_ONE_ADDRESS = 455, 450  # that the lab has here, and that the example lets one address have
BEHIND_PROXY = {"FORWARDED_ALLOW_IPS": "127.0.0.1", "MAX_SESSIONS": str(SESSIONS)}
# What Debian and its nginx bring; of Debian's nginx also where it puts what it cannot hold in memory.
FOLDERS = ("cache", "log/nginx", "lib/nginx", "run")
STARTED = """
http {{
    client_body_temp_path {var}/lib/nginx/1; proxy_temp_path {var}/lib/nginx/2; fastcgi_temp_path {var}/lib/nginx/3;
    uwsgi_temp_path {var}/lib/nginx/4; scgi_temp_path {var}/lib/nginx/5;
"""


def adapted(var: Path, lab: int, port: int) -> str:
    """The example with this test's ports and places; each change must find what it changes."""
    text = f"daemon off;\n{EXAMPLE}"
    for old, new in {
        r"server 127\.0\.0\.1:850[12];": f"server 127.0.0.1:{lab};",
        r"listen 80( default_server)?;": rf"listen 127.0.0.1:{port}\1;",
        r"server_name lab\.example\.org;": "server_name 127.0.0.1;",
        r"user www-data;": f"user {getpass.getuser()};",
        r" /var/": f" {var}/",
        r" /run/": f" {var}/run/",
        r"\nhttp \{\n": STARTED.format(var=var),
    }.items():
        text, found = re.subn(old, new, text)
        assert found, old
    return text


def program() -> str:
    nginx = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
    assert nginx, "install nginx for these tests (Debian: apt-get install nginx-light)"
    return nginx


@pytest.fixture(scope="module")
def proxy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    """The address of nginx before a server of the lab, and the folder of its logs."""
    nginx = program()
    folder, port = tmp_path_factory.mktemp("nginx"), drive.free_port()
    config, var = folder / "nginx.conf", folder / "var"
    for name in FOLDERS:
        (var / name).mkdir(parents=True)
    with pytest.MonkeyPatch.context() as patch, ExitStack() as started:
        for name, value in BEHIND_PROXY.items():
            patch.setenv(name, value)
        lab = started.enter_context(drive.server(COMMAND, folder / "lab.log"))
        config.write_text(adapted(var, int(lab.rpartition(":")[2]), port), encoding="utf-8")
        checked = subprocess.run([nginx, "-t", "-c", config, "-p", folder], capture_output=True, text=True, check=False)
        assert checked.returncode == 0, checked.stderr
        running = subprocess.Popen([nginx, "-c", config, "-p", folder], stderr=subprocess.DEVNULL)
        try:
            address = f"http://127.0.0.1:{port}"
            while answer(f"{address}/_stcore/health")[0] != 200:
                assert running.poll() is None
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


def test_page_has_headers_once_and_a_seat(proxy: tuple[str, Path]) -> None:
    status, headers = answer(proxy[0] + "/")
    assert status == 200 and headers["Content-Security-Policy"].startswith("default-src 'self'")
    assert headers["Content-Security-Policy"].count("\n") == 0
    assert re.search(r"^tvbo_seat=[0-9a-f]{32}; Path=/; HttpOnly; SameSite=Strict$", headers["Set-Cookie"], re.M)
    assert "tvbo_seat" not in answer(proxy[0] + "/", Cookie="tvbo_seat=" + "a" * 32)[1].get("Set-Cookie", "")


def test_a_foreign_name_and_measurements_are_not_answered(proxy: tuple[str, Path]) -> None:
    assert answer(proxy[0] + "/", Host="evil.example")[0] == 0
    for path in ("metrics", "agent", "agent/x"):
        assert answer(f"{proxy[0]}/_stcore/{path}")[0] == 404


async def phone(address: str, stack: AsyncExitStack) -> ClientConnection:
    """The WebSocket of one more tab, which has not asked for a page yet."""
    url = address.replace("http", "ws", 1) + "/_stcore/stream"
    tab = connect(
        url, subprotocols=["streamlit"], origin=address, compression=None, ping_interval=None, open_timeout=60
    )
    return await stack.enter_async_context(tab)


def test_hall_has_room_and_next_visitor_waits(proxy: tuple[str, Path]) -> None:
    """A hall and its lecturer; then a Chromium that is one too many, which reads why and comes in by itself."""

    async def wait_for_a_place() -> None:
        async with async_playwright() as play, AsyncExitStack() as hall:
            tabs = [await phone(proxy[0], hall) for _ in range(HALL)]
            lecturer = Visitor(proxy[0])
            await lecturer.open("Drifting_rewards")
            await lecturer.move("V", 4.0)
            await lecturer.close()
            assert lecturer.errors == []
            while len(tabs) < OF_ONE_ADDRESS:
                with suppress(InvalidStatus):  # until nginx has seen the lecturer go
                    tabs.append(await phone(proxy[0], hall))
            with pytest.raises(InvalidStatus, match="429"):
                await phone(proxy[0], hall)
            chromium = await play.chromium.launch(executable_path=drive.chromium_path(), args=list(drive.FLAGS))
            page = await chromium.new_page()
            await page.goto(f"{proxy[0]}/Drifting_rewards")
            await page.wait_for_function(
                """() => { const app = document.querySelector('.stApp'), said = app && getComputedStyle(app, '::after');
                return said?.visibility === 'visible' && said.content.includes('it tries again by itself'); }"""
            )
            await tabs.pop().close()
            await page.get_by_text(BY_KEY["drift"].question).wait_for(timeout=30_000)
            await chromium.close()

    asyncio.run(wait_for_a_place())


def test_answers_are_asked_of_the_lab_once(proxy: tuple[str, Path]) -> None:
    address, folder = proxy
    words = {"r": release(), "v": VERSION, "V": 2}
    script = f"{modules.address(STAGE)}?once"  # the browser of another test has asked for the script itself

    def cached_answers() -> int:  # answers that nginx has written to the end; a name with a dot is still being written
        return sum(one.is_file() and "." not in one.name for one in (folder / "var" / "cache").rglob("*"))

    paths = [f"film/drift?{urlencode(words)}", f"frame/drift?{urlencode(words | {'t': 30})}", script]
    for path in paths:
        asked = Request(f"{address}/{path}", headers={"Accept-Encoding": "gzip"})
        bodies, before = [], cached_answers()
        for state in ("MISS", "HIT"):  # the second is asked once the first is in the cache
            found = urlopen(asked, timeout=60)
            bodies.append(gzip.decompress(found.read()))
            assert found.headers["X-Cache"] == state and found.headers["Content-Encoding"] == "gzip", path
            assert "immutable" in found.headers["Cache-Control"]
            start = monotonic()
            while cached_answers() == before:
                assert monotonic() - start < 20.0, "nginx keeps no answer"
                sleep(0.01)
        whole = bodies[0]
        assert bodies[1] == whole
        assert urlopen(f"{address}/{path}", timeout=60).read() == whole  # for whoever reads no gzip


@pytest.mark.wide
def test_lab_works_below_a_prefix(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The recipe of docs/hosting.md: a page with its film, a slider, and a script by its address."""
    nginx, port, prefix = program(), drive.free_port(), "/lab"
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", "127.0.0.1")

    async def visit() -> tuple[list[str], str]:
        tab = Visitor(f"http://127.0.0.1:{port}{prefix}")
        await tab.open("Drifting_rewards")
        await tab.move("V", 4.0)
        await tab.close()
        return tab.errors, " ".join(tab.texts)

    command = (*COMMAND, "--server.baseUrlPath", prefix.strip("/"))
    with drive.server(command, tmp_path / "lab.log", prefix=prefix) as lab:
        recipe, found = re.subn(r"127\.0\.0\.1:8501", lab.split("/")[2], RECIPE)
        assert found == 1
        (tmp_path / "nginx.conf").write_text(ALONE.format(folder=tmp_path, port=port, recipe=recipe), encoding="utf-8")
        running = subprocess.Popen([nginx, "-c", tmp_path / "nginx.conf", "-p", tmp_path], stderr=subprocess.DEVNULL)
        try:
            while answer(f"http://127.0.0.1:{port}{prefix}/_stcore/health")[0] != 200:
                assert running.poll() is None
                sleep(0.05)
            errors, said = asyncio.run(visit())
            assert errors == [] and BY_KEY["drift"].question in said
            assert answer(f"http://127.0.0.1:{port}{prefix}/{modules.address('speaker/button.js')}")[0] == 200
        finally:
            running.terminate()
            running.wait(10)


def test_lab_hears_who_asks() -> None:
    """A location of nginx that sends a header of its own sends none of its server's."""
    server, *locations = re.split(r"\n    location ", EXAMPLE.rpartition("\nserver {")[2])
    told = [name for name in ("Host", "X-Forwarded-For", "X-Forwarded-Proto") if f"proxy_set_header {name} " in server]
    assert len(told) == 3
    for location in locations:
        if "proxy_set_header" in location:
            for name in told:
                assert re.search(rf"proxy_set_header {name} \S+;", location), location


def test_uploads_are_limited_and_logs_hold_no_id(proxy: tuple[str, Path]) -> None:
    address, folder = proxy
    session = str(uuid4())
    put = f"{address}/_stcore/upload_file/{session}/{uuid4()}"
    assert answer(put, "PUT", bytes(12_000_000))[0] == 413
    found = [answer(put, "PUT", b"x")[0] for _ in range(40)]
    assert found.count(429) >= 15 and 204 not in found  # a session that does not exist takes nothing
    sleep(0.2)
    log = "".join((folder / "var" / "log" / "nginx" / name).read_text() for name in ("tvbo.log", "tvbo-error.log"))
    assert session not in log and "/_stcore/upload_file/-" in log
