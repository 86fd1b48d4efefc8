"""Real data: does any of this survive real sensors, real prices, or a file of your own?"""

from dataclasses import replace

import streamlit as st

from figures.frames import clock
from figures.theme import Theme
from lessons import LESSONS
from lessons.real_data import figure as data
from lessons.real_data import figure_details as data_tools
from lessons.real_data import model as data_lab
from lessons.real_data import panel as data_desk
from lessons.real_data import upload as own_data
from lessons.real_data import words as data_words
from lessons.real_data.knobs import REAL_MORE, REAL_SHOWN
from lessons.real_data.lesson import REAL_DATA
from lessons.shared.knobs import METHODS
from shell import drawers, player
from shell import page as lesson
from shell.bets.reveal import show_bet

ALT = "Heatmap of series over time with the best series traced, and average regret of several methods"

visit = lesson.open_lesson(REAL_DATA, LESSONS)
theme = Theme(visit.dark, visit.lecture)
show_bet(visit)
left, right = visit.columns()
with right:
    value = {"table": own_data.which()} | visit.draw(REAL_SHOWN) | visit.more(REAL_MORE)
pins = tuple(dict.fromkeys(METHODS[value[pin]] for pin in ("pin1", "pin2")))

with left:
    setting, own = data_desk.chosen(value)
    shown = visit.door(lambda: data_desk.run(setting, own))
    state = player.fingerprint("data", setting, pins, value["y"], visit.dark, visit.lecture)
    first_part = player.fingerprint("data", setting.base, visit.dark, visit.lecture)  # all that it decides alone

    def kept(name, make, by=state):
        """Kept by a state of the page: for everybody from a shipped table, in the session from an own one."""
        return data_lab.keep(setting, (by, name), make)

    ticks = clock(shown.problem.horizon, shown.switches[-40:], most=150)
    visit = replace(visit, reset=f"{visit.reset}:{setting.table}:{ticks.horizon}")
    now = ticks.frame(visit.t)
    at = lesson.anchor(state, now)
    main = kept(("main", at), lambda: data.stage(shown, pins, ticks, theme, at, value["y"]))
    visit.stage(main.figure, "main", ALT)
    frame = player.player(
        kept(("pack", at), lambda: player.pack({"main": main}, picks={"main": player.Pick("customdata")})),
        labels=kept("labels", lambda: [data_words.label(shown, row) for row in ticks.rows]),
        events=ticks.frames(shown.switches), start=now, drawn=at, revision=state, reset=visit.reset,
        times=ticks.times,
    )  # fmt: skip
    lesson.keep_time(ticks.times[frame])
    visit.finding(kept("said", lambda: data_words.finding(shown, ticks.rows)), frame)
    for note in data_words.notes(shown, value["changes"]):
        visit.note(note)
    visit.caption(data_words.caption(shown))

names, covariance = shown.problem.arm_names, shown.problem.kernel.matrix
fit, scores, places = shown.learnt.fit, shown.learnt.scores, shown.table.positions
first, second = st.columns(2, gap="medium")
with first:
    lesson.say("##### How fast does it change?")
    like = kept("like", lambda: data_tools.likelihood(fit.grid, fit.curve, fit.epsilon, (fit.low, fit.high), fit.best,
                                                      theme), first_part)  # fmt: skip
    lesson.chart(like.figure, "likelihood", "Log-likelihood of the change per step, with its interval")
    lesson.caption(data_words.likelihood(shown))
    lesson.say("##### Who moves together?")
    kernel = kept("kernel", lambda: data_tools.correlations(covariance, names, theme), first_part)
    lesson.chart(kernel.figure, "kernel", "Matrix of the correlations of the arms in the first part")
    lesson.caption(data_words.kernel(shown))
with second:
    lesson.say("##### What if the change had been guessed?")
    guesses = kept("bowl", lambda: data_tools.bowl(*data_lab.guesses(shown), theme))
    lesson.chart(guesses.figure, "bowl", "U-shaped curve: average regret of TV-GP-UCB against epsilon")
    lesson.caption(data_words.bowl(shown, min(data_lab.BOWL_SEEDS, setting.seeds)))
    lesson.say("##### How long to remember?")
    tried = kept("tried", lambda: data_tools.lengths(shown.learnt.lengths, scores, theme), first_part)
    lesson.chart(tried.figure, "lengths", "Average regret in training against the memory of three methods")
    lesson.caption(data_words.lengths(shown))
    if places is not None:
        lesson.say("##### Where are they?")
        city = kept("map", lambda: data_tools.sensor_map(covariance, places, names, shown.problem.best, theme),
                    first_part)  # fmt: skip
        lesson.chart(city.figure, "map", "Map of the sensors: size is how often each is best, brightness correlation")
        lesson.caption(data_words.MAP)
drawers.under(visit, {"Data table": lambda: data_lab.rows(shown)})
