"""Drifting rewards: the lesson's record."""

from __future__ import annotations

from common.formats import amount
from lessons.drift import claims, model
from lessons.drift.knobs import ACTS, BOGUNOVIC, DENG, DRIFT_KEYS, VIEW, groups
from lessons.drift.recipe import recipe
from lessons.drift.scene import has_frame, question_scene, scene
from lessons.record import SEE, Bet, BetOutcome, Lesson, Moment, Values
from lessons.shared import worlds
from lessons.shared.knobs import KNOBS, WORLD, with_acts, with_hill

SAME_SHARE = 1e-9  # relative; two sums of the same steps in another order differ by less
DRIFT_BET = Bet(
    question="World A glides, world B jumps once; both begin and end with the same rewards. Which drifts more in all, "
    "by its drift budget $V_T$?",
    options={"a": "A, the glide", "b": "B, the jump", "equal": "Equal", "unknown": "Cannot know"},
    why="The budget adds up the largest change of every step: many small steps in one direction add up to one large "
    "one. How far the best action hops does not count.",
    about={
        "a": "moves a little in every round",
        "b": "moves once, far",
        "equal": "the changes add up to the same",
        "unknown": "the first and the last reward do not settle it",
    },
    t=200,
    before=100,  # the jump comes next
    axis="drift budget V<sub>T</sub>",
    claim=claims.ONE_STEP,
)


def truth(values: Values, bet: Bet) -> BetOutcome:
    """Compare V_T of a glide and of a jump between the same two rewards."""
    drifts = model.drifts_from(values)
    one, other = (drift.problem for drift in drifts)
    a, b = one.sup_variation, other.sup_variation
    right = "equal" if abs(a - b) <= SAME_SHARE * max(a, b) else "a" if a > b else "b"
    steps = [int((p.steps > SAME_SHARE * p.steps.max()).sum()) for p in (one, other)]
    return BetOutcome(
        right=(right,),
        numbers={"a": amount(a), "b": amount(b)},
        sizes={"a": a, "b": b},
        sentence=f"A changes by $V_T$ = {amount(a)} in {steps[0]} small steps, B {amount(b)} in {steps[1]} step"
        f"{'' if steps[1] == 1 else 's'}.",
        setup=f"A: {worlds.caption(drifts[0].world)}; B: {drifts[1].world.kind}, with the same first and last reward.",
    )


LESSON = Lesson(
    key="drift",
    group=SEE,
    file="pages/Drifting_rewards.py",
    icon="🏔️",
    title="Drifting rewards",
    question="If the best action keeps moving, how much has the world really changed?",
    knobs=with_acts(
        {
            **{k: (KNOBS | {VIEW.key: VIEW})[k] for k in (*DRIFT_KEYS, "reshaped")},
            "kind": with_hill(KNOBS["kind"]),
            "pair": with_hill(KNOBS["pair"]),
            # One leg from the first to the last reward is as long as this; a larger budget is walked there and back.
            "V": KNOBS["V"].replace(default=1.5),
            "seed": KNOBS["seed"].replace(default=7),
            **DRIFT_BET.knobs,
        },
        ACTS,
    ),
    world=WORLD,
    moments=(
        Moment(
            "budget",
            "Same budget, two worlds",
            "The same drift in all, two very different worlds: one step of the jump is "
            "as large as all steps of the glide.",
            200,
            claim=claims.ONE_STEP,
        ),
        Moment(
            "bogunovic",
            "Bogunovic et al., Figure 1",
            "One rule of change, two kernels: with the same ε the rougher reward moves more in all.",
            244,
            BOGUNOVIC,
            claims.ROUGHER,
        ),
        Moment(
            "deng",
            "Deng et al., abrupt",
            "Two jumps in five hundred rounds; on the right the first change alone, spread over all of them.",
            201,
            DENG,
            free="a schedule: no chance in it",
        ),
    ),
    t=200,
    claim=claims.ONE_STEP,
    words="lessons/drift/help.md",
    bet=DRIFT_BET,
    recipe=recipe,
    controls=groups,
    scene=scene,
    question_scene=question_scene,
    is_instant=lambda values: True,  # nothing is played that takes long
    has_frame=has_frame,
    leads=("V", "eps", "alpha", "T"),
    follows=("V", "T", "ell", "eps", "alpha", "B", "switches"),
    truth=truth,
)
