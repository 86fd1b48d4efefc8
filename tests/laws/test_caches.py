"""Every cache that visitors share has a key with all that its answer depends on; of the page: test_cache_keys.py."""

from __future__ import annotations

import dataclasses
import typing
from collections.abc import Iterator
from types import UnionType

import numpy as np

from tests.shared import shared_caches


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
