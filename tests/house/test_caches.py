"""Every cache of the lab is bounded, and what is shared is made once."""

from __future__ import annotations

import gc
import inspect
import sys
import threading
from collections.abc import Callable
from dataclasses import replace
from time import sleep

import numpy as np
import pytest
import streamlit as st

import app  # noqa: F401 (imports the pages' modules)
from answers.state import State
from common.cache import keyed
from lessons import BY_KEY
from lessons.real_data import panel as race_on_table
from lessons.real_data import upload
from lessons.real_data.model import RealDataSetting
from lessons.real_data.tables import load, read, suggest
from lessons.real_data.worker_jobs import Base
from shell.runs import run_panel
from shell.runs.runs import RUNS
from tests.shared import shared_caches
from tests.standins import sees

ROOMS = ("lessons", "answers", "shell", "pages", "figures", "common", "tvbo_core")
# Without a limit, but with an argument that takes few values: everything else is refused or not kept.
FEW = {
    "answers.drawers": "texts that ship with the lab",
    "answers.letters": "names of papers",
    "shell.links.permalink": "versions of the link",
    "lessons.shared.stored_runs": "files that ship with the lab",
    "lessons.reproductions.model": "names of stored reports; others raise",
    "lessons.reproductions.overview": "names of stored reports",
    "shell.page.frame": "texts that ship with the lab",
    "shell.server.scripts": "scripts that ship with the lab",
    "shell.server.modules": "scripts that ship with the lab; other names are not kept",
    "answers.marks": "kinds of text: markdown and html",
    "shell.glossary.notes": "names of papers",
    "tvbo_core.worlds.tables": "names of shipped tables; others raise",
    "tvbo_core.kernels": "orders of a quadrature",
}


def together(n: int, do: Callable[[], object]) -> None:
    """Do it in so many threads at the same time."""
    crowd = [threading.Thread(target=do) for _ in range(n)]
    for one in crowd:
        one.start()
    for one in crowd:
        one.join()


def test_every_cache_is_bounded():
    """Of functools, whose wrappers tell their limit; `shared` and `keyed` of common/cache.py have no other way."""
    assert shared_caches()  # imports the modules
    found = {
        f"{one.__module__}.{one.__name__}"
        for name, module in list(sys.modules.items())
        if name.split(".")[0] in ROOMS and name not in FEW
        for one in vars(module).values()
        if hasattr(one, "cache_parameters") and one.cache_parameters()["maxsize"] is None
        if inspect.signature(one).parameters and one.__module__ not in FEW
    }
    assert found == set()


def test_cache_by_size_bounds_bytes_and_number():
    get = keyed(4, 10_000)
    for i in range(9):
        get(("small", i), lambda: b"x" * 100)
    assert [repr(("small", i)) in get.cache for i in range(9)] == [False] * 5 + [True] * 4
    for i in range(3):
        get(("large", i), lambda: b"x" * 4_000)
    kept = [repr(("large", i)) in get.cache for i in range(3)]
    assert kept == [False, True, True] and sum(map(len, get.cache.values())) <= 10_000
    assert len(get("too large", lambda: b"x" * 20_000)) == 20_000 and repr("too large") not in get.cache


def test_what_a_class_asks_is_made_once():
    get, made, seen = keyed(4), [], []

    def slow() -> list[int]:
        made.append(1)
        sleep(0.2)
        return [7]

    together(12, lambda: seen.append(get("film", slow)))
    assert made == [1] and all(value is seen[0] for value in seen) and len(seen) == 12


def test_no_reader_waits_for_anothers_scene():
    """The slow scene stays until the quick one has been asked for, which it is only once the slow one is under way."""
    slow_began, quick_came, found = threading.Event(), threading.Event(), []

    def scene(values: dict, theme: object) -> str:
        if values["V"] == 2.0:
            quick_came.set()
            return "quick"
        slow_began.set()
        return "in time" if quick_came.wait(10.0) else "too late"

    lesson = replace(BY_KEY["drift"], scene=scene)
    slow = threading.Thread(target=lambda: found.append(State(lesson, {"V": 1.0}, 1).scene))
    slow.start()
    slow_began.wait()
    State(lesson, {"V": 2.0}, 1).scene  # noqa: B018 (it is computed when it is read)
    slow.join()
    assert found == ["in time"]


def test_failure_is_nobody_elses():
    get, tries, results = keyed(4), [], []

    def fails_once() -> int:
        tries.append(1)
        sleep(0.05)
        if len(tries) == 1:
            raise ValueError("no such world")
        return 3

    def ask() -> None:
        try:
            results.append(get("x", fails_once))
        except ValueError as problem:
            results.append(str(problem))

    together(3, ask)
    assert sorted(map(str, results)) == ["3", "3", "no such world"] and len(tries) == 2


def test_own_table_is_in_no_shared_cache(monkeypatch: pytest.MonkeyPatch):
    session: dict = {}
    monkeypatch.setattr(st, "session_state", session)
    monkeypatch.setattr(run_panel, "SHORT_SECONDS", 0.0)  # every step is asked of a worker
    rewards = np.random.default_rng(7).normal(size=(90, 4)).cumsum(axis=0)
    text = "t,a,b,c,d\n" + "\n".join(f"{t}," + ",".join(f"{v:.5f}" for v in row) for t, row in enumerate(rewards))
    cells = read(text.encode())
    own = load(cells, suggest(cells)).table
    setting = RealDataSetting(Base("own", "my mark", 0.05, False, 3), 0, ("rnd", "gp"), 2)
    race_on_table.race(setting, own)
    assert sees(own.rewards, dict(upload.own().kept.cache))  # the session's own results hold it
    for name, function in shared_caches().items():
        assert not sees(own.rewards, [dict(function.cache)]), name
        assert "my mark" not in repr(list(function.cache)), name
    gc.collect()
    assert not sees(own.rewards, [dict(RUNS._kept), dict(RUNS._under_way), list(RUNS._done)])
