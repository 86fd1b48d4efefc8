"""The lecturer's side of a room: opens and closes it, puts bets on the phones, and shows code and count on the wall."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from lessons.record import Bet, Lesson
from shell.hall.room.control import numbers
from shell.hall.room.database import IN_MEMORY, RoomError, digest
from shell.hall.room.phones import SHUT, TOLD, Question
from shell.hall.room.routes import PATH
from shell.hall.room.store import Rooms
from shell.links import permalink, reach, share_drawer
from shell.notation import translate as symbols
from shell.server.browsers import COOKIE
from shell.server.modules import component
from shell.session import session

ROOMS = Rooms(os.environ.get("TVBO_DATABASE_URL", ""))
TITLE = "Room: phones answer the bets"
ABOUT = (
    "Phones open the room by its code and answer every bet that you open (key D, or a course). The wall counts "
    "answers and shows them over the truth at the reveal. On *You against the bandits* all phones play one hidden "
    "world. No names, no accounts; all is deleted after 24 hours."
)
NO_COOKIE = "This browser keeps no cookie for the lab, and a room is tied to its browser: allow cookies and load again."


def browser() -> str:
    """Return the digest of this browser, "" where it has no cookie of ours."""
    word = st.context.cookies.get(COOKIE, "")
    return digest(word) if word else ""


def code() -> str:
    """Return the code of the room that this browser has open, "" for none.

    A session looks once, and again once a room was opened or closed: another tab may have done so.
    """
    course, changes = session().course, ROOMS.changes
    if course.looked != changes:
        found = browser() and _or_say(lambda: ROOMS.of(browser()) or "")
        course.room, course.looked = (course.room if found is None else found), changes
    return course.room


def open_room() -> None:
    """Open a room for this browser."""
    session().course.room = (browser() and _or_say(lambda: ROOMS.open(browser()))) or ""
    if not browser():
        st.toast(NO_COOKIE, icon=":material/info:")


def close_room() -> None:
    """Close the room and delete what is in it."""
    _or_say(lambda: ROOMS.close(code()))
    session().course.room = ""


def path() -> str:
    """Return the path of the room beside the pages, "" for none."""
    return f"{PATH}/{code()}" if code() else ""


def link() -> str:
    """Return the address of the room, as the hall reaches it."""
    return f"{permalink.home()}/{path()}"


# ---------------------------------------------------------------------- questions
def ask(lesson: Lesson) -> None:
    """Put the bet of a lesson on the phones, where a room is open."""
    if code():
        course = session().course
        course.asked = _or_say(lambda: ROOMS.ask(code(), lesson.key, content(lesson.bet)))


def content(bet: Bet) -> dict[str, Any]:
    """Return what phones show of a bet; of one on an order they say who comes first, as votes do."""
    options = {word: symbols.to_plain(text) for word, text in bet.options.items()}
    about = {word: symbols.to_plain(text) for word, text in bet.about.items()}
    return {
        "question": symbols.to_plain(bet.question),
        "options": list(options.values()),
        "about": [about.get(word, "") for word in options],
        "ranks": bet.ranks,
    }


def shut(lesson: Lesson) -> tuple[int, ...]:
    """End the answers to a lesson's bet; return how many chose each of its options, () without a room."""
    return (code() and _or_say(lambda: ROOMS.shut(code(), lesson.key))) or ()


def tell(lesson: Lesson, truth: Mapping[str, Any]) -> str:
    """Hand the truth of a revealed bet to the phones, for when its film is over; return what they said before.

    Args:
        truth: the answer of `ask` for it.
    """
    if not code():
        return ""
    right = numbers(lesson.bet, truth["right"])
    kept = {"right": right, "sentence": symbols.to_plain(truth["sentence"])}
    _or_say(lambda: ROOMS.keep_truth(code(), lesson.key, kept))
    return before(_or_say(lambda: [counts for _, counts in ROOMS.askings(code(), lesson.key)]) or [], right)


def before(counts: Sequence[Sequence[int]], right: Sequence[int]) -> str:
    """Return in a sentence how many were right when a bet was asked before; empty where it was asked once.

    Args:
        counts: of the answers to each option, of each time it was asked.   right: numbers of the true options.
    """
    asked = [(sum(one[i] for i in right), sum(one)) for one in counts if sum(one)]
    return f"Before: {asked[-2][0]} of {asked[-2][1]}. " if len(asked) > 1 else ""


# ---------------------------------------------------------------------- the game
def game(lesson: Lesson) -> Question | None:
    """Return the game that the room's phones play on a lesson's page, and put it on screen; None for none.

    In a course it begins by itself, once, as a bet of a course does.
    """
    if not code() or lesson.together is None:
        return None
    found = _or_say(lambda: ROOMS.game(code(), lesson.key))
    if found is None and session().course.words:
        begin_game(lesson)
        found = _or_say(lambda: ROOMS.game(code(), lesson.key))
    return found if found and found.state != SHUT else None


