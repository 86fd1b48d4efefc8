"""Drifting rewards: the lesson's record."""

from __future__ import annotations

from dataclasses import replace

from common.formats import amount, plural
from lessons.drift import claims, model
from lessons.drift.knobs import ACTS, BOGUNOVIC, DENG, DRIFT_KEYS, VIEW, groups
from lessons.drift.recipe import recipe
from lessons.drift.scene import frame, question_scene, scene
from lessons.drift.tasks import TASKS
from lessons.record import SEE, Bet, BetOutcome, Lesson, Moment, Values
from lessons.shared import worlds
from lessons.shared.knobs import KNOBS, WORLD, with_acts
from lessons.shared.wording import LABELS
from lessons.task import task_knob

SAME_SHARE = 1e-9  # relative; two sums of the same steps in another order differ by less
DRIFT_BET = Bet(
    question="A glides straight from its first reward to its last. B jumps once between the same two, after t = 100. "
    "Which has the larger drift budget, the sum of every round's largest change?",
    options={"a": "A, the glide", "b": "B, the jump", "equal": "Equal", "unknown": "Cannot tell"},
    why="Many small steps in one direction add up to one large step. In 92 of 100 worlds, as "
    "here, the glide goes one way only; in the other 8 it turns back, and B jumps two or three times.",
    about={
        "a": "changes a little in every round",
        "b": "changes once, by much",
        "equal": "the changes add up to the same",
        "unknown": "the first and last reward do not say it",
    },
    t=200,
    before=100,  # the jump comes next
    axis="drift budget V<sub>T</sub> (reward units)",
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
        sentence=f"A drifts by {amount(a)} in {plural(steps[0], 'step')}, B by {amount(b)} in "
        f"{plural(steps[1], 'step')}.",
        setup=f"A: {worlds.caption(drifts[0].world)}; B: {LABELS[drifts[1].world.kind]}, with the same first and "
        "last reward.",
    )


LESSON = Lesson(
    key="drift",
    group=SEE,
    file="pages/Drifting_rewards.py",
    icon="🏔️",
    title="Drifting rewards",
    question="How much has a drifting reward changed in total?",
    knobs=with_acts(
        {
            **{k: (KNOBS | {VIEW.key: VIEW})[k] for k in DRIFT_KEYS},
            "kind": KNOBS["kind"].replace(words="World on the left"),
            # One leg from the first to the last reward is as long as this; a larger budget is walked there and back.
            "V": KNOBS["V"].replace(default=1.5, idle="follows from the world"),
            "seed": KNOBS["seed"].replace(default=7),
            **DRIFT_BET.knobs,
            **task_knob(TASKS),
        },
        ACTS,
    ),
    world=WORLD,
    moments=(
        Moment(
            "budget",
            "Same budget, two worlds",
            "Both worlds drift equally far in total. In 92 of 100 pairs one jump is as large as the whole glide.",
            200,
            claim=claims.ONE_STEP,
        ),
        Moment(
            "bogunovic",
            "Bogunovic et al., Figure 1",
            "Two Markov worlds with the same ε, two kernels: over 300 rounds the rougher reward drifts more.",
            300,
            BOGUNOVIC,
            claims.ROUGHER,
        ),
        Moment(
            "deng",
            "Deng et al., abrupt",
            "Left: two jumps in 500 rounds. Right: the first jump's change, spread over all 500 rounds.",
            201,
            DENG,
            claim="a schedule: no chance in it",
        ),
    ),
    bet=replace(DRIFT_BET, truth=truth, scene=question_scene),
    tasks=TASKS,
    recipe=recipe,
    controls=groups,
    scene=scene,
    frame=frame,
    leads=("V", "eps", "alpha", "T"),
    former=frozenset({"data", "reshaped"}),
)
