"""Guests in the lessons: beside the listed ones, on the same worlds and noise, and never in their way."""

from __future__ import annotations

import ast
import json
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import plotly.graph_objects as go
import pytest

from figures.theme import Theme
from lessons import BY_KEY, LESSONS
from lessons.guests import addresses, start
from lessons.record import ROOT, BadValue
from lessons.shared import script as code
from shell.static.drawer import drawing
from tests.core.test_every_policy import refused
from tests.core.test_guests import COPIES, FAULTY, lists  # noqa: F401  (a fixture)
from tvbo_core import policies
from tvbo_core.guests import Guest, GuestPolicy, load_guest
from tvbo_core.testing import FAIL, BandContract, PolicyContract

COPY, RAISES = "SameAsWGPUCB*", "Raises*"
BROKEN = """

class Broken(theorems.Bound):
    name = "broken"

    def from_fits(self, fit_at):
        raise LookupError("nothing here")
"""


@pytest.fixture(scope="module")
def guest_pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Pages of a process whose lists hold guests (tests/lessons/guests.py)."""
    path = tmp_path_factory.mktemp("guests") / "mine.py"
    path.write_text(COPIES + FAULTY + BROKEN)
    command = [sys.executable, "-W", "ignore", "-m", "tests.lessons.guests", str(path)]
    env = {"PYTHONPATH": str(ROOT), "PATH": "", "HOME": str(path.parent), "OMP_NUM_THREADS": "1"}
    done = subprocess.run(command, cwd=path.parent, env=env, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout)


def test_copy_races_as_the_listed_policy(guest_pages):
    race = guest_pages["race"]
    assert race["same"] and race["drawn"] and COPY in race["names"] and RAISES not in race["names"]
    assert race["default"][:10] == list(BY_KEY["race"].knobs["algos"].default) and len(race["default"]) == 12
    assert race["counted"] is None


def test_failing_guest_says_round_and_seed(guest_pages):
    race, said = guest_pages["race"], r"raises ZeroDivisionError: .* in line \d+ in round t = 3 \(seed 48\)"
    assert re.search(said, race["refused"][RAISES]) and any(re.search(said, note) for note in race["notes"])
    assert list(race["refused"]) == list(guest_pages["game"]["refused"]) == [RAISES]
    assert "in round t = 3" in guest_pages["game"]["refused"][RAISES]
    assert guest_pages["game"]["notes"][-1].startswith(f"Left out: {RAISES}. ")
    assert guest_pages["bands"]["notes"][-1].startswith(
        "Left out: Broken*. It raises LookupError: nothing here in line"
    )


def test_nobody_waits_for_guests(guest_pages):
    race = guest_pages["race"]
    assert race["waiting"] == [["WGP-UCB", "GP-UCB"], 2]
    assert [name in (COPY, RAISES) for name in race["order"]] == [False] * 8 + [True] * 8
    assert guest_pages["game"]["in workers"] == [True, True]


def test_copy_plays_the_game_alike(guest_pages):
    game = guest_pages["game"]
    assert game["same"] and game["replays"] and game["rivals"] == ["GP-UCB", "WGP-UCB", COPY]


def test_copy_is_drawn_as_the_listed_band(guest_pages):
    bands = guest_pages["bands"]
    assert bands["same"] and bands["names"] == ["CMM", "DMM", "AMM", "AY", "IGP", "SameAsCMM*"]
    assert bands["caption"].endswith(" Your own: SameAsCMM* is SameAsCMM() of mine.py.")
    assert "SameAsCMM*" in bands["coverage"] and bands["odds"].endswith(". This was counted without your own bands.")


def test_scripts_load_guests_by_file(guest_pages):
    assert 'tv.load_guest("mine.py@SameAsWGPUCB").policy()' in guest_pages["race"]["script"]
    assert 'tv.load_guest("mine.py@SameAsCMM").band(B, sigma, delta)' in guest_pages["bands"]["script"]
    printed = dict(line.split(" = ") for line in guest_pages["race"]["printed"] if " = " in line)
    assert printed[f"Static world, {COPY}"] == printed["Static world, WGP-UCB"]


def test_workers_have_the_guests(guest_pages):
    assert guest_pages["workers"] == {
        "failed": [],
        "same": True,
        "covered": ["CMM", "DMM", "AMM", "AY", "IGP", "SameAsCMM*"],
    }


def test_links_name_no_file(guest_pages):
    assert set(guest_pages["links"].values()) == {"dropped"} and len(guest_pages["links"]) == 3
    for lesson in LESSONS:
        for key in lesson.knobs.keys() & {"algos", "bowl", "front"}:
            with pytest.raises(BadValue):
                lesson.knobs[key].read("/etc/x.py@Y")
    assert not any(entry.own for entry in policies.ALL.values())


@pytest.mark.parametrize("count", range(1, 9))
def test_scripts_keep_settings_of_guests_whole(count):
    given = tuple(f'places=["x, {i}", {", ".join(["0.25"] * i)}]' for i in range(count))
    rule = GuestPolicy(Guest("mine.py", "Greedy", given))
    text = code.mapping("methods", {f"Greedy {given[0]}*": code.policy(rule)})
    (read,) = (node.args for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call) and node.args)
    assert ast.literal_eval(read[1]) == given


@pytest.mark.parametrize(("text", "name"), [("own_policy", "Greedy"), ("own_band", "Wide")])
def test_templates_pass_their_contract(text, name, tmp_path):
    words = (ROOT / f"assets/words/{text}.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"```python\n(.*?)```", words, re.S)
    page = (ROOT / "docs/core.md").read_text(encoding="utf-8")
    (section,) = re.findall(r"Read on: docs/core.md, “(.*?)”", words)
    assert code in page.split(f"## {section}\n")[1].split("\n## ")[0]
    Path(tmp_path / "mine.py").write_text(code)
    guest = load_guest(f"{tmp_path}/mine.py@{name}")
    kind = BandContract if guest.kind == "band" else PolicyContract
    contract = type("Own", (kind,), {"make": lambda self, *given: guest.make(*given)} | {"worlds": 20})()
    contract.make = (lambda B, sigma, delta: guest.band(B, sigma, delta)) if guest.kind == "band" else guest.make
    assert [result for result in contract.run() if result.outcome == FAIL] == []
    assert f"--with mine.py@{name}" in words and f"tvbo_core.check mine.py@{name}" in words
    fields = [line for line in code.splitlines() if line.strip() and "import" not in line]
    assert len(fields) <= 10


NARROW = """
from tvbo_core.bands import CMM


