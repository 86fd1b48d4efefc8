"""The lesson's own knobs, and the groups in which the page shows its knobs."""

from __future__ import annotations

from dataclasses import dataclass

from lessons.record import BadValue, Code, Knob
from lessons.shared import codes, sealed
from lessons.shared.knobs import OPENING
from tvbo_core.policies import ALL

FIRST_CODE = codes.encode(codes.TRAVELS, 12)  # the world of an untouched page: a hill that travels
LAST = 999  # round, however many there are
GAME_SHOWN = ("challenge", "rounds")
GAME_MORE = ("noise",)
# They play the same world with the same noise; one that is too slow for the large worlds of other pages plays here.
BANDITS = tuple(key for key, entry in ALL.items() if key in OPENING or entry.own or entry.max_horizon)
MEMORY = 10  # rounds, of every bandit that forgets
# How the reward moves, by the player's choice; "secret" is drawn among all of them.
CHALLENGES = {
    "secret": "Secret",
    "still": "Static",
    "glide": "Glides",
    "jumps": "Jumps",
    "markov": "Wanders",
    "travel": "Travels",
}


@dataclass(frozen=True)
class WorldCode(Code):
    """The code of a hidden world; a mistyped one is most probably the code of none."""

    @property
    def allowed(self) -> str:
        return "a code that somebody gave you, on the server where it was made"

    def read(self, raw: str) -> str:
        """Return the code in its tidy form.

        Raises:
            BadValue: no world has this code.
        """
        try:
            sealed.plain(raw)
        except ValueError:
            raise BadValue(self.allowed) from None
        return codes.tidy(raw)


OWN = {
    k.key: k
    for k in (
        Knob("challenge", "World", "How the reward moves. Secret: it may be static, glide, jump, wander or "
             "travel (one hill moves sideways); the answer comes after the last round. Choosing Secret again "
             "does not change the world.",
             "secret", options=tuple(CHALLENGES), widget="select", names=CHALLENGES, linked=False),
        Knob("rounds", "Rounds $T$", "Number of queries, for you and every algorithm.", 25,
             options=(10, 12, 15, 20, 25, 30, 35, 40, 45, 50), widget="stops"),
        Knob("noise", "Noise $\\sigma$", "Standard deviation of the noise in every observation. You and the algorithms "
             "get the same noise in the same round.", 0.2, options=(0.05, 0.1, 0.2, 0.3, 0.5, 1.0),
             widget="stops"),
        WorldCode("world", "World", "A short code for a hidden world: the same code is the same world, for a whole "
                  "class.", FIRST_CODE, options=(FIRST_CODE,), widget="select"),
    )
}  # fmt: skip
