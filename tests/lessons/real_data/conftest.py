"""Fixtures of the tests of a visitor's own table."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pytest

from lessons.real_data import upload


@pytest.fixture(autouse=True, scope="module")
def the_same_bytes_are_read_once() -> Iterator[None]:
    """A page starts a process for each file that it reads (test_isolated.py); a table is the same the second time."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(upload, "read_isolated", cache(upload.read_isolated))
        yield
