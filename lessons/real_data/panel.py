"""The race on its page: the table that was chosen, the wait for the race, and what is kept of it.

What is made from a shipped table is kept for all visitors; what is made from a visitor's own file is kept in that
visitor's session and nowhere else.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from common.cache import kept
from lessons.real_data import model, upload, words
from lessons.real_data.model import OWN, RealDataSetting, Step, Trial
from lessons.real_data.own_table import Keep
from lessons.real_data.tables import Loaded
from shell.runs.run_panel import compute, page_value
from tvbo_core.worlds.tables import Table


def setting_and_table(value: Mapping[str, object], loaded: Loaded | None) -> tuple[RealDataSetting, Table | None]:
    """Return the setting, and the visitor's own table where that races."""
    if loaded is None:
        upload.forget_link()
    return model.setting_from(value, loaded), loaded and loaded.table


def keep_made(setting: RealDataSetting) -> Keep:
    """Return the cache of what is made: of all visitors for a shipped table, of the session for an own one."""
    return upload.own().kept if setting.base.table == OWN else kept


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
    keep = keep_made(setting)

    def perform(step: Step) -> Any:
        how = {"seconds": step.seconds, "own": own is not None or step.guest}
        return keep(step.key, lambda: compute(*step.call, **how))

    return model.race(setting, own, perform)
