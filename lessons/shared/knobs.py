"""The control dictionary: one definition of every knob, reused by every page and by the link."""

from __future__ import annotations

from collections.abc import Mapping

from lessons.record import OF_WORLD, Knob
from tvbo_core import kernels, policies, worlds

# Text on the knob "Smoothness" -> kernel of the world and its nu.
SMOOTHNESS = {text: (kernel.name, nu) for kernel in kernels.ALL.values() for text, nu in kernel.choices.items()}


def _decades(low: int, high: int, mantissas: tuple[float, ...] = (1, 2, 5)) -> tuple[float, ...]:
    return tuple(float(f"{m}e{e}") for e in range(low, high) for m in mantissas)


DRAWN = [kind for kind in worlds.ALL.values() if kind.name != "data"]  # tables of rewards have a page, Real data
KINDS = {kind.name: kind.title for kind in DRAWN}
MOVES = {kind.name: f"{kind.title}: {kind.does}." for kind in DRAWN if kind.does}

# Every bandit algorithm that races: its key, which a link names it by, -> its name.
METHODS = {key: entry.name for key, entry in policies.ALL.items()}
# Those of a race before the reader chooses. Links leave the default out, so one that is added here changes old links.
OPENING = ("rnd", "gp", "r", "sw", "wgp", "tv", "pe", "rperp", "sparq", "wsparq")
GUESTS_FIRST = tuple(sorted(METHODS, key=lambda word: (not policies.ALL[word].own, word not in OPENING)))

KNOBS: dict[str, Knob] = {
    k.key: k
    for k in (
        Knob("kind", "World", "How the reward moves.", "glide", options=tuple(KINDS), widget="select", names=KINDS,
             explains=MOVES),
        Knob("pair", "World on the right", "A second world with the same kernel, horizon and seed, or the left "
             "one with a rougher kernel.", "jumps",
             options=("none", *KINDS, "matern"),
             widget="select", names={**KINDS, "none": "Nothing", "matern": "The same, Matérn 3/2"}),
        Knob("switches", "Number of jumps", "Jumps worlds: how many jumps. For a large budget the reward also jumps "
             "back. Two fall at T/5 and 2T/5, as in Deng et al. and in Iwazaki & Takeno; others are evenly spread.",
             1, 1, 5, 1),
        Knob("scale", "Scale of the functions",
             "Set: every function has norm B and the drift is fitted to the budget. As drawn: sums of 20 kernels "
             "with random weights, unscaled (Deng et al.).", "set",
             options=("set", "drawn"), widget="segmented", names={"set": "Set", "drawn": "As drawn"}),
        Knob("V", "Drift budget $V_T$", "Total change of the reward, in reward units: the sum over time of the "
             "largest change anywhere, $V_T=\\sum_t\\max_x|f_{t+1}(x)-f_t(x)|$ (Iwazaki & Takeno: $V_T$).",
             4.0, 0.0, 16.0, 0.5),
        Knob("T", "Horizon $T$", "Number of rounds.", 200, 50, 1000, 50),
        Knob("nu", "Smoothness $\\nu$", "Smoothness of the reward (Matérn $\\nu$): 1/2 is the roughest, a curve "
             "with kinks; ∞ the smoothest, the squared exponential.",
             "∞", options=tuple(SMOOTHNESS), widget="segmented"),
        Knob("ell", "Lengthscale $\\ell$", "Distance over which observations are informative, in units of x.",
             0.2, 0.05, 0.5, 0.05),
        Knob("eps", "Change per step $\\varepsilon$", "Markov worlds: share of the reward's variance that is drawn "
             "anew at each step (Bogunovic et al.: $\\epsilon$).", 0.01,
             options=(0.0, *_decades(-3, -1), 0.1, 0.2), widget="stops"),
        Knob("alpha", "Drift exponent $\\alpha$", "Rough worlds: the change over n steps has variance proportional to "
             "$n^\\alpha$ (Mauduit et al.: $\\alpha$).", 1.0, 0.1, 2.0, 0.05),
        Knob("sigma", "Noise $\\sigma$", "Standard deviation of the observation noise, in reward units (Iwazaki: ρ, "
             "Deng: R).", 0.1, options=(*_decades(-2, 0), ), widget="stops"),
        Knob("B", "RKHS norm bound $B$", "How high and bumpy every $f_t$ may be: a bound on its norm in the "
             "reproducing kernel Hilbert space (RKHS).", 3.0, 1.0, 10.0, 1.0),
        Knob("delta", "Failure probability $\\delta$", "The band holds for the whole curve of a static reward of norm "
             "at most B, at all times, with probability at least "
             "$1-\\delta$.", 0.01, options=(*_decades(-3, -1), 0.1, 0.2), widget="stops"),
        Knob("design", "Query points", "Random arms; the path of GP-UCB with width 2; or two clusters with a "
             "gap between.", "random", options=("random", "ucb", "clustered"), widget="select",
             names={"random": "Random", "ucb": "GP-UCB's path", "clustered": "Two clusters"}),
        Knob("place", "Place x", "The action of the closer look, as a share of the way from the first "
             "action to the last. A click on the main figure moves it.", 0.5, 0.0, 1.0, 0.01),
        Knob("seed", "Random seed", "With equal settings a seed gives the same world on every page with actions on "
             "a line.", 3, 0, 99_999, 1, widget="number"),
        Knob("algos", "Algorithms", "Algorithms of the race. With none chosen, the ten of the first screen race.",
             (*OPENING, *(key for key, entry in policies.ALL.items() if entry.own)),
             options=GUESTS_FIRST, widget="pills", names=METHODS),
        Knob("m", "Memory $m$", "How much each method remembers. SW-GP-UCB: a window of m rounds. R-GP-UCB, R-PERP: a "
             "restart every 2m rounds. WGP-UCB, TV-GP-UCB: observations fade over about m rounds. “Paper” tunes each "
             "method by its paper's formula, from the drift of this world.", 50,
             names={"0": "paper"}, options=(0, 5, 10, 20, 50, 100, 200, 300), widget="stops"),
        Knob("seeds", "Number of runs $S$", "How many worlds; every method runs once in each, with the same "
             "noise.", 8, options=(1, 2, 4, 8, 10, 20, 30), widget="stops"),
        Knob("beta", "Width $\\beta$", "Half-width of the confidence band, in standard deviations. log: β = 2√(ln t), "
             "growing slowly. Theory: the width of the method's regret theorem; R- and SW-GP-UCB take a static "
             "reward's, which no paper proves for them.", "2",
             options=("0.5", "1", "2", "3", "5", "log", "theory"), widget="stops"),
        Knob("atil", "Window exponent $\\tilde\\alpha$", "W-SparQ makes side queries in rounds whose distances grow "
             "like $t^{\\tilde\\alpha/\\alpha}$: larger means longer windows and fewer side queries. The theorem "
             "requires less "
             "than 1/3.", 0.25, 0.05, 0.33, 0.01),
        Knob("d", "Dimension $d$", "Dimension of the action; the number of side queries grows like "
             "$\\ln^d t$.", 1, 1, 6, 1),
    )
}  # fmt: skip

