"""The lesson's base world, its own knobs, the groups of its controls, and the states of its moments."""

from __future__ import annotations

from lessons.record import Knob
from lessons.shared import knobs as shared
from tvbo_core import World

OWN = {
    k.key: k
    for k in (
        Knob("Bhat", "Assumed norm $\\hat B/B$", "How large the learner believes the curve to be, as a multiple of B. "
             "Nothing is guaranteed below the reward's own norm.",
             1.0, 0.5, 3.0, 0.25),
        Knob("c", "Covariance scale $c$", "Scale of the prior that AMM, DMM and CMM mix over (Flynn & Reeb: c). "
             "The regulariser of these bands is $\\lambda=\\sigma^2/c$ (α in the paper). "
             "“Paper” is $n^{-d/(2\\nu+2d)}$, or 1 for ν = ∞.",
             1.0, names={"0.0": "paper"}, options=(0.0, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0), widget="stops"),
    )
}  # fmt: skip

BANDS_WORLD = World(kind="glide", budget=1.5, horizon=100, kernel="matern", nu=1.5, arms=101, seed=6)

BANDS_SHOWN = ("V", "Bhat", "sigma", "delta", "kind")
BANDS_MORE = (
    "T",
    "nu",
    "ell",
    "alpha",
    "B",
    "c",
    "design",
    "seed",
)
ACTS = {key: cases for key, cases in shared.acts_in_worlds().items() if key != "B"}  # of every kind a norm is assumed
# Flynn & Reeb, Figure 1: the kernel, norm, noise, design and c of the caption and its appendix; delta is our default.
# Their actions lie in [-1, 1] and their lengthscale is 0.5: on [0, 1] that is 0.25.
FLYNN = {
    "kind": "still",
    "V": 0.0,
    "T": 50,
    "nu": "3/2",
    "ell": 0.25,
    "B": 10.0,
    "design": "clustered",
    "c": 0.0,
    "seed": 4,
}
