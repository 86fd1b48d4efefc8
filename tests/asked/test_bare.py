"""The room answers without Streamlit, a server, Plotly or pandas: numpy, scipy and cachetools alone."""

from __future__ import annotations

import json
import subprocess
import sys

from figures.theme import Theme
from lessons import LESSONS
from lessons.record import ROOT

# Refuse every package but those that a browser's own Python has, and print for each lesson how long its film is.
BARE = """
import importlib.util, json, sys
ALLOWED = {"numpy", "scipy", "cachetools", "tvbo_core", "common", "figures", "lessons", "answers"}

class Refuse:
    def find_spec(self, name, path=None, target=None):
        root = name.split(".")[0]
        if root not in sys.stdlib_module_names | ALLOWED and not root.startswith("_sysconfigdata"):
            raise ImportError(f"{name} is not here")

sys.meta_path.insert(0, Refuse())
from answers.ask import ask
from answers.state import State
from figures.theme import Theme
from lessons import LESSONS
found = {}
for lesson in LESSONS:
    state = State(lesson, lesson.settings({}), lesson.t)
    kinds = ("film", "frame") if lesson.has_address(state.values) else ()
    found[lesson.key] = [len(ask(state, kind)) for kind in kinds]
foreign = {name.split(".")[0] for name in sys.modules} & {"streamlit", "starlette", "plotly", "pandas", "joblib"}
print(json.dumps([found, sorted(foreign)]))
"""


def test_answers_need_numpy_scipy_and_cachetools_alone() -> None:
    done = subprocess.run([sys.executable, "-W", "error", "-c", BARE], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    found, foreign = json.loads(done.stdout)
    assert not foreign
    for lesson in LESSONS:
        values = lesson.defaults
        if lesson.scene and lesson.has_address(values):
            assert found[lesson.key][0] > 1000, lesson.key
        if lesson.frame and lesson.at_time(values, lesson.t, Theme()):
            assert found[lesson.key][1] > 500, lesson.key
