"""The rooms import in one direction only, and nothing of one machine is written into the project."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterable
from pathlib import Path
from xml.etree import ElementTree

import pytest

ROOT = Path(__file__).resolve().parents[2]
ROOMS = ("tvbo_core", "common", "figures", "lessons", "shell", "pages")
SCRIPTS = ("app.py", "home.py")  # beside the rooms
BESIDE_THE_ROOMS = {"tests", "benchmarks", "docs"}
PICTURE, SVG, TIP = ROOT / "docs" / "rooms.svg", "{http://www.w3.org/2000/svg}", 4.0  # an arrow ends before its box
PLAIN = {"numpy"}
# Modules beyond Python's own that a room may import; a file may have exceptions of its own below.
ALLOWED = {
    "tvbo_core": {"numpy", "scipy", "joblib", "threadpoolctl"},
    "common": {"numpy", "cachetools"},
    "figures": {"plotly", "numpy"},
    "record": PLAIN,
    "task": PLAIN,
    "shared": PLAIN,
    "lesson": {"numpy", "scipy"},
    "study": {"numpy", "scipy", "joblib"},
    "figure": {"plotly", "numpy"},
    "panel": {"streamlit", "numpy", "pandas"},
    "shell": {"streamlit", "starlette", "numpy", "pandas", "segno", "cachetools", "loky"},
    "pages": {"streamlit"},
    "entry": {"streamlit"},
}
# Our own modules that a room may see; "own" is the folder of the lesson itself.
SEES = {
    "tvbo_core": ("tvbo_core",),
    "common": ("common",),
    "figures": ("figures", "common", "tvbo_core.records"),
    "record": ("tvbo_core.records", "lessons.record"),
    "task": ("lessons.record",),
    "shared": ("tvbo_core", "common", "lessons.record", "lessons.shared"),
    "lesson": ("tvbo_core", "common", "lessons.record", "lessons.task", "lessons.shared", "own"),
    "study": ("tvbo_core", "common", "own"),  # what a lesson computes in a folder of its own
    "figure": ("tvbo_core.records", "common", "figures", "lessons.record", "lessons.shared", "own"),
    "scene": ("tvbo_core", "common", "figures", "lessons.record", "lessons.task", "lessons.shared", "own"),
    "panel": ("tvbo_core", "common", "figures", "shell", "lessons.record", "lessons.shared", "own"),
    "shell": (
        "tvbo_core.records",
        "tvbo_core.jobs",
        "tvbo_core.threads",
        "tvbo_core.__version__",
        "common",
        "figures.bet",
        "figures.film",
        "figures.theme",
        "lessons.record",
        "lessons.task",
        "shell",
    ),
    "pages": ("figures.theme", "lessons", "shell"),
    "entry": ("figures", "lessons", "shell"),
}
# What a file sees beside its room.
BESIDE = {
    "shell/glossary/pictures.py": ("tvbo_core",),  # it computes the glossary's small curves
    "lessons/odds.py": ("tvbo_core.__version__", "lessons.record", "lessons.shared"),  # a command
}
WITH_STREAMLIT = ("panel.py", "upload.py", "component.py")  # files of a lesson
SCENES = ("scene.py", "lesson.py")
# A lesson of several stories has a folder for each, with model, figures, words and scene; neither sees the other.
STORIES = ("lessons/theorems/one_bound", "lessons/theorems/rates", "lessons/theorems/runs")
# file -> module it may import, and whether only inside a function (so that the core starts without it).
EXCEPTIONS = {
    "shell/engines.py": {"loky": True, "dask.distributed": True},
    "app.py": {"starlette": False, "pandas": False},
    "tvbo_core/bands/certify.py": {"cvxpy": True},
    "tvbo_core/worlds/tables/sensors.py": {"pandas": True},
    "tvbo_core/worlds/tables/__init__.py": {"pandas": True, "plotly.data": True},
    "lessons/real_data/reading/isolated.py": {"pyarrow": True, "python_calamine": True},
    "lessons/real_data/reading/packed.py": {"pyarrow": True, "python_calamine": True},
    "lessons/real_data/tables/checks.py": {"pandas": True},
    "lessons/real_data/reading/reader.py": {"charset_normalizer": True},
    "lessons/odds.py": {"joblib": False},
    "lessons/reproductions/__main__.py": {"dask.distributed": True, "joblib": True},
}
# Modules of Streamlit that are no promise of its own, and the one that is for tests.
PRIVATE = tuple(f"streamlit.{name}" for name in ("runtime", "web", "proto", "elements", "navigation", "net_util"))
PRIVATE += ("streamlit.testing",)
# What may be written of Streamlit's: the session and the link.
WRITABLE = ("session_state", "query_params")


def imports(source: str) -> list[tuple[str, bool]]:
    """Every module that a source imports, and whether inside a function; type-checking blocks do not run."""
    found: list[tuple[str, bool]] = []

    def walk(node: ast.AST, inside: bool) -> None:
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
            return
        if isinstance(node, ast.Import):
            found.extend((alias.name, inside) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            start = "." * node.level + (f"{node.module}." if node.module else "")
            found.extend((start + alias.name, inside) for alias in node.names)
        elif isinstance(node, ast.Call) and _name(node.func) in ("import_module", "__import__"):
            # A module that is named while the program runs cannot be checked: only a plain string can.
            named = node.args[0].value if node.args and isinstance(node.args[0], ast.Constant) else "?"
            found.append((str(named), inside))
        deeper = inside or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        for child in ast.iter_child_nodes(node):
            walk(child, deeper)

    walk(ast.parse(source), False)
    return found


def _name(called: ast.expr) -> str:
    return called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")


def room(path: str) -> str:
    """Return the row of the table that a file belongs to."""
    parts = path.split("/")
    if path in SCRIPTS or path == "lessons/__main__.py":
        return "entry"
    if parts[0] != "lessons":
        return parts[0]
    if parts[1] == "record" or path == "lessons/task.py":
        return parts[1].removesuffix(".py")
    if len(parts) == 2:
        return "registry"
    if parts[1] == "shared":
        return "shared"
    if len(parts) > 3 and story(path) is None:
        return "study"
    if parts[-1] in WITH_STREAMLIT:
        return "panel"
    return "figure" if parts[-1].startswith("figure") else "scene" if parts[-1] in SCENES else "lesson"


def story(path: str) -> str | None:
    """Return the folder of the story that a file tells, None where its lesson has one story only."""
    return next((folder for folder in STORIES if f"{path}/".startswith(f"{folder}/")), None)


def within(module: str, packages: Iterable[str]) -> bool:
    """Return whether a module is one of these packages or lies in one."""
    return any(f"{module}.".startswith(f"{package}.") for package in packages)


def faults(path: str, source: str) -> list[str]:
    """Return what a file imports against the table of rooms."""
    row, folder = room(path), ".".join(path.split("/")[:2])
    seen = ("lessons",) if row == "registry" else [folder if one == "own" else one for one in SEES.get(row, ())]
    seen = (*seen, *BESIDE.get(path, ()))
    wrong = []
    for module, inside in imports(source):
        top = module.split(".")[0]
        granted = [only for name, only in EXCEPTIONS.get(path, {}).items() if within(module, [name])]
        if granted:
            if granted[0] and not inside:
                wrong.append(f"{path} imports {module} at its top: only inside a function")
        elif top in ROOMS:
            if not within(module, seen):
                wrong.append(f"{path} imports {module}: {row} may not see it")
            elif row not in ("panel", "pages", "entry") and top == "lessons" and room_of(module) == "panel":
                wrong.append(f"{path} imports {module}: {row} may not see a panel")
            elif row in ("lesson", "study") and top == "lessons" and room_of(module) == "figure":
                wrong.append(f"{path} imports {module}: {row} may not see a figure")
            elif story(path) and story(module.replace(".", "/")) not in (None, story(path)):
                wrong.append(f"{path} imports {module}: it tells another story")
        elif not top or top == "?":
            wrong.append(f"{path} imports {module}: write the full name")
        elif top not in sys.stdlib_module_names | ALLOWED.get(row, PLAIN) or module.startswith("plotly.express"):
            wrong.append(f"{path} imports {module}: not in {row}")
    return wrong


def room_of(module: str) -> str:
    """Return the row of an imported module, which may be a name in it."""
    parts = module.split(".")
    depth = 4 if story(module.replace(".", "/")) else 3
    return room("/".join(parts[:depth]) + ".py") if len(parts) >= depth else ""


def borrowed(tree: ast.AST) -> set[str]:
    """The names of a source that stand for Streamlit or something of it."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            ours = [alias for alias in node.names if alias.name.split(".")[0] == "streamlit"]
            found |= {alias.asname or "streamlit" for alias in ours}
        elif isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "streamlit":
            found |= {alias.asname or alias.name for alias in node.names}
    return found


