"""Every sentence of the race is true of the race that it is about."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from common.formats import amount
from figures.theme import Theme
from lessons.race import model as racing
from lessons.race import words
from lessons.race.lesson import LESSON
from lessons.shared.policies import policy
from lessons.shared.stored_runs import played
from tests.lessons.race.test_model import SETTING, raced
from tvbo_core.policies.elimination.schedule import batch_sizes


def test_pe_loses_the_later_best_for_good() -> None:
    lane = raced().lanes[1]
    lost = racing.lost_for_good(SETTING, lane)
    assert lost is not None  # this world's jump makes an action best that PE has dropped
    assert lane.problem.best[-1] not in lane.arms["PE"][lost:]
    assert lost in np.cumsum(batch_sizes(60))  # an action is dropped when a batch is over
    assert any(f"at t = {lost} in the jumping world" in note for note in words.notes(raced(), [None, lost]))


@pytest.mark.parametrize(("memory", "width"), [(20, "2"), (0, "2"), (0, "log"), (20, "theory"), (0, "theory")])
def test_late_r_perp_has_its_setting_named(memory: int, width: str) -> None:
    """Near-optimal regret is proved for Theorem 5's H with eq. 8's width, and for nothing else."""
    race = raced(replace(SETTING, methods=("rnd", "gp", "rperp"), memory=memory, width=width, seeds=1))
    rule, (first, lane) = policy("rperp", memory, width), race.lanes
    total = {n: np.full((1, 60), place) for n, place in zip(lane.names, (1.0, 2.0, 3.0), strict=True)}
    notes = words.notes(replace(race, lanes=(first, replace(lane, total=total))), [])
    said = next(n for n in notes if "ear-optimal" in n)
    proved = rule.restart == "paper" and rule.width == "theory"
    assert said.startswith("R-PERP is 3rd of 3 here") and ("For these" in said) == proved
    assert (f"H = {rule.restart}" in said) == (rule.restart != "paper") and ("β = 2" in said) == (width != "theory")


def test_figure_says_why_names_are_tied() -> None:
    """The leader's interquartile range stands under the shaded names, from the runs' own quartiles."""
    made = LESSON.scene(LESSON.defaults, LESSON.t, Theme())
    film = made.films["main"].draw(made.start)
    said = [text for track in film.tracks if track.attribute == "text" for text in track.values[made.start]]
    (why,) = [text for text in said if "interquartile range" in text]
    setting = racing.setting_from(LESSON.defaults)
    race = racing.gather(setting, played(racing.jobs(setting)))
    for lane in race.lanes:
        leader = lane.at_place(1, -1)
        low, high = np.quantile(lane.total[leader][:, -1], (0.25, 0.75))
        if lane.ties[leader][-1]:
            assert amount(float(high - low)) in why
