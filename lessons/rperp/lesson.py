"""R-PERP, step by step: the lesson's knobs and moments."""

from __future__ import annotations

from dataclasses import replace

from lessons.record import UNDERSTAND, Bet, BetOutcome, Lesson, Moment, Values
from lessons.rperp import claims, model
from lessons.rperp.knobs import (
    ACTS,
    FIRST_BATCH,
    FIVE,
    FOLLOWER,
    OWN,
    QUESTIONS,
    RPERP_MORE,
    RPERP_SHOWN,
    RPERP_WORLD,
    SECOND_ENDS,
    THREE_BATCHES,
    T,
    controls,
)
from lessons.rperp.recipe import recipe
from lessons.rperp.scene import frame, question_scene, scene
from lessons.rperp.tasks import TASKS
from lessons.shared import worlds
from lessons.shared.knobs import KINDS, KNOBS, MOVES, WORLD, with_acts
from lessons.task import task_knob

RPERP_BET = Bet(
    question="An adversary knows the order of your 15 queries and moves the reward to bias your estimate. Now "
    "you try 400 random orders. How large is their median error, as a share of the known order's?",
    options={"same": "As large", "half": "About half as large", "less": "Next to nothing"},
    about={
        "same": "over 75 % of it",
        "half": "25 to 75 % of it",
        "less": "under 25 % of it",
    },
    places=(1.0, 0.5, 0.0),  # nearest: over 3/4, from 1/4 to 3/4, under 1/4
    ranges=True,
    axis="share of the known order's error",
    why="In the known order the adversary gives nearly all of the error one sign. In a shuffle a part of it has "
    "the other sign and cancels: about half is left.",
    t=QUESTIONS,
    before=0,
    claim=claims.ABOUT_HALF,
)


def truth(values: Values, bet: Bet) -> BetOutcome:
    """Return the median of the shuffles' largest errors over x, beside the known order's largest error."""
    runs = model.paired_runs(model.setting_from(values))
    found, n = runs.pulls(0), len(runs.batches[0].picks)
    known, mine = (abs(float(order.error)) for order in (found.known, found.shuffled))
    share = found.median / known
    return BetOutcome(
        right=(bet.nearest(share),),
        numbers={},
        value=share,
        amount=f"{share:.2f}",
        sentence=f"Largest error over x: {known:.2f} in the known order, {found.median:.2f} in the median of "
        f"{model.SHUFFLES} shuffles.",
        more=f"The shuffle in the figure has an error of {mine:.2f}.",
        setup=f"The first batch, {n} queries, without noise, H = {runs.H}; adversary with amplitude Δ = "
        f"{runs.swing:g}: {worlds.caption(runs.setting.world).removeprefix('static, ')}.",
    )


LESSON = Lesson(
    key="rperp",
    group=UNDERSTAND,
    file="pages/R_PERP.py",
    icon="🔀",
    title="R-PERP, step by step",
    question="Why would anyone shuffle the order of their experiments?",
    knobs=with_acts({
        **{k: (KNOBS | OWN)[k] for k in (*RPERP_SHOWN, *RPERP_MORE)},
        "kind": KNOBS["kind"].replace(
            default=FOLLOWER, options=(FOLLOWER, *KINDS),
            names={FOLLOWER: "Adversary of the order", **KINDS},
            explains={**MOVES, FOLLOWER: "Adversary of the order: it knows the fixed order, and moves the reward "
                                         "against it."},
        ),
        "beta": KNOBS["beta"].replace(
            options=("0.5", "1", "2", "3", "5", "theory", "drift"), names={"theory": "eq. 8", "drift": "derived here"},
            help="The half-width of the band in posterior standard deviations. A number is for demonstration. "
                 "Eq. 8: the width of Theorem 4 with its absolute constant C = 2√2 (derived here). Derived here: the "
                 "same proof with the range of one batch's rewards in place of 2B. "
                 "In the shuffled order all bands of either width that eliminate cover their batch averages with "
                 "probability at least 0.9.",
        ),
        "V": KNOBS["V"].replace(default=RPERP_WORLD.budget),
        "T": T,
        "ell": KNOBS["ell"].replace(default=RPERP_WORLD.lengthscale),
        "seed": KNOBS["seed"].replace(default=4),
        **RPERP_BET.knobs, **task_knob(TASKS),
    }, ACTS),
    world=WORLD,
    moments=(
        Moment("one_shuffle", "One shuffle",
               "In the known order the errors add up. Half of the random orders of the same queries have under "
               "2/3 of that error.", QUESTIONS, claim=claims.MEDIAN),
        Moment("batches", "Three batches",
               "The reward glides ($V_T$ = 4). Until the first restart, after 50 rounds, every batch except the last "
               "eliminates actions.",
               SECOND_ENDS, THREE_BATCHES, claims.FEWER),
        Moment("lines", "The algorithm, line by line",
               "One batch: pick the queries, shuffle and evaluate them, and eliminate the actions that the band rules "
               "out.", 29, FIRST_BATCH, claims.DROPS),
        Moment("five", "Five queries",
               "A batch of five is too short: the median shuffle keeps over 0.8 of the known order's error.",
               5, FIVE, claims.TOO_FEW),
    ),
    bet=replace(RPERP_BET, truth=truth, scene=question_scene),
    tasks=TASKS,
    recipe=recipe,
    controls=controls,
    scene=scene,
    frame=frame,
    leads=("shuffle", "V"),
    former=frozenset({"interval", "lam", "arms", "delta", "eps", "grain", "swing", "data", "reshaped"}),
)  # fmt: skip
