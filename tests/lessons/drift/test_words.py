"""The sentences on drift: no sentence claims what is not so."""

from __future__ import annotations

from lessons.drift import words
from lessons.shared.odds import shipped
from tests.lessons.drift.test_model import page


def test_odds_say_how_many_jumps_share() -> None:
    claim, first = shipped()["claims"]["drift/opening"], shipped()["seeds"][0]
    fewer = [first + i for i, part in enumerate(claim["numbers"]) if abs(part - 1.0) > 1e-6]
    assert len(fewer) == 100 - claim["share"]
    jumps = {int((page(seed=seed)[1].problem.steps > 0).sum()) for seed in fewer}
    assert words.odds(page()).endswith(f"; in the others {' or '.join(map(str, sorted(jumps)))} jumps share it.")


def test_only_the_total_makes_a_jump_whole() -> None:
    """Of made-up facts: a jump by all that has moved so far is not the whole move where more is to come."""
    jump = words.Happening(True, False, False, None, False)
    for total, said in ((1.0, "makes its whole move at once"), (3.0, "moves 1.0 in one step")):
        facts = {"A largest change": 1.0, "A V_t": 1.0, "A V_T": total, "A hop": 0.0}
        assert said in words._happening(facts, "A", "the world", jump, False)
