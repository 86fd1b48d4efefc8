"""The core knows nothing above it: no word of a lesson, a page, a link, a game or a server is in it."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

import pytest

import tvbo_core
from tvbo_core.bands.entry import BandEntry
from tvbo_core.kernels import KernelEntry
from tvbo_core.policies.entry import PolicyEntry
from tvbo_core.worlds.kinds import WorldKind

CORE = Path(tvbo_core.__file__).parent
FILES = sorted(CORE.rglob("*.py"))
ABOVE = frozenset(
    word
    for line in (
        "lesson link permalink page panel sidebar screen slider knob widget menu legend caption headline drawer",
        "tooltip moment bet course hall stage scene player game duel lecture lecturer teacher visitor reader browser",
        "server session streamlit",
    )
    for word in line.split()
)
# What a list of policies, bands, kernels or worlds may not say: where it is shown, and to whom.
SHOWN = {"default", "on_tables", "word", "colour", "icon", "help", "shown", "order"}


def words(text: str) -> Iterator[str]:
    """Yield the words of a text or a name in small letters and in the singular: `HillPages` is hill and page."""
    for name in re.findall(r"[A-Za-z]+", text):
        for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", name):
            yield word.lower()
            yield word.lower().removesuffix("s")


def said(source: str) -> Iterator[tuple[int, str]]:
    """Yield line and text of every comment, docstring and name of a file; other strings are data."""
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type in (tokenize.COMMENT, tokenize.NAME):
            yield token.start[0], token.string
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node):
            yield getattr(node, "lineno", 1), str(ast.get_docstring(node))


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.relative_to(CORE).as_posix())
def test_core_speaks_of_nothing_above_it(file: Path) -> None:
    found = {(line, word) for line, text in said(file.read_text(encoding="utf-8")) for word in words(text)}
    assert sorted((line, word) for line, word in found if word in ABOVE) == []


def test_words_are_found_in_names_and_comments() -> None:
    source = '"""A world."""\nclass HillPages:\n    link_code = 1  # shown to readers\n'
    found = {word for _, text in said(source) for word in words(text)}
    assert found & ABOVE == {"page", "link", "reader"}


@pytest.mark.parametrize("entry", [BandEntry, KernelEntry, PolicyEntry, WorldKind])
def test_lists_say_nothing_of_where_they_show(entry: type) -> None:
    assert SHOWN.isdisjoint(field.name for field in fields(entry))
