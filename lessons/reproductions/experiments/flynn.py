r"""Flynn & Reeb: Table 1 and its curves (Figures 2, 5 and 6; d = 3, 2 and 4), and CMM in all of them.

$f=b\sum_{i\le20}w_ik(\cdot,z_i)$, $z\sim U[0,1]^d$, $w\sim N(0,I)$, $\|f\|=B=10$, noise sd 0.1, $\delta=0.01$; every
round brings 100 fresh uniform actions. $c=1$ (RBF) and $c=T^{-d/(2d+2\nu)}$ (Matern), AY's ridge $\sigma^2/c$, IGP's
$\eta=2/T$.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import partial
from typing import Any

import numpy as np

from lessons.reproductions.experiments.compare import highest, judge, lower, lowest, paired_words
from lessons.reproductions.experiments.fresh import FreshKernelUCB
from lessons.reproductions.experiments.record import (
    Experiment,
    Finding,
    PartOutcome,
    Published,
    Results,
    Said,
    outcome_of,
)
from tvbo_core.bands.base import Bound
from tvbo_core.bands.theorems import AMM, AY, CMM, DMM, IGP
from tvbo_core.designs import play_rng
from tvbo_core.kernels import Kernel, make_kernel
from tvbo_core.play import play
from tvbo_core.policies.index import Random
from tvbo_core.race_results import paired_difference
from tvbo_core.records import Policy, Problem
from tvbo_core.worlds.draws import norms

B, SIGMA, DELTA, ARMS, CENTRES, T = 10.0, 0.1, 0.01, 100, 20, 1000
WORLD_STREAM = 11  # the stream of a seed that draws its world; the play has another one
KERNELS = {
    "RBF, 0.5": (math.inf, 0.5),
    "RBF, 0.2": (math.inf, 0.2),
    "Matern 5/2, 0.5": (2.5, 0.5),
    "Matern 5/2, 0.2": (2.5, 0.2),
    "Matern 3/2, 0.5": (1.5, 0.5),
    "Matern 3/2, 0.2": (1.5, 0.2),
}
METHODS = ("DMM", "AMM", "AY", "IGP", "Random")
# Table 1 as printed: the mean and sd over 10 runs of each method, in the order of KERNELS.
TABLE_1 = {
    "DMM": ((32.2, 20.9), (491.4, 117.1), (129.5, 45.6), (795.1, 206.0), (195.6, 78.0), (814.1, 344.4)),
    "AMM": ((88.8, 6.1), (1206.2, 20.8), (197.0, 24.4), (1661.5, 90.1), (316.1, 51.1), (1741.2, 351.2)),
    "AY": ((136.9, 12.7), (1518.4, 38.9), (331.7, 45.2), (2382.4, 135.4), (546.0, 70.0), (2421.3, 568.5)),
    "IGP": ((314.1, 110.5), (1433.0, 122.8), (553.3, 67.5), (1853.1, 105.7), (655.6, 67.4), (1707.5, 375.5)),
    "Random": ((4282.4, 1015.4), (3872.4, 783.7), (4264.7, 778.0), (3677.5, 559.2), (4175.1, 681.0), (3442.0, 1080.4)),
}
SETUP = {
    "B": B,
    "noise sd": SIGMA,
    "delta": DELTA,
    "actions a round": ARMS,
    "centres": CENTRES,
    "c": "1 (RBF), T^(-d/(2d+2 nu)) (Matern)",
    "ridge of AY": "sigma^2/c",
    "eta of IGP": "2/T",
    "multiples of DMM": list(DMM.multiples),
}


def kernel_of(name: str) -> Kernel:
    nu, lengthscale = KERNELS[name]
    return make_kernel("se" if math.isinf(nu) else "matern", 1.5 if math.isinf(nu) else nu, lengthscale)


def scale_of(name: str, horizon: int, d: int) -> float:
    r"""The covariance scale c: 1 (RBF), $T^{-d/(2d+2\nu)}$ (Matern; its limit at $\nu=\infty$ is 1)."""
    return float(horizon ** (-d / (2 * d + 2 * KERNELS[name][0])))


def world(name: str, seed: int, horizon: int, d: int) -> Problem:
    """The reward of a seed, read at 100 fresh actions in every round."""
    rng = np.random.default_rng([seed, WORLD_STREAM])
    kernel, z = kernel_of(name), rng.uniform(size=(CENTRES, d))
    w = rng.standard_normal(CENTRES)
    w *= B / norms(kernel, z, w[None])[0]
    x = rng.uniform(size=(horizon, ARMS, d))
    f = (w @ kernel(z, x.reshape(-1, d))).reshape(horizon, ARMS)
    return Problem(x=x, f=f, noise_sd=SIGMA, kernel=kernel, norm_bound=B)


def band_of(method: str, c: float, horizon: int, norm: float = B, sigma: float = SIGMA) -> Bound:
    """The band of a method, told that the norm is at most `norm` and the noise sd at most `sigma`."""
    said: dict[str, Any] = {"B": norm, "sigma": sigma, "delta": DELTA}
    if method == "AY":
        return AY(**said, ridge=sigma**2 / c)
    if method == "IGP":
        return IGP(**said, eta=2.0 / horizon)
    return {"AMM": AMM, "DMM": DMM, "CMM": CMM}[method](**said, c=c)


def policy_of(method: str, c: float, horizon: int, norm: float = B, sigma: float = SIGMA) -> Policy:
    if method == "Random":
        return Random()
    return FreshKernelUCB(band_of(method, c, horizon, norm, sigma))


def regret_of(
    seed: int, horizon: int, d: int, name: str, method: str, sigma: float = SIGMA, norm: float = B
) -> np.ndarray:
    """(T,) regret of one method on one kernel, told these bounds; the world is the same."""
    policy = policy_of(method, scale_of(name, horizon, d), horizon, norm, sigma)
    return play(world(name, seed, horizon, d), policy, play_rng(seed)).regret


def run(seed: int, horizon: int, *setting: Any) -> PartOutcome:
    """One method: its regret."""
    return outcome_of(regret_of(seed, horizon, *setting))


# The paper states these orders, by dimension and at d = 4 also by lengthscale.
DMM_LEADS = Said("Sec. 7", "DMM consistently has the lowest cumulative regret over 1,000 steps (Fig. 2, d = 3)")
D2_ORDER = Said("App. F.2", "CMM and DMM have the lowest regret, followed by AMM and then AY and IGP (Fig. 5, d = 2)")
D4_LEAD = Said("App. F.2", "CMM and DMM still have the lower regret (Fig. 6, d = 4, lengthscale 0.5)")
D4_RANDOM = Said("App. F.2", "every method still has much less regret than random (Fig. 6, d = 4, lengthscale 0.5)")
D4_HARD = Said("App. F.2", "no method does much better than random (Fig. 6, d = 4, lengthscale 0.2)")
MUCH = 0.5  # A mean below this share of random play's counts as much better; the paper gives no number.


def table_findings(d: int, results: Results) -> list[Finding]:
    """Return the orders that the paper points out, and the same orders where it says nothing of them."""
    return [one for name, regret in results.by_group().items() for one in _column_findings(d, name, regret)]


def _column_findings(d: int, name: str, regret: dict[str, np.ndarray]) -> list[Finding]:
    hard = name.endswith("0.2")
    lead = {2: D2_ORDER, 3: DMM_LEADS, 4: None if hard else D4_LEAD}[d]
    found = [lowest(f"{name}: DMM has the lowest regret", "DMM", regret, lead)]
    for first, second in (("AMM", "AY"), ("AMM", "IGP")):
        said = {2: D2_ORDER, 3: _printed(name, first, second), 4: None}[d]
        found.append(lower(f"{name}: {first} below {second}", regret[first], regret[second], said))
    if d == 4 and not hard:
        return [*found, highest(f"{name}: every method below Random", "Random", regret, D4_RANDOM)]
    if d == 4:
        found.append(_much_better(name, regret))
    said = _printed(name, "AY", "Random") if d == 3 else None
    return [*found, lower(f"{name}: AY below Random", regret["AY"], regret["Random"], said)]


def _printed(name: str, first: str, second: str) -> Said | None:
    """Return that Table 1 prints the first's mean below the second's; None where it prints them the other way."""
    a, b = (PRINTED[f"{name} | {method}"].mean for method in (first, second))
    return Said("Table 1", f"the mean of {first}, {a:g}, is printed below that of {second}, {b:g}") if a < b else None


def _much_better(name: str, regret: dict[str, np.ndarray]) -> Finding:
    """Return that no method has less than half of random play's regret."""
    best = min(METHODS[:-1], key=lambda method: regret[method].mean())
    line = MUCH * regret["Random"]
    found = paired_difference(regret[best], line)
    claim = f"{name}: no method is much better than Random (much: below half of its regret, a line of ours)"
    measured = paired_words(regret[best], line, "half of Random's") + f"; the best is {best}"
    return Finding(claim, bool(found.mean > 0), measured, bool(found.clear), D4_HARD)


