"""Content of a page beside its film, as plain data that JSON takes.

Texts are Markdown in the letters of the state's paper, formulas between dollars, or HTML (`State.html`). Live sentences
are HTML, with the glossary's terms in them.
"""

from __future__ import annotations

from typing import Any

from answers import bets, captions, drawers, link
from answers.controls import controls, groups, leading
from answers.film import said
from answers.letters import translate
from answers.state import LESSON, State
from answers.strip import dots
from common.markup import plain_markdown
from lessons.record import Moment, Strip


def page(state: State) -> dict[str, Any]:
    """Return the page of a state: see `beside`; and "scene": see `scene`, None where it waits or is refused."""
    found, shown = beside(state), None
    if state.lesson.scene is not None and not found["waits"] and not found["refused"]:
        try:
            shown = scene(state)
        except ValueError as problem:
            found["refused"] = state.text(str(problem))
    if shown and state.view == LESSON:
        drawn = [key for one in shown["drawers"] for key in one["knobs"]]
        found["groups"] = groups(state.lesson, state.values, drawn)
    return found | {"scene": shown}


def beside(state: State) -> dict[str, Any]:
    """Return what stands on the page of a state before its scene is known.

    Returns:
        "lesson", "number", "title", "question", "view", "t"; "address": words of its own; "along": those that go to
        other pages; "moment": key of the chosen one; "moments": "key", "title", "line", "t", "address" of each;
        "knobs": see `controls`; "groups": see `groups`; "leads": key of the knob that matters most; "bet": see
        `bets.asked`; "tasks": "key", "goal" and "t" of each; "sources"; "help": key and title of each text; "script":
        whether there is one; "settings": one line; "waits": see `waiting`; "refused": why there is no scene, "" where
        there is one. Beside the question of a bet stands nothing of the lesson, which tells its answer.
    """
    lesson, values = state.lesson, state.values
    whole = state.view == LESSON
    found: dict[str, Any] = {
        "lesson": lesson.key,
        "number": state.number,
        "title": lesson.title,
        "question": state.text(lesson.question),
        "view": state.view,
        "t": state.t,
        "address": link.words(state),
        "along": link.along(lesson, values),
        "moment": state.moment,
        "moments": [_moment(state, one) for one in lesson.moments if whole],
        "knobs": controls(state) if whole else {},
        "groups": groups(lesson, values) if whole else [],
        "leads": leading(lesson, values) if whole else None,
        "bet": bets.asked(state) if lesson.bet else None,
        "tasks": [{"key": one.key, "goal": state.text(one.goal), "t": one.t} for one in lesson.tasks if whole],
        "sources": [state.text(source) for source in lesson.sources()],
        "help": [[key, state.text(title)] for key, (title, _) in drawers.help_texts(lesson).items() if whole],
        "script": whole and lesson.recipe is not None,
        "settings": captions.settings(state) if whole else "",
        "waits": None,
        "refused": "",
    }
    try:
        return found | {"waits": waiting(state)}
    except ValueError as problem:
        return found | {"refused": state.text(str(problem))}


def _moment(state: State, one: Moment) -> dict[str, Any]:
    said = {"title": state.text(one.title), "line": state.text(one.script)}
    return {"key": one.key, **said, "t": one.t, "address": {"moment": one.key}}


def waiting(state: State) -> dict[str, Any] | None:
    """Return the runs that a scene waits for, None where it waits for none.

    Returns:
        "jobs" (how many are missing), "of" (how many there are), "what" (they are, in words), "seconds" (about, on one
        core) and "asks": whether they begin once a button is pressed.

    Raises:
        ValueError: a world that cannot be.
    """
    if not state.waits:
        return None
    plan = state.lesson.runs
    assert plan is not None
    setting, jobs, stored = plan.at_hand(state.values)
    missing = [job for job in jobs if job not in stored]
    seconds = float(plan.seconds(missing))
    return {
        "jobs": len(missing),
        "of": len(jobs),
        "what": plan.what(setting),
        "seconds": seconds,
        "asks": seconds > plan.long_seconds,
    }


def scene(state: State) -> dict[str, Any]:
    """Return what the scene of a state says beside its film: see `stage`, `notes` and `drawers.listed`."""
    return stage(state) | (notes(state) | drawers.listed(state) if state.view == LESSON else {})


def stage(state: State) -> dict[str, Any]:
    """Return what stands around the stage of a state.

    Returns:
        "frames", "start" and "times" (of each frame) of the film; "alt"; "screens" (of a phone, and the first);
        "sentence", in HTML, None where only finished runs can tell; in a lesson's own view also "odds" and "strip" (see
        `answers.strip.dots`, None without one).
    """
    scene = state.scene
    found: dict[str, Any] = {
        "frames": scene.frames,
        "start": state.frame,
        "times": [int(time) for time in scene.times],
        "alt": scene.stage.alt,
        "screens": list(scene.stage.screens),
        "sentence": scene.says and said(scene, state.frame, state.paper),
    }
    if state.view != LESSON:
        return found
    strip = dots(scene.odds, state.theme.dark) if isinstance(scene.odds, Strip) else None
    return found | {"odds": translate(scene.odds_line, state.paper, "markdown"), "strip": strip}


def notes(state: State) -> dict[str, Any]:
    """Return "caption", the set-up of a state with its seed, and "notes", what else is to be said at its time."""
    words = [state.text(note) for note in state.scene.notes(state.frame)]
    return {"caption": state.text(state.scene.caption), "notes": words}


def judged(state: State, key: str) -> dict[str, Any]:
    """Return the verdict on a task.

    Returns:
        "done", "measurement" and "why" (Markdown; "" where it is not done), and "changed", how many settings stand
        elsewhere.

    Raises:
        KeyError: there is no such task.
    """
    task = {one.key: one for one in state.lesson.tasks}[key]
    verdict = task.judge(state.values, state.scene.facts(state.scene.frames - 1))
    changed = task.changed(state.lesson.knobs, state.values)
    why = verdict.why if verdict.done else ""
    said = {"measurement": state.text(verdict.measurement), "why": state.text(why)}
    return {"done": bool(verdict.done), **said, "changed": changed}


def plain(markdown: str, paper: str = "ours") -> str:
    """Return a text of the lab as plain text, in the letters of a paper."""
    return plain_markdown(translate(markdown, paper, "markdown"))
