"""Confidence bands: the lesson's record."""

from __future__ import annotations

from dataclasses import replace

from common.formats import amount
from lessons.bands import claims, model
from lessons.bands.knobs import ACTS, BANDS_MORE, BANDS_SHOWN, FLYNN, OWN
from lessons.bands.recipe import recipe
from lessons.bands.scene import frame, question_scene, scene
from lessons.bands.setting import setting_from
from lessons.bands.tasks import TASKS
from lessons.bands.words import COUNT, when
from lessons.record import SEE, Bet, BetOutcome, Lesson, Moment, Values
from lessons.shared import worlds
from lessons.shared.knobs import KNOBS, WORLD, with_acts
from lessons.task import task_knob

BANDS_BET = Bet(
    question=f"{COUNT.capitalize()} bands have the same guarantee for a static reward. Now the reward drifts slowly. "
    "Which band is the first to miss it, alone or with others?",
    options={"widest": "The widest", "tightest": "The tightest", "together": "All at once", "none": "No band"},
    why=f"The tightest band has the least room: in 96 of 100 such worlds no band misses before it. One nearly as "
    f"tight may miss with it. The guarantee of all {COUNT} assumes a static reward.",
    about={
        "widest": "it learns slowest from the data",
        "tightest": "it has the least room, alone or with the next",
        "together": "they use the same data",
        "none": "a slow drift stays inside",
    },
    t=70,
    before=30,
    axis="observations until the first miss",
    claim=claims.TIGHTEST,
)


def truth(values: Values, bet: Bet) -> BetOutcome:
    """Return which band misses the moving reward first."""
    whole = model.bands_over_time(setting_from(values))
    run = whole.until(min(bet.t, whole.frames - 1))  # the reveal's film ends there
    first, delta = run.first_miss, run.setting.delta
    wide = {name: float((film.upper - film.lower)[-1].mean() / 2) for name, film in run.films.items()}
    tight, broad = min(wide, key=wide.get), max(wide, key=wide.get)
    missed = {name: t for name, t in first.items() if t is not None}
    soonest = min(missed.values(), default=None)
    if not missed:
        right = ("none",)
    elif len(missed) == len(first) and len(set(missed.values())) == 1:
        right = ("together",)
    else:
        right = tuple(w for w, name in (("tightest", tight), ("widest", broad)) if missed.get(name) == soonest)

    def first_miss(name: str) -> str:
        return f"{name}: {'none' if first[name] is None else when(first[name])}"

    order = sorted(first, key=lambda n: (first[n] is None, first[n], wide[n]))
    return BetOutcome(
        right=right,
        numbers={"tightest": first_miss(tight), "widest": first_miss(broad)},
        sizes={word: float(t) for word, name in (("tightest", tight), ("widest", broad)) if (t := first[name])},
        sentence=f"First miss up to {when(bet.t)}: " + ", ".join(map(first_miss, order)).replace(":", "") + ".",
        more=f"The tightest is {tight}, ±{wide[tight]:.2f} on average at {when(bet.t)}, the widest {broad}, "
        f"±{wide[broad]:.2f}.",
        setup=f"{worlds.caption(run.setting.world)}, $V_T$ = {amount(whole.problem.sup_variation)}, δ = {delta:g}.",
    )


LESSON = Lesson(
    key="bands",
    group=SEE,
    file="pages/Confidence_bands.py",
    icon="🎯",
    title="Confidence bands",
    question="How far can a confidence band be trusted if the reward moves?",
    knobs=with_acts({
        **{k: (KNOBS | OWN)[k] for k in (*BANDS_SHOWN, *BANDS_MORE, "place")},
        "V": KNOBS["V"].replace(default=1.5, high=4.0, step=0.25),
        "T": KNOBS["T"].replace(default=100, high=200),
        "nu": KNOBS["nu"].replace(default="3/2"),
        "seed": KNOBS["seed"].replace(default=6),
        **BANDS_BET.knobs,
        **task_knob(TASKS),
    }, ACTS),
    world=WORLD,
    moments=(
        Moment("tight", "Tight and true", f"The reward is static, and none of the {COUNT} bands has missed it.",
               claims.HELD_TO, {"V": 0.0}, claims.NONE_MISSES),
        Moment("missed", "A tight band fails first",
               "The tightest band has the least room: in this drift no band misses before it.",
               claims.MISSED_BY, claim=claims.TIGHTEST),
        Moment("empty", "No function fits",
               "An empty set: no function of norm at most B fits. B or σ is too small, the reward moved, or by chance.",
               claims.EMPTY_BY,
               {"kind": "jumps", "V": 4.0}, claims.EMPTY),
        Moment("flynn", "Flynn & Reeb, Figure 1",
               f"{COUNT.capitalize()} theorems, the same data. Watch the gap in the middle, where there are no "
               "queries.", 50, FLYNN,
               claim="the paper's own Figure 1"),
    ),
    own="assets/words/own_band.md",
    bet=replace(BANDS_BET, truth=truth, scene=question_scene),
    recipe=recipe,
    controls=lambda values: (BANDS_SHOWN, BANDS_MORE),
    scene=scene,
    frame=frame,
    leads=("V", "Bhat"),
    tasks=TASKS,
    former=frozenset({"ridge", "match", "domain", "eps", "view", "front", "data", "reshaped"}),
)  # fmt: skip
