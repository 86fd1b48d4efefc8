"""Caches that all visitors share: bounded, and a value that several visitors ask for at once is made once."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Hashable
from threading import Condition
from typing import Any, Generic, TypeVar

from cachetools import LRUCache, cached

S = TypeVar("S")
T = TypeVar("T")


def _text(*values: object, **named: Any) -> Hashable:
    """Return the written form of the arguments: frozen records of plain values are written as what they are."""
    return repr((values, named))


def shared(entries: int) -> Callable[[Callable[..., T]], Callable[..., T]]:
    """Return a decorator that keeps the newest results of a function of plain values.

    Args:
        entries: results that are kept; the least recently used go first.
    """
    return cached(LRUCache(entries), key=_text, condition=Condition())


def keyed(entries: int, most: int | None = None) -> Callable[[Hashable, Callable[[], T]], T]:
    """Return a function of a key and a maker, which returns the newest value made for that key.

    Args:
        entries: values that are kept; the least recently used go first.
        most: bytes that they may have together, where they differ a lot in size.
    """
    newest_values = LRUCache(entries) if most is None else within_bytes(most, most // entries)

    @cached(newest_values, key=lambda key, make: repr(key), condition=Condition())
    def get(key: Hashable, make: Callable[[], T]) -> T:
        return make()

    return get


class computed_once(Generic[S, T]):
    """A property that is computed at its first use and kept with its object.

    `functools.cached_property` of Python 3.11 holds one lock for all objects of a class while it computes one: a class
    of fifty would wait for the slowest scene of anybody. Where two threads meet at one object, both compute it.
    """

    def __init__(self, compute: Callable[[S], T]) -> None:
        self.compute, self.__doc__ = compute, compute.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, instance: S, owner: type | None = None) -> T:
        found = instance.__dict__[self.name] = self.compute(instance)
        return found


def within_bytes(most: int, least: int = 1) -> LRUCache:
    """Return a cache of values of at most so many bytes together; the least recently used go first.

    A value counts as `least` bytes at least; one that cannot be written down as a tenth of all.
    """

    def size(value: object) -> int:
        try:
            return max(len(pickle.dumps(value, protocol=5)), least)
        except Exception:  # whatever a foreign value's own way of being written raises
            return most // 10

    return LRUCache(most, getsizeof=size)


KEPT_BYTES = 50_000_000  # a packed film of bands has a megabyte, a sentence a hundred bytes
kept = keyed(250, KEPT_BYTES)  # figures, packed films and sentences, by the state of the page that they were made from
