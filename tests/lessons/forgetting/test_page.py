"""The page draws what the lesson's scene holds."""

from __future__ import annotations

import pytest

from figures.theme import Theme
from lessons.forgetting.lesson import FORGETTING
from lessons.forgetting.scene import scene
from tests.lessons.drawn_scenes import assert_page_draws_scene


@pytest.mark.parametrize("number", range(1, len(FORGETTING.moments) + 1))
def test_the_page_of_a_moment_draws_the_scene_of_its_values(number: int) -> None:
    assert_page_draws_scene(FORGETTING, number)


def test_a_world_that_cannot_be_has_no_scene_and_says_why() -> None:
    with pytest.raises(ValueError, match="horizon"):
        scene({**FORGETTING.defaults, "T": 0, "seeds": 1}, 1, Theme())


def test_covered_curves_leave_out_the_final_ones() -> None:
    values = {**FORGETTING.defaults, **FORGETTING.moments[2].values, "cover": True}
    shown = scene(values, 200, Theme())
    assert set(shown.films) == {"main", "beliefs"} and not shown.stills
    assert set(scene({**values, "cover": False}, 200, Theme()).stills) == {"every"}
