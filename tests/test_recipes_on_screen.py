"""The finding that a page shows, beside what its script prints in a Python that has the core alone."""

from __future__ import annotations

import json
import math
import re
import subprocess
import sys
from collections.abc import Callable

import pytest

from tests.recipe_oracles import BY_NUMBER, NUMBER, NUMBERS, ROOT, formed, script
from tests.test_pages import film, opened, sentences

# Lessons with a finding for each frame of the player; the stage of lesson 0 has a player of its own.
FILMS = tuple(number for number in NUMBERS if BY_NUMBER[number].scene and number > 0)
# What is opened in a browser's stead, beside a script in a Python of its own; quick states of the slow pages.
LINKS = {4: {"algos": "rnd.gp", "seeds": "1", "T": "100"}, 6: {"moment": "3"}, 7: {"seeds": "1", "T": "100"},
         8: {"share": "0.2", "algos": "gp.tv", "seeds": "1"}}  # fmt: skip


# One Python for all pages, as a reader has it: whatever belongs to the screen cannot be imported there.
CLOSED = """
import contextlib, io, json, sys
class Shut:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ("streamlit", "plotly", "figures", "lessons", "shell", "pages", "app", "home"):
            raise ImportError(name + " is not for scripts")
sys.meta_path.insert(0, Shut())
said = {}
for number, script in json.load(sys.stdin).items():
    with contextlib.redirect_stdout(io.StringIO()) as heard:
        exec(compile(script, "lesson " + number, "exec"), {"__name__": "__main__"})
    said[number] = heard.getvalue()
print(json.dumps([said, sorted({name.split(".")[0] for name in sys.modules})]))
"""


@pytest.fixture(scope="module")
def pages() -> dict[int, tuple[str, str]]:
    """Number -> (the finding on screen, the script for what the session then holds)."""
    found = {}
    for number in FILMS:
        lesson = BY_NUMBER[number]
        at = opened(lesson.file, **LINKS.get(number, {}))
        state = {key: at.session_state[key] for key in lesson.knobs if key in at.session_state}
        written = formed(script(number, {**state, "t": at.session_state["_t"]}))
        found[number] = sentences(at)[film(at)["start"]], written
    return found


@pytest.fixture(scope="module")
def outside(pages: dict[int, tuple[str, str]]) -> tuple[dict[str, str], set[str]]:
    """What every script prints in a Python that has the core alone, and which modules were loaded."""
    scripts = json.dumps({number: written for number, (_, written) in pages.items()})
    done = subprocess.run([sys.executable, "-c", CLOSED], input=scripts, capture_output=True, text=True, cwd=ROOT,
                          timeout=120, check=False)  # fmt: skip
    assert done.returncode == 0, done.stderr
    said, modules = json.loads(done.stdout)
    return said, set(modules)


def test_scripts_need_nothing_of_the_screen(outside: tuple[dict[str, str], set[str]]) -> None:
    said, modules = outside
    assert set(said) == set(map(str, FILMS)) and all(said.values())
    assert not modules & {"streamlit", "plotly", "figures", "lessons", "shell", "pages"}


@pytest.mark.parametrize("number", FILMS)
def test_every_number_of_the_finding_on_screen_is_in_what_the_script_prints(
    number: int, pages: dict[int, tuple[str, str]], outside: tuple[dict[str, str], set[str]]
) -> None:
    finding, written = pages[number]
    text = re.sub(r"<su[bp]>T</su[bp]>", "", finding).replace("<sup>", " ")
    text = re.sub(r"<[^>]*>|[,\u202f](?=\d{3})", "", text)
    known = {abs(float(n)) for source in (written, outside[0][str(number)]) for n in re.findall(NUMBER, source)}
    known |= {known_ * 100 for known_ in known}  # shares are told in percent
    known |= RATIOS.get(number, lambda printed: set())(outside[0][str(number)])
    missing = []
    for shown in re.findall(r"\d+(?:\.\d+)?", text):
        unit = 10.0 ** -len(shown.split(".")[1]) if "." in shown else 1.0
        if not any(abs(value - float(shown)) <= 0.5 * unit + 1e-9 for value in known):
            missing.append(shown)
    assert missing == [], (finding, outside[0][str(number)])


def fewer(printed: str) -> set[float]:
    """How many times fewer questions W-SparQ asks, from the two counts."""
    many, few = (
        float(re.search(rf"^{name}: re-asks = (\d+)", printed, re.MULTILINE)[1]) for name in ("SparQ", "W-SparQ")
    )
    return {many / few}


def ranks(printed: str) -> set[float]:
    """Places and how many there are."""
    return set(map(float, range(1, 12)))


def saved(printed: str) -> set[float]:
    """What the best forgetting method saves against GP-UCB, in percent."""
    loss = {name: float(n) for name, n in re.findall(rf"^(\S+): regret per round = ({NUMBER})", printed, re.MULTILINE)}
    return {100 * (1 - loss["TV-GP-UCB"] / loss["GP-UCB"])}


def mantissas(printed: str) -> set[float]:
    """The digits of large numbers, which the screen writes with a power of ten."""
    return {float(n) / 10 ** math.floor(math.log10(float(n))) for n in re.findall(NUMBER, printed) if float(n) > 1e4}


RATIOS: dict[int, Callable[[str], set[float]]] = {4: ranks, 5: mantissas, 7: fewer, 8: saved}
