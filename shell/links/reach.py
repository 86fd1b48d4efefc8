"""Which address a hall reaches: the one in the browser, this machine's in its network, or one that a lecturer typed."""

from __future__ import annotations

import re
import socket
from ipaddress import IPv6Address, ip_address
from urllib.parse import SplitResult, urlsplit

import streamlit as st

from common.escape import quoted

HERE = re.compile(r"(.+\.)?localhost|localhost\.localdomain|ip6-localhost")  # names of this machine for itself
NAME = re.compile(r"([\w-]+\.)*[\w-]*[^\W\d][\w-]*")  # of a host; one whose last part is a number is an address
EVERYWHERE = (None, "", "0.0.0.0", "::")  # of `server.address`: the server listens in every network of its machine
# Reserved for documents (RFC 5737). To connect a datagram socket sends nothing: the system only chooses a way out.
ELSEWHERE = ("192.0.2.1", 9)


def is_local(address: str) -> bool:
    """Return whether an address leads every computer to itself; so does one without a host."""
    host = (urlsplit(address).hostname or "localhost").rstrip(".")
    try:
        found = ip_address(host)
    except ValueError:
        return bool(HERE.fullmatch(host))
    if isinstance(found, IPv6Address) and found.ipv4_mapped:
        found = found.ipv4_mapped
    return found.is_loopback or found.is_unspecified


def in_network(here: str) -> str | None:
    """Return the address of the server in the network of its machine; None where it does not listen there.

    Args:
        here: address in the browser. Where its port is not the server's, a proxy stands between, and nothing is known.
    """
    parts, door = urlsplit(here), st.get_option("server.address")
    if parts.port != st.get_option("server.port"):
        return None
    host = _outward() if door in EVERYWHERE else door
    found = f"{parts.scheme}://{f'[{host}]' if ':' in str(host) else host}:{parts.port}"
    return None if host is None or is_local(found) else found


def _outward() -> str | None:
    """Return the IPv4 address of this machine in its network; None without a network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as way:
        try:
            way.connect(ELSEWHERE)
        except OSError:
            return None
        return way.getsockname()[0]


def read(typed: str, here: str = "") -> str:
    """Return a typed address of the lab as scheme, host and the path below which its pages lie.

    Args:
        typed: without a scheme it is http; a page's own address, as a browser shows it, will do.
        here: address of the page on which it was typed.

    Raises:
        ValueError: it is no address of a web page, in one sentence.
    """
    text = typed.strip()
    try:
        parts = urlsplit(text if "://" in text else f"http://{text}")
        host, port = (parts.hostname or "").rstrip("."), parts.port
    except ValueError:  # a port that is none, or half an IPv6 address
        host, port, parts = "", None, SplitResult("", "", "", "", "")
    if parts.scheme not in ("http", "https") or "@" in parts.netloc or not _is_host(host):
        raise ValueError(
            f"“{quoted(text)}” is no address of a web page: type it as a browser shows it, for example "
            "https://lab.example.org."
        )
    place = f"[{host}]" if ":" in host else host
    below = parts.path.rstrip("/").removesuffix(urlsplit(here).path.rstrip("/"))
    return f"{parts.scheme}://{place}{'' if port is None else f':{port}'}{below}"


def _is_host(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return len(host) <= 253 and bool(NAME.fullmatch(host))
    return True


def moved(here: str, base: str) -> str:
    """Return the address of a page as the hall reaches it.

    Args:
        here: in this browser.   base: as `read` returns it.
    """
    path, below = urlsplit(here).path, urlsplit(base).path
    known = not below or f"{path}/".startswith(f"{below}/")  # the page lies below it here too
    return f"{base.removesuffix(below) if known else base}{path}"
