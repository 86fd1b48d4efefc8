"""The stage of a game that is not over: the queries and observations so far, and nothing else of the world."""

from __future__ import annotations

from math import ceil

from figures import theme as look
from figures.film import Film
from figures.sheet import Sheet
from figures.theme import Theme
from lessons.game import model, words
from lessons.game.model import Game
from lessons.record import DATA, Ask, Pick, Picture, Scene
from lessons.shared import codes

# assets/game/ending.js has these numbers too.
MIN_REACH = 3.5  # the axis of rewards ends here, or beyond the largest observation
FADE, FAINT = 0.92, 0.28  # opacity of a circle per round of age, and of the oldest
NEAR_EDGE = 0.86  # place from which on a number stands left of its circle
LARGER = 4  # pixels that the latest circle is larger than the others


def scene(game: Game, rivals: int, challenge: str, theme: Theme) -> Scene:
    """Return the scene of a game that is not over: one frame, whose time is the number of queries.

    Args:
        rivals: number of bandits.   challenge: how the reward moves, by the player's choice.
    """
    rewards = game.rewards()
    ask = Ask(None, ("x",), codes.ARMS, left=game.setting.rounds - len(game.arms))
    return Scene(
        state=(game, rivals, challenge),
        times=(len(game.arms),),
        films={"main": Picture(lambda _: board(game.arms, rewards, challenge, theme), words.BOARD, pick=Pick(ask=ask))},
        says=lambda _: words.status(game, rewards, rivals, challenge),
        label=lambda _: "",
        caption="",
        tables={DATA: lambda _: model.notes(game)},
    )


def board(arms: tuple[int, ...], rewards: list[float], challenge: str, theme: Theme) -> Film:
    """Return the figure of the observations: circles that fade with age, the latest with its number."""
    reach = max(MIN_REACH, ceil(2 * max(map(abs, rewards), default=0.0) + 0.5) / 2)
    sheet = Sheet(theme, 0)
    sheet.margins(look.HANG, theme.tick, 1.9 * theme.label, 1.5 * theme.tick + 1.5 * theme.label)
    across = {"range": [0, 1], "title": "action x", "nticks": 6, "showgrid": False}
    sheet.panel("observed", (0, 1), (0, 1), across, {"range": [-reach, reach], "nticks": 8})
    sheet.rule("observed", theme.grid, 2.5, y=0, layer="below")
    sheet.headline("observed", "observed reward y (reward units)", size=theme.label)
    if not arms:
        room = {"xanchor": "left", "yanchor": "top", "align": "left", "bgcolor": theme.paper}
        sheet.note("observed", words.rules(challenge), 0.02, 0.96, "xy", size=theme.label, **room)
    last = len(arms) - 1
    circle = look.dots(
        [arm / (codes.ARMS - 1) for arm in arms],
        [round(y, 4) for y in rewards],
        theme.ink,
        [theme.marker + LARGER * (i == last) for i in range(len(arms))],
        "circle-open",
        2.6,
        [round(max(FADE ** (last - i), FAINT), 2) for i in range(len(arms))],
    )
    number = {"mode": "markers+text", "cliponaxis": False}
    number["textfont"] = {"color": theme.ink, "size": theme.label, **look.halo(theme)}
    number["text"] = [
        f"<b>\u00a0{y:.2f}\u00a0</b>".replace("-", "−") if i == last else "" for i, y in enumerate(rewards)
    ]
    number["textposition"] = f"middle {'left' if arms and arms[-1] > NEAR_EDGE * (codes.ARMS - 1) else 'right'}"
    sheet.draw("observed", {**circle, **number})
    return sheet.film()
