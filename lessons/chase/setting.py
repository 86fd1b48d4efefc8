r"""The hill that the reader chooses, the learner's memory, and the rounds in which the reader queries.

The hill is $f_t=B\,k(\cdot,c_t)+(1-s_t)b_0+s_tb_1$: the travelling world of the core, which rests, travels and rests
($s_t$ is the share of its way), and what the reader has bent by hand before and after. A handle at $z_j$ adds
$\Phi_j(x)=\sum_ik(x,z_i)(K^{-1})_{ij}$ a unit, the smoothest function of the space that is 1 at its own handle and 0 at
the others. So a bent hill is still a kernel sum.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

import tvbo_core as tv
from lessons.shared import clicks, hills, problems, queries
from lessons.shared.clicks import Clicks
from lessons.shared.queries import Queries
from lessons.shared.reshaped import FLAT, Reshaped
from tvbo_core.policies.index import IndexPolicy
from tvbo_core.worlds import draws

ROUNDS, ARMS = 56, 101
LENGTHSCALE, HEIGHT = 0.25, 2.0  # of the hill; its norm in every round is its height B
WIDTH = 3.0  # of the band, standard deviations
GAME_WIDTH = 2.0  # and of the bandits of the game
NOISE = 0.1  # standard deviation of the page as it opens, reward units
HALF_LIFE = {"1": 1, "3": 3, "5": 5, "10": 10, "20": 20, "all": None}  # rounds after which an answer counts half


@dataclass(frozen=True)
class ChaseSetting:
    """The reader's choice.

    Attributes:
        drift: V_T of the hill before it is bent, reward units.   memory: a key of `HALF_LIFE`.
        noise: its standard deviation, reward units.
        seed: of the world and of the play.   beside: a second learner, which keeps everything, plays the same rounds.
        start, end: bends of the two shapes at the handles, in multiples of `UNIT`.
        queries: (row, arm) of the rounds in which the reader queried in place of the learner.
        game: a finished game of the reader's, in whose world the learner plays; nothing but `memory` counts then.
    """

    drift: float = 2.2
    memory: str = "10"
    noise: float = NOISE
    seed: int = 49
    beside: bool = False
    start: tuple[int, ...] = FLAT
    end: tuple[int, ...] = FLAT
    queries: Queries = ()
    game: Clicks | None = None

    @property
    def width(self) -> float:
        """Half the width of every band, standard deviations."""
        return WIDTH if self.game is None else GAME_WIDTH

    @property
    def world(self) -> tv.World:
        """The world, bent by hand where the reader has."""
        if self.game is not None:
            return self.game.world
        if any(self.start + (self.end if self.drift else ())):  # what stands still has no end
            return Reshaped(
                horizon=ROUNDS,
                noise_sd=self.noise,
                seed=self.seed,
                hill=self.seed,
                drift=self.drift,
                start=self.start,
                end=self.end,
            )
        return tv.World(
            "travel",
            self.drift,
            ROUNDS,
            lengthscale=LENGTHSCALE,
            norm_bound=HEIGHT,
            arms=ARMS,
            noise_sd=self.noise,
            seed=self.seed,
        )


def setting_from(values: Mapping[str, Any]) -> ChaseSetting:
    """Return the setting that the knobs stand for."""
    if values["clicks"] != "none":
        return ChaseSetting(memory=str(values["memory"]), game=clicks.read(str(values["clicks"])))
    return ChaseSetting(
        float(values["drift"]),
        str(values["memory"]),
        float(values["noise"]),
        int(values["hill"]),
        bool(values["beside"]),
        hills.decode(str(values["start"])),
        hills.decode(str(values["end"])),
        queries.read(str(values["asked"]), ROUNDS, ARMS),
    )


def discount(memory: str) -> float:
    """Return the factor by which an answer's weight falls in a round."""
    half = HALF_LIFE[memory]
    return 1.0 if half is None else 0.5 ** (1.0 / half)


def policy(memory: str, width: float = WIDTH) -> IndexPolicy:
    """Return the learner with this memory: GP-UCB where it keeps everything, else WGP-UCB."""
    return tv.GPUCB(width=width) if memory == "all" else tv.WGPUCB(discount(memory), width=width)


def hill(setting: ChaseSetting) -> tuple[tv.Problem, np.ndarray]:
    """Return the world that the setting asks for, and the share of its way in each round (T,)."""
    problem = problems.problem(setting.world)
    if setting.game is not None:
        return problem, np.r_[0.0, np.cumsum(problem.steps)] / (problem.sup_variation or 1.0)
    return problem, draws.travelled(ROUNDS) if setting.drift else np.zeros(ROUNDS)
