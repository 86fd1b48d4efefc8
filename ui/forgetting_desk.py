"""A reader's place at the bowls: what is shown at once, what is ordered from the pool, and how to stop it.

The runs of the page as it opens and of its moments ship with the lab; after a change of a policy or of a moment,
play them anew with `python -m ui.forgetting_desk`.
"""

from __future__ import annotations

from collections.abc import Mapping
from time import monotonic

import streamlit as st

from tvbo_core.race_results import Run
from ui import compute, elsewhere, forgetting, forgetting_words, shipped, waiting, world
from ui.forgetting import Bowls, Setting
from ui.jobs import Job, Ticket, perform
from ui.remembering import Look, tuned
from ui.seat import Seat, start, stop, take
from ui.syllabus.forgetting import FORGETTING, FORGETTING_WORLD

PAGE = "bowls"  # the name of the seat
LONG = 15.0  # seconds; runs that take longer wait for a button that says so
MOMENT = 0.4  # seconds that the first seed may take while the reader waits


def chosen(values: Mapping[str, object]) -> tuple[Look, Setting]:
    """What these values of the page's knobs look at, and the runs they ask for."""
    base = world.build(values, FORGETTING_WORLD)
    look = Look(base, str(values["design"]), tuned(values), float(values["place"]))
    runs = Setting(forgetting.worlds(base), str(values["bowl"]), str(values["beta"]), int(values["seeds"]))
    return look, runs


def follow(setting: Setting, rows: tuple[int, ...]) -> tuple[Bowls, Seat]:
    """The bowls as far as they have come. Orders what is missing, unless that takes long; cancels an older order."""
    seat = take(PAGE, setting, lambda old: _seat(setting))
    if seat.missing:
        seat.look()
        seat.begin(_long(seat), LONG)
    every = compute.kept(("bowls", repr(setting), seat.mark), lambda: forgetting.gathered(setting, seat.results))
    return every.at(rows), seat


def _seat(setting: Setting) -> Seat:
    """With the first seed of the method on the stage where that is a matter of moments."""
    seat = Seat(setting, tuple(forgetting.jobs(setting)))
    seat.learn(elsewhere.at_hand(seat.runs, forgetting.FILE))
    if seat.missing:
        first = forgetting.jobs(Setting(setting.worlds, setting.front, setting.width, 1), ("gp", setting.front))
        first = [job for job in first if job not in seat.results]
        if forgetting.seconds(first) < MOMENT:
            seat.play(first)
    return seat


def _long(seat: Seat) -> float:
    return forgetting.seconds(seat.missing) / compute.race_pool().workers


def desk(bowls: Bowls, seat: Seat) -> None:
    """What is still to come: the progress with a button that stops it, or a button that starts it."""
    if not seat.missing:
        return
    ticket = seat.ticket
    if ticket is not None and ticket.over and not ticket.cancelled:
        st.rerun()  # the last runs came in while this page was drawn
    if ticket is None or ticket.cancelled:
        st.info(forgetting_words.pause(bowls, stopped=ticket is not None, busy=seat.busy), icon="🧭")
        label = forgetting_words.start(len(seat.missing), elsewhere.expected(_long(seat)), ticket is not None)
        st.button(label, on_click=start, args=(PAGE,), key="bowls_start", icon=":material/play_arrow:")
    else:
        _watch(bowls, seat, monotonic())


def _watch(bowls: Bowls, seat: Seat, drawn: float) -> None:
    """Progress twice a second; the page is drawn anew when another seed of a method has come in, and at the end."""
    pool, ticket = compute.race_pool(), seat.ticket
    shown = {method: bowl.seeds for (method, _), bowl in bowls.bowls.items()}

    @st.fragment(run_every=0.5)
    def watch() -> None:
        seat.learn(pool.look(ticket))
        if ticket.over:
            st.rerun()
        if elsewhere.due(drawn):
            now = forgetting.whole(seat.setting, seat.results)
            if {method: len(seeds) for method, seeds in now.items() if seeds and method != "gp"} != shown:
                st.rerun()
        done, every = len(seat.results), len(seat.runs)
        bar, button = st.columns([5, 1], vertical_alignment="center")
        with bar:
            left = _left(seat, ticket, pool.workers)
            said = forgetting_words.progress(seat.setting, done, every, left)
            st.progress(done / every, text=elsewhere.line(ticket, said))
        with button:
            st.button("Cancel", on_click=stop, args=(PAGE,), key="bowls_cancel", icon=":material/stop:")

    watch()


def _left(seat: Seat, ticket: Ticket, workers: int) -> float:
    """How much longer: the expected cost of what is left, corrected by the pace since the first result."""
    return waiting.corrected(_long(seat), forgetting.seconds(list(ticket.results)) / workers, ticket)


def pin() -> None:
    """A click on a panel of the estimates moves the place; it is told as a share of the way."""
    share = st.session_state["player"].get("x")
    if share is not None:
        st.session_state["place"] = round(min(max(float(share), 0.0), 1.0), 2)


def opened() -> list[Job]:
    """Every run of the page as it opens and of its moments, world by world."""
    first = {key: knob.default for key, knob in FORGETTING.knobs.items()}
    settings = [chosen({**first, **moment.values})[1] for moment in FORGETTING.moments]
    runs = dict.fromkeys(job for setting in settings for job in forgetting.jobs(setting))
    return sorted(runs, key=lambda job: (repr(job.world), job.name))


def main() -> None:
    """Play them all and write the file."""
    wanted = opened()
    played = [(job, result) for job in wanted if isinstance(result := perform(job), Run)]
    shipped.store(played, forgetting.FILE)
    print(f"{len(wanted)} runs, {forgetting.FILE.stat().st_size / 1e3:.0f} kB")


if __name__ == "__main__":
    main()
