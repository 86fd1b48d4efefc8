"""The scene of the lesson: three intervals for each observation, the shares inside, and its words."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

from common.formats import amount, percent, two_decimals
from figures.theme import Theme
from lessons.online import figure, model
from lessons.online.model import (
    COSTS,
    DELTA,
    HOLDS,
    LAST,
    MEMORY,
    NAMES,
    ONLINE_WORLD,
    SLOW,
    STEP,
    STILL,
    TIMID,
    Online,
    OnlineSetting,
)
from lessons.record import Picture, Scene, Values
from lessons.shared import worlds
from lessons.shared.odds import Odds

ALT = (
    "Three intervals for the next observation side by side, each with the reward and the newest observation, and the "
    "share of the observations that fell inside each so far"
)
NOTE = (
    "●: the newest observation is inside. ✕: it is outside. Each interval is fixed before its observation, includes "
    "the noise, and aims at 90 %. ±: half-width, mean of all rounds."
)


def scene(values: Values, theme: Theme) -> Scene:
    """Return the scene of these knob values.

    Raises:
        ValueError: a world that cannot be.
    """
    return scene_of(model.online(model.setting_from(values)), theme)


def frame(values: Values, t: int, theme: Theme) -> Scene:
    """Return the scene after t observations alone; all of them take a tenth of a second.

    Raises:
        ValueError: a world that cannot be.
    """
    film = model.online(model.setting_from(values))
    return scene_of(film, theme, (min(max(t, 0), film.rounds),))


def question_scene(values: Values, t: int, theme: Theme) -> Scene:
    """Return what the bet's question shows: the first t observations.

    Raises:
        ValueError: a world that cannot be.
    """
    return scene_of(model.online(model.setting_from(values)).until(t), theme).without_answer(t)


def scene_of(film: Online, theme: Theme, frames: Sequence[int] = ()) -> Scene:
    """Return the scene of a film, or of some of its frames."""
    setting, frames = film.setting, frames or range(film.rounds + 1)
    return Scene(
        state=(setting,),
        times=frames,
        films={"main": Picture(partial(figure.stage, film, frames, theme), ALT)},
        says=lambda at: sentence(model.facts(film, frames[at]), frames[at] == LAST),
        facts=lambda at: model.facts(film, frames[at]),
        odds=odds_of(setting),
        label=lambda at: f"{frames[at]} of {LAST} observations",
        caption=f"Keeps all: GP-UCB's band. Forgets: WGP-UCB's, m = {setting.m}. The third has the centre of the "
        f"second, and its width moves by η = {setting.eta:g}. Set-up: {worlds.caption(setting.world)}, $V_T$ = "
        f"{amount(film.history.problem.sup_variation)}.",
        notes=lambda at: [NOTE, *promise(film, frames[at])],
    )


def sentence(facts: Mapping[str, float | None], last: bool) -> str:
    """Return the live sentence after some observations from their facts (HTML)."""
    if not facts["observations"]:
        return "Before each observation comes, every band says where it will be."
    keeps, forgets, follows = (percent(float(facts[f"{name}: share inside"] or 0.0)) for name in NAMES)
    return (
        f"Observations inside {'by the end' if last else 'so far'}: <b>{follows}</b> for the band that <span "
        f"class='good'>adapts to its misses</span>, {forgets} <span class='forgets'>forgetting</span>, {keeps} <span "
        f"class='keeps'>keeping all</span>."
    )


def promise(film: Online, t: int) -> list[str]:
    """Return what is proved of the third band after t observations."""
    if not t:
        return []
    least = math.floor(100.0 * (1.0 - DELTA - film.slack(t)))  # percent; rounded up it would say more than is proved
    proved = (
        f"Proved from the largest error so far, however the reward moves: the third band holds at least "
        f"{least} % of the first {t} observations."
        if least > 0
        else "Nothing is proved of the third band yet: its step is too small for so few observations."
    )
    return [f"{proved} Nothing is proved of the other two."]


ODDS = {  # kind of world and step -> what was counted there
    (ONLINE_WORLD.kind, STEP): Odds("online/holds", HOLDS),
    (STILL["kind"], STEP): Odds("online/still", COSTS),
    (ONLINE_WORLD.kind, TIMID["eta"]): Odds("online/timid", SLOW),
}


def odds_of(setting: OnlineSetting) -> str:
    """Return in how many worlds like this one the claim of a moment holds; "" for others."""
    opening = replace(ONLINE_WORLD, seed=setting.world.seed, kind=setting.world.kind)
    counted = ODDS.get((setting.world.kind, setting.eta))
    return counted.line() if counted and setting.m == MEMORY and setting.world == opening else ""


def widths(film: Online) -> list[str]:
    """Return the mean half-widths over all rounds, in the order of the intervals."""
    return [two_decimals(float(one.half_so_far[-1])) for one in film.intervals]
