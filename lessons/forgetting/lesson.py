"""Forgetting: the lesson's knobs and moments."""

from __future__ import annotations

from dataclasses import replace

from common.formats import amount
from lessons.forgetting import claims, experiment, model
from lessons.forgetting.knobs import (
    ACTS,
    DRIFT,
    FIGURE_2C,
    FORGETTING_MORE,
    FORGETTING_SHOWN,
    MEMORY_STEPS,
    OWN,
    PAYS,
    WIDTH,
)
from lessons.forgetting.recipe import recipe
from lessons.forgetting.scene import RUNS, frame, question_scene, scene
from lessons.forgetting.tasks import TASKS
from lessons.record import SEE, Bet, BetOutcome, Lesson, Moment, Values
from lessons.shared import worlds as world
from lessons.shared.knobs import KNOBS, METHODS, WORLD, with_acts
from lessons.shared.stored_runs import played
from lessons.task import task_knob

FORGETTING_BET = Bet(
    question="R-GP-UCB restarts: it forgets everything at fixed intervals. The reward jumps twice. Which interval "
    "gives the lowest regret?",
    options={"5": "Every 10 rounds", "40": "Every 80 rounds", "80": "Every 160 rounds", "3000": "Never"},
    about={
        "5": "0 to 9 observations",
        "40": "0 to 79 observations",
        "80": "0 to 159 observations",
        "3000": "keeps all observations",
    },
    axis="regret after 300 rounds (reward units)",
    why="A memory that is too short cannot average out the noise. One that is too long trusts rewards that have "
    "changed.",
    t=300,
    values={"m": 80},  # the memory on the stage, one of the answers
    claim=claims.BETWEEN,
)


def truth(values: Values, bet: Bet) -> BetOutcome:
    """Return the memory with the lowest final regret in the jumping world, and those that chance may have put above."""
    past, setting = experiment.settings_from(values)
    found = model.gather(setting, played(experiment.jobs(setting), experiment.FILE)).front()
    among = [MEMORY_STEPS.index(int(word)) for word in bet.options]
    pays = {word: float(found.median[i, -1]) for word, i in zip(bet.options, among, strict=True)}
    best = min(pays, key=lambda word: pays[word])
    near = [str(MEMORY_STEPS[i]) for i in found.as_low(best=MEMORY_STEPS.index(int(best))) if i in among]
    return BetOutcome(
        right=(best, *near),
        numbers={word: amount(p) for word, p in pays.items()},
        sizes=pays,
        sentence=f"{METHODS[setting.front]} has the lowest median regret, {amount(pays[best])}, if it restarts "
        f"{bet.options[best].lower()}.",
        more=f"{bet.options['5']} gives {amount(pays['5'])}, never restarting {amount(pays['3000'])}."
        + "".join(f" {bet.options[word]} is not clearly worse." for word in near),
        setup=f"Median of {found.seeds} seeds: {world.caption(past.world)} to {setting.numbers[-1]}, "
        f"width β = {WIDTH:g}.",
    )


LESSON = Lesson(
    key="forgetting",
    group=SEE,
    file="pages/Forgetting.py",
    icon="🍂",
    title="Forgetting",
    question="How much of the past should a learner keep?",
    knobs=with_acts({
        **{k: (KNOBS | OWN)[k] for k in (*FORGETTING_SHOWN, *FORGETTING_MORE)},
        **FORGETTING_BET.knobs,
        **task_knob(TASKS),
        "m": KNOBS["m"].replace(
            default=40, options=MEMORY_STEPS, names=None,
            help="How much is remembered. R-GP-UCB and R-PERP: a restart every 2m rounds. SW-GP-UCB: a window of m "
            "rounds. WGP-UCB and TV-GP-UCB: observations fade over about m rounds. UI-GP-UCB has its own α.",
        ),
        "kind": KNOBS["kind"].replace(default="jumps"),
        "V": KNOBS["V"].replace(default=8.0),
        "T": KNOBS["T"].replace(default=300, low=100, high=500),
        "seeds": KNOBS["seeds"].replace(default=10),
        "alpha": KNOBS["alpha"].replace(
            help="How fast UI-GP-UCB (uncertainty injection) discounts: an observation of age a counts 1/(1 + a^α) "
            "(Mauduit et al.: α). In a rough world also the roughness of the walk.",
        ),
    }, ACTS),
    world=WORLD,
    moments=(
        Moment("bowl", "Too short, too long",
               "Two jumps in 300 rounds: too little memory is noisy, too much is stale. The best here lies between.",
               300, claim=claims.BETWEEN),
        Moment("sawtooth", "A restart forgets all",
               "The memory is full. One step on, at t = 81, a restart forgets everything at once.", 80,
               claim="a schedule: no chance in it"),
        Moment("best", "Best memory",
               "Memory 10 has less regret after 300 rounds than 80 where the hill travels far, and more where it "
               "hardly moves.", 300,
               {"view": DRIFT, "kind": "travel"},
               claim=claims.SHORTER),
        Moment("pays", "When forgetting pays",
               "After 300 rounds forgetting has clearly less regret in 5 of these 11 worlds, keeping in 2, neither in "
               "4.", 300,
               {"view": PAYS},
               claim=claims.PEAK_DECIDES),
        Moment("told_nothing", "Drift unknown",
               "Here ET-GP-UCB, not told the drift, has less regret after 300 rounds than R-GP-UCB with any of these "
               "memories.", 300, claims.TOLD_AT, claims.UNTOLD),
        Moment("bogunovic", "Bogunovic et al., Figure 2c",
               "If TV-GP-UCB assumes far too much change, or none, its regret after 200 rounds is over 1.5 times its "
               "lowest.",
               200, FIGURE_2C,
               claims.BOTH_BELIEFS),
    ),
    bet=replace(FORGETTING_BET, truth=truth, scene=question_scene),
    recipe=recipe,
    controls=lambda values: (FORGETTING_SHOWN, FORGETTING_MORE),
    runs=RUNS,
    scene=scene,
    frame=frame,
    leads=("m", "V"),
    tasks=TASKS,
    former=frozenset({"place", "levels", "design", "beta", "switches", "data", "reshaped"}),
)  # fmt: skip
