"""R-PERP, step by step: why would anyone shuffle the order of their experiments?"""

from dataclasses import replace

import streamlit as st

from figures.theme import Theme
from lessons import LESSONS
from lessons.rperp import figure as elimination
from lessons.rperp import figure_shuffles as orders
from lessons.rperp import model as stepping
from lessons.rperp import panel as desk
from lessons.rperp import words as stepping_words
from lessons.rperp.figure_scene import Scene
from lessons.rperp.knobs import RPERP_MORE, RPERP_SHOWN
from lessons.rperp.lesson import RPERP
from lessons.shared import cache
from shell import drawers, player
from shell import page as lesson
from shell.bets.reveal import show_bet

ALT = "Step diagram of restarts, batches, picks, shuffle and elimination, with a histogram of errors over shuffles"
kept = cache.kept

visit = lesson.open_lesson(RPERP, LESSONS)
theme = Theme(visit.dark, visit.lecture)
show_bet(visit)
desk.step_in(visit.reset)
left, right = visit.columns()
with right:
    idle = desk.idle(str(st.session_state["kind"]))
    value = visit.draw(RPERP_SHOWN, idle) | visit.more(RPERP_MORE, idle)
setting = stepping.chosen(value)

with left:
    show = visit.door(lambda: stepping.show(setting))
    film = stepping.film(show, value["grain"], value["interval"])
    frames = len(film.steps)
    state = player.fingerprint("rperp", setting, value["grain"], value["order"], film.interval, visit.dark,
                               visit.lecture)  # fmt: skip
    visit, here = replace(visit, reset=f"{visit.reset}:{value['grain']}:{frames}"), visit.reset
    t = desk.start(film, here, lesson.now(frames))
    drawn = min(lesson.anchor(state, t), frames - 1)
    runs = {name: show.runs[name] for name in stepping.NAMES[value["order"]]}
    main = kept((state, "main", drawn), lambda: elimination.stage(
        Scene(show.problem, film.steps, runs, show.batches, show.H, show.theorem_rounds, show.variances, show.spreads),
        theme, drawn))  # fmt: skip
    visit.stage(main.figure, "main", ALT)
    t = visit.play(
        kept((state, "said"), lambda: stepping_words.finding(film, value["order"])),
        kept((state, "labels"), lambda: stepping_words.labels(film)),
        kept((state, "pack", drawn), lambda: player.pack({"main": main})),
        events=film.events, start=t, drawn=drawn, revision=state,
    )  # fmt: skip
    desk.remember(film, here, t)
    for note in stepping_words.notes(show, value["order"]):
        visit.note(note)
    visit.caption(stepping_words.caption(show))

first, second = st.columns([3, 2])
with first:
    lesson.say("##### Does the promise hold? Eq. 9 over many worlds and shuffles")
    rows = desk.promises(show)
    titles = stepping_words.promise_titles(rows)
    bars = kept((state, "promises", rows[0].score.runs), lambda: orders.coverage(rows, titles, theme))
    lesson.chart(bars.figure, "promises", "Share of runs in which every band covered its batch average, by width")
    lesson.caption(stepping_words.promises(show, rows))
    desk.more_worlds(show, rows)
with second:
    lesson.say("##### How often should it restart?")
    lesson.say(stepping_words.restarts(show))
drawers.under(visit, {"Data table": lambda: stepping.table(show, film, t)})
