"""Confidence bands: the lesson's record."""

from __future__ import annotations

from lessons.bands.knobs import BANDS_MORE, BANDS_SHOWN, FLYNN, OWN
from lessons.bands.recipe import recipe
from lessons.bands.scene import frame, scene
from lessons.bands.thumbnail import thumbnail
from lessons.bands.truth import truth
from lessons.bands.words import COUNT
from lessons.record import SEE, Bet, Lesson, Moment
from lessons.shared.knobs import KNOBS

BANDS_BET = Bet(
    question=f"{COUNT.capitalize()} bands promise the same for a reward that stands still. Now it drifts slowly. Which "
    "band is the first to miss it?",
    options={"widest": "The widest", "tightest": "The tightest", "together": "All together", "none": "No band"},
    why="A band without room to spare for chance has none for drift either; the promise of all "
    f"{COUNT} assumes a reward that does not move.",
    about={
        "widest": "it has room to spare",
        "tightest": "it uses the data best",
        "together": "they draw on the same data",
        "none": "a slow drift stays inside",
    },
    t=70,
    before=30,
    hides=((0.0, 0.68, 1.0, 0.32),),  # the strip that tells since when
)
BANDS = Lesson(
    number=2,
    group=SEE,
    abreast=5,
    file="pages/2_Confidence_bands.py",
    icon="🎯",
    title="Confidence bands",
    question="How sure can I be about the whole curve — and am I still sure if it moves?",
    knobs={
        **{k: (KNOBS | OWN)[k] for k in (*BANDS_SHOWN, *BANDS_MORE, "place")},
        "V": KNOBS["V"].replace(default=1.0, high=4.0, step=0.25),
        "T": KNOBS["T"].replace(default=100, high=200),
        "nu": KNOBS["nu"].replace(default="3/2"),
        "seed": KNOBS["seed"].replace(default=12),
        **BANDS_BET.knobs,
    },
    moments=(
        Moment("Tight and true", f"Nothing moves, and all {COUNT} bands keep their promise.", 20, {"V": 0.0}),
        Moment("First to lie", "The sharpest band is the first to be wrong once the world moves.", 70),
        Moment("The empty set", "No function fits these data: the data themselves say that the reward has moved.", 65,
               {"V": 4.0, "view": "overlay", "front": "AMM"}),
        Moment("Flynn & Reeb, Figure 1", f"The same data, {COUNT} theorems: watch the gap in the middle, where nothing "
               "was asked.", 50, FLYNN),
    ),
    t=70,
    words="lessons/bands/help.md",
    bet=BANDS_BET,
    recipe=recipe,
    thumbnail=thumbnail,
    scene=scene,
    frame=frame,
    follows=("V", "Bhat", "sigma", "delta", "T", "ell", "eps", "alpha", "B", "c", "ridge", "place"),
    truth=truth,
)  # fmt: skip
