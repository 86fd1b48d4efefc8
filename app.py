"""The front page: a map of the lessons."""

import streamlit as st

from ui import lesson

lesson.page_config("Start", "🗺️")
lesson.leave()
st.title("When the best action keeps moving", anchor=False)
st.markdown(
    "A reward function drifts while an algorithm tries to stay on its peak. Five research papers say how. "
    "This lab lets you watch: move a slider, step through time, see which promise breaks first."
)
for path, label, icon, question in lesson.lessons():
    with st.container(border=True):
        st.page_link(path, label=f"**{label}**", icon=icon)
        st.markdown(question)
st.markdown(
    "**Keys on every lesson:** Space plays and pauses, Page Down / Page Up step (so does a clicker), "
    "Shift + → jumps to the next event, Home and End go to the ends, 1 to 9 choose a prepared moment, "
    "L switches to lecture type, B blanks the screen."
)
with st.expander("The five papers"):
    st.markdown(lesson.text("assets/words/papers.md"))
