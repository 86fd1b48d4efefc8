"""Side queries: the lesson's knobs and moments."""

from __future__ import annotations

from lessons.record import UNDERSTAND, Bet, Lesson, Moment
from lessons.shared.knobs import KNOBS
from lessons.side_queries.knobs import ALPHA, BELOW, FIGURE_2, OWN, PLAN, QUERIES_MORE, QUERIES_SHOWN
from lessons.side_queries.recipe import recipe
from lessons.side_queries.scene import frame, scene
from lessons.side_queries.thumbnail import thumbnail
from lessons.side_queries.truth import truth

QUERIES_BET = Bet(
    question=f"You see one run with the drift exponent α = {ALPHA / 2:g}. Now it doubles to {ALPHA:g}, so that old "
    "answers go stale faster. How many questions does W-SparQ then ask again in the same 500 rounds?",
    options={"same": "The same", "twice": "Double", "thrice": "Triple"},
    about={
        "same": "as many windows, as many questions",
        "twice": "in proportion to α",
        "thrice": "more than in proportion",
    },
    places=(1.0, 2.0, 3.0),
    axis="times as many re-asks",
    why="The windows get shorter, so more of them open, and each opens with a whole set of questions.",
    t=500,
    hides=(),  # the other exponent is not on the stage
    values_before={"alpha": ALPHA / 2, "seeds": 1},
)
QUERIES = Lesson(
    number=7,
    group=UNDERSTAND,
    abreast=4,
    file="pages/7_Side_queries.py",
    icon="🔁",
    title="Side queries",
    question="If I may re-ask old questions, how few re-asks are enough?",
    knobs={
        **{k: (KNOBS | OWN)[k] for k in (*QUERIES_SHOWN, *QUERIES_MORE, *PLAN, *BELOW)},
        **QUERIES_BET.knobs,
        "alpha": KNOBS["alpha"].replace(
            step=0.01,
            help="How fast old data go stale: a reading of age a counts with variance $\\sigma^2(1+a^\\alpha)$ "
            "(Mauduit et al.: $\\alpha$). W-SparQ believes in it, and the rough world is made with it.",
        ),
        "kind": KNOBS["kind"].replace(default="rough"),
        "seed": KNOBS["seed"].replace(default=4),
        "T": KNOBS["T"].replace(default=500, low=100),
        "scale": KNOBS["scale"].replace(
            default="drawn",
            help="Set: every function has norm at most B and the drift is fitted to the budget. As drawn: nothing is "
            "rescaled; the rough world then moves by $\\sigma n^{\\alpha/2}$ over n rounds, as in "
            "Assumption 2.",
        ),
    },
    moments=(
        Moment("Four times fewer", "Every bar is a question to the expert. A quarter of the questions, and no more "
               "regret.",
               500),
        Moment("Slow world", "The more slowly the world moves, the rarer the questions, and the less they are "
               "needed.", 500,
               {"alpha": 0.34}),
        Moment("k-DPP against random", "As many questions, picked in two ways: random picks crowd where most was "
               "asked, the k-DPP spreads them.", 200, {"T": 200, "view": "picks"}),
        Moment("Mauduit et al., Figure 2", "Their world, thirty realisations: with and without re-asking.", 500,
               FIGURE_2),
    ),
    t=500,
    words="lessons/side_queries/help.md",
    bet=QUERIES_BET,
    recipe=recipe,
    thumbnail=thumbnail,
    scene=scene,
    frame=frame,
    follows=("budget", "far", "d"),
    truth=truth,
)  # fmt: skip
