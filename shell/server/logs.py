"""The server's log: no session's id, no traceback of what a browser sent amiss, a bounded number of lines.

A session's id is all that is needed to upload to it. A browser that is made to send a number where a control holds a
text raises an exception inside Streamlit, mostly before the first line of a page: it is one line, without traceback.
"""

from __future__ import annotations

import logging
import re
import threading
from collections.abc import Callable
from itertools import takewhile
from pathlib import Path
from time import monotonic
from traceback import walk_tb

import streamlit as st

ROOT = Path(__file__).resolve().parents[2]
LINES, SECONDS = 60, 60.0  # records in a stretch of this length; those beyond are counted, not written
SESSION_ID = re.compile(r"\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b")
AMISS = "a browser sent a value that its control cannot hold"


def sent_amiss(problem: BaseException | None) -> bool:
    """Return whether Streamlit itself failed at a value: below the last line of ours no other package was at work."""
    if not isinstance(problem, TypeError | ValueError | OverflowError | AttributeError):
        return False
    files = [Path(frame.f_code.co_filename) for frame, _ in walk_tb(problem.__traceback__)]
    below = list(takewhile(lambda file: not _ours(file), reversed(files)))
    packages = {file.parts[file.parts.index("site-packages") + 1] for file in below if "site-packages" in file.parts}
    return packages == {"streamlit"}


def _ours(file: Path) -> bool:
    return file.is_relative_to(ROOT) and "site-packages" not in file.parts


def say_amiss(problem: Exception) -> bool:
    """Show one sentence in place of an exception that comes from a browser's values; return whether it was one."""
    if not sent_amiss(problem):
        return False
    st.info("Your browser sent a value that no control on this page has. Load the page again.", icon=":material/info:")
    return True


class PublicLog(logging.Filter):
    """Filter of handlers that takes ids and needless tracebacks out of records, and drops those beyond the limit.

    Args:
        lines: most records in `seconds`.   clock: in seconds.
    """

    def __init__(self, lines: int = LINES, seconds: float = SECONDS, clock: Callable[[], float] = monotonic) -> None:
        super().__init__()
        self.lines, self.seconds, self.clock = lines, seconds, clock
        self._lock = threading.Lock()
        self._began, self._written, self._dropped = clock(), 0, 0

    def filter(self, record: logging.LogRecord) -> bool:
        """Return whether the record is written; what is written is changed in place."""
        with self._lock:
            now = self.clock()
            dropped = 0
            if now - self._began >= self.seconds:
                dropped, self._began, self._written, self._dropped = self._dropped, now, 0, 0
            self._written += 1
            if self._written > self.lines:
                self._dropped += 1
                return False
        text = record.getMessage()
        if record.exc_info and sent_amiss(record.exc_info[1]):
            text, record.exc_info, record.exc_text = f"{text}: {AMISS}", None, None
        if dropped:
            text += f" ({dropped} records before this one were left out)"
        record.msg, record.args = SESSION_ID.sub("(session)", text), ()
        return True


def close_log(found: PublicLog | None = None) -> None:
    """Add the filter to every handler that exists."""
    found = found or PublicLog()
    loggers = [logging.getLogger(), *map(logging.getLogger, tuple(logging.root.manager.loggerDict))]
    handlers = {handler for logger in loggers for handler in logger.handlers} | {logging.lastResort}
    for handler in handlers - {None}:
        handler.addFilter(found)
