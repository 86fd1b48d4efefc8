"""The lesson's own knobs and base world, the groups of its controls, and the states of its moments."""

from __future__ import annotations

from lessons.record import Knob
from lessons.shared.knobs import METHODS, acts_in_worlds
from lessons.shared.wording import COUNTS
from tvbo_core import World, policies

MEMORY_STEPS = (5, 10, 20, 40, 80, 160, 320, 1000, 3000)  # the memories m at which methods are played
WITH_MEMORY = tuple(word for word, entry in policies.ALL.items() if entry.memory)  # the methods that m sets
COUNT = COUNTS[len(WITH_MEMORY)]
# The methods without a memory to set that race in any world; GP-UCB stands in every figure anyway.
WITHOUT = tuple(w for w, entry in policies.ALL.items() if not (entry.memory or entry.max_arms or w == "gp"))

OWN = {
    k.key: k
    for k in (
        Knob("bowl", "Algorithm", f"Whose regret is drawn against its memory; all {COUNT} stand below.", "r",
             options=WITH_MEMORY, widget="select", names=METHODS),
        Knob("levels", "Without a memory to set", "Methods that find out by themselves what to forget, or keep all: "
             "each is a level among the bowls of all methods. None chosen means those of the opening.",
             tuple(word for word in WITHOUT if word == "et" or policies.ALL[word].own),
             options=WITHOUT, widget="pills", names=METHODS),
        Knob("age", "Past observations by", "When they were heard, or how old they are today (linear or logarithmic).",
             "time", options=("time", "age", "log"), widget="segmented",
             names={"time": "Time", "age": "Age", "log": "Log"}),
        Knob("cover", "Bet first: cover the bowl", "Hides the regret curves until you have placed your bet.", False,
             widget="toggle"),
        Knob("bet", "Your bet: lowest at $m$ =", "Where do you think the bowl of this world is lowest? It stays as a "
             "grey diamond.", 0, names={"0": "none"}, options=(0, *MEMORY_STEPS), widget="stops"),
        Knob("own_r", "Restart every $H$ steps", "R-GP-UCB's own; “from m” is H = 2m.", 0, names={"0": "from m"},
             options=(0, 10, 20, 50, 80, 100, 200, 500, 1000), widget="stops"),
        Knob("own_sw", "Window $W$", "SW-GP-UCB's own; “from m” is W = m.", 0, names={"0": "from m"},
             options=(0, 5, 10, 20, 50, 100, 200, 500), widget="stops"),
        Knob("own_wgp", "Discount $\\gamma$", "WGP-UCB's own; “from m” is γ = 1 − 1/m.", 0.0, names={"0.0": "from m"},
             options=(0.0, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.999), widget="stops"),
        Knob("own_tv", "Believed change per step $\\hat\\varepsilon$", "TV-GP-UCB's own; “from m” is ε = 2/m. The "
             "world's true ε is another matter.", 0.0, names={"0.0": "from m"},
             options=(0.0, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5), widget="stops"),
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
    "switches": ({"kind": FAMILY},),
    "alpha": (),  # the learners' too
}
FORGETTING_SHOWN = ("m", "bowl", "kind", "V")
FORGETTING_MORE = (
    "place",
    "levels",
    "age",
    "cover",
    "bet",
    "own_r",
    "own_sw",
    "own_wgp",
    "own_tv",
    "alpha",
    "design",
    "beta",
    "seeds",
    "T",
    "sigma",
    "ell",
    "nu",
    "switches",
    "eps",
    "B",
    "data",
    "seed",
)
