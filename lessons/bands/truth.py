"""The truth of the lesson's bet, measured by the engine in the state that the bet is about."""

from __future__ import annotations

from lessons.bands import model as bands_model
from lessons.bands.knobs import BANDS_WORLD
from lessons.bands.model import Assumed
from lessons.record import Bet, Outcome, Values
from lessons.shared import worlds as world
from lessons.shared.wording import amount


def truth(values: Values, bet: Bet) -> Outcome:
    """Which of the five bands misses the moving reward first."""
    v = values
    setting = world.build(v, BANDS_WORLD)
    assumed = Assumed(v["Bhat"], v["delta"], v["c"], v["ridge"], v["design"], v["match"], setting.horizon)
    show = bands_model.band_show(setting, assumed)
    first = show.first_miss
    wide = {name: float((film.upper - film.lower)[bet.t].mean() / 2) for name, film in show.films.items()}
    tight, broad = min(wide, key=wide.get), max(wide, key=wide.get)
    missed = {name: t for name, t in first.items() if t is not None}
    soonest = min(missed.values(), default=None)
    if not missed:
        right = ("none",)
    elif len(missed) == len(first) and len(set(missed.values())) == 1:
        right = ("together",)
    else:
        right = tuple(w for w, name in (("tightest", tight), ("widest", broad)) if missed.get(name) == soonest)

    def said(name: str) -> str:
        return f"{name}: {'never' if first[name] is None else f't = {first[name]}'}"

    order = sorted(first, key=lambda n: (first[n] is None, first[n], wide[n]))
    return Outcome(
        right=right,
        numbers={"tightest": said(tight), "widest": said(broad)},
        sentence="First miss: " + ", ".join(map(said, order)).replace(":", "") + f"; the tightest is {tight}, ±"
        f"{wide[tight]:.2f} on average at t = {bet.t}, the widest {broad}, ±{wide[broad]:.2f}.",
        setup=f"{world.caption(setting)}, $V_T$ = {amount(show.problem.sup_variation)}, δ = {assumed.delta:g}.",
    )