def cells(d: int, kernels: Iterable[str], methods: Sequence[str]) -> dict[str, tuple]:
    """Methods on kernels of this dimension."""
    return {f"{name} | {method}": (d, name, method) for name in kernels for method in methods}


PRINTED = {
    f"{name} | {method}": Published(*entry, 10)
    for method, row in TABLE_1.items()
    for name, entry in zip(KERNELS, row, strict=True)
}


# In this column DMM and AMM are furthest from the printed numbers with ten seeds; it is run again with more.
FAR, TABLE_SEEDS = "RBF, 0.5", 10


def far_findings(results: Results) -> list[Finding]:
    """Each method against its printed number by the seeds beyond the table's, which had no part in the choice."""
    found = []
    for method in METHODS:
        printed, fresh = PRINTED[f"{FAR} | {method}"], results.values(f"{FAR} | {method}")[TABLE_SEEDS:]
        claim = f"{method}, seeds from {TABLE_SEEDS} on alone: within 3 standard errors of the printed number"
        z = judge(fresh, printed).z if len(fresh) else None
        if z is None:
            found.append(Finding(claim, False, "too few seeds", decided=False))
        else:
            measured = f"{fresh.mean():.4g} against {printed.mean:g}, z = {z:.2f}, {len(fresh)} seeds"
            found.append(Finding(claim, abs(z) <= 3, measured))
    return found


