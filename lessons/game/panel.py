"""The game's table: which code is on it, a new world, and starting over."""

from __future__ import annotations

from urllib.parse import urlencode

import streamlit as st

from lessons.game import model as game
from lessons.game import words as game_words
from lessons.game.model import Game, Setting, Show
from shell.knobs import keep, write
from shell.links import permalink
from shell.page import Visit
from tvbo_core.worlds import codes as riddle


def lay(visit: Visit) -> None:
    """Put a code on the table before the knobs are drawn: a world that moves as its knob says.

    Another kind is another world; "secret" keeps the world and stops telling. A link or a typed code may name a
    world of another kind than its knob says: the code wins, and the knob says "secret" again. Prepared moments and
    "back to the start" bring their own code.
    """
    state = st.session_state
    scene, challenge, code = visit.reset, state["challenge"], state["world"]
    told = ("secret", riddle.decode(code)[0].kind)
    before = state.get("_laid")
    if before is not None and before[0] == scene and before[1] != challenge not in told and before[2] == code:
        code = state["world"] = game.fresh(challenge)
    elif challenge not in told:
        challenge = state["challenge"] = "secret"
        if state.get("_dealt") != state["_visit"]:  # Streamlit would take the link's word over ours
            state["_loose"].add("challenge")
            st.query_params.pop("challenge", None)
    state["_laid"], state["_dealt"] = (scene, challenge, code), state["_visit"]
    write(visit.lesson.knobs["world"], code)


def _new() -> None:
    code = st.session_state["world"] = game.fresh(st.session_state["challenge"])
    st.session_state["_laid"] = (*st.session_state["_laid"][:2], code)


def _typed() -> None:
    raw = st.session_state["code_box"]
    try:
        riddle.decode(raw)
    except ValueError as problem:
        said = str(problem)
        st.toast(f"{said[0].upper()}{said[1:]}. You keep the world you have.", icon="🎲")
        return
    st.session_state["world"] = riddle.tidy(raw)


def code() -> None:
    """The code, to read out or to type in, and a new one."""
    if permalink.hidden("world"):
        return
    st.session_state["code_box"] = st.session_state["world"]
    st.text_input("World code", key="code_box", on_change=_typed, max_chars=12,
                  help="Whoever types this code, or opens the link of this page, meets the same world.")  # fmt: skip
    st.button("New world", on_click=_new, key="new_world", icon=":material/casino:", width="stretch")


def over_again(setting: Setting) -> None:
    """The same world from its first round."""
    if permalink.hidden("start_over"):
        return
    st.button("Start over", on_click=game.again, args=(setting,), key="start_over", icon=":material/replay:",
              width="stretch", help="The same world from round 1. It counts as another try.")  # fmt: skip


def guesses(setting: Setting) -> None:
    """After the last round of a secret world: how did it move? Any answer shows the truth."""
    with st.container(key="guess", horizontal=True, horizontal_alignment="center", gap="small"):
        for kind, words in game_words.MOVES.items():
            st.button(f"It {words}", on_click=game.guess, args=(setting, kind), key=f"guess_{kind}")
        st.button("Just show me", on_click=game.guess, args=(setting, ""), key="guess_none", type="tertiary")


def hand_in(visit: Visit, show: Show) -> None:
    """The result as a line to copy, with the link to the same world."""
    st.markdown("##### Hand it in, or challenge somebody")
    s, knobs = show.game.setting, visit.lesson.knobs
    told = {"v": permalink.VERSION, "world": s.code, "rounds": s.rounds, "noise": f"{s.noise:g}"}
    told |= {k: knobs[k].text(v) for k in ("algos", "m") if (v := st.session_state[k]) != knobs[k].default}
    link = f"{permalink.address()}?{urlencode(told)}"  # it does not say how the world moves, which is known by now
    st.code(f"{game_words.result(show)}\n{link}", language=None, wrap_lines=True)


def reopened(played: Game) -> None:
    """A game that was left is where it was left; a reload is another session and begins anew."""
    if played.arms and not played.over and st.session_state.get("_sat") != (played.name, st.session_state["_visit"]):
        st.toast(f"Welcome back: round {len(played.arms) + 1} of {played.setting.rounds} is waiting.", icon="🎲")
    st.session_state["_sat"] = (played.name, st.session_state["_visit"])


def versus(visit: Visit, played: Game) -> str:
    """Whose path is drawn beside yours: a choice that is there once there are paths."""
    knob = visit.lesson.knobs["versus"]
    if played.revealed(str(st.session_state["challenge"])):
        return str(visit.draw(("versus",))["versus"])
    return str(keep(knob))
