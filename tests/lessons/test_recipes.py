"""A lesson's script exists in its states, and runs where a reader runs it; its facts: tests/laws/test_facts.py."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest

from figures.theme import Theme
from lessons import BY_KEY
from lessons.real_data import model as data_lab
from lessons.real_data import tables
from lessons.real_data.knobs import choices_text
from lessons.reproductions import model as reproductions
from lessons.reproductions.names import REPRODUCTIONS
from lessons.shared import script as code
from tests.laws.test_facts import FACT, rounds_to
from tests.lessons.real_data.own_table import table as own_table
from tests.lessons.scripts import NUMBER, ROOT, SCRIPTED, SHORT, formed, random_state, run, script, settings

STORED = [name for name in REPRODUCTIONS if (reproductions.FOLDER / f"{name}.json").exists()]
SLOW = {"bogunovic-figure-2b"}  # a Matérn reward over space and time is drawn, which takes seconds
QUICK = "deng-figure-1a"

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


@pytest.mark.slow
@pytest.mark.parametrize(("shut", "checkout"), [(CORE_ALONE, False), (SCREEN, True)], ids=["core", "checkout"])
def test_scripts_need_nothing_of_the_screen(shut: tuple[str, ...], checkout: bool) -> None:
    short = SHORT | {"real_data": {"algos": ("gp", "tv"), "seeds": 1}}  # a table without plotly
    states = {key: short.get(key, {}) | {"t": BY_KEY[key].t} for key in SCRIPTED if BY_KEY[key].scene}
    scripts = {key: formed(script(key, state)) for key, state in states.items()}
    scripts = {key: text for key, text in scripts.items() if (code.CHECKOUT in text) == checkout}
    assert ({"reproductions", "microscope", "real_data", "rperp"} == set(scripts)) == checkout
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
    said, modules = json.loads(done.stdout)
    assert not set(modules) & set(shut)
    for key, text in said.items():
        lesson, printed = BY_KEY[key], dict(FACT.findall(text))
        scene = lesson.scene(lesson.settings(states[key]), Theme())
        facts = scene.facts(scene.at_time(lesson.t))
        assert set(printed) == set(facts) and all(rounds_to(printed[name], fact) for name, fact in facts.items()), key


@pytest.mark.parametrize("names", [[QUICK], pytest.param(STORED, marks=pytest.mark.wide)], ids=["quick", "all"])
def test_a_reproductions_script_plays_a_stored_seed(names: list[str]) -> None:
    for name in (one for one in names if one not in SLOW):
        experiment, values = reproductions.stored(name), settings("reproductions", {"shown": name})
        text = run(formed(script("reproductions", {**values, "t": 999})))
        said, facts = (
            dict(FACT.findall(text)),
            reproductions.facts(experiment, experiment.frames - 1, int(values["within"])),
        )
        assert set(said) == set(facts) and all(rounds_to(said[one], fact) for one, fact in facts.items()), name
        stored, anew = re.findall(rf"({NUMBER}) is stored, ({NUMBER}) is played anew", text)[0]
        # Rounds are the same; another linear algebra may move a tie, and a stored number has nine digits.
        assert float(anew) == pytest.approx(float(stored), rel=1e-5), name


@pytest.mark.parametrize("key", SCRIPTED)
def test_scripts_are_formed_in_any_state(key: str) -> None:
    for seed in range(40):
        with suppress(ValueError):  # A world that cannot be has no script.
            text = script(key, random_state(BY_KEY[key], seed))
            assert text is None or formed(text)


def test_without_anything_to_run_is_no_script() -> None:
    assert script("reproductions", {"shown": "not-stored"}) is None
    # The proved widths need a norm bound, which a Markov reward has not: nobody can race.
    assert script("race", {"algos": ("gp", "sw"), "kind": "markov", "pair": "none", "beta": "theory"}) is None


EXAMPLE = (ROOT / "assets/example_table.csv").read_bytes()
WIDE = own_table(np.random.default_rng(0).standard_normal((100, 51))).encode()  # has more arms than OPKB races on


@pytest.mark.parametrize(
    ("raw", "changed", "algos"),
    [
        (EXAMPLE, {"lower": True, "arms": (1, 2, 3), "missing": ('"',)}, ("gp", "sw")),
        (WIDE, {"lower": True}, ("gp", "opkb")),
    ],
    ids=["example", "wide"],
)
def test_an_own_tables_script_splits_it_alike(raw: bytes, changed: dict, algos: tuple, tmp_path: Path) -> None:
    cells = tables.read(raw)
    mark = cells.fingerprint[:12]
    chosen = {"table": "own", "file": mark, "seeds": 1, "m": 10, "algos": algos}
    state = settings("real_data", {**chosen, "choices": choices_text(changed)})
    text = formed(script("real_data", {**state, "t": 40}))
    (tmp_path / "your_table.csv").write_bytes(raw)
    text = run(text.replace("your_table.csv", str(tmp_path / "your_table.csv")))
    assert text.startswith(mark)
    loaded = tables.load(cells, tables.suggest(cells, **changed))
    shown = data_lab.race(data_lab.setting_from(state, loaded), loaded.table)
    said, facts = dict(FACT.findall(text)), data_lab.facts(shown, 39)
    assert set(said) == set(facts) and all(rounds_to(said[name], fact) for name, fact in facts.items())
