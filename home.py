"""The front page: "Chase the peak", and below it the path through the lab."""

from collections.abc import Mapping
from contextlib import AbstractContextManager

import streamlit as st

from answers import captions
from lessons import LESSONS
from lessons.chase import panel
from lessons.chase.lesson import LESSON
from lessons.game.lesson import LESSON as GAME
from lessons.record import GROUPS, Lesson, label_of
from shell.hall.course import bar as course_bar
from shell.hall.course import pages as course_pages
from shell.links import address, permalink
from shell.notation.translate import markdown
from shell.page import frame, pictures
from shell.page.lesson_page import lesson_page
from shell.server.scripts import asset

ABREAST = max(sum(one.group == group for one in LESSONS) for group in GROUPS)
START = f"Start here: play {GAME.knobs['rounds'].default} rounds"
PURPOSE = {
    "See it": "what drift does",
    "Understand it": "why, and what can be proved",
    "Check it": "for researchers: our numbers beside the printed ones",
}


def line(one: Lesson, along: Mapping[str, str]) -> None:
    """A lesson of the path: its small moving picture, its name as a link, and its question."""
    with st.container(key=f"card_{one.key}", gap="xxsmall"):
        pictures.show(one.key, one.title)
        st.page_link(one.file, label=f"**{label_of(one, LESSONS)}**", query_params=frame.link_parameters(along, one))
        markdown(one.question)


def row(group: str, along: Mapping[str, str], abreast: int = ABREAST) -> AbstractContextManager:
    """The lessons of one group, so many beside each other; returns the place that they leave."""
    markdown(f"##### {group} :small[· {PURPOSE[group]}]")
    found = [one for one in LESSONS if one.group == group]
    left = [abreast - len(found)] if len(found) < abreast else []
    columns = st.columns([*(1 for _ in found), *left], gap="small")
    for column, one in zip(columns, found, strict=False):
        with column:
            line(one, along)
    return columns[-1]


def start() -> None:
    """The one beginning: the game."""
    with st.container(key="start", width="content"):
        st.html(f"<style>{asset('start.css')}</style>")
        permalink.page_link(GAME.file, START)


def welcome() -> None:
    """Draw a sentence about the lab, and links to the courses."""
    with st.container(key="welcome", horizontal=True, vertical_alignment="center", gap="xsmall"):
        st.caption(captions.WELCOME, width="content")
        st.caption("**Courses**", width="content")
        course_bar.course_links(LESSONS)


def path() -> None:
    """Draw the lessons by their groups, and what to read and to bring along."""
    with st.container(key="path", gap="xsmall"):
        along = address.along(LESSON)
        first, *others = GROUPS
        row(first, along)
        for half, group in zip(st.columns(len(others), gap="small"), others, strict=True):
            with half:
                rest = row(group, along, ABREAST // len(others))
        with rest, st.container(horizontal=True, vertical_alignment="bottom"):
            with st.popover("The five papers", icon=":material/menu_book:"):
                markdown(asset("words/papers.md"))
            with st.popover("Use your own data, policy, course", icon=":material/upload_file:"):
                markdown(asset("words/own.md"))


if found := course_pages.due(LESSONS):
    course_pages.draw(found, LESSONS)
else:
    lesson_page(LESSON, LESSONS, panel.show, start, welcome, path)
