"""The sentences of the forgetting page are true of the curves and of the memories that they are about."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import ttest_rel

from figures.theme import Theme
from lessons.forgetting import experiment, model, words
from lessons.forgetting.knobs import MEMORY_STEPS
from lessons.forgetting.lesson import LESSON
from lessons.record import ROOT
from lessons.shared import stored_runs
from tests.lessons.forgetting.test_model import DEFAULTS, opened

HELP = (ROOT / "lessons/forgetting/help.md").read_text(encoding="utf-8")


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
    some = stored_runs.runs(experiment.jobs(replace(whole.setting, seeds=played)), experiment.FILE)
    sweep = model.gather(whole.setting, some)
    assert sweep.front().seeds == played < whole.setting.seeds == 10
    pays = words.amount(sweep.front().median[MEMORY_STEPS.index(40), -1])
    assert re.search(rf" has regret {pays} in {played} of 10 worlds\.$", last(sweep))
    labels = words.labels(views, sweep, names)
    assert labels["you"][-1] == f"{pays} in {played} of 10 worlds"
    assert all(labels[at][-1] == "" for at in ("short", "long", "least"))


def test_headline_judges_by_paired_differences() -> None:
    """Against an independent test: a memory leads where it is clearly below each other one, else it does not."""
    _, found, *_ = opened()
    key, never = (found.setting.front, 0), ("gp", 0)
    found = replace(found, curves={of: found.curves[of] for of in (key, never)})  # without the level
    curve, kept = found.curves[key], found.curves[never]
    mine, others = MEMORY_STEPS.index(40), np.concatenate([curve.total, kept.total])
    low = curve.total[mine].copy()
    apart = others + 10.0 * np.abs(others).max()  # every other memory is far above, in each seed
    apart[mine] = low
    noise = np.array([[20.0, -20.0] * 5]).T * np.ones((1, low.shape[1]))
    for shift, leads in ((0.0, False), (100.0, True)):
        apart[mine - 1] = low + noise + shift  # m = 20: the same mean, or clearly more
        clear = ttest_rel(apart[mine - 1, :, -1], low[:, -1]).pvalue < 0.05
        assert clear == leads
        curves = {key: model.RegretVsMemory(apart[:-1]), never: model.RegretVsMemory(apart[-1:])}
        said = last(replace(found, curves={**found.curves, **curves}))
        assert ("the least regret" in said) == leads and "clearly less" not in said, said
    apart[mine - 1] = low - 1.0  # m = 20 is lower in every seed
    curves = {key: model.RegretVsMemory(apart[:-1]), never: model.RegretVsMemory(apart[-1:])}
    assert "20 has clearly less" in last(replace(found, curves={**found.curves, **curves}))


def test_unknown_drift_stands_beside_equal_memories() -> None:
    """The sentence names the method without a memory, if no memory has clearly less and its median is lower."""
    _, found, *_ = opened()
    told, least = found.level()[-1], found.front(0).median[:, -1].min()
    assert told < least
    assert f"ET-GP-UCB, not told the drift, has {words.amount(told)}, less than any memory." in last(m=20)
    assert "ET-GP-UCB" not in last(m=5)  # another memory has clearly less


def test_texts_name_the_worlds_as_measured() -> None:
    """Runs that are played anew may move a world to the other side, and no text would know of it."""
    moment = LESSON.moment("pays")
    scene = LESSON.scene(LESSON.settings(moment.values), Theme())
    facts = scene.facts(scene.frames - 1)
    forgets, keeps, worlds = (facts[name] for name in ("forgetting has less", "keeping has less", "worlds"))
    rest = worlds - forgets - keeps
    assert f"in {forgets} of these {worlds} worlds, keeping in {keeps}, neither in {rest}." in moment.script
    assert f"forgetting has clearly less regret in {forgets} of {worlds} worlds, keeping in {keeps}." in HELP
    said = plain(scene.sentences()[-1])
    assert f"forgetting has clearly less regret in {forgets} of {worlds} worlds, keeping in {keeps}, neither" in said
