"""Pages of a server that was started with guests; run by test_guests.py in a process whose lists hold them.

`python -m tests.lessons.guests FILE` prints one JSON object.
"""

from __future__ import annotations

import contextlib
import io
import json
import sys
from dataclasses import replace
from typing import Any

import numpy as np

from tvbo_core.guests import ADMITTED, admit, load_guest

admit(load_guest(f"{sys.argv[1]}@{name}") for name in ("SameAsWGPUCB", "Raises", "SameAsCMM", "Broken"))

from answers.address import release  # noqa: E402
from common.failure import Failure  # noqa: E402
from figures.theme import Theme  # noqa: E402  (the lists are walked when lessons are imported)
from lessons import BY_KEY  # noqa: E402
from lessons.bands import model as bands  # noqa: E402
from lessons.bands.setting import setting_from  # noqa: E402
from lessons.game import model as game  # noqa: E402
from lessons.game.words import notes as game_notes  # noqa: E402
from lessons.race import claims  # noqa: E402
from lessons.race import model as race  # noqa: E402
from lessons.race import scene as race_scene  # noqa: E402
from lessons.record import BadValue  # noqa: E402
from lessons.shared.play_jobs import outcome  # noqa: E402
from lessons.shared.policies import policy  # noqa: E402
from lessons.shared.stored_runs import in_place  # noqa: E402
from shell.runs.engines import Engine  # noqa: E402
from shell.runs.jobs import CallJob  # noqa: E402
from tests.lessons.scripts import script  # noqa: E402
from tvbo_core.designs import play_rng  # noqa: E402
from tvbo_core.play import play  # noqa: E402

COPY, RAISES = "SameAsWGPUCB*", "Raises*"
WORDS = {one.name: one.word for one in ADMITTED.values()}


def printed(text: str) -> list[str]:
    """Return what a script prints beside the guest's file."""
    with contextlib.redirect_stdout(io.StringIO()) as said:
        exec(compile(text, "script", "exec"), {"__name__": "__main__"})
    return said.getvalue().splitlines()


def of_race() -> dict[str, Any]:
    lesson = BY_KEY["race"]
    methods = ("wgp", WORDS["SameAsWGPUCB"], WORDS["Raises"], "gp")
    values = lesson.settings({"algos": methods, "T": 100, "seeds": 2, "m": 0})
    setting = race.setting_from(values)
    jobs = race.jobs(setting)
    results = {job: outcome(job) for job in jobs}
    late = {job: found for job, found in results.items() if job.name != COPY}
    found, waiting = race.gather(setting, results), race.gather(setting, late)
    scene = race_scene.scene_of(values, found, Theme(), "all")
    pictures = [
        scene.films["main"].draw(scene.at_time(100)).figure.to_dict(),
        scene.films["curves"].draw(0).figure.to_dict(),
    ]
    sound = {**values, "algos": methods[:2]}
    return {
        "order": [job.name for job in jobs],
        "same": all(np.array_equal(lane.total[COPY], lane.total["WGP-UCB"]) for lane in found.lanes),
        "names": found.lanes[0].names,
        "refused": dict(found.refused),
        "notes": list(scene.notes(20)),
        "waiting": [waiting.lanes[0].names, waiting.seeds],
        "drawn": COPY in json.dumps(pictures, default=str),
        "default": list(lesson.knobs["algos"].default),
        "counted": claims.odds_of(race.setting_from(lesson.settings({}))),
        "script": script("race", sound),
        "printed": printed(script("race", sound)),
    }


def of_game() -> dict[str, Any]:
    setting = game.GameSetting("yxwdj", 10, 0.2)
    methods = ("gp", WORDS["SameAsWGPUCB"], WORDS["Raises"], "wgp")
    asked: list[bool] = []

    def compute(*arguments: Any, seconds: float, own: bool = False) -> Any:
        asked.append(own and seconds > 1)
        return in_place(*arguments, seconds=seconds)

    done = game.finished(game.Game(setting, (5,) * 10), methods, compute)
    tuned, seed = policy("wgp", 0, game.WIDTH), setting.world.seed  # by its paper, as the copy is
    regret = [play(done.duel.problem, tuned, play_rng(seed + i)).regret for i in range(1 + game.REPLAYS)]
    return {
        "rivals": list(done.duel.rivals),
        "same": bool(np.array_equal(done.duel.total[COPY], regret[0].cumsum())),
        "replays": done.replays[COPY].tolist() == [float(one.sum()) for one in regret[1:]],
        "refused": dict(done.field.refused),
        "notes": game_notes(done),
        "in workers": asked,
    }


def of_bands() -> dict[str, Any]:
    lesson = BY_KEY["bands"]
    values = lesson.settings({"T": 30})
    run = bands.bands_over_time(setting_from(values))
    copy = run.films["SameAsCMM*"]
    scene = lesson.scene(values, Theme())
    scene.films["main"].draw(20)
    return {
        "names": list(run.films),
        "same": bool(np.array_equal(copy.upper, run.films["CMM"].upper)),
        "notes": list(scene.notes(20)),
        "caption": scene.caption,
        "odds": lesson.scene(lesson.defaults, Theme()).odds,
        "script": script("bands", values),
        "coverage": list(scene.stills["coverage"].draw(0).figure.to_dict()["layout"]["yaxis"]["ticktext"]),
    }


def of_links() -> dict[str, str]:
    """Return what is said of each value that a stranger may put into a link."""
    said = {}
    for key, raw in (("algos", "/etc/x.py@Y"), ("algos", "gp.mine.py@Raises"), ("pair", "mine.py@Raises")):
        try:
            said[raw] = f"taken as {BY_KEY['race'].knobs[key].read(raw)}"
        except BadValue:
            said[raw] = "dropped"
    return said


def of_workers() -> dict[str, Any]:
    """Return what a worker process makes of a guest, and of a job that walks the list of bands there."""
    from lessons.bands.coverage import measured, still_worlds

    setting = race.setting_from(BY_KEY["race"].settings({"algos": (WORDS["SameAsWGPUCB"], "wgp"), "T": 100, "m": 0}))
    runs = race.jobs(replace(setting, seeds=1, worlds=setting.worlds[:1]))
    still = still_worlds(setting_from(BY_KEY["bands"].settings({"T": 10})))
    engine = Engine(1)
    try:
        found = engine.submit((*runs, CallJob(measured, (still,))), False).result(timeout=120)
    finally:
        engine.end()
    failed = [str(one) for one in found if isinstance(one, Failure)]
    return {"failed": failed} if failed else {
        "failed": [],
        "same": found[0].arms.tolist() == found[1].arms.tolist(),
        "covered": list(found[2].counts),
    }  # fmt: skip


if __name__ == "__main__":
    parts = {"race": of_race, "game": of_game, "bands": of_bands, "links": of_links}
    found = {name: part() for name, part in parts.items()}
    found |= {"workers": of_workers(), "release": release()}
    print(json.dumps(found))
