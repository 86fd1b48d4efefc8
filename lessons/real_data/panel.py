"""The race on its page: the table that was chosen, the wait for the runs, and what is kept of them.

What is made from a shipped table is kept for all visitors; what is made from a visitor's own file is kept in that
visitor's session and nowhere else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from common.cache import kept, keyed, newest
from common.durations import duration
from lessons.real_data import model, upload, words, worker_jobs
from lessons.real_data.model import OWN, RealDataSetting, Trial
from lessons.real_data.tables import Loaded
from lessons.real_data.worker_jobs import Curves, most_chosen
from lessons.shared.wording import product
from shell.page.stop import stop
from shell.runs.jobs import CallJob, Failure
from shell.runs.run_panel import RunSet, compute, page_value, panel, run_set
from tvbo_core.policies import BY_NAME
from tvbo_core.worlds.tables import Table

PAGE = "real_data"  # the name of the run set
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


def follow(setting: RealDataSetting, own: Table | None) -> tuple[Trial, RunSet]:
    """Return the race as far as it has come, and order the runs of slow methods unless they take long.

    A wait of more than a moment says what it is for, and a long one begins with a button.

    Raises:
        ValueError: the table cannot race, or none of the methods can race on it.
    """

    def make() -> Trial:
        table, _, second = _keep(setting, ("parts", setting.base), lambda: worker_jobs.parts(setting.base, own))
        quick = setting.racing(second.f.shape[1]).only(slow=False)
        cost = model.seconds(table, model.LEARNING_RUNS + setting.seeds * len(quick.methods))
        mine = upload.own()
        if cost > LONG_SECONDS and mine.long != setting:
            st.info("This race takes a while, so it starts when you ask for it.", icon=":material/info:")
            asked = partial(setattr, mine, "long", setting)
            st.button(f"Run it: {duration(cost)}", key="long_run", icon=":material/play_arrow:", on_click=asked)
            stop()
        with st.spinner(words.racing(quick)):
            return replace(race(quick, own), setting=setting)

    trial = page_value("trial", setting, make)  # a pause or a pill does not look everything up again
    runs = run_set(PAGE, setting, lambda: _slow_runs(trial, own))
    runs.poll()
    runs.begin(LONG_SECONDS)
    return page_value("joined", (setting, runs.mark), lambda: _joined(trial, runs)), runs


def progress(trial: Trial, runs: RunSet) -> None:
    """Draw the progress of the slow methods, whose lines come when all their seeds are through."""
    for sentence in dict.fromkeys(str(one) for one in runs.results.values() if isinstance(one, Failure)):
        st.info(sentence, icon=":material/info:")
    panel(PAGE, runs, lambda: bool(_through(trial, runs).keys() - trial.total.keys()))


def _slow_runs(trial: Trial, own: Table | None) -> RunSet:
    """Return the runs of slow methods that are not kept, a call a seed."""
    setting = trial.setting
    names = setting.racing(trial.problem.f.shape[1]).only(slow=True).names
    missing = [name for name in names if _known(setting, model.runs_key(setting, name)) is None]
    jobs = tuple(
        CallJob(worker_jobs.runs, (setting.base, own, name, trial.memories, (seed,)), BY_NAME[name].own)
        for name in missing
        for seed in setting.numbers
    )
    what = product((setting.seeds, "seed"), (len(missing), "slow method"))

    def seconds(jobs: Iterable[CallJob]) -> float:
        return sum(model.slow_seconds(trial.table, job.arguments[2]) for job in jobs)

    return RunSet(setting, jobs, what, seconds)


def _through(trial: Trial, runs: RunSet) -> dict[str, Curves]:
    """Return the curves of the slow methods of which every seed is through."""
    keys = {name: model.runs_key(trial.setting, name) for name in trial.setting.only(slow=True).names}
    found = {name: held for name, key in keys.items() if (held := _known(trial.setting, key))}
    for name in {job.arguments[2] for job in runs.jobs}:
        played = [runs.results.get(job) for job in runs.jobs if job.arguments[2] == name]
        if all(isinstance(one, tuple) for one in played):
            made = np.concatenate([total for total, _ in played]), most_chosen([arms for _, arms in played])
            found[name] = _keep(trial.setting, keys[name], lambda made=made: made)
    return found


def _joined(trial: Trial, runs: RunSet) -> Trial:
    """Return the race with those slow methods that are through."""
    curves = {name: (total, trial.looks[name]) for name, total in trial.total.items()} | _through(trial, runs)
    return model.gather(trial.setting, trial.table, trial.problem, trial.learnt, curves)


def race(setting: RealDataSetting, own: Table | None) -> Trial:
    """Return the race of quick methods, each step kept, or computed now: in place or by a worker."""

    def step(key: tuple, *call: Any, seconds: float) -> object:
        return _keep(setting, key, lambda: compute(*call, seconds=seconds, own=own is not None))

    return model.race(setting, own, step)


def _keep(setting: RealDataSetting, key: tuple, make: Callable[[], object]) -> object:
    """Return a result that is made once for its key."""
    return upload.private(key, make) if setting.base.table == OWN else _shipped(key, make)


def _known(setting: RealDataSetting, key: tuple) -> Any:
    """Return what is kept under this key; None where it is not there (any more)."""
    return upload.own().results.get(key) if setting.base.table == OWN else newest(_shipped, key)
