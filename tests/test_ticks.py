"""A part of a page that runs again by itself does not take the place of another run's end."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

import pytest
from streamlit.runtime.app_session import AppSession, AppSessionState

from ui import ticks


@dataclass
class Request:
    """What a browser asks for."""

    fragment_id: str | None = None
    is_auto_rerun: bool = False


@dataclass
class Runner:
    """A run that takes requests, or one that has ended and does not."""

    takes: bool = False
    heard: list[Request] = field(default_factory=list)

    def request_rerun(self, request: Request) -> bool:
        if self.takes:
            self.heard.append(request)
        return self.takes


class Session:
    """As much of a session as is asked for."""

    def __init__(self, runner: Runner | None) -> None:
        self._scriptrunner, self._event_loop = runner, asyncio.get_running_loop()
        self.begun: list[Request] = []
        self.parts, self._state = {"watch"}, AppSessionState.APP_NOT_RUNNING

    def has_fragment(self, name: str) -> bool:
        return name in self.parts

    @ticks.patient
    def begin(self, request: Request) -> None:
        self.begun.append(request)


TICK, CLICK, PAGE = Request("watch", True), Request("watch"), Request()


def meet(
    request: Request,
    runner: Runner | None,
    then: Runner | None = None,
    parts: bool = True,
    state: AppSessionState = AppSessionState.APP_NOT_RUNNING,
) -> list[Request]:
    """What has begun when this request has met this run, and its end has come meanwhile (another run, or none)."""

    async def live() -> list[Request]:
        session = Session(runner)
        session.begin(request)
        await asyncio.sleep(3 * ticks.AGAIN)
        assert runner is None or session.begun in ([], [PAGE])  # the end comes first
        session._scriptrunner = then
        session.parts, session._state = session.parts if parts else set(), state
        await asyncio.sleep(3 * ticks.AGAIN)
        return session.begun

    return asyncio.run(live())


@pytest.mark.parametrize("request_", [TICK, CLICK, PAGE])
def test_without_a_run_every_request_begins_one(request_: Request):
    assert meet(request_, None) == [request_]


def test_a_tick_that_meets_an_ended_run_waits_for_the_next_tick():
    assert meet(TICK, Runner()) == []


def test_a_click_that_meets_an_ended_run_begins_when_its_end_is_through():
    assert meet(CLICK, Runner()) == [CLICK]


def test_a_click_goes_to_the_run_that_has_begun_meanwhile():
    other = Runner(takes=True)
    assert meet(CLICK, Runner(), then=other) == [] and other.heard == [CLICK]


def test_a_click_on_what_is_gone_is_forgotten():
    assert meet(CLICK, Runner(), parts=False) == []


def test_a_click_in_a_tab_that_has_closed_begins_nothing():
    assert meet(CLICK, Runner(), state=AppSessionState.SHUTDOWN_REQUESTED) == []


def test_a_whole_page_begins_at_once():
    assert meet(PAGE, Runner()) == [PAGE]


def test_streamlits_sessions_use_it():
    ticks.install()
    assert AppSession._create_scriptrunner.__wrapped__.__name__ == "_create_scriptrunner"
