"""The end of a game, drawn: what moves is what was asked and heard, on axes that never move, with names kept apart."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from figures import end_labels
from figures.theme import Theme
from lessons.game import figure
from tvbo_core import GPUCB, TVGPUCB, Random, SparQ, World, make_problem
from tvbo_core.policies.human import YOU, Duel, duel, line_up

FLOAT32 = 1e-6  # relative: tracks travel as 32-bit floats, whose unit roundoff is 6e-8
T = 12
BANDITS = {
    "Random": Random(),
    "GP-UCB": GPUCB(width=2.0),
    "TV-GP-UCB": TVGPUCB(epsilon=0.2, width=2.0),
    "SparQ": SparQ(width=2.0),
}
COLOURED = (YOU, "GP-UCB", "TV-GP-UCB")


@cache
def played() -> Duel:
    problem = make_problem(World(kind="jumps", budget=3.0, horizon=T, arms=21, switches=1, noise_sd=0.3, seed=5))
    return duel(problem, [(7 * t) % 21 for t in range(T)], line_up(problem, BANDITS, 5), 5)


def film(versus: str | None = "TV-GP-UCB", drawn: int = T - 1, **more: object):
    return figure.stage(played(), COLOURED, versus, {"SparQ": 34}, more.pop("theme", Theme()), drawn, **more)


def rows(made, axes: str, attribute: str) -> list[np.ndarray]:
    """The frames of every moving trace on a panel."""
    data = made.figure.to_dict()["data"]
    found = [t for t in made.tracks if t.attribute == attribute and data[t.trace]["xaxis"] == axes]
    return [np.asarray(t.values, dtype=float) for t in found]


def has(frames: list[np.ndarray], wanted: np.ndarray) -> bool:
    same = [f for f in frames if f.shape == wanted.shape]
    return any(np.allclose(f, wanted, rtol=FLOAT32, atol=FLOAT32, equal_nan=True) for f in same)


@pytest.mark.parametrize("theme", [Theme(), Theme(dark=True), Theme(lecture=True)])
@pytest.mark.parametrize("versus", ["TV-GP-UCB", None])
def test_the_figure_of_a_narrow_window_is_valid_and_a_frame_a_round(theme: Theme, versus: str | None) -> None:
    made = film(versus, theme=theme, narrow=True)
    made.figure.checked()
    assert made.frames() == T and {len(t) for t in made.tracks} == {T}


def test_the_upper_panel_shows_the_truth_of_the_round_its_best_action_your_answer_and_the_rival() -> None:
    d, p = played(), played().problem
    x, every = p.x[:, 0], np.arange(T)
    ys, xs = rows(film(), "x", "y"), rows(film(), "x", "x")
    assert has(ys, p.f) and has(ys, d.you.y[:, None]) and has(xs, x[d.you.arms][:, None])
    assert has(xs, x[p.best][:, None]) and has(ys, p.f.max(axis=1)[:, None])
    theirs = d.rivals["TV-GP-UCB"].arms
    assert has(xs, x[theirs][:, None]) and has(ys, p.f[every, theirs][:, None])


def test_the_lines_end_at_the_round_with_place_name_and_number_beside_them() -> None:
    d, made = played(), film()
    ys = rows(made, "x3", "y")
    for total in d.total.values():
        grown = np.where(np.arange(T)[None, :] > np.arange(T)[:, None], np.nan, total[None, :])
        assert has(ys, grown)
    said = [t.values for t in made.tracks if t.attribute == "text"]
    for t in range(T):
        for name, place in d.place.items():
            assert any(word.replace("<b>", "").startswith(f"{place[t]} {name}") for text in said for word in text[t])
    assert any("SparQ +34" in word for text in said for word in text[-1])


def test_your_line_is_ink_and_the_widest_and_what_is_not_coloured_is_grey() -> None:
    theme = Theme()
    lines = [t for t in film().figure.to_dict()["data"] if t["xaxis"] == "x3" and t["mode"] == "lines"]
    lines = [t for t in lines if t["line"]["width"] > end_labels.HAIR]  # without those that lead to names
    widest = max(lines, key=lambda t: t["line"]["width"])
    assert widest["line"]["color"] == theme.ink and lines[-1] is widest  # drawn last: over the others
    assert sum(t["line"]["color"].startswith("rgba") for t in lines) == 2  # Random and SparQ


def test_all_that_is_drawn_lies_inside_the_axes() -> None:
    made = film()
    layout, d = made.figure.to_dict()["layout"], played()
    low, high = layout["yaxis"]["range"]
    assert low < min(d.problem.f.min(), d.you.y.min()) and max(d.problem.f.max(), d.you.y.max()) < high
    assert layout["yaxis3"]["range"][1] > max(curve[-1] for curve in d.total.values())


@pytest.mark.parametrize("lecture", [False, True])
@pytest.mark.parametrize("narrow", [False, True])
def test_names_at_the_ends_keep_a_line_of_type_apart_inside_the_axes(lecture: bool, narrow: bool) -> None:
    theme = Theme(lecture=lecture)
    made = film(theme=theme, narrow=narrow)
    layout = made.figure.to_dict()["layout"]
    data = made.figure.to_dict()["data"]
    ends = [t for t in made.tracks if t.attribute == "y" and data[t.trace]["mode"] == "text"]
    at = np.sort(np.concatenate([np.asarray(t.values, dtype=float) for t in ends], axis=1), axis=1)
    high = layout["yaxis3"]["range"][1]
    # The least height that the panel ever has: 330 px at the desk, the stage's 540 less its margins in a hall.
    pixels = 0.35 * figure.NARROW_PIXELS if narrow else 430 if lecture else 330
    assert (np.diff(at, axis=1) / high * pixels >= theme.tick).all()
    assert at.min() >= 0 and at.max() <= high


def test_the_best_point_is_drawn_over_everybody_and_leaves_who_asks_there_in_sight() -> None:
    made = film()
    data = made.figure.to_dict()["data"]
    marks = [t for t in data if t["xaxis"] == "x" and t["mode"] == "markers"]
    best = marks[-1]["marker"]  # the last of a panel is on top
    assert best["symbol" if "symbol" in best else "color"] in ("circle", Theme().ink) and best["opacity"] == 1
    assert all(one["marker"]["size"] >= best["size"] + 4 for one in marks[:-1])
    track = next(t for t in made.tracks if t.trace == data.index(marks[-1]) and t.attribute == "x")
    d = played()
    np.testing.assert_allclose(np.asarray(track.values)[:, 0], d.problem.x[d.problem.best, 0])
