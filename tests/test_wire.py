"""A server's answers are not held back: every TCP connection of the process sends at once."""

from __future__ import annotations

import asyncio
import socket
import threading

import pytest

from ui import wire


def nodelay(one: socket.socket) -> bool:
    return bool(one.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))


def test_a_listening_socket_hands_it_on_and_open_connections_get_it():
    with socket.socket() as listening, socket.socket() as early, socket.socket() as late:
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        early.connect(listening.getsockname())
        first, _ = listening.accept()
        assert not nodelay(first)
        assert wire.at_once() >= 3
        late.connect(listening.getsockname())
        second, _ = listening.accept()
        with first, second:
            assert nodelay(first) and nodelay(second)
            first.sendall(b"x")
            assert early.recv(1) == b"x"  # it is still the same connection


def test_sockets_that_are_not_tcp_are_left_alone_and_twice_is_once():
    one, other = socket.socketpair()
    with one, other:
        wire.at_once()
        assert wire.at_once() == 0
        one.sendall(b"y")
        assert other.recv(1) == b"y"


def test_a_bundle_keeps_the_order_of_each_thread_and_loses_nothing():
    async def main() -> list:
        heard = []
        bundle = wire.Bundle(asyncio.get_running_loop())

        def say(who: int) -> None:
            for i in range(500):
                bundle.add(lambda i=i: heard.append((who, i)))

        threads = [threading.Thread(target=say, args=(who,)) for who in range(4)]
        for thread in threads:
            thread.start()
        while len(heard) < 2000:
            await asyncio.sleep(0.001)
        for thread in threads:
            thread.join()
        return heard

    heard = asyncio.run(asyncio.wait_for(main(), 20))
    for who in range(4):
        assert [i for name, i in heard if name == who] == list(range(500))
    assert len(heard) == 2000


def test_what_has_gathered_takes_one_wake_up():
    async def main() -> tuple[list, int]:
        loop, heard, told = asyncio.get_running_loop(), [], []
        loop.call_soon_threadsafe = lambda callback: told.append(callback)
        bundle = wire.Bundle(loop)
        for i in range(10):
            bundle.add(lambda i=i: heard.append(i))
        assert heard == []
        told[0]()
        await asyncio.sleep(0)
        bundle.add(lambda: heard.append("later"))
        return heard, len(told)

    assert asyncio.run(main()) == (list(range(10)), 2)


def test_an_accident_in_one_callback_does_not_lose_the_next():
    async def main() -> list:
        loop, heard = asyncio.get_running_loop(), []
        loop.set_exception_handler(lambda loop, context: heard.append(str(context["exception"])))
        bundle = wire.Bundle(loop)
        bundle.add(lambda: 1 / 0)
        bundle.add(lambda: heard.append("next"))
        await asyncio.sleep(0.01)
        return heard

    assert asyncio.run(main()) == ["division by zero", "next"]


def test_a_loop_that_is_closed_says_so():
    loop = asyncio.new_event_loop()
    loop.close()
    with pytest.raises(RuntimeError, match="closed"):
        wire.Bundle(loop).add(lambda: None)
