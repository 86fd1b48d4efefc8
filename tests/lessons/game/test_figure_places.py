"""The first view of a finished game: the ladder of places, and the player's questions over the hill of each round."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from figures.theme import Theme
from lessons.game import figure_places, model
from lessons.game.knobs import FIRST_CODE, PATHS
from lessons.game.lesson import LESSON
from lessons.game.model import Setting
from lessons.game.scene import drawn
from tests.lessons.game.games import finished
from tests.lessons.game.test_figure import T, has, played, rows
from tvbo_core.policies import ALL, BY_NAME
from tvbo_core.policies.human import YOU, duel
from tvbo_core.worlds.codes import ARMS

VALUES = LESSON.settings({})
DOES = {name: BY_NAME[name].does for name in played().rivals}


def film(**more: object):
    return figure_places.stage(played(), DOES, more.pop("theme", Theme()), more.pop("drawn", T - 1), **more)


@pytest.mark.parametrize("theme", [Theme(), Theme(dark=True), Theme(lecture=True)])
@pytest.mark.parametrize("narrow", [False, True])
def test_the_figure_is_valid_and_a_frame_a_round(theme: Theme, narrow: bool) -> None:
    made = film(theme=theme, narrow=narrow)
    made.figure.checked()
    assert made.frames() == T and {len(track) for track in made.tracks} == {T}


def test_bars_are_the_regret_of_the_round_in_the_order_of_the_last_places_and_you_are_in_ink() -> None:
    d, made = played(), film()
    bars = [
        (trace, np.asarray(track.values))
        for track in made.tracks
        if track.attribute == "x" and (trace := made.figure.checked().data[track.trace]).fill == "toself"
    ]
    assert len(bars) == len(d.order)
    for name, (trace, x) in zip(d.order, bars, strict=True):
        np.testing.assert_allclose(x.max(axis=1), d.total[name], rtol=1e-6, atol=1e-6)
        assert x.min() == 0.0 and (trace.fillcolor == Theme().ink) == (name == YOU)
    assert [float(np.mean([min(trace.y), max(trace.y)])) for trace, _ in bars] == list(range(len(d.order)))


def test_each_row_says_place_name_and_regret_of_the_round() -> None:
    d, made = played(), film()
    said = [track.values for track in made.tracks if track.attribute == "text"]
    for t in range(T):
        shown = {word.replace("<b>", "").replace("</b>", "") for text in said for word in text[t]}
        for name in d.total:
            assert f"{d.place[name][t]}  {name}" in shown and f" {d.total[name][t]:.1f}" in shown


def test_beside_each_bandit_stands_what_it_does_where_there_is_room_and_nobody_else_is_in_colour() -> None:
    for theme in (Theme(), Theme(lecture=True)):
        layout, order = film(theme=theme).figure.checked().layout, played().order
        said = {BY_NAME[name].does: order.index(name) for name in order if name != YOU}
        found = {note.text: note.y for note in layout.annotations if note.text in said}
        assert found == said and min(map(len, said)) > 5
        room = layout.xaxis.range[1] - next(note.x for note in layout.annotations if note.text in said)
        share = layout.xaxis.domain[1] - layout.xaxis.domain[0]
        wide = share * (1150 if theme.lecture else 960)  # pixels between the margins at 1280 and 1366
        letters = max(map(len, said)) * 0.43 * theme.tick  # a letter, by its height, as measured
        assert letters <= room / (layout.xaxis.range[1] - layout.xaxis.range[0]) * wide
        for screen in ("medium", "low"):
            other = layout.meta[screen]
            assert not {note["text"] for note in other["annotations"].values()} - {""}
            assert len(other["annotations"]) == len(said) and other["xaxis"]["range"][1] < layout.xaxis.range[1]
    narrow = film(narrow=True).figure.checked().layout
    assert not {note.text for note in narrow.annotations} & set(said)


def test_the_names_of_all_policies_say_what_they_do_in_two_to_five_words() -> None:
    assert all(2 <= len(entry.does.split()) <= 5 for entry in ALL.values())


def test_the_top_of_each_hill_is_marked_above_the_best_action_of_its_round_and_none_lies_ahead() -> None:
    p, made = played().problem, film()
    hills = next(y for y in rows(made, "x2", "y") if y.shape == (T, len(p.x)))
    assert [trace.marker.symbol for trace in made.figure.checked().data].count("triangle-down") == 1
    tops = hills[np.arange(T), p.best] + figure_places.TOP
    ahead = np.arange(T)[None, :] > np.arange(T)[:, None]
    assert has(rows(made, "x2", "y"), np.where(ahead, np.nan, tops[None, :]))


def test_a_question_lies_on_the_hill_of_its_round_and_none_lies_ahead() -> None:
    d, p, made = played(), played().problem, film()
    hills = next(y for y in rows(made, "x2", "y") if y.shape == (T, len(p.x)))  # the hill of the frame's round
    one, other = hills[0], hills[-1]  # the same reward has the same shape, so far below as rounds lie between
    scale = (one.max() - one.min()) / (p.f[0].max() - p.f[0].min())
    for t, hill in enumerate(hills):
        np.testing.assert_allclose(hill + t - hills[0].max(), scale * (p.f[t] - p.f[0].max()), atol=1e-5)
    assert other.max() < one.max()
    clicks = np.array([hills[t, d.you.arms[t]] for t in range(T)])
    ahead = np.arange(T)[None, :] > np.arange(T)[:, None]
    assert has(rows(made, "x2", "y"), np.where(ahead, np.nan, clicks[None, :]))
    assert has(rows(made, "x2", "x"), p.x[d.you.arms, 0][:, None]) and has(rows(made, "x2", "y"), clicks[:, None])


@pytest.mark.parametrize("rounds", [10, 15, 20, 50])
def test_many_rounds_have_dots_and_few_have_numbers(rounds: int) -> None:
    game = finished(Setting(FIRST_CODE, rounds, 0.2))
    scene = drawn(model.finished(game, ("rnd", "gp"), 10, "best"), VALUES, 999, Theme())
    made = scene.films["main"].draw(scene.start)
    numbers = {word for track in made.tracks if track.attribute == "text" for word in track.values[-1]}
    assert (str(rounds) in numbers) == (rounds <= figure_places.NUMBERED) and made.frames() == rounds
    assert scene.sentences()[-1].startswith("<b>You came ")


def test_what_they_did_is_the_second_view_and_the_path_beside_yours_acts_there_alone() -> None:
    done = model.finished(finished(), ("rnd", "gp"), 10, "best")
    first, second = (drawn(done, VALUES | {"view": view}, 999, Theme()) for view in (VALUES["view"], PATHS))
    assert first.films["main"].alt != second.films["main"].alt and first.state != second.state
    assert not LESSON.knobs["versus"].acts_at(VALUES) and LESSON.knobs["versus"].acts_at(VALUES | {"view": PATHS})


@pytest.mark.parametrize("where", ["in the middle", "where the peak was first"])
def test_in_the_first_world_who_never_moves_is_among_the_last_three(where: str) -> None:
    setting = model.chosen(VALUES)
    problem = model.problem(setting)
    arm = ARMS // 2 if where == "in the middle" else int(problem.best[0])
    field = model.field(setting, tuple(VALUES["algos"]), int(VALUES["m"]))
    d = duel(problem, (arm,) * setting.rounds, field, setting.world.seed)
    assert len(d.total) == 12 and d.place[YOU][-1] >= 10


@pytest.mark.parametrize(
    "world", [VALUES["world"], LESSON.moment("glide").values["world"]], ids=["first", "of courses"]
)
def test_in_a_world_that_beginners_meet_chance_pays_more_than_every_gp_ucb_as_in_most_worlds(world: str) -> None:
    """In 94 of 100 worlds that glide by 4 in 12 rounds random play pays more than GP-UCB (seeds 1000 to 1099)."""
    setting = model.chosen(VALUES | {"world": world})
    field = model.field(setting, tuple(VALUES["algos"]), int(VALUES["m"]))
    total = {name: run.regret.sum() for name, run in field.histories.items()}
    assert all(run < total["Random"] for name, run in total.items() if name.endswith("GP-UCB") or name == "WGP-UCB")
    assert total["WGP-UCB"] < total["GP-UCB"]


def test_the_first_world_is_met_without_being_told_how_it_moves() -> None:
    assert VALUES["challenge"] == "secret" and VALUES["rounds"] == 12
    assert replace(model.Game(model.chosen(VALUES)), arms=(0,) * 12).over


@pytest.mark.parametrize(("theme", "pixels", "narrow"), [(Theme(lecture=True), 1150, False), (Theme(), 350, True)])
def test_a_question_at_either_end_of_the_axis_has_its_whole_circle(theme: Theme, pixels: int, narrow: bool) -> None:
    figure = film(theme=theme, narrow=narrow).figure.checked()
    margin, axis = figure.layout.margin, figure.layout.xaxis2
    low, high = axis.range
    scale = (pixels - margin.l - margin.r) * (axis.domain[1] - axis.domain[0]) / (high - low)
    circles = [trace.marker for trace in figure.data if trace.xaxis == "x2" and trace.marker.line.width]
    assert len(circles) >= 2
    for circle in circles:
        assert min(-low, high - 1) * scale >= (circle.size + circle.line.width) / 2
