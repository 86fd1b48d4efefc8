"""Every page in Streamlit's own test driver: untouched, at both ends of every control, and by every link."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs, parse_qsl

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from answers.film import headline
from figures.theme import Theme
from lessons import BY_KEY, LESSONS
from shell.page.knobs import A_NUMBER
from shell.runs.runs import RUNS
from tests.lessons.shown import film, finding, of_scene, opened, page_films, sent, sentences, settled, specs, until
from tests.shared import few, session_of

LESSON = {lesson.file: lesson for lesson in LESSONS}
HAS = {page: lesson.knobs for page, lesson in LESSON.items()}
# The front page has tests of its own, and the game, which shows a film once it has been played.
PAGES = [lesson.file for lesson in LESSONS[1:] if lesson.scene]
DRIFT, BANDS, RACE, FORGETTING, QUERIES, REAL = (
    BY_KEY[key].file for key in ("drift", "bands", "race", "forgetting", "side_queries", "real_data")
)
# Where another world means to play again.
QUICK = {
    RACE: {"algos": "rnd.gp.tv", "seeds": "1", "T": "100", "scale": "set"},
    FORGETTING: {"seeds": "1", "T": "100"},
    QUERIES: {"seeds": "1", "T": "100", "scale": "set"},
    REAL: {"table": "stocks-weekly", "seeds": "2"},
}
STORED = {RACE, FORGETTING, QUERIES}  # whose moments ship their runs
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
    """Return the words of the address bar, which the page puts right in the browser."""
    return dict(parse_qsl(json.loads(sent(at, "tvbo_address", "json")[0])["words"]))


def takes_first_question(at: AppTest) -> bool:
    """Return whether the stage is a board on which nothing has been asked yet."""
    return any(((one.get("pick") or {}).get("ask") or {}).get("left") for one in film(at)["charts"])


def faults(at: AppTest) -> list[str]:
    """Return what no visitor may see: a traceback, a warning, a NaN in words, a chart without a point."""
    found = [f"exception: {e.value}" for e in at.exception]
    found += [f"{kind}: {e.value}" for kind in ("error", "warning") for e in getattr(at, kind)]
    said = [e.value for kind in ("title", "markdown", "caption", "info") for e in getattr(at, kind)]
    charts = specs(at)
    if charts:
        said += sentences(at) + film(at)["labels"]
    elif not at.info:
        found.append("neither a chart nor a sentence that says why")
    for i, spec in enumerate(charts):
        said += words(spec)
        drawn = [
            t for t in spec["data"] if np.isfinite(numbers(t.get("x"))).any() and np.isfinite(numbers(t.get("y"))).any()
        ]
        if not drawn and not takes_first_question(at):
            found.append(f"chart {i} is empty")
    return found + [f"not a number: {text[:80]}" for text in said if NOT_A_NUMBER.search(text)]


def ends(at: AppTest, page: str) -> dict[str, tuple[str, list]]:
    """Return key -> (widget, both ends of a slider or every value of a choice) of the controls on the page."""
    drawn = {
        "slider": at.slider,
        "number": at.number_input,
        "stops": at.select_slider,
        "select": at.selectbox,
        "segmented": at.button_group,
        "toggle": at.toggle,
    }
    found = {}
    for key, knob in HAS[page].items():
        for widget in drawn.get(knob.widget, ()):  # the race's choice of several has its own test
            if widget.key == key and not widget.disabled:
                two = [widget.min, widget.max] if knob.widget in ("slider", "number") else [True, False]
                options = [knob.options[0], knob.options[-1]] if knob.widget == "stops" else list(knob.options)
                found[key] = knob.widget, options or two
    return found


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


def through(at: AppTest, name: str) -> None:
    """Wait until a page's order is over; the page itself is not run again."""
    order = session_of(at).runs.sets[name].order
    until(lambda: order is None or RUNS.wait(order, 0.5))


