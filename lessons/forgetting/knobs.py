"""The lesson's own knobs and base world, the groups of its controls, and the states of its moments."""

from __future__ import annotations

from lessons.record import Knob
from lessons.shared.knobs import METHODS, acts_in_worlds
from lessons.shared.wording import counted
from tvbo_core import World, policies

MEMORY_STEPS = (5, 10, 20, 40, 80, 160, 320, 1000, 3000)  # the memories m at which methods are played
WITH_MEMORY = tuple(word for word, entry in policies.ALL.items() if entry.memory)  # the methods that m sets
COUNT = counted(len(WITH_MEMORY))
# Methods without a memory to set, each a level beside the curves; GP-UCB stands in every figure anyway.
LEVELS = ("et", "ltv", *(w for w, entry in policies.ALL.items() if entry.own and not (entry.memory or entry.max_arms)))
WIDTH = 2.0  # of every method's band, in standard deviations

OWN = {
    k.key: k
    for k in (
        Knob("bowl", "Algorithm", f"The algorithm whose regret is drawn against its memory. All {COUNT} stand below.",
             "r", options=WITH_MEMORY, widget="select", names=METHODS),
    )
}  # fmt: skip

# Bogunovic et al., Figure 2c: a squared exponential reward with epsilon = 0.01 over 200 steps, TV-GP-UCB told
# another epsilon. Here on a line of 100 actions with width 2; there on a grid in two dimensions.
FIGURE_2C = {"kind": "markov", "eps": 0.01, "T": 200, "bowl": "tv", "m": 160}
FORGETTING_WORLD = World(kind="jumps", budget=8.0, horizon=300, switches=2)
FAMILY = ("glide", "jumps", "still")  # kinds of worlds that are drawn side by side
WORLD_ACTS = acts_in_worlds(hill=True)
ACTS = WORLD_ACTS | {
    "V": (*WORLD_ACTS["V"], {"kind": FAMILY}),
    "alpha": (),  # the learners' too
}
FORGETTING_SHOWN = ("m", "bowl", "kind", "V")
FORGETTING_MORE = (
    "alpha",
    "seeds",
    "T",
    "sigma",
    "ell",
    "nu",
    "eps",
    "B",
    "data",
    "seed",
)
