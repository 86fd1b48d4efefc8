"""The control dictionary: one definition of every knob, reused by every page and by the link."""

from __future__ import annotations

import math

from lessons.record import Knob
from tvbo_core import policies

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
    "adversary": "Adversary",
    "data": "Real data",
}
TABLES = {
    "stocks": "4 stocks, daily",
    "stocks-weekly": "6 stocks, weekly",
    "sensors": "21 street sensors",
    "sp500": "20 stocks, daily",
}

# Every bandit that races: its word in a link -> its name.
METHODS = {word: entry.name for word, entry in policies.ALL.items()}

# Cards of the theorems page, and its bounds with explicit constants: word in a link -> name.
CARDS = {
    "rperp": "R-PERP",
    "floor": "Lower bound in V",
    "opkb3": "Restarted OPKB",
    "ada": "ADA-OPKB",
    "r": "R-GP-UCB",
    "sw": "SW-GP-UCB",
    "wgp": "WGP-UCB",
    "rperpd": "R-PERP, budget unknown",
    "wgpd": "WGP-UCB, budget unknown",
    "block": "Lower bound, RKHS budget",
    "flat": "Lower bound, still world",
    "kernelucb": "KernelUCB",
    "rgp": "R-GP-UCB, rate ε",
    "tv": "TV-GP-UCB",
    "epsfloor": "Lower bound in ε",
    "inject": "GP-UCB, injected noise",
    "wsparq": "W-SparQ-GP-UCB",
    "sparq": "SparQ-GP-UCB",
    "alphafloor": "Lower bound in α",
    "few": "Too few side queries",
}
CASES = {
    "rperp": "R-PERP (Iwazaki & Takeno, 101)",
    "kernelucb": "KernelUCB (Flynn & Reeb, D.2)",
    "tv": "TV-GP-UCB (Bogunovic et al., 20)",
    "rgp": "R-GP-UCB (Bogunovic et al., 17)",
    "wgp": "WGP-UCB (Deng et al., C.5)",
}

