"""Results that all visitors share, bounded by their size: whoever asks first makes one, whoever asks meanwhile waits.

Streamlit's own caches are bounded by a number of entries; films and tables differ by a factor of a thousand.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from functools import wraps
from typing import TypeVar

import numpy as np

T = TypeVar("T")
MB = 1_000_000
SHELVES: list[Shelf] = []  # every shelf of this process, so that their room can be looked at


class Shelf:
    """A cache of at most `room` bytes; what was not asked for longest goes first.

    One value that is larger than the room is handed out and not kept.
    """

    def __init__(self, name: str, room: int) -> None:
        self.name, self.room, self.held = name, room, 0
        self._values: OrderedDict[Hashable, tuple[object, int]] = OrderedDict()
        self._making: dict[Hashable, threading.Event] = {}
        self._lock = threading.Lock()
        SHELVES.append(self)

    def __len__(self) -> int:
        return len(self._values)

    def get(self, key: Hashable, make: Callable[[], T]) -> T:
        """The value of this key; made once, however many ask for it at the same time.

        Raises:
            Whatever `make` raises, which then is nobody else's: the next who waits tries again.
        """
        while True:
            with self._lock:
                if key in self._values:
                    self._values.move_to_end(key)
                    return self._values[key][0]
                done = self._making.get(key)
                if done is None:
                    mine = self._making[key] = threading.Event()
                    break
            done.wait()
        try:
            value = make()
            self._keep(key, value)
            return value
        finally:
            with self._lock:
                del self._making[key]
            mine.set()

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._values.clear()
            self.held = 0

    def _keep(self, key: Hashable, value: object) -> None:
        size = weight(value) + 200
        with self._lock:
            if size > self.room:
                return
            self._values[key] = value, size
            self.held += size
            while self.held > self.room:
                self.held -= self._values.popitem(last=False)[1][1]


def shelved(room: int) -> Callable[[Callable[..., T]], Callable[..., T]]:
    """A shelf of so many megabytes for a function of plain values, which are told apart by how they are written."""

    def wrap(make: Callable[..., T]) -> Callable[..., T]:
        shelf = Shelf(f"{make.__module__}.{make.__qualname__}", room * MB)

        @wraps(make)
        def kept(*values: object, **named: object) -> T:
            return shelf.get(repr((values, named)), lambda: make(*values, **named))

        kept.shelf = shelf
        return kept

    return wrap


def weight(value: object) -> int:
    """About how many bytes a value takes: its arrays and texts, counted once, and a little for each object."""
    seen: set[int] = set()
    total, stack = 0, [value]
    while stack:
        item = stack.pop()
        if item is None or isinstance(item, bool | int | float | complex | type) or id(item) in seen:
            total += 16
            continue
        seen.add(id(item))
        if isinstance(item, np.ndarray):
            total += item.nbytes if item.base is None else 100
            stack.append(item.base)
        elif isinstance(item, memoryview):  # the bytes behind an array that a worker has sent
            stack.append(item.obj)
        elif isinstance(item, str | bytes | bytearray):
            total += len(item) + 50
        elif isinstance(item, dict):
            total += 100
            stack.extend(item)
            stack.extend(item.values())
        elif isinstance(item, list | tuple) and item and isinstance(item[0], float | int):
            total += 60 + 32 * len(item)  # a column of numbers
        elif isinstance(item, list | tuple | set | frozenset):
            total += 60 + 8 * len(item)
            stack.extend(item)
        else:
            total += 100
            stack.extend(vars(item).values() if hasattr(item, "__dict__") else ())
    return total
