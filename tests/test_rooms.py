"""The rooms import in one direction only, and nothing of one machine is written into the project."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
ROOMS = ("tvbo_core", "figures", "shell", "ui", "pages")

# Modules beyond Python's own that a room may import; a file may have exceptions of its own below.
ALLOWED = {
    "tvbo_core": {"numpy", "scipy", "joblib", "threadpoolctl"},
    "figures": {"plotly", "numpy"},
    "shell": {"streamlit", "cachetools", "numpy"},
    "ui": {"streamlit", "pandas", "numpy", "segno"},
    "pages": {"streamlit"},
}
# Our own rooms that a room may see.
SEES = {
    "tvbo_core": {"tvbo_core"},
    "figures": {"figures", "tvbo_core"},
    "ui": {"ui", "shell", "tvbo_core"},
    "shell": {"shell", "tvbo_core"},
    "pages": {"ui", "shell", "figures", "tvbo_core"},
}
# file -> module it may import, and whether only inside a function (so that the core starts without it).
EXCEPTIONS = {
    "shell/engines.py": {"loky": True, "dask.distributed": True},
    "tvbo_core/certify.py": {"cvxpy": True},
    "tvbo_core/data.py": {"pandas": True, "plotly.data": True},
    "tvbo_core/sensors.py": {"pandas": True},
    "tvbo_core/data/__init__.py": {"pandas": True, "plotly.data": True},
    "tvbo_core/data/packed.py": {"pyarrow": True, "openpyxl": True},
    "tvbo_core/experiments/__main__.py": {"dask.distributed": True},
}
# Figures draw what was solved and simulated elsewhere.
FIGURES_SEE = ("tvbo_core.records",)


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


def faults(path: str, source: str) -> list[str]:
    """What a file imports against the table of rooms."""
    room = "pages" if path == "app.py" else path.split("/")[0]
    wrong = []
    for module, inside in imports(source):
        top = module.split(".")[0]
        granted = [only for name, only in EXCEPTIONS.get(path, {}).items() if f"{module}.".startswith(f"{name}.")]
        if granted:
            if granted[0] and not inside:
                wrong.append(f"{path} imports {module} at its top: only inside a function")
        elif top in ROOMS:
            if top not in SEES[room]:
                wrong.append(f"{path} imports {module}: {room} may not see {top}")
            elif room == "figures" and top == "tvbo_core" and not module.startswith(FIGURES_SEE):
                wrong.append(f"{path} imports {module}: figures see records only")
        elif not top or top == "?":
            wrong.append(f"{path} imports {module}: write the full name")
        elif top not in sys.stdlib_module_names | ALLOWED[room] or module.startswith("plotly.express"):
            wrong.append(f"{path} imports {module}: not in {room}")
    return wrong


def files() -> list[str]:
    found = [p for room in ROOMS for p in (ROOT / room).rglob("*.py")] + [ROOT / "app.py"]
    return sorted(p.relative_to(ROOT).as_posix() for p in found)


@pytest.mark.parametrize("path", files())
def test_a_file_imports_only_what_its_room_may(path: str) -> None:
    assert faults(path, (ROOT / path).read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("tvbo_core/gp.py", "import streamlit"),
        ("tvbo_core/gp.py", "def f():\n    import cvxpy"),
        ("tvbo_core/gp.py", "from figures import theme"),
        ("tvbo_core/gp.py", "import pandas as pd"),
        ("tvbo_core/certify.py", "import cvxpy"),
        ("tvbo_core/data.py", "from plotly.graph_objects import Figure"),
        ("tvbo_core/data.py", "import pandas"),
        ("figures/bands.py", "import streamlit as st"),
        ("figures/bands.py", "from ui import player"),
        ("figures/bands.py", "from tvbo_core.film import missed"),
        ("figures/bands.py", "import tvbo_core"),
        ("figures/bands.py", "import scipy.linalg"),
        ("ui/compute.py", "from figures import bands"),
        ("ui/compute.py", "import plotly.express as px"),
        ("ui/compute.py", "import plotly.graph_objects as go"),
        ("pages/1_Drifting_rewards.py", "import numpy as np"),
        ("pages/1_Drifting_rewards.py", "def f():\n    from plotly import graph_objects"),
        ("app.py", "import cvxpy"),
        ("app.py", "import tests.strategies"),
        ("tvbo_core/gp.py", "import requests"),
        ("tvbo_core/gp.py", "from .. import ui"),
        ("tvbo_core/gp.py", "from . import kernels"),
        ("tvbo_core/gp.py", "import importlib\nimportlib.import_module('streamlit')"),
        ("tvbo_core/gp.py", "def f(name):\n    return __import__(name)"),
        ("tvbo_core/data.py", "def f():\n    import plotly"),
    ],
)
def test_a_forbidden_import_is_found(path: str, source: str) -> None:
    assert faults(path, source)


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("tvbo_core/certify.py", "def f():\n    import cvxpy as cp"),
        ("tvbo_core/data.py", "def f():\n    from plotly.data import stocks"),
        ("tvbo_core/gp.py", "from scipy.linalg import cholesky"),
        ("figures/bands.py", "from tvbo_core.records import BandFilm"),
        ("tvbo_core/gp.py", "if TYPE_CHECKING:\n    import pandas"),
        (
            "pages/1_Drifting_rewards.py",
            "from figures import drift\nfrom ui import lesson\nimport streamlit as st",
        ),
    ],
)
def test_an_allowed_import_passes(path: str, source: str) -> None:
    assert faults(path, source) == []


def test_nothing_of_one_machine_is_written_into_the_project() -> None:
    needles = ["/" + name + "/" for name in ("work", "tmp", "root")] + ["." + "library"]
    kinds = {".py", ".md", ".toml", ".txt", ".js", ".css", ".html", ".json", ""}
    skip = {".git", ".venv", ".venv-dev", "__pycache__", ".ruff_cache", ".pytest_cache", ".hypothesis"}
    for path in ROOT.rglob("*"):
        if path.is_file() and path.suffix in kinds and not skip & set(path.relative_to(ROOT).parts):
            text = path.read_text(encoding="utf-8", errors="replace")
            assert [n for n in needles if n in text] == [], path
