"""The theorems page in the session: where its sweep opens."""

from __future__ import annotations

from lessons.record import Values
from lessons.theorems.knobs import ONE, RATES
from lessons.theorems.one_bound.model import setting_from
from lessons.theorems.rates.model import OPENING_FRAMES
from lessons.theorems.runs import model
from shell.session import session
from shell.stage.player import film_before


def start(values: Values, t: int, reset: str) -> int:
    """Return the frame at which the film opens: another view or measure begins at its own one, else where it was; one
    bound at the reader's own horizon, unless a link or a pause says another."""
    view, measure = values["view"], values["measure"]
    if view == ONE:
        one = setting_from(values)
        name = (ONE, one.world.horizon)
        same = film_before(name, reset) in (name, None if session().timed else name)
        return t if same else one.frame
    if film_before((view, measure), reset) in (None, (view, measure)):
        return t
    return OPENING_FRAMES[measure] if view == RATES else model.MOST_HORIZONS
