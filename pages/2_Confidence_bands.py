"""Confidence bands: how sure can I be about the whole curve, and am I still sure if it moves?"""

import streamlit as st

from figures.theme import Theme
from lessons import LESSONS
from lessons.bands import figure as bands
from lessons.bands import figure_details as band_tools
from lessons.bands import model as bands_model
from lessons.bands import words as band_words
from lessons.bands.knobs import BANDS_MORE, BANDS_SHOWN, BANDS_WORLD
from lessons.bands.lesson import BANDS
from lessons.bands.model import Assumed
from lessons.shared import cache
from lessons.shared import worlds as world
from shell import drawers, player
from shell import page as lesson
from shell.bets.reveal import show_bet
from shell.knobs import draw

ALT = "Five confidence bands around the same data, each marked as still covering or missing the current reward curve"
kept = cache.kept

visit = lesson.open_lesson(BANDS, LESSONS)
theme = Theme(visit.dark, visit.lecture)
show_bet(visit)
left, right = visit.columns()
with right:
    kind = st.session_state["kind"]
    fixed = {"still": {"V"}, "markov": {"V"}, "data": {"V", "sigma"}}.get(kind, set())
    value = visit.draw(BANDS_SHOWN, disabled=fixed)
    value |= visit.more(BANDS_MORE)
setting = world.build(value, BANDS_WORLD)
assumed = Assumed(value["Bhat"], value["delta"], value["c"], value["ridge"], value["design"], value["match"],
                  setting.horizon)  # fmt: skip

with left:
    frames = visit.door(lambda: bands_model.band_frames(setting, assumed))
    state = player.fingerprint(setting, assumed, value["view"], value["front"], visit.dark, visit.lecture)
    t = lesson.now(frames)
    drawn = min(lesson.anchor(state, t), frames - 1)

    show = visit.door(lambda: bands_model.band_show(setting, assumed))
    scene = bands.Scene(show.films, show.truth, show.history, show.misses, show.first_miss, show.moving, show.unit)
    main = kept(("main", state, drawn), lambda: bands.stage(scene, theme, drawn, value["view"], value["front"]))
    visit.stage(main.figure, "main", ALT)
    widths = kept(("widths", state, drawn), lambda: band_tools.widths(show.films, theme, drawn))
    t = visit.play(
        lambda: kept(("said", state), lambda: band_words.finding(show, value["Bhat"])),
        kept(("labels", frames), lambda: [f"t = {i} of {frames - 1}" for i in range(frames)]),
        kept(("pack", state, drawn), lambda: player.pack({"main": main, "widths": widths},
                                                         picks={"main": player.Pick(place="customdata")})),
        events=show.events, start=t, drawn=drawn, revision=state, span=show.span,
    )  # fmt: skip
    visit.caption(band_words.caption(setting, assumed, show))

first, second = st.columns(2)
with first:
    lesson.say("##### How wide on average")
    lesson.chart(widths.figure, "widths", "Mean half-width of the five bands against the number of observations")
    lesson.caption(band_words.widths(show, t))
with second:
    lesson.say("##### Do they keep their promise while nothing moves?")
    score = bands_model.coverage(setting, assumed)
    if score is None:
        st.info(band_words.NO_COVERAGE)
    else:
        covered = kept(("coverage", state), lambda: band_tools.coverage(score, theme))
        lesson.chart(covered.figure, "coverage", "Share of repeated still worlds that each band covered")
        lesson.caption(band_words.coverage(score, setting, assumed.delta))
lesson.say("##### One place under the glass")
arm = round(draw(BANDS.knobs["place"]) * (show.truth.shape[1] - 1))
first, second = st.columns([3, 2])
with first:
    glass = kept(("place", state, t, arm),
                 lambda: band_tools.place(*bands_model.at_place(setting, assumed, t, arm), theme))  # fmt: skip
    lesson.chart(glass.figure, "glass", "The five intervals at one place, and each half-width in parts")
    lesson.caption(band_words.PLACE)
with second:
    curve = bands_model.ucb_curve(setting, assumed, t, arm)
    dual = kept(("curve", state, t, arm), lambda: band_tools.dual_curve(curve, theme))
    lesson.chart(dual.figure, "curve", "Upper bound at one place against the regulariser, with its minimum")
    lesson.caption(band_words.curve(curve))
asked = (state, t, arm)
if st.button("Certify with the conic program", icon=":material/verified:", help=band_words.CERTIFY_HELP):
    st.session_state["certified"] = asked
if st.session_state.get("certified") == asked:
    with st.spinner("Solving six conic programs, a few seconds…"):
        answer = bands_model.certificates(setting, assumed, t, arm)
    st.info(answer) if isinstance(answer, str) else st.dataframe(answer, hide_index=True)
drawers.under(visit, {"Data table": lambda: bands_model.band_table(setting, assumed, t)})