def chain(node: ast.AST) -> list[str]:
    """`a.b[0].c` as ["a", "b", "", "c"]; empty when it does not begin with a name."""
    parts = []
    while isinstance(node, ast.Attribute | ast.Subscript):
        parts.append(node.attr if isinstance(node, ast.Attribute) else "")
        node = node.value
    return [node.id, *reversed(parts)] if isinstance(node, ast.Name) else []


def private_uses(path: str, source: str) -> list[str]:
    """Private modules and names of Streamlit that a file uses, and what it writes into Streamlit."""
    tree = ast.parse(source)
    names, wrong = borrowed(tree), []
    for module, _ in imports(source):
        hidden = module.startswith("streamlit.") and "._" in module
        if hidden or any(f"{module}.".startswith(f"{one}.") for one in PRIVATE):
            wrong.append(f"{path} imports {module}")
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _name(node.func) in ("setattr", "delattr"):
            written = [*chain(node.args[0]), "?"] if node.args and chain(node.args[0]) else []
        elif isinstance(node, ast.Attribute | ast.Subscript):
            parts = chain(node)
            hidden = any(part.startswith("_") for part in parts[1:]) or f"streamlit.{''.join(parts[1:2])}" in PRIVATE
            if hidden and parts[0] in names:
                wrong.append(f"{path} reaches for {'.'.join(parts)}")
            written = parts if isinstance(node.ctx, ast.Store | ast.Del) else []
        else:
            continue
        if written and written[0] in names and not (len(written) > 2 and written[1] in WRITABLE):
            wrong.append(f"{path} writes into {'.'.join(written)}")
    return wrong


