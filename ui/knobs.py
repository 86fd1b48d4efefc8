"""The control dictionary: one definition of every knob, reused by every page and by the link."""

from __future__ import annotations

import math

from ui.controls import Knob

SMOOTHNESS = {"1/2": 0.5, "3/2": 1.5, "5/2": 2.5, "∞": math.inf}


def _decades(low: int, high: int, mantissas: tuple[float, ...] = (1, 2, 5)) -> tuple[float, ...]:
    return tuple(float(f"{m}e{e}") for e in range(low, high) for m in mantissas)


KINDS = {
    "still": "Still",
    "glide": "Glide",
    "jumps": "Jumps",
    "markov": "Markov ε",
    "cyclic": "Cyclic",
    "rough": "Rough α",
    "data": "Real data",
}
TABLES = {
    "stocks": "4 stocks, daily",
    "stocks-weekly": "6 stocks, weekly",
    "sensors": "21 street sensors",
    "sp500": "20 stocks, daily",
}

# Every bandit that races: its word in a link -> its name.
METHODS = {
    "rnd": "Random",
    "gp": "GP-UCB",
    "r": "R-GP-UCB",
    "sw": "SW-GP-UCB",
    "wgp": "WGP-UCB",
    "tv": "TV-GP-UCB",
    "pe": "PE",
    "rperp": "R-PERP",
    "opkb": "OPKB",
    "sparq": "SparQ",
    "wsparq": "W-SparQ",
}