KNOBS: dict[str, Knob] = {
    k.key: k
    for k in (
        Knob("kind", "World", "How the reward moves. Glide: a straight line between two functions. Jumps: "
             "sudden changes. Markov ε: a random walk that forgets (Bogunovic et al.). Cyclic: returns again and "
             "again (Mauduit et al.). Rough α: a walk of chosen roughness. Adversary: a bump that hides anew, the "
             "world of the lower bound (Iwazaki & Takeno). Real data: a table of rewards.",
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
        Knob("delta", "Failure probability $\\delta$", "The band promises the whole curve, at all times, with "
             "probability at least $1-\\delta$.", 0.01, options=(*_decades(-3, -1), 0.1, 0.2), widget="stops"),
        Knob("design", "Where the data fall", "Random arms; the path of GP-UCB with width 2; or two clusters with a "
             "gap between.", "random", options=("random", "ucb", "clustered"), widget="select",
             names={"random": "Random", "ucb": "GP-UCB's path", "clustered": "Two clusters"}),
        Knob("place", "Place x", "The place under the glass, as a share of the way from the first action to the "
             "last. A click on the main figure moves it.", 0.5, 0.0, 1.0, 0.01),
        Knob("seed", "Which world (seed)", "The same seed gives the same world, everywhere.", 3, 0, 99, 1,
             widget="number"),
        Knob("data", "Table", "Real rewards: trailing log returns of stocks, or surprise at street sensors.",
             "stocks", options=tuple(TABLES), widget="select", names=TABLES),
        Knob("algos", "Algorithms", "Who races. At most six lines are coloured, the others are grey; the two "
             "that are pinned below the figure always have their colour. None chosen means all but OPKB.",
             tuple(word for word, entry in policies.ALL.items() if entry.default),
             options=tuple(METHODS), widget="pills", names=METHODS),
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
        Knob("atil", "Window exponent $\\tilde\\alpha$", "W-SparQ asks again in rounds whose distance grows like "
             "$t^{\\tilde\\alpha/\\alpha}$: larger means longer windows and fewer questions. The theorem asks for less "
             "than 1/3.", 0.25, 0.05, 0.33, 0.01),
        Knob("q", "Re-asks per window $c$", "How many old questions are asked again at a time, "
             "$q_t=\\lceil c\\ln^d(1+t)\\rceil$; the paper leaves the constant open.", 1.0, 0.5, 3.0, 0.25),
        Knob("picker", "Which old questions", "k-DPP: by lot, the likelier the less they tell about one another. "
             "Greedy: each the least known so far. Random: any.", "exact", options=("exact", "greedy", "random"),
             widget="select", names={"exact": "k-DPP", "greedy": "Greedy", "random": "Random"}),
        Knob("papers", "The paper's synthetic world", "Mauduit et al., sec. 4.1: actions in [-50, 50], SE kernel with "
             "variance 1/2 and lengthscale 3, coefficients sin(0.3t + i) scaled to norm 5. It replaces the world "
             "above; T, noise and seed still count.", False, widget="toggle"),
        Knob("inputs", "Past inputs of the pick", "Where the points come from among which a window chooses in the "
             "picture below: W-SparQ's own past, random actions, or two clusters.", "own",
             options=("own", "random", "clustered"), widget="select",
             names={"own": "Its own past", "random": "Random", "clustered": "Two clusters"}),
        Knob("vari", "Show the variational posterior", "What all rewards ever heard say through the chosen points "
             "(Titsias). The quoted guarantee is about this one; the algorithm uses the answers alone.", True,
             widget="toggle"),
        Knob("budget", "Questions you can afford", "In all, over the whole horizon.", 500,
             options=(20, 50, 100, 200, 500, 1000, 2000, 5000, 10000), widget="stops"),
        Knob("far", "Rounds to plan for", "Horizon of the plan; the play above has its own.", 500,
             options=(100, 200, 500, 1000, 2000, 5000, 10000, 50000, 100000), widget="stops"),
        Knob("d", "Dimension $d$", "Of the action; the number of questions grows like $\\ln^d t$.", 1, 1, 6, 1),
        Knob("H", "Restart every $H$ steps", "Forget everything every H steps. “Theorem 5” takes H from the drift of "
             "this world (Iwazaki & Takeno).", 25, names={"0": "Theorem 5"},
             options=(0, 16, 20, 25, 32, 40, 50, 64, 80, 100, 125, 160, 200, 400), widget="stops"),
        Knob("order", "Order of a batch", "Shuffled: R-PERP. Fixed: the same restarts, but each batch is asked in the "
             "order in which it was picked; with H = T that is plain PE. Both: side by side.", "shuffled",
             options=("fixed", "shuffled", "both"), widget="segmented",
             names={"fixed": "Fixed", "shuffled": "Shuffled", "both": "Both"}),
        Knob("grain", "One step is", "A line of the pseudo-code (of one restart), a batch, or a restart (of the whole "
             "run). Shift + → goes to the end of the next larger one.", "line", options=("line", "batch", "restart"),
             widget="segmented", names={"line": "Line", "batch": "Batch", "restart": "Restart"}),
        Knob("swing", "Swing of the follower $\\Delta$", "How far the reward that follows the learner goes up and "
             "down, in reward units.", 1.0, 0.25, 2.0, 0.25),
        Knob("interval", "Restart shown", "Which restart is shown line by line; beyond the last one, the last.", 1, 1,
             25, 1, widget="number"),
        Knob("lam", "Ridge $\\lambda$, in $\\sigma^2$", "How strongly to smooth, as a multiple of the noise variance.",
             1.0, options=(0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0), widget="stops"),
        Knob("shuffle", "Which shuffle", "The same world and noise, asked in other orders; 0 is the one of the race.",
             0, 0, 99, 1, widget="number"),
        Knob("arms", "Number of actions $|\\mathcal X|$", "A grid on [0, 1].", 100, options=(20, 50, 100, 200),
             widget="stops"),
        Knob("bowl", "Method of the bowl", "Whose regret is drawn against its memory; all five stand below.", "r",
             options=("r", "sw", "wgp", "tv", "rperp"), widget="select", names=METHODS),
        Knob("age", "Past observations by", "When they were heard, or how old they are today (linear or logarithmic).",
             "time", options=("time", "age", "log"), widget="segmented",
             names={"time": "Time", "age": "Age", "log": "Log"}),
        Knob("cover", "Bet first: cover the bowl", "Hides the regret curves until you have placed your bet.", False,
             widget="toggle"),
        Knob("bet", "Your bet: lowest at $m$ =", "Where do you think the bowl of this world is lowest? It stays as a "
             "grey diamond.", 0, names={"0": "none"}, options=(0, 5, 10, 20, 40, 80, 160, 320, 1000, 3000),
             widget="stops"),
        Knob("own_r", "Restart every $H$ steps", "R-GP-UCB's own; “from m” is H = 2m.", 0, names={"0": "from m"},
             options=(0, 10, 20, 50, 80, 100, 200, 500, 1000), widget="stops"),
        Knob("own_sw", "Window $W$", "SW-GP-UCB's own; “from m” is W = m.", 0, names={"0": "from m"},
             options=(0, 5, 10, 20, 50, 100, 200, 500), widget="stops"),
        Knob("own_wgp", "Discount $\\gamma$", "WGP-UCB's own; “from m” is γ = 1 − 1/m.", 0.0, names={"0.0": "from m"},
             options=(0.0, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.999), widget="stops"),
        Knob("own_tv", "Believed change per step $\\hat\\varepsilon$", "TV-GP-UCB's own; “from m” is ε = 2/m. The "
             "world's true ε is another matter.", 0.0, names={"0.0": "from m"},
             options=(0.0, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5), widget="stops"),
        Knob("measure", "Drift measured by", "A total budget (Iwazaki & Takeno: V_T; Deng et al.: B_T); an exponent α "
             "of how fast answers go stale (Mauduit et al.); a rate ε per step (Bogunovic et al.).", "budget",
             options=("budget", "alpha", "epsilon"), widget="segmented",
             names={"budget": "V", "alpha": "α", "epsilon": "ε"}),
        Knob("growth", "Drift growth $v$, $V_T=T^v$", "How fast the drift budget grows with time. 0: a fixed budget of "
             "1; 1: as fast as time itself.", 0.0, -0.5, 1.0, 0.05),
        Knob("log_T", "Horizon $T=10^x$", "Number of steps, as a power of ten. Only the map, the cards and the drift "
             "at your place depend on it.", 4.0, 2.0, 7.0, 0.5),
        Knob("lnT", "Show logarithms", "Multiply each rate by its power of ln T.", False,
             widget="toggle"),
        Knob("wager", "Bet: R-GP-UCB's power of T", "At ν = 5/2, d = 2 and a fixed budget its guarantee grows like T "
             "to which power? Cover hides it; your bet stays as a dotted line.", "off",
             options=("off", "cover", "0.75", "0.9", "1"), widget="segmented", names={"off": "–", "cover": "Cover"}),
        Knob("card", "Theorem on the card", "Statement, source, budget and what it says at your place.", "rperp",
             options=tuple(CARDS), widget="select", names=CARDS),
        Knob("case", "Bound with explicit constants", "Its algorithm is played, tuned exactly as the theorem says.",
             "rperp", options=tuple(CASES), widget="select", names=CASES),
        Knob("arena", "World of the runs", "The adversary hides a bump anew (the lower bound's own world); or the "
             "theorem's plainest world: jumps, still, or Markov ε.", "adversary", options=("adversary", "own"),
             widget="segmented", names={"adversary": "Adversary", "own": "Plain"}),
        Knob("fade", "Discount $\\gamma$", "Weight of an answer per round of age; 1 forgets nothing (Deng et al.: "
             "$\\gamma$).", 0.9, options=(0.5, 0.8, 0.9, 0.95, 0.98, 0.99, 1.0), widget="stops"),
    )
}  # fmt: skip

# What makes the World; these travel from page to page.
WORLD_KEYS = ("kind", "V", "T", "nu", "ell", "eps", "alpha", "sigma", "B", "seed", "data")
# Knobs that a table of rewards has no use for.
TABLE_HAS_NO = {"pair", "V", "nu", "ell", "eps", "alpha", "B", "switches", "scale"}
