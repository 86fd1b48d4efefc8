"""The lesson's own knobs and base world, the groups of its controls, and the states of its moments."""

from __future__ import annotations

from lessons.record import Knob
from lessons.shared.knobs import KINDS, KNOBS, acts_in_worlds
from tvbo_core import World

OWN = {
    k.key: k
    for k in (
        Knob("q", "Side-query factor $c$", "How many old points are queried again at a time, "
             "$q_t=\\lceil c\\ln^d(1+t)\\rceil$; the paper leaves the constant open.", 1.0, 0.5, 3.0, 0.25),
        Knob("view", "View", "Totals: side queries and regret of each method. Schedule: when they "
             "are made, and what the estimate rests on. Picks: the same number of "
             "side queries, by a k-DPP (a random choice that prefers diverse points) and at random, in the same "
             "worlds.", "questions",
             options=("questions", "schedule", "picks"), widget="segmented",
             names={"questions": "Totals", "schedule": "Schedule", "picks": "Picks"}),
    )
}  # fmt: skip

QUERIES_WORLD = World(kind="rough", budget=None, horizon=500)
QUERIES_SHOWN = ("atil", "alpha", "q", "T", "view")
QUERIES_MORE = (
    "seeds",
    "kind",
    "V",
    "sigma",
    "ell",
    "nu",
    "B",
    "seed",
)
PAPERS = "mauduit"  # the kind of world that is the paper's own
KIND = KNOBS["kind"].replace(
    default="rough",
    options=(*KINDS, PAPERS),
    names={**KINDS, PAPERS: "Mauduit et al., Figure 2"},
    help=f"{KNOBS['kind'].help} The rough world has no budget and no norm: it moves by "
    "$\\sigma n^{\\alpha/2}$ over n rounds, as in Assumption 2. Mauduit et al., sec. 4.1: actions in [-50, 50], SE "
    "kernel with variance 1/2 and lengthscale 3, coefficients sin(0.3t + i) scaled to norm 5.",
)
# In every world: the exponent is the algorithm's too. A rough world is as drawn, without a budget and a norm.
ACTS = {key: ({"kind": tuple(KINDS)},) for key in ("ell", "nu")}
ACTS |= {
    key: tuple({"kind": tuple(kind for kind in case["kind"] if kind != "rough")} for case in acts_in_worlds()[key])
    for key in ("V", "B")
}
FIGURE_2 = {"kind": PAPERS, "seeds": 30, "seed": 0, "T": 500}
ALPHA = KNOBS["alpha"].default
