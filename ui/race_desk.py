"""A reader's place at the race: what is shown at once, what is ordered from the pool, and how to stop it."""

from __future__ import annotations

from collections.abc import Mapping
from time import monotonic

import streamlit as st

from ui import compute, elsewhere, race_words, racing, world
from ui.racing import Race, Setting
from ui.seat import Seat, start, stop, take
from ui.syllabus.race import RACE_WORLD

PAGE = "race"  # the name of the seat
LONG = 12.0  # seconds; a race that takes longer waits for a button that says so


def chosen(values: Mapping[str, object]) -> Setting:
    """The race that these values of the page's knobs describe."""
    worlds = tuple(world.pair(values, RACE_WORLD))
    methods, memory = tuple(values["algos"]), int(values["m"])
    return Setting(worlds, methods, memory, str(values["beta"]), int(values["seeds"]))


def follow(setting: Setting) -> tuple[Race | None, Seat]:
    """The race as far as it has come. Orders what is missing, unless that takes long; cancels an older order.

    Raises:
        ValueError: a world that cannot be.
    """
    for stage in setting.stages:
        compute.problem(stage)  # complains at the door, once and not for every method
    seat = take(PAGE, setting, lambda old: _seat(setting))
    seat.look()
    seat.begin(racing.seconds(seat.missing) / compute.race_pool().workers, LONG)
    key = ("race", repr(setting), seat.mark)
    race = compute.kept(key, lambda: racing.gather(setting, seat.results, compute.problem))
    return race, seat


def _seat(setting: Setting) -> Seat:
    seat = Seat(setting, tuple(racing.jobs(setting)))
    seat.learn(elsewhere.at_hand(seat.runs))
    seat.play(job for job in racing.starter(setting) if job not in seat.results)
    return seat


def desk(race: Race | None, seat: Seat) -> None:
    """What is still to come: the progress with a button that stops it, or a button that starts it."""
    if not seat.missing:
        return
    ticket = seat.ticket
    if ticket is not None and ticket.over and not ticket.cancelled:
        st.rerun()  # the last runs came in while this page was drawn
    if ticket is None or ticket.cancelled:
        whole = len(racing.whole_seeds(seat.setting, seat.results))
        st.info(race_words.pause(seat.setting, whole, stopped=ticket is not None, busy=seat.busy), icon="🧭")
        cost = elsewhere.expected(racing.seconds(seat.missing) / compute.race_pool().workers)
        st.button(race_words.start(len(seat.missing), cost, ticket is not None), on_click=start, args=(PAGE,),
                  key="race_start", icon=":material/play_arrow:")  # fmt: skip
    else:
        _watch(seat, 0 if race is None else race.done, monotonic())


def _watch(seat: Seat, shown: int, drawn: float) -> None:
    """Progress twice a second; the page is drawn anew when a whole seed has come in, and at the end."""
    pool, ticket = compute.race_pool(), seat.ticket
    runs = racing.jobs(seat.setting)
    before = racing.whole_seeds(seat.setting, seat.results)

    @st.fragment(run_every=0.5)
    def watch() -> None:
        results = seat.results | pool.look(ticket)
        whole = racing.whole_seeds(seat.setting, results)
        fresh = len(whole) > len(before) or (not before and shown == 0 and results)
        if ticket.over or (fresh and elsewhere.due(drawn)):
            st.rerun()
        left = racing.seconds_left(seat.setting, results, ticket, pool.workers)
        bar, button = st.columns([5, 1], vertical_alignment="center")
        with bar:
            said = race_words.progress(seat.setting, len(results), len(runs), left)
            st.progress(len(results) / len(runs), text=elsewhere.line(ticket, said))
        with button:
            st.button("Cancel", on_click=stop, args=(PAGE,), key="race_cancel", icon=":material/stop:")

    watch()
