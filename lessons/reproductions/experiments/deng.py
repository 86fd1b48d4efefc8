r"""Deng et al.: Figure 1a and 1b, and Figures 2 and 3 of their appendix E.

100 evenly spaced arms of [0, 1], SE kernel with lengthscale 0.2, $f=\sum_{i\le M}\alpha_ik(\cdot,x_i)$,
$\alpha\sim U[-1,1]$, T = 500; abrupt: new functions at 100 and 200; slow: straight lines between functions.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from lessons.reproductions.experiments.compare import lower
from lessons.reproductions.experiments.record import Experiment, Finding, PartOutcome, Results, Said, outcome_of
from tvbo_core.designs import play_rng
from tvbo_core.kernels import SquaredExponential
from tvbo_core.play import play
from tvbo_core.policies.index import GPUCB, RGPUCB, SWGPUCB, WGPUCB
from tvbo_core.policies.width import THEORY
from tvbo_core.records import Problem
from tvbo_core.worlds import draws

NOISE, DELTA, ARMS, T, WORLD_STREAM = 0.1, 0.1, 100, 500, 17
RIDGES = {"lambda 0.01": NOISE**2, "lambda 1": 1.0}
METHODS = {"R-GP-UCB": RGPUCB, "SW-GP-UCB": SWGPUCB, "WGP-UCB": WGPUCB, "IGP-UCB": GPUCB}
OLD = ("R-GP-UCB", "SW-GP-UCB", "WGP-UCB")
MOVES = {
    0: "new functions at T/5 and 2T/5",
    1: "one straight line",
    2: "two straight lines",
}  # the world by its number of legs


def world(legs: int, centres: int, seed: int, horizon: int) -> Problem:
    """The rewards of a seed, abrupt for no legs; the centres are arms, as in the paper."""
    rng, x = np.random.default_rng([seed, WORLD_STREAM]), np.linspace(0.0, 1.0, ARMS)[:, None]
    kernel = SquaredExponential(0.2)
    pieces = np.zeros((3, ARMS))
    for piece in pieces:
        np.add.at(piece, rng.integers(ARMS, size=centres), rng.uniform(-1.0, 1.0, centres))
    t = np.arange(1, horizon + 1)
    if legs == 0:
        before = np.searchsorted([horizon / 5, 2 * horizon / 5], t - 1, side="right")
        after, share = before, np.zeros((horizon, 1))
    else:
        place = legs * t[:, None] / horizon  # A place of 1.5 is the middle of the second leg.
        before = np.minimum(place.astype(int)[:, 0], legs - 1)
        after, share = before + 1, place - before[:, None]

    def path(rows: np.ndarray) -> np.ndarray:
        # Rows are taken, not multiplied anew: a world that stands still does so to the last bit.
        return (1.0 - share) * rows[before] + share * rows[after]

    gram = kernel(x, x)
    bound = float(draws.norms(kernel, x, pieces).max())
    return Problem(
        x=x,
        f=path(pieces @ gram),
        noise_sd=NOISE,
        kernel=kernel,
        norm_bound=bound,
        centres=x,
        coefficients=path(pieces),
    )


def run(seed: int, horizon: int, legs: int, centres: int, ridge: float, method: str) -> PartOutcome:
    """One method with the theory's width and, as its orders, restart, window and discount from B_T."""
    policy = METHODS[method](width=THEORY, ridge=ridge, delta=DELTA)
    return outcome_of(play(world(legs, centres, seed, horizon), policy, play_rng(seed)).regret)


def findings(said: Said, results: Results) -> list[Finding]:
    return [
        lower(f"{ridge}: WGP-UCB is below {other}", regret["WGP-UCB"], regret[other], said)
        for ridge, regret in results.by_group().items()
        for other in regret
        if other != "WGP-UCB"
    ]


def experiment(
    name: str, where: str, title: str, legs: int, centres: int, reps: int, methods: tuple[str, ...]
) -> Experiment:
    """One panel: how the reward moves, from how many centres, and who plays."""
    said = Said("Sec. 7", "WGP-UCB outperforms the two other algorithms in all experiments")
    if methods != OLD:
        said = Said("App. E", "WGP-UCB outperforms the three other algorithms in all experiments")
    return Experiment(
        name,
        f"Deng et al., {where}",
        f"Does WGP-UCB beat the others ({MOVES[legs]})?",
        {f"{which} | {m}": (legs, centres, ridge, m) for which, ridge in RIDGES.items() for m in methods},
        reps,
        T,
        run,
        {
            "arms": ARMS,
            "kernel": "SE, 0.2",
            "centres": centres,
            "world": MOVES[legs],
            "restart, window, discount": "orders of the theory, constants 1",
        },
        (
            f"noise sd {NOISE} and delta {DELTA}: not stated",
            "lambda: not stated; 0.01 (the noise variance) and 1 are both shown",
            "B: the largest norm of the functions: not stated",
            "widths use the data's own information gain",
            "IGP-UCB: GP-UCB with the theory's width",
        ),
        partial(findings, said),
        title=f"Deng et al., {title}",
    )


EXPERIMENTS = (
    experiment("deng-figure-1a", "Figure 1 (a)", "Figure 1a: proved widths", 0, 20, 10, OLD),
    experiment("deng-figure-1b", "Figure 1 (b)", "Figure 1b", 1, 20, 10, OLD),
    experiment("deng-figure-2", "appendix E, Figure 2", "Figure 2", 0, 100, 100, (*OLD, "IGP-UCB")),
    experiment("deng-figure-3", "appendix E, Figure 3", "Figure 3", 2, 100, 100, (*OLD, "IGP-UCB")),
)
