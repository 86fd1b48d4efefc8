"""Information gain: the lesson's record."""

from __future__ import annotations

from lessons.gain.scene import scene

from lessons.record import UNDERSTAND, Lesson, Moment
from lessons.shared.knobs import KNOBS

GAIN = Lesson(
    number=12,
    group=UNDERSTAND,
    file="pages/12_Information_gain.py",
    icon="💡",
    title="Information gain",
    question="How much can a number of answers tell?",
    knobs={**{k: KNOBS[k] for k in ("nu", "ell", "sigma", "seed")}, "T": KNOBS["T"].replace(default=100)},
    moments=(Moment("Less and less", "Each answer tells less than the one before.", 50),),
    t=50,
    words="lessons/gain/help.md",
    scene=scene,
)
