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
    knobs={"sigma": KNOBS["sigma"], "T": KNOBS["T"].replace(default=100)},
    world=WORLD,
    moments=(
        Moment("less", "Less and less", "Each answer tells less than the one before.", 50, claim=FORMULA),
        Moment("loud", "A loud answer", "With more noise an answer tells less.", 50, {"sigma": 1.0}, FORMULA),
        Moment("quiet", "A quiet answer", "With less noise an answer tells more.", 50, {"sigma": 0.01}, FORMULA),
    ),
    controls=lambda values: (("sigma", "T"), ()),
    leads=("sigma",),
    scene=scene,
)
