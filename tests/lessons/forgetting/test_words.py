"""The sentences of the forgetting page are true of the curves and of the memories that they are about."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from lessons.forgetting import experiment, model, words
from lessons.forgetting.knobs import MEMORY_STEPS
from lessons.shared import stored_runs
from tests.lessons.forgetting.test_model import DEFAULTS, opened


def plain(sentence: str) -> str:
    return re.sub(r"<.*?>", "", sentence)


def last(sweep: model.MemorySweep | None = None, **values: object) -> str:
    """Return the last sentence of the opening in a setting, of these runs or of those that ship."""
    _, found, views, _ = opened()
    past, setting = experiment.settings_from({**DEFAULTS, **values})
    return plain(words.finding(views, sweep or found, words.legend(past, setting))[-1])


@pytest.mark.parametrize("played", [1, 9])
def test_while_seeds_come_nothing_is_judged(played: int) -> None:
    _, whole, views, names = opened()
    some = stored_runs.runs(experiment.jobs(replace(whole.setting, seeds=played)), model.FILE)
    sweep = model.gather(whole.setting, some)
    assert sweep.front(names.here).seeds == played < whole.setting.seeds == 10
    pays = words.amount(sweep.front(names.here).median[MEMORY_STEPS.index(40), -1])
    assert re.search(rf" has regret {pays} in {played} of 10 worlds\.$", last(sweep))
    labels = words.labels(views, sweep, names)
    assert labels["you"][-1] == f"{pays} in {played} of 10 worlds"
    assert all(labels[at][-1] == "" for at in ("short", "long", "least"))


def test_still_world_judges_by_its_own_curve() -> None:
    _, found, *_ = opened()
    assert "forgetting only adds regret" in last(kind="still")
    front, never = (found.setting.front, 2), ("gp", 2)
    turned = {
        front: model.RegretVsMemory(found.curves[front].total[::-1]),
        never: model.RegretVsMemory(found.curves[never].total + 100.0),
    }
    said = last(replace(found, curves={**found.curves, **turned}), kind="still")
    assert "a shorter memory is better" in said and "Never forgetting" not in said