def files() -> list[str]:
    found = [p for room in ROOMS for p in (ROOT / room).rglob("*.py")] + [ROOT / name for name in SCRIPTS]
    return sorted(p.relative_to(ROOT).as_posix() for p in found)


def in_room(room: str) -> list[tuple[str, str]]:
    """Path and source of every file of a room."""
    found = [p for p in files() if p.split("/")[0] == room or (room == "." and p in SCRIPTS)]
    assert found
    return [(path, (ROOT / path).read_text(encoding="utf-8")) for path in found]


@pytest.mark.parametrize("room", [*ROOMS, "."])
def test_a_file_imports_only_what_its_room_may(room: str) -> None:
    assert [fault for path, source in in_room(room) for fault in faults(path, source)] == []


@pytest.mark.parametrize("room", [*ROOMS, "."])
def test_a_file_uses_public_names_of_streamlit_and_replaces_none(room: str) -> None:
    assert [use for path, source in in_room(room) for use in private_uses(path, source)] == []


def test_no_body_of_a_page_ends_what_stands_around_it() -> None:
    """`st.stop` would take the drawers away; where the browser is about to load the page again, there are none yet."""
    stops = [path for path in files() if "st.stop()" in (ROOT / path).read_text(encoding="utf-8")]
    assert stops == ["shell/links/permalink.py"]


