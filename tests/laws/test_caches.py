"""Every cache that visitors share has a key with all that its answer depends on; of the page: test_cache_keys.py."""

from __future__ import annotations

import dataclasses
import sys
import typing
from collections.abc import Callable, Hashable, Iterator, Mapping
from functools import wraps
from types import UnionType

import numpy as np
import pytest

from common import cache
from lessons import LESSONS
from lessons.record import Lesson
from shell.page.page import LessonPage
from tests.lessons.shown import opened, settled
from tests.shared import forget, shared_caches

# What a visitor may change beside a knob: those the baseline moves, with warm caches.
LOOKS: tuple[dict[str, str], ...] = ({}, {"theme": "dark"}, {"lecture": "true"}, {"symbols": "deng"})


def records(kind: object) -> Iterator[type]:
    """Yield the records in an annotation, and those in their fields."""
    if isinstance(kind, type) and dataclasses.is_dataclass(kind):
        yield kind
        hints = typing.get_type_hints(kind)
        for field in dataclasses.fields(kind):
            yield from records(hints[field.name])
    if typing.get_origin(kind) in (tuple, typing.Union, UnionType):
        for part in typing.get_args(kind):
            yield from records(part)


def test_written_settings_name_every_field() -> None:
    """A key is the written form of the arguments, in which numpy would leave out the middle of an array."""
    seen: set[type] = set()
    for name, function in shared_caches().items():
        hints = typing.get_type_hints(function)
        hints.pop("return", None)
        if "make" not in hints:
            seen |= {record for kind in hints.values() for record in records(kind)}
            assert np.ndarray not in hints.values(), name
    assert len(seen) > 8
    for record in seen:
        hints = typing.get_type_hints(record)
        silent = [one.name for one in dataclasses.fields(record) if not one.repr or hints[one.name] is np.ndarray]
        assert silent == [] and "__repr__" not in vars(record).get("__annotations__", {}), record


def plain(value: object) -> object:
    """Return a value to compare: records by their fields but the seconds that they took, arrays by their bytes."""
    if dataclasses.is_dataclass(value):
        names = (one.name for one in dataclasses.fields(value) if one.name != "seconds")
        return [plain(getattr(value, name)) for name in names]
    if isinstance(value, np.ndarray):
        return value.shape, value.tobytes()
    if isinstance(value, Mapping):
        return {key: plain(one) for key, one in value.items() if key != "seconds"}
    if isinstance(value, list | tuple):
        return [plain(one) for one in value]
    return value if isinstance(value, str | bytes | int | float | None) else type(value)


def watched(get: Callable, wrong: list[Hashable]) -> Callable:
    """Return a cache that notes each key under which it keeps something else than its maker makes now."""

    @wraps(get)
    def checked_get(key: Hashable, make: Callable[[], object]) -> object:
        kept = cache.newest(get, key)
        if kept is not None and plain(kept) != plain(make()):
            wrong.append(key)
        return get(key, make)

    return checked_get


@pytest.mark.slow
@pytest.mark.parametrize("lesson", LESSONS, ids=lambda one: one.key)
def test_kept_is_what_would_be_made_now(lesson: Lesson, monkeypatch: pytest.MonkeyPatch) -> None:
    forget()
    wrong: list[Hashable] = []
    seen = {id(get): watched(get, wrong) for name, get in shared_caches().items() if "make" in get.__annotations__}
    for module in [one for name, one in sys.modules.items() if name.startswith(("common.", "lessons.", "shell."))]:
        for name, value in list(vars(module).items()):
            if id(value) in seen:
                monkeypatch.setattr(module, name, seen[id(value)])
    for method in vars(LessonPage).values():
        if defaults := getattr(method, "__defaults__", None):
            monkeypatch.setattr(method, "__defaults__", tuple(seen.get(id(one), one) for one in defaults))
    monkeypatch.setitem(vars(lesson), "waits", lambda values: True)  # so that the page itself keeps and sends its film
    for closed, look in (*((False, one) for one in LOOKS), (True, {}), (False, {})):
        assert not settled(opened(lesson.file, closed=closed, **look)).exception
    assert wrong == []
