"""The server: `streamlit run app.py` serves home.py and the pages beside it."""

import gc
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pandas  # noqa: F401  (with the next two nearly everything that the pages import)
import streamlit as st
from starlette.middleware import Middleware

import shell.page  # noqa: F401
from lessons import LESSONS
from shell.frames import Frames
from shell.headers import SecurityHeaders, security_headers
from shell.limits import MAX_SESSIONS, MetricsGuard, SessionLimit, UploadQuota
from shell.origins import OriginCheck
from shell.runs import RUNS


@asynccontextmanager
async def lifespan(_: st.App) -> AsyncIterator[None]:
    """Start and end of the server."""
    gc.collect()
    gc.freeze()  # modules live as long as the server: no later collection walks them
    yield
    RUNS.close()


app = st.App(
    "home.py",
    lifespan=lifespan,
    routes=Frames(LESSONS).routes(st.get_option("server.baseUrlPath")),
    middleware=[
        Middleware(SecurityHeaders, headers=security_headers(os.environ.get("FRAME_ANCESTORS", "'self'"))),
        Middleware(OriginCheck),
        Middleware(MetricsGuard, token=os.environ.get("METRICS_TOKEN", "")),
        Middleware(SessionLimit, most=int(os.environ.get("MAX_SESSIONS", MAX_SESSIONS))),
        Middleware(UploadQuota),
    ],
)