@pytest.mark.parametrize(
    "source",
    [
        "import streamlit.runtime",
        "from streamlit import runtime",
        "from streamlit import net_util as n",
        "from streamlit.web.server import server_util",
        "def f():\n    from streamlit.runtime import get_instance",
        "def f():\n    import streamlit.proto.Slider_pb2 as p",
        "import importlib\nimportlib.import_module('streamlit.elements')",
        "from streamlit.navigation.page import StreamlitPage",
        "from streamlit.testing.v1 import AppTest",
        "from streamlit.errors import _private",
        "import streamlit as st\nst.runtime.get_instance()",
        "import streamlit\nstreamlit.web.cli",
        "import streamlit as st\nst.cache_data = None",
        "import streamlit as st\ndef f():\n    st.markdown.__doc__ += 'x'",
        "import streamlit as st\nst.config.x['y'] = 1",
        "import streamlit as st\nst.session_state = {}",
        "import streamlit as st\nsetattr(st, 'write', print)",
        "from streamlit.components import v2\nv2.component = print",
        "import streamlit as st\ndel st.write",
        "import streamlit as st\nfor st.x in range(3): ...",
        "import streamlit as st\nst.write, other = 1, 2",
        "import streamlit as st\nst.components.v2._registry()",
        "from streamlit import session_state as s\ns._state.clear()",
    ],
)
def test_a_private_use_of_streamlit_is_found(source: str) -> None:
    assert private_uses("shell/x.py", source)


