"""docs/how-to-add.md is true: in a copy, what it says is done, and the pages show the newcomers."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from lessons import LESSONS
from tests.shared import unmarked

ROOT = Path(__file__).resolve().parents[2]
NEWCOMERS = ROOT / "tests" / "newcomers"
SECTION = (ROOT / "docs" / "how-to-add.md").read_text(encoding="utf-8").split("## How to add\n")[1]
BULLETS = {text.split("**")[1]: text for text in re.split(r"^- ", SECTION, flags=re.M) if text.startswith("**")}


@dataclass(frozen=True)
class Newcomer:
    """What is added: whole files (their paths under tests/newcomers and in the copy), and lines in files that exist.

    Attributes:
        name: in the names of its files.   files: paths.   lines: (path, text, what stands before it from then on).
    """

    name: str
    files: tuple[str, ...]
    lines: tuple[tuple[str, str, str], ...] = field(default=())

    @property
    def touched(self) -> set[str]:
        return {*self.files, *(path for path, _, _ in self.lines)}


RQ = '''@dataclass(frozen=True)
class RationalQuadratic:
    r"""Rational quadratic kernel with shape 1, $k(x,z)=1/(1+r^2/(2\\ell^2))$.

    Source: Rasmussen & Williams (2006), eq. 4.19.
    """

    lengthscale: float = 0.2

    def __post_init__(self) -> None:
        _check_positive("lengthscale", self.lengthscale)

    def __call__(self, X: np.ndarray, Z: np.ndarray) -> np.ndarray:
        return 1.0 / (1.0 + 0.5 * _scaled_distances(X, Z, self.lengthscale) ** 2)

    def diag(self, X: np.ndarray) -> np.ndarray:
        return np.ones(len(as_points(X, "X")))


'''
SWING = '''def _swing(world: World, kernel: Kernel, x: np.ndarray, rng: np.random.Generator) -> draws.Path:
    """Return a path from one function towards another and back, twice, as a pendulum goes."""
    two = draws.draw_pieces(kernel, x, 2, world.centres, world.norm_bound, rng)
    how_far = np.sin(2.0 * np.pi * np.arange(world.horizon) / max(world.horizon - 1, 1)) ** 2
    path = draws.follow(two, np.ones(world.horizon, dtype=int), how_far)
    return draws.shrink_to(path, world.budget)


'''
SRINIVAS = r"""    Theorem("srinivas-3", "GP-UCB, still world", UPPER, "R_T=\\tilde O\\big(\\gamma_T\\sqrt T\\big)",
            "Optimism under one band, in a world that stands still.", "Srinivas et al. (2012), Theorem 3", "none",
            _gain_powers(Fraction(1), Fraction(1, 2), Fraction(0)), logs=gain_log, region=lambda at: (0.0, 0.0),
            condition="V_T=0"),