class Spectrum(CMM):
    def from_spectrum(self, spec, dmm=None):
        band = super().from_spectrum(spec, dmm)
        return type(band)(band.mean, 0.3 * band.lower + 0.7 * band.mean, 0.3 * band.upper + 0.7 * band.mean, band.empty)

"""


def test_two_bands_in_one_are_refused_at_start(tmp_path, lists):  # noqa: F811
    (tmp_path / "mine.py").write_text(NARROW)
    refused(lambda: start(["--with", f"{tmp_path}/mine.py@Spectrum"]), "Spectrum() of mine.py is refused", "its film")


def test_lines_of_a_script_draw_the_stage(monkeypatch):
    lesson, drawn = BY_KEY["drift"], []
    monkeypatch.setattr(go.Figure, "show", lambda figure: drawn.append(figure))
    exec(drawing(lesson, lesson.settings({"T": 100}), 60), {})
    scene = lesson.scene(lesson.settings({"T": 100}), Theme())
    assert drawn[0] == go.Figure(scene.films["main"].draw(scene.at_time(60)).figure.to_dict())


def test_commands_in_the_documents_are_read():
    """The words after `--`, and those of the variable, as app.py takes them apart."""
    texts = [
        path.read_text(encoding="utf-8") for path in (ROOT / "docs/core.md", *(ROOT / "assets/words").glob("*.md"))
    ]
    given = [shlex.split(line.split(" -- ")[1]) for text in texts for line in text.splitlines() if "app.py -- " in line]
    given += [shlex.split(f"--with {words}") for text in texts for words in re.findall(r'TVBO_WITH="(.*?)"', text)]
    found = [addresses(words) for words in given]
    assert len(found) == 5 and all(len(guests) >= 1 for guests in found)
    assert found[0][0] == ("mine.py@Greedy", ("window=20",))
