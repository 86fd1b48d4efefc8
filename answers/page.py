"""Content of a page beside its film, as plain data that JSON takes.

Texts are Markdown in the letters of the state's paper, formulas between dollars; a host without Markdown puts each
through `plain`. Live sentences are HTML, with the glossary's terms and the figure's marks in them.
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
from lessons.record import Moment, Scene


def page(state: State) -> dict[str, Any]:
    """Return the page of a state: what always stands on it, and what its scene says.

    Returns:
        "lesson", "number", "title", "question", "view", "t"; "address": words of its own; "along": those that go to
        other pages; "moment": key of the chosen one; "moments": "key", "title", "line", "t", "address" of each;
        "knobs": see `controls`; "groups": see `groups`; "leads": key of the knob that matters most; "bet": see
        `bets.asked`; "tasks": "key", "goal" and "t" of each; "sources"; "help": key and title of each text; "script":
        whether there is one; "settings": one line; "waits": see `waiting`; "refused": why there is no scene, "" where
        there is one; and "scene": see `stands`, None where it waits or is refused.
    """
    lesson, values = state.lesson, state.values
    found: dict[str, Any] = {
        "lesson": lesson.key,
        "number": state.number,
        "title": lesson.title,
        "question": state.markdown(lesson.question),
        "view": state.view,
        "t": state.t,
        "address": link.words(state),
        "along": link.along(lesson, values, {}),
        "moment": state.moment,
        "moments": [],
        "knobs": {},
        "groups": [],
        "leads": None,
        "bet": bets.asked(state) if lesson.bet else None,
        "tasks": [],
        "sources": [state.markdown(source) for source in lesson.sources()],
        "help": [],
        "script": False,
        "settings": "",
        "waits": None,
        "refused": "",
        "scene": None,
    }
    if state.view == LESSON:  # what is said beside a question tells
        found |= _beside(state)
    try:
        if state.view == LESSON:
            found["waits"] = waiting(state)
        if lesson.scene is not None and not found["waits"]:
            found["scene"] = stands(state, state.scene)
        if state.view == LESSON and found["scene"]:
            drawn = [key for one in found["scene"]["drawers"] for key in one["knobs"]]
            found["groups"] = groups(lesson, values, drawn)
    except ValueError as problem:
        found["refused"] = state.markdown(str(problem))
    return found


def _beside(state: State) -> dict[str, Any]:
    """Return what stands beside the scene of a lesson's own view."""
    lesson, values = state.lesson, state.values
    return {
        "moments": [_moment(state, one) for one in lesson.moments],
        "knobs": controls(state),
        "groups": groups(lesson, values),
        "leads": leading(lesson, values),
        "tasks": [{"key": one.key, "goal": state.markdown(one.goal), "t": one.t} for one in lesson.tasks],
        "help": [[key, title] for key, (title, _) in drawers.help_texts(state).items()],
        "script": lesson.recipe is not None,
        "settings": captions.settings(state),
    }


def _moment(state: State, one: Moment) -> dict[str, Any]:
    said = {"title": state.markdown(one.title), "line": state.markdown(one.script)}
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
    setting = plan.setting(state.values)
    jobs = list(dict.fromkeys(plan.jobs(setting)))
    stored = plan.stored(jobs, plan.file)
    missing = [job for job in jobs if job not in stored]
    seconds = float(plan.seconds(missing))
    return {
        "jobs": len(missing),
        "of": len(jobs),
        "what": plan.what(setting),
        "seconds": seconds,
        "asks": seconds > plan.long_seconds,
    }


def stands(state: State, scene: Scene) -> dict[str, Any]:
    """Return what the scene of a state says beside its film, at the state's time.

    Returns:
        "frames", "start" and "times" (of each frame) of the film; "alt", "screens" (of a phone, and the first) and
        "sentence" of the stage; in a lesson's own view also "caption", "notes", "odds", "strip", "drawers", "tables".
    """
    found: dict[str, Any] = {
        "frames": scene.frames,
        "start": int(scene.inside(scene.start)),
        "times": times(scene),
        "alt": next(iter(scene.films.values())).alt,
        "screens": [scene.phone_screens or state.lesson.screens[0], state.lesson.screens[1]],
        "sentence": sentence(state),
    }
    if state.view != LESSON:
        return found
    return found | {
        "caption": state.markdown(scene.caption),
        "notes": [state.markdown(note) for note in scene.notes()],
        "odds": state.markdown(scene.odds),
        "strip": dots(scene.strip, state.theme.dark) if scene.strip else None,
        "drawers": drawers.listed(state, scene),
        "tables": list(scene.tables),
    }


def times(scene: Scene) -> list[int]:
    """Return the time of each frame."""
    return list(range(scene.frames) if scene.times is None else map(int, scene.times))


def sentence(state: State) -> str | None:
    """Return the live sentence with which a page opens, in HTML; None where only finished runs can tell."""
    scene = state.scene
    return None if scene.unknown or scene.says is None else said(scene, scene.inside(scene.start), state.paper)


def judged(state: State, key: str) -> dict[str, Any]:
    """Return the verdict on a task: "done", "measurement" (Markdown) and "changed", how many settings stand elsewhere.

    Raises:
        KeyError: there is no such task.
    """
    task = {one.key: one for one in state.lesson.tasks}[key]
    verdict = task.judge(state.values, state.scene.facts(state.scene.frames - 1))
    changed = task.changed(state.lesson.knobs, state.values)
    return {"done": bool(verdict.done), "measurement": state.markdown(verdict.measurement), "changed": changed}


def plain(markdown: str, paper: str = "ours") -> str:
    """Return a text of the lab as plain text, in the letters of a paper."""
    return plain_markdown(translate(markdown, paper, "markdown"))
