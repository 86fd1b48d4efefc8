"""The lesson's base world, the groups of its controls, and the states of its moments."""

from __future__ import annotations

from lessons.game.code_knob import FIRST, WorldCode
from lessons.record import Knob
from lessons.shared.knobs import METHODS

# What the world of a game does, as its player chose it; "secret" is drawn among all of them.
CHALLENGES = {"secret": "Secret", "still": "Stands still", "glide": "Glides", "jumps": "Jumps", "markov": "Wanders"}
OWN = {
    k.key: k
    for k in (
        Knob("challenge", "The reward", "How the reward moves. Secret: it may stand still, glide, jump or wander, "
             "and you are told after the last round. Going back to Secret keeps the world and stops telling.",
             "secret", options=tuple(CHALLENGES), widget="select", names=CHALLENGES),
        Knob("rounds", "Rounds $T$", "How often you and every bandit may ask.", 30, 10, 50, 5),
        Knob("noise", "Noise $\\sigma$", "Standard deviation of what is added to every reward that you hear. You and "
             "the bandits hear the same noise in the same round.", 0.2, options=(0.05, 0.1, 0.2, 0.3, 0.5, 1.0),
             widget="stops"),
        Knob("versus", "Path beside yours", "Whose questions are drawn with yours; “the best” is the bandit with the "
             "least regret.", "best", options=("best", *METHODS), widget="select",
             names={"best": "the best", **METHODS}),
        WorldCode("world", "World", "A short code for a hidden world: the same code is the same world, for a whole "
                  "class.", FIRST, options=(FIRST,), widget="select"),
    )
}  # fmt: skip


END = 999  # the last round, however many there are


GAME_SHOWN = ("challenge", "rounds", "noise")


GAME_MORE = ("algos", "m")
