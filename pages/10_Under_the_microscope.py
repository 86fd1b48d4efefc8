"""Under the microscope: which printed statements need care, and can I see it for myself?"""

from dataclasses import replace

import streamlit as st

from figures.theme import Theme
from lessons import LESSONS
from lessons.microscope import figure as glass
from lessons.microscope import model as microscope
from lessons.microscope import words
from lessons.microscope.knobs import visible
from lessons.microscope.lesson import MICROSCOPE
from lessons.shared import cache
from shell import drawers, player
from shell import page as lesson
from shell.bets.reveal import show_bet

ALT = "A printed statement, its careful reading and what is measured over a sweep, and a closer look at one place"
kept = cache.kept

visit = lesson.open_lesson(MICROSCOPE, LESSONS)
theme = Theme(visit.dark, visit.lecture)
show_bet(visit)
left, right = visit.columns()
with right:
    key = str(st.session_state["statement"])
    shown, rest = visible(key)
    value = visit.draw(shown)
    if "seed" in shown:
        st.button("Run it again", on_click=microscope.again, icon=":material/casino:", width="stretch")
    visit.keep(rest)
    visit.more(())

with left:
    setting = microscope.setting(key, value)
    found = visit.door(lambda: microscope.look(key, setting))
    state = player.fingerprint("microscope", key, setting, visit.dark, visit.lecture)
    start = microscope.opening(found, lesson.now(found.frames), visit.reset)
    visit = replace(visit, reset=f"{visit.reset}:{key}")
    drawn = min(lesson.anchor(state + visit.reset, start), found.frames - 1)
    main = kept((state, "main", drawn), lambda: glass.stage(found, theme, drawn))
    visit.stage(main.figure, "main", ALT)
    frame = visit.play(
        lambda: kept((state, "said"), lambda: words.finding(found)),
        [words.label(found, i) for i in range(found.frames)],
        kept((state, "pack", drawn), lambda: player.pack({"main": main})),
        events=microscope.events(found), start=start, drawn=drawn, revision=state,
    )  # fmt: skip
    visit.caption(words.caption(found, setting.seed))

printed, read, why = words.card(key)
lesson.say(why)
for column, title, form in zip(st.columns(2), (words.COPY, "As the lab reads it"), (printed, read), strict=True):
    with column.container(border=True, height="stretch"):
        lesson.say(f"**{title}**  \n{form}")
microscope.check(found, setting, frame)
lesson.say("#### All statements")
lesson.say(words.listing())
lesson.caption(words.ELSEWHERE)
drawers.under(visit, {"Data table": lambda: words.table(found)})
