"""Confidence bands: how sure can I be about the whole curve, and am I still sure if it moves?"""

import streamlit as st

from figures import band_tools, bands
from figures.theme import Theme
from tvbo_core import World
from ui import band_words, compute, lesson, player, world
from ui.compute import Assumed
from ui.controls import KNOBS
from ui.lesson import Lesson, Moment

ALT = "Five confidence bands around the same data, each marked as still covering or missing the current reward curve"
BASE = World(kind="glide", budget=1.0, horizon=100, kernel="matern", nu=1.5, arms=101, seed=12)
SHOWN = ("V", "Bhat", "sigma", "delta", "view")
FLYNN = {"kind": "still", "V": 0.0, "T": 50, "nu": "3/2", "ell": 0.5, "B": 10.0, "domain": "[-1, 1]",
         "design": "clustered", "c": 0.0, "seed": 4}  # fmt: skip
LESSON = Lesson(
    number=2,
    title="Confidence bands",
    question="How sure can I be about the whole curve — and am I still sure if it moves?",
    knobs={
        **{k: KNOBS[k] for k in ("Bhat", "sigma", "delta", "view", "front", "kind", "ell", "eps", "alpha", "B",
                                 "c", "ridge", "match", "design", "domain", "data", "place")},
        "V": KNOBS["V"].but(default=1.0, high=4.0, step=0.25),
        "T": KNOBS["T"].but(default=100, high=200),
        "nu": KNOBS["nu"].but(default="3/2"),
        "seed": KNOBS["seed"].but(default=12),
    },
    moments=(
        Moment("Tight and true", "Nothing moves, and all five bands keep their promise.", 20, {"V": 0.0}),
        Moment("First to lie", "The sharpest band is the first to be wrong once the world moves.", 70),
        Moment("The empty set", "No function fits these data: the data themselves say that the reward moved.", 65,
               {"V": 4.0, "view": "overlay", "front": "AMM"}),
        Moment("Flynn & Reeb, Figure 1", "Same data, five theorems: watch the gap in the middle.", 50, FLYNN),
    ),
    t=70,
    words="assets/words/2_bands.md",
)  # fmt: skip

visit = lesson.open_lesson(LESSON)
theme = Theme(visit.dark, visit.lecture)
left, right = visit.columns()
with right:
    kind = st.session_state["kind"]
    fixed = {"still": {"V"}, "markov": {"V"}, "data": {"V", "sigma"}}.get(kind, set())
    value = visit.draw(SHOWN, disabled=fixed)
    with st.popover("More…", width="stretch"):
        value |= visit.draw([k for k in LESSON.knobs if k not in (*SHOWN, "place")])
        lesson.reset_button(LESSON)
setting = world.build(value, BASE)
assumed = Assumed(value["Bhat"], value["delta"], value["c"], value["ridge"], value["design"], value["match"],
                  setting.horizon)  # fmt: skip
kept = compute.kept

with left:
    show = visit.door(lambda: compute.band_show(setting, assumed))
    frames = len(show.truth)
    state = player.fingerprint(setting, assumed, value["view"], value["front"], visit.dark, visit.lecture)
    t = lesson.now(frames)
    drawn = min(lesson.anchor(state, t), frames - 1)
    scene = bands.Scene(show.films, show.truth, show.history, show.misses, show.first_miss, show.first_empty,
                        show.moving, show.unit)  # fmt: skip
    main = kept(("main", state, drawn), lambda: bands.stage(scene, theme, drawn, value["view"], value["front"]))
    visit.stage(main.figure, "main", ALT)
    widths = kept(("widths", state, drawn), lambda: band_tools.widths(show.films, theme, drawn))
    t = visit.play(
        kept(("said", state), lambda: band_words.finding(show, value["Bhat"])),
        kept(("labels", frames), lambda: [f"t = {i} of {frames - 1}" for i in range(frames)]),
        kept(("pack", state, drawn), lambda: player.pack({"main": main, "widths": widths},
                                                         picks={"main": player.Pick(place="x")})),
        events=show.events, start=t, drawn=drawn, revision=state, span=scene.range_x,
    )  # fmt: skip
    st.caption(band_words.caption(setting, assumed, show))

first, second = st.columns(2)
with first:
    st.markdown("##### How wide on average")
    lesson.chart(widths.figure, "widths", "Mean half-width of the five bands against the number of observations")
with second:
    st.markdown("##### Do they keep their promise while nothing moves?")
    score = compute.coverage(setting, assumed)
    if score is None:
        st.info(band_words.NO_COVERAGE)
    else:
        covered = kept(("coverage", state), lambda: band_tools.coverage(score, theme))
        lesson.chart(covered.figure, "coverage", "Share of repeated still worlds that each band covered")
        st.caption(band_words.coverage(score, setting, assumed.delta))
st.markdown("##### One place under the glass")
arm = round(LESSON.knobs["place"].draw() * (show.truth.shape[1] - 1))
first, second = st.columns([3, 2])
with first:
    glass = kept(("place", state, t, arm),
                 lambda: band_tools.place(*compute.at_place(setting, assumed, t, arm), theme))  # fmt: skip
    lesson.chart(glass.figure, "glass", "The five intervals at one place, and each half-width in parts")
    st.caption(band_words.PLACE)
with second:
    curve = compute.ucb_curve(setting, assumed, t, arm)
    dual = kept(("curve", state, t, arm), lambda: band_tools.dual_curve(curve, theme))
    lesson.chart(dual.figure, "curve", "Upper bound at one place against the regulariser, with its minimum")
    st.caption(band_words.curve(curve))
if st.button("Certify with the conic program", icon=":material/verified:", help=band_words.CERTIFY_HELP):
    with st.spinner("Solving six conic programs, a few seconds…"):
        answer = compute.certificates(setting, assumed, t, arm)
    st.info(answer) if isinstance(answer, str) else st.dataframe(answer, hide_index=True)
lesson.drawers(visit, {"Data table": lambda: compute.band_table(setting, assumed, t)})
