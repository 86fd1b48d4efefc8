"""You against the bandits: can you stay on a peak that you cannot see, better than the bandits?"""

from dataclasses import replace

import streamlit as st

from figures.theme import Theme
from lessons import LESSONS
from lessons.game import component as game_stage
from lessons.game import figure as drawing
from lessons.game import model as game
from lessons.game import panel as game_desk
from lessons.game import words
from lessons.game.knobs import GAME_MORE, GAME_SHOWN
from lessons.game.lesson import GAME
from lessons.shared import cache
from shell import drawers, player
from shell import page as lesson

ALT = "The hidden reward round by round with your questions and a bandit's, and the regret of everybody with places"
kept = cache.kept

visit = lesson.open_lesson(GAME, LESSONS)
theme = Theme(visit.dark, visit.lecture)
game_desk.lay(visit)
left, right = visit.columns()
with right:
    value = visit.draw(GAME_SHOWN)
    setting = game.chosen(value)
    game_desk.code()
    game_desk.over_again(setting)
    value |= visit.more(GAME_MORE)
    played = game.sit(setting)
    versus = game_desk.versus(visit, played)

seen = played.revealed(value["challenge"])

with left:
    if seen:
        show = visit.door(lambda: game.show(played, value["algos"], int(value["m"]), versus))
        narrow = bool(st.session_state.get("_narrow"))
        look = (versus, narrow, visit.dark, visit.lecture)
        state = player.fingerprint("game", played, value["algos"], value["m"], look)
        visit = replace(visit, reset=f"{visit.reset}:{played.name}")
        t = lesson.now(setting.rounds)
        drawn = min(lesson.anchor(state + visit.reset, t), setting.rounds - 1)
        main = kept((state, "main", drawn), lambda: drawing.stage(
            show.duel, show.coloured, show.versus, show.asked, theme, drawn, narrow))  # fmt: skip
        if narrow:
            lesson.chart(main.figure, "main", ALT)
        else:
            visit.stage(main.figure, "main", ALT)
        visit.play(
            lambda: kept((state, "said"), lambda: words.finding(show)), words.labels(show),
            kept((state, "pack", drawn), lambda: player.pack({"main": main})),
            events=game.stops(show), start=t, drawn=drawn, revision=state, span=(-0.02, 1.02),
        )  # fmt: skip
        visit.caption(words.caption(show, int(value["m"])))
    else:
        visit.finding([words.rules(played, len(value["algos"]))], 0)
        game_desk.reopened(played)
        look = {"ink": theme.ink, "soft": theme.soft_ink, "paper": theme.paper, "grid": theme.grid,
                "tick": theme.tick, "label": theme.label, "marker": theme.marker, "hall": theme.lecture}  # fmt: skip
        game_stage.play(setting, look)
        if played.over:
            game_desk.guesses(setting)

if seen:
    first, second = st.columns(2, gap="large")
    with first:
        lesson.say("##### What there is to learn")
        lesson.say("\n".join(f"- {line}" for line in words.lessons(show)))
        for name, reason in show.field.refused.items():
            lesson.caption(f":material/info: {name} does not play here: {reason}")
    with second:
        game_desk.hand_in(visit, show)
drawers.under(visit, {"Data table": lambda: game.table(show) if seen else game.notes(played)})
