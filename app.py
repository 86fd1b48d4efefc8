"""The server: `streamlit run app.py` serves home.py and the pages beside it."""

import asyncio
import gc
import os
import shlex
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import streamlit as st

# A host may keep settings as Streamlit's secrets (docs/hosting.md): those at the top become environment variables,
# which modules read while they are imported.
st.secrets.load_if_toml_exists()
OURS = ("answers", "common", "figures", "lessons", "shell", "tvbo_core")
# What the server is started with: `streamlit run app.py -- --with mine.py@Greedy -S window=20 --with my_course.toml`
# (docs/core.md, docs/in-the-hall.md).
try:
    WITH = shlex.split(f"--with {os.environ['TVBO_WITH']}") if os.environ.get("TVBO_WITH") else []
except ValueError as problem:
    raise SystemExit(
        f"TVBO_WITH is read as a shell reads words, and a quotation mark has no partner ({problem}): write a name "
        "with an apostrophe in double quotation marks."
    ) from None
WITH += sys.argv[1:] if Path(sys.argv[0]).name == "app.py" else []  # another server has words of its own

if sys.version_info < (3, 11):  # noqa: UP036  (an older one gets this sentence, not a traceback)
    raise SystemExit(
        f"The lab needs Python 3.11 or newer, and this is {sys.version_info[0]}.{sys.version_info[1]}: make the "
        "environment anew with a newer one (README.md, Run it)."
    )
try:
    import pandas  # noqa: F401  (with the next three nearly everything that the pages import)
    from starlette.formparsers import MultiPartParser
    from starlette.middleware import Middleware

    from lessons import guests

    guests.start(WITH)
    from lessons import LESSONS
    from shell.hall.course.own import add_courses
    from shell.hall.room.database import RoomError
    from shell.hall.room.room import ROOMS
    from shell.hall.room.routes import Hall
    from shell.hall.speaker import routes as speaker_routes
    from shell.page import lesson_page  # noqa: F401
    from shell.runs.runs import RUNS
    from shell.server import modules
    from shell.server.browsers import BrowserCookie
    from shell.server.compression import CompressedFiles
    from shell.server.frames import FrameCheck
    from shell.server.headers import SecurityHeaders, below, security_headers
    from shell.server.inject_style import SHEETS, PageStyle
    from shell.server.limits import (
        MAX_FILE_BYTES,
        MetricsGuard,
        SessionLimit,
        UploadQuota,
        check_proxies,
        most_sessions,
    )
    from shell.server.logs import close_log, say_amiss
    from shell.server.origins import OriginCheck, allowed_hosts
    from shell.server.page_names import PageNames
    from shell.server.scripts import plain_script, text
    from shell.stage.films import Films
except ModuleNotFoundError as missing:
    if missing.name is None or missing.name.split(".")[0] in OURS:
        raise
    raise SystemExit(
        f"The package {missing.name.split('.')[0]} is not installed here: run {sys.executable} -m pip install "
        "-r requirements.txt, then start again."
    ) from None
except ValueError as problem:
    raise SystemExit(str(problem)) from None


def lab_address() -> str:
    """Return the address that a browser on this machine opens."""
    scheme = "https" if st.get_option("server.sslCertFile") else "http"
    host, port = st.get_option("browser.serverAddress"), st.get_option("server.port")
    return "/".join(filter(None, (f"{scheme}://{host}:{port}", st.get_option("server.baseUrlPath").strip("/"))))


async def sweep_rooms() -> None:
    """Delete rooms whose time is over, now and every ten minutes."""
    while True:
        with suppress(RoomError):  # a database that does not answer is said where a room is opened
            await asyncio.to_thread(ROOMS.sweep)
        await asyncio.sleep(600)


@asynccontextmanager
async def lifespan(_: st.App) -> AsyncIterator[None]:
    """Start and end of the server."""
    gc.collect()
    gc.freeze()  # modules live as long as the server: no later collection walks them
    close_log()
    print(
        f"The lab is at {lab_address()}"
    )  # Streamlit's own line comes before this file is run (.streamlit/config.toml)
    sweeping = asyncio.create_task(sweep_rooms())
    yield
    sweeping.cancel()
    RUNS.close()


# An upload stays in memory on its way in, where it ends up anyway: a full disk for temporary files cuts none off.
MultiPartParser.spool_max_size = MAX_FILE_BYTES
BASE = st.get_option("server.baseUrlPath")
FRAME_ANCESTORS = os.environ.get("FRAME_ANCESTORS", "'self'")
try:
    for sentence in add_courses(guests.course_files(WITH), LESSONS):
        print(sentence, file=sys.stderr)
    HEADERS = security_headers(FRAME_ANCESTORS)
    HOSTS = allowed_hosts(os.environ.get("ALLOWED_HOSTS", ""))
    MOST = most_sessions(os.environ.get("MAX_SESSIONS", ""))
    check_proxies(os.environ.get("FORWARDED_ALLOW_IPS", ""))
except ValueError as problem:
    raise SystemExit(str(problem)) from None
FIRST = ("address/open.js", "address/steps.js")  # scripts that run before Streamlit's
FILES = ("static", "module")  # below them lie files that never change while the server runs
app = st.App(
    "home.py",
    lifespan=lifespan,
    routes=[
        *Films(LESSONS).routes(BASE),
        *modules.routes(BASE),
        *speaker_routes(BASE),
        *Hall(ROOMS, LESSONS).routes(BASE),
    ],
    on_script_error=say_amiss,
    middleware=[
        Middleware(SecurityHeaders, headers=HEADERS),
        Middleware(OriginCheck, hosts=HOSTS),
        Middleware(FrameCheck, frame_ancestors=FRAME_ANCESTORS),
        Middleware(PageNames, names=[path.stem for path in Path(__file__).with_name("pages").glob("*.py")], base=BASE),
        Middleware(BrowserCookie),
        Middleware(PageStyle, style="".join(map(text, SHEETS)), script="".join(map(plain_script, FIRST))),
        Middleware(MetricsGuard, token=os.environ.get("METRICS_TOKEN", "")),
        Middleware(SessionLimit, most=MOST),
        Middleware(UploadQuota),
        Middleware(CompressedFiles, below=tuple(below(BASE, f"{part}/") for part in FILES)),
    ],
)
