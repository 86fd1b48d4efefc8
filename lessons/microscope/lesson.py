"""Under the microscope: the lesson's knobs and moments."""

from __future__ import annotations

from dataclasses import replace

from common.formats import percent
from lessons.microscope import claims, model
from lessons.microscope.knobs import ACTS, DELTA, KEYS, OWN, visible
from lessons.microscope.recipe import recipe
from lessons.microscope.scene import frame, is_slow, question_scene, scene
from lessons.microscope.statements import EVERY_READING
from lessons.microscope.tasks import TASKS
from lessons.record import CHECK, Bet, BetOutcome, Lesson, Moment, Values
from lessons.shared.knobs import KNOBS, WORLD, with_acts
from lessons.task import task_knob

MICROSCOPE_BET = Bet(
    question=f"An interval (discount γ = {OWN['fade'].default:g}) is stated to cover the truth “simultaneously over "
    f"all "
    f"t > 0” in at least {percent(1 - DELTA.default)} of runs. In which share of runs has it missed the truth at least "
    "once by T = 1,000?",
    options={"tenth": "In 10 %", "third": "In 30 %", "most": "In over half"},
    about={
        "tenth": "the printed statement holds",
        "third": "it misses slowly",
        "most": "it misses in most runs",
    },
    places=(0.1, 0.3, 0.75),
    ranges=True,
    axis="share of the runs",
    why="The width is valid at each fixed time. Because the regulariser is rescaled with time, it is not valid for all "
    "times at once when γ < 1. Dividing δ by T restores that, and changes the rate only by logarithms.",
    t=27,
    before=14,
    claim=claims.EVER,
)


def truth(values: Values, bet: Bet) -> BetOutcome:
    """Return in how many runs a width that is valid at each time is left at some time."""
    key = str(values["statement"])
    found = model.experiment(key, model.setting_from(key, values))
    frame = bet.t
    ever, fixed = (float(found.value(name)[frame]) for name in ("missed at least once", "missed at T"))
    return BetOutcome(
        right=(bet.nearest(ever),),
        numbers={},
        value=ever,
        amount=percent(ever),
        sentence=f"In {percent(ever)} of the runs the true value was outside its interval at least once.",
        more=f"In the last round alone it is outside in {percent(fixed)}.",
        setup=f"T = {found.sweep[frame]:,.0f}, {found.setup}, seed {values['seed']}.",
    )


LESSON = Lesson(
    key="microscope",
    group=CHECK,
    file="pages/Under_the_microscope.py",
    icon="🔬",
    title="Under the microscope",
    question="Which printed statements need care, and what does a small experiment show?",
    knobs=with_acts({
        **{k: (KNOBS | OWN)[k] for k in KEYS},
        "delta": DELTA,
        "seed": KNOBS["seed"].replace(words="Seed", help="The same seed gives the same draws."),
        "alpha": KNOBS["alpha"].replace(help="The change over n steps has variance $n^\\alpha$ (Mauduit et al.: "
                                        "$\\alpha$)."),
        "eps": KNOBS["eps"].replace(help="Share of the reward that is drawn anew at each step (Bogunovic et al.: "
                                    "$\\epsilon$)."),
        **MICROSCOPE_BET.knobs, **task_knob(TASKS),
    }, ACTS),
    world=WORLD,
    moments=(
        Moment("every_time", "At every time?",
               "At each single time the interval holds as stated. For all times at once it does "
               "not.", claims.EVER_AT, claim=claims.EVER),
        Moment("less_noise", "Less noise",
               "With less noise an observation tells more: the drift's term of a bound on information needs a factor "
               "of order 1/σ².", 10,
               {"statement": "bogunovic-21"}, claim="a formula: no chance in it"),
        Moment("ten_answers", "Ten observations",
               "Ten chosen observations leave more variance than all observations summarised at their ten points.",
               claims.TEN_AT,
               {"statement": "mauduit-subset"}, claims.TEN_ANSWERS),
        Moment("sign", "Plus or minus",
               "With a minus in eq. 11 the upper bound lies below a function that it should cover.",
               claims.SIGN_AT, {"statement": "flynn-11"}, claims.SIGN),
        Moment("walk", "A random walk",
               "Independent noise averages out; the steps of a random walk add up.", claims.WALK_AT,
               {"statement": "mauduit-walk"}, claims.WALK),
    ),
    bet=replace(MICROSCOPE_BET, truth=truth, scene=question_scene),
    tasks=TASKS,
    cites=lambda: [reading.where for reading in EVERY_READING],
    recipe=recipe,
    controls=lambda values: (visible(values["statement"]), ()),
    scene=scene,
    waits=is_slow,
    frame=frame,
    leads=("fade", "eps", "alpha", "sigma", "delta"),
    former=frozenset({"d"}),
)  # fmt: skip
