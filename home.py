"""The front page: a map of the lessons."""

from math import ceil

import streamlit as st

from figures import thumbnail as thumbs
from figures.theme import Theme
from lessons import LESSONS
from lessons.tours import TOURS
from shell import page as lesson
from shell import thumbnails as sketches
from shell.moments import CIRCLED

CHAPTERS = {chapter.number: chapter for chapter in LESSONS}
ABREAST = 3  # cards, and columns of a tour, beside each other

lesson.page_config("Start", "🗺️")
lesson.leave()
theme = Theme(dark=(st.context.theme.type or "light") == "dark")
st.title("When the best action keeps moving", anchor=False)
st.markdown(
    "A reward function drifts while an algorithm tries to stay on its peak. Five research papers say how well that "
    "can be done. Here you can watch: move a slider, step through time, see which promise breaks first."
)


def link(number: int, moment: int, label: str) -> None:
    """A link to a prepared moment, with the line that a lecturer says over it."""
    path = CHAPTERS[number].file
    script = CHAPTERS[number].moments[moment - 1].script
    st.page_link(path, label=label, query_params={"moment": str(moment)}, help=f"“{script}”")


with st.container(key="tours", border=True):
    minutes = {tour.minutes: tour for tour in TOURS}
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        st.markdown("**Where to start, if you have**")
        chosen = st.segmented_control("Minutes", list(minutes), format_func=lambda m: f"{m} minutes", default=5,
                                      required=True, label_visibility="collapsed", key="minutes")  # fmt: skip
        st.markdown(minutes[chosen].promise)
    stops = minutes[chosen].stops
    below = ceil(len(stops) / ABREAST)  # stops under each other
    for column, first in zip(st.columns(ABREAST), range(0, len(stops), below), strict=False):
        with column:
            for stop in stops[first : first + below]:
                title = CHAPTERS[stop.lesson].moments[stop.moment - 1].title
                link(
                    stop.lesson,
                    stop.moment,
                    f"**{stop.lesson} {CIRCLED[stop.moment - 1]}** {title} · {stop.minutes} min",
                )

for start in range(0, len(LESSONS), ABREAST):
    for column, chapter in zip(st.columns(ABREAST), LESSONS[start : start + ABREAST], strict=False):
        path, name = chapter.file, chapter.label
        with column.container(border=True, height="stretch", gap="small", key=f"card_{chapter.number}"):
            st.page_link(path, label=f"**{name}**", icon=":material/play_circle:")
            st.markdown(f"##### {chapter.question}")
            if picture := thumbs.svg(sketches.sketch(chapter), theme, f"Thumbnail of {chapter.title}"):
                sketches.show(picture, f"thumb_{chapter.number}")
            for i, moment in enumerate(chapter.moments, start=1):
                link(chapter.number, i, f"{CIRCLED[i - 1]} {moment.title}")
st.markdown(
    "**Keys on every lesson:** Space plays and pauses · Page Down and Page Up step, so does a clicker · Shift + → goes "
    "to the next event · Home and End go to the ends · 1 to 9 choose a prepared moment · D asks for a bet first · "
    "Q shows the link as a QR code · L is lecture type · B blanks the screen."
)
with st.expander("The five papers"):
    st.markdown(lesson.text("assets/words/papers.md"))
