"""The lesson's own knobs and base world, the groups of its controls, and the states of its moments."""

from __future__ import annotations

from lessons.record import OF_DISPLAY, Knob
from lessons.shared.knobs import METHODS, acts_in_worlds
from tvbo_core import World, policies, worlds

MEMORY_STEPS = (5, 10, 20, 40, 80, 160, 320, 1000, 3000)  # the memories m at which methods are played
WITH_MEMORY = tuple(word for word, entry in policies.ALL.items() if entry.memory)  # the methods that m sets
TOLD_NOTHING = "et"  # the method without a memory to set that stands on the stage, a level beside the curve
LEARNERS = ("ltv", "wdbo")  # two more without a memory to set, in a note where their runs are stored
WIDTH = 2.0  # of every method's band, in standard deviations

MEMORY, DRIFT, PAYS = "memory", "drift", "pays"  # the three views
BUDGETS = (0.5, 1.0, 2.0, 4.0, 8.0)  # of the view of drift, beside the reader's own
BUDGETED = tuple(kind.name for kind in worlds.ALL.values() if kind.has_budget)
# (kind, drift budget where it has one) of the worlds in which forgetting is compared with keeping everything.
WORLDS = (
    ("still", 0.0),
    ("glide", 2.0),
    ("glide", 8.0),
    ("jumps", 2.0),
    ("jumps", 8.0),
    ("travel", 2.0),
    ("travel", 8.0),
    ("cyclic", 8.0),
    ("rough", 8.0),
    ("markov", 0.0),
    ("adversary", 8.0),
)

OWN = {
    k.key: k
    for k in (
        Knob("view", "View", "Memory: regret against memory in the chosen world. Drift: the same for several drift "
             "budgets, beside the two terms of a bound. Worlds: in which of several worlds forgetting pays.",
             MEMORY, options=(MEMORY, DRIFT, PAYS), widget="segmented",
             names={MEMORY: "Memory", DRIFT: "Drift", PAYS: "Worlds"}, part=OF_DISPLAY),
        Knob("bowl", "Algorithm", "The algorithm whose regret is drawn against its memory.",
             "r", options=WITH_MEMORY, widget="select", names=METHODS),
    )
}  # fmt: skip

# Bogunovic et al., Figure 2c: a squared exponential reward with epsilon = 0.01 over 200 steps, TV-GP-UCB told
# another epsilon. Here on a line of 100 actions with width 2; there on a grid in two dimensions.
FIGURE_2C = {"kind": "markov", "eps": 0.01, "T": 200, "bowl": "tv", "m": 160}
FORGETTING_WORLD = World(kind="jumps", budget=8.0, horizon=300, switches=2)
WORLD_ACTS = acts_in_worlds()
IN_MEMORY, IN_DRIFT, IN_PAYS = {"view": (MEMORY,)}, {"view": (DRIFT,)}, {"view": (PAYS,)}
IN_BUDGETED = {**IN_DRIFT, "kind": BUDGETED}
ACTS = {key: tuple({**IN_MEMORY, **case} for case in cases) for key, cases in WORLD_ACTS.items()}
ACTS |= {
    "B": (*ACTS["B"], IN_BUDGETED, IN_PAYS),
    "V": (*ACTS["V"], IN_BUDGETED),
    "alpha": (IN_MEMORY, {**IN_DRIFT, "kind": ("rough",)}),  # the learners' too
    "m": (IN_MEMORY, IN_PAYS),
    "kind": (IN_MEMORY, IN_DRIFT),
}
FORGETTING_SHOWN = ("view", "m", "bowl", "kind", "V")
FORGETTING_MORE = (
    "alpha",
    "seeds",
    "T",
    "sigma",
    "ell",
    "nu",
    "eps",
    "B",
    "seed",
)