@pytest.mark.parametrize("page", few(PAGES))
def test_both_ends_of_every_control_open(page: str) -> None:
    """Every view at the first values of all other controls, at their last ones, at their second ones."""
    at = unfolded(opened(page, drawers=True, **QUICK.get(page, {})))
    first, wrong, shown = ends(at, page), [], 0
    rounds = max(len(values) for _, values in first.values())
    for i in (0, -1, *range(1, rounds - 1)):
        for key in first:  # one control may take another one away
            for kind, values in filter(None, [ends(at, page).get(key)]):
                lay(at, kind, key, values[i % len(values)])
        at.run()
        wrong += [f"{i}-th value of every control: {fault}" for fault in faults(at)]
        shown += bool(specs(at))
    assert wrong == [] and shown > rounds / 2  # elsewhere a sentence says why not


@pytest.mark.parametrize("page", few(PAGES, DRIFT, rest=pytest.mark.wide))
def test_moments_by_link_are_moments_by_click(page: str) -> None:
    """One page is clicked through, from a state in which other controls were moved."""
    clicked = unfolded(opened(page, drawers=True, seed="7", ell="0.4", B="5"))
    for moment in LESSON[page].moments[::3]:
        linked = opened(page, drawers=True, moment=moment.key)
        assert not linked.toast and linked.button_group(key="moment").value == moment.key
        if page in STORED:  # so that no class waits
            assert not linked.get("progress") and not session_of(linked).runs.sets[LESSON[page].key].missing
        turn(clicked, "segmented", "moment", moment.key)
        settled(linked), settled(clicked)
        assert faults(linked) == faults(clicked) == []
        assert specs(linked) == specs(clicked) and sentences(linked) == sentences(clicked)
        assert film(linked)["start"] == film(clicked)["start"]
        captions = [caption.value.strip() for caption in linked.caption]
        assert any(moment.script in said for said in captions)
        made = LESSON[page].scene(LESSON[page].settings(moment.values), Theme())  # of packs and scripts
        assert page_films(linked) == of_scene(made, moment.t)
        assert finding(linked) == [headline(said, "ours") for said in made.sentences()]
        assert made.caption.strip() in captions


def carried(at: AppTest, page: str) -> dict[str, list[str]]:
    """Return the words that the menu's link takes to another page."""
    name = Path(page).stem
    link = next(link.proto for link in at.get("page_link") if Path(link.proto.page).name == name)
    return parse_qs(link.query_string)


def follow(at: AppTest, page: str, params: dict[str, list[str]]) -> AppTest:
    """Open another page in the same session by a link of its menu."""
    at.switch_page(page)
    at.query_params.clear()
    at.query_params.update(params)
    return at.run()


def test_the_world_travels_between_pages() -> None:
    at = unfolded(opened(BANDS))
    assert carried(at, DRIFT) == {}  # untouched, each page opens on its own default
    for kind, key, value in (("slider", "V", 2.0), ("number", "seed", 5), ("segmented", "nu", "5/2")):
        turn(at, kind, key, value)
    follow(at, DRIFT, carried(at, DRIFT))
    assert faults(at) == [] and not at.toast
    assert {k: at.session_state[k] for k in ("V", "seed", "nu")} == {"V": 2.0, "seed": 5, "nu": "5/2"}
    points = BY_KEY["points"].file  # a page without the knobs of a World
    follow(unfolded(at), points, carried(at, points))
    assert carried(unfolded(at), DRIFT)["V"] == ["2"]
    params = carried(unfolded(opened(DRIFT, T="500", V="2")), BANDS)
    assert params["V"] == ["2"] and "T" not in params  # the bands play at most 200 rounds


def test_a_knob_in_the_drawer_keeps_its_value() -> None:
    at = opened(DRIFT, kind="markov", eps="0.02")
    for kind in ("glide", "rough", "markov"):
        turn(at, "select", "kind", kind)
        assert faults(at) == []
        assert at.session_state["eps"] == 0.02 and at.query_params["eps"] in ("0.02", ["0.02"])
