"""The lesson's own knobs and base world, the groups of its controls, and the states of its moments."""

from __future__ import annotations

from lessons.record import OF_WORLD, Knob
from lessons.shared.knobs import KNOBS, acts_in_worlds
from tvbo_core import World

OWN = {
    k.key: k
    for k in (
        Knob("q", "Side-query factor $c$", "How many old points are queried again at a time, "
             "$q_t=\\lceil c\\ln^d(1+t)\\rceil$; the paper leaves the constant open.", 1.0, 0.5, 3.0, 0.25),
        Knob("view", "View", "Totals: side queries and regret of each method. Schedule: when they "
             "are made, what the estimate rests on, and totals far beyond this run. Picks: the same number of "
             "side queries, by a k-DPP (a random choice that prefers diverse points) and at random, in the same "
             "worlds.", "questions",
             options=("questions", "schedule", "picks"), widget="segmented",
             names={"questions": "Totals", "schedule": "Schedule", "picks": "Picks"}),
        Knob("papers", "The paper's synthetic world", "Mauduit et al., sec. 4.1: actions in [-50, 50], SE kernel with "
             "variance 1/2 and lengthscale 3, coefficients sin(0.3t + i) scaled to norm 5. It replaces the world "
             "above; T, noise and seed still count.", False, widget="toggle", part=OF_WORLD),
    )
}  # fmt: skip

QUERIES_WORLD = World(kind="rough", budget=None, horizon=500)
QUERIES_SHOWN = ("atil", "alpha", "q", "T", "view")
QUERIES_MORE = (
    "seeds",
    "papers",
    "kind",
    "scale",
    "V",
    "sigma",
    "ell",
    "nu",
    "B",
    "seed",
)
# The paper's own world decides the rest of the world; alpha is the algorithm's too.
OTHER_WORLDS = acts_in_worlds(scale=True)
ACTS = {
    key: tuple({**case, "papers": (False,)} for case in OTHER_WORLDS.get(key, ({},)))
    for key in ("kind", "scale", "V", "ell", "nu", "B")
}
FIGURE_2 = {"papers": True, "seeds": 30, "seed": 0, "T": 500}
ALPHA = KNOBS["alpha"].default
