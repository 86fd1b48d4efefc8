"""The lesson's base world, the groups of its controls, and the states of its moments."""

from __future__ import annotations

from lessons.microscope.statements import STATEMENTS
from lessons.record import Knob
from lessons.shared.knobs import KNOBS

OWN = {
    k.key: k
    for k in (
        Knob("statement", "Statement", "A printed statement that is read with care; all are listed below the figure.",
             "deng-times", options=tuple(STATEMENTS), widget="select",
             names={key: s.name for key, s in STATEMENTS.items()}),
    )
}  # fmt: skip


KEYS = ("statement", "fade", "delta", "sigma", "eps", "alpha", "d", "seed")


def visible(key: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The knobs beside the figure, which are those that this experiment listens to, and the rest, which wait."""
    uses = STATEMENTS[key].uses
    return ("statement", *uses), tuple(k for k in KEYS[1:] if k not in uses)


DELTA = KNOBS["delta"].replace(default=0.1, help="Allowed failure probability of the width.")
