"""The facts of the frame on screen are what its script prints in a Python that has the core alone."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from figures.theme import Theme
from lessons import BY_KEY
from lessons.shared import script as code
from tests.laws.test_facts import FACT, rounds_to
from tests.lessons.scripts import ROOT, SCRIPTED, formed, script
from tests.lessons.test_pages import opened
from tests.shared import session_of

# Lessons with a finding for each frame of the player; the stage of lesson 0 has a player of its own.
FILMS = tuple(key for key in SCRIPTED if BY_KEY[key].scene and key != "chase")
# What is opened in a browser's stead, beside a script in a Python of its own; quick states of the slow pages.
LINKS = {
    "race": {"algos": "rnd.gp", "seeds": "1", "T": "100"},
    "forgetting": {"moment": "bogunovic"},
    "side_queries": {"seeds": "1", "T": "100"},
    "real_data": {"share": "0.2", "algos": "gp.tv", "seeds": "1"},
}


# One Python for all scripts of a kind, as a reader has it: whatever belongs to the screen cannot be imported there.
SCREEN = ("streamlit", "shell", "pages", "app", "home")
CORE_ALONE = (*SCREEN, "plotly", "common", "figures", "lessons")
CLOSED = """
import contextlib, io, json, sys
scripts, shut = json.load(sys.stdin)
class Shut:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in shut:
            raise ImportError(name + " is not for scripts")
sys.meta_path.insert(0, Shut())
said = {}
for key, script in scripts.items():
    with contextlib.redirect_stdout(io.StringIO()) as heard:
        exec(compile(script, "lesson " + key, "exec"), {"__name__": "__main__"})
    said[key] = heard.getvalue()
print(json.dumps([said, sorted({name.split(".")[0] for name in sys.modules})]))
"""


@pytest.fixture(scope="module")
def pages() -> dict[str, tuple[dict, str]]:
    """Lesson -> (what the session holds when the page has opened, the script for it)."""
    found = {}
    for key in FILMS:
        lesson = BY_KEY[key]
        at = opened(lesson.file, **LINKS.get(key, {}))
        state = {key: at.session_state[key] for key in lesson.knobs if key in at.session_state}
        state["t"] = session_of(at).t
        found[key] = state, formed(script(key, state))
    return found


@pytest.fixture(scope="module")
def outside(pages: dict[str, tuple[dict, str]]) -> dict[str, str]:
    """What every script prints in a Python that has the core alone, or a checkout where the script says so."""
    said = {}
    for shut, checkout in ((CORE_ALONE, False), (SCREEN, True)):
        scripts = {n: written for n, (_, written) in pages.items() if (code.CHECKOUT in written) == checkout}
        done = subprocess.run(
            [sys.executable, "-c", CLOSED],
            input=json.dumps([scripts, shut]),
            capture_output=True,
            text=True,
            cwd=ROOT,
            timeout=120,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        found, modules = json.loads(done.stdout)
        assert not set(modules) & set(shut)
        said |= found
    return said


def test_scripts_need_nothing_of_the_screen(outside: dict[str, str]) -> None:
    assert set(outside) == set(FILMS) and all(outside.values())


@pytest.mark.parametrize("key", FILMS)
def test_the_script_of_a_page_prints_the_facts_of_the_frame_on_screen(
    key: str, pages: dict[str, tuple[dict, str]], outside: dict[str, str]
) -> None:
    lesson, (state, _) = BY_KEY[key], pages[key]
    scene = lesson.scene(lesson.settings(state), int(state["t"]), Theme())
    printed, facts = dict(FACT.findall(outside[key])), scene.facts(min(max(scene.start, 0), scene.frames - 1))
    assert set(printed) == set(facts) and all(rounds_to(printed[name], fact) for name, fact in facts.items())
