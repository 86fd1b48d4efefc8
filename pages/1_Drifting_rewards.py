"""Drifting rewards: if the best action keeps moving, how much has the world really changed?"""

from dataclasses import replace

import streamlit as st

from figures.frames import Side, clock
from figures.theme import Theme
from lessons import LESSONS
from lessons.drift import figure as drift
from lessons.drift import figure_table as arms
from lessons.drift import model as drift_model
from lessons.drift import words as drift_words
from lessons.drift.knobs import DRIFT_KEYS, DRIFT_WORLD
from lessons.drift.lesson import DRIFT
from lessons.shared import cache
from lessons.shared import worlds as world
from lessons.shared.knobs import TABLE_HAS_NO
from shell import drawers, player
from shell import page as lesson
from shell.bets.reveal import show_bet

ALT = (
    "Two reward landscapes over time, one gliding, one jumping, with the best action marked and the running "
    "drift budget beside them"
)


def controls(kinds: set[str], drawn: bool) -> dict:
    """Five visible knobs (the second and the last follow the kind), the others in a drawer."""
    table, fixed = "data" in kinds, drawn or not kinds & {"glide", "jumps", "cyclic", "rough"}
    own = "eps" if "markov" in kinds else "alpha" if "rough" in kinds else "nu"
    shown = ("kind", "data", "V", "T") if table else ("kind", "pair", "V", "T", own)
    idle = TABLE_HAS_NO if table else ({"V"} if fixed else set()) | ({"B"} if drawn else set())
    value = visit.draw(shown, idle)
    if fixed:
        lesson.caption(drift_words.no_budget(kinds, drawn))
    return value | visit.more([k for k in (*DRIFT_KEYS, "seed") if k not in shown], idle)


visit = lesson.open_lesson(DRIFT, LESSONS)
theme = Theme(visit.dark, visit.lecture)
show_bet(visit)
left, right = visit.columns()
with right:
    kind, pair = st.session_state["kind"], st.session_state["pair"]
    kinds = {kind} if kind == "data" else {kind, pair} - {"none", "matern"}
    value = controls(kinds, st.session_state["scale"] == "drawn")
worlds = world.pair(value, DRIFT_WORLD)

with left:
    shows = visit.door(lambda: [drift_model.drift_show(w) for w in worlds])
    titles = drift_words.titles(shows)
    names = [short for _, short in titles]
    state = player.fingerprint("drift", worlds, visit.dark, visit.lecture)
    stops = sorted({row for show in shows for row in show.stops})
    ticks = cache.kept((state, "clock"), lambda: clock(shows[0].problem.horizon, stops))
    # Another horizon starts the player anew: a long film skips rounds, so the time is kept and not the frame.
    visit = replace(visit, reset=f"{visit.reset}:{ticks.horizon}")
    now = ticks.frame(visit.t)
    at = lesson.anchor(state, now)

    def draw() -> object:
        sides = [
            Side(*title, role, s.problem, s.moved, s.tied, s.longest_hops, s.unit)
            for title, role, s in zip(titles, ("first", "second"), shows, strict=False)
        ]
        table = sides[0].problem.arm_names is not None
        return arms.table(sides[0], ticks, theme, at) if table else drift.worlds(sides, ticks, theme, at)

    film = cache.kept((state, "film", at), draw)
    visit.stage(film.figure, "main", ALT)
    picks = {"main": player.Pick("customdata")}
    pack = cache.kept((state, "pack", at), lambda: player.pack({"main": film}, picks=picks))
    labels = cache.kept((state, "labels"), lambda: [drift_words.label(shows[0], row) for row in ticks.rows])
    frame = player.player(
        pack, labels=labels, events=ticks.frames(stops), start=now, drawn=at, revision=state,
        reset=visit.reset, times=ticks.times,
    )  # fmt: skip
    lesson.keep_time(ticks.times[frame])
    said = cache.kept((state, "said"), lambda: drift_words.finding(shows, names, ticks.rows))
    visit.finding(said, frame)
    for note in drift_words.notes(shows, names):
        visit.note(note)
    visit.caption(drift_words.caption(shows, names))
drawers.under(visit, {"Data table": lambda: drift_model.drift_table(shows, names)})
