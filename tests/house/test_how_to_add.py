"""docs/how-to-add.md is true: in a copy, what it says is done, and the pages show the newcomers."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from lessons.record import ROOT

NEWCOMERS = ROOT / "tests" / "newcomers"
PAGE = (ROOT / "docs" / "how-to-add.md").read_text(encoding="utf-8")
SECTION = PAGE.split("## How to add\n")[1]
ROOMS = ("tvbo_core", "common", "figures", "lessons", "answers", "shell")
BULLETS = {text.split("**")[1]: text for text in re.split(r"^- ", SECTION, flags=re.M) if text.startswith("**")}


@dataclass(frozen=True)
class Newcomer:
    """The additions: whole files (their paths under tests/newcomers and in the copy), and lines in files that exist.

    Attributes:
        name: in the names of its files.   files: paths.   lines: (path, text, what stands before it from then on).
    """

    name: str
    files: tuple[str, ...]
    lines: tuple[tuple[str, str, str], ...] = field(default=())

    @property
    def touched(self) -> set[str]:
        return {*self.files, *(path for path, _, _ in self.lines)}


FIEDLER_LINE = '        BandEntry(Fiedler, "Fiedler et al. (2021)", needs=("ridge",)),\n'
GREEDY_LINE = '        PolicyEntry(EpsilonGreedy, "eg", "GP-greedy", "Epsilon-greedy", 2.5, "plays the estimate"),\n'
VALKO_LINES = r"""    Theorem("valko-1", "SupKernelUCB", UPPER, "R_T=\\tilde O\\big(\\sqrt{\\gamma_TT}\\big)",
            "Eliminates in stages, so that the observations of a stage are independent.",
            "Valko et al. (2013), Theorem 1, with the information gain for the effective dimension", "none",
            _adaptive_still, logs=lambda at: gain_log(at) / 2, region=lambda at: (0.0, 0.0), condition="V_T=0"),
"""
END = "    )\n}"  # of a registry
BANDS_LIST, POLICIES_LIST = "tvbo_core/bands/__init__.py", "tvbo_core/policies/__init__.py"
FOLDER = ("__init__.py", "lesson.py", "model.py", "scene.py", "help.md")
ADDED = {
    "a band": Newcomer(
        "fiedler",
        ("tvbo_core/bands/fiedler.py", "tests/core/test_fiedler.py"),
        (
            (BANDS_LIST, "from tvbo_core.bands.fiedler import Fiedler\n", "from tvbo_core.bands.radius"),
            (BANDS_LIST, FIEDLER_LINE, END),
        ),
    ),
    "a policy": Newcomer(
        "greedy",
        ("tvbo_core/policies/greedy.py", "tests/core/test_greedy.py"),
        (
            (POLICIES_LIST, "from tvbo_core.policies.greedy import EpsilonGreedy\n", "\n_ASKS"),
            (POLICIES_LIST, GREEDY_LINE, END),
        ),
    ),
    "a theorem": Newcomer(
        "valko",
        ("tests/core/test_valko.py",),
        (("tvbo_core/theory/budgets.py", VALKO_LINES, ")  # fmt: skip"),),
    ),
    "a lesson": Newcomer(
        "gain",
        (*(f"lessons/gain/{name}" for name in FOLDER), "pages/Information_gain.py"),
        (
            ("lessons/registry.py", "from lessons.gain.lesson import LESSON as GAIN\n", "from lessons.game"),
            ("lessons/registry.py", "    GAIN,\n", "    world=WORLD,"),
        ),
    ),
}
# Tests of the core that walk the registries, and so meet the newcomers.
WALKING = (
    "tests/core/test_every_band.py",
    "tests/core/test_every_policy.py",
    "tests/core/test_theory.py",
)


def place(path: str) -> re.Pattern:
    """Return the pattern of the paths that one of the page stands for: NAME is any name, a folder all in it."""
    pattern = re.escape(path).replace("NUMBER", r"\d+").replace("NAME", r"\w+")
    return re.compile(pattern + (r"[\w.]+" if path.endswith("/") else ""))


def paths_in(bullet: str) -> list[str]:
    """Return the paths to touch that a bullet of the page names before its first full stop."""
    return re.findall(r"`([\w./]+(?:\.py|/))`", bullet.split(". ")[0])


def add(newcomer: Newcomer, root: Path) -> None:
    for path in newcomer.files:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(NEWCOMERS / path, root / path)
    for path, text, after in newcomer.lines:
        old = (root / path).read_text(encoding="utf-8")
        at = old.rindex(after)
        (root / path).write_text(old[:at] + text + old[at:], encoding="utf-8")


def with_newcomers(root: Path, without: tuple[str, ...] = ()) -> Path:
    """Make a copy of the checkout, but for what begins so, to which everything was added."""
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    for path in listed.stdout.splitlines():
        if (ROOT / path).is_file() and not path.startswith(without):
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / path, root / path)
    for newcomer in ADDED.values():
        add(newcomer, root)
    return root


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return with_newcomers(tmp_path_factory.mktemp("lab"), without=("docs/", "tests/browser/", "tests/newcomers/"))


def run(root: Path, *words: str, seconds: int = 300) -> str:
    one_thread = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "PYTHONDONTWRITEBYTECODE": "1"}
    env, command = os.environ | one_thread, [sys.executable, *words]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, timeout=seconds, env=env)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout


def test_page_names_the_few_files_to_touch() -> None:
    for what, newcomer in ADDED.items():
        touched, places = newcomer.touched, paths_in(BULLETS[what])
        assert all(any(place(p).fullmatch(path) for p in places) for path in touched), (touched, places)
        assert all(any(place(p).fullmatch(path) for path in touched) for p in places), (touched, places)
    lesson = ADDED["a lesson"]
    assert {path.split("/")[0] for path in lesson.files} == {"lessons", "pages"}
    assert [text.count("\n") for _, text, _ in lesson.lines] == [1, 1]


def code_lines(text: str) -> int:
    """Return how many lines of a file are code: no blank line, no comment, no docstring."""
    said: set[int] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node) is not None:
            said |= set(range(node.body[0].lineno, (node.body[0].end_lineno or 0) + 1))
    lines = enumerate(text.splitlines(), start=1)
    return sum(1 for i, line in lines if line.strip() and not line.lstrip().startswith("#") and i not in said)


def lab_names(text: str, own: str) -> set[str]:
    """Return the names that a file imports of the lab, but for those of a lesson of its own."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            found |= {one.name for one in node.names if one.name in ROOMS}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.module.startswith(own):
            found |= {one.name for one in node.names if node.module.split(".")[0] in ROOMS}
    return found


