"""One line of the list of policies: a class with its names, the settings that it needs, and its cost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tvbo_core.gp.memory import MemoryLengths, matched
from tvbo_core.policies.tuning import PAPER
from tvbo_core.policies.width import Width
from tvbo_core.records import Policy

# What a policy may ask of a problem or of the loop.
FIXED_ARMS, SIDE_QUERIES = "the same arms in every round", "side queries"
COSTED_ROUNDS, COSTED_ARMS = 300, 100  # of the run whose cost an entry says


@dataclass(frozen=True)
class PolicyEntry:
    """A policy as `policies.ALL` lists it.

    Attributes:
        policy: the class.
        key: short, of ASCII letters and digits.   name: as papers write it.   title: full name.
        ms: milliseconds of a run of `COSTED_ROUNDS` rounds with `COSTED_ARMS` arms on one core, as
            `python -m benchmarks.costs` measures them: see `seconds`.
        does: what it does, in a few plain words.
        memory: field that says how much it remembers ("restart", "window", "discount" or "epsilon"); empty: none.
        takes_width: it has a field `width`.
        needs: of `FIXED_ARMS` and `SIDE_QUERIES` those that it cannot do without.
        fixed: fields of the class that this entry sets, as pairs.
        max_arms, max_horizon: of the largest world in which it is quick enough to race; None: any.
        own: it comes from a user's file (`tvbo_core.guests`).
    """

    policy: type
    key: str
    name: str
    title: str
    ms: float
    does: str
    memory: str = ""
    takes_width: bool = True
    needs: tuple[str, ...] = ()
    fixed: tuple[tuple[str, Any], ...] = ()
    max_arms: int | None = None
    max_horizon: int | None = None
    own: bool = False

    def seconds(self, rounds: int, arms: int) -> float:
        """Return about how many seconds a run takes on one core.

        In proportion to the rounds; a fifth of the cost of a round is in proportion to the arms (measured from 50 to
        1600 rounds with 25 to 200 arms: of most policies within a quarter, of all within a factor of three).
        """
        return 1e-3 * self.ms * (rounds / COSTED_ROUNDS) * (0.8 + 0.2 * arms / COSTED_ARMS)

    def make(self, memory: int = 0, width: Width = 2.0) -> Policy:
        """Return the policy with a memory of about so many rounds (0: as in its paper) and this width."""
        return self.tuned(matched(memory) if memory else None, width)

    def tuned(self, lengths: MemoryLengths | None, width: Width = 2.0) -> Policy:
        """Return the policy with its own one of these lengths (None: as in its paper) and this width."""
        settings: dict[str, Any] = dict(self.fixed)
        if self.takes_width:
            settings["width"] = width
        if self.memory:
            settings[self.memory] = PAPER if lengths is None else getattr(lengths, self.memory)
        return self.policy(**settings)
