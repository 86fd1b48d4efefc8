"""The lesson's own knobs and base world, the groups of its controls, and the states of its moments."""

from __future__ import annotations

from lessons.record import Knob
from lessons.shared.knobs import KNOBS, acts_in_worlds
from tvbo_core import World

OWN = {
    k.key: k
    for k in (
        Knob("q", "Re-asks per window $c$", "How many old questions are asked again at a time, "
             "$q_t=\\lceil c\\ln^d(1+t)\\rceil$; the paper leaves the constant open.", 1.0, 0.5, 3.0, 0.25),
        Knob("picker", "Which old questions", "k-DPP: drawn at random, sets that tell different things more often. "
             "Greedy: one after the other, always the least known. Random: each as "
             "likely as another.", "exact", options=("exact", "greedy", "random"),
             widget="select", names={"exact": "k-DPP", "greedy": "Greedy", "random": "Random"}),
        Knob("view", "View", "Questions: how many each method asks, and the regret beside them. Schedule: when "
             "they are asked, what the estimate rests on, and totals far beyond this run. Picks: the same number of "
             "questions, chosen in two ways, in the same worlds.", "questions",
             options=("questions", "schedule", "picks"), widget="segmented",
             names={"questions": "Questions", "schedule": "Schedule", "picks": "Picks"}),
        Knob("papers", "The paper's synthetic world", "Mauduit et al., sec. 4.1: actions in [-50, 50], SE kernel with "
             "variance 1/2 and lengthscale 3, coefficients sin(0.3t + i) scaled to norm 5. It replaces the world "
             "above; T, noise and seed still count.", False, widget="toggle"),
        Knob("inputs", "Past inputs of the pick", "Where the points come from among which a window chooses in the "
             "picture below: W-SparQ's own past, random actions, or two clusters.", "own",
             options=("own", "random", "clustered"), widget="select",
             names={"own": "Its own history", "random": "Random", "clustered": "Two clusters"}),
        Knob("vari", "Show the variational posterior", "What all rewards ever heard say through the chosen points "
             "(Titsias). The quoted guarantee is about this one; the algorithm uses the answers alone.", True,
             widget="toggle"),
        Knob("budget", "Questions you can afford", "Side queries over the whole horizon.", 500,
             options=(20, 50, 100, 200, 500, 1000, 2000, 5000, 10000), widget="stops"),
        Knob("far", "Rounds to plan for", "Horizon of the plan; the runs above have their own.", 500,
             options=(100, 200, 500, 1000, 2000, 5000, 10000, 50000, 100000), widget="stops"),
    )
}  # fmt: skip

QUERIES_WORLD = World(kind="rough", budget=None, horizon=500)
QUERIES_SHOWN = ("atil", "alpha", "q", "T", "view")
QUERIES_MORE = (
    "picker",
    "seeds",
    "beta",
    "inputs",
    "papers",
    "kind",
    "data",
    "scale",
    "V",
    "sigma",
    "ell",
    "nu",
    "eps",
    "B",
    "seed",
)
# The paper's own world decides the rest of the world; alpha is the algorithm's too.
OTHER_WORLDS = acts_in_worlds(scale=True) | {"kind": (), "alpha": ()}
ACTS = {
    key: tuple({**case, "papers": (False,)} for case in OTHER_WORLDS[key] or ({},))
    for key in ("kind", "data", "scale", "V", "ell", "nu", "eps", "B")
}
BELOW = ("vari",)  # drawn beside the picture that it changes
PLAN = ("budget", "far", "d")  # drawn above the plan
FIGURE_2 = {"papers": True, "seeds": 30, "seed": 0, "T": 500}
ALPHA = KNOBS["alpha"].default
