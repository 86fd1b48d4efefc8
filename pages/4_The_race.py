"""The race: who should I bet on if the world might move?"""

from dataclasses import replace

import streamlit as st

from figures import bet as wager
from figures.frames import clock
from figures.theme import Theme
from lessons import LESSONS
from lessons.race import figure as track
from lessons.race import figure_details as race_tools
from lessons.race import model as racing
from lessons.race import panel as race_desk
from lessons.race import words as race_words
from lessons.race.knobs import RACE_MORE, RACE_SHOWN
from lessons.race.lesson import RACE
from lessons.shared import cache
from lessons.shared.knobs import METHODS, TABLE_HAS_NO
from shell import drawers, player
from shell import page as lesson
from shell.bets.reveal import show_bet

ALT = "Cumulative regret in a still and a jumping world joined by a slopegraph of final ranks"
kept = cache.kept

visit = lesson.open_lesson(RACE, LESSONS)
theme = Theme(visit.dark, visit.lecture)
show_bet(visit, wager.strip, theme)
left, right = visit.columns()
with right:
    table = st.session_state["kind"] == "data"
    idle = TABLE_HAS_NO if table else {"V", "B"} if st.session_state["scale"] == "drawn" else set()
    value = visit.draw(RACE_SHOWN, idle)
    value |= visit.more(RACE_MORE, idle)
setting = racing.chosen(value)

with left:
    race, runs = visit.door(lambda: race_desk.follow(setting))
    if race is None or not race.lanes:
        for said in [race_words.WAIT] if race is None else race_words.refused(race):
            st.info(said, icon="🧭")
        race_desk.desk(runs)
        st.stop()
    names = race.lanes[0].names
    wished = (METHODS[st.session_state[pin]] for pin in ("pin1", "pin2"))
    pins = tuple(dict.fromkeys(pin for pin in wished if pin in names)) or names[:1]
    colours = racing.coloured(names, pins)
    titles = race_words.titles(race.lanes)
    state = player.fingerprint("race", setting, runs.mark, pins, value["y"], value["logs"], visit.dark,
                               visit.lecture)  # fmt: skip
    # The frames follow the worlds alone, so that they stay the same while results come in.
    ticks = clock(race.lanes[0].horizon, [row for lane in race.lanes for row in lane.jumps], most=150)
    stops = sorted({ticks.frame(row + 1) for lane in race.lanes for row in lane.stops})
    visit = replace(visit, reset=f"{visit.reset}:{ticks.horizon}")
    now = ticks.frame(visit.t)
    at = lesson.anchor(state, now)
    main = kept((state, "main", at), lambda: track.stage(race.lanes, titles, colours, pins, ticks, theme, at,
                                                         value["y"], value["logs"]))  # fmt: skip
    visit.stage(main.figure, "main", ALT)
    height = 380 if visit.lecture else 270
    # The first seed's questions stay the same while more seeds come in.
    asked = ("looks", race.lanes[-1].world, setting.memory, setting.width, pins, ticks, theme, at)
    looks = kept(asked, lambda: race_tools.looking(race.lanes[-1], pins, ticks, theme, at, height))
    films = {"main": main, "looks": looks}
    click = {key: player.Pick("customdata") for key in films}
    frame = player.player(
        kept((state, "pack", at), lambda: player.pack(films, picks=click)),
        labels=[race_words.label(row, ticks.horizon) for row in ticks.rows], events=stops, start=now,
        drawn=at, revision=state, reset=visit.reset, times=ticks.times,
    )  # fmt: skip
    lesson.keep_time(ticks.times[frame])
    visit.finding(kept((state, "said"), lambda: race_words.finding(race, ticks.rows)), frame)
    race_desk.desk(runs)
    lost = kept((state, "lost"), lambda: [racing.lost_for_good(setting, lane) for lane in race.lanes])
    for note in race_words.notes(race, lost):
        visit.note(note)
    visit.caption(race_words.caption(race, pins))

lesson.say(f"##### Where are they looking? {titles[-1]}, seed {race.lanes[-1].world.seed}")
with st.container(horizontal=True, key="pins"):
    visit.draw(("pin1", "pin2"))
lesson.chart(looks.figure, "looks", "Questions of the two pinned methods over the reward of every action and time")
lesson.caption(race_words.LOOKS)
first, second = st.columns(2)
order, wins, held = racing.duels(race, len(race.lanes) - 1)
with first:
    lesson.say(f"##### Who beats whom? {titles[-1]}")
    lesson.chart(kept((state, "duels"), lambda: race_tools.duels(order, wins, held, theme)).figure, "duels",
                 "Matrix of how many seeds each method ends with less regret than each other")  # fmt: skip
    lesson.caption(race_words.DUELS)
with second:
    lesson.say(f"##### What does it cost? {titles[-1]}")
    lesson.chart(kept((state, "ledger"), lambda: race_tools.ledger(race.lanes[-1], order, theme)).figure, "ledger",
                 "Final regret of every seed beside the time of one step")  # fmt: skip
    lesson.caption(race_words.SPEED)
drawers.under(visit, {"Data table": lambda: racing.table(race, titles)})
