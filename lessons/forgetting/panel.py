"""The bowls on their page: what is shown at once, and the runs that are still to come.

The runs of the page as it opens and of its moments ship with the lab; after a change of a policy or of a moment,
play them anew with `python -m lessons.forgetting.panel`.
"""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from shell.jobs import outcome
from shell.run_panel import RunSet, panel, run_set
from shell.runs import RUNS
from tvbo_core.jobs import Job
from tvbo_core.standings import Run
from lessons.shared import compute
from lessons.forgetting import model as forgetting, words as forgetting_words
from shell import stored_runs as shipped, world_form as world
from lessons.forgetting.model import Bowls, Setting
from lessons.forgetting.memories import Look, tuned
from lessons.forgetting.lesson import FORGETTING, FORGETTING_WORLD

PAGE = "bowls"  # the name of the run set
LONG_SECONDS = 15.0  # runs that take longer wait for a button that says so
MOMENT_SECONDS = 0.4  # the first seed may take while the reader waits


def chosen(values: Mapping[str, object]) -> tuple[Look, Setting]:
    """What these values of the page's knobs look at, and the runs they ask for."""
    base = world.build(values, FORGETTING_WORLD)
    look = Look(base, str(values["design"]), tuned(values), float(values["place"]))
    runs = Setting(forgetting.worlds(base), str(values["bowl"]), str(values["beta"]), int(values["seeds"]))
    return look, runs


def follow(setting: Setting, rows: tuple[int, ...]) -> tuple[Bowls, RunSet]:
    """Return the bowls as far as they have come, and order what is missing unless that takes long."""
    runs = run_set(PAGE, setting, lambda: _run_set(setting))
    runs.look()
    runs.begin(forgetting.seconds, LONG_SECONDS)
    every = compute.kept(("bowls", repr(setting), runs.mark), lambda: forgetting.gathered(setting, runs.results))
    return every.at(rows), runs


def _run_set(setting: Setting) -> RunSet:
    """Return the runs, with the first seed of the method on the stage where that is a matter of moments."""
    runs = RunSet(setting, tuple(forgetting.jobs(setting)))
    runs.learn(shipped.at_hand(runs.jobs, forgetting.FILE))
    if runs.missing:
        first = forgetting.jobs(Setting(setting.worlds, setting.front, setting.width, 1), ("gp", setting.front))
        first = [job for job in first if job not in runs.results]
        if forgetting.seconds(first) < MOMENT_SECONDS:
            runs.play(first)
    return runs


def desk(bowls: Bowls, runs: RunSet) -> None:
    """Draw what is still to come; the page is drawn anew when another seed of a method has come in."""
    shown = {method: bowl.seeds for (method, _), bowl in bowls.bowls.items()}

    def fresh() -> bool:
        now = forgetting.whole(runs.setting, runs.results)
        return {method: len(seeds) for method, seeds in now.items() if seeds and method != "gp"} != shown

    cost = forgetting.seconds(runs.missing) / RUNS.workers
    panel(
        PAGE,
        runs,
        paused=forgetting_words.pause(bowls, runs.cancelled),
        start=forgetting_words.start(len(runs.missing), cost, runs.cancelled),
        seconds=forgetting.seconds,
        progress=lambda done, left: forgetting_words.progress(runs.setting, done, len(runs.jobs), left),
        fresh=fresh,
    )


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
    played = [(job, result) for job in wanted if isinstance(result := outcome(job), Run)]
    shipped.store(played, forgetting.FILE)
    print(f"{len(wanted)} runs, {forgetting.FILE.stat().st_size / 1e3:.0f} kB")


if __name__ == "__main__":
    main()
