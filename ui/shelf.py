"""Results that all visitors share, bounded by their size: whoever asks first makes one, whoever asks meanwhile waits.

Streamlit's own caches are bounded by a number of entries; films and tables differ by a factor of a thousand.
"""

from __future__ import annotations

import threading
from collections import OrderedDict, deque
from collections.abc import Callable, Hashable
from functools import wraps
from typing import TypeVar

import numpy as np

T = TypeVar("T")
MB = 1_000_000
LATER = 4  # values that come before one is weighed again
LONG, SOME = 40, 20  # items of a list that is weighed by some of them, and by how many
SMALL, TEXTS = {type(None), bool, int, float, complex}, {str, bytes, bytearray}
ROWS = {list, tuple, set, frozenset}
SHELVES: list[Shelf] = []  # every shelf of this process, so that their room can be looked at


class Shelf:
    """A cache of at most `room` bytes; what was not asked for longest goes first.

    One value that is larger than the room is handed out and not kept. A value grows while it is used, by what is worked
    out from it and kept with it: so it is weighed again a little later.
    """

    def __init__(self, name: str, room: int) -> None:
        self.name, self.room, self.held = name, room, 0
        self._values: OrderedDict[Hashable, tuple[object, int]] = OrderedDict()
        self._young: deque[Hashable] = deque()
        self._making: dict[Hashable, threading.Event] = {}
        self._lock = threading.Lock()
        SHELVES.append(self)

    def __len__(self) -> int:
        return len(self._values)

    def peek(self, key: Hashable) -> object | None:
        """The value of this key, None when there is none yet (or any more); it counts as asked for."""
        with self._lock:
            if key not in self._values:
                return None
            self._values.move_to_end(key)
            return self._values[key][0]

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
            self._young.clear()
            self.held = 0

    def _keep(self, key: Hashable, value: object) -> None:
        size = weight(value) + 200
        with self._lock:
            if size > self.room:
                return
            self._put(key, value, size)
            self._young.append(key)
            grown = self._young.popleft() if len(self._young) > LATER else None
            known = self._values.get(grown)
        if known is None:
            return
        size = weight(known[0]) + 200
        with self._lock:
            if self._values.get(grown) is not known:
                return
            if size > self.room:
                self.held -= self._values.pop(grown)[1]
            else:
                self._put(grown, known[0], size)

    def _put(self, key: Hashable, value: object, size: int) -> None:
        """Write down what it weighs, and make room."""
        self.held += size - self._values.get(key, (None, 0))[1]
        self._values[key] = value, size
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
    """About how many bytes a value takes: its arrays and texts, counted once, and a little for each object.

    Of a long list only some items are looked at: a page keeps a dozen values at every move of a slider. What says
    itself how much it `weighs` is asked.
    """
    seen: set[int] = set()
    total, stack = 0.0, [((value,), 1.0)]  # what lies together, and how many of its kind each of them stands for
    while stack:
        parts, times = stack.pop()
        for item in parts:
            kind = type(item)
            if kind in SMALL or id(item) in seen:
                total += 16 * times
                continue
            seen.add(id(item))
            if kind in TEXTS:
                total += times * (len(item) + 50)
            elif kind is dict:
                total += 100 * times
                stack += (tuple(item), times), (tuple(item.values()), times)  # another thread may add to it
            elif kind in (list, tuple) and len(item) > LONG:
                some = item[:: len(item) // SOME]
                total += 8 * len(item) * times
                stack.append((some, times * len(item) / len(some)))
            elif kind in ROWS:
                total += (60 + 8 * len(item)) * times
                stack.append((tuple(item) if kind is set else item, times))
            elif isinstance(item, np.ndarray):
                total += times * (item.nbytes if item.base is None else 100)
                stack.append(((item.base,), times))
            elif kind is memoryview:  # the bytes behind an array that a worker has sent
                stack.append(((item.obj,), times))
            elif hasattr(item, "weighs"):
                total += times * item.weighs
            elif not isinstance(item, type):
                total += 100 * times
                if hasattr(item, "__dict__"):
                    stack.append((tuple(vars(item).values()), times))
    return round(total)
