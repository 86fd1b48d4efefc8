"""Side queries: the lesson's knobs and moments."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from lessons.record import UNDERSTAND, Bet, BetOutcome, Lesson, Moment, Values
from lessons.shared.knobs import KNOBS, WORLD, with_acts
from lessons.side_queries import claims, model
from lessons.side_queries.knobs import ACTS, ALPHA, FIGURE_2, KIND, OWN, QUERIES_MORE, QUERIES_SHOWN
from lessons.side_queries.recipe import recipe
from lessons.side_queries.scene import RUNS, question_scene, scene
from lessons.side_queries.tasks import TASKS
from lessons.task import task_knob
from tvbo_core.policies.side_queries.policy import planned_queries

QUERIES_BET = Bet(
    question="W-SparQ queries old points again (side queries) when a window starts. An observation of "
    f"age a has the noise variance $σ^2(1+a^α)$. Now α doubles, from {ALPHA / 2:g} to {ALPHA:g}: observations become "
    "outdated faster. How many side queries does W-SparQ make then?",
    options={"same": "The same", "twice": "Double", "thrice": "Triple"},
    about={
        "same": "as many windows as now",
        "twice": "in proportion to α",
        "thrice": "more than in proportion",
    },
    places=(1.0, 2.0, 3.0),
    axis="side queries, as a multiple of now",
    why="The windows get shorter, so there are more of them. Each starts with a full set of side queries.",
    t=500,
    values_before={"alpha": ALPHA / 2, "seeds": 1},
    claim="a schedule: no chance in it",
)


def truth(values: Values, bet: Bet) -> BetOutcome:
    """Return the ratio of W-SparQ's planned side queries when α doubles."""
    setting = model.setting_from(values)
    T, d = setting.world.horizon, 1
    planned = []
    for alpha in (setting.alpha / 2, setting.alpha):
        rule = replace(setting.policies["W-SparQ"], alpha=alpha)
        planned.append(int(np.sum(planned_queries(rule.starts(T), setting.q, d))))
    before, after = planned
    share = after / before
    return BetOutcome(
        right=(bet.nearest(share),),
        numbers={},
        value=share,
        amount=f"× {share:.1f}",
        sentence=f"W-SparQ makes {before} side queries at α = {setting.alpha / 2:g} and {after} at α = "
        f"{setting.alpha:g}: {share:.1f} times as many.",
        setup=f"By its schedule, no randomness: T = {T}, window exponent α̃ = {setting.window_exponent:g}, "
        f"c = {setting.q:g}, d = {d}.",
    )


LESSON = Lesson(
    key="side_queries",
    group=UNDERSTAND,
    file="pages/Side_queries.py",
    icon="🔁",
    title="Side queries",
    question="If I may query old points again, how few side queries are enough?",
    knobs=with_acts(
        {
            **{k: (KNOBS | OWN)[k] for k in (*QUERIES_SHOWN, *QUERIES_MORE)},
            **QUERIES_BET.knobs,
            **task_knob(TASKS),
            "alpha": KNOBS["alpha"].replace(
                step=0.01,
                help="How fast old data become outdated: an observation of age a counts with variance "
                "$\\sigma^2(1+a^\\alpha)$ (Mauduit et al.: $\\alpha$). W-SparQ assumes it, and the rough world is made "
                "with it.",
            ),
            "kind": KIND,
            "seed": KNOBS["seed"].replace(default=4),
            "T": KNOBS["T"].replace(default=500, low=100),
        },
        ACTS,
    ),
    world=WORLD,
    moments=(
        Moment(
            "fewer",
            "A quarter as many",
            "W-SparQ makes about a quarter of SparQ’s side queries. In 95 of 100 sets of worlds its "
            "median regret is no higher.",
            500,
            claim=claims.NO_MORE,
        ),
        Moment(
            "slow",
            "Slow drift",
            "With slower drift, α = 0.34, W-SparQ makes fewer side queries, and GP-UCB's regret is fewer "
            "times W-SparQ's.",
            500,
            {"alpha": 0.34},
            claims.LESS_NEEDED,
        ),
        Moment(
            "k_dpp",
            "Diverse against random",
            "Equally many side queries, diverse (k-DPP) or random: in 86 of 100 worlds the last diverse ones lie "
            "further apart.",
            200,
            {"T": 200, "view": "picks"},
            claims.SPREADS,
        ),
        Moment(
            "mauduit",
            "Mauduit et al., Figure 2",
            "The paper's world in thirty realisations, with and without side queries.",
            500,
            FIGURE_2,
            claim="the paper's own Figure 2",
        ),
    ),
    bet=replace(QUERIES_BET, truth=truth, scene=question_scene),
    tasks=TASKS,
    recipe=recipe,
    controls=lambda values: (QUERIES_SHOWN, QUERIES_MORE),
    runs=RUNS,
    scene=scene,
    leads=("atil",),
    former=frozenset({"picker", "beta", "eps", "budget", "far", "d", "papers", "scale", "data"}),
)