@pytest.mark.parametrize(
    "source",
    [
        "import streamlit as st\nst.session_state['x'] = 1\nst.session_state.y = 2\ndel st.session_state['x']",
        "import streamlit as st\nst.session_state['_x'] = st.query_params['t'] = 1",
        "import streamlit as st\nst.session_state['a']['b'] = 1",
        "import streamlit as st\nmount = st.components.v2.component('name')\nst.App('home.py')",
        "from streamlit.errors import StreamlitAPIException",
        "import numpy as np\nnp.x = 1\nself.__dict__['y'] = 2",
    ],
)
def test_a_public_use_of_streamlit_passes(source: str) -> None:
    assert private_uses("shell/x.py", source) == []


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("tvbo_core/race.py", "import streamlit"),
        ("tvbo_core/race.py", "def f():\n    import cvxpy"),
        ("tvbo_core/race.py", "from figures import theme"),
        ("tvbo_core/race.py", "import pandas as pd"),
        ("tvbo_core/race.py", "import requests"),
        ("tvbo_core/race.py", "from .. import shell"),
        ("tvbo_core/race.py", "from . import kernels"),
        ("tvbo_core/race.py", "import importlib\nimportlib.import_module('streamlit')"),
        ("tvbo_core/race.py", "def f(name):\n    return __import__(name)"),
        ("tvbo_core/bands/certify.py", "import cvxpy"),
        ("tvbo_core/worlds/tables/__init__.py", "import pandas"),
        ("tvbo_core/worlds/tables/__init__.py", "def f():\n    import plotly"),
        ("figures/theme.py", "from lessons.record import Knob"),
        ("figures/theme.py", "from tvbo_core.race import play"),
        ("figures/theme.py", "import scipy.linalg"),
        ("lessons/record/scene.py", "from tvbo_core.race import play"),
        ("lessons/record/scene.py", "from lessons.shared import knobs"),
        ("lessons/shared/knobs.py", "from lessons.race import model"),
        ("lessons/shared/knobs.py", "import streamlit as st"),
        ("lessons/race/model.py", "import streamlit as st"),
        ("lessons/race/model.py", "from shell.runs import RUNS"),
        ("lessons/race/model.py", "from lessons.drift import model"),
        ("lessons/race/model.py", "from lessons import LESSONS"),
        ("lessons/race/model.py", "from figures import theme"),
        ("lessons/race/model.py", "from lessons.race import panel"),
        ("lessons/race/model.py", "from lessons.race.figure import stage"),
        ("lessons/microscope/statements/deng.py", "import streamlit as st"),
        ("lessons/microscope/statements/deng.py", "from lessons.microscope.figure import stage"),
        ("lessons/microscope/statements/deng.py", "from lessons.reproductions.experiments import rows"),
        ("lessons/microscope/statements/deng.py", "from lessons.shared import worlds"),
        ("lessons/theorems/runs/model.py", "import streamlit as st"),
        ("lessons/theorems/runs/model.py", "from lessons.theorems.rates.model import sweep"),
        ("lessons/theorems/runs/scene.py", "from lessons.theorems.rates import model"),
        ("lessons/theorems/rates/words.py", "from lessons.theorems import runs"),
        ("lessons/theorems/runs/words.py", "from lessons.theorems.runs.figure import stage"),
        ("lessons/theorems/runs/words.py", "from lessons.theorems.runs import figure_terms"),
        ("lessons/theorems/rates/figure.py", "from tvbo_core.theory import THEOREMS"),
        ("lessons/theorems/rates/scene.py", "from lessons.theorems import panel"),
        ("lessons/race/figure.py", "import streamlit as st"),
        ("lessons/race/figure.py", "from tvbo_core.race import play"),
        ("lessons/race/figure.py", "import plotly.express as px"),
        ("lessons/race/scene.py", "from shell import page"),
        ("lessons/race/scene.py", "import plotly"),
        ("lessons/race/panel.py", "from lessons.drift import panel"),
        ("lessons/race/panel.py", "from lessons import LESSONS"),
        ("shell/page.py", "from lessons import LESSONS"),
        ("shell/page.py", "from lessons.race import model"),
        ("shell/page.py", "import plotly"),
        ("shell/page.py", "from lessons.shared.knobs import KNOBS"),
        ("shell/page.py", "import tvbo_core as tv"),
        ("shell/page.py", "from tvbo_core.gp import posterior"),
        ("common/cache.py", "from tvbo_core.records import World"),
        ("common/cache.py", "from lessons.record import Knob"),
        ("common/cache.py", "import streamlit as st"),
        ("pages/Drifting_rewards.py", "import numpy as np"),
        ("pages/Drifting_rewards.py", "from figures import film"),
        ("pages/Drifting_rewards.py", "import tvbo_core as tv"),
        ("pages/Drifting_rewards.py", "def f():\n    from plotly import graph_objects"),
        ("home.py", "import pandas"),
        ("home.py", "import starlette"),
        ("app.py", "import cvxpy"),
        ("app.py", "import tests.strategies"),
    ],
)
def test_a_forbidden_import_is_found(path: str, source: str) -> None:
    assert faults(path, source)


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("tvbo_core/bands/certify.py", "def f():\n    import cvxpy as cp"),
        ("tvbo_core/worlds/tables/__init__.py", "def f():\n    from plotly.data import stocks"),
        ("tvbo_core/race.py", "from scipy.linalg import cholesky"),
        ("tvbo_core/race.py", "if TYPE_CHECKING:\n    import pandas"),
        ("figures/theme.py", "from tvbo_core.records import BandFilm\nimport plotly.graph_objects as go"),
        ("lessons/race/model.py", "import tvbo_core as tv\nfrom lessons.race.knobs import RACE_WORLD"),
        ("lessons/race/figure.py", "from figures.theme import Theme\nfrom lessons.race.model import Race"),
        ("lessons/race/scene.py", "from lessons.race import figure, model\nfrom figures.theme import Theme"),
        (
            "lessons/theorems/scene.py",
            "from lessons.theorems.rates import scene\nfrom lessons.theorems.runs import model",
        ),
        ("lessons/theorems/runs/scene.py", "from lessons.theorems.laws import stated\nfrom figures.theme import Theme"),
        ("lessons/theorems/runs/figure.py", "from lessons.theorems.runs.model import BoundVsRegret\nimport plotly"),
        ("lessons/race/panel.py", "import streamlit as st\nfrom shell.run_panel import panel"),
        ("shell/page.py", "import streamlit as st\nfrom common.cache import kept\nfrom lessons.record import Lesson"),
        ("shell/jobs.py", "from tvbo_core import __version__\nfrom tvbo_core.jobs import Failure"),
        ("pages/The_race.py", "import streamlit as st\nfrom lessons import LESSONS\nfrom shell.page import Visit"),
    ],
)
def test_an_allowed_import_passes(path: str, source: str) -> None:
    assert faults(path, source) == []


