"""The front page: a map of the lessons."""

import streamlit as st

from ui import lesson
from ui.moments import CIRCLED
from ui.syllabus import LESSONS

lesson.page_config("Start", "🗺️")
lesson.leave()
st.title("When the best action keeps moving", anchor=False)
st.markdown(
    "A reward function drifts while an algorithm tries to stay on its peak. Five research papers say how well that "
    "can be done. Here you can watch: move a slider, step through time, see which promise breaks first."
)
ABREAST = 3  # cards beside each other
for start in range(0, len(LESSONS), ABREAST):
    for column, chapter in zip(st.columns(ABREAST), LESSONS[start : start + ABREAST], strict=False):
        path, name, _ = lesson.PAGES[chapter.number]
        with column.container(border=True, height="stretch", gap="small"):
            st.page_link(path, label=f"**{name}**", icon=":material/play_circle:")
            st.markdown(f"##### {chapter.question}")
            for i, moment in enumerate(chapter.moments, start=1):
                label = f"{CIRCLED[i - 1]} {moment.title}"
                st.page_link(path, label=label, query_params={"moment": str(i)}, help=f"“{moment.script}”")
st.markdown(
    "**Keys on every lesson:** Space plays and pauses · Page Down and Page Up step, so does a clicker · Shift + → goes "
    "to the next event · Home and End go to the ends · 1 to 9 choose a prepared moment · L is lecture type · B blanks "
    "the screen."
)
with st.expander("The five papers"):
    st.markdown(lesson.text("assets/words/papers.md"))
