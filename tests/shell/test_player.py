"""The player's message: what the browser unpacks is what the film holds, and no array travels twice."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from streamlit.testing.v1 import AppTest

from figures.film import Drawn
from figures.film import Film as film_of
from figures.film import Track as film_track
from lessons.record import Pick
from shell import player
from shell.film_message import GAP, STEPS, fingerprint, pack
from tests.strategies import LAW
from tvbo_core import World

SCRIPT = Path(player.ASSETS / "player.js").read_text(encoding="utf-8")


@dataclass(frozen=True, eq=False)
class Track:
    trace: int
    attribute: str
    values: object
    tiles: int = 1
    glides: object = None


@dataclass(frozen=True, eq=False)
class Film:
    tracks: tuple[Track, ...]
    figure: object = None


def unpacked(packed: dict, number: int) -> np.ndarray:
    """(F, n) a buffer as player.js reads it: 16-bit steps from the lowest value, one code for a gap."""
    entry = packed["buffers"][number]
    size = entry["frames"] * entry["width"]
    codes = np.frombuffer(packed["bytes"], np.int16, size, entry["start"]).astype(float)
    values = entry["low"] + (codes + STEPS / 2) * entry["step"]
    values = 10.0**values if entry["log"] else values
    return np.where(codes == GAP, np.nan, values).reshape(entry["frames"], entry["width"])


def arrays(dtype: type = np.float32) -> st.SearchStrategy[np.ndarray]:
    """Frames by points, with gaps; numbers of any size that a reward could have, and far beyond."""
    numbers = st.floats(-(2.0**40), 2.0**40, width=32) | st.sampled_from([np.nan, 0.0, -0.0, 2.0**-100])
    return hnp.arrays(dtype, hnp.array_shapes(min_dims=2, max_dims=2, max_side=9), elements=numbers)


@pytest.mark.parametrize("axis", ["", "2"])
def test_on_a_logarithmic_axis_what_is_small_beside_the_largest_keeps_its_place(axis: str):
    values = np.array([[12.5, 23.5, 2.0e6, np.nan], [0.02, 0.0, 9600.0, 1.0]])
    layout = {f"yaxis{axis}": {"type": "log"}}
    drawn = Drawn([{"type": "scatter", "y": values[0], **({"yaxis": f"y{axis}"} if axis else {})}], layout)
    back = unpacked(pack({"main": film_of(drawn, (film_track(0, "y", values),))}), 0)
    wanted = np.where(values > 0, values, np.nan)  # a logarithmic axis has no place for 0
    np.testing.assert_allclose(back, wanted, rtol=3e-4)  # half a step of 8 decades in 65 000


@LAW
@given(arrays())
def test_the_browser_reads_back_every_number_to_half_a_step_of_65_000_and_every_gap(values: np.ndarray):
    packed = pack({"main": Film((Track(0, "y", values),))})
    back = unpacked(packed, 0)
    assert back.shape == values.shape
    np.testing.assert_array_equal(np.isnan(back), np.isnan(values))
    known = values[np.isfinite(values)].astype(float)
    if len(known):
        span = known.max() - known.min()
        # Half a step is the code's rounding; a few units in the last place are that of low + code * step.
        room = 0.5 * span / STEPS * (1 + 1e-9) + 4 * np.finfo(float).eps * np.abs(known).max()
        assert np.abs(back[np.isfinite(values)] - known).max() <= room


@LAW
@given(st.lists(arrays(), min_size=1, max_size=5))
def test_the_buffers_lie_one_after_the_other_and_fill_the_message(several: list[np.ndarray]):
    packed = pack({"main": Film(tuple(Track(i, "y", a) for i, a in enumerate(several)))})
    end = 0
    for entry in packed["buffers"]:
        assert entry["start"] == end
        end += 2 * entry["frames"] * entry["width"]
    assert len(packed["bytes"]) == end


def test_an_array_that_several_tracks_share_travels_once():
    truth, other = np.zeros((5, 3), np.float32), np.zeros((5, 3), np.float32)
    panels = Film((Track(0, "y", truth), Track(4, "y", truth), Track(5, "y", other)))
    packed = pack({"main": panels, "side": Film((Track(1, "x", truth),))})
    first, second = (chart["tracks"] for chart in packed["charts"])
    assert [t["buffer"] for t in (*first, *second)] == [0, 0, 1, 0]
    assert len(packed["bytes"]) == 2 * truth.size * 2  # two arrays of two-byte codes


def test_a_track_says_after_which_frames_it_may_not_be_drawn_on_its_way():
    values = np.arange(8.0).reshape(4, 2)
    glides = {"never": None, "always": np.ones(3, dtype=bool), "but once": np.array([True, False, True])}
    film = film_of(Drawn([{}] * 3, {}), tuple(film_track(i, "y", values + i, glides=g)
                                              for i, g in enumerate(glides.values())))  # fmt: skip
    tracks = pack({"main": film})["charts"][0]["tracks"]
    assert [track.get("cuts") for track in tracks] == [None, [], [1]]


def test_words_travel_as_they_are_and_every_chart_says_what_a_click_means():
    text = (("a", "b"), ("é<sub>t</sub>", ""))
    films = {"main": Film((Track(2, "text", text),)), "side": Film(())}
    pick = Pick(time="y", place="x", along=("x5",), zeros={"x5": 9}, knobs={"m": "x2"}, places={"m": (1.0, 3.0)})
    packed = pack(films, {"side"}, {"main": pick})
    main, side = packed["charts"]
    assert main == {
        "key": "main",
        "tracks": [{"trace": 2, "attribute": "text", "tiles": 1, "text": [["a", "b"], ["é<sub>t</sub>", ""]]}],
        "redraw": False,
        "pick": {
            "t": "y",
            "x": "x",
            "along": ["x5"],
            "zeros": {"x5": 9},
            "knobs": {"m": "x2"},
            "places": {"m": [1.0, 3.0]},
        },
        "mark": None,
        "figure": None,
    }
    assert json.loads(packed["words"]) == {"buffers": packed["buffers"], "charts": packed["charts"]}
    assert (side["redraw"], side["pick"], side["tracks"]) == (True, None, [])


def test_the_script_and_the_module_mean_the_same_codes():
    said = re.search(r"const STEPS = (-?\d+), GAP = (-?\d+)", SCRIPT)
    assert (int(said[1]), int(said[2])) == (STEPS, GAP)
    lowest = -(STEPS // 2)
    assert lowest > GAP and np.iinfo(np.int16).min <= GAP  # no number is read as a gap
    assert np.iinfo(np.int16).max >= STEPS // 2


def test_a_fingerprint_is_the_same_on_every_server_and_differs_with_any_setting():
    world = World()
    code = """
