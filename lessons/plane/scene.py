"""The scene of the lesson: two learners on one landscape, round by round, and its words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from common.formats import amount, percent
from figures.theme import Theme
from lessons.plane import figure, model
from lessons.plane.model import (
    COSTS,
    FOLLOWS,
    FORGETS,
    GLIDING,
    KEEPS,
    MEMORY,
    MISSES,
    PLANE_WORLD,
    Plane,
    PlaneSetting,
)
from lessons.record import Picture, Scene, Values
from lessons.shared import worlds
from lessons.shared.odds import Odds

ALT = (
    "Two heat maps of one landscape as two learners see it, with the true peak, its path and their queries, and the "
    "regret of both over time"
)


def scene(values: Values, theme: Theme) -> Scene:
    """Return the scene of these knob values.

    Raises:
        ValueError: a world that cannot be.
    """
    return scene_of(model.plane(model.setting_from(values)), str(values["view"]), theme)


def question_scene(values: Values, t: int, theme: Theme) -> Scene:
    """Return what the bet's question shows: the rounds up to time t.

    Raises:
        ValueError: a world that cannot be.
    """
    return scene_of(model.plane(model.setting_from(values)).until(t), str(values["view"]), theme).without_answer(t)


def scene_of(film: Plane, view: str, theme: Theme) -> Scene:
    """Return the scene of a film, in a view: "estimate" or "band"."""
    T, rounds = film.setting.world.horizon, range(film.problem.horizon)
    return Scene(
        state=(film.setting, view),
        times=[row + 1 for row in rounds],
        films={"main": Picture(lambda at: figure.stage(film, view, theme, at), ALT)},
        says=lambda row: sentence(model.facts(film, row), view),
        facts=lambda at: model.facts(film, at),
        odds=odds_of(film.setting, view),
        label=lambda row: f"t = {row + 1} of {T}",
        caption=f"Keeps everything: GP-UCB. Forgets: WGP-UCB, m = {film.setting.m}. Width {model.WIDTH:g}. Set-up: "
        f"{worlds.caption(film.setting.world)}, $V_T$ = {amount(film.problem.sup_variation)} over the "
        f"{len(film.problem.x)} actions.",
        notes=lambda frame: [NOTES[view]],
        reset=(T,),
    )


GLIDE = Odds("plane/glide", COSTS, "worlds")
ODDS = {
    "estimate": Odds("plane/follow", FOLLOWS, "worlds"),
    "band": Odds("plane/miss", MISSES, "worlds"),
}


def odds_of(setting: PlaneSetting, view: str) -> str:
    """Return in how many worlds like this one the claim of the opening, or of the glide, holds; "" for others."""
    opening = PlaneSetting(replace(PLANE_WORLD, seed=setting.world.seed), MEMORY)
    glide = replace(opening, world=replace(opening.world, **GLIDING))
    found = ODDS[view] if setting == opening else GLIDE if setting == glide else None
    return found.line() if found else ""


NOTES = {
    "estimate": "Queries turn paler as they are forgotten. Contour lines split the scale of both maps into eight equal "
    "steps.",
    "band": "Queries turn paler as they are forgotten. Hatched: the reward lies outside the band. Dark: the band is "
    "narrow.",
}


def sentence(facts: Mapping[str, float | None], view: str) -> str:
    """Return the live sentence of a round from its facts (HTML)."""
    now = f"At t = {facts['t']}"
    fact = "regret" if view == "estimate" else "outside the band"
    keeps, forgets = (float(facts[f"{name}: {fact}"] or 0.0) for name in (KEEPS, FORGETS))
    if view == "band":
        return (
            f"{now} <span class='keeps'>keeping everything</span> misses the reward on <b>{percent(keeps)}</b> of the "
            f"plane, <span class='forgets'>forgetting</span> on {percent(forgets)}."
        )
    return (
        f"{now} <span class='keeps'>keeping everything</span> has regret <b>{amount(keeps)}</b>, "
        f"<span class='forgets'>forgetting</span> has <b>{amount(forgets)}</b>."
    )
