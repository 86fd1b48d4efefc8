"""The player's message and its sentence: what is sent changes with the film, and not with every pause."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from shell.film_message import fingerprint
from tests.lessons.shown import decode, parts
from tvbo_core import World


def test_a_fingerprint_is_the_same_on_every_server_and_differs_with_any_setting():
    world = World()
    code = """
from tvbo_core import World
from shell.film_message import fingerprint
print(fingerprint(World(), 'side', 1.0))
"""
    for salt in ("0", "7"):  # of Python's own hash, which differs from process to process
        told = subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONHASHSEED": salt, "PYTHONPATH": "."},
            check=True,
            capture_output=True,
            text=True,
            cwd=Path(__file__).resolve().parents[2],
        ).stdout.strip()
        assert told == fingerprint(world, "side", 1.0)
    varied = product((3, 4), ("side", "overlay"), (1.0, 2.0))
    others = {fingerprint(replace(world, seed=seed), view, ratio) for seed, view, ratio in varied}
    assert len(others) == 8


def player_page() -> None:
    """A page with a player and its sentence; the session says what has changed since the last run."""
    import numpy as np
    import streamlit as st

    from figures.film import Drawn, Film, Track
    from shell import player
    from shell.film_format import encode
    from shell.film_message import compressed

    values = np.linspace(0, 1, 12, dtype=np.float32).reshape(4, 3)
    reset, start = st.session_state.get("reset", "a"), st.session_state.get("start", 2)
    film = Film(Drawn([{"y": values[0]}], {}), (Track(0, "y", values),))
    message = compressed(encode({"n": 4}, {"main": film}))
    frame = player.player(message, frames=4, start=start, reset=reset, question={"lesson": "x"})
    player.live(["A", "B", "A", "A"], start=start, reset=reset, key="said", dark=False, hall=False)
    st.session_state["told"] = frame


def sent(at: AppTest) -> dict[str, object]:
    return {c.proto.component_name: c.proto for c in at.get("bidi_component")}


def test_the_message_is_a_text_with_its_length_and_the_film_that_it_names():
    at = AppTest.from_function(player_page).run()
    assert not at.exception
    words, film = parts(sent(at)["tvbo_player"].bytes)
    assert (words["start"], words["reset"], words["question"]) == (2, "a", {"lesson": "x"})
    assert isinstance(words["revision"], int) and decode(gzip.decompress(film))["n"] == 4
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
    assert parts(sent(at)["tvbo_player"].bytes)[0]["start"] == 3
    assert json.loads(sent(at)["tvbo_live"].json)["start"] == 3


@pytest.mark.parametrize("start", [-5, 99])
def test_a_start_outside_the_film_is_its_nearest_end(start: int):
    at = AppTest.from_function(player_page)
    at.session_state["start"] = start
    at.run()
    assert at.session_state["told"] == min(max(start, 0), 3)
