"""What a run costs stands in the list of policies alone, and every lesson's estimate follows it."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from lessons import BY_KEY
from lessons.forgetting import model as forgetting
from lessons.race import model as racing
from lessons.real_data import model as real_data
from lessons.rperp import coverage
from lessons.rperp import model as rperp
from lessons.side_queries import model as asking
from lessons.theorems.runs import model as theorem_runs
from tvbo_core import policies
from tvbo_core.policies import GPUCB, OPKB, KernelUCB, entry_of
from tvbo_core.theory.against import CASES

ROOT = Path(__file__).resolve().parents[2]


def values(lesson: str, **chosen: object) -> dict:
    return {**BY_KEY[lesson].defaults, **chosen}


def _table() -> float:
    from tvbo_core.worlds.tables import load

    return real_data.slow_seconds(load("stocks-weekly"), "KernelUCB")


ESTIMATES: dict[str, Callable[[], float]] = {
    "coverage of R-PERP": lambda: coverage.seconds(rperp.paired_runs(rperp.chosen(values("rperp"))), 12),
    "the race": lambda: racing.seconds(racing.jobs(racing.chosen(values("race")))),
    "bounds": lambda: theorem_runs.seconds(theorem_runs.chosen(values("theorems", T=100))),
    "regret against memory": lambda: forgetting.seconds(forgetting.jobs(forgetting.chosen(values("forgetting"))[1])),
    "side queries": lambda: asking.seconds(asking.jobs(asking.chosen(values("side_queries")))),
    "a slow method on a table": _table,
}


@pytest.mark.parametrize("what", ESTIMATES)
def test_an_estimate_is_ten_times_as_long_where_the_list_says_ten_times(
    what: str, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    before = ESTIMATES[what]()
    for word, entry in list(policies.ALL.items()):
        slower = replace(entry, ms=10 * entry.ms)
        monkeypatch.setitem(policies.ALL, word, slower)
        monkeypatch.setitem(policies.BY_NAME, entry.name, slower)
    policies.entry_of.cache_clear()
    request.addfinalizer(policies.entry_of.cache_clear)
    assert before > 0 and ESTIMATES[what]() == pytest.approx(10 * before, rel=1e-12)


def numbers_by_method(source: str) -> list[int]:
    """Return the lines that give numbers to several methods, or that name a constant the time of a run."""
    names = {*policies.ALL, *policies.BY_NAME, *CASES, *(case.name for case in CASES.values())}
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Dict):
            numbers = [
                key.value
                for key, value in zip(node.keys, node.values, strict=True)
                if isinstance(key, ast.Constant)
                and isinstance(value, ast.Constant)
                and type(value.value) in (int, float)
            ]
            found += [node.lineno] if len(names.intersection(numbers)) > 1 else []
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found += [node.lineno] if re.fullmatch(r"(RUN|ALONE|STEP|COST)_(MILLI)?(SECONDS|MS)", node.id) else []
    return found


def test_a_list_of_costs_in_a_lesson_is_seen() -> None:
    assert numbers_by_method('COST = {"rperp": 12, "wgp": 60}') == [1]
    assert numbers_by_method('x = 1\nTIMES = {"GP-UCB": 8.0, "SparQ": 170}') == [2]
    assert numbers_by_method("RUN_MILLISECONDS = 8  # of one run") == [1]
    assert numbers_by_method('margin = {"l": 8, "r": 8}\nnames = {"gp": "GP-UCB", "r": "R"}') == []


def test_no_module_of_the_lessons_holds_costs_of_its_own() -> None:
    paths = sorted((ROOT / "lessons").rglob("*.py"))
    held = {str(path.relative_to(ROOT)): numbers_by_method(path.read_text("utf-8")) for path in paths}
    assert len(held) > 100 and {path: lines for path, lines in held.items() if lines} == {}


@pytest.mark.parametrize("word", policies.ALL)
def test_a_policy_that_an_entry_makes_is_found_under_it(word: str) -> None:
    entry = policies.ALL[word]
    assert entry_of(entry.make()) is entry and entry.ms > 0
    assert entry_of(entry.make()) is policies.BY_NAME[entry.name]


def test_a_policy_with_settings_of_its_own_is_found_under_what_its_entry_fixes() -> None:
    assert entry_of(KernelUCB(band="AMM", delta=0.2)) is policies.ALL["kamm"]
    assert entry_of(OPKB(restart=7)) is policies.ALL["opkb"]
    assert entry_of(GPUCB(width="theory")) is policies.ALL["gp"]


def test_a_policy_that_is_on_no_list_is_refused_by_a_sentence() -> None:
    class Nobody:
        pass

    with pytest.raises(LookupError, match=r"Nobody is on no line of tvbo_core/policies/__init__\.py: add one"):
        entry_of(Nobody())


@pytest.mark.parametrize("entry", policies.ALL.values(), ids=lambda entry: entry.word)
def test_a_run_costs_what_the_list_says_and_grows_with_rounds_and_a_fifth_with_arms(entry) -> None:
    assert entry.seconds(300, 100) == pytest.approx(entry.ms / 1000, rel=1e-12)
    assert entry.seconds(900, 100) == pytest.approx(3 * entry.seconds(300, 100), rel=1e-12)
    arms = np.array([entry.seconds(300, m) for m in (100, 200, 300)])
    np.testing.assert_allclose(np.diff(arms), 0.2 * entry.ms / 1000, rtol=1e-9)