"""
FIEDLER_LINE = '        BandEntry(Fiedler, "Fiedler et al. (2021)", needs=("ridge",)),\n'
THOMPSON_LINE = '        PolicyEntry(ThompsonSampling, "ts", "GP-TS", "Thompson sampling", ms=30, default=False),\n'
RQ_LINE = '        KernelEntry("rq", "RQ", lambda nu, ell: RationalQuadratic(ell), {"RQ": np.inf}),\n'
SWING_LINE = '        WorldKind("swing", "Swing", "swinging", "there and back, twice", _swing, has_budget=True),\n'
END = "    )\n}"  # of a registry
BANDS_LIST, POLICIES_LIST = "tvbo_core/bands/__init__.py", "tvbo_core/policies/__init__.py"
FOLDER = ("__init__.py", "lesson.py", "model.py", "scene.py", "figure.py", "recipe.py", "help.md")
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
    "a kernel": Newcomer(
        "rational_quadratic",
        ("tests/core/test_rational_quadratic.py",),
        (
            ("tvbo_core/kernels.py", RQ, "@dataclass(frozen=True)\nclass KernelEntry"),
            ("tvbo_core/kernels.py", RQ_LINE, END),
        ),
    ),
    "a world": Newcomer(
        "swinging",
        ("tests/core/test_swinging.py",),
        (
            ("tvbo_core/worlds/kinds.py", SWING, "ALL: dict"),
            ("tvbo_core/worlds/kinds.py", SWING_LINE, END),
        ),
    ),
    "a theorem": Newcomer(
        "srinivas", ("tests/core/test_srinivas.py",), (("tvbo_core/theory/budgets.py", SRINIVAS, ")  # fmt: skip\n"),)
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
    "tests/core/test_worlds.py::test_worlds_move_by_exactly_their_budget",
    "tests/core/test_worlds.py::test_every_reward_stays_in_the_ball",
    "tests/core/test_kernels.py::test_every_gram_matrix_is_a_covariance",
    "tests/shell/test_permalink.py::test_default_stays_within_a_version_of_links",
)
ABOUT = "not test_finite_bounds_exceed_the_measured_regret"  # of the bounds with constants: no newcomer has any


def place(path: str) -> re.Pattern:
    """Return the pattern of the paths that one of the page stands for: NAME is any name, a folder all in it."""
    pattern = re.escape(path).replace("NUMBER", r"\d+").replace("NAME", r"\w+")
    return re.compile(pattern + (r"[\w.]+" if path.endswith("/") else ""))


def named(bullet: str) -> list[str]:
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
        touched, places = newcomer.touched, named(BULLETS[what])
        assert all(any(place(p).fullmatch(path) for p in places) for path in touched), (touched, places)
        assert all(any(place(p).fullmatch(path) for path in touched) for p in places), (touched, places)
    count = {what: len(newcomer.touched) for what, newcomer in ADDED.items()}
    assert count["a band"] <= 4 and count["a policy"] <= 3 and max(count["a kernel"], count["a world"]) <= 2
    lesson = ADDED["a lesson"]
    assert {path.split("/")[0] for path in lesson.files} == {"lessons", "pages"}
    listed = [text for path, text, _ in lesson.lines if path == "lessons/registry.py"]
    assert len(listed) == 2 and all(text.count("\n") == 1 for text in listed)
    assert {path for path, _, _ in lesson.lines} == {"lessons/registry.py"}
    assert len((NEWCOMERS / "tvbo_core/bands/fiedler.py").read_text().split("ClassVar[str]")[1].splitlines()) <= 32


def test_every_path_that_the_section_names_exists() -> None:
    paths = re.findall(r"`((?:tvbo_core|common|lessons|shell|figures|tests|assets|pages|docs)/[\w./]*)`", SECTION)
    assert len(paths) > 20
    for path in paths:
        if "NAME" not in path:
            assert (ROOT / path).exists(), path


@pytest.mark.wide
def test_the_core_tests_pass_with_the_newcomers(copy: Path) -> None:
    own = [path for newcomer in ADDED.values() for path in newcomer.files if path.startswith("tests/")]
    run(copy, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "-k", ABOUT, *own, *WALKING)


MARKED = re.search(r"-m '(.+?)'", (ROOT / "pyproject.toml").read_text("utf-8"))[1]  # what the README's command leaves


@pytest.mark.wide
def test_whole_suite_passes_with_newcomers(tmp_path: Path) -> None:
    root = with_newcomers(tmp_path / "lab")
    subprocess.run(["git", "init", "-q"], cwd=root, check=True)  # some tests ask git which files there are
    # This file is left out: it would add the same newcomers once more.
    words = ["-m", "pytest", "-m", MARKED.replace(" and not wide", ""), "-q", "-p", "no:cacheprovider", "-n", "auto"]
    run(root, *words, "--ignore", "tests/house/test_how_to_add.py", seconds=3 * 3600)


PAGES = """
import json, sys
from streamlit.testing.v1 import AppTest
from lessons import LESSONS
from tests.lessons.test_pages import faults, opened, settled, specs, words
from shell.runs import RUNS

asked, told = json.loads(sys.argv[1]), []
for file, link in asked:
    at = AppTest.from_file("home.py", default_timeout=120).run() if file == "home.py" else opened(file, **link)
    at = settled(at)
    drawn = [list(words(spec)) for spec in specs(at)] if file != "home.py" else []
    told.append({
        "faults": [str(e.value) for e in at.exception] if file == "home.py" else faults(at),
        "said": [e.value for kind in ("title", "markdown", "caption", "info") for e in getattr(at, kind)],
        "drawn": drawn,
        "links": [link.proto.label for link in at.get("page_link")],
    })
    print(file, link, file=sys.stderr)
RUNS.close()
knobs = {lesson.key: {k: list(map(str, knob.options)) for k, knob in lesson.knobs.items()} for lesson in LESSONS}
print(json.dumps([told, knobs, [lesson.file for lesson in LESSONS]]))
"""


def pages(root: Path, *asked: tuple[str, dict[str, str]]) -> tuple[list[dict], dict, list[str]]:
    """Return what the pages of these links say in the copy, the options of all knobs, and the lessons' files."""
    return tuple(json.loads(run(root, "-W", "ignore", "-c", PAGES, json.dumps(asked)).splitlines()[-1]))


BANDS, DRIFT, RACE = "pages/Confidence_bands.py", "pages/Drifting_rewards.py", "pages/The_race.py"
THEOREMS, REAL = "pages/Theorems.py", "pages/Real_data.py"


def changed(copy: Path, root: Path, *changes: tuple[str, str, str]) -> Path:
    """Copy the copy, with other text in some of its files: (path, old, new)."""
    shutil.copytree(copy, root)
    for path, old, new in changes:
        text = (root / path).read_text(encoding="utf-8")
        assert old in text, (path, old)
        (root / path).write_text(text.replace(old, new), encoding="utf-8")
    return root


