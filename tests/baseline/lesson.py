"""A lesson as entries of its file: each state's scene, its bet and tasks, its other looks, and its page."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Callable

from answers.address import VERSION, read, release
from answers.ask import ask
from answers.bets import placed_bet
from answers.film import fingerprint, labels
from answers.letters import in_letters, translate
from answers.page import beside
from answers.state import State
from figures.bet import bars
from figures.film import Film, PackedFigure
from figures.theme import Theme
from lessons import LESSONS
from lessons.record import Lesson, Scene
from tests.baseline import describe
from tests.baseline.describe import Lines, plain
from tests.baseline.pages import page
from tests.baseline.states import PageState, states
from tests.baseline.texts import Entries
from tests.lessons.game.games import played_scene
from tests.lessons.shown import decode
from tests.shared import unmarked

DESK = Theme()
HALL = Theme(dark=True, lecture=True)
POINTS = ("x", "y", "z", "customdata", "hovertext")  # numbers, which are those of the desk
KEPT = "kept"  # for `clash`; in no file
WORDS = ("frame", "caption", "odds", "note", "task", KEPT)
LETTERS = {"race": "flynn"}  # a paper whose letters stand in the film of the lesson; elsewhere Deng et al.
# Draws what rounding leaves of a covariance, 1e-10, on a logarithmic axis: on another processor other numbers.
OF_ROUNDING = {("microscope", "ten_answers"), ("microscope", "with sigma")}
NUMBER = re.compile(r"[-+]?\d+\.?\d*(e[-+]?\d+)?")
COSTLY = {"forgetting", "side_queries", "theorems"}  # whose films take long: a frame stands for those of no moment


def entries(lesson: Lesson, before_each: Callable[[], object] = lambda: None) -> Entries:
    """Return everything of a lesson that is approved.

    Args:
        before_each: called before a state is drawn.
    """
    found: Entries = {}
    kept: dict[str, str] = {}  # name under which a page keeps a scene -> first state that has it
    for state in states(lesson):
        before_each()
        found[state.name] = settings_line(lesson, state) | draws(lesson, state)
        if under := found[state.name].pop(KEPT, ""):
            first = kept.setdefault(under, state.name)
            found[state.name] |= clash(first, found[first], found[state.name])
    for name, made in (*bets(lesson), *looks(lesson), *pages(lesson)):
        before_each()
        found[name] = made()
    return found


def clash(first: str, kept: Lines, now: Lines) -> Lines:
    """Return a line where a page would show what it has kept of another state; it is never approved."""
    at_frames = [key for key in now if key.startswith(("frame ", "main"))]
    wrong = [key for key in at_frames if key in kept and kept[key] != now[key]]
    return {"clash": f"has the name of “{first}” in Scene.state and shows another {wrong[0]}"} if wrong else {}


def settings_line(lesson: Lesson, state: PageState) -> Lines:
    said = [f"{key}={lesson.knobs[key].text(one)}" for key, one in sorted(state.values.items())]
    return {"state": f"t={state.t} {' '.join(said)}".strip()}


def scene_of(lesson: Lesson, state: PageState, theme: Theme = DESK) -> Scene:
    return (lesson.scene or played_scene)(lesson.settings(state.values), theme)


def draws(lesson: Lesson, state: PageState) -> Lines:
    """Return scene, verdicts of a state, or why there is none."""
    values = lesson.settings(state.values)
    try:
        if lesson.key in COSTLY and not state.moment:
            return one_frame(lesson, state)
        made = scene_of(lesson, state)
        found = describe.scene(made, made.at_time(state.t), DESK, frames(made, state), state.whole)
    except ValueError as problem:
        return {"refused": plain(str(problem))}
    if (lesson.key, state.name) in OF_ROUNDING:
        found = {
            key: said if key.startswith("frame") and key[6:].isdigit() else NUMBER.sub("#", said)
            for key, said in found.items()
        }
    found[KEPT] = fingerprint(made.state)
    for task in lesson.tasks:
        verdict = task.judge(values, made.facts(made.frames - 1))
        said = f"{verdict.measurement}. {verdict.why}" if verdict.done else verdict.measurement
        found[f"task {task.key}"] = f"{'done' if verdict.done else 'not yet'}: {plain(said)}"
    if state.name.startswith("with "):  # words, facts and what moves; the rest is that of other states
        return {key: said for key, said in found.items() if key.startswith(WORDS)}
    if state.moment and lesson.frame:
        found |= {f"dragged {key}": said for key, said in one_frame(lesson, state, figures=False).items()}
    return found


def asked(lesson: Lesson) -> Entries:
    """Return what `ask` says of each state's page beside its scene: a line each, and two a knob."""
    found, moments = {}, {one.key for one in lesson.moments}
    for state in states(lesson):
        moment = state.name if state.name in moments else None
        values, number = lesson.settings(state.values), LESSONS.index(lesson)
        said = beside(State(lesson, values, state.t, number=number, moment=moment))
        knobs, found[state.name] = said.pop("knobs"), {name: line(part) for name, part in said.items()}
        for key, knob in knobs.items():
            now = {name: knob.pop(name) for name in ("label", "name", "value", "shown", "acts")}
            found[state.name] |= {f"knob {key}": line(now), f"about {key}": line(knob)}
    return found


