"""The scene of the runs: measured regret between its bounds, and the adversary."""

from __future__ import annotations

import numpy as np

from figures.theme import Theme
from lessons.record import DATA, Picture, Scene, Values, of_all
from lessons.shared.stored_runs import StoredPlan
from lessons.shared.wording import product
from lessons.theorems import figure
from lessons.theorems.figure import FLOOR, MEASURED, PLAY, PROVED, TRIVIAL, Mark, RegretBounds
from lessons.theorems.knobs import PHONE, RUNS
from lessons.theorems.runs import figure_adversary, model, words
from lessons.theorems.runs.adversary import hidden_bump
from lessons.theorems.runs.model import BoundVsRegret, RunSetting

STARTER_SECONDS = 0.05  # runs that take no longer are played while a slider is moved
# Theorems of which a bound at every horizon takes about a tenth of a second.
QUICK = ("rperp", "kernelucb")
ALT = "Regret against the horizon: measured runs between bound and lower bound, and a ruler with the factors"


def frame(values: Values, theme: Theme) -> Scene | None:
    """Return the scene, with the measured runs where all of them are stored; None where the bound takes long.

    Raises:
        ValueError: a world that cannot be.
    """
    if values["case"] not in QUICK:
        return None
    if PLAN.is_instant(values):
        return PLAN.scene(values, theme)
    return scene_of(model.gather(model.setting_from(values), {}), theme)


def scene_of(found: BoundVsRegret, theme: Theme) -> Scene:
    """Return the scene of these runs, as far as they have come."""
    hidden = hidden_bump(found.setting)
    frames, drawn = len(found.horizons), bounds(found)
    return Scene(
        state=(found.setting, found.done),
        times=range(frames),
        films={"main": Picture(lambda at: figure.stage(drawn, theme, at), ALT, screens=PHONE)},
        stills={
            "adversary": Picture(
                lambda frame: figure_adversary.adversary(hidden, theme),
                "The bumps that might be real, and the place of the real one over time",
                words.ADVERSARY_HEADING,
                lambda frame: words.adversary(hidden),
            ),
        },
        says=of_all(lambda: words.finding(found)),
        facts=lambda at: model.facts(found, at),
        label=lambda at: f"T = {found.horizons[at]:,}",
        events=list(range(frames)),
        caption=words.caption(found),
        notes=lambda frame: words.notes(found),
        tables={DATA: lambda frame: model.table(found)},
        reset=(RUNS, frames),
    )


def bounds(found: BoundVsRegret) -> RegretBounds:
    """Return the runs and what is proved at each horizon, as the picture draws them."""
    p, name, k = found.proved, found.setting.rule.name, found.setting.seeds
    most = "trivial bound 2BT" if found.setting.has_norm else "worst choices"
    bound = np.array([one.total for one in p.bounds])
    marks = [
        Mark("bound", PROVED, bound, "proved", "proved at most"),
        Mark("cannot exceed", TRIVIAL, p.trivial, most, most),
        Mark(
            "measured, mean", MEASURED, found.mean, "measured", f"{name}, {f'mean of {k} runs' if k > 1 else 'one run'}"
        ),
        Mark("random play", PLAY, p.chance, "random play here"),
        Mark("lower bound (mean)", FLOOR, p.floor, "lower bound"),
    ]
    regret = np.full((len(found.horizons), k), np.nan)
    for i, T in enumerate(found.horizons):
        each = found.regret.get(T, np.zeros(0))
        regret[i, : len(each)] = each
    every = np.ones(len(regret), dtype=bool)
    return RegretBounds(np.array(found.horizons, dtype=float), marks, name, every, regret=regret)


def _jobs(setting: RunSetting) -> list:
    return [job for _, job in model.jobs(setting)]


PLAN = StoredPlan(
    setting=lambda values: model.setting_from(values) if values["view"] == RUNS else None,
    jobs=_jobs,
    what=lambda s: f"{s.rule.name} on {product((s.seeds, 'seed'), (len(s.horizons), 'horizon'))}",
    gather=model.gather,
    scene_of=lambda values, found, theme, mark: scene_of(found, theme),
    file=model.FILE,
    long_seconds=60.0,
    ready=lambda values, compute: model.proved(model.setting_from(values)),
    starter=lambda s: _jobs(s) if model.seconds(s) <= STARTER_SECONDS else (),
)
