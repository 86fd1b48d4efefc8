"""You against the bandits: can you stay on a peak that you cannot see, better than the bandits?"""

import streamlit as st

from figures.theme import Theme
from lessons import LESSONS
from lessons.game import component, model, panel, words
from lessons.game.knobs import GAME_MORE, GAME_SHOWN
from lessons.game.lesson import LESSON
from lessons.game.scene import drawn
from lessons.record import DATA
from shell.notation.translate import caption, markdown
from shell.page import drawers
from shell.page.frame import open_lesson
from shell.runs.run_panel import computed

visit = open_lesson(LESSON, LESSONS)
theme, table = Theme(visit.dark, visit.lecture), {DATA: None}
panel.sync_code(visit)
left, right = visit.columns(film=False)
with right:
    value = visit.values | visit.draw(GAME_SHOWN)
    setting = model.setting_from(value)
    game = panel.current(setting)
    value |= panel.after(visit, game)
    panel.code_box()
    panel.start_over_button(setting)
    value |= visit.more(GAME_MORE)

with visit.body():
    panel.needs_the_lab(visit)
    if game.revealed(value["challenge"]):
        with left:
            played = (game, value["algos"], int(value["m"]), str(value["versus"]))
            done = visit.or_stop(lambda: model.finished(*played, computed))
            scene = drawn(done, value, visit.t, theme, panel.is_narrow())
            visit.show(scene)
            panel.link_to_clicks(visit, game)
            visit.under(scene)
        first, second = st.columns(2, gap="large")
        with first:
            markdown("##### What there is to learn")
            markdown("\n".join(f"- {line}" for line in words.lessons(done)))
            for name, reason in done.field.refused.items():
                caption(f":material/info: {name} does not play here: {reason}")
        with second:
            panel.result_line(visit, done)
        table = {DATA: lambda: model.table(done)}
    else:
        with left:
            visit.hold_stage(left)
            panel.welcome_back(game)
            component.mount(visit, setting, len(value["algos"]))
            if game.over:
                panel.guess_buttons(setting)
        table = {DATA: lambda: model.notes(game)}
drawers.under(panel.with_recipe(visit, game), table)