def line(part: object) -> str:
    """Return plain data as one line."""
    return plain(json.dumps(part, ensure_ascii=False))


def frames(made: Scene, state: PageState) -> list[int]:
    """Return the frame at which a scene opens, of a moment also the first and the last, of the opening one more."""
    last, at = made.frames - 1, made.at_time(state.t)
    more = {0, last // 2, last} if state.name == "opening" else {0, last} if state.moment else set()
    return sorted({at} | more)


def one_frame(lesson: Lesson, state: PageState, figures: bool = True) -> Lines:
    """Return the frame that follows a slider."""
    made = lesson.at_time(lesson.settings(state.values), state.t, DESK)
    if made is None:
        return {"frame": "none in this setting"}
    at, kept = made.at_time(state.t), sorted(made.stage.unknown)
    said = plain(made.says(at)) if made.says else "(kept)"
    found = {"frame": f"{said} keeps {kept} draws {sorted(made.films)}"}
    if figures:
        main = made.stage.draw(at)
        assert isinstance(main, Film)
        found |= {f"frame {name}": said for name, said in describe.points(main.figure.to_dict(), DESK).items()}
    return found


def bets(lesson: Lesson) -> list[tuple[str, Callable[[], Lines]]]:
    """Return the bet as it is asked and as it is revealed."""
    bet = lesson.bet
    if bet is None or bet.truth is None:
        return []
    values = lesson.defaults | dict(bet.values)

    def bet_question() -> Lines:
        said = {"bet question": plain(bet.question), "bet axis": bet.axis, "bet opens": f"{bet.opens}, told at {bet.t}"}
        said |= {
            f"bet answer {k}": f"{one} · {bet.about.get(k, '')} · {bet.roles.get(k, '')}"
            for k, one in bet.options.items()
        }
        if bet.scene is None:
            return said
        made = lesson.bet.scene(lesson.defaults | bet.opens_with, bet.opens, DESK)
        return said | describe.scene(made, made.frames - 1, DESK, sorted({0, made.frames - 1}))

    def bet_truth() -> Lines:
        outcome = lesson.bet.truth(values, bet)
        said = {
            "bet truth": " > ".join(outcome.right),
            "bet sentence": plain(outcome.whole),
            "bet setup": plain(outcome.setup),
            "bet why": plain(bet.why),
            "bet numbers": ", ".join(f"{k} = {one}" for k, one in outcome.numbers.items()),
            "bet value": f"{'none' if outcome.value is None else describe.number(outcome.value)} {outcome.amount}",
        }
        guess = ".".join(bet.options) if bet.ranks else next(iter(bet.options))
        return said | describe.figure("answers", bars(placed_bet(bet, outcome, guess), DESK), DESK)

    return [("bet asked", bet_question), ("bet told", bet_truth)]


def looks(lesson: Lesson) -> list[tuple[str, Callable[[], Lines]]]:
    """Return type, colours and words of the opening in a dark hall and in a paper's letters, by its address if any."""

    paper = LETTERS.get(lesson.key, "deng")

    def stage() -> Lines:
        if not lesson.has_address(lesson.defaults):
            made = scene_of(lesson, PageState("opening", {}, lesson.t), HALL)
            at, main = made.at_time(lesson.t), made.stage
            said, spec = (
                translate(made.sentences()[at], paper, "html"),
                in_letters(main.draw(at), paper).figure.to_dict(),
            )
            label = labels(made, paper)[at]
        else:
            query = {"r": release(), "v": str(VERSION), "symbols": paper, "lecture": "true", "theme": "dark"}
            asked = read(lesson, list(query.items()), "film")
            film = decode(gzip.decompress(ask(asked, "film")))
            at, spec = min(lesson.t, film["n"] - 1), film["charts"][0]["figure"]
            label, said = film["labels"][at], film["sentences"][film["said"][at]]
        found = {"film": f"{label} · {plain(unmarked(said))}"}
        traces = [{k: one for k, one in trace.items() if k not in POINTS} for trace in spec["data"]]
        return found | describe.figure("main", Film(PackedFigure(traces, spec["layout"])), HALL)

    return [("opening, dark hall in letters", stage)]


def pages(lesson: Lesson) -> list[tuple[str, Callable[[], Lines]]]:
    """Return the page as it opens; of one, and of those that make their film, with a task, in a hall and in letters."""
    links: dict[str, dict[str, str]] = {"page": {}}
    if not lesson.has_address(lesson.defaults) or lesson.key == "drift":
        links |= {f"page, task {task.key}": {"task": task.key, "t": "7"} for task in lesson.tasks}
        links |= {"page, hall": {"lecture": "true"}, "page, letters": {"symbols": "deng", "hide": "more"}}
    return [(name, lambda link=link: page(lesson.file, link)) for name, link in links.items()]
