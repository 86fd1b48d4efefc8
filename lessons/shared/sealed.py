"""Sealed codes of hidden worlds: their world follows from the code and a salt that only the server knows.

A code of `lessons.shared.codes` is decoded by whoever has that file. Where `GAME_SALT` is set, a new world gets a
sealed code in its place: signs by chance, and two that check them. Servers with the same salt read the same codes.
"""

from __future__ import annotations

import hmac
import os
import secrets

from lessons.shared import codes

CHANCE, CHECK = 6, 2  # signs of a sealed code
STAMP = 6  # signs of a stamp
LEAST = 16  # characters of a salt
# Purpose of a check -> how many of the variants its codes name. A code that was given away keeps its world when a
# variant is added: the new number gets a check of its own, and new codes have the last one.
CHECKS = {"check": 9, "check of ten": 10}
*_, NEWEST = CHECKS


def salt(text: str) -> bytes:
    """Return the salt in this text, empty for none.

    Raises:
        ValueError: it is short enough to be guessed.
    """
    if 0 < len(text) < LEAST:
        raise ValueError(f"GAME_SALT must have at least {LEAST} characters (openssl rand -hex 16), got {len(text)}")
    return text.encode()


SALT = salt(os.environ.get("GAME_SALT", ""))


def plain(code: str) -> str:
    """Return the code that `codes.decode` reads for the world behind a code.

    Raises:
        ValueError: no world has this code.
    """
    word = codes.tidy(code)
    if not SALT or len(word) != CHANCE + CHECK:
        codes.decode(word)
        return word
    for purpose, variants in CHECKS.items():
        if hmac.compare_digest(_signs(purpose, word[:CHANCE], CHECK).encode(), word[CHANCE:].encode()):
            variant, seed = divmod(_number("world", word[:CHANCE]) % (variants * codes.SEEDS), codes.SEEDS)
            return codes.encode(variant, seed)
    raise ValueError(f"no world of this server has the code “{word[:12]}”")


def kind(code: str) -> str:
    """Return how the world behind a code moves."""
    return codes.decode(plain(code))[0].kind


def new(kinds: str) -> str:
    """Return the code of a new world of this kind; "secret" draws the kind, each as likely."""
    wanted = secrets.choice(sorted({v.kind for v in codes.VARIANTS})) if kinds == "secret" else kinds
    if not SALT:
        fitting = [i for i, v in enumerate(codes.VARIANTS) if v.kind == wanted]
        return codes.encode(secrets.choice(fitting), secrets.randbelow(codes.SEEDS))
    while True:  # one in ten worlds is of the rarest kind
        body = "".join(secrets.choice(codes.ALPHABET) for _ in range(CHANCE))
        if kind(code := body + _signs(NEWEST, body, CHECK)) == wanted:
            return code


def stamp(text: str) -> str:
    """Return the signs by which a server with this salt knows a text that it wrote."""
    return _signs("stamp", text, STAMP)


def _signs(purpose: str, text: str, count: int) -> str:
    number = _number(purpose, text)
    return "".join(codes.ALPHABET[number // 28**place % 28] for place in range(count))


def _number(purpose: str, text: str) -> int:
    return int.from_bytes(hmac.digest(SALT, f"{purpose} {text}".encode(), "sha256")[:8], "big")
