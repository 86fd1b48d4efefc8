"""The player's message, its sentence, and the strip of a hundred worlds: what is sent changes with the film."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from answers.film import fingerprint
from figures.theme import Theme
from lessons import BY_KEY
from lessons.record import Scene, Strip
from lessons.shared import odds
from tests.lessons.shown import decode, parts
from tests.shared import ROOT
from tvbo_core import World


def test_fingerprint_differs_with_settings_and_not_servers():
    world = World()
    code = """
from tvbo_core import World
from answers.film import fingerprint
print(fingerprint(World(), 'side', 1.0))
"""
    env = {"PYTHONHASHSEED": "7", "PYTHONPATH": "."}  # Python's own hash differs from process to process
    done = subprocess.run([sys.executable, "-c", code], env=env, check=True, capture_output=True, text=True, cwd=ROOT)
    assert done.stdout.strip() == fingerprint(world, "side", 1.0)
    varied = product((3, 4), ("side", "overlay"), (1.0, 2.0))
    assert len({fingerprint(replace(world, seed=seed), view, ratio) for seed, view, ratio in varied}) == 8


def player_page() -> None:
    """A page with a player and its sentence; the session says what has changed since the last run."""
    import numpy as np
    import streamlit as st

    from answers.film import compressed
    from answers.film_format import encode
    from figures.film import Film, PackedFigure, Track
    from shell.stage import player

    values = np.linspace(0, 1, 12, dtype=np.float32).reshape(4, 3)
    reset, start = st.session_state.get("reset", "a"), st.session_state.get("start", 2)
    film = Film(PackedFigure([{"y": values[0]}], {}), (Track(0, "y", values),))
    message = compressed(encode({"n": 4}, {"main": film}))
    frame = player.player(message, frames=4, start=start, reset=reset, question={"lesson": "x"})
    player.live("A", start=start, reset=reset, key="said", dark=False, hall=False)
    st.session_state["told"] = frame


def sent(at: AppTest) -> dict[str, object]:
    return {c.proto.component_name: c.proto for c in at.get("bidi_component")}


def test_message_changes_with_the_page_alone():
    at = AppTest.from_function(player_page, default_timeout=60).run()
    assert not at.exception
    words, film = parts(sent(at)["tvbo_player"].bytes)
    assert (words["start"], words["reset"], words["question"]) == (2, "a", {"lesson": "x"})
    assert isinstance(words["revision"], int) and decode(gzip.decompress(film))["n"] == 4
    assert at.session_state["told"] == 2
    said = json.loads(sent(at)["tvbo_live"].json)
    assert (said["sentences"], said["index"]) == (["A"], [0])
    before = {name: (proto.bytes, proto.json) for name, proto in sent(at).items()}
    at.session_state["start"] = 3  # where the reader paused meanwhile
    at.run()
    assert {name: (proto.bytes, proto.json) for name, proto in sent(at).items()} == before
    at.session_state["reset"] = "b"
    at.run()
    assert parts(sent(at)["tvbo_player"].bytes)[0]["start"] == 3
    assert json.loads(sent(at)["tvbo_live"].json)["start"] == 3
    for start in (-5, 99):
        at = AppTest.from_function(player_page, default_timeout=60)
        at.session_state["start"] = start
        assert at.run().session_state["told"] == min(max(start, 0), 3)


def scene_of(key: str, values: Mapping[str, object] | None = None) -> Scene:
    lesson = BY_KEY[key]
    assert lesson.scene is not None
    return lesson.scene(lesson.settings(values or {}), Theme())


@pytest.mark.parametrize(
    "key", ["chase", pytest.param("race", marks=pytest.mark.slow), pytest.param("forgetting", marks=pytest.mark.wide)]
)
def test_dot_opens_the_world_whose_number_it_shows(key: str) -> None:
    """Which number is ringed on each page is approved in tests/baseline."""
    scene = scene_of(key)
    shown = scene.odds
    assert isinstance(shown, Strip) and len(set(shown.worlds)) == 100
    counted = odds.shipped()["claims"][f"{key}/{BY_KEY[key].opening.key}"]
    assert sum(map(shown.limit, shown.numbers)) == counted["share"] and shown.numbers == counted["numbers"]
    for i in np.random.default_rng(len(key)).choice(100, 1, replace=False):
        knob, number = shown.knob, shown.numbers[int(i)]
        world = BY_KEY[key].knobs[knob].read(str(shown.worlds[int(i)]))  # as a link has it
        opened = scene_of(key, {knob: world}).odds
        assert isinstance(opened, Strip) and opened.world == world
        assert opened.here == pytest.approx(number, rel=1e-4)  # six digits are shipped
