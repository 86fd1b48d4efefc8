"""Short codes of hidden worlds: a code names kind, budget and seed, but does not show them to the eye.

Four bits choose one of `VARIANTS`, twelve the seed, eight check the other sixteen. A small Feistel network permutes the
24 bits, so that neighbours look unrelated and a slip of the finger is most probably no code at all (255 of 256). It is
an encoding, not encryption: this file decodes it.
"""

from __future__ import annotations

from dataclasses import dataclass

from tvbo_core.records import World

ALPHABET = "23456789bcdfghjkmnpqrstvwxyz"  # no vowels (no words), nothing that is read as something else
LENGTH = 5  # 28 ** 5 > 2 ** 24
SEEDS = 4096
ARMS = 101  # a grid on [0, 1] in steps of 0.01
_ROUNDS = (0x2F1B, 0x61C9, 0x13A7, 0x7D05)  # any odd numbers do; another choice would give every world another code
_HALF = 0xFFF


@dataclass(frozen=True)
class Variant:
    """Movement of a hidden world: its kind with its drift budget, number of jumps or change per step."""

    kind: str
    budget: float = 0.0
    switches: int = 1
    epsilon: float = 0.0


# The order is part of every code that was ever given away: append only, sixteen at most.
VARIANTS = (
    Variant("still"),
    Variant("glide", 2.0),
    Variant("glide", 4.0),
    Variant("glide", 6.0),
    Variant("jumps", 3.0),
    Variant("jumps", 4.0, 2),
    Variant("jumps", 6.0, 2),
    Variant("markov", epsilon=0.02),
    Variant("markov", epsilon=0.05),
    Variant("travel", 3.0),
)
TRAVELS = len(VARIANTS) - 1  # place of the hill that travels


def encode(variant: int, seed: int) -> str:
    """Return the code of a variant (its place in `VARIANTS`) with a seed below `SEEDS`."""
    body = variant << 12 | seed
    number = _permute(body << 8 | _check(body))
    letters = []
    for _ in range(LENGTH):
        number, rest = divmod(number, len(ALPHABET))
        letters.append(ALPHABET[rest])
    return "".join(reversed(letters))


def decode(code: str) -> tuple[Variant, int]:
    """Return the variant and the seed behind a code; capitals, blanks and hyphens do not matter.

    Raises:
        ValueError: no world has this code.
    """
    word = tidy(code)
    unknown = f"no world has the code “{word[:12]}”: a code has {LENGTH} signs out of {ALPHABET}"
    if len(word) != LENGTH or not set(word) <= set(ALPHABET):
        raise ValueError(unknown)
    number = 0
    for letter in word:
        number = number * len(ALPHABET) + ALPHABET.index(letter)
    if number >> 24:
        raise ValueError(unknown)
    body, check = divmod(_invert(number), 256)
    variant, seed = body >> 12, body & _HALF
    if check != _check(body) or variant >= len(VARIANTS):
        raise ValueError(unknown)
    return VARIANTS[variant], seed


def tidy(code: str) -> str:
    """Return a code as it is written: small letters, nothing between them."""
    return "".join(code.lower().replace("-", " ").split())


def hidden_world(code: str, horizon: int, noise_sd: float) -> World:
    """Return the world behind a code, for so many rounds and this noise.

    Raises:
        ValueError: no world has this code.
    """
    v, seed = decode(code)
    return World(
        kind=v.kind,
        budget=v.budget,
        horizon=horizon,
        arms=ARMS,
        noise_sd=noise_sd,
        switches=v.switches,
        epsilon=v.epsilon,
        seed=seed,
    )


def _check(body: int) -> int:
    return (body * 0x9E37 + 0x5A) >> 7 & 0xFF


def _mix(half: int, key: int) -> int:
    product = (half + 1) * key
    return (product ^ product >> 9) & _HALF


def _permute(number: int) -> int:
    left, right = number >> 12, number & _HALF
    for key in _ROUNDS:
        left, right = right, left ^ _mix(right, key)
    return left << 12 | right


def _invert(number: int) -> int:
    left, right = number >> 12, number & _HALF
    for key in reversed(_ROUNDS):
        left, right = right ^ _mix(left, key), left
    return left << 12 | right
