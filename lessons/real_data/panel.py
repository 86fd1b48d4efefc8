"""The race on its page: the table that was chosen, the wait for the race, and what is kept of it.

What is made from a shipped table is kept for all visitors; what is made from a visitor's own file is kept in that
visitor's session and nowhere else.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import streamlit as st

from common.cache import kept, keyed
from common.durations import duration
from lessons.real_data import model, upload, words, worker_jobs
from lessons.real_data.model import OWN, RealDataSetting, Trial
from lessons.real_data.tables import Loaded
from shell.page.stop import stop
from shell.runs.run_panel import compute, page_value
from tvbo_core.worlds.tables import Table

LONG_SECONDS = 10.0  # what takes longer waits for a button that says so
_shipped = keyed(200)  # results from the tables that ship with the lab

Keep = Callable[[tuple, Callable[[], object]], object]


def setting_and_table(value: Mapping[str, object], loaded: Loaded | None) -> tuple[RealDataSetting, Table | None]:
    """Return the setting, and the visitor's own table where that races."""
    if loaded is None or loaded.table is None:
        upload.forget_link()
        return model.setting_from(value), None
    return model.setting_from(value, f"{loaded.table.name}:{loaded.choices!r}"), loaded.table


def keep_made(setting: RealDataSetting) -> Keep:
    """Return the cache of figures and words: of all visitors for a shipped table, of the session for an own one."""
    return upload.private if setting.base.table == OWN else kept


def follow(setting: RealDataSetting, own: Table | None) -> Trial:
    """Return the race; a wait of more than a moment says what it is for, and a long one begins with a button.

    Raises:
        ValueError: the table cannot race, or none of the methods can race on it.
    """

    def make() -> Trial:
        table, _, second = _keep(setting, ("parts", setting.base), lambda: worker_jobs.parts(setting.base, own))
        racing = setting.racing(second.f.shape[1])
        cost = model.seconds(table, model.LEARNING_RUNS + setting.seeds * len(racing.methods))
        mine = upload.own()
        if cost > LONG_SECONDS and mine.long != setting:
            st.info("This race takes a while, so it starts when you ask for it.", icon=":material/info:")
            asked = partial(setattr, mine, "long", setting)
            st.button(f"Run it: {duration(cost)}", key="long_run", icon=":material/play_arrow:", on_click=asked)
            stop()
        with st.spinner(words.racing(racing)):
            return race(setting, own)

    return page_value("trial", setting, make)  # a pause or a pill does not look everything up again


def race(setting: RealDataSetting, own: Table | None) -> Trial:
    """Return the race, each step kept, or computed now: in place or by a worker."""

    def step(key: tuple, *call: Any, seconds: float, guest: bool) -> object:
        return _keep(setting, key, lambda: compute(*call, seconds=seconds, own=own is not None or guest))

    return model.race(setting, own, step)


def _keep(setting: RealDataSetting, key: tuple, make: Callable[[], object]) -> Any:
    """Return a result that is made once for its key."""
    return upload.private(key, make) if setting.base.table == OWN else _shipped(key, make)
