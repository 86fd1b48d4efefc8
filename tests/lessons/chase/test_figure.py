"""The figure of the stage and the bars of its bet: each learner on the side and in the colour of the front page."""

from __future__ import annotations

import numpy as np
import pytest

from figures.bet import bars
from figures.theme import Theme
from lessons.chase import figure, model
from lessons.chase.lesson import LESSON
from lessons.chase.words import titled
from shell.bets.page import placed_bet

KEEPS_THEN_FORGETS = ("keeps", "forgets")  # from the left, as on the canvas (assets/chase/chase.js)


@pytest.mark.parametrize("theme", [Theme(), Theme(dark=True, lecture=True)])
def test_the_figure_has_the_sides_and_colours_of_the_canvas_and_no_red(theme: Theme) -> None:
    film = model.chase(model.setting(LESSON.settings({})))
    made = figure.stage(film, False, model.reach(film), theme, film.frames - 1).figure.to_dict()
    colours = [theme.role(role) for role in KEEPS_THEN_FORGETS]
    titles = sorted((note for note in made["layout"]["annotations"] if "<b>" in note["text"]), key=lambda n: n["x"])
    assert [note["font"]["color"] for note in titles] == colours
    keeps, forgets = (next(one for one in film.learners if figure.colour(one, theme) == colour) for colour in colours)
    said = [note["text"].replace("<br>", " ") for note in titles]
    assert said == [f"<b>{titled(one)}</b>" for one in (keeps, forgets)]
    numbers = [t for t in made["data"] if t["mode"] == "text" and t["text"][0].startswith("<b>")]
    towers = {tuple(t["x"]): (t["text"][0], t["textfont"]["color"]) for t in numbers}
    paid = [f"<b>{one.paid[-1]:.1f}</b>" for one in (keeps, forgets)]
    assert towers == {(place,): (paid[place], colours[place]) for place in (0, 1)}
    assert theme.missed not in str(made)


def test_the_bars_of_the_bet_stand_in_the_order_and_colours_of_the_stage() -> None:
    bet, theme = LESSON.bet, Theme()
    told = LESSON.truth(LESSON.settings(bet.values), bet)
    shown = bars(placed_bet(bet, told, "keep"), theme).figure.to_dict()["data"]
    filled = sorted((float(np.mean(t["x"])), t["fillcolor"]) for t in shown if t.get("fillcolor"))
    assert [colour for _, colour in filled] == [theme.role(role) for role in KEEPS_THEN_FORGETS]
    assert list(bet.options)[:2] == ["keep", "forget"] and told.right == ("forget",)
    assert set(bet.roles) == {"keep", "forget"}
