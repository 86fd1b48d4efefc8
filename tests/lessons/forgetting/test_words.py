"""The sentences of the forgetting page are true of the bowls and of the memories that they are about."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from figures.theme import Theme
from lessons.forgetting import model, words
from lessons.forgetting.knobs import MEMORY_STEPS
from lessons.forgetting.lesson import LESSON
from lessons.shared import stored_runs
from tests.lessons.forgetting.test_model import DEFAULTS, opened


def plain(said: str) -> str:
    return re.sub(r"<.*?>", "", said)


def last(sweep: model.MemorySweep | None = None, **values: object) -> str:
    """Return the last sentence of the opening in a setting, of these runs or of those that ship."""
    _, found, views, rows, _ = opened()
    past, setting = model.settings_from({**DEFAULTS, **values})
    return plain(words.finding(views, sweep or found, rows, words.legend(past, setting), past)[-1])


@pytest.mark.parametrize("played", [1, 9])
def test_while_seeds_come_nothing_is_judged(played: int) -> None:
    _, whole, views, rows, names = opened()
    some = stored_runs.runs(model.jobs(replace(whole.setting, seeds=played)), model.FILE)
    sweep = model.gather(whole.setting, some, rows)
    assert sweep.front(names.chosen).seeds == played < whole.setting.seeds == 10
    pays = words.amount(sweep.front(names.chosen).median[MEMORY_STEPS.index(40), -1])
    assert re.search(rf"Only {played} of 10 worlds .* pay {pays} so far\.$", last(sweep))
    labels = words.labels(views, sweep, rows, names)
    assert labels["you"][-1] == f"{pays} in {played} of 10 worlds"
    assert all(labels[at][-1] == "" for at in ("short", "long", "least"))


def test_still_world_judges_by_its_own_bowl() -> None:
    _, found, *_ = opened()
    assert "forgetting only costs" in last(kind="still")
    front, never = found.front(2), {**found.gp_ucb, 2: found.gp_ucb[2] + 100.0}
    curve = replace(front, curves=model.RegretCurves(front.curves.total[::-1]))
    said = last(replace(found, curves={**found.curves, (found.setting.front, 2): curve}, gp_ucb=never), kind="still")
    assert "the less it remembers, the better" in said and "costs" not in said


def test_covered_bowl_tells_nothing_and_judges_a_bet() -> None:
    past, found, views, rows, _ = opened()
    covered = words.legend(past, found.setting, 0, True)
    said = words.finding(views, found, rows, covered, past)
    assert len(set(said)) == 1 and said[0].startswith("At which memory m")
    curve = found.front(covered.chosen)
    best, near = MEMORY_STEPS[curve.best()], [MEMORY_STEPS[i] for i in curve.as_low()]
    right, also, wrong = (words.notes(found, past, words.legend(past, found.setting, m))[0] for m in (best, *near, 320))
    assert "is the lowest point" in right and f"The lowest is m = {best}" in wrong
    assert f"Your bet m = {near[0]} ({curve.median[MEMORY_STEPS.index(near[0]), -1]:.1f}) may be the lowest" in also
    assert not any(str(best) in note for note in words.notes(found, past, covered) if "m =" in note)
    shown = LESSON.scene({**DEFAULTS, **LESSON.moment("bogunovic").values, "cover": True}, 200, Theme())
    assert set(shown.films) == {"main", "weights", "beliefs"} and not shown.stills  # no final curves
