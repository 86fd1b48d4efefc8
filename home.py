"""The front page: a map of the lessons."""

from math import ceil

import streamlit as st

from figures.theme import Theme
from figures.thumbnail import svg
from lessons import LESSONS
from lessons.tours import TOURS
from shell import page, thumbnails
from shell.moments import CIRCLED

BY_NUMBER = {lesson.number: lesson for lesson in LESSONS}
COLUMNS = 3  # of cards, and of a tour

page.page_config("Start", "🗺️")
page.leave()
theme = Theme(dark=(st.context.theme.type or "light") == "dark")
st.title("When the best action keeps moving", anchor=False)
st.markdown(
    "A reward function drifts while an algorithm tries to stay on its peak. Five research papers say how well that "
    "can be done. Here you can watch: move a slider, step through time, see which promise breaks first."
)


def link(number: int, moment: int, label: str) -> None:
    """Draw a link to a prepared moment, with the lecturer's line as its tooltip."""
    path = BY_NUMBER[number].file
    script = BY_NUMBER[number].moments[moment - 1].script
    st.page_link(path, label=label, query_params={"moment": str(moment)}, help=f"“{script}”")


with st.container(key="tours", border=True):
    minutes = {tour.minutes: tour for tour in TOURS}
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        st.markdown("**Where to start, if you have**")
        chosen = st.segmented_control("Minutes", list(minutes), format_func=lambda m: f"{m} minutes", default=5,
                                      required=True, label_visibility="collapsed", key="minutes")  # fmt: skip
        st.markdown(minutes[chosen].promise)
    stops = minutes[chosen].stops
    rows = ceil(len(stops) / COLUMNS)
    for column, first in zip(st.columns(COLUMNS), range(0, len(stops), rows), strict=False):
        with column:
            for stop in stops[first : first + rows]:
                title = BY_NUMBER[stop.lesson].moments[stop.moment - 1].title
                link(
                    stop.lesson,
                    stop.moment,
                    f"**{stop.lesson} {CIRCLED[stop.moment - 1]}** {title} · {stop.minutes} min",
                )

for start in range(0, len(LESSONS), COLUMNS):
    for column, lesson in zip(st.columns(COLUMNS), LESSONS[start : start + COLUMNS], strict=False):
        with column.container(border=True, height="stretch", gap="small", key=f"card_{lesson.number}"):
            st.page_link(lesson.file, label=f"**{lesson.label}**", icon=":material/play_circle:")
            st.markdown(f"##### {lesson.question}")
            if picture := svg(thumbnails.sketch(lesson), theme, f"Thumbnail of {lesson.title}"):
                thumbnails.show(picture, f"thumb_{lesson.number}")
            for i, moment in enumerate(lesson.moments, start=1):
                link(lesson.number, i, f"{CIRCLED[i - 1]} {moment.title}")
st.markdown(
    "**Keys on every lesson:** Space plays and pauses · Page Down and Page Up step, so does a clicker · Shift + → goes "
    "to the next event · Home and End go to the ends · 1 to 9 choose a prepared moment · D asks for a bet first · "
    "Q shows the link as a QR code · L is lecture type · B blanks the screen."
)
with st.expander("The five papers"):
    st.markdown(page.text("assets/words/papers.md"))
