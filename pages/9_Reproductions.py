"""Reproductions: do the papers' tables come out when we run them?"""

from dataclasses import replace

import streamlit as st

from figures.theme import Theme
from lessons import LESSONS
from lessons.reproductions import figure as drawing
from lessons.reproductions import figure_entry as closeup
from lessons.reproductions import figure_overview as evidence
from lessons.reproductions import model as reproductions
from lessons.reproductions import overview_words as evidence_words
from lessons.reproductions import panel as desk
from lessons.reproductions import rerun as reruns
from lessons.reproductions import rerun_words as reruns_words
from lessons.reproductions import words
from lessons.reproductions.lesson import REPRODUCTIONS_LESSON
from lessons.shared import cache
from shell import drawers, player
from shell import page as lesson
from shell.bets.reveal import show_bet

ALT = "Paired dots: the printed number of each entry and ours, with bars of two standard errors, group by group"
WALL = "One row a table or figure of the papers, one mark a printed entry or statement: agrees, within chance, differs"
SEEDS = "Regret of each seed of one entry, their mean and the printed number, with what was run again"
CLOCK = "Time of a step of each method on a logarithmic axis, over all rounds and over the last tenth"
kept = cache.kept

visit = lesson.open_lesson(REPRODUCTIONS_LESSON, LESSONS)
theme = Theme(visit.dark, visit.lecture)
show_bet(visit)
left, right = visit.columns()
name = str(st.session_state["shown"])
with right:
    value = desk.knobs(visit, reproductions.idle(name))
tolerance = int(value["within"])

with left:
    wall = desk.at_wall()
    board = visit.door(lambda: desk.listed(value) if wall else reproductions.board(name))
    frames = len(board) + 1 if wall else board.frames
    cell = 0 if wall else desk.chosen(visit, board)
    state = player.fingerprint("reproductions", name, tolerance, repr(board) if wall else cell, frames, theme)
    visit = replace(visit, reset=f"{visit.reset}:{name}:{frames}")
    start = lesson.now(frames)
    at = min(lesson.anchor(state + visit.reset, start), frames - 1)
    main = kept((state, "main", at), lambda: evidence.stage(board, theme, at) if wall
                else drawing.stage(board, theme, at, cell))  # fmt: skip
    visit.stage(main.figure, "main", WALL if wall else ALT)
    pick = player.Pick(time="customdata") if wall else player.Pick(place="customdata")
    say, told = (evidence_words, board) if wall else (words, board)
    frame = player.player(
        kept((state, "pack", at), lambda: player.pack({"main": main}, picks={"main": pick})),
        labels=[say.label(told, r) for r in range(frames)],
        events=range(0, frames, 4) if wall else reproductions.pace(board),
        start=start, drawn=at, revision=state, reset=visit.reset, on_pin=desk.clicked,
    )  # fmt: skip
    lesson.keep_time(frame)
    visit.finding(kept((state, "said"), lambda: say.finding(told, tolerance)), frame)

if wall:
    entry = board[frame] if frame < len(board) else None
    desk.doors(entry)
    visit.caption(evidence_words.UNDER)
    if entry is not None:
        lesson.say(f"#### {entry.title}")
        lesson.say(evidence_words.statements(entry))
    desk.drawer(lambda: evidence_words.table(board), evidence_words.wall_files(board))
    drawers.under(visit, {})
    st.stop()

visit.caption(words.caption(board))
with st.container(horizontal=True, vertical_alignment="center", key="account"):
    desk.back()
    lesson.caption(evidence_words.account(tolerance))
item, height = reproductions.cell(board, cell), 460 if visit.lecture else 330
one, about = st.columns([3, 2], gap="large")
with one:
    desk.choose(visit, board)
    again = desk.again(item)
    pieces = reruns.drawn(item, again)
    look = kept((state, "seeds", tuple(again)), lambda: closeup.closeup(item, *pieces, theme, height))
    lesson.chart(look.figure, "seeds", SEEDS)
    lesson.caption(reruns_words.caption(item))
    desk.desk(item)
    lesson.say(reruns_words.again(item, again))
with about:
    lesson.say(reruns_words.facts(item, board.report))
    if board.clocks is not None:
        clock = kept((state, "clock"), lambda: closeup.clocks(board.rows, board.clocks, theme, height))
        lesson.chart(clock.figure, "clock", CLOCK)
        lesson.caption(reruns_words.CLOCK)
desk.words_below(board)
desk.drawer(lambda: words.table(board), evidence_words.board_files(board))
drawers.under(visit, {})
