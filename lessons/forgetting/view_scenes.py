"""The scenes of the views of drift and of worlds."""

from __future__ import annotations

from figures.frames import FilmFrames, choose_frames
from figures.theme import Theme
from lessons.forgetting import best_memory, claims, experiment, figure_best_memory, figure_pays, pays, view_words
from lessons.forgetting.knobs import DRIFT, PAYS
from lessons.forgetting.model import MemorySweep
from lessons.record import DATA, Picture, Scene, Values
from lessons.shared.knobs import METHODS

MAX_FRAMES = 60


def _frames(horizon: int, t: int | None) -> FilmFrames:
    """Return the rounds that become frames, or that of one time alone."""
    ticks = choose_frames(horizon, (), most=MAX_FRAMES)
    return ticks if t is None else ticks.only(t)


def drift(values: Values, sweep: MemorySweep, theme: Theme, mark: str, t: int | None = None) -> Scene:
    """Return the scene of several drift budgets, at a time alone where one is given.

    Raises:
        ValueError: a world that cannot be.
    """
    past, _ = experiment.settings_from(values)
    found = best_memory.best_memory(sweep, past.world)
    horizon, name = past.world.horizon, METHODS[sweep.setting.front]
    ticks = _frames(horizon, t)
    facts = [best_memory.facts(found, row) for row in ticks.rows]
    texts = [view_words.lowest(found, one) for one in facts]
    return Scene(
        state=(DRIFT, past.world, sweep.setting, mark),
        times=ticks.times,
        films={
            "main": Picture(
                lambda at: figure_best_memory.stage(found, name, texts, ticks, theme, at),
                view_words.DRIFT_ALT,
            )
        },
        says=lambda at: view_words.drift(found, facts[at], ticks.rows[at] + 1 == horizon),
        facts=lambda at: facts[at],
        label=ticks.label,
        caption=view_words.caption(past.world, sweep.setting.numbers),
        notes=lambda at: [view_words.example(found, facts[at])],
        odds=claims.odds_of_drift(past.world, sweep.setting),
        tables={DATA: lambda frame: best_memory.table(found)},
        reset=(DRIFT, horizon),
    )


def worlds(values: Values, sweep: MemorySweep, theme: Theme, mark: str, t: int | None = None) -> Scene:
    """Return the scene of forgetting beside keeping everything, at a time alone where one is given.

    Raises:
        ValueError: a world that cannot be.
    """
    past, setting = experiment.settings_from(values)
    found = pays.comparisons(sweep)
    horizon = setting.worlds[0].horizon
    ticks = _frames(horizon, t)
    facts = [pays.facts(found, row) for row in ticks.rows]
    return Scene(
        state=(PAYS, sweep.setting, mark),
        times=ticks.times,
        films={
            "main": Picture(
                lambda at: figure_pays.stage(found, METHODS[setting.front], ticks, theme, at), view_words.PAYS_ALT
            )
        },
        says=lambda at: view_words.pays(found, facts[at], ticks.rows[at] + 1 == horizon),
        facts=lambda at: facts[at],
        label=ticks.label,
        caption=view_words.pays_caption(setting.front, past.tuning.m, setting.worlds, setting.numbers),
        odds=claims.odds_of_worlds(setting),
        tables={DATA: lambda frame: pays.table(found)},
        reset=(PAYS, horizon),
    )


VIEWS = {DRIFT: drift, PAYS: worlds}
