"""The truth of the lesson's bet, measured by the engine in the state that the bet is about."""

from __future__ import annotations

from lessons.bands import model
from lessons.record import Bet, Outcome, Values
from lessons.shared import worlds
from lessons.shared.wording import amount


def truth(values: Values, bet: Bet) -> Outcome:
    """Return which band misses the moving reward first."""
    run = model.bands_over_time(model.chosen(values))
    first, delta = run.first_miss, run.setting.delta
    wide = {name: float((film.upper - film.lower)[bet.t].mean() / 2) for name, film in run.films.items()}
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
        setup=f"{worlds.caption(run.setting.world)}, $V_T$ = {amount(run.problem.sup_variation)}, δ = {delta:g}.",
    )
