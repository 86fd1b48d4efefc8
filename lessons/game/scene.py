"""The scene of a finished game: the truth round by round, the paths over it, and everybody's regret.

A game that is not over has no scene, because only its player's questions make its figure; so the lesson's record
names none, and prepared moments open in the app only.
"""

from __future__ import annotations

from figures.theme import Theme
from lessons.game import figure, model, words
from lessons.game.model import FinishedGame
from lessons.record import Picture, Scene, Values

ALT = "The hidden reward round by round with your questions and a bandit's, and the regret of everybody with places"


def drawn(done: FinishedGame, values: Values, t: int, theme: Theme, narrow: bool = False) -> Scene:
    """Return the scene of a finished game at round t.

    Args:
        narrow: the panels below each other, for a narrow window.
    """
    game, memory = done.game, int(values["m"])
    rounds = game.setting.rounds
    return Scene(
        state=(game, tuple(values["algos"]), memory, done.versus, narrow),
        frames=rounds,
        start=min(max(t, 0), rounds - 1),
        films={
            "main": Picture(
                lambda at: figure.stage(done.duel, done.coloured, done.versus, done.asked, theme, at, narrow),
                ALT,
                own_height=narrow,
            ),
        },
        sentences=lambda: words.finding(done),
        facts=lambda row: model.facts(done, row),
        labels=lambda: words.labels(done),
        events=model.stops(done),
        notes=lambda: words.notes(done),
        caption=words.caption(done, memory),
        reset=(game.name,),
        span=(-0.02, 1.02),
    )
