"""Films of scenes, and single times of them, in the form of answers/film_format.py, as the browser gets them."""

from __future__ import annotations

import gzip
import hashlib
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict

from answers.film_format import encode
from answers.letters import in_letters, translate
from answers.marks import marked_alone
from figures.film import Film, PackedFigure
from lessons.record import Scene

WHOLE = re.compile(
    r" (?=%)| (?=[=≈] [\d−])|(?<= [=≈]) (?=[\d−])"
)  # blanks of "90 %" and "T = 300", which hold together
HOVER_ONLY = ("customdata", "hovertemplate", "hovertext")  # nobody hovers while a slider is held


def film(scene: Scene, at: int, paper: str, marked: bool = False) -> bytes:
    """Return a scene's film as the browser reads it, in the letters of a paper.

    Args:
        at: the frame at which it opens.   marked: whether sentences have the glossary's terms marked.
    """
    unique, index = indexed(scene.sentences())
    head = {
        "n": scene.frames,
        "labels": labels(scene, paper),
        "events": [int(event) for event in scene.events],
        "times": [int(time) for time in scene.times],
        "sentences": [headline(marked_alone(one, "html") if marked else one, paper) for one in unique],
        "said": index,
        **({"rounds": asdict(scene.rounds)} if scene.rounds else {}),
    }
    films = {key: in_letters(one.draw(at), paper) for key, one in scene.films.items()}
    return encode(head, films, {key: one.pick for key, one in scene.films.items() if one.pick})


def labels(scene: Scene, paper: str) -> list[str]:
    """Return one text a frame, as the player shows it, in the letters of a paper."""
    return [translate(label, paper, "plain") for label in scene.labels()]


def still(key: str, figure: PackedFigure) -> bytes:
    """Return a figure as a film of one frame, as it travels."""
    return compressed(encode({"n": 1}, {key: Film(figure)}))


def compressed(made: bytes) -> bytes:
    """Return a film or a frame as it travels."""
    return gzip.compress(made, 4, mtime=0)  # 6 would take twice as long and save 4 % of the bands' film


def fingerprint(*values: object) -> str:
    """Return a short name for a state of the page, the same on every server."""
    return hashlib.sha256(repr(values).encode()).hexdigest()[:12]


def indexed(sentences: Sequence[str]) -> tuple[list[str], list[int]]:
    """Return the different sentences, and the index of each frame's: a repeated one is sent once."""
    unique = list(dict.fromkeys(sentences))
    where = {text: i for i, text in enumerate(unique)}
    return unique, [where[text] for text in sentences]


def said(scene: Scene, at: int, paper: str) -> str:
    """Return the live sentence of a frame, in HTML and in the letters of a paper."""
    assert scene.says is not None
    return headline(marked_alone(scene.says(at), "html"), paper)


def headline(sentence: str, paper: str) -> str:
    """Return a live sentence (HTML) in the letters of a paper, where no line break divides a number from its sign."""
    return WHOLE.sub("\N{NO-BREAK SPACE}", translate(sentence, paper, "html"))


def frame(made: Scene | None, t: int, paper: str) -> bytes:
    """Return the scene of one time as the browser reads it, in the letters of a paper; b"" for none."""
    if made is None:
        return b""
    at, kept = made.at_time(t), made.stage.unknown
    head = {"n": 1, "said": made.says and said(made, at, paper), "kept": sorted(kept)}
    figures = {key: in_letters(one.draw(at).figure, paper).spec for key, one in made.films.items()}
    return encode(head, {key: _preview_film(spec, kept) for key, spec in figures.items()})


def _preview_film(spec: dict, kept: Collection[str]) -> Film:
    """Return a still film of what is seen while a slider is held: without what is there for the mouse, and without what
    is on axes that the page keeps, but for what has a name there."""
    layout = dict(spec["layout"])
    for name in ("annotations", "shapes"):
        if name in layout:
            layout[name] = [one for one in layout[name] if "name" in one or not _on(one, kept)]
    traces = [_without_hover(trace) for trace in spec["data"] if not _on(trace, kept)]
    return Film(PackedFigure(traces, layout))


def _on(part: Mapping[str, object], axes: Collection[str]) -> bool:
    """Return whether a trace, an annotation or a shape belongs to one of these axes."""
    names = ("xaxis", "yaxis", "xref", "yref")
    return any(str(part.get(name, "")).removesuffix(" domain") in axes for name in names)


def _without_hover(trace: dict) -> dict:
    """Return a trace without what is only there for the mouse."""
    if trace.get("mode") == "none":
        return {"type": trace["type"], "mode": "none", "x": [], "y": []}
    return {name: part for name, part in trace.items() if name not in HOVER_ONLY}
