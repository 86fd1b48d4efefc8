"""Every lesson shows a sound film in every setting and look, and each name in its own colour."""

from __future__ import annotations

import base64
import re

import numpy as np
import pytest

from common.markup import plain_html
from figures import palette
from figures.film import OPACITY, Film
from figures.theme import Theme
from lessons import LESSONS
from lessons.record import BET_KNOBS, Lesson
from tests.lessons.game.games import played_scene
from tests.lessons.scripts import SHORT, random_state
from tvbo_core import bands

LOOKS = {
    "desk": Theme(),
    "hall": Theme(dark=True, lecture=True),
    "dark": Theme(dark=True),
    "large": Theme(lecture=True),
}
NEUTRAL = {"ink", "soft_ink", "grey", "paper", "missed"}  # the last is a promise that broke, whoever gave it
MOST_WORDS, MOST_NUMBERS = 24, 3  # of a headline
NUMBER = re.compile(r"(?<![\w.^·])\d[\d.,]*(?![A-Za-z])")
NOT_A_NUMBER = re.compile(r"\b(nan|inf|None)\b")
LEAST_TYPE = {False: 14, True: 22}  # pixels of an annotation at the desk, and in a hall


def opened(lesson: Lesson) -> dict[str, tuple[dict, int]]:
    """Return the opening and the moments, each with its time."""
    moments = {f"moment {i}": (dict(m.values), m.t) for i, m in enumerate(lesson.moments, start=1)}
    return {"opening": ({}, lesson.t), **moments}


def option_settings(lesson: Lesson) -> dict[str, tuple[dict, int]]:
    """Return each option of the lesson's choices, beside its defaults, played short; and one setting at random."""
    short = SHORT.get(lesson.key, {})
    short = short | {key: lesson.knobs[key].stops[0] for key in ("seeds", "T") if key in lesson.knobs}
    found = {}
    for key, knob in lesson.knobs.items():
        if knob.widget in ("segmented", "select", "toggle") and key not in lesson.world | BET_KNOBS:
            for option in knob.options or (not knob.default,):
                if option not in (knob.default, "own"):  # a file of one's own
                    found[f"{key} {option}"] = (short | {key: option}, lesson.t)
    values = random_state(lesson, 3) | short
    found["any"] = (values, int(values.pop("t")))
    return found


def words(node: object) -> list[str]:
    """Return every text of a figure or of a track."""
    if isinstance(node, str):
        return [node]
    if isinstance(node, dict):
        return [text for key, value in node.items() if key != "bdata" for text in words(value)]
    return [text for value in node for text in words(value)] if isinstance(node, list | tuple) else []


def check_headline(sentence: str, opens: bool) -> None:
    """A headline is short; where a page opens it has few numbers, too."""
    plain = re.sub(r"<[^>]+>", "", sentence).replace("\u00a0", " ")
    assert len(plain.split()) <= MOST_WORDS, plain
    assert not opens or len(NUMBER.findall(plain)) <= MOST_NUMBERS, plain


def length(values: object) -> int:
    """Return how many points an attribute of a trace has."""
    if isinstance(values, dict):
        return len(np.frombuffer(base64.b64decode(values["bdata"]), values["dtype"]))
    return len(values)  # type: ignore[arg-type]


def coordinates(values: object) -> np.ndarray:
    """Return the coordinates of a trace's points; NaN for what is no number."""
    if isinstance(values, dict):
        return np.frombuffer(base64.b64decode(values["bdata"]), values["dtype"]).astype(float)
    return np.array([v if isinstance(v, int | float) else np.nan for v in values], dtype=float)


def check_texts_in_range(trace: dict, layout: dict) -> None:
    """Plotly writes no text at a point beyond its axes, clipped or not."""
    if trace.get("type") != "scatter" or "text" not in trace.get("mode", ""):
        return
    texts = [trace["text"]] * length(trace["x"]) if isinstance(trace["text"], str) else trace["text"]
    for axis in "xy":
        kind = layout[f"{axis}axis{trace.get(f'{axis}axis', axis)[1:]}"]
        ends = np.sort(np.asarray(kind["range"], dtype=float))
        at = coordinates(trace[axis])
        at = np.log10(at) if kind.get("type") == "log" else at
        slack = 1e-6 * (ends[1] - ends[0])
        beyond = (at < ends[0] - slack) | (at > ends[1] + slack)
        assert not [text for text, out in zip(texts, beyond, strict=True) if text and out], (axis, ends, at)


def check_figure(film: Film, least: int) -> None:
    """Plotly accepts it, no axis moves, no word is not a number, and notes can be read."""
    shown = film.figure.checked()
    for name, axis in shown.layout.to_plotly_json().items():
        if re.fullmatch(r"[xy]axis\d*", name):
            low, high = np.asarray(axis["range"], dtype=float)
            assert np.isfinite([low, high]).all() and low != high, name
    assert not [text for text in words(film.figure.to_dict()) if NOT_A_NUMBER.search(text)]
    assert min((note.font.size for note in shown.layout.annotations), default=least) >= least
    for trace in film.figure.to_dict()["data"]:
        check_texts_in_range(trace, film.figure.to_dict()["layout"])
        assert len({length(trace[key]) for key in ("x", "y") if trace.get(key) is not None}) <= 1


def moved(trace: dict, attribute: str) -> object:
    """Return an attribute of a trace that may move."""
    return trace["marker"]["opacity"] if attribute == OPACITY else trace[attribute]


