"""Reproductions: do the papers' tables come out when we run them?"""

from dataclasses import replace

import streamlit as st

from figures import reproductions as drawing
from figures.theme import Theme
from ui import compute, drawers, lesson, player, reproductions
from ui import reproduction_words as words
from ui.syllabus.reproductions import KEYS, REPRODUCTIONS_LESSON

ALT = "Paired dots: the printed number of each cell and ours, with bars of two standard errors, group by group"
kept = compute.kept

visit = lesson.open_lesson(REPRODUCTIONS_LESSON)
theme = Theme(visit.dark, visit.lecture)
left, right = visit.columns()
name = str(st.session_state["shown"])
with right:
    value = visit.draw(KEYS, disabled=reproductions.idle(name))

with left:
    tolerance = int(value["within"])
    board = visit.door(lambda: reproductions.board(name))
    state = player.fingerprint("reproductions", name, tolerance, board.frames, visit.dark, visit.lecture)
    visit = replace(visit, reset=f"{visit.reset}:{name}")
    start = lesson.now(board.frames)
    drawn = min(lesson.anchor(state + visit.reset, start), board.frames - 1)
    main = kept((state, "main", drawn), lambda: drawing.stage(board, theme, drawn))
    visit.stage(main.figure, "main", ALT)
    visit.play(
        lambda: kept((state, "said"), lambda: words.finding(board, tolerance)),
        [words.label(board, r) for r in range(board.frames)],
        kept((state, "pack", drawn), lambda: player.pack({"main": main})),
        events=reproductions.pace(board), start=start, drawn=drawn, revision=state,
    )  # fmt: skip
    st.caption(words.caption(board))

st.markdown("#### What is said about it, and what was measured")
st.markdown(words.statements(board))
first, second = st.columns(2, gap="large")
with first:
    st.markdown("#### Set-up")
    st.markdown(words.choices(board))
with second:
    st.markdown("#### Rates, compared exactly")
    st.markdown(words.rates())
    st.markdown("#### Not attempted")
    st.markdown(words.not_tried())
drawers.under(visit, {"Data table": lambda: words.table(board)})
