"""A reader's place at the page on side queries: what is there at once, and the runs that are still to come.

Runs of the page as it opens and of its moments ship with the lab; after a change of a policy or of a moment
play them anew with `python -m ui.asking_desk`.
"""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from ui import asking, asking_words, compute, elsewhere, shipped
from ui.asking import Asked, Board, Setting
from ui.jobs import Job
from ui.seat import Seat, start, stop, take

PAGE = "asking"  # the name of the seat
FILE = shipped.FILE.with_name("questions.npz")
LONG = 12.0  # seconds; longer work waits for a button that says so
# Milliseconds of a run of 500 rounds with 100 arms, only to say in advance how long it will take.
COST = {"GP-UCB": 8, "WGP-UCB": 30, "SparQ": 170, "W-SparQ": 120}


def follow(setting: Setting) -> tuple[Asked, Board, Seat]:
    """The first seed in full and the board as far as it has come; orders what is missing unless it takes long.

    Raises:
        ValueError: a world that cannot be, or what a method refuses.
    """
    show = asking.asked(setting)
    seat = take(PAGE, setting, lambda old: _seat(setting, show))
    seat.look()
    seat.begin(seconds(seat.missing), LONG)
    board = compute.kept(("asking board", repr(setting), seat.mark), lambda: asking.board(setting, seat.results))
    return show, board, seat


def _seat(setting: Setting, show: Asked) -> Seat:
    """The first seed is on the page in full, so its runs are there."""
    seat = Seat(setting, tuple(asking.jobs(setting)))
    first = {job: show.runs[job.name] for job in seat.runs[: len(asking.METHODS)]}
    seat.learn(elsewhere.at_hand(seat.runs, FILE) | first)
    for job, run in first.items():
        compute.race_pool().keep(job, run)
    return seat


def seconds(missing: tuple[Job, ...]) -> float:
    """About how long these runs take in the pool."""
    cost = sum(COST[j.name] * 1e-3 * (j.world.horizon / 500) ** 1.3 * (j.world.arms / 100) for j in missing)
    return cost / compute.race_pool().workers


def desk(seat: Seat) -> None:
    """What is still to come: the progress with a button that stops it, or a button that starts it."""
    if not seat.missing:
        return
    ticket = seat.ticket
    if ticket is not None and ticket.over and not ticket.cancelled:
        st.rerun()  # the last runs came in while this page was drawn
    if ticket is None or ticket.cancelled:
        st.info(asking_words.pause(ticket is not None, seat.busy), icon="🧭")
        cost = elsewhere.expected(seconds(seat.missing))
        st.button(asking_words.start(len(seat.missing), cost), on_click=start, args=(PAGE,), key="asking_start",
                  icon=":material/play_arrow:")  # fmt: skip
    else:
        _watch(seat)


def _watch(seat: Seat) -> None:
    """Progress twice a second; the page is drawn anew when all has come in."""
    pool, ticket, total = compute.race_pool(), seat.ticket, len(asking.jobs(seat.setting))

    @st.fragment(run_every=0.5)
    def watch() -> None:
        found: Mapping[Job, object] = pool.look(ticket)
        if ticket.over:
            st.rerun()
        left = tuple(job for job in seat.missing if job not in found)
        bar, button = st.columns([5, 1], vertical_alignment="center")
        with bar:
            said = asking_words.progress(seat.setting.seeds, total - len(left), total, seconds(left))
            st.progress(1 - len(left) / total, text=elsewhere.line(ticket, said))
        with button:
            st.button("Cancel", on_click=stop, args=(PAGE,), key="asking_cancel", icon=":material/stop:")

    watch()


def opened() -> list[Job]:
    """Every run of the page as it opens and of its moments, without the first seeds (they are played anyway)."""
    from ui.syllabus.queries import QUERIES

    first = {key: knob.default for key, knob in QUERIES.knobs.items()}
    settings = [asking.chosen({**first, **scene}) for scene in ({}, *(m.values for m in QUERIES.moments))]
    return list(dict.fromkeys(job for s in settings for job in asking.jobs(s)[len(asking.METHODS) :]))


def main() -> None:
    """Play them all and write the file."""
    from ui.jobs import perform

    wanted = opened()
    shipped.store([(job, perform(job)) for job in wanted], FILE)
    print(f"{len(wanted)} runs, {FILE.stat().st_size / 1e3:.0f} kB")


if __name__ == "__main__":
    main()
