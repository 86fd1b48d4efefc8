"""The sentences on drift: no sentence claims what is not so."""

from __future__ import annotations

import html
import re

import numpy as np
import pytest

from lessons.drift import words
from lessons.shared.odds import shipped
from tests.lessons.drift.test_model import drift_of, finding, from_table, page
from tvbo_core import World


def plain(sentence: str) -> str:
    return html.unescape(re.sub("<[^>]+>", "", sentence)).replace("\u00a0", " ")


def test_worlds_drift_alike_only_where_totals_agree() -> None:
    rows = np.array([[0.0, 1.0], [2.0, 1.0]])
    same, other = from_table(rows), from_table(np.array([[0.0, 1.0], [0.0, 3.0]]))
    assert plain(finding([same, other], events=False)[-1]) == "Both worlds drift by 2.0 in all, each in a single jump."
    more = plain(finding([same, from_table(3 * rows)], events=False)[-1])
    assert more == "In all the right world drifts by 6.0, the left world by 2.0."
    assert plain(finding([same, from_table(0 * rows)], events=False)[-1]).endswith("the right world does not move.")


@pytest.mark.parametrize("steps", [99, 101])
def test_steps_below_a_hundredth_are_too_small(steps: int) -> None:
    one = from_table(np.linspace(0.0, 1.0, steps + 1)[:, None] * np.array([[0.0, 1.0]]))
    assert ("too small to see" in plain(finding([one], events=False)[-1])) == (steps > 100)


def test_odds_say_how_many_jumps_share() -> None:
    claim, first = shipped()["claims"]["drift/opening"], shipped()["seeds"][0]
    fewer = [first + i for i, part in enumerate(claim["numbers"]) if abs(part - 1.0) > 1e-6]
    assert len(fewer) == 100 - claim["share"]
    jumps = {int((page(seed=seed)[1].problem.steps > 0).sum()) for seed in fewer}
    assert words.odds(page()).endswith(f"; in the others {' or '.join(map(str, sorted(jumps)))} jumps share it.")


def test_tie_is_said_with_its_number() -> None:
    tied = from_table(np.array([[1.0, 0.0, 0.5], [1.0, 1.0, 0.5], [1.0, 1.0, 1.0], [0.0, 1.0, 0.0]]))
    said = [re.search(r"(\w+) actions of the still world are equally good", plain(s)) for s in finding([tied])]
    assert [found and found[1] for found in said] == [None, "two", "3", None]
    assert not any("equally good" in plain(one) for one in finding([tied], events=False))


def test_real_rewards_name_arms_that_change_places() -> None:
    weekly = drift_of(World(kind="data", dataset="stocks-weekly", horizon=60))
    names, best = weekly.problem.arm_names, weekly.problem.best
    said = finding([weekly])
    for hop in weekly.events.hops[:3]:
        assert f"changes from {names[best[hop.t - 1]]} to {names[best[hop.t]]}" in plain(said[hop.t])


def test_what_cannot_be_promised_is_noted() -> None:
    def notes(**values: object) -> list[str]:
        drifts = page(**values)
        return words.notes(drifts, [short for _, short in words.titles([d.world for d in drifts])])

    assert notes() == [] == notes(kind="markov", pair="none")  # its budget is never asked for: the knob is off
    assert [any("ν > 1/2" in n for n in notes(nu=nu)) for nu in ("1/2", "3/2")] == [True, False]
    assert words.TWINS in notes(kind="jumps", pair="jumps") and words.TWINS not in notes(pair="matern")
    (far,) = notes(kind="rough", pair="none", V=16.0, B=1.0, alpha=2.0)
    assert "at most" in far


def test_only_the_total_makes_a_jump_whole() -> None:
    """Of made-up facts: a jump by all that has moved so far is not the whole move where more is to come."""
    jump = words.Happening(True, False, False, None, False)
    for total, said in ((1.0, "makes its whole move at once"), (3.0, "moves 1.0 in one step")):
        facts = {"A largest change": 1.0, "A V_t": 1.0, "A V_T": total, "A hop": 0.0}
        assert said in words._happening(facts, "A", "the world", jump, False)
