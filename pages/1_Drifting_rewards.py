"""Drifting rewards: if the best action keeps moving, how much has the world really changed?"""

from dataclasses import replace

import streamlit as st

from figures import arms, drift
from figures.side import Side, clock
from figures.theme import Theme
from tvbo_core import World
from ui import compute, drift_words, lesson, player, world
from ui.controls import KNOBS
from ui.lesson import Lesson, Moment

ALT = (
    "Two reward landscapes over time, one gliding, one jumping, with the best action marked and the running drift "
    "budget beside them"
)
BASE = World(kind="glide", budget=4.0, horizon=200, switches=1)
MARKOV = {"kind": "markov", "pair": "matern", "eps": 0.01, "ell": 0.2, "nu": "∞", "T": 300}
DENG = {"kind": "jumps", "pair": "glide", "scale": "drawn", "switches": 2, "T": 500, "ell": 0.2, "nu": "∞"}
LESSON = Lesson(
    number=1,
    title="Drifting rewards",
    question="If the best action keeps moving, how much has the world really changed?",
    knobs={**{k: KNOBS[k] for k in ("kind", "pair", "V", "T", "nu", "ell", "eps", "alpha", "B", "switches", "scale",
                                    "data")}, "seed": KNOBS["seed"].but(default=47)},
    moments=(
        Moment("Same budget, two worlds",
               "Same bill, two very different worlds. And look: even when the hill glides, the summit jumps.", 119),
        Moment("Bogunovic et al., Figure 1",
               "One recipe, two kernels: the rougher reward moves more for the same ε.", 244, MARKOV),
        Moment("Deng et al., abrupt",
               "Two jumps in five hundred rounds; on the right the same first change, spread out.", 201, DENG),
    ),
    t=119,
    words="assets/words/1_drift.md",
)  # fmt: skip


def controls(kinds: set[str], drawn: bool) -> dict:
    """Five visible knobs (the fourth and fifth follow the kind), the others in a drawer."""
    table, free = "data" in kinds, drawn or not kinds & {"glide", "jumps", "cyclic", "rough"}
    own = "eps" if "markov" in kinds else "alpha" if "rough" in kinds else "nu"
    shown = ("kind", "data", "V", "T") if table else ("kind", "pair", "V", "T", own)
    idle = {"pair", "nu", "ell", "eps", "alpha", "B", "switches", "scale", "V"} if table else set()
    idle |= {"V"} if free else set()
    idle |= {"B"} if drawn else set()
    value = visit.draw(shown, idle)
    if table or free:
        st.caption(drift_words.no_budget(kinds, drawn))
    with st.popover("More…", width="stretch"):
        value |= visit.draw([k for k in LESSON.knobs if k not in shown], idle)
        lesson.reset_button(LESSON)
    return value


visit = lesson.open_lesson(LESSON)
theme = Theme(visit.dark, visit.lecture)
chosen = st.session_state
kinds = {chosen["kind"]} if chosen["kind"] == "data" else {chosen["kind"], chosen["pair"]} - {"none", "matern"}
left, right = visit.columns()
with right:
    value = controls(kinds, chosen["scale"] == "drawn")
first = world.build(value, BASE)
worlds = [first]
if value["pair"] == "matern" and first.kind != "data":
    worlds.append(world.build({**value, "nu": "3/2"}, BASE))
elif value["pair"] != "none" and first.kind != "data":
    worlds.append(world.build({**value, "kind": value["pair"]}, BASE))

with left:
    shows = visit.door(lambda: [compute.drift_show(w) for w in worlds])
    titles = drift_words.titles(shows)
    names = [short for _, short in titles]
    horizon = shows[0].problem.horizon
    state = player.fingerprint("drift", worlds, visit.dark, visit.lecture)
    stops = sorted({row for show in shows for row in show.stops})
    ticks = compute.kept((state, "clock"), lambda: clock(horizon, stops))
    visit = replace(visit, reset=f"{visit.reset}:{horizon}")  # another horizon keeps the time, not the frame
    now = ticks.frame(visit.t)
    at = lesson.anchor(state, now)

    def draw() -> object:
        sides = [Side(*title, role, s.problem, s.moved, s.tied, s.longest_hops, s.unit or "reward f<sub>t</sub>(x)") for title, role, s in
                 zip(titles, ("first", "second"), shows, strict=False)]  # fmt: skip
        if sides[0].problem.arm_names is not None:
            return arms.table(sides[0], ticks, theme, at)
        return drift.worlds(sides, ticks, theme, at)

    film = compute.kept((state, "film", at), draw)
    visit.stage(film.figure, "main", ALT)
    said = compute.kept((state, "said"), lambda: drift_words.finding(shows, names))
    frame = player.player(
        compute.kept((state, "pack", at), lambda: player.pack({"main": film}, picks={"main": player.Pick("customdata")})),
        labels=compute.kept((state, "labels"), lambda: [drift_words.label(shows[0], row) for row in ticks.rows]),
        events=ticks.frames(stops), start=now, drawn=at, revision=state, reset=visit.reset, times=ticks.times,
    )  # fmt: skip
    lesson.keep_time(ticks.times[frame])
    visit.finding([said[row] for row in ticks.rows], frame)
    for note in drift_words.notes(shows, names):
        st.caption(f":material/info: {note}")
    st.caption(drift_words.caption(shows, names))
lesson.drawers(visit, {"Data table": lambda: compute.drift_table(shows, names)})
