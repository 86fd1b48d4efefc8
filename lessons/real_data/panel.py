"""The race on its page: the table that was chosen, the wait for the race, and what is kept of it.

What is made from a shipped table is kept for all visitors; what is made from a visitor's own file is kept in that
visitor's session and nowhere else.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st

from common.cache import kept, keyed
from lessons.real_data import model, upload, words
from lessons.real_data.model import OWN, RealDataSetting, Trial
from lessons.real_data.tables import Loaded
from shell.runs.run_panel import compute, page_value
from tvbo_core.worlds.tables import Table

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
    """Return the race; a wait of more than a moment says what it is for.

    Raises:
        ValueError: the table cannot race, or none of the methods can race on it.
    """

    def make() -> Trial:
        with st.spinner(words.racing(setting)):
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
