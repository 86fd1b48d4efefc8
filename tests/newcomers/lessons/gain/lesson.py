"""Information gain: the lesson's record."""

from __future__ import annotations

from lessons.gain.scene import scene

from lessons.record import UNDERSTAND, Lesson, Moment
from lessons.shared.knobs import KNOBS, WORLD

FORMULA = "a formula: no chance in it but in the arms asked"


LESSON = Lesson(
    key="gain",
    group=UNDERSTAND,
    file="pages/Information_gain.py",
    icon="💡",
    title="Information gain",
    question="How much can a number of answers tell?",
    knobs={**{k: KNOBS[k] for k in ("nu", "ell", "sigma", "seed")}, "T": KNOBS["T"].replace(default=100)},
    world=WORLD,
    moments=(
        Moment("less", "Less and less", "Each answer tells less than the one before.", 50, claim=FORMULA),
        Moment("rough", "A rough reward", "A rougher reward leaves more to be told.", 50, {"nu": "1/2"}, claim=FORMULA),
        Moment(
            "loud", "A loud answer", "Ten times the noise, and an answer tells less.", 50, {"sigma": 1.0}, claim=FORMULA
        ),
    ),
    leads=("sigma",),
    controls=lambda values: (("nu", "ell", "sigma", "T"), ("seed",)),
    scene=scene,
)
