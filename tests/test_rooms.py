"""The rooms import in one direction only, and nothing of one machine is written into the project."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
ROOMS = ("tvbo_core", "figures", "lessons", "shell", "pages")
SCRIPTS = ("app.py", "home.py")  # beside the rooms
PLAIN = {"numpy"}
# Modules beyond Python's own that a room may import; a file may have exceptions of its own below.
ALLOWED = {
    "tvbo_core": {"numpy", "scipy", "joblib", "threadpoolctl"},
    "figures": {"plotly", "numpy"},
    "record": PLAIN,
    "shared": {"numpy", "cachetools"},
    "lesson": PLAIN,
    "figure": {"plotly", "numpy"},
    "panel": {"streamlit", "numpy", "pandas"},
    "shell": {"streamlit", "starlette", "numpy", "pandas", "segno", "cachetools", "loky"},
    "pages": {"streamlit"},
    "entry": {"streamlit"},
}
# Our own modules that a room may see; "own" is the folder of the lesson itself.
SEES = {
    "tvbo_core": ("tvbo_core",),
    "figures": ("figures", "tvbo_core.records"),
    "record": ("tvbo_core.records",),
    "shared": ("tvbo_core", "lessons.record", "lessons.shared"),
    "lesson": ("tvbo_core", "lessons.record", "lessons.shared", "own"),
    "figure": ("tvbo_core.records", "figures", "lessons.record", "lessons.shared", "own"),
    "scene": ("tvbo_core", "figures", "lessons.record", "lessons.shared", "own"),
    "panel": ("tvbo_core", "figures", "shell", "lessons.record", "lessons.shared", "own"),
    "shell": ("tvbo_core", "figures", "lessons.record", "lessons.shared", "shell"),
    "pages": ("figures.theme", "lessons", "shell"),
    "entry": ("tvbo_core", "figures", "lessons", "shell"),
}
WITH_STREAMLIT = ("panel.py", "upload.py", "component.py")  # files of a lesson
# file -> module it may import, and whether only inside a function (so that the core starts without it).
EXCEPTIONS = {
    "shell/engines.py": {"loky": True, "dask.distributed": True},
    "app.py": {"starlette": False, "pandas": False},
    "tvbo_core/bands/certify.py": {"cvxpy": True},
    "tvbo_core/data/sensors.py": {"pandas": True},
    "tvbo_core/data/__init__.py": {"pandas": True, "plotly.data": True},
    "tvbo_core/data/isolated.py": {"pyarrow": True, "pandas": True},
    "tvbo_core/data/packed.py": {"pyarrow": True, "pandas": True},
    "tvbo_core/data/cells.py": {"pandas": True},
    "tvbo_core/data/checks.py": {"pandas": True},
    "tvbo_core/data/reader.py": {"pandas": True, "charset_normalizer": True},
    "tvbo_core/experiments/__main__.py": {"dask.distributed": True},
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
    if path == "lessons/record.py":
        return "record"
    if len(parts) == 2:
        return "registry"
    if parts[1] == "shared":
        return "shared"
    if parts[2] in WITH_STREAMLIT:
        return "panel"
    return "figure" if parts[2].startswith("figure") else "scene" if parts[2] in ("scene.py", "lesson.py") else "lesson"


def within(module: str, packages: Iterable[str]) -> bool:
    """Return whether a module is one of these packages or lies in one."""
    return any(f"{module}.".startswith(f"{package}.") for package in packages)


def faults(path: str, source: str) -> list[str]:
    """Return what a file imports against the table of rooms."""
    row, folder = room(path), ".".join(path.split("/")[:2])
    seen = ("lessons",) if row == "registry" else [folder if one == "own" else one for one in SEES.get(row, ())]
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
            elif row == "lesson" and top == "lessons" and room_of(module) == "figure":
                wrong.append(f"{path} imports {module}: {row} may not see a figure")
        elif not top or top == "?":
            wrong.append(f"{path} imports {module}: write the full name")
        elif top not in sys.stdlib_module_names | ALLOWED.get(row, PLAIN) or module.startswith("plotly.express"):
            wrong.append(f"{path} imports {module}: not in {row}")
    return wrong


def room_of(module: str) -> str:
    """Return the row of an imported module, which may be a name in it."""
    parts = module.split(".")
    return room("/".join(parts[:3]) + ".py") if len(parts) > 2 else ""


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


@pytest.mark.parametrize("path", files())
def test_a_file_imports_only_what_its_room_may(path: str) -> None:
    assert faults(path, (ROOT / path).read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("path", files())
def test_a_file_uses_public_names_of_streamlit_and_replaces_none(path: str) -> None:
    assert private_uses(path, (ROOT / path).read_text(encoding="utf-8")) == []


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
        ("tvbo_core/data/__init__.py", "import pandas"),
        ("tvbo_core/data/__init__.py", "def f():\n    import plotly"),
        ("figures/theme.py", "from lessons.record import Knob"),
        ("figures/theme.py", "from tvbo_core.race import play"),
        ("figures/theme.py", "import scipy.linalg"),
        ("lessons/record.py", "from tvbo_core.race import play"),
        ("lessons/record.py", "from lessons.shared import knobs"),
        ("lessons/shared/knobs.py", "from lessons.race import model"),
        ("lessons/shared/knobs.py", "import streamlit as st"),
        ("lessons/race/model.py", "import streamlit as st"),
        ("lessons/race/model.py", "from shell.runs import RUNS"),
        ("lessons/race/model.py", "from lessons.drift import model"),
        ("lessons/race/model.py", "from lessons import LESSONS"),
        ("lessons/race/model.py", "from figures import theme"),
        ("lessons/race/model.py", "from lessons.race import panel"),
        ("lessons/race/model.py", "from lessons.race.figure import stage"),
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
        ("pages/1_Drifting_rewards.py", "import numpy as np"),
        ("pages/1_Drifting_rewards.py", "from figures import film"),
        ("pages/1_Drifting_rewards.py", "import tvbo_core as tv"),
        ("pages/1_Drifting_rewards.py", "def f():\n    from plotly import graph_objects"),
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
        ("tvbo_core/data/__init__.py", "def f():\n    from plotly.data import stocks"),
        ("tvbo_core/race.py", "from scipy.linalg import cholesky"),
        ("tvbo_core/race.py", "if TYPE_CHECKING:\n    import pandas"),
        ("figures/theme.py", "from tvbo_core.records import BandFilm\nimport plotly.graph_objects as go"),
        ("lessons/race/model.py", "import tvbo_core as tv\nfrom lessons.race.knobs import RACE_WORLD"),
        ("lessons/race/figure.py", "from figures.theme import Theme\nfrom lessons.race.model import Race"),
        ("lessons/race/scene.py", "from lessons.race import figure, model\nfrom figures.theme import Theme"),
        ("lessons/race/panel.py", "import streamlit as st\nfrom shell.run_panel import panel"),
        ("shell/page.py", "import streamlit as st\nfrom lessons.record import Lesson"),
        ("pages/4_The_race.py", "import streamlit as st\nfrom lessons import LESSONS\nfrom shell.page import Visit"),
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


def test_nothing_of_one_machine_is_written_into_the_project() -> None:
    needles = ["/" + name + "/" for name in ("work", "tmp", "root")] + ["." + "library"]
    kinds = {".py", ".md", ".toml", ".txt", ".js", ".css", ".html", ".json", ""}
    skip = {".git", ".venv", ".venv-dev", "__pycache__", ".ruff_cache", ".mypy_cache", ".pytest_cache", ".hypothesis"}
    for path in ROOT.rglob("*"):
        if path.is_file() and path.suffix in kinds and not skip & set(path.relative_to(ROOT).parts):
            text = path.read_text(encoding="utf-8", errors="replace")
            assert [n for n in needles if n in text] == [], path
