"""The sentences of the forgetting page are true of the bowls and of the memories that they are about."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from figures.theme import Theme
from lessons.forgetting import memories, model, tables, words
from lessons.forgetting.knobs import MEMORY_STEPS, WITH_MEMORY
from lessons.forgetting.lesson import LESSON
from lessons.shared import stored_runs
from tests.lessons.forgetting.test_model import DEFAULTS, opened


def plain(said: str) -> str:
    return re.sub(r"<.*?>", "", said)


def last(sweep: model.MemorySweep | None = None, **values: object) -> str:
    """Return the last sentence of the opening in a setting, of these runs or of those that ship."""
    _, found, views, rows, _ = opened()
    past, setting = model.chosen({**DEFAULTS, **values})
    return plain(words.finding(views, sweep or found, rows, words.legend(past, setting), past)[-1])


def test_finding_follows_the_readers_memory() -> None:
    pays = opened()[1].front(1).median[:, -1]
    for m, mine in zip(MEMORY_STEPS, pays, strict=True):
        said = last(m=m).replace("\N{NO-BREAK SPACE}", " ")
        assert f"With {m} steps of memory you pay {words.amount(mine)}" in said
        assert ("the least" in said) == (m == MEMORY_STEPS[pays.argmin()])
        assert (f"instead of {words.amount(pays.min())}" in said) == (mine != pays.min())


def test_finding_says_when_memory_is_full_or_empty() -> None:
    past, found, *_ = opened()
    rows = tuple(range(past.world.horizon))
    views, runs = memories.views(past, rows), stored_runs.runs(model.jobs(found.setting), model.FILE)
    said = words.finding(views, model.gather(found.setting, runs, rows), rows, words.legend(past, found.setting), past)
    held = views.held("R-GP-UCB")
    full = [row for row, text in enumerate(said) if "is as full as it gets" in text]
    assert full == [79, 159, 239] == [row for row in rows if held[row] == max(held)]
    fresh = [row for row, text in enumerate(said) if "has just restarted" in text]
    assert fresh == [80, 160, 240] and "no observations yet" in said[0]


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


def test_missing_runs_leave_no_numbers() -> None:
    past, found, _, rows, names = opened()
    empty = model.gather(found.setting, {}, rows)
    assert "being played" in last(empty) and tables.regret(empty, names) == []
    assert all("nan" not in note for note in words.notes(empty, past, names))


def strip_words(**values: object) -> tuple[memories.MemoryViews, words.Legend, list[str]]:
    past, setting = model.chosen({**DEFAULTS, **values})
    rows = tuple(range(past.world.horizon))
    views, names = memories.views(past, rows), words.legend(past, setting)
    return views, names, words.labels(views, model.gather(setting, {}, rows), rows, names)["strip"]


@pytest.mark.parametrize("bowl", WITH_MEMORY)
def test_strip_counts_what_is_held_and_stale(bowl: str) -> None:
    views, names, said = strip_words(bowl=bowl, m=40)
    weight = views.weight(names.strip)
    for row, one in enumerate(said):
        assert re.search(rf"(holds|counts as) {weight[row].sum():.0f}\b", one), one
        since = memories.last_jump(views.jumps, row)
        stale = f"{weight[row, :since].sum():.0f} stale"
        assert one.endswith("none stale" if stale == "0 stale" else stale) if since else "stale" not in one


def test_memory_beyond_the_horizon_forgets_nothing() -> None:
    assert strip_words(m=160)[2][-1].startswith("never restarts: holds 299, ")
    _, found, *_ = opened()
    past, setting = model.chosen({**DEFAULTS, "m": 320})
    said = " ".join(words.notes(found, past, words.legend(past, setting)))
    assert "R-GP-UCB and SW-GP-UCB never forget within T = 300: exactly GP-UCB" in said
    past, setting = model.chosen({**DEFAULTS, "own_r": 100})  # off the grid
    assert "nearest to your setting is m = 40" in " ".join(words.notes(found, past, words.legend(past, setting)))


def test_still_world_judges_by_its_own_bowl() -> None:
    _, found, *_ = opened()
    assert "forgetting only costs" in last(kind="still")
    front, never = found.front(2), {**found.gp_ucb, 2: found.gp_ucb[2] + 100.0}
    curve = replace(front, curves=model.Curves(front.curves.total[::-1]))
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
