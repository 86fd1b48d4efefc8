"""The server: `streamlit run app.py` serves home.py and the pages beside it."""

import gc
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import streamlit as st

OURS = ("figures", "lessons", "shell", "tvbo_core")

if sys.version_info < (3, 11):  # noqa: UP036  (an older one gets this sentence, not a traceback)
    raise SystemExit(
        f"The lab needs Python 3.11 or newer, and this is {sys.version_info[0]}.{sys.version_info[1]}: make the "
        "environment anew with a newer one (README.md, Run it)."
    )
try:
    import pandas  # noqa: F401  (with the next two nearly everything that the pages import)
    from starlette.middleware import Middleware

    from lessons import LESSONS
    from shell.browsers import BrowserCookie
    from shell.frames import Frames
    from shell.headers import SecurityHeaders, security_headers
    from shell.limits import MAX_SESSIONS, MetricsGuard, SessionLimit, UploadQuota
    from shell.logs import close_log, say_amiss
    from shell.origins import OriginCheck
    from shell.page import text
    from shell.page_style import PageStyle
    from shell.runs import RUNS
    from shell.speaker import routes as speaker_routes
except ModuleNotFoundError as missing:
    if missing.name is None or missing.name.split(".")[0] in OURS:
        raise
    raise SystemExit(
        f"The package {missing.name.split('.')[0]} is not installed here: run {sys.executable} -m pip install "
        "-r requirements.txt, then start again."
    ) from None


@asynccontextmanager
async def lifespan(_: st.App) -> AsyncIterator[None]:
    """Start and end of the server."""
    gc.collect()
    gc.freeze()  # modules live as long as the server: no later collection walks them
    close_log()
    yield
    RUNS.close()


BASE = st.get_option("server.baseUrlPath")
app = st.App(
    "home.py",
    lifespan=lifespan,
    routes=[*Frames(LESSONS).routes(BASE), *speaker_routes(BASE)],
    on_script_error=say_amiss,
    middleware=[
        Middleware(SecurityHeaders, headers=security_headers(os.environ.get("FRAME_ANCESTORS", "'self'"))),
        Middleware(OriginCheck),
        Middleware(BrowserCookie),
        Middleware(PageStyle, style=text("assets/style.css")),
        Middleware(MetricsGuard, token=os.environ.get("METRICS_TOKEN", "")),
        Middleware(SessionLimit, most=int(os.environ.get("MAX_SESSIONS", MAX_SESSIONS))),
        Middleware(UploadQuota),
    ],
)
