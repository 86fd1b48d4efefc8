"""Real data: the record of the lesson."""

from __future__ import annotations

from dataclasses import replace

from lessons.real_data import claims, model
from lessons.real_data.knobs import LINK_KEYS, NAMES, OWN, RACING, REAL_MORE, REAL_SHOWN, USUAL
from lessons.real_data.recipe import recipe
from lessons.real_data.scene import question_scene, scene
from lessons.real_data.tasks import TASKS
from lessons.record import UNDERSTAND, Bet, BetOutcome, Lesson, Moment, Values, page_alone
from lessons.shared.knobs import KNOBS, WORLD
from lessons.shared.wording import counted
from lessons.task import task_knob

REAL_BET = Bet(
    question="The reward of a stock is its gain over the last 60 trading days. White bars mark the best stock of the "
    "day. You see the first half. How often does the best stock change in the second half?",
    options={"few": "Under 5 times", "some": "5 to 20 times", "many": "Over 20 times"},
    about={
        "few": "on average each stays best for half a year or longer",
        "some": "on average for one to five months",
        "many": "on average for less than six weeks",
    },
    why="After a change, a method that had found the best stock holds one that no longer is.",
    places=(2.5, 12.5, 30.0),
    ranges=True,
    axis="changes of the best stock",
    t=9999,
    before=1,
    claim="read from this table",
)


def truth(values: Values, bet: Bet) -> BetOutcome:
    """Return the number of changes of the best arm in the table's second part."""
    split = model.split(model.setting_from(values))
    count, (rounds, arms) = len(split.switches), split.problem.f.shape
    right = ("few", "some", "many")[(count >= 5) + (count > 20)]
    return BetOutcome(
        right=(right,),
        numbers={},
        value=float(count),
        amount=f"{count} times",
        sentence=f"The best of {arms} arms changes {count} times in {rounds} rounds.",
        setup=f"Table {values['table']}, the {rounds} rows after the first {split.table.train_rows}; no randomness.",
    )


LESSON = Lesson(
    key="real_data",
    group=UNDERSTAND,
    leads=("m",),
    file="pages/Real_data.py",
    icon="📈",
    title="Real data",
    question="Does forgetting help on real sensors, real prices, or my own file?",
    knobs={
        **{k: (KNOBS | OWN)[k] for k in ("table", *REAL_SHOWN, *REAL_MORE, *LINK_KEYS)},
        **REAL_BET.knobs, **task_knob(TASKS),
        "algos": KNOBS["algos"].replace(
            default=USUAL, options=RACING, names=NAMES, words="Methods",
            help="Methods that run on the second part. The headline is about the two pinned ones, the data table has "
            f"all. An empty choice means the {counted(len(USUAL))} of the opening.",
        ),
        "m": KNOBS["m"].replace(
            default=0, names={"0": "estimated"},
            help="How each method forgets. “Estimated”: the likelihood sets ε; regret on the first part sets restart, "
            "window and discount. A number sets H = 2m, W = m, γ = 1 − 1/m and ε = 2/m.",
        ),
        "seeds": KNOBS["seeds"].replace(
            words="Repeats of the noise $S$", help="Runs of every method on the same table, each with noise of its own."
        ),
        "seed": KNOBS["seed"].replace(
            words="Random seed",
            help="Decides the noise, the arms observed for the tuning, and the shuffled order. It is the same "
            "on every machine.",
        ),
    },
    world=WORLD,
    moments=(
        Moment("stale", "Outdated data", "The best stock keeps changing. The methods that forget have less regret than "
                                         "GP-UCB.", 9999,
               claim=claims.FORGETTING_PAYS),
        Moment("sensors", "A city of sensors",
               "The best street keeps changing. The methods that forget have less regret than GP-UCB.", 9999,
               {"table": "sensors"}, claims.FORGETTING_PAYS),
        Moment("break_it", "Shuffle the days", "The same days in a random order. The order has no information, and "
               "no method has less regret than the best single arm.", 9999, {"mixed": True}, claims.ONLY_AVERAGES),
        Moment("start_over", "Restarts",
               "Phased elimination (PE) drops an arm for good. R-PERP has all arms again after each restart.",
               9999, {"algos": ("rnd", "gp", "tv", "pe", "rperp", "opkb"), "pin1": "pe",
                                        "pin2": "rperp"}, claims.STARTING_OVER),
    ),
    bet=replace(REAL_BET, truth=truth, scene=question_scene),
    tasks=TASKS,
    recipe=recipe,
    controls=lambda values: (("table", *REAL_SHOWN), REAL_MORE),
    scene=scene,
    waits=page_alone,
    former=frozenset({"y", "view", "share"}),
)  # fmt: skip
