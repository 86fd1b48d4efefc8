"""The scene of a hall's game that is over, and the game as the room's phones know it."""

from __future__ import annotations

from figures.film import Film
from figures.theme import Theme
from lessons.game.model import what_they_do
from lessons.game.together import figure, model, words
from lessons.game.together.model import Crowd
from lessons.record import DATA, Picture, Scene, Together

ALT = "Place and regret of this hall's median and of every algorithm, and the hall's queries over each round's reward"
TOGETHER = Together(model.ROUNDS, model.PLACES, words.ABOUT, model.draw, model.rewards, words.result)


def scene_of(game: int, found: Crowd, theme: Theme) -> Scene:
    """Return the scene of a hall's game.

    Args:
        game: its number.
    """
    does = what_they_do(found.rivals)

    def stage(at: int) -> Film:
        return figure.stage(found, does, theme, at)

    return Scene(
        state=("together", game, len(found.arms), found.left),
        times=range(model.ROUNDS),
        films={"main": Picture(stage, ALT, screens=(2, 0))},
        says=lambda row: words.sentence(found, row),
        facts=lambda row: model.facts(found, row),
        label=lambda row: f"t = {row + 1} of {model.ROUNDS}",
        notes=lambda frame: words.notes(found),
        caption=words.caption(found),
        tables={
            DATA: lambda row: model.table(found),
            "Memories: how well each explains the queries": lambda row: model.memories(found),
        },
        reset=("together", game),
    )
