"""Flynn & Reeb, Figures 1 and 7: five bands of one function, and loose bounds."""

from __future__ import annotations

import numpy as np

from lessons.reproductions.experiments import flynn
from lessons.reproductions.experiments.compare import lower
from lessons.reproductions.experiments.record import Experiment, Finding, PartOutcome, Results, Said
from tvbo_core.worlds.draws import norms

OPTIMISTIC = ("CMM", *flynn.METHODS[:-1])

# Figure 1 shows five bands of one function on the line.
LINE, DESIGN = "Matern 3/2, 0.5", 20
CLOSER = Said("Fig. 1", "the bounds of CMM, DMM and AMM are visibly closer to the function than those of AY and IGP")
DMM_LOOSER = Said("Sec. 5.4", "DMM's bound, taken over a grid of regularisers only, is looser than CMM's exact one")
NEVER_LOOSER = Said("Sec. 6.2", "with the same c, the bounds of CMM and DMM are never looser than those of AMM")


def run_bands(seed: int, horizon: int, method: str) -> PartOutcome:
    """Half width of one band, averaged over the interval, and whether it holds the truth everywhere."""
    rng, kernel = np.random.default_rng([seed, flynn.WORLD_STREAM]), flynn.kernel_of(LINE)
    z, w = rng.uniform(size=(flynn.CENTRES, 1)), rng.standard_normal(flynn.CENTRES)
    w *= flynn.B / norms(kernel, z, w[None])[0]
    X, x = rng.uniform(size=(DESIGN, 1)), np.linspace(0.0, 1.0, 201)[:, None]
    y = w @ kernel(z, X) + flynn.SIGMA * rng.standard_normal(DESIGN)
    band, truth = (
        flynn.band_of(method, flynn.scale_of(LINE, flynn.T, 1), flynn.T).band(kernel, X, y, x),
        w @ kernel(z, x),
    )
    held = bool((band.lower <= truth + 1e-9).all() and (truth <= band.upper + 1e-9).all())
    return PartOutcome({"half width": float(0.5 * (band.upper - band.lower).mean()), "holds": float(held)})


def band_findings(results: Results) -> list[Finding]:
    widths = results.by_group("half width")[""]
    narrower = [
        lower(f"{a} is narrower than {b}", widths[a], widths[b], said)
        for a, b, said in (("CMM", "DMM", DMM_LOOSER), ("DMM", "AMM", NEVER_LOOSER), ("AMM", "AY", CLOSER),
                           ("AMM", "IGP", CLOSER))
    ]  # fmt: skip
    held = {name: float(holds.mean()) for name, holds in results.by_group("holds")[""].items()}
    said = ", ".join(f"{name} {share:.2f}" for name, share in held.items())
    return [
        *narrower,
        Finding(
            f"Every band contains the whole function in each of the {len(results.values('CMM', 'holds'))} draws",
            min(held.values()) == 1.0,
            f"share of draws: {said}",
        ),
    ]


# Figure 7 gives the methods a norm bound or a noise level that is twice too large.
SPACE = "Matern 5/2, 0.5"
LOOSE_B = Said("App. F.3", "a loose sigma has a relatively small effect, a loose B can make regret grow considerably")
LOOSE = tuple((sigma, norm) for norm in (flynn.B, 2 * flynn.B) for sigma in (flynn.SIGMA, 2 * flynn.SIGMA))


def loose_findings(results: Results) -> list[Finding]:
    found, (of_exact, of_sigma, of_norm, _) = [], results.by_group().values()
    for method in OPTIMISTIC:
        exact, sigma, norm = of_exact[method], of_sigma[method], of_norm[method]
        factors = f"{sigma.mean() / exact.mean():.2f} (sigma) and {norm.mean() / exact.mean():.2f} (B) times the regret"
        factors += " with exact bounds"
        found.append(lower(f"{method}: a loose sigma costs less than a loose B: {factors}", sigma, norm, LOOSE_B))
    return found


EXPERIMENTS = (
    Experiment("flynn-figure-1", "Flynn & Reeb, Figure 1", "How wide are five confidence bands of one function?",
               {method: (method,) for method in OPTIMISTIC}, 10, 0, run_bands,
               {**flynn.SETUP, "kernel, lengthscale": LINE, "d": 1},
               (f"{DESIGN} uniform observations, B, sigma, delta and the scales of Table 1 with T = 1000: not stated",
                "averages over 10 functions; the paper shows one"), band_findings),
    Experiment("flynn-figure-7", "Flynn & Reeb, Figure 7", "What do loose bounds on B and sigma cost?",
               {f"told sigma {s:g}, B {norm:g} | {method}": (3, SPACE, method, s, norm)
                for s, norm in LOOSE for method in ("CMM", *flynn.METHODS)}, 10, flynn.T, flynn.run,
               {**flynn.SETUP, "kernel, lengthscale": SPACE, "d": 3, "told (sigma, B)": [list(p) for p in LOOSE]},
               ("The caption names [0,1]^4, the text 3 dimensions: 3 taken", flynn.SOLVED,
                "Random is told nothing: its four entries are one run"), loose_findings),
)  # fmt: skip
