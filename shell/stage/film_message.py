"""Films of scenes in the form of shell/stage/film_format.py, as the browser gets them, and messages that hold one."""

from __future__ import annotations

import gzip
import hashlib
import json
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from types import MappingProxyType

from figures.film import Film, PackedFigure
from lessons.record import Scene
from shell.notation.letters import in_letters, translate
from shell.stage.film_format import encode


def film(
    scene: Scene,
    paper: str,
    marked: Callable[[str], str] = lambda sentence: sentence,
    stills: Mapping[str, Film] = MappingProxyType({}),
) -> bytes:
    """Return a scene's film as the browser reads it, in the letters of a paper.

    Args:
        marked: returns a sentence (HTML) with the glossary's terms and the figure's marks in it.
        stills: key -> charts that stand still beside it, where they do not come one by one.
    """
    unique, index = indexed(scene.sentences())
    head = {
        "n": scene.frames,
        "labels": labels(scene, paper),
        "events": [int(event) for event in scene.events],
        "times": list(range(scene.frames) if scene.times is None else map(int, scene.times)),
        "sentences": [translate(marked(one), paper, "html") for one in unique],
        "said": index,
        **({"rounds": asdict(scene.rounds)} if scene.rounds else {}),
    }
    films = {key: in_letters(one.draw(scene.inside(scene.start)), paper) for key, one in scene.films.items()}
    return encode(head, {**films, **stills}, {key: one.pick for key, one in scene.films.items() if one.pick})


def labels(scene: Scene, paper: str) -> list[str]:
    """Return one text a frame, as the player shows it, in the letters of a paper."""
    return [translate(label, paper, "plain") for label in scene.labels()]


def still(key: str, figure: PackedFigure) -> bytes:
    """Return a figure as a film of one frame, as it travels."""
    return compressed(encode({"n": 1}, {key: Film(figure)}))


def compressed(made: bytes) -> bytes:
    """Return a film or a frame as it travels."""
    return gzip.compress(made, 4, mtime=0)  # 6 would take twice as long and save 4 % of the bands' film


def message(head: Mapping[str, object], film: bytes | None) -> bytes:
    """Return a message: length of a text (four bytes, the lowest first), the text (JSON), and a film if there is one.

    The text has a checksum of the film, "revision": None where it comes from an address.
    """
    revision = None if film is None else zlib.crc32(film)
    text = json.dumps({**head, "revision": revision}, separators=(",", ":")).encode()
    return b"".join((len(text).to_bytes(4, "little"), text, film or b""))


def fingerprint(*values: object) -> str:
    """Return a short name for a state of the page, the same on every server."""
    return hashlib.sha256(repr(values).encode()).hexdigest()[:12]


def indexed(sentences: Sequence[str]) -> tuple[list[str], list[int]]:
    """Return the different sentences, and the index of each frame's: a repeated one is sent once."""
    unique = list(dict.fromkeys(sentences))
    where = {text: i for i, text in enumerate(unique)}
    return unique, [where[text] for text in sentences]