@pytest.mark.slow
def test_suite_says_what_a_lesson_lacks(copy: Path, tmp_path: Path) -> None:
    root = changed(
        copy,
        tmp_path / "lab",
        ("lessons/gain/lesson.py", "    recipe=recipe,\n", ""),
        ("lessons/gain/scene.py", "        facts=lambda at: model.facts(curve, at),\n", ""),
        ("lessons/gain/help.md", "Iwazaki & Takeno, eq. 5; ", ""),
    )
    asked = {
        "(script_prints and gain and opening)": "has no recipe: write lessons/NAME/recipe.py",
        "(chart_shows and gain and opening)": "has no facts: give its Scene the numbers of its sentence",
        "(cites_what and gain)": "shell/export/bibtex.py knows nothing: add the paper",
    }
    words = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", " or ".join(asked)]
    files = ["tests/laws/test_facts.py", "tests/shell/test_bibtex.py"]
    done = subprocess.run([*words, *files], cwd=root, capture_output=True, text=True, timeout=300)
    assert done.returncode == 1 and all(sentence in done.stdout for sentence in asked.values()), done.stdout[-3000:]
    assert not re.search(r"^E +(KeyError|TypeError|ValueError)", done.stdout, re.MULTILINE)


@pytest.mark.wide
def test_lesson_without_usual_knobs_opens(copy: Path, tmp_path: Path) -> None:
    root = changed(
        copy,
        tmp_path / "lab",
        ("lessons/gain/lesson.py", '{**{k: KNOBS[k] for k in ("nu", "ell", "sigma", "seed")}, "T": ', '{"sigma": '),
        ("lessons/gain/lesson.py", 'KNOBS["T"].replace(default=100)', 'KNOBS["sigma"]'),
        ("lessons/gain/lesson.py", '{"nu": "1/2"}', '{"sigma": 0.2}'),
        ("lessons/gain/model.py", 'worlds.build({**values, "V": 0.0}, GAIN_WORLD)', "worlds.build(values, GAIN_WORLD)"),
        ("lessons/gain/model.py", "horizon=100)", 'horizon=90, kernel="matern", nu=2.5, lengthscale=0.3, seed=7)'),
        (
            "pages/Information_gain.py",
            'visit.draw(("nu", "ell", "sigma", "T")) | visit.more(("seed",))',
            'visit.draw(("sigma",))',
        ),
    )
    (page,), knobs, _ = pages(root, ("pages/Information_gain.py", {}))
    assert list(knobs["gain"]) == ["sigma"]
    assert page["faults"] == []
    assert "Matérn ν = 2.5, ℓ = 0.3" in unmarked(" ".join(page["said"]))
    assert "T = 90, 100 arms, seed 7" in unmarked(" ".join(page["said"]))


@pytest.mark.slow
def test_pages_offer_and_show_newcomers(copy: Path) -> None:
    """What every page says untouched, the whole suite asks (`-m wide`)."""
    told, knobs, files = pages(
        copy,
        (BANDS, {"T": "50"}),
        (BANDS, {"view": "overlay", "front": "FST", "T": "50"}),
        (RACE, {"algos": "rnd.ts", "seeds": "1", "T": "100"}),
        (REAL, {"algos": "rnd.ts", "seeds": "1", "table": "stocks-weekly"}),
        (DRIFT, {"nu": "RQ", "kind": "swing"}),
        (RACE, {"nu": "RQ", "kind": "swing", "pair": "none", "algos": "rnd.gp", "seeds": "1", "T": "100"}),
        (THEOREMS, {"view": "rates", "card": "srinivas-3"}),
        ("pages/Information_gain.py", {"nu": "RQ"}),
        ("home.py", {}),
    )
    assert "pages/Information_gain.py" in files
    assert knobs["bands"]["front"][-1] == "FST"
    assert all(knobs[lesson]["algos"][-1] == "ts" for lesson in ("race", "real_data", "game"))
    assert all(knobs[lesson]["nu"][-1] == "RQ" for lesson in ("drift", "bands", "race"))
    assert all("swing" in knobs[lesson]["kind"] for lesson in ("drift", "bands", "rperp", "race", "forgetting"))
    assert "srinivas-3" in knobs["theorems"]["card"]
    front = told.pop()
    added = f"{len(LESSONS)} · Information gain"  # the place after all that there are
    assert front["faults"] == [] and any(added in link for link in front["links"])
    assert [page["faults"] for page in told] == [[]] * len(told)
    side, _, _, _, drift, race_there, theorems, gain = (unmarked(" ".join(page["said"])) for page in told)
    drawn = [[text for chart in page["drawn"] for text in chart] for page in told]
    # Lesson 2: the panels, the widths, the coverage, and the place under the glass.
    main, widths, coverage, glass, *_ = told[0]["drawn"]
    assert all(any("FST" in text for text in chart) for chart in (main, widths, coverage, glass))
    assert "six intervals" in side and any("FST" in text for text in told[1]["drawn"][0])
    assert all("GP-TS" in " ".join(texts) for texts in drawn[2:4])
    assert "Set-up: RQ" in drift and "Swing" in " ".join(drawn[4])
    assert "swing, RQ" in race_there
    assert "Optimism under one band" in theorems
    assert "RQ" in gain
