"""Forgetting: how much of yesterday should I keep?"""

from dataclasses import replace

import streamlit as st

from figures.frames import clock
from figures.theme import Theme
from lessons import LESSONS
from lessons.forgetting import figure as memory
from lessons.forgetting import figure_estimates as memory_tools
from lessons.forgetting import figure_regret_vs_memory as bowl
from lessons.forgetting import memories as remembering
from lessons.forgetting import model as forgetting
from lessons.forgetting import panel as forgetting_desk
from lessons.forgetting import words as forgetting_words
from lessons.forgetting.knobs import FORGETTING_MORE, FORGETTING_SHOWN
from lessons.forgetting.lesson import FORGETTING
from lessons.shared import cache
from lessons.shared.knobs import TABLE_HAS_NO
from shell import drawers, player
from shell import page as lesson
from shell.bets.reveal import show_bet

ALT = "Weights of past data by age for each method, and regret against memory length as a U-shaped curve"
kept = cache.kept

visit = lesson.open_lesson(FORGETTING, LESSONS)
theme = Theme(visit.dark, visit.lecture)
show_bet(visit)
left, right = visit.columns()
with right:
    table = st.session_state["kind"] == "data"
    idle = TABLE_HAS_NO - {"alpha"} if table else {"V"} if st.session_state["kind"] == "markov" else set()
    value = visit.draw(FORGETTING_SHOWN, idle) | visit.more(FORGETTING_MORE, idle)
look, setting = forgetting.chosen(value)

with left:
    jumps, restarts, horizon = visit.door(lambda: remembering.stops(look))
    ticks = clock(horizon, remembering.landmarks(jumps, restarts, horizon), most=100)
    views = visit.door(lambda: remembering.views(look, ticks.rows))
    bowls, runs = forgetting_desk.follow(setting, ticks.rows)
    state = player.fingerprint("forgetting", look, setting, runs.mark, value["age"], value["bet"],
                               value["cover"], visit.dark, visit.lecture)  # fmt: skip
    # What does not point at a place is the same wherever the reader looks.
    steady = player.fingerprint("forgetting", replace(look, place=0.0), setting, runs.mark, value["bet"],
                                value["cover"], visit.dark, visit.lecture)  # fmt: skip
    # Other restarts are other frames: the player starts anew, at the same time.
    visit = replace(visit, reset=f"{visit.reset}:{player.fingerprint(ticks.rows)}")
    now = ticks.frame(visit.t)
    at = lesson.anchor(state + visit.reset, now)  # a moment may differ from the page in its time alone
    names = forgetting_words.called(look, setting, value["bet"], value["cover"])
    main = kept((state, "main", at), lambda: memory.stage(views, bowls, names, ticks, theme, at, value["age"]))
    visit.stage(main.figure, "main", ALT)
    beliefs = kept((state, "beliefs", at), lambda: memory_tools.beliefs(views, names, ticks, theme, at))
    films = {"main": main, "beliefs": beliefs}
    picks = {"beliefs": player.Pick(place="customdata")}
    picks |= {"main": player.Pick("customdata")} if value["age"] == "time" else {}
    frame = player.player(
        kept((state, "pack", at), lambda: player.pack(films, picks=picks)),
        labels=[forgetting_words.label(row, ticks.horizon) for row in ticks.rows],
        events=ticks.frames([*jumps, *views.restarts]), start=now, drawn=at, revision=state, reset=visit.reset,
        times=ticks.times, on_pin=forgetting_desk.pin,
    )  # fmt: skip
    lesson.keep_time(ticks.times[frame])
    said = kept((steady, "said"), lambda: forgetting_words.finding(views, bowls, look, ticks.rows, names))
    visit.finding(said, frame)
    forgetting_desk.desk(bowls, runs)
    for note in kept((steady, "notes"), lambda: forgetting_words.notes(views, bowls, look, names)):
        visit.note(note)
    visit.caption(forgetting_words.caption(views, bowls, look))

lesson.say("##### What does each memory believe now?")
lesson.chart(beliefs.figure, "beliefs", "Today's reward and the estimate with band of each of six memories")
lesson.caption(forgetting_words.BELIEFS)
if bowls.methods and not names.covered:
    lesson.say("##### The same bowl for every method")
    every = kept((steady, "every"), lambda: bowl.every(bowls, names, theme))
    lesson.chart(every.figure, "every", "Final regret of five methods against their memory, one panel a world")
    lesson.caption(forgetting_words.every(bowls, names))
drawers.under(visit, {"Data table": lambda: forgetting_words.table(bowls, names),
                       "Weights at this time": lambda: forgetting_words.weights(views, look, frame)})  # fmt: skip
