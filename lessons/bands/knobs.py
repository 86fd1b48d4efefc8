"""The lesson's base world, its own knobs, the groups of its controls, and the states of its moments."""

from __future__ import annotations

from lessons.record import Knob
from lessons.shared import knobs as shared
from tvbo_core import World
from tvbo_core.bands import ALL

RIDGES = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0)
OWN = {
    k.key: k
    for k in (
        Knob("Bhat", "Assumed norm $\\hat B/B$", "The assumed norm of the reward, over the true norm. Below 1 the "
             "guarantee is void.",
             1.0, 0.5, 3.0, 0.25),
        Knob("c", "Covariance scale $c$", "Scale of the prior that AMM, DMM and CMM mix over (Flynn & Reeb: c). "
             "Their regulariser is $\\lambda=\\sigma^2/c$ (their α). “Paper” is $n^{-d/(2\\nu+2d)}$, or 1 for ν = ∞.",
             1.0, names={"0.0": "paper"}, options=(0.0, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0), widget="stops"),
        Knob("ridge", "AY's ridge, in $\\sigma^2/c$", "How strongly AY smooths, as a multiple of $\\sigma^2/c$. At 1 "
             "it matches AMM.", 1.0, options=RIDGES, widget="stops"),
        Knob("view", "View", "The bands side by side, or all in one picture.", "side", options=("side", "overlay"),
             widget="segmented", names={"side": "Side by side", "overlay": "Overlay"}),
        Knob("front", "Filled band", "The band that is filled, and red where it misses, when all are in one "
             "picture.", "CMM",
             options=tuple(ALL), widget="segmented"),
        Knob("domain", "Actions x lie in", "The interval of the actions; Flynn & Reeb's Figure 1 uses [-1, 1].",
             "[0, 1]", options=("[0, 1]", "[-1, 1]"), widget="segmented"),
        Knob("match", "Match AMM to IGP", "Sets c = σ²/(1+η), so that AMM and IGP share the regulariser 1+η: the "
             "setting in which Theorem 6.3 compares them.", False, widget="toggle"),
    )
}  # fmt: skip

BANDS_WORLD = World(kind="glide", budget=1.5, horizon=100, kernel="matern", nu=1.5, arms=101, seed=6)

BANDS_SHOWN = ("V", "Bhat", "sigma", "delta", "view")
BANDS_MORE = (
    "front",
    "kind",
    "data",
    "T",
    "nu",
    "ell",
    "eps",
    "alpha",
    "B",
    "c",
    "ridge",
    "match",
    "design",
    "domain",
    "seed",
)
WORLD_ACTS = shared.acts_in_worlds(hill=True)
ACTS = WORLD_ACTS | {
    "B": ({"kind": tuple(shared.KINDS)},),  # the bands assume a norm, also for a table; your hill has its own
    "sigma": shared.NOISY,
    "domain": WORLD_ACTS["nu"],  # a table has its own
    "front": ({"view": ("overlay",)},),
    "c": ({"match": (False,)},),
    "ridge": ({"match": (False,)},),
}
# Flynn & Reeb, Figure 1: the kernel, norm, noise, design and c of the caption and its appendix; delta is our default.
FLYNN = {
    "kind": "still",
    "V": 0.0,
    "T": 50,
    "nu": "3/2",
    "ell": 0.5,
    "B": 10.0,
    "domain": "[-1, 1]",
    "design": "clustered",
    "c": 0.0,
    "seed": 4,
}
