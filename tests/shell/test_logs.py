"""The log holds no session's id, no traceback of a browser's forged values, and a bounded number of lines."""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Callable
from types import CodeType

import pytest

from lessons import LESSONS
from shell.server import logs
from shell.server.logs import AMISS, PublicLog, close_log, sent_amiss
from shell.stage.player import paused_at

SESSION = "0b6f3f0c-2d5e-4a86-9d0c-0c8f3a1f4a11"


class Clock:
    """A clock that a test moves."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def record(message: str, *args: object, problem: BaseException | None = None) -> logging.LogRecord:
    info = (type(problem), problem, problem.__traceback__) if problem else None
    return logging.LogRecord("streamlit.x", logging.WARNING, "x.py", 1, message, args, info)


def raised(body: Callable[[], object]) -> Exception:
    with pytest.raises(Exception) as caught:
        body()
    return caught.value


def code_of(file: str, source: str) -> CodeType:
    return compile(source, file, "exec")


def run_in(file: str, source: str) -> None:
    exec(code_of(file, source), {"json": json})


def test_log_has_no_session_id() -> None:
    log = PublicLog()
    for one in (record(f"session {SESSION} gone"), record("session %s is already connected", SESSION)):
        assert log.filter(one) and SESSION not in one.getMessage() and "(session)" in one.getMessage()


def test_minute_has_few_lines_and_says_so() -> None:
    clock = Clock()
    log = PublicLog(lines=3, seconds=60.0, clock=clock)
    assert [log.filter(record("x")) for _ in range(10)] == [True] * 3 + [False] * 7
    clock.now = 61.0
    late = record("y")
    assert log.filter(late) and "7 records before this one were left out" in late.getMessage()
    assert log.filter(record("z"))


def test_traceback_stays_unless_streamlit_alone_worked() -> None:
    for file, amiss in (
        ("/x/site-packages/streamlit/runtime/state/common.py", True),
        ("/x/site-packages/numpy/core.py", False),
        (str(logs.ROOT / "lessons" / "drift" / "model.py"), False),
    ):
        problem = raised(lambda file=file: run_in(file, "json.loads('{')"))
        one = record("Uncaught app execution", problem=problem)
        assert sent_amiss(problem) is amiss and PublicLog().filter(one)
        assert (one.exc_info is None) is amiss and (AMISS in one.getMessage()) is amiss, file
    assert not sent_amiss(raised(lambda: run_in("/x/site-packages/streamlit/a.py", "raise KeyError('x')")))
    assert not sent_amiss(None)


def test_every_handler_gets_the_filter(capsys: pytest.CaptureFixture[str]) -> None:
    logger, handler = logging.getLogger("tvbo.test"), logging.StreamHandler(sys.stderr)
    logger.addHandler(handler)
    found = PublicLog()
    try:
        close_log(found)
        logger.warning("session %s", SESSION)
        assert SESSION not in capsys.readouterr().err
    finally:
        for each in {h for name in logging.root.manager.loggerDict for h in logging.getLogger(name).handlers}:
            each.removeFilter(found)
        logging.getLogger().removeFilter(found)
        for each in (*logging.getLogger().handlers, logging.lastResort):
            each.removeFilter(found)
        logger.removeHandler(handler)


FORGED = (None, float("nan"), float("inf"), -1e300, 1e300, "<evil>", [], ["<evil>"], {"a": 1}, True, 10**40, b"x")


def test_knob_has_its_ends_and_nothing_forged() -> None:
    for knob in {k.key: k for one in LESSONS for k in one.knobs.values()}.values():
        ends = (knob.low, knob.high) if knob.low is not None else () if knob.widget == "pills" else knob.options
        assert all(map(knob.has, (knob.default, *ends))), knob.key
        for value in FORGED:
            if knob.has(value):  # a toggle can be true, and no pill can be chosen
                assert value is True if knob.widget == "toggle" else value == [], (knob.key, value)


def test_pause_is_a_frame_or_the_start() -> None:
    for told in (None, 5, "x", [], {}, {"reset": "r"}, {"reset": "other", "t": 9}):
        assert paused_at(told, "r", 4, 10) == 4, told
    for t in ("x", float("nan"), [1]):
        assert paused_at({"reset": "r", "t": t}, "r", 4, 10) == 4, t
    for t, frame in ((3, 3), (-5, 0), (99, 9), (10**30, 9), (2.0, 2)):
        assert paused_at({"reset": "r", "t": t}, "r", 4, 10) == frame, t