from tvbo_core import World
from shell.film_message import fingerprint
print(fingerprint(World(), 'side', 1.0))
"""
    for salt in ("0", "7"):  # of Python's own hash, which differs from process to process
        told = subprocess.run(
            [sys.executable, "-c", code], env={"PYTHONHASHSEED": salt, "PYTHONPATH": "."}, check=True,
            capture_output=True, text=True, cwd=Path(__file__).resolve().parents[2],
        ).stdout.strip()  # fmt: skip
        assert told == fingerprint(world, "side", 1.0)
    varied = product((3, 4), ("side", "overlay"), (1.0, 2.0))
    others = {fingerprint(replace(world, seed=seed), view, ratio) for seed, view, ratio in varied}
    assert len(others) == 8


def player_page() -> None:
    """A page with a player and its sentence; the session says what has changed since the last run."""
    import numpy as np
    import streamlit as st

    from shell import player
    from shell.film_message import pack
    from tests.shell.test_player import Film, Track

    values = np.linspace(0, 1, 12, dtype=np.float32).reshape(4, 3)
    reset, start = st.session_state.get("reset", "a"), st.session_state.get("start", 2)
    packed = pack({"main": Film((Track(0, "y", values),))})
    frame = player.player(packed, labels=["one", "two", "three", "four"], events=[1], start=start, drawn=2,
                          revision="r", reset=reset)  # fmt: skip
    player.live(["A", "B", "A", "A"], start=start, reset=reset, key="said", dark=False, hall=False)
    st.session_state["told"] = frame


def sent(at: AppTest) -> dict[str, object]:
    return {c.proto.component_name: c.proto for c in at.get("bidi_component")}


def words_of(message: bytes) -> tuple[dict, bytes]:
    """The words (of the run and of the film) and the numbers of a message, as player.js parts them."""
    words = {}
    for _ in range(2):
        size = int.from_bytes(message[:4], "little")
        words |= json.loads(message[4 : 4 + size])
        message = message[4 + size :]
    return words, message


def test_the_message_is_two_texts_with_their_lengths_and_the_numbers():
    at = AppTest.from_function(player_page).run()
    assert not at.exception
    words, numbers = words_of(sent(at)["tvbo_player"].bytes)
    assert (words["n"], words["labels"], words["events"]) == (4, ["one", "two", "three", "four"], [1])
    assert words["times"] == [0, 1, 2, 3]
    assert words["stood"] == {"main": [None, 2]}
    back = unpacked({**words, "bytes": numbers}, 0)
    # Half a step of 65,000 on a range of 1.
    np.testing.assert_allclose(back, np.linspace(0, 1, 12).reshape(4, 3), rtol=0, atol=0.51 / STEPS)
    assert at.session_state["told"] == 2


def test_a_sentence_that_repeats_travels_once():
    at = AppTest.from_function(player_page).run()
    said = json.loads(sent(at)["tvbo_live"].json)
    assert said["sentences"] == ["A", "B"]
    assert [said["sentences"][i] for i in said["index"]] == ["A", "B", "A", "A"]


def test_a_later_start_changes_nothing_that_is_sent_until_the_page_or_moment_changes():
    at = AppTest.from_function(player_page).run()
    before = {name: (proto.bytes, proto.json) for name, proto in sent(at).items()}
    at.session_state["start"] = 3  # where the reader paused meanwhile
    at.run()
    assert {name: (proto.bytes, proto.json) for name, proto in sent(at).items()} == before
    at.session_state["reset"] = "b"
    at.run()
    assert words_of(sent(at)["tvbo_player"].bytes)[0]["start"] == 3
    assert json.loads(sent(at)["tvbo_live"].json)["start"] == 3


@pytest.mark.parametrize("start", [-5, 99])
def test_a_start_outside_the_film_is_its_nearest_end(start: int):
    at = AppTest.from_function(player_page)
    at.session_state["start"] = start
    at.run()
    assert at.session_state["told"] == min(max(start, 0), 3)
