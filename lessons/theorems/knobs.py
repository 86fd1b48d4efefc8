"""The lesson's own knobs, the groups of its controls, and the base world of its runs."""

from __future__ import annotations

from lessons.record import Knob, Values
from lessons.theorems.one_bound.letters import letters
from tvbo_core import World
from tvbo_core.theory import THEOREMS
from tvbo_core.theory.against import CASES

RUNS_WORLD = World(kind="jumps", kernel="matern", nu=2.5, norm_bound=3.0, budget=4.0, switches=1, seed=3)
# Stem of a record -> its word in a link, and its name in the menu, where that is not the record's own.
MENU = {
    "iwazaki-5": ("rperp", "R-PERP"),
    "iwazaki-1": ("floor", "Lower bound in V"),
    "iwazaki-3": ("opkb3", "Restarted OPKB"),
    "hong-ada": ("ada", "ADA-OPKB"),
    "zhou-r": ("r", "R-GP-UCB"),
    "zhou-sw": ("sw", "SW-GP-UCB"),
    "deng-5": ("wgp", "WGP-UCB"),
    "iwazaki-d": ("rperpd", "R-PERP, budget unknown"),
    "deng-5-unknown": ("wgpd", "WGP-UCB, budget unknown"),
    "block-rkhs": ("block", "Lower bound, RKHS budget"),
    "scarlett": ("flat", "Lower bound, static world"),
    "flynn-6.4": ("kernelucb", "KernelUCB"),
    "bogunovic-4.2": ("rgp", "R-GP-UCB, rate ε"),
    "bogunovic-4.3": ("tv", "TV-GP-UCB"),
    "bogunovic-4.1": ("epsfloor", "Lower bound in ε"),
    "mauduit-2.2": ("inject", "GP-UCB, injected noise"),
    "mauduit-3.10": ("wsparq", "W-SparQ-GP-UCB"),
    "mauduit-3.3": ("sparq", "SparQ-GP-UCB"),
    "mauduit-2.6": ("alphafloor", "Lower bound in α"),
    "mauduit-5.3": ("few", "Too few side queries"),
}
MENU |= {t.stem: (t.stem, t.name) for t in THEOREMS.values() if t.stem not in MENU}
THEOREM_STEMS = {word: stem for stem, (word, _) in MENU.items()}
THEOREM_NAMES = dict(MENU.values())
# Word in a link -> name of a bound with explicit constants.
CASE_NAMES = {"rperp": "R-PERP", "kernelucb": "KernelUCB", "tv": "TV-GP-UCB", "rgp": "R-GP-UCB", "wgp": "WGP-UCB"}
OWN = {
    k.key: k
    for k in (
        Knob("view", "View", "Rates: the powers of T of all theorems, and where they hold. "
             "Runs: measured regret beside its bounds, for theorems with explicit constants. "
             "One bound: a theorem at your numbers.",
             "rates", options=("rates", "runs", "one"),
             widget="segmented", names={"rates": "Rates", "runs": "Runs", "one": "One bound"}),
        Knob("measure", "Drift measured by", "A total budget (Iwazaki & Takeno: V_T; Deng et al.: B_T) or an exponent "
             "α of how fast observations become stale (Mauduit et al.).", "budget",
             options=("budget", "alpha"), widget="segmented", names={"budget": "V", "alpha": "α"}),
        Knob("growth", "Drift growth $v$, $V_T=T^v$", "How fast the drift budget grows with the horizon. 0: a budget "
             "of 1 for every T; 1: a budget of T.", 0.0, -0.5, 1.0, 0.05),
        Knob("case", "Theorem with explicit constants", "The method is played as the theorem tunes it; the set-up "
             "names the equation. WGP-UCB keeps its discount within [1/2, 1 − 1/T], and its width takes δ/T.",
             "rperp", options=tuple(CASE_NAMES), widget="select", names=CASE_NAMES),
        Knob("thm", "Theorem", "Any theorem of the lab's registry. With explicit constants where the paper has them "
             f"({', '.join(CASE_NAMES.values())}; for d = 1), else as a rate.", "rperp",
             options=tuple(THEOREM_NAMES), widget="select", names=THEOREM_NAMES),
    )
}  # fmt: skip
RUNS, RATES, ONE = "runs", "rates", "one"  # the three views
PHONE = 2, 1  # screens of a phone that a stage takes, and the one that it opens at (`Picture.screens`)
DRIFTS = ("V", "eps", "alpha")  # measures of drift in a theorem: at most one acts
# View -> the knobs that stand beside its figure where they act, and those that do under "More…".
SHOWN = {
    RUNS: ("view", "case", "V", "eps", "T"),
    RATES: ("view", "measure", "d", "growth", "atil"),
    ONE: ("view", "thm", *DRIFTS, "nu"),
}
MORE = {
    RUNS: ("nu", "ell", "sigma", "B", "seeds", "seed"),
    RATES: (),
    ONE: ("B", "d", "atil", "ell", "sigma"),
}
KEYS = tuple(dict.fromkeys(key for view in SHOWN for key in (*SHOWN[view], *MORE[view])))


def _cases(*kinds: str) -> tuple[str, ...]:
    """Return the bounds that are about worlds of one of these kinds."""
    return tuple(word for word in CASE_NAMES if {*kinds} & {*CASES[word].kinds})


def _with_letter(letter: str) -> dict:
    """Return where a letter is in One bound's theorem."""
    return {**IN_ONE, "thm": tuple(word for word, stem in THEOREM_STEMS.items() if letter in letters(stem))}


IN_RUNS, IN_RATES, IN_ONE = {"view": (RUNS,)}, {"view": (RATES,)}, {"view": (ONE,)}
MARKOV, STILL = _cases("markov"), _cases("still")
NORMED = tuple(word for word in CASE_NAMES if word not in MARKOV)
# Where One bound has every constant: its words are those of the cases.
CONSTANTS = (
    {**IN_ONE, "thm": tuple(word for word in CASE_NAMES if not CASES[word].se_only), "d": (1,)},
    {**IN_ONE, "thm": tuple(word for word in CASE_NAMES if CASES[word].se_only), "d": (1,), "nu": ("∞",)},
)
NORMED_CONSTANTS = tuple({**one, "thm": tuple(w for w in one["thm"] if w in NORMED)} for one in CONSTANTS)
ACTS = dict.fromkeys(("case", "seeds", "T"), (IN_RUNS,))
ACTS |= dict.fromkeys(("ell", "sigma", "seed"), (IN_RUNS, *CONSTANTS))
ACTS |= {
    "measure": (IN_RATES,),
    "thm": (IN_ONE,),
    "B": ({**IN_RUNS, "case": NORMED}, *NORMED_CONSTANTS),
    "V": ({**IN_RUNS, "case": tuple(word for word in NORMED if word not in STILL)}, _with_letter("V")),
    "nu": ({**IN_RUNS, "case": tuple(word for word in CASE_NAMES if not CASES[word].se_only)}, _with_letter("nu")),
    "growth": ({**IN_RATES, "measure": ("budget",)},),
    "atil": ({**IN_RATES, "measure": ("alpha",)}, _with_letter("window_exponent")),
    "eps": ({**IN_RUNS, "case": MARKOV}, _with_letter("eps")),
    "alpha": (_with_letter("alpha"),),
    "d": (IN_RATES, _with_letter("d")),
}


def controls(values: Values) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the knobs beside the figure and those under "More…" in a view: beside it those that act."""
    view = values["view"]
    acts = (key for key in SHOWN[view] if Knob(key, "", "", "", acts=ACTS.get(key, ())).acts_at(values))
    return tuple(acts), MORE[view]
