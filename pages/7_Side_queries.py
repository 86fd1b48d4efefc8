"""Side queries: if I may re-ask old questions, how few re-asks are enough?"""

from dataclasses import replace

import streamlit as st

from figures.frames import clock
from figures.theme import Theme
from lessons import LESSONS
from lessons.shared import cache
from lessons.shared.knobs import TABLE_HAS_NO
from lessons.side_queries import figure as queries
from lessons.side_queries import figure_budget as plans
from lessons.side_queries import figure_window as picks
from lessons.side_queries import model as asking
from lessons.side_queries import panel as asking_desk
from lessons.side_queries import window as asking_glass
from lessons.side_queries import words as asking_words
from lessons.side_queries.knobs import PLAN, QUERIES_MORE, QUERIES_SHOWN
from lessons.side_queries.lesson import QUERIES
from shell import drawers, player
from shell import page as lesson
from shell.bets.reveal import show_bet
from shell.knobs import draw

ALT = "Two bar-codes of re-asked queries over time and a log–log plot of totals against the proved minimum"
kept = cache.kept

visit = lesson.open_lesson(QUERIES, LESSONS)
theme = Theme(visit.dark, visit.lecture)
show_bet(visit)
left, right = visit.columns()
with right:
    value = visit.draw(QUERIES_SHOWN)
    idle = set(TABLE_HAS_NO) - {"alpha"} if st.session_state["kind"] == "data" else set()
    idle |= {"V", "B"} if st.session_state["scale"] == "drawn" else set()
    idle |= asking.OF_THE_WORLD if st.session_state["papers"] else set()
    value |= visit.more(QUERIES_MORE, idle)
setting = asking.chosen(value)

with left:
    show, board, runs = visit.door(lambda: asking_desk.follow(setting))
    totals = asking_glass.grown(show)
    state = player.fingerprint("queries", setting, runs.mark, visit.dark, visit.lecture)
    ticks = clock(show.horizon, show.starts.tolist(), most=150)
    visit = replace(visit, reset=f"{visit.reset}:{show.horizon}")
    now = ticks.frame(visit.t)
    at = min(lesson.anchor(state, now), len(ticks.rows) - 1)
    main = kept((state, "main", at), lambda: queries.stage(show, *asking.estimate(show, ticks.rows), board, totals,
                                                           setting.alpha, ticks, theme, at))  # fmt: skip
    visit.stage(main.figure, "main", ALT)
    frame = player.player(
        kept((state, "pack", at), lambda: player.pack({"main": main}, picks={"main": player.Pick("customdata")})),
        labels=kept((state, "labels"), lambda: [asking_words.label(show, row) for row in ticks.rows]),
        events=ticks.frames(show.starts.tolist()), start=now, drawn=at, revision=state, reset=visit.reset,
        times=ticks.times,
    )  # fmt: skip
    lesson.keep_time(ticks.times[frame])
    visit.finding(kept((state, "said"), lambda: asking_words.finding(show, board, ticks.rows)), frame)
    asking_desk.desk(runs)
    for note in asking_words.notes(show, board):
        visit.note(note)
    visit.caption(asking_words.caption(show, board))

row = ticks.rows[frame]
window = max(show.window(row), 1)
place = "arm" if show.problem.arm_names else "action x"
lesson.say(asking_words.STATUS)
lesson.say("##### Which old questions? The pick at this window")
found = asking_glass.picks(setting, window)
picked = kept((state, "picks", window), lambda: picks.picks(found, show.x, place, theme))
lesson.chart(picked.figure, "picks", "Past inputs, the chosen ones and the correlation of the chosen set, three ways")
lesson.caption(asking_words.picks(found))
first, second = st.columns(2)
with first:
    lesson.say("##### May the sparse estimate be trusted?")
    both = draw(QUERIES.knobs["vari"], bound="vari" not in st.session_state["_loose"])
    sizes = asking_glass.sizes(setting, window)
    trusted = kept((state, "trust", window, both),
                   lambda: picks.trust(*asking.trusted(show), sizes, window - 1, found.size, both, theme))  # fmt: skip
    lesson.chart(trusted.figure, "trust", "Variance ratio to the full posterior, by window and by number of points")
    lesson.caption(asking_words.trust(show, sizes, window, asking_glass.gains(setting)))
with second:
    lesson.say("##### What each posterior believes now")
    width, believed = asking.width(show, row), asking_glass.beliefs(setting, row)
    drawn = kept((state, "beliefs", row, both),
                 lambda: picks.beliefs(believed, show.x, place, width, both, theme))  # fmt: skip
    lesson.chart(drawn.figure, "beliefs", "Today's reward with the estimate that is used and the variational one")
    lesson.caption(asking_words.beliefs(believed, row, width))
lesson.say("##### Plan: what can I afford?")
with st.container(horizontal=True, key="plan_knobs"):
    wish = visit.draw(PLAN)
bought = asking_glass.plan(int(wish["far"]), setting.alpha, int(wish["d"]), int(wish["budget"]))
lesson.say(asking_words.plan(bought, setting.q))
qs, costs, best = asking_glass.priced(bought, setting.q)
priced = kept(("plan", repr(bought), qs, visit.dark, visit.lecture),
              lambda: plans.planner(asking_glass.WINDOW_EXPONENTS, qs, costs, bought, best, setting.q,
                                    theme))  # fmt: skip
lesson.chart(priced.figure, "plan", "Number of questions against the window exponent, with the budget")
drawers.under(visit, {"Data table": lambda: asking.table(show)})
