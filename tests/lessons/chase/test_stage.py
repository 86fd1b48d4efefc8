"""The film shows what was computed, eases between frames, and says what a hand may do."""

from __future__ import annotations

import numpy as np
import pytest

from figures.film import Film, Track
from figures.theme import Theme
from lessons.chase import figure, model, panel
from lessons.chase.knobs import CHASE
from lessons.chase.lesson import LESSON
from lessons.chase.model import ROUNDS, STEPS, TURNS, Chase, Setting
from lessons.chase.scene import answered, pick
from lessons.record import Pick
from tests.lessons.shown import opened
from tvbo_core.worlds.reshaped import UNIT

SETTINGS = [Setting(), Setting(0.0, "all", 0.5), Setting(2.2, "3", 0.2, 1, beside=True), Setting(asked=((3, 4),))]
EACH = pytest.mark.parametrize("setting", SETTINGS, ids=range(len(SETTINGS)))


def tracks(film: Film, panel: str, attribute: str, width: int) -> list[Track]:
    """Return the tracks of a panel's traces that have so many points."""
    data = film.figure.to_dict()["data"]
    found = [one for one in film.tracks if one.attribute == attribute and data[one.trace]["yaxis"] == panel]
    return [one for one in found if isinstance(one.values, np.ndarray) and one.values.shape[1] == width]


@EACH
def test_stage_shows_band_hill_and_weights(setting: Setting) -> None:
    film = model.chase(setting)
    drawn = figure.stage(film, False, Theme(), 0)
    for i, one in enumerate(film.learners):
        name = f"y{i + 1 if i else ''}"
        (band,) = tracks(drawn, name, "y", 202)
        (faded,) = tracks(drawn, name, "marker.opacity", ROUNDS)
        rows = tracks(drawn, name, "y", 101)
        for t in (0, 1, 20, ROUNDS - 1):
            for step in range(len(STEPS)):
                shown = [track.row(4 * t + step) for track in rows]
                for curve in (film.problem.f[t], one.mean[t]):
                    assert any(np.allclose(row, curve, atol=1e-6) for row in shown)
                upper, lower = np.split(band.row(4 * t + step), 2)
                inside = np.abs(one.upper[t]) < 4  # beyond the axes it is cut
                np.testing.assert_allclose(upper[inside], one.upper[t][inside], atol=1e-6)
                np.testing.assert_allclose(lower[::-1][inside], one.lower[t][inside], atol=1e-6)
                heard = slice(0, t)
                np.testing.assert_allclose(faded.row(4 * t)[heard], 0.12 + 0.48 * one.weight[t][heard], atol=1e-6)


def test_answer_falls_from_the_edge_to_what_is_heard() -> None:
    film = model.chase(Setting(beside=False))
    drawn, (one,) = figure.stage(film, False, Theme(), 0), film.learners
    falls = [track for track in tracks(drawn, "y", "y", 1) if track.between]
    t, many = 20, figure.BETWEEN + 1
    edge, y = one.upper[t, one.history.arms[t]], one.history.y[t]
    frame = 4 * t + STEPS.index("ask")
    way = [track.values[frame * many : (frame + 1) * many, 0] for track in falls]
    (fall,) = [row for row in way if row[-1] == pytest.approx(y, abs=1e-6)]
    hill = film.problem.f[t, one.history.arms[t]]
    assert edge > fall[0] > fall[3] > hill - 1e-6 or y > hill  # the first stretch ends on the hill
    assert np.all(np.diff(fall[:4]) <= 1e-6)