KNOBS: dict[str, Knob] = {
    k.key: k
    for k in (
        Knob("kind", "World", "How the reward moves. Glide: a straight line between two functions. Jumps: "
             "sudden changes. Markov ε: a random walk that forgets (Bogunovic et al.). Cyclic: returns again and "
             "again (Mauduit et al.). Rough α: a walk of chosen roughness. Real data: a table of rewards.",
             "glide", options=tuple(KINDS), widget="select", names=KINDS),
        Knob("pair", "World on the right", "A second world with the same kernel, horizon and seed; or the left "
             "one again with a rougher kernel.", "jumps",
             options=("none", *(k for k in KINDS if k != "data"), "matern"),
             widget="select", names={**KINDS, "none": "Nothing", "matern": "The same, Matérn 3/2"}),
        Knob("switches", "Number of jumps", "Jumps worlds: how many sudden changes before the pieces repeat. Two fall "
             "at T/5 and 2T/5, as in Deng et al. and in Iwazaki & Takeno; others are evenly spread.", 1, 1, 5, 1),
        Knob("scale", "Scale of the functions",
             "Set: every function has norm B and the drift is fitted to the budget. As "
             "drawn: 20 centres with coefficients from U[-1, 1], nothing rescaled (Deng et al.).", "set",
             options=("set", "drawn"), widget="segmented", names={"set": "Set", "drawn": "As drawn"}),
        Knob("V", "Drift budget $V_T$", "Total change allowed, in reward units: the sum over time of the largest "
             "change anywhere, $V_T=\\sum_t\\max_x|f_{t+1}(x)-f_t(x)|$ (Iwazaki & Takeno: $V_T$). Markov worlds and "
             "real data spend what they spend.", 4.0, 0.0, 16.0, 0.5),
        Knob("T", "Horizon $T$", "Number of steps.", 200, 50, 1000, 50),
        Knob("nu", "Smoothness $\\nu$", "Smoothness of the reward: Matérn $\\nu$; ∞ is the squared exponential.",
             "∞", options=tuple(SMOOTHNESS), widget="segmented"),
        Knob("ell", "Lengthscale $\\ell$", "How far one observation speaks, in units of x.", 0.2, 0.05, 0.5, 0.05),
        Knob("eps", "Change per step $\\varepsilon$", "Markov worlds: share of the reward that is drawn anew at "
             "each step (Bogunovic et al.: $\\epsilon$).", 0.01,
             options=(0.0, *_decades(-3, -1), 0.1, 0.2), widget="stops"),
        Knob("alpha", "Drift exponent $\\alpha$", "Rough worlds: the change over n steps has variance $n^\\alpha$ "
             "(Mauduit et al.: $\\alpha$).", 1.0, 0.1, 2.0, 0.05),
        Knob("sigma", "Noise $\\sigma$", "Standard deviation of one observation, in reward units (Iwazaki: ρ, "
             "Deng: R).", 0.1, options=(*_decades(-2, 0), ), widget="stops"),
        Knob("B", "Size of the reward $B$", "Bound on the RKHS norm of every $f_t$.", 3.0, 1.0, 10.0, 1.0),
        Knob("Bhat", "Assumed size $\\hat B/B$", "Did you guess the reward's size? Below 1 the guarantee is void.",
             1.0, 0.5, 3.0, 0.25),
        Knob("delta", "Failure probability $\\delta$", "The band promises the whole curve, at all times, with "
             "probability at least $1-\\delta$.", 0.01, options=(*_decades(-3, -1), 0.1, 0.2), widget="stops"),
        Knob("c", "Covariance scale $c$", "Scale of the prior that AMM, DMM and CMM mix over (Flynn & Reeb: c). "
             "Their regulariser is $\\lambda=\\sigma^2/c$ (their α). “Paper” is $n^{-d/(2\\nu+2d)}$, or 1 for ν = ∞.",
             1.0, names={"0.0": "paper"}, options=(0.0, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0), widget="stops"),
        Knob("ridge", "AY's ridge, in $\\sigma^2/c$", "How strongly AY smooths, as a multiple of $\\sigma^2/c$. At 1 "
             "it matches AMM.", 1.0, options=(*_decades(-3, 2), 100.0), widget="stops"),
        Knob("design", "Where the data fall", "Random arms; the path of GP-UCB with width 2; or two clusters with a "
             "gap between.", "random", options=("random", "ucb", "clustered"), widget="select",
             names={"random": "Random", "ucb": "GP-UCB's path", "clustered": "Two clusters"}),
        Knob("view", "View", "Side by side, or all bands over each other.", "side", options=("side", "overlay"),
             widget="segmented", names={"side": "Side by side", "overlay": "Overlay"}),
        Knob("front", "Filled band", "In the overlay, the band that is filled and hatched.", "CMM",
             options=("CMM", "DMM", "AMM", "AY", "IGP"), widget="segmented"),
        Knob("domain", "Actions x lie in", "The interval of the actions; Flynn & Reeb's Figure 1 uses [-1, 1].",
             "[0, 1]", options=("[0, 1]", "[-1, 1]"), widget="segmented"),
        Knob("place", "Place x", "The place under the glass, as a share of the way from the first action to the "
             "last. A click on the main figure moves it.", 0.5, 0.0, 1.0, 0.01),
        Knob("match", "Match AMM to IGP", "Sets c = σ²/(1+η), so that AMM and IGP share the regulariser 1+η: the "
             "setting in which Theorem 6.3 compares them.", False, widget="toggle"),
        Knob("seed", "Which world (seed)", "The same seed gives the same world, everywhere.", 3, 0, 99, 1,
             widget="number"),
        Knob("data", "Table", "Real rewards: trailing log returns of stocks, or surprise at street sensors.",
             "stocks", options=tuple(TABLES), widget="select", names=TABLES),
        Knob("algos", "Algorithms", "Who races. At most six lines are coloured, the others are grey; the two "
             "that are pinned below the figure always have their colour. None chosen means all but OPKB.",
             tuple(a for a in METHODS if a != "opkb"), options=tuple(METHODS), widget="pills", names=METHODS),
        Knob("m", "Memory $m$", "Past steps that count. Sets the restart interval H = 2m (R-GP-UCB, R-PERP), the "
             "window W = m, the discount γ = 1 − 1/m and the change per step ε = 2/m. “Paper” tunes each method "
             "by its paper's formula from the drift of this world. The others have no such knob.", 50,
             names={"0": "paper"}, options=(0, 5, 10, 20, 50, 100, 200, 300), widget="stops"),
        Knob("seeds", "Repeated worlds $S$", "Runs of every method, each in a world of its own; all methods meet "
             "the same worlds and the same noise.", 8, options=(1, 2, 4, 8, 10, 20, 30), widget="stops"),
        Knob("y", "Regret shown", "Rₜ: total so far. Rₜ/t: average so far. rₜ: of one round (mean of ten).",
             "total", options=("total", "mean", "round"), widget="segmented",
             names={"total": "Rₜ", "mean": "Rₜ/t", "round": "rₜ"}),
        Knob("beta", "Width $\\beta$", "Every method is optimistic by β standard deviations. log: β = 2√(ln t), "
             "growing slowly. Theory: the confidence width that the method's own paper proves.", "2",
             options=("0.5", "1", "2", "3", "5", "log", "theory"), widget="stops"),
        Knob("logs", "Logarithmic axes", "Both axes of the regret curves; a power of t is a straight line.",
             False, widget="toggle"),
        Knob("pin1", "First pin", "Its seeds are drawn as thin lines, and its picture shows where it looks.",
             "gp", options=tuple(METHODS), widget="select", names=METHODS),
        Knob("pin2", "Second pin", "Its seeds are drawn as thin lines, and its picture shows where it looks.",
             "tv", options=tuple(METHODS), widget="select", names=METHODS),
        Knob("lecture", "Lecture", "Large type for a hall (key L).", False, widget="toggle"),
    )
}  # fmt: skip

# What makes the World; these travel from page to page.
WORLD_KEYS = ("kind", "V", "T", "nu", "ell", "eps", "alpha", "sigma", "B", "seed", "data")