def test_no_file_imports_itself_through_others() -> None:
    modules = {path.removesuffix(".py").removesuffix("/__init__").replace("/", "."): path for path in files()}

    def targets(path: str) -> set[str]:
        found = set()
        for module, _ in imports((ROOT / path).read_text(encoding="utf-8")):
            name = module if module in modules else module.rpartition(".")[0]
            if name in modules and modules[name] != path:
                found.add(modules[name])
        return found

    graph = {path: targets(path) for path in files()}
    while free := [path for path, needs in graph.items() if not needs & graph.keys()]:
        for path in free:
            del graph[path]
    assert graph == {}, "these files import each other, or stand on files that do"


def boxes() -> dict[str, ElementTree.Element]:
    """Return the boxes of the picture of the rooms, by the rooms that they stand for."""
    groups = ElementTree.parse(PICTURE).iter(f"{SVG}g")
    return {rooms: group for group in groups if (rooms := group.get("data-rooms"))}


def arrows() -> dict[tuple[str, str], ElementTree.Element]:
    """Return the arrows of the picture of the rooms, by the boxes that they lead from and to."""
    paths = ElementTree.parse(PICTURE).iter(f"{SVG}path")
    return {tuple(ends.split(" > ")): path for path in paths if (ends := path.get("data-imports"))}


def test_the_picture_of_the_rooms_has_a_box_for_each_of_them() -> None:
    top = {path.name for path in ROOT.iterdir() if path.suffix == ".py" or any(path.glob("*.py"))}
    assert top - BESIDE_THE_ROOMS == {*ROOMS, *SCRIPTS}
    assert sorted(room for rooms in boxes() for room in rooms.split()) == sorted((*ROOMS, *SCRIPTS))


def test_the_picture_of_the_rooms_has_an_arrow_for_each_import_between_them() -> None:
    box = {room: rooms for rooms in boxes() for room in rooms.split()}
    found = set()
    for path in files():
        here = box[path.split("/")[0]]
        for module, _ in imports((ROOT / path).read_text(encoding="utf-8")):
            there = box.get(module.split(".")[0], here)
            found |= {(here, there)} if there != here else set()
    assert arrows().keys() == found


def test_each_arrow_of_the_picture_leads_from_its_box_to_the_other() -> None:
    def touches(rooms: str, x: float, y: float, away: float) -> bool:
        left, top, wide, high = (float(boxes()[rooms].find(f"{SVG}rect").get(k)) for k in ("x", "y", "width", "height"))
        outside = max(left - x, x - left - wide, top - y, y - top - high)  # below 0 in the box
        return abs(outside - away) <= 1e-9

    for (here, there), path in arrows().items():
        start_x, start_y, end_x, end_y = map(float, re.findall(r"[\d.]+", path.get("d")))
        assert touches(here, start_x, start_y, 0.0) and touches(there, end_x, end_y, TIP), (here, there)


def test_the_picture_of_the_rooms_names_only_what_is_there() -> None:
    for rooms, group in boxes().items():
        said = " ".join("".join(text.itertext()) for text in group.iter(f"{SVG}text"))
        for name in re.findall(r"[\w/*]+(?:\.py|/)", said):
            where = [place for room in rooms.split() for place in (ROOT, ROOT / room, *(ROOT / room).glob("*/"))]
            assert any(next(place.glob(name.rstrip("/")), None) for place in where), f"{rooms}: {name}"


def test_nothing_of_one_machine_is_written_into_the_project() -> None:
    needles = ["/" + name + "/" for name in ("work", "tmp", "root")] + ["." + "library"]
    kinds = {".py", ".md", ".toml", ".txt", ".js", ".css", ".html", ".json", ""}
    skip = {
        ".git",
        ".venv",
        ".venv-dev",
        ".venv-newest",
        ".venv-uv",
        "__pycache__",
        ".ruff_cache",
        ".mypy_cache",
        ".pytest_cache",
        ".hypothesis",
    }
    for path in ROOT.rglob("*"):
        if path.is_file() and path.suffix in kinds and not skip & set(path.relative_to(ROOT).parts):
            text = path.read_text(encoding="utf-8", errors="replace")
            assert [n for n in needles if n in text] == [], path