def begin_game(lesson: Lesson) -> None:
    """Put a new game on the phones, in a hidden world of its own."""
    one = lesson.together
    content = {"question": one.about, "options": [], "about": [], "rounds": one.rounds, "places": one.places}
    _or_say(lambda: ROOMS.begin_game(code(), lesson.key, content, one.draw()))


def queries(game: Question) -> list[tuple[int, ...]]:
    """Return the queries of every phone in a game."""
    return _or_say(lambda: ROOMS.queries(game.id)) or []


def end_game(game: Question, *, told: bool) -> None:
    """End the rounds of a game.

    Args:
        told: its hidden world is shown; else the game is left.
    """
    _or_say(lambda: ROOMS.end_game(code(), game.id, TOLD if told else SHUT))


# ---------------------------------------------------------------------- what is drawn
def wall(lesson: Lesson | None = None, *, asks: bool = False, seen: bool = True, game: Question | None = None) -> None:
    """Draw code and count of the open room; nothing without one. Its script gives key Q the code of the room.

    Args:
        lesson: whose bet is on screen, open or revealed; None for none.   asks: it is open.
        seen: whether the line is shown.   game: that the phones play, whose queries are drawn.
    """
    if not code():
        return
    course = session().course
    if lesson is None and game is None and course.asked:  # a bet of another tab stays
        _or_say(lambda: ROOMS.rest(code(), course.asked))
        course.asked = None
    there = link()
    data = {
        "path": path(),
        "code": code(),
        "link": there.split("://")[-1],
        "qr": "" if permalink.is_local() else share_drawer.code(there),
        "reset": f"{lesson.key}:{asks}" if lesson else "",
        "asks": asks,
        "game": dict(game.content) if game else None,
        "reveals": lesson is not None and not asks,
        "seen": seen,
    }
    # A page draws the line of every page first, unseen, and where its body has a game the other one.
    component("tvbo_room", "room/wall")(key="room_game" if game else "room", data=data)


def drawer() -> None:
    """Draw the drawer of the room, beside that of the link."""
    with st.expander(TITLE, on_change="rerun", key="drawer_room") as box:
        if box.open:
            panel("drawer")


def panel(place: str, *, narrow: bool = False) -> None:
    """Draw the button that opens a room, or the room that is open: its code, its results, the button that closes it.

    Args:
        place: of the panel on its page.   narrow: it stands in a column of its page.
    """
    if not code():
        st.button("Open a room", key=f"room_open_{place}", on_click=open_room, icon=":material/groups:", help=ABOUT)
        if not narrow:
            st.caption(ABOUT)
        return
    left, right = (st.container(), st.container()) if narrow else st.columns([1, 3], gap="medium")
    there = link()
    with left:
        share_drawer.draw_code(there, "QR code of the room", f"qr_{place}")
    with right:
        st.markdown(f"Room **{code()}** :small[· {there.split('://')[-1]}]")
        if reach.is_local(st.context.url or ""):
            share_drawer.draw_hall(f"audience_{place}")
        with st.container(horizontal=True, gap="small"):
            results(place)
            st.button("Close the room, delete its answers", key=f"room_close_{place}", on_click=close_room)
        if ROOMS.in_memory:
            st.caption(IN_MEMORY)


def results(place: str) -> None:
    """Draw the button that saves the answers, once there are any."""
    asked = _or_say(lambda: ROOMS.askings(code())) or []
    if any(map(sum, (counts for _, counts in asked))):
        name = f"room-{code()}.csv"
        st.download_button("Save the answers (CSV)", table(asked), name, "text/csv", key=f"room_csv_{place}")


def table(asked: Sequence[tuple[Any, Sequence[int]]]) -> str:
    """Return the answers of a room as CSV: a line for each option of each question, in the order of asking.

    Args:
        asked: as `Rooms.askings` returns them.
    """
    out = io.StringIO()
    write = csv.writer(out, lineterminator="\n").writerow
    write(["number", "lesson", "question", "answer", "true", "phones"])
    for number, (question, counts) in enumerate(asked, start=1):
        right = question.truth["right"] if question.truth else []
        for i, (option, count) in enumerate(zip(question.content["options"], counts, strict=True)):
            truth = "" if not right else "yes" if i in right else "no"
            write([number, question.lesson, question.content["question"], option, truth, count])
    return out.getvalue()


def _or_say(act: Any) -> Any:
    """Return what `act` returns; a refusal is said in a toast, and nothing returned."""
    try:
        return act()
    except RoomError as problem:
        st.toast(str(problem), icon=":material/info:")
        return None
