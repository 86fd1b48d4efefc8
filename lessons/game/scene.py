"""The scene of a finished game: the truth round by round, the paths over it, and everybody's regret.

A game that is not over has no scene, because only its player's questions make its figure; so the lesson's record
names none, and prepared moments open in the app only.
"""

from __future__ import annotations

from figures.film import Film
from figures.theme import Theme
from lessons.game import figure, figure_places, model, words
from lessons.game.knobs import PATHS
from lessons.game.model import FinishedGame
from lessons.record import Picture, Scene, Values

ALT = "Everybody's place and regret as a ladder, and your questions over the hidden reward of each round"
PATHS_ALT = "The hidden reward round by round with your questions and a bandit's, and the regret of all with places"


def drawn(done: FinishedGame, values: Values, t: int, theme: Theme, narrow: bool = False) -> Scene:
    """Return the scene of a finished game at round t.

    Args:
        narrow: the panels below each other, for a narrow window.
    """
    game, memory, paths = done.game, int(values["m"]), values["view"] == PATHS
    rounds = game.setting.rounds

    def stage(at: int) -> Film:
        if paths:
            return figure.stage(done.duel, done.coloured, done.versus, done.asked, theme, at, narrow)
        return figure_places.stage(done.duel, done.asked, theme, at, narrow)

    return Scene(
        state=(game, tuple(values["algos"]), memory, done.versus, paths, narrow),
        frames=rounds,
        start=min(max(t, 0), rounds - 1),
        films={
            "main": Picture(stage, PATHS_ALT if paths else ALT, own_height=narrow),
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
