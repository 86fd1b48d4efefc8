"""Theorems: is this already as good as possible, or is there room to improve?"""

from dataclasses import replace

import streamlit as st

from figures.theme import Theme
from lessons import LESSONS
from lessons.shared import cache
from lessons.shared import worlds as world
from lessons.theorems import figure as theory
from lessons.theorems import figure_bound_vs_regret as meeting
from lessons.theorems import model as theorems
from lessons.theorems import runs as theorem_runs
from lessons.theorems import tables as theorem_tables
from lessons.theorems import words as theorem_words
from lessons.theorems.knobs import visible
from lessons.theorems.lesson import THEOREMS_LESSON
from shell import drawers, player
from shell import page as lesson
from shell.bets.reveal import show_bet

ALT = "Ladder of regret exponents with a ceiling at one and the lower bound, log–log slopes and a validity map"
kept = cache.kept

visit = lesson.open_lesson(THEOREMS_LESSON, LESSONS)
theme = Theme(visit.dark, visit.lecture)
show_bet(visit)
left, right = visit.columns()
with right:
    shown, more = visible(st.session_state["measure"])
    value = visit.draw(shown) | visit.more(more)
asked = theorems.asked(value)

with left:
    sweep = kept(("sweep", repr(asked)), lambda: theorems.sweep(asked))
    state = player.fingerprint("theorems", asked, visit.dark, visit.lecture)
    start = theorems.opening(asked, lesson.now(sweep.frames), visit.reset)
    visit = replace(visit, reset=f"{visit.reset}:{asked.measure}")
    drawn = min(lesson.anchor(state + visit.reset, start), sweep.frames - 1)
    main = kept((state, "main", drawn), lambda: theory.stage(sweep, theme, drawn))
    visit.stage(main.figure, "main", ALT)
    frame = visit.play(
        lambda: kept((state, "said"), lambda: theorem_words.finding(sweep)),
        kept((state, "labels"), lambda: [theorem_tables.label(asked, i) for i in range(sweep.frames)]),
        kept((state, "pack", drawn), lambda: player.pack({"main": main}, picks={"main": player.Pick("customdata")})),
        events=theorem_tables.events(asked), start=start, drawn=drawn, revision=state,
    )  # fmt: skip
    for note in theorem_words.notes(sweep, frame):
        visit.note(note)
    visit.caption(theorem_words.caption(sweep))

first, second = st.columns([1, 1], gap="large")
with first:
    value |= visit.draw(("card",))
    lesson.say(theorem_words.card(asked, frame, value["card"])[1])
with second:
    lesson.say(f"##### Every bound at {theorem_tables.label(asked, frame)}, d = {asked.d}")
    lesson.say(theorem_words.bounds(asked, frame))
    lesson.caption(theorem_words.TABLE)

lesson.say("#### Bounds meet runs")
chosen = st.columns([2, 1, 2])
for column, key in zip(chosen, ("case", "arena"), strict=False):
    with column:
        value |= visit.draw((key,))
setting = theorem_runs.chosen(value, world.build)
found, played = visit.door(lambda: theorem_runs.follow(setting))
runs = player.fingerprint("meeting", setting, found.done, visit.dark, visit.lecture)
lesson.say(theorem_words.meeting(found))
between = kept((runs, "meeting"), lambda: meeting.meeting(found, setting.rule.name, theme))
lesson.chart(between.figure, "meeting", "Measured regret between upper and lower bound, and the bound in its terms")
theorem_runs.watch(found, played)
lesson.caption(theorem_words.runs_caption(found))

lesson.say("#### Why nobody can do better: the adversary")
hidden = theorem_runs.hidden(setting)
lesson.chart(kept((runs, "hidden"), lambda: meeting.adversary(hidden, theme)).figure, "adversary",
             "The bumps that might be real, and the place of the real one over time")  # fmt: skip
lesson.caption(theorem_words.adversary(hidden))
st.page_link(LESSONS[3].file, label="Race any algorithm in this world", icon=":material/flag:",
             query_params=theorem_runs.race_link(hidden))  # fmt: skip
drawers.under(visit, {"Data table": lambda: theorem_runs.table(found),
                       "Bounds as a table": lambda: theorem_tables.table(asked, frame)})  # fmt: skip