def check_tracks(film: Film, frames: int, at: int) -> None:
    """Each track has a row a frame, as long as its trace, and the figure shows the row of its frame."""
    traces = film.figure.to_dict()["data"]
    for track in film.tracks:
        assert len(track) == frames and (track.glides is None or track.glides.shape == (len(track.values) - 1,))
        now, row = moved(traces[track.trace], track.attribute), track.row(at)
        assert {np.size(one) for one in track.values} == {length(now)}
        if isinstance(row, list):
            assert list(now) == row and not [text for text in words(track.values) if NOT_A_NUMBER.search(text)]
        else:
            assert not np.isinf(track.values).any()
            np.testing.assert_array_equal(
                np.frombuffer(base64.b64decode(now["bdata"]), now["dtype"]), row.astype(now["dtype"]).ravel()
            )


def check_same_film(one: Film, other: Film) -> None:
    """Another frame is the same film on the same axes: what does not move and all tracks are equal."""
    moving = {(track.trace, track.attribute) for track in one.tracks}
    still = []
    for spec in (one.figure.to_dict(), other.figure.to_dict()):
        traces = [{k: v for k, v in trace.items() if (i, k) not in moving} for i, trace in enumerate(spec["data"])]
        for i in (i for i, attribute in moving if attribute == OPACITY):
            traces[i]["marker"] = {k: v for k, v in traces[i]["marker"].items() if k != "opacity"}
        still.append((traces, spec["layout"]))
    assert still[0] == still[1] and len(one.tracks) == len(other.tracks)
    for mine, theirs in zip(one.tracks, other.tracks, strict=True):
        assert (mine.trace, mine.attribute) == (theirs.trace, theirs.attribute)
        np.testing.assert_array_equal(mine.values, theirs.values)


def method_of(text: object) -> str:
    """Return the band or method that a label begins with, "" for none."""
    first = re.sub(r"<[^>]+>", "", str(text).split("<br>")[0]).strip()
    known = [name for name in (*palette.METHODS, *bands.ALL) if re.match(rf"{re.escape(name)}(?![\w-])", first)]
    return max(known, key=len, default="")


def check_colours(film: Film, theme: Theme) -> None:
    """A label that names a band or a method is neutral or in its own colour."""
    spec, found = film.figure.to_dict(), []
    for trace in spec["data"]:
        texts, shades = trace.get("text", ()), trace.get("textfont", {}).get("color")
        texts = [texts] if isinstance(texts, str) else list(texts) if "text" in trace.get("mode", "") else []
        found += zip(map(method_of, texts), shades if isinstance(shades, list) else [shades] * len(texts), strict=False)
    notes = spec["layout"].get("annotations", ())
    found += [(method_of(note.get("text", "")), note.get("font", {}).get("color", "")) for note in notes]
    neutral = {getattr(theme, name) for name in NEUTRAL}
    for name, shade in found:
        own = theme.band(name) if name in bands.ALL else theme.method(name)
        assert not name or not shade or shade in {own, *neutral}, (name, shade)


def named(sentence: str, words: set[str]) -> list[str]:
    """The words of a sentence that light a mark (assets/player/pointers.js)."""
    plain = plain_html(sentence).replace("\u00a0", " ")
    return [word for word in words if re.search(rf"(?i)(?<![\w-]){re.escape(word)}(?![\w-])", plain)]


def check_scene(lesson: Lesson, values: dict, t: int, theme: Theme) -> None:
    """Every chart, track, sentence and mark of a scene is sound, and no name has the colour of another."""
    made = (lesson.scene or played_scene)(lesson.settings(values), theme)
    frames, at = made.frames, made.at_time(t)
    assert next(iter(made.films)) == "main"
    assert len(made.sentences()) == len(made.labels()) == frames
    assert all(0 <= event < frames for event in made.events) and list(made.events) == sorted(set(made.events))
    opens, said = (values, t) in opened(lesson).values(), made.sentences()
    for frame in range(frames):
        check_headline(said[frame], opens and frame == at)
    words: set[str] = set()
    for key, picture in (made.films | made.stills).items():
        film = picture.draw(at)
        check_figure(film, LEAST_TYPE[theme.lecture])
        if lesson.key != "microscope":  # whose curves have the role that they play in their statement
            check_colours(film, theme)
        if key in made.films:
            check_tracks(film, frames, at)
            check_same_film(picture.draw(0), film)
        else:
            assert not film.tracks or picture.follows
        if key == "main":
            words = {word for trace in film.figure.spec["data"] for word in trace.get("meta", "").split("|") if word}
            assert all(word == word.strip() for word in words), words
        assert picture.alt and not picture.alt.endswith(".")
    shown = [
        *made.notes(at),
        made.caption,
        made.odds_line,
        *(one.caption(at) for one in (made.films | made.stills).values()),
    ]
    assert not [text for text in shown if re.search(r"</?[a-z]", text)]  # Markdown, in which a tag is read as it stands
    # Before the reader's first click a sentence asks, and names nothing.
    if opens and said and said[at] and "in the figure" not in said[at]:
        assert named(said[at], words), (said[at], words)


def walk(lesson: Lesson, states: dict[str, tuple[dict, int]]) -> None:
    for i, (name, (values, t)) in enumerate(states.items()):
        look = list(LOOKS)[i % len(LOOKS)]
        print(lesson.key, name, look)  # with a failure
        check_scene(lesson, values, t, LOOKS[look])


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.key)
def test_every_opening_is_a_sound_film(lesson: Lesson) -> None:
    walk(lesson, {look: opened(lesson)["opening"] for look in ("desk", "hall")})


@pytest.mark.slow
@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.key)
def test_every_moment_and_choice_is_sound(lesson: Lesson) -> None:
    found = opened(lesson)
    walk(lesson, found | option_settings(lesson) | {f"{name} again": one for name, one in found.items()})
