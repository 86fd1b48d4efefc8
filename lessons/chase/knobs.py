"""The lesson's own controls, and the states of its moments."""

from __future__ import annotations

from dataclasses import dataclass

from lessons.chase.setting import HALF_LIFE, NOISE, ROUNDS
from lessons.record import BadValue, Code, Knob, Values
from lessons.shared import clicks, hills, queries

BENT = "six whole numbers from -120 to 120 with _ between: how far the handles were moved, in 1/20 reward unit"
OWN_WORLD: tuple[dict, ...] = ({"clicks": ("none",)},)  # not in that of a game
MEMORY = {"all": "keep all", **{k: f"{n} round{'s' * (n > 1)}" for k, n in HALF_LIFE.items() if n}}


def _shape(key: str, words: str) -> Code:
    return Code(
        key,
        words,
        "How the handles were moved.",
        "drawn",
        options=("drawn",),
        widget="select",
        form=hills.SHAPE,
        means=BENT,
    )


@dataclass(frozen=True)
class ClicksCode(Code):
    """The questions of a finished game, which only its server can have written."""

    @property
    def allowed(self) -> str:
        return f"{self.options[0]}, or {clicks.MEANS}"

    def read(self, raw: str) -> str:
        """Return the code as it is.

        Raises:
            BadValue: no finished game of this server has it.
        """
        if raw not in self.options:
            try:
                clicks.read(raw)
            except ValueError:
                raise BadValue(self.allowed) from None
        return raw


CHASE = {
    k.key: k
    for k in (
        Knob("drift", "Drift $V_T$", "How much the reward changes in all rounds together: the sum of every round's "
             "largest change at any x. At 0 it is static.", 0.0, 0.0, 4.0, 0.2, acts=OWN_WORLD),
        Knob("memory", "Memory half-life", "After how many rounds an observation counts half. Keep all: GP-UCB. With a "
             "half-life: WGP-UCB.", "all",
             options=tuple(HALF_LIFE), widget="stops", names=MEMORY),
        Knob("noise", "Noise $\\sigma$", "Standard deviation of the noise in every observation, in reward units.",
             NOISE, options=(0.05, 0.1, 0.2, 0.3, 0.5), widget="stops", acts=OWN_WORLD),
        Knob("beside", "Compare with GP-UCB", "A second learner plays the same rounds and forgets nothing.",
             False, widget="toggle", acts=OWN_WORLD),
        Knob("unseen", "Hide the hill", "Shows only what the learner knows: its observations, no hill.", False,
             widget="toggle"),
        Knob("hill", "Hill (seed)", "The same seed gives the same hill and the same noise.", 49, 0, 99_999, 1,
             widget="number", acts=OWN_WORLD),
        Knob("reshape", "Reshape the hill", "Shows handles on the hill before and after it moves. Drag one: the same "
             "rounds are played again on the new hill.", False, widget="toggle", acts=OWN_WORLD),
        _shape("start", "Shape before it moves"),
        _shape("end", "Shape after it has moved"),
        queries.knob(ROUNDS),
        ClicksCode("clicks", "Your clicks", "A finished game of yours: its world and your queries.", "none",
                   options=("none",), widget="select"),
    )
}  # fmt: skip
SHOWN, MORE = ("memory", "drift", "noise", "beside", "unseen"), ("hill", "reshape")
BY_HAND = ("start", "end", "asked", "clicks")  # set on the stage, or in the game


def controls(values: Values) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the knobs beside the figure and those under "More…"; in a game's world those that act alone."""
    shown = SHOWN if values["clicks"] == "none" else tuple(key for key in SHOWN if CHASE[key].acts_at(values))
    return shown, MORE


MOVES = {"drift": 2.2}
FOLLOW = {**MOVES, "memory": "10", "beside": True}
STALE = MOVES
FORGETFUL = {**MOVES, "memory": "1"}
QUIET = {**MOVES, "memory": "10", "noise": 0.05}
YOURS = {**MOVES, "memory": "10", "unseen": True}
