"""The scene of the lesson: what packs, exports and offline pages show of it."""

from __future__ import annotations

from figures.theme import Theme
from lessons.chase import claims, figure, model, words
from lessons.chase.model import STEPS
from lessons.record import Frame, Picture, Scene, Values


def scene(values: Values, t: int, theme: Theme) -> Scene:
    """Return the scene of these knob values at frame t.

    Raises:
        ValueError: a world that cannot be.
    """
    return drawn(model.chase(model.setting(values)), bool(values["unseen"]), t, theme)


def until(values: Values, t: int, theme: Theme) -> Scene:
    """Return what the bet's question shows: the rounds as far as that of frame t.

    Raises:
        ValueError: a world that cannot be.
    """
    film = model.chase(model.setting(values))
    rounds = min(max(t, 0), film.frames - 1) // len(STEPS) + 1
    return drawn(model.until(film, rounds), bool(values["unseen"]), t, theme).asked(t)


def drawn(film: model.Chase, unseen: bool, t: int, theme: Theme) -> Scene:
    """Return the scene of a film."""
    return Scene(
        state=(film.setting, unseen),
        frames=film.frames,
        start=min(max(t, 0), film.frames - 1),
        films={"main": Picture(lambda at: figure.stage(film, unseen, model.reach(film), theme, at), words.ALT)},
        sentences=lambda: words.finding(film, unseen),
        facts=lambda at: model.facts(film, at),
        labels=lambda: words.labels(film),
        events=range(len(STEPS) - 1, film.frames, len(STEPS)),
        odds=words.odds(film, unseen),
        strip=claims.strip(film.setting, unseen),
        caption=words.caption(film),
    )


def frame(values: Values, t: int, theme: Theme) -> Frame:
    """Return frame t for the canvas: the rounds are played whole in a few hundredths of a second.

    Raises:
        ValueError: a world that cannot be.
    """
    film = model.chase(model.setting(values))
    at = min(max(t, 0), film.frames - 1)
    unseen = bool(values["unseen"])
    stage = figure.one_round(film, at // len(STEPS), theme) | {"odds": words.odds(film, unseen), "strip": None}
    return Frame({}, words.finding(film, unseen)[at], stage=stage)
