"""The scene of the lesson: the band after each observation, what a click does there, and its words."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from common.formats import percent, plural, two_decimals
from figures.theme import Theme
from lessons.points import figure, model
from lessons.points.model import ARMS, COVERS, FINDS, LAST, LOUD, MISSES, STAYS, WIDTH, Points, PointsSetting
from lessons.record import Ask, Pick, Picture, Rounds, Scene, Values
from lessons.shared import worlds
from lessons.shared.odds import Odds

ALT = (
    "A hidden curve of rewards, the noisy observations so far, the learner's estimate with its band, and the place "
    "where the band is highest"
)
STEP = 900  # milliseconds of a round
NOTE = (
    "Estimate: the learner's guess, 0 where it knows nothing. Band: where it expects the reward. Regret: the best "
    "reward minus the queried one."
)
CLICK = "<b>Where would you query next?</b> Click: the learner then shows the highest point of its band."
ODDS = {  # guessed lengthscale, noise, and whether the reward is hidden -> what was counted there
    (0.15, 0.1, False): Odds("points/two", COVERS, "curves"),
    (0.5, 0.1, False): Odds("points/smooth", MISSES, "curves"),
    (0.15, 0.5, False): Odds("points/loud", STAYS, "curves"),
    (0.15, 0.1, True): Odds("points/next", FINDS, "curves"),
}


def scene(values: Values, theme: Theme) -> Scene:
    """Return the scene of these knob values.

    Raises:
        ValueError: a world that cannot be.
    """
    return scene_of(model.points(model.setting_from(values)), bool(values["unseen"]), theme)


def frame(values: Values, t: int, theme: Theme) -> Scene:
    """Return the scene after t observations alone; ten rounds take a few milliseconds.

    Raises:
        ValueError: a world that cannot be.
    """
    film, one = model.points(model.setting_from(values)), min(max(t, 0), LAST)
    return scene_of(film, bool(values["unseen"]), theme, (one,))


def question_scene(values: Values, t: int, theme: Theme) -> Scene:
    """Return what the bet's question shows: the first t observations, and the reward only beside the last.

    Raises:
        ValueError: a world that cannot be.
    """
    film = model.points(model.setting_from(values)).until(t)
    return scene_of(film, t < LAST, theme).without_answer(t)


def scene_of(film: Points, unseen: bool, theme: Theme, frames: Sequence[int] = ()) -> Scene:
    """Return the scene of a film, or of some of its frames."""
    setting, frames = film.setting, frames or range(film.frames)
    asked = setting.queries[-1][0] if setting.queries else None
    plays = None if asked is None else (asked, min(asked + 1, film.frames - 1))
    draw = partial(figure.stage, film, unseen, frames, theme)
    return Scene(
        state=(setting, unseen),
        times=frames,
        films={"main": Picture(draw, ALT, pick=Pick(ask=Ask("asked", ("x",), ARMS, plays)))},
        says=lambda at: sentence(film, frames[at], unseen),
        facts=lambda at: model.facts(film, frames[at]),
        odds=odds_of(setting, unseen),
        label=lambda at: f"{frames[at]} of {LAST} observations",
        caption=f"The learner: GP-UCB, SE kernel with ℓ = {setting.guessed:g}, band of ±{setting.width:g} sd. "
        f"◆: your queries. Set-up: {worlds.caption(setting.shown)}.",
        notes=lambda frame: [NOTE],
        rounds=Rounds((), (STEP,), LAST, STEP),
        reset=(unseen,),
    )


def odds_of(setting: PointsSetting, unseen: bool) -> str:
    """Return in how many worlds the claim of a moment holds; "" where nobody has counted it."""
    counted = ODDS.get((setting.guessed, setting.noise, unseen))
    return counted.line() if counted and setting.width == WIDTH and not setting.queries else ""


def sentence(film: Points, t: int, unseen: bool) -> str:
    """Return the live sentence after t observations (HTML)."""
    facts, noise = model.facts(film, t), film.setting.noise
    out, after = float(facts["outside the band"] or 0.0), f"After {plural(t, 'observation')}"
    if unseen and t and film.asked[t - 1]:
        at, high = facts["last queried at x"], facts["it was highest at x"]
        return f"<b>You</b> queried x = {at:.2f}. The band was highest at x = {high:.2f}: the learner's query."
    if unseen:
        return CLICK
    if not t:
        return "Nothing is observed yet: the band is equally wide everywhere, and the estimate is 0."
    if out:
        half = two_decimals(float(facts["mean half-width"] or 0.0))
        missed = "<span class='bad'>misses the reward</span>"
        return f"{after} the band is ±{half} wide on average and {missed} at {percent(out)} of the actions."
    narrow, wide = (two_decimals(float(facts[name] or 0.0)) for name in ("narrowest", "widest"))
    if noise >= LOUD["noise"]:
        return f"With noise {noise:g} the band is ±{narrow} wide at its narrowest {after.lower()}."
    return f"{after} the band is ±{narrow} wide at its narrowest and ±{wide} at its widest."
