"""The modules of the core import in one direction: no circle, not even through a type."""

from __future__ import annotations

import ast
from graphlib import TopologicalSorter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def modules() -> dict[str, Path]:
    """Dotted name -> file of every module of the core; a package is its __init__."""
    found = {}
    for path in (ROOT / "tvbo_core").rglob("*.py"):
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        found[name.removesuffix(".__init__")] = path
    return found


def imported(source: str, names: set[str]) -> set[str]:
    """Modules among `names` that a source imports, inside functions and type-checking blocks as well."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            whole = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= whole & names
            if whole - names:  # a name that the module itself holds
                found.add(node.module)
    return found & names


def test_core_modules_import_in_one_direction() -> None:
    files = modules()
    graph = {name: imported(path.read_text(encoding="utf-8"), set(files)) for name, path in files.items()}
    list(TopologicalSorter(graph).static_order())
