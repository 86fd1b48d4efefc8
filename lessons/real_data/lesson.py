"""Real data: the record of the lesson."""

from __future__ import annotations

from lessons.real_data.knobs import LINK_KEYS, NAMES, OWN, RACING, REAL_MORE, REAL_SHOWN, USUAL, WIZARD_KEYS
from lessons.real_data.recipe import recipe
from lessons.real_data.scene import scene
from lessons.real_data.thumbnail import thumbnail
from lessons.real_data.truth import truth
from lessons.record import UNDERSTAND, Bet, Lesson, Moment
from lessons.shared.knobs import KNOBS
from lessons.shared.wording import COUNTS

REAL_BET = Bet(
    question="Four technology stocks, one row a day, 60-day log returns; white bars are the best stock of the day. "
    "How often does the best stock change in the second half?",
    options={"few": "Under 5 times", "some": "5 to 20 times", "many": "Over 20 times"},
    about={
        "few": "a favourite lasts for half a year or longer",
        "some": "for one or several months",
        "many": "for less than six weeks",
    },
    why="With every change a favourite learnt before becomes the wrong one; without changes, forgetting could only "
    "hurt.",
    t=9999,
    before=1,
    hides=((0.288, 0.07, 0.297, 0.85),),  # the second half of the wall, and the changes below it
    own="changes",
)
REAL_DATA = Lesson(
    number=8,
    group=UNDERSTAND,
    abreast=4,
    file="pages/8_Real_data.py",
    icon="📈",
    title="Real data",
    question="Does any of this survive real sensors, real prices — or my own file?",
    knobs={
        **{k: (KNOBS | OWN)[k] for k in ("table", *REAL_SHOWN, *REAL_MORE, *WIZARD_KEYS, *LINK_KEYS)},
        **REAL_BET.knobs,
        "algos": KNOBS["algos"].replace(
            default=USUAL, options=RACING, names=NAMES, words="Methods",
            help="Who races in the second part. At most six lines are coloured, the others are grey; the two pinned "
            f"ones always have their colour. None chosen means the {COUNTS[len(USUAL)]} of the opening.",
        ),
        "m": KNOBS["m"].replace(
            default=0, names={"0": "from the data"},
            help="Past steps that count. “From the data”: ε by its likelihood; the restart, the window and the "
            "discount by races on the first part. A number sets H = 2m, W = m, γ = 1 − 1/m and ε = 2/m.",
        ),
        "y": KNOBS["y"].replace(default="mean"),
        "pin1": KNOBS["pin1"].replace(options=RACING, names=NAMES),
        "pin2": KNOBS["pin2"].replace(options=RACING, names=NAMES),
        "seeds": KNOBS["seeds"].replace(
            words="Repeated noise $S$", help="Runs of every method on the same table, each with noise of its own."
        ),
        "seed": KNOBS["seed"].replace(
            words="Which noise (seed)", help="The same seed gives the same noise on every machine."
        ),
    },
    moments=(
        Moment("Stale", "The best stock keeps changing: watch which method notices.", 9999),
        Moment("A city of sensors", "The best street changes all year; neighbouring streets move together.", 9999,
               {"table": "sensors"}),
        Moment("Break it", "The same days in a random order: yesterday now says nothing about "
               "today.", 9999, {"mixed": True}),
        Moment("Start over", "PE eliminates an arm for good, R-PERP until its next restart: only one of them gets the "
               "best arm back.", 9999, {"algos": ("rnd", "gp", "tv", "pe", "rperp", "opkb"), "pin1": "pe",
                                        "pin2": "rperp"}),
    ),
    t=9999,
    words="lessons/real_data/help.md",
    bet=REAL_BET,
    recipe=recipe,
    thumbnail=thumbnail,
    scene=scene,
    truth=truth,
)  # fmt: skip
