"""What the server has to say leaves at once, and the thread that says it is woken once for many messages.

Streamlit's server opens its socket without naming the protocol, so Python's event loop does not switch Nagle's
algorithm off for it: the last small message of an answer waits until the browser has acknowledged the ones before,
which a browser puts off by 40 ms or more. An accepted connection inherits the option from the listening socket.

Every message of a page is handed to the server's own thread with a byte through a pipe, twice. Each byte lets go of
the interpreter, and whoever computes elsewhere takes it: with many visitors a page waited a tenth of its time to get it
back. `Bundle` hands over what has gathered until that thread comes.
"""

from __future__ import annotations

import asyncio
import os
import socket
import stat
import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path

OPEN = Path("/proc/self/fd")  # Linux; elsewhere nothing is done and nothing breaks


def at_once() -> int:
    """Switch TCP_NODELAY on for every TCP socket of this process that has it off; how many those were."""
    changed = 0
    for name in os.listdir(OPEN) if OPEN.is_dir() else ():
        with suppress(OSError):  # closed in the meantime
            if not stat.S_ISSOCK(os.stat(OPEN / name).st_mode):
                continue
            with socket.socket(fileno=os.dup(int(name))) as one:
                if one.family not in (socket.AF_INET, socket.AF_INET6) or one.type != socket.SOCK_STREAM:
                    continue
                if not one.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY):
                    one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                    changed += 1
    return changed


class Bundle:
    """Callbacks for an event loop from other threads, in their order, with one wake-up for all that wait.

    Raises:
        RuntimeError: the loop is closed, when it would have to be woken.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.loop = loop
        self._waiting: deque[Callable[[], None]] = deque()
        self._told = False

    def add(self, callback: Callable[[], None]) -> None:
        """Have the loop's thread call this soon."""
        self._waiting.append(callback)
        if not self._told:  # two threads may both tell it: the second time there is less to do
            self._told = True
            self.loop.call_soon_threadsafe(self._hand_over)

    def _hand_over(self) -> None:
        self._told = False  # first: what comes from now on tells it again
        while self._waiting:
            self.loop.call_soon(self._waiting.popleft())


@cache
def in_bundles() -> None:
    """Let Streamlit hand over its messages in bundles; once for all."""
    from streamlit.runtime import exists, get_instance
    from streamlit.runtime.app_session import AppSession

    lock = threading.Lock()
    bundles: dict[asyncio.AbstractEventLoop, Bundle] = {}

    def bundled(session: AppSession, callback: Callable[[], None]) -> None:
        loop = session._event_loop
        with lock:
            bundle = bundles.get(loop)
            if bundle is None:  # a process has one loop; tests have several
                bundles.clear()
                bundle = bundles[loop] = Bundle(loop)
        try:
            bundle.add(callback)
        except RuntimeError:  # the server ends: nobody is there to hear it
            if not loop.is_closed():
                raise

    def told() -> None:
        objects = get_instance()._get_async_objs()
        with suppress(RuntimeError):
            if asyncio.get_running_loop() is objects.eventloop:  # no need to wake who is awake
                return objects.need_send_data.set()
        objects.eventloop.call_soon_threadsafe(objects.need_send_data.set)

    AppSession._call_soon_on_event_loop = bundled
    if exists():
        manager = get_instance()._session_mgr
        for holder in [manager, *(info.session for info in manager.list_sessions())]:
            holder._message_enqueued_callback = told