def takes(newcomer: Newcomer) -> tuple[int, int, set[str]]:
    """Return what an addition takes: files that are new or touched, lines of code, and names of the lab."""
    lines, names = sum(text.count("\n") for _, text, _ in newcomer.lines), set[str]()
    for path in (one for one in newcomer.files if one.endswith(".py")):
        text = (NEWCOMERS / path).read_text(encoding="utf-8")
        lines, names = lines + code_lines(text), names | lab_names(text, f"lessons.{newcomer.name}")
    return len(newcomer.touched), lines, names


def test_page_says_what_each_takes() -> None:
    for what, newcomer in ADDED.items():
        files, lines, names = takes(newcomer)
        assert f"| {what} | {files} | {lines} | {len(names)} |" in PAGE, (what, files, lines, len(names))


@pytest.mark.slow
def test_the_core_tests_pass_with_the_newcomers(copy: Path) -> None:
    own = [path for newcomer in ADDED.values() for path in newcomer.files if path.startswith("tests/")]
    run(copy, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *own, *WALKING)


PAGES = """
from figures.theme import Theme
from lessons import BY_KEY, LESSONS
from shell.runs.runs import RUNS
from tests.laws.test_scenes import words
from tests.lessons.test_pages import faults, opened

short = {"seeds": 1, "algos": ("rnd", "eg")}
for key, values, name in (
    ("bands", {"T": 50}, "FST"),
    ("race", short | {"T": 100}, "GP-greedy"),
    ("real_data", short | {"table": "stocks-weekly"}, "GP-greedy"),
):
    lesson = BY_KEY[key]
    scene = lesson.scene(lesson.settings(values), Theme())
    drawn = [words(one.draw(0).figure.to_dict()) for one in (scene.films | scene.stills).values()]
    assert name in " ".join(text for chart in drawn for text in chart), key
assert all(BY_KEY[key].knobs["algos"].options[-1] == "eg" for key in ("race", "real_data"))
assert faults(opened("pages/Theorems.py", drawers=True, view="rates")) == []
at = opened("pages/Information_gain.py", drawers=True)
assert faults(at) == []
links = [link.proto.label for link in at.switch_page("home.py").run().get("page_link")]
assert any(f"{len(LESSONS) - 1} · Information gain" in label for label in links), links
RUNS.close()
"""


@pytest.mark.slow
def test_pages_offer_and_show_newcomers(copy: Path) -> None:
    run(copy, "-W", "ignore", "-c", PAGES)
