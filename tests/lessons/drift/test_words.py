"""The sentences on drift: no sentence claims what is not so."""

from __future__ import annotations

from lessons.drift import words
from lessons.shared.odds import shipped
from tests.lessons.drift.test_model import page


def test_odds_say_how_many_jumps_share() -> None:
    claim, first = shipped()["claims"]["drift/budget"], shipped()["seeds"][0]
    fewer = [first + i for i, part in enumerate(claim["numbers"]) if abs(part - 1.0) > 1e-6]
    assert len(fewer) == 100 - claim["share"]
    jumps = {int((page(seed=seed)[1].problem.steps > 0).sum()) for seed in fewer}
    assert words.odds(page()).endswith(
        f"; in the other {len(fewer)} it takes {' or '.join(map(str, sorted(jumps)))} jumps."
    )


def test_single_step_is_jump_once_all_moved() -> None:
    """Of made-up facts: one step so far is a single step where more is to come."""
    for total, way in ((1.0, "in a single jump"), (3.0, "in a single step")):
        facts = {"A V_t": 1.0, "A V_T": total, "A steps": 1}
        assert way in words.sentence(facts, ["A"], ["the world"], [False], [""])
