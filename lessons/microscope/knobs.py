"""The lesson's own knobs, and the groups of its controls."""

from __future__ import annotations

from lessons.microscope.statements import STATEMENTS
from lessons.record import Knob
from lessons.shared.knobs import KNOBS

OWN = {
    k.key: k
    for k in (
        Knob(
            "statement",
            "Statement",
            "A printed statement that needs care; all are listed below the figure.",
            next(iter(STATEMENTS)),
            options=tuple(STATEMENTS),
            widget="select",
            names={key: s.name for key, s in STATEMENTS.items()},
        ),
        Knob(
            "fade",
            "Discount $\\gamma$",
            "Weight of an observation per round of age; 1 forgets nothing (Deng et al.: $\\gamma$).",
            0.9,
            options=(0.5, 0.8, 0.9, 0.95, 0.98, 0.99, 1.0),
            widget="stops",
        ),
    )
}

DELTA = KNOBS["delta"].replace(default=0.1, help="Allowed failure probability of the width.")
KEYS = ("statement", "fade", "delta", "sigma", "eps", "alpha", "seed")
ACTS = {key: ({"statement": tuple(name for name, one in STATEMENTS.items() if key in one.uses)},) for key in KEYS[1:]}


def visible(key: str) -> tuple[str, ...]:
    """Return the knobs beside the figure, which decide this experiment."""
    return ("statement", *STATEMENTS[key].uses)
