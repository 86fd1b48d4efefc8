"""Every lesson shows what was approved, also with warm caches, and a difference is a sentence."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from figures.theme import Theme
from lessons import BY_KEY, LESSONS
from lessons.record import Lesson
from tests.baseline import describe, lesson, texts

MOST_BYTES, SHOWN = 1_600_000, 30  # of all files; differences that are printed
APPROVE = "python -m tests.baseline approve"


@pytest.mark.parametrize("one", LESSONS, ids=lambda one: one.key)
def test_a_lesson_shows_what_was_approved(one: Lesson) -> None:
    # Approved with caches emptied before each state, compared with warm ones: a key that lacks a field is seen.
    check(one.key, one.key, lesson.entries(one))


@pytest.mark.parametrize("one", LESSONS, ids=lambda one: one.key)
def test_a_page_says_what_was_approved(one: Lesson) -> None:
    check(f"{texts.ASKED}/{one.key}", one.key, lesson.asked(one))


def check(name: str, key: str, new: texts.Entries) -> None:
    """Compare entries with the approved ones of this name."""
    found = texts.differences(name, texts.expected(name), new)
    if found and not os.environ.get("CI"):
        texts.keep(name, new, ".new")
    more = f"… and {len(found) - SHOWN} more" if len(found) > SHOWN else ""
    assert not found, "\n".join(["", *found[:SHOWN], more, f"If all of it is meant: {APPROVE} {key}"])


def test_every_approved_file_is_of_a_lesson() -> None:
    files = sorted(texts.EXPECTED.glob("*.txt"))
    assert {file.stem for file in files} == set(BY_KEY)
    assert sum(file.stat().st_size for file in files) <= MOST_BYTES


def test_a_file_is_read_as_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(texts, "EXPECTED", tmp_path / "new")
    entries = {"opening": {"a": "1: 2", "b": "x"}, "next": {"a": "1: 2", "c": "y"}, "page": {"d": "z"}}
    texts.keep("some", entries)
    assert texts.expected("some") == entries and texts.expected("other") == {}


@pytest.mark.parametrize(
    ("old", "new", "exact", "said"),
    [
        ("y [64 2]", "y [46 2]", False, "64 became 46 (after “y [”)"),
        ("a = 0.12345", "a = 0.12346", False, ""),  # the last of five digits
        ("a = 0.12345", "a = 0.12445", False, "0.12345 became 0.12445 (after “a =”)"),
        ("costs 64.0", "costs 64.1", True, "64.0 became 64.1 (after “costs”)"),
        ("t 100", "t 101", False, "100 became 101 (after “t”)"),  # a count
        ("line {color keeps}", "line {color forgets}", False, "keeps became forgets (after “line {color”)"),
        ("it misses", "it never misses", True, "“it misses” became “it never misses”"),
    ],
)
def test_a_difference_is_a_sentence(old: str, new: str, exact: bool, said: str) -> None:
    assert texts.difference(old, new, exact) == said


def test_a_row_tells_shifts_losses_and_swaps() -> None:
    rows = [[*range(40)], [*range(1, 41)], [*range(39)], [0, 1, 3, 2, *range(4, 40)], [*range(39), 41]]
    said = [describe.row(describe.np.array(one, dtype=float)) for one in rows]
    assert all(texts.difference(said[0], other) for other in said[1:])


@pytest.mark.parametrize("theme", [Theme(), Theme(dark=True)], ids=["light", "dark"])
def test_a_role_has_one_name_on_either_ground(theme: Theme) -> None:
    for role in ("keeps", "forgets", "asks", "shuffles", "drift", "broken"):
        assert describe.by_role(f"<b style='color:{theme.role(role)}'>", theme) == f"<b style='color:{role}'>"
    assert describe.by_role(theme.ink, theme) == "ink" and describe.by_role("rgba(0,0,0,0)", theme).endswith("/0")
