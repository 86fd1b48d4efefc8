"""A server's answers are not held back: every TCP connection of the process sends at once."""

from __future__ import annotations

import socket

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
