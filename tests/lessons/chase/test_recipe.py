"""The recipe is short, runs with the core alone, and prints the numbers of the page."""

from __future__ import annotations

import contextlib
import io

import pytest

from lessons.chase import model
from lessons.chase.lesson import PEAK
from lessons.chase.recipe import recipe

STATES = {
    "as it opens": {},
    "keeps all": {"memory": "all"},
    "stands still": {"drift": 0.0},
    "bent": {"start": "0_5_-9_0_0_20", "end": "0_0_0_31_0_0"},
    "bent and still": {"drift": 0.0, "start": "0_5_-9_0_0_20"},
    "asked": {"asked": "3-70_12-5"},
    "asked in every round, and bent": {"asked": "_".join(f"{t}-{60 + t}" for t in range(40)), "end": "0_0_0_31_0_0"},
    "asked of the one that keeps all": {"asked": "3-70_12-5", "memory": "all", "end": "0_0_0_31_0_0"},
}


@pytest.mark.parametrize("state", STATES.values(), ids=STATES)
@pytest.mark.parametrize("t", [0, 51, 159])
def test_the_recipe_prints_the_round_that_is_on_screen(state: dict, t: int) -> None:
    values = {**PEAK.defaults, **state}
    source = recipe(values, t)
    assert len(source.strip().split("\n")) <= 25 and "lessons" not in source
    with contextlib.redirect_stdout(io.StringIO()) as out:
        exec(source, {})
    film, row = model.chase(model.setting(values)), t // 4
    one, x = film.learners[0], film.problem.x[:, 0]
    assert out.getvalue().strip() == (
        f"highest point of the band at x = {x[one.choice[row]]:.2f}, asked at x = {x[one.history.arms[row]]:.2f}, "
        f"heard y = {one.history.y[row]:.4f}, regret = {one.history.regret[row]:.4f}, paid = {one.paid[row]:.4f}"
    )