def test_gap_flies_from_the_hill_onto_its_slab() -> None:
    film = model.chase(Setting(beside=True))
    drawn, most = figure.stage(film, False, Theme(), 0), max(film.learners[1].paid[-1], model.LEAST_PAID)
    many, t = figure.BETWEEN + 1, 49
    frame = 4 * t + STEPS.index("pay")
    skies = ("y4", "y5")
    for name in skies:  # of the desk, and of the phone
        for track in tracks(drawn, name, "y", 4):
            seen = track.values[frame * many : (frame + 1) * many]
            flies = ~np.isnan(seen[:, 0])
            assert 2 <= flies.sum() < many and not flies[-1]
            heights = seen[flies, 2] - seen[flies, 0]
            assert np.all(heights > 0) or np.all(heights >= 0)
    one = film.learners[1]
    (across, up), tower = figure._slab_corners(film, one, np.array([t]), 1, figure.tower_box(film, False)), one.paid
    assert up[0, 2] == pytest.approx(tower[t] / (1.14 * most)) and up[0, 0] == pytest.approx(
        tower[t - 1] / (1.14 * most)
    )
    assert 0.425 <= across.min() < across.max() <= 0.5  # who keeps everything stands left


def test_frame_alone_is_that_of_the_film() -> None:
    film = model.chase(Setting(asked=((3, 40),)))
    for bending in (False, True):
        for at in (0, 13, 14, 15, 223):
            whole = figure.stage(film, False, Theme(), at, bending=bending).figure.to_dict()
            assert figure.stage(film, False, Theme(), at, bending=bending, only=at).figure.to_dict() == whole


def test_handles_stand_on_the_shapes() -> None:
    for setting in (Setting(start=(0, 5, 0, 0, -3, 0)), Setting(0.0)):
        film = model.chase(setting)
        handles = pick(film, False, True).handles
        assert [*handles] == ["start", "end"][: 1 + film.moves]
        assert handles["start"].numbers == setting.start and handles["start"].unit == UNIT
        for i, one in enumerate(handles.values()):
            at = np.rint(np.array(one.x) * 100).astype(int)
            np.testing.assert_allclose(one.y, film.shapes[i][at])
        figure.stage(film, False, Theme(), 3, bending=True).figure.checked()


def asked(*rows: int, unseen: bool = False) -> tuple[int, int] | None:
    return answered(model.chase(Setting(beside=False, asked=tuple((row, 50) for row in rows))), unseen)


def test_an_answer_plays_to_its_payment_or_next_turn() -> None:
    assert asked() is None
    assert asked(3) == (13, 15) and asked(3, unseen=True) == (13, 17)
    assert asked(*range(17, 17 + TURNS), unseen=True) == (113, 115)  # the score is said
    assert asked(ROUNDS - 1, unseen=True) == (221, 223)


@pytest.mark.parametrize("said", [None, 5, {"t": True, "place": 1}, {"t": 1.5, "place": 1}, {"t": -1, "place": 1},
                                  {"t": 224, "place": 1}, {"t": 1, "place": 101}, {"t": 1, "place": "3"}])  # fmt: skip
def test_only_rounds_and_places_are_asked(said: object, monkeypatch: pytest.MonkeyPatch) -> None:
    state = {"player": {"ask": said}, "asked": "none"}
    monkeypatch.setattr(panel.st, "session_state", state)
    panel.ask()
    assert state["asked"] == "none"


def test_a_question_plays_later_rounds_again(monkeypatch: pytest.MonkeyPatch) -> None:
    state = {"player": {"ask": {"t": 4 * 7 + 2, "place": 100, "n": 1}}, "asked": "3-4_7-1_9-2"}
    monkeypatch.setattr(panel.st, "session_state", state)
    panel.ask()
    assert state["asked"] == "3-4_7-100"


@pytest.mark.slow
def test_page_shows_handles_once_they_are_asked_for() -> None:
    at = opened("home.py", reshape="true")
    assert at.session_state["reshape"] and CHASE["reshape"].default is False
    at.toggle(key="reshape").set_value(False).run()
    assert not at.exception and "reshape" not in at.query_params


def test_finished_game_takes_no_hand() -> None:
    film: Chase = model.chase(model.setting(LESSON.defaults))
    assert pick(film, False, False).ask and not pick(film, False, False).handles
    assert pick(film, False, True).handles and not pick(film, False, True).ask
    assert Pick().ask is None
