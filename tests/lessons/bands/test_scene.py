"""The scene of each moment, for packs and scripts, is the page that opens there."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from figures.theme import Theme
from lessons.bands import claims, model, words
from lessons.bands.lesson import LESSON
from lessons.bands.scene import frame, scene
from lessons.record import Moment
from lessons.shared import odds
from tests.lessons.shown import charts, drawn, film, finding, of_scene, opened
from tests.shared import open_closers
from tvbo_core.bands import ALL

TABLE = {"kind": "data", "data": "stocks-weekly"}


def whole(**link: str) -> AppTest:
    """The page behind a link, with the part on the martingale opened."""
    at = opened(LESSON.file, closed=True, **link)
    assert "paths" not in charts(at)  # what is closed is not drawn
    return open_closers(at).run()


@pytest.mark.parametrize("moment", LESSON.moments, ids=lambda moment: moment.key)
def test_a_scene_is_what_the_page_of_its_moment_shows(moment: Moment):
    made = scene(LESSON.settings(moment.values), moment.t, Theme())
    at = whole(moment=moment.key)
    head = film(at)
    assert drawn(at) == of_scene(made)
    assert (head["start"], head["n"], head["events"]) == (made.start, made.frames, made.events)
    assert head["labels"] == made.labels() and finding(at) == made.sentences()
    said = [caption.value for caption in at.caption]
    assert made.caption.strip() in said  # as Streamlit shows it
    assert all(one.caption(made.start) in said for one in (made.films | made.stills).values() if one.caption(0))


def test_a_table_has_no_repeated_still_worlds_and_the_page_says_so():
    made = scene(LESSON.settings(TABLE), 40, Theme())
    at = whole(t="40", **TABLE)
    assert "coverage" not in made.stills
    assert drawn(at) == of_scene(made)
    assert words.NO_COVERAGE in [info.value for info in at.info]


def test_another_place_changes_the_pictures_of_that_place_and_its_mark_on_the_stage_alone():
    def specs(place: float) -> dict[str, dict]:
        made = scene(LESSON.settings({"place": place}), 70, Theme())
        return {key: one.draw(70).figure.to_dict() for key, one in (made.films | made.stills).items()}

    middle, left = specs(0.5), specs(0.1)
    assert {key for key in middle if middle[key] != left[key]} == {"main", "glass", "curve"}
    here, there = ({k: v for k, v in one["main"]["layout"].items() if k != "meta"} for one in (middle, left))
    assert here == there
    pairs = list(zip(middle["main"]["data"], left["main"]["data"], strict=True))
    (triangles,) = [one for one, other in pairs if one != other]
    assert triangles["marker"]["symbol"] == "triangle-up"


@pytest.mark.parametrize("view", ["side", "overlay"])
def test_the_mark_of_the_place_is_dragged_to_where_each_stop_of_its_knob_stands(view: str):
    values = LESSON.settings({"view": view, "place": 0.25})
    main = scene(values, 70, Theme()).films["main"]
    stops = LESSON.knobs["place"].stops
    (triangles,) = [t for t in main.draw(70).figure.to_dict()["data"] if "triangle-up" in str(t.get("marker"))]
    at = main.pick.places["place"][stops.index(0.25)]
    assert main.pick.knobs == {"place": "x"} and len(main.pick.places["place"]) == len(stops)
    assert list(at) == triangles["x"] and len(at) == (len(ALL) if view == "side" else 1)
    assert sorted(at) == list(at) and at[0] >= 0 and at[-1] <= 1


def test_a_world_that_cannot_be_is_one_sentence():
    with pytest.raises(ValueError, match="pip install"):
        scene(LESSON.settings({"kind": "data", "data": "sp500"}), 1, Theme())


@pytest.mark.parametrize(("values", "t"), [({}, 70), ({"V": 0.0}, 70), ({"V": 4.0}, 65), ({"Bhat": 0.5}, 30), ({}, 0)])
def test_a_frame_knows_what_holds_now_and_leaves_open_since_when(values: dict, t: int):
    setting = model.chosen(LESSON.settings(values))
    whole, one = model.bands_over_time(setting), model.bands_at(setting, t)
    for name in whole.films:
        assert one.misses[name][t].tolist() == whole.misses[name][t].tolist()
        assert one.films[name].empty[t] == whole.films[name].empty[t]
        assert one.known(name).all() == (name != "CMM") and one.known(name)[t] and whole.known(name).all()
    made = frame(LESSON.settings(values), t, Theme())
    data = made.figures["main"].to_dict()["data"]
    (lanes,) = [trace["text"] for trace in data if trace.get("xaxis") == "x2" and trace["mode"] == "text"]
    empty, missed = whole.films["CMM"].empty[t], bool(whole.misses["CMM"][t].any())
    assert lanes[-1] == ("empty now" if empty else "misses now" if missed else "covers now")
    word = "EMPTY" if any(f.empty[t] for f in whole.films.values()) else "miss" if missed else "cover"
    assert word in made.sentence or t == 0


def test_the_odds_are_those_counted_in_worlds_like_this_and_else_none():
    def said(**values: object) -> str:
        return scene(LESSON.settings(values), 20, Theme()).odds

    assert said() == said(seed=3) == f"**{odds.share('bands/opening')} of 100** such worlds: {claims.TIGHTEST.says}."
    for moment in LESSON.moments:
        share = None if moment.claim is None else odds.share(f"bands/{moment.key}")
        assert said(**moment.values).startswith(f"**{share} of 100**") == (share is not None)
    assert said(sigma=0.2) == said(V=1.0) == said(Bhat=0.5) == ""
