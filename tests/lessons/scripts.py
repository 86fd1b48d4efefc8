"""Helpers that write, run and read the scripts of lessons, and in which states."""

from __future__ import annotations

import ast
import builtins
import contextlib
import io
import sys
from collections.abc import Callable, Mapping

import numpy as np

from answers.ask import SCRIPT, ask
from answers.state import State
from lessons import BY_KEY, LESSONS
from lessons.record import ROOT, Lesson, number_of
from lessons.shared import script as code

SCRIPTED = tuple(key for key in BY_KEY if key != "game")  # the game has no script before it is over
MAY_IMPORT = {"tvbo_core", "numpy", "joblib"}
WIDEST = 110  # columns; what is wrapped stays below code.COLUMNS
# Where a page's own settings mean many runs: the same state, played shorter.
SHORT = {
    "bands": {"T": 50},
    "race": {"T": 100, "seeds": 2, "algos": ("rnd", "gp", "tv", "rperp")},
    "theorems": {"T": 100, "seeds": 2},
    "forgetting": {"T": 100, "seeds": 2},
    "side_queries": {"T": 100, "seeds": 1},
    "real_data": {"table": "stocks-weekly", "seeds": 2, "algos": ("rnd", "gp", "tv")},
}
NUMBER = r"-?\d+(?:\.\d+)?(?:e[+-]?\d+)?"


def settings(lesson: str, chosen: Mapping[str, object]) -> dict[str, object]:
    return {key: knob.default for key, knob in BY_KEY[lesson].knobs.items()} | dict(chosen)


def recipe(lesson: str) -> Callable[[Mapping[str, object], int], str | None]:
    """Return what writes the script of a lesson."""
    found = BY_KEY[lesson].recipe
    assert found, f"the lesson “{lesson}” has no recipe: write lessons/NAME/recipe.py and name it in its lesson.py"
    return found


def script(lesson: str, state: Mapping[str, object]) -> str | None:
    """Return the script of a lesson in this state; what the state leaves out is the lesson's default."""
    one = BY_KEY[lesson]
    assert recipe(lesson)
    t = int(state.get("t", one.t))
    return ask(State(one, one.settings(state), t, number=number_of(one, LESSONS)), SCRIPT)


def moments(key: str) -> list[dict[str, object]]:
    """The untouched page and its moments, each with its time."""
    lesson, short = BY_KEY[key], SHORT.get(key, {}) if key != "bands" else {}
    scenes = [({}, lesson.t), *((moment.values, moment.t) for moment in lesson.moments)]
    found = [settings(key, values) | short | {"t": t} for values, t in scenes]
    return [state for i, state in enumerate(found) if state not in found[:i]]


def random_state(lesson: Lesson, seed: int) -> dict[str, object]:
    """Any state of a page that a visitor can reach, played short."""
    rng = np.random.default_rng([seed, number_of(lesson, LESSONS)])
    values: dict[str, object] = {"t": int(rng.integers(0, 60))}
    for key, knob in lesson.knobs.items():
        if knob.widget == "pills" or (knob.low is None and not knob.options):
            values[key] = knob.default
        elif knob.options:
            allowed = [option for option in knob.options if option != "own"]
            values[key] = allowed[rng.integers(len(allowed))]
        else:
            values[key] = knob.snap(rng.uniform(knob.low, knob.high))
    return values | SHORT.get(lesson.key, {})


def run(script: str) -> str:
    """Return the output of a script, in a namespace of its own."""
    heard = io.StringIO()
    with contextlib.redirect_stdout(heard), contextlib.chdir(ROOT):
        exec(compile(script, "script", "exec"), {"__name__": "__main__"})
    return heard.getvalue()


def imported(script: str) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(script)):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add(node.module.split(".")[0])
    return found - sys.stdlib_module_names


def unused(script: str) -> set[str]:
    """Return the names that a script imports and never uses."""
    tree = ast.parse(script)
    names = {
        (alias.asname or alias.name).split(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }
    return names - {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}


def undefined(script: str) -> set[str]:
    """Return the names that a script reads and neither imports, assigns nor finds built in."""
    nodes = list(ast.walk(ast.parse(script)))
    known = {*dir(builtins), *(node.arg for node in nodes if isinstance(node, ast.arg))}
    known |= {node.name for node in nodes if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    known |= {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    for node in nodes:
        if isinstance(node, ast.Import | ast.ImportFrom):
            known |= {(alias.asname or alias.name).split(".")[0] for alias in node.names}
    return {node.id for node in nodes if isinstance(node, ast.Name)} - known


def formed(script: str | None) -> str:
    """A script that is short, narrow, uses what it imports, and is of the core alone or says it needs a checkout."""
    assert script is not None
    lines = script.splitlines()
    assert len(lines) <= code.MOST
    assert max(map(len, lines)) <= WIDEST
    assert lines[0].startswith("# Lesson ")
    assert unused(script) == set() == undefined(script)
    assert imported(script) - {"lessons"} <= MAY_IMPORT
    assert ("lessons" in imported(script) or "assets/" in script) == (code.CHECKOUT in script)
    return script