FIGURES = {2: "Figure 5", 3: "Figure 2", 4: "Figure 6"}  # the figure with the curves of each dimension
NO_NUMBERS = "The paper prints curves, no numbers: nothing to compare cell by cell."


def figure_of(d: int) -> str:
    """Source of the curves of this dimension."""
    return f"Flynn & Reeb, {FIGURES[d]}" if d == 3 else f"Flynn & Reeb, appendix F.2, {FIGURES[d]}"


def table(d: int) -> Experiment:
    """Table 1 (d = 3) or the same for another dimension (the paper shows d = 2 and 4 as curves)."""
    return Experiment(
        name="flynn-table-1" if d == 3 else f"flynn-table-1-d{d}",
        title="Flynn & Reeb, Table 1" if d == 3 else f"Flynn & Reeb, {FIGURES[d]}: d = {d}",
        source="Flynn & Reeb, Table 1 and Figure 2" if d == 3 else figure_of(d),
        question=f"Cumulative regret after 1,000 rounds of four optimistic methods and of random play, d = {d}.",
        cells=cells(d, KERNELS, METHODS),
        reps=10,
        horizon=T,
        run=run,
        setup={**SETUP, "d": d},
        choices=(f"CMM, which the paper runs for 200 rounds only, is under {FIGURES[d]}: CMM",),
        published=PRINTED if d == 3 else {},
        findings=partial(table_findings, d),
        left_out=() if d == 3 else (NO_NUMBERS,),
    )


def far() -> Experiment:
    """One column of Table 1, to be run with thirty seeds."""
    column = cells(3, (FAR,), METHODS)
    return Experiment(
        name="flynn-table-1-rbf",
        title="Flynn & Reeb, Table 1: RBF, ℓ = 0.5",
        source=f"Flynn & Reeb, Table 1, its column {FAR}",
        question="Do the entries that stand furthest off with ten seeds come closer with more?",
        cells=column,
        reps=10,
        horizon=T,
        run=run,
        setup={**SETUP, "d": 3},
        choices=(
            f"This column is chosen because it stands furthest off with {TABLE_SEEDS} seeds; seeds 0 to "
            f"{TABLE_SEEDS - 1} are those of Table 1, the others had no part in the choice",
        ),
        published={part: PRINTED[part] for part in column},
        findings=far_findings,
    )


# CMM is played in the panels of Figures 2, 5 and 6, beside DMM on the same worlds and the same noise.
EARLY = 200  # number of rounds for which the paper runs CMM
SOLVED = "CMM is solved exactly by a search over one number instead of a conic program"


def run_exact(seed: int, horizon: int, *setting: Any) -> PartOutcome:
    """CMM or DMM on one kernel, with the regret of the rounds that the paper shows of CMM."""
    regret = regret_of(seed, horizon, *setting)
    return outcome_of(regret, **{"first 200": float(regret[:EARLY].sum())})


CMM_LEADS = Said("Sec. 7", "CMM consistently has the lowest cumulative regret over the first 200 steps (Fig. 2, d = 3)")


def exact_findings(d: int, results: Results) -> list[Finding]:
    """Return CMM beside DMM; the paper orders the two in the first 200 rounds at d = 3 alone."""
    return [
        lower(f"{name}, {rounds}: CMM below DMM", regret["CMM"], regret["DMM"], said)
        for measure, rounds, said in (
            ("first 200", "first 200 rounds", CMM_LEADS if d == 3 else None),
            ("regret", "all rounds", None),
        )
        for name, regret in results.by_group(measure).items()
    ]


def exact(d: int) -> Experiment:
    """CMM for all rounds in the six panels of a figure."""
    return Experiment(
        name=f"flynn-cmm-d{d}",
        title=f"Flynn & Reeb, {FIGURES[d]}: CMM, d = {d}",
        source=figure_of(d),
        question=f"CMM for all 1000 rounds, beside DMM on the same worlds and the same noise, d = {d}.",
        cells=cells(d, KERNELS, ("CMM", "DMM")),
        reps=10,
        horizon=T,
        run=run_exact,
        setup={**SETUP, "d": d},
        choices=("The paper runs CMM for 200 rounds only; here it plays all 1000", SOLVED),
        findings=partial(exact_findings, d),
        left_out=(NO_NUMBERS,),
    )


EXPERIMENTS = (table(3), far(), table(2), table(4), exact(3), exact(2), exact(4))
