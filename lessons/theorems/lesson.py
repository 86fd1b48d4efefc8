"""Theorems: the lesson's knobs and moments."""

from __future__ import annotations

import math
from dataclasses import replace

from lessons.record import UNDERSTAND, Bet, BetOutcome, Lesson, Moment, Values
from lessons.shared.knobs import KNOBS, WORLD, with_acts
from lessons.task import task_knob
from lessons.theorems.knobs import ACTS, KEYS, ONE, OWN, RUNS, controls
from lessons.theorems.rates import model as rates
from lessons.theorems.rates.model import ALPHAS, NUS, OPENING_FRAMES
from lessons.theorems.rates.scene import question_scene
from lessons.theorems.recipe import recipe
from lessons.theorems.runs import claims
from lessons.theorems.runs.scene import PLAN
from lessons.theorems.scene import frame, scene, waits
from lessons.theorems.tasks import TASKS
from tvbo_core.theory import THEOREMS

THEOREMS_BET = Bet(
    question="For the smoothest rewards (ν = ∞, d = 2) R-GP-UCB's regret bound grows like $T^{0.75}$. With which power "
    "of $T$ does it grow for rougher rewards, ν = 5/2?",
    options={"0.75": "Power 0.75", "0.9": "Power 0.9", "1": "Power 1"},
    about={
        "0.75": "smoothness does not matter",
        "0.9": "the bound is weaker",
        "1": "it says nothing, because no regret grows faster",
    },
    places=(0.75, 0.9, 1.0),
    axis="power of T",
    why="The bound rises with the information gain, which grows faster for rougher rewards. A bound that "
    "grows like T is vacuous, because regret never grows faster than T.",
    t=OPENING_FRAMES["budget"],
    before=NUS.index(math.inf),
    claim="a formula: no chance in it",
)
LAST_HORIZON = 5  # frame of the longest of the runs' horizons


def truth(values: Values, bet: Bet) -> BetOutcome:
    """Return the power of T in the guarantee of the restarting methods."""
    setting = rates.setting_from(values)
    sweep = rates.sweep(setting)
    frame = bet.t
    power = float(sweep.by_name["R-, SW-, WGP-UCB"].power[frame])
    floor = float(sweep.by_name["lower bound"].power[frame])
    return BetOutcome(
        right=(bet.nearest(power),),
        numbers={},
        value=power,
        amount=f"{power:.3f}",
        sentence=f"The power is {power:.3f}; the lower bound has {floor:.3f}.",
        setup=f"Closed form, no randomness: ν = {setting.sweep[frame]:g}, d = {setting.d}, $V_T=T^{{{setting.v:g}}}$, "
        "logarithms left out.",
    )


LESSON = Lesson(
    key="theorems",
    group=UNDERSTAND,
    file="pages/Theorems.py",
    icon="📐",
    title="Theorems",
    question="How close are the proved regret bounds to the best possible?",
    knobs=with_acts({
        **{k: (KNOBS | OWN)[k] for k in KEYS},
        "T": KNOBS["T"].replace(
            default=1600, low=100, high=1600, step=100,
            help="Number of rounds of the longest runs.",
        ),
        "V": KNOBS["V"].replace(
            help=f"{KNOBS['V'].help} A theorem with a budget in the RKHS norm reads it as $B_T$."
        ),
        "d": KNOBS["d"].replace(default=2, help="Dimension of the action. Every exponent depends on it. "
                              "Bounds with explicit constants are for d = 1."),
        "seeds": KNOBS["seeds"].replace(default=8, options=(1, 2, 4, 8)),
        "nu": KNOBS["nu"].replace(default="5/2", words="Smoothness $\\nu$"),
        "alpha": KNOBS["alpha"].replace(
            low=0.0, help="An observation that is n rounds old has variance $\\sigma^2(1+n^\\alpha)$ (Mauduit et al.): "
            "another model of drift than $V_T$, not another number for it."
        ),
        **THEOREMS_BET.knobs, **task_knob(TASKS),
    }, ACTS),
    world=WORLD,
    moments=(
        Moment("dots", "Upper meets lower bound",
               "Two guarantees match the lower bound up to logarithms, one is near it, one (power 1) says "
               "nothing.",
               OPENING_FRAMES["budget"], claim="a formula: no chance in it"),
        Moment("vacuous", "Rough rewards: vacuous", "For rougher rewards one published guarantee says nothing: "
            "it grows like T or faster.",
               NUS.index(1.5), claim="a formula: no chance in it"),
        Moment("too_fast", "Too fast to follow",
               "If the reward changes by one in every round, the lower bound itself is linear.",
               OPENING_FRAMES["budget"], {"growth": 1.0},
               claim="a formula: no chance in it"),
        Moment("asking", "Side queries help",
               "Where observations become stale faster than α = 1, only side queries keep regret below linear (in this "
               "model).",
               ALPHAS.index(1.5), {"measure": "alpha"},
               claim="a formula: no chance in it"),
        Moment("runs", "Bound meets runs",
               "The thick line is the lower bound: no algorithm can guarantee less. At T = 1,600 the proved "
               "bound is in the millions.", LAST_HORIZON, {"view": RUNS}, claims.MILLIONS),
        Moment("useful", "A static world",
               "At T = 1,600 KernelUCB's proved bound is below the trivial bound 2BT. It is still far above every run.",
               LAST_HORIZON,
               {"view": RUNS, "case": "kernelucb"}, claims.USEFUL),
        Moment("one_bound", "One bound", "One theorem at your own numbers: its value, its conditions, and the "
               "horizon from which it is useful.", 4, {"view": ONE, "d": 1},
               claim="a formula: no chance in it"),
    ),
    bet=replace(THEOREMS_BET, truth=truth, scene=question_scene),
    tasks=TASKS,
    cites=lambda: [theorem.source for theorem in THEOREMS.values()],
    recipe=recipe,
    controls=controls,
    runs=PLAN,
    scene=scene,
    waits=waits,
    frame=frame,
    leads=("V", "d", "alpha", "T"),
    former=frozenset({"dim", "V_at", "T_at", "VT", "rounds", "arena", "delta", "log_T"}),
)  # fmt: skip