# What makes the World; these travel from page to page.
WORLD_KEYS = ("kind", "V", "T", "nu", "ell", "eps", "alpha", "sigma", "B", "seed")
KNOBS |= {key: KNOBS[key].replace(part=OF_WORLD) for key in (*WORLD_KEYS, "pair", "switches", "scale", "seeds")}
WORLD = {key: KNOBS[key] for key in WORLD_KEYS}
Acts = dict[str, tuple[Mapping[str, tuple], ...]]  # knob -> where it acts, as `Knob.acts` has it


def acts_in_worlds(pair: bool = False, scale: bool = False, more: tuple[str, ...] = ()) -> Acts:
    """Return where the knobs of a world act; of two worlds beside each other a knob acts when it acts in one.

    Args:
        pair, scale: whether the page has the knobs of these names: a second world beside it; and functions with a
            norm that is set or as drawn.
        more: further kinds of worlds that this page alone offers.
    """
    drawn = (*KINDS, *more)
    normed = tuple(kind for kind in drawn if kind != "markov")  # with a norm B, and a scale

    def some(kinds: tuple[str, ...], *scales: str) -> tuple[Mapping[str, tuple], ...]:
        cases = [{"kind": kinds}, *([{"kind": drawn, "pair": kinds}] if pair else [])]
        return tuple(case | ({"scale": scales} if scale and scales else {}) for case in cases)

    sized = tuple(kind.name for kind in worlds.ALL.values() if kind.norm_sets_size)
    return {
        "V": some((*(kind.name for kind in worlds.ALL.values() if kind.has_budget), "adversary"), "set"),
        "B": some(normed, "set") + (some(sized, "drawn") if scale else ()),
        "scale": some(normed),
        "switches": some(("jumps",)),
        "eps": some(("markov",)),
        "alpha": some(("rough",)),
    }


def with_acts(knobs: Mapping[str, Knob], acts: Acts) -> dict[str, Knob]:
    """Return a page's knobs with the settings in which they act."""
    return {key: knob.replace(acts=acts[key]) if key in acts else knob for key, knob in knobs.items()}
