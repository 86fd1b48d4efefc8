"""What a run costs stands in the list of policies, and every lesson's estimate follows it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from lessons import BY_KEY
from lessons.forgetting import model as forgetting
from lessons.race import model as racing
from lessons.real_data import model as real_data
from lessons.rperp import coverage
from lessons.rperp import model as rperp
from lessons.shared import durations
from lessons.side_queries import model as asking
from lessons.theorems.runs import model as theorem_runs
from tvbo_core import policies
from tvbo_core.policies import entry_of


def values(lesson: str, **chosen: object) -> dict:
    return {**BY_KEY[lesson].defaults, **chosen}


def _table() -> float:
    from tvbo_core.worlds.tables import load

    return real_data.slow_seconds(load("stocks-weekly"), "KernelUCB")


ESTIMATES: dict[str, Callable[[], float]] = {
    "coverage of R-PERP": lambda: coverage.seconds(rperp.paired_runs(rperp.setting_from(values("rperp"))), 12),
    "the race": lambda: durations.of_runs(racing.jobs(racing.setting_from(values("race")))),
    "bounds": lambda: theorem_runs.seconds(theorem_runs.setting_from(values("theorems", T=100))),
    "regret against memory": lambda: durations.of_runs(
        forgetting.jobs(forgetting.settings_from(values("forgetting"))[1])
    ),
    "side queries": lambda: durations.of_runs(asking.jobs(asking.setting_from(values("side_queries")))),
    "a slow method on a table": _table,
}


def test_estimates_follow_the_list(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    before = {what: estimate() for what, estimate in ESTIMATES.items()}
    for word, entry in list(policies.ALL.items()):
        slower = replace(entry, ms=10 * entry.ms)
        monkeypatch.setitem(policies.ALL, word, slower)
        monkeypatch.setitem(policies.BY_NAME, entry.name, slower)
    policies.entry_of.cache_clear()
    request.addfinalizer(policies.entry_of.cache_clear)
    after = {what: estimate() / 10 for what, estimate in ESTIMATES.items()}
    assert min(before.values()) > 0 and after == pytest.approx(before, rel=1e-12)


def test_a_policy_on_no_list_is_refused() -> None:
    class Nobody:
        pass

    with pytest.raises(LookupError, match=r"Nobody is on no line of tvbo_core/policies/__init__\.py: add one"):
        entry_of(Nobody())
