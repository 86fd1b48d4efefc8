"""The control dictionary: one definition of every knob, reused by every page and by the link."""

from __future__ import annotations

import math

from lessons.record import Code, Knob

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

# What the world of a game does, as its player chose it; "secret" is drawn among all of them.
CHALLENGES = {"secret": "Secret", "still": "Stands still", "glide": "Glides", "jumps": "Jumps", "markov": "Wanders"}

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
        Knob("table", "Table", "Real rewards that ship with the lab, or a table of your own; your file stays in "
             "this session.", "stocks", options=(*TABLES, "own"), widget="select",
             names={**TABLES, "own": "Your own table"}),
        Knob("share", "Share to learn from", "The first rows give the kernel, ε and the memories; the race is run in "
             "the others. “As it comes” is half of a shipped table (2023 for the sensors) and 60 % of your own.", 0.0,
             options=(0.0, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8), widget="stops", names={"0.0": "as it comes"}),
        Knob("noise_share", "Noise, % of the signal", "Variance of the noise that is added to what a method hears, "
             "over the mean variance of the arms. Bogunovic et al., sec. 5.2, take 5 %.", 5, 1, 20, 1),
        Knob("mixed", "Shuffle time", "The same rows in a random order, inside each part.", False, widget="toggle"),
        Knob("changes", "Bet: how often does the best arm change?", "In the second part of the table. Go to its start "
             "(Home) before you bet, then play.", "none", options=("none", "few", "some", "many"), widget="select",
             names={"none": "no bet", "few": "under 5 times", "some": "5 to 20 times", "many": "over 20 times"}),
        Knob("lower", "Lower is better", "Turns the sign of every number of your table.", False, widget="toggle"),
        Knob("std", "Standardise the arms", "Divides every arm by its standard deviation in the training part.", False,
             widget="toggle"),
        Knob("fill", "Missing cells", "Repeat the last value of the arm, or drop every row with a missing cell.",
             "forward", options=("forward", "drop"), widget="segmented",
             names={"forward": "Fill forward", "drop": "Drop rows"}),
        Knob("thin", "Of a long table keep", "At most 5,000 rows are used.", "last", options=("last", "even"),
             widget="segmented", names={"last": "The last rows", "even": "Every k-th row"}),
        Code("file", "Fingerprint", "The first 12 digits of the SHA-256 of the table that the link is about.", "none",
             options=("none",), widget="select", form="[0-9a-f]{12}", means="12 hexadecimal digits"),
        Code("timecol", "Time column", "Number of the column that holds the times, from 0.", "auto",
             options=("auto", "rows"), widget="select", form="[0-9]{1,3}", means="the number of a column"),
        Code("armcols", "Arms", "Numbers of the columns that are arms, from 0.", "auto", options=("auto",),
             widget="select", form=r"[0-9]{1,3}(\.[0-9]{1,3}){1,199}", means="numbers of columns with dots between"),
        Knob("within", "Within", "How many standard errors of the difference still count as agreement.", "3",
             options=("1", "2", "3"), widget="segmented"),
        Knob("challenge", "The reward", "How the reward moves. Secret: it may stand still, glide, jump or wander, "
             "and you are told after the last round. Going back to Secret keeps the world and stops telling.",
             "secret", options=tuple(CHALLENGES), widget="select", names=CHALLENGES),
        Knob("rounds", "Rounds $T$", "How often you and every bandit may ask.", 30, 10, 50, 5),
        Knob("noise", "Noise $\\sigma$", "Standard deviation of what is added to every reward that you hear. You and "
             "the bandits hear the same noise in the same round.", 0.2, options=(0.05, 0.1, 0.2, 0.3, 0.5, 1.0),
             widget="stops"),
        Knob("versus", "Path beside yours", "Whose questions are drawn with yours; “the best” is the bandit with the "
             "least regret.", "best", options=("best", *METHODS), widget="select",
             names={"best": "the best", **METHODS}),
    )
}  # fmt: skip

# What makes the World; these travel from page to page.
WORLD_KEYS = ("kind", "V", "T", "nu", "ell", "eps", "alpha", "sigma", "B", "seed", "data")
# Knobs that a table of rewards has no use for.
TABLE_HAS_NO = {"pair", "V", "nu", "ell", "eps", "alpha", "B", "switches", "scale"}
