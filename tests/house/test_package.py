"""The core as a package: what the wheel holds, and that it works where nothing else is installed."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
import venv
import zipfile
from importlib.metadata import distribution
from pathlib import Path

import pytest

import tvbo_core
from lessons.record import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
NEEDED = ("numpy", "scipy", "joblib", "cloudpickle", "threadpoolctl")  # the dependencies, and what joblib needs
PAGES = ("README.md", "docs/core.md")
BLOCKS = [re.findall(r"```python\n(.*?)```", (ROOT / page).read_text(encoding="utf-8"), re.S) for page in PAGES]
BLOCKS_ONCE = list(dict.fromkeys(block for page in BLOCKS for block in page))
SCRIPTS = [block for block in BLOCKS_ONCE if "__main__" in block]  # whose workers import them
SNIPPETS = [block for block in BLOCKS_ONCE if block not in SCRIPTS]
PLAIN = [block for block in SNIPPETS if "lessons" not in block]  # a table of one's own is read in a checkout


def run(*command: object, **how: object) -> str:
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=120, **how)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-4000:]
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    alone = ["--no-deps", "--no-build-isolation", "--no-index", "--no-cache-dir"]
    run(sys.executable, "-m", "pip", "wheel", *alone, "--wheel-dir", folder, ROOT)
    (made,) = folder.glob("*.whl")
    return made


@pytest.fixture(scope="module")
def bare(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment with the wheel and its dependencies alone, which are not fetched but linked from this one."""
    folder = tmp_path_factory.mktemp("bare")
    venv.create(folder, with_pip=False, symlinks=sys.platform != "win32")
    (there,) = {path.resolve() for path in folder.rglob("site-packages")}
    for name in NEEDED:
        files = distribution(name).files or []
        for top in {file.parts[0] for file in files if file.parts[0] not in ("..", "__pycache__")}:
            (there / top).symlink_to(Path(str(distribution(name).locate_file(top))))
    (python,) = [path for path in (folder / "bin" / "python", folder / "Scripts" / "python.exe") if path.exists()]
    run(sys.executable, "-m", "pip", "--python", python, "install", "--no-index", "--no-cache-dir", wheel)
    return python


@pytest.mark.slow
def test_wheel_holds_the_core_alone(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as held:
        names = held.namelist()
    assert wheel.name == f"tvbo_core-{tvbo_core.__version__}-py3-none-any.whl"
    assert {name.split("/")[0] for name in names} == {"tvbo_core", f"tvbo_core-{tvbo_core.__version__}.dist-info"}
    modules = {path.relative_to(ROOT).as_posix() for path in (ROOT / "tvbo_core").rglob("*.py")}
    assert {name for name in names if name.endswith(".py")} == modules
    assert "tvbo_core/py.typed" in names and any(name.endswith("LICENSE") for name in names)
    assert not any("__pycache__" in name for name in names)
    assert wheel.stat().st_size < 400_000


def test_every_requirement_agrees_with_that_of_the_app() -> None:
    lines = (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()
    asked = {line.split("#")[0].strip() for line in lines}
    extras = PROJECT["optional-dependencies"]
    assert {*PROJECT["dependencies"], *extras["certify"], *extras["data"]} <= asked
    assert set(extras) == {"certify", "data"}


@pytest.mark.slow
def test_snippets_run_in_a_bare_environment(bare: Path, tmp_path: Path) -> None:
    assert len(PLAIN) >= 2 and all(BLOCKS)
    script = "\n".join([*PLAIN, "print(tv.__file__)"])
    told = run(bare, "-I", "-W", "error", "-c", script, cwd=tmp_path).splitlines()  # -I: no folder is imported
    assert Path(told[-1]).is_relative_to(bare.parent.parent)


@pytest.mark.slow
def test_the_snippets_that_need_a_checkout_run_here() -> None:
    here = [block for block in SNIPPETS if ".json" not in block]  # what writes a file runs in a folder of its own
    run(sys.executable, "-W", "error", "-c", "\n".join(here), cwd=ROOT)


@pytest.mark.slow
def test_example_with_workers_runs_as_a_script(tmp_path: Path) -> None:
    (script,) = SCRIPTS
    (tmp_path / "race.py").write_text(script, encoding="utf-8")
    told = run(sys.executable, "race.py", cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT)})
    world = tvbo_core.World(kind="jumps", horizon=300)
    assert float(told) == tvbo_core.race([world], {"GP-UCB": tvbo_core.GPUCB()}, seeds=range(8)).final.mean().round(1)


def test_version_agrees_everywhere() -> None:
    assert "version" in PROJECT["dynamic"]
    newest = re.search(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.M)
    cited = re.search(r"^version: (\S+)", (ROOT / "CITATION.cff").read_text(encoding="utf-8"), re.M)
    assert newest and cited and newest[1] == cited[1] == tvbo_core.__version__


README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_linked_files_exist_and_readme_is_short() -> None:
    assert len(README.splitlines()) <= 120
    for page in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")]:
        for target in re.findall(r"\]\(([^)#]+)\)", page.read_text(encoding="utf-8")):
            assert target.startswith("http") or (page.parent / target).exists(), (page.name, target)
