"""docs/how-to-add.md is true: in a copy, what it says is done, and the pages show the newcomers."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
NEWCOMERS = ROOT / "tests" / "newcomers"
SECTION = (ROOT / "docs" / "how-to-add.md").read_text(encoding="utf-8").split("## How to add\n")[1]
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
THOMPSON_LINE = '        PolicyEntry(ThompsonSampling, "ts", "GP-TS", "Thompson sampling", 30, "draws a curve"),\n'
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
        "thompson",
        ("tvbo_core/policies/thompson.py", "tests/core/test_thompson.py"),
        (
            (POLICIES_LIST, "from tvbo_core.policies.thompson import ThompsonSampling\n", "\n_ASKS"),
            (POLICIES_LIST, THOMPSON_LINE, END),
        ),
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

short = {"seeds": 1, "algos": ("rnd", "ts")}
for key, values, name in (
    ("bands", {"T": 50}, "FST"),
    ("race", short | {"T": 100}, "GP-TS"),
    ("real_data", short | {"table": "stocks-weekly"}, "GP-TS"),
):
    lesson = BY_KEY[key]
    scene = lesson.scene(lesson.settings(values), Theme())
    drawn = [words(one.draw(0).figure.to_dict()) for one in (scene.films | scene.stills).values()]
    assert name in " ".join(text for chart in drawn for text in chart), key
    assert any(knob.options and knob.options[-1] in ("FST", "ts") for knob in lesson.knobs.values()), key
assert all(BY_KEY[key].knobs["algos"].options[-1] == "ts" for key in ("race", "real_data", "game"))
at = opened("pages/Information_gain.py")
assert faults(at) == []
links = [link.proto.label for link in at.switch_page("home.py").run().get("page_link")]
assert any(f"{len(LESSONS) - 1} · Information gain" in label for label in links), links
RUNS.close()
"""


@pytest.mark.slow
def test_pages_offer_and_show_newcomers(copy: Path) -> None:
    run(copy, "-W", "ignore", "-c", PAGES)
