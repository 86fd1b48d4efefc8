"""Every cache of the lab is bounded, and what is shared is made once."""

from __future__ import annotations

import ast
import gc
import pickle
import sys
import threading
from pathlib import Path
from time import sleep
from types import SimpleNamespace

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest
from ui import elsewhere, housekeeping
from ui.shelf import LATER, MB, SHELVES, Shelf, shelved, weight

ROOT = Path(__file__).resolve().parent.parent
ROOMS = ("ui", "pages", "figures", "tvbo_core")
LIMITS = {"cache_resource": "max_entries", "cache_data": "max_entries", "lru_cache": "maxsize"}
# Without a limit, but with an argument that takes few values: everything else is refused or not kept.
FEW = {
    "shell/notation/translate.py": "names of papers",
    "shell/links/permalink.py": "versions of the link",
    "shell/stored_runs.py": "files that ship with the lab",
    "lessons/reproductions/model.py": "names of stored reports; others raise",
    "lessons/reproductions/overview.py": "names of stored reports",
    "shell/page.py": "texts that ship with the lab",
    "tvbo_core/data/__init__.py": "names of shipped tables; others raise",
    "tvbo_core/kernels.py": "orders of a quadrature",
}


def unbounded(path: str, source: str) -> list[str]:
    """Functions of this file whose cache has no limit although they take arguments."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) or not (node.args.args or node.args.vararg):
            continue
        for mark in node.decorator_list:
            call = mark if isinstance(mark, ast.Call) else None
            named = call.func if call else mark
            name = named.attr if isinstance(named, ast.Attribute) else getattr(named, "id", "")
            given = {k.arg for k in call.keywords} if call else set()
            if name == "cache" or (name in LIMITS and LIMITS[name] not in given):
                found.append(f"{path}: {node.name}")
    return found


def every() -> list[Path]:
    return [ROOT / "app.py", *(p for room in ROOMS for p in sorted((ROOT / room).rglob("*.py")))]


def test_every_cache_has_a_limit_or_an_argument_with_few_values():
    found = []
    for path in every():
        name = path.relative_to(ROOT).as_posix()
        if name not in FEW:
            found += unbounded(name, path.read_text(encoding="utf-8"))
    assert found == []


@pytest.mark.parametrize(
    "source",
    [
        "@st.cache_resource\ndef f(x): ...",
        "@st.cache_resource(show_spinner=False)\ndef f(x): ...",
        "@st.cache_data(ttl=3)\ndef f(x): ...",
        "@functools.cache\ndef f(x): ...",
        "@lru_cache\ndef f(x): ...",
    ],
)
def test_a_cache_without_a_limit_is_noticed(source: str):
    assert len(unbounded("ui/x.py", source)) == 1


def test_all_shelves_together_leave_room_below_a_gigabyte():
    assert {shelf.name for shelf in SHELVES} >= {
        "lessons.shared.cache.kept",
        "lessons.shared.bands_model.band_show",
        "lessons.real_data.model",
    }
    ours = [shelf for shelf in SHELVES if shelf.name.startswith("ui.")]
    assert sum(shelf.room for shelf in ours) <= 300 * MB


def test_a_shelf_never_holds_more_than_its_room_and_lets_the_oldest_go():
    shelf = Shelf("a test", 10_000)
    for n in range(40):
        shelf.get(n, lambda: np.zeros(100))  # 800 bytes and a little
        assert shelf.held <= shelf.room
        shelf.get(0, lambda: np.zeros(100))  # asked for all the time: it stays
    assert 0 in shelf._values and 1 not in shelf._values and 39 in shelf._values
    assert shelf.get("large", lambda: np.zeros(10_000)).size == 10_000 and "large" not in shelf._values


def test_a_value_that_grows_while_it_is_used_is_weighed_again_and_the_room_still_holds():
    shelf = Shelf("test", 1 * MB)
    try:
        for key in range(30):
            value = shelf.get(key, lambda: {"own": np.zeros(5_000)})
            value["worked out"] = np.zeros(20_000)  # four times as much
            kept = [k for k in range(30) if shelf.peek(k) is not None]
            truly = sum(weight(shelf.peek(k)) for k in kept)
            assert truly <= 1 * MB + LATER * 160_200
            assert shelf.held <= 1 * MB
        assert kept and kept[-1] == 29
    finally:
        SHELVES.remove(shelf)


def test_a_value_that_outgrows_its_shelf_is_not_kept():
    shelf = Shelf("test", 1 * MB)
    try:
        shelf.get("giant", dict)["worked out"] = np.zeros(200_000)
        for key in range(LATER + 1):
            shelf.get(key, lambda: 0)
        assert shelf.peek("giant") is None
        assert [shelf.peek(key) for key in range(LATER + 1)] == [0] * (LATER + 1)
    finally:
        SHELVES.remove(shelf)


def test_what_a_class_asks_for_at_the_same_time_is_made_once():
    shelf, made, seen = Shelf("a test", MB), [], []

    def slow() -> list[int]:
        made.append(1)
        sleep(0.2)
        return [7]

    crowd = [threading.Thread(target=lambda: seen.append(shelf.get("film", slow))) for _ in range(12)]
    for one in crowd:
        one.start()
    for one in crowd:
        one.join()
    assert made == [1] and all(value is seen[0] for value in seen) and len(seen) == 12


def test_a_failure_is_nobody_elses_and_the_next_one_tries_again():
    shelf, tries = Shelf("a test", MB), []

    def fails_once() -> int:
        tries.append(1)
        sleep(0.05)
        if len(tries) == 1:
            raise ValueError("no such world")
        return 3

    results: list[object] = []

    def ask() -> None:
        try:
            results.append(shelf.get("x", fails_once))
        except ValueError as problem:
            results.append(str(problem))

    crowd = [threading.Thread(target=ask) for _ in range(3)]
    for one in crowd:
        one.start()
    for one in crowd:
        one.join()
    assert sorted(map(str, results)) == ["3", "3", "no such world"] and len(tries) == 2


def test_the_weight_of_a_value_is_that_of_its_arrays_counted_once():
    a = np.zeros(1000)
    assert 8000 <= weight({"a": a, "again": a, "view": a[10:]}) < 9500
    assert weight("x" * 5000) >= 5000 and weight([1.0] * 100) >= 800
    assert 16_000 <= weight((np.zeros(1000), np.ones(1000))) < 17_000
    mixed = [["x" * n, [1.0] * 30] for n in range(1000)]  # 500 kB of text among the thousand parts
    assert weight(mixed) == pytest.approx(sum(map(weight, mixed)), rel=0.1)  # about: one in twenty is looked at
    sent = pickle.loads(pickle.dumps({"a": a, "b": a + 1}, protocol=pickle.HIGHEST_PROTOCOL))  # as a worker answers
    assert 16_000 <= weight(sent) < 17_000


@pytest.mark.parametrize("kind", [dict, set, SimpleNamespace])
def test_a_value_may_grow_in_another_thread_while_it_is_weighed(kind: type):
    """A film is weighed again while somebody draws its next figure, and keeps it with the film."""

    class Drawn:
        @property
        def weighs(self) -> int:
            add(f"figure {len(names)}")
            names.append("")
            return 1000

    names, value = [], kind()
    into = value if kind is dict else vars(value) if kind is SimpleNamespace else None
    add = value.add if kind is set else lambda name: into.update({name: Drawn()})
    for part in (Drawn(), Drawn(), Drawn()):
        value.add(part) if kind is set else into.update({f"part {len(into)}": part})
    assert 3000 <= weight(value) < 5000


def test_a_shelved_function_tells_its_settings_apart():
    @shelved(1)
    def double(x: int, y: int = 0) -> list[int]:
        return [x * 2 + y]

    assert double(3) == [6] and double(3) is double(3) and double(3, y=1) == [7] and double(4) == [8]
    SHELVES.remove(double.shelf)


def test_a_visitor_who_is_alone_computes_here_and_a_crowd_in_the_pool(monkeypatch: pytest.MonkeyPatch):
    import os

    elsewhere._asked.clear()
    names = iter(["a", "a", "b", "a"])
    monkeypatch.setattr(elsewhere, "visitor", lambda: next(names))
    assert elsewhere.done(os.getpid) == os.getpid()
    monkeypatch.setattr(elsewhere, "visitor", lambda: "a")
    assert elsewhere.done(os.getpid) == os.getpid()
    monkeypatch.setattr(elsewhere, "visitor", lambda: "b")
    monkeypatch.setattr(elsewhere.st, "session_state", {})
    assert elsewhere.done(os.getpid) != os.getpid()
    assert elsewhere.done(os.getpid, brief=True) == os.getpid()
    with pytest.raises(ValueError, match="invalid literal"):
        elsewhere.done(int, "x")
    elsewhere._asked.clear()


def test_an_accident_in_a_worker_is_a_sentence_and_a_full_queue_a_wait(monkeypatch: pytest.MonkeyPatch):
    told: list[str] = []
    spot = type("Spot", (), {"caption": lambda self, text: told.append(text), "empty": lambda self: None})()
    monkeypatch.setattr(elsewhere.st, "session_state", {"_wait_spot": spot})
    monkeypatch.setattr(elsewhere, "_crowded", lambda: True)
    monkeypatch.setattr(elsewhere.st, "info", lambda text, **look: told.append(text))
    with pytest.raises(ValueError, match="ZeroDivisionError"):
        elsewhere.done(divmod, 1, 0)
    assert "ZeroDivisionError" in told[-1]
    pool, order, refused = elsewhere.race_pool(), elsewhere.race_pool().order, []

    def first_full(*given: object, **named: object):
        if len(refused) < 2:
            refused.append(1)
            return None
        return order(*given, **named)

    monkeypatch.setattr(pool, "order", first_full)
    assert elsewhere.done(divmod, 7, 2) == (3, 1)
    assert len(refused) == 2 and sum("queue is full" in text for text in told) == 2


def test_a_wait_inside_a_cache_of_streamlit_is_not_written_into_it(monkeypatch: pytest.MonkeyPatch):
    def page() -> None:
        from time import sleep

        import streamlit as st
        from ui import elsewhere

        elsewhere.here(st.empty())

        @st.cache_resource(max_entries=1)
        def kept() -> str:
            elsewhere.done(sleep, 3 * elsewhere.NAMED)
            return "made"

        st.markdown(kept())

    monkeypatch.setattr(elsewhere, "_crowded", lambda: True)
    for _ in range(2):  # the second reads what the first has filled, on a page of its own
        at = AppTest.from_function(page, default_timeout=30).run()
        assert not at.exception and [m.value for m in at.markdown] == ["made"]


def test_a_closed_tab_does_not_hold_up_who_asks_for_the_same(monkeypatch: pytest.MonkeyPatch):
    def page() -> None:
        import streamlit as st
        from ui import elsewhere

        @st.cache_resource(max_entries=1)
        def kept() -> int:
            return elsewhere.done(int, "7")

        st.markdown(kept())

    monkeypatch.setattr(elsewhere, "_crowded", lambda: True)
    pool = elsewhere.race_pool()
    for here in (False, True):
        monkeypatch.setattr(elsewhere, "present", lambda name, here=here: here)
        monkeypatch.setattr(pool, "present", lambda name, here=here: here)  # what nobody wants is not begun
        at = AppTest.from_function(page, default_timeout=30).run()
        assert not at.exception and [m.value for m in at.markdown] == (["7"] if here else [])


def test_without_a_server_to_ask_everybody_is_there(monkeypatch: pytest.MonkeyPatch):
    """As when the server goes between two questions of a thread of the pool: is there one, and who is there?"""
    monkeypatch.setattr("streamlit.runtime.Runtime.exists", lambda: True)
    monkeypatch.setattr("streamlit.runtime.Runtime._instance", None)
    assert elsewhere.present("a reader") and elsewhere.present("")


def test_pauses_are_short_and_rare():
    before = gc.get_threshold(), sys.getswitchinterval()
    try:
        housekeeping.short_pauses()
        assert gc.get_threshold() == housekeeping.YOUNG and gc.isenabled()
        assert sys.getswitchinterval() == pytest.approx(housekeeping.SWITCH)
    finally:
        gc.set_threshold(*before[0])
        sys.setswitchinterval(before[1])


def test_threads_share_few_heaps_and_another_c_library_is_no_accident(monkeypatch: pytest.MonkeyPatch):
    assert housekeeping.few_heaps() is hasattr(housekeeping.ctypes.CDLL(None), "mallopt")
    monkeypatch.setattr(housekeeping.ctypes, "CDLL", lambda name: object())
    assert housekeeping.few_heaps() is False
