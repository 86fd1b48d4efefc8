"""The scene of a finished game: everybody's place and regret, and your queries over the truth of each round.

A game that is not over has no scene, because only its player's questions make its figure; so the lesson's record
names none. A page without a server plays from a file of the world (`shipped`).
"""

from __future__ import annotations

from dataclasses import replace

from figures.theme import Theme
from lessons.game import board, claims, figure, model, words
from lessons.game.duel import duel
from lessons.game.model import FinishedGame, Game
from lessons.record import DATA, Picture, Scene, Values, of_all
from tvbo_core.designs import noise_of, play_rng

ALT = "Everybody's place and regret as a ladder, and your queries over the hidden reward of each round"
THEMES = {"light": Theme(), "dark": Theme(dark=True)}


def scene_of(done: FinishedGame, theme: Theme) -> Scene:
    """Return the scene of a finished game."""
    game, rounds = done.game, done.game.setting.rounds
    return Scene(
        state=(game, tuple(done.duel.rivals)),
        times=range(rounds),
        films={"main": Picture(lambda at: figure.stage(done.duel, done.does, theme, at), ALT, screens=(2, 0))},
        says=of_all(lambda: words.finding(done)),
        facts=lambda row: model.facts(done, row),
        label=lambda row: f"t = {row + 1} of {rounds}",
        events=model.stops(done),
        notes=lambda frame: words.notes(done),
        caption=words.caption(done),
        odds=claims.odds_line(game.setting),
        tables={DATA: lambda row: model.table(done)},
        reset=(game.name,),
    )


def shipped(values: Values) -> dict[str, object]:
    """Return the world of these knob values with all that its end needs: everything but the player's questions."""
    setting, challenge = model.setting_from(values), str(values["challenge"])
    problem, seed = model.problem(setting), setting.world.seed
    field, _ = model.field(setting)
    game = Game(setting, (0,) * setting.rounds)  # any: nothing below depends on what you ask
    done = FinishedGame(game, duel(problem, game.arms, field, seed), field, {})
    return {
        "name": game.name,
        "f": problem.f.tolist(),
        "noise": noise_of(problem, play_rng(seed)).tolist(),
        "rivals": [
            {"name": name, "regret": float(done.duel.total[name][-1]), "does": done.does[name]}
            for name in field.histories
        ],
        "rules": words.status(replace(game, arms=()), [], len(field.histories), challenge),
        "moved": words.moved(done),
        "caption": words.caption(done),
        "alt": words.BOARD,
        "marker": Theme().marker,
        "boards": {key: board.board((), [], challenge, theme).figure.to_dict() for key, theme in THEMES.items()},
    }
