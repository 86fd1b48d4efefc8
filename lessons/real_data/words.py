"""The sentences of the lesson, from computed numbers only: who keeps up, whether forgetting helps, caveats."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from common.escape import escaped
from common.formats import amount, plural
from common.roles import ROLES, in_role
from lessons.real_data import model
from lessons.real_data.knobs import OWN as OWN_KNOBS
from lessons.real_data.model import OWN, Trial
from lessons.real_data.tables import Checked
from lessons.shared.knobs import TABLES
from tvbo_core.policies import BY_NAME

LONG = "The pasted text has {:,} characters or more, too many to paste: load it as a file."
PRIVATE = "Your file stays in this session and is not stored. The link carries settings and a fingerprint, never data."
EMPTY = "Load a table, paste one, or try the example: one row for every time, one column for every arm."
LOADED = "**{}** is loaded: say what is what, look at the checks, then press Run."
CODES = "Cells that mean missing"
CODES_HELP = "Besides empty ones and the usual words; numbers or words with spaces between, such as -999 closed."
NO_CODES = "Codes for missing cells are up to ten words or numbers with spaces between: write them so, without quotes."
NO_TABLE = "This is no table to race on: {}."
FIRST_ROWS = "Loaded: **{}**."
AWAITED = (
    "This link is about a table with the fingerprint {}. Its settings are here; its numbers are not, because a link "
    "never carries data. Load the file with this fingerprint."
)
OTHER = "The link is about a file with the fingerprint {}, and this one has {}: its columns were guessed anew."
SHAPE = "One row for every time, one column for every arm, names in the first row. At most 200 arms and 5,000 rows."
KERNEL = "Correlations of the arms in the first part: the kernel that every method is given."
MAP = (
    "Size: how often a street is best in the second part. Brightness: correlation, in the first part, with the ringed "
    "street."
)
LIKELIHOOD = (
    "Which ε makes one observation a round of the first part (arms at random) most likely: eq. 24 of Bogunovic et al., "
    "Appendix B. Shaded: where the log-likelihood is within 1.92 of its best, about a 95 % interval for many "
    "observations, where the model holds with this kernel and noise and ε is not near 0."
)
LENGTHS = (
    "Races on the first part; the ring is the memory that is used (R-GP-UCB restarts every H = 2m). This way of "
    "choosing is ours and in no paper."
)
GUESSES = (
    "With too small an ε the estimate is history, with too large a one it is noise. Measured on the second part, which "
    "a learner cannot see beforehand."
)
SEEDS_SHARE = 0.75  # share of the seeds in which forgetting must lose less, for the page to say that it helps
SAVED_SHARE = 0.05  # and the share of the regret that it must save
WAIT = "The first runs are being played."
ARM_AND_PERIOD = {
    "stocks": ("stock", "day"),
    "stocks-weekly": ("stock", "week"),
    "sp500": ("stock", "day"),
    "sensors": ("street", "day"),
}
DRAWN = {
    "lines": "Below, in each row from above: the rounds in which the arm is the best, and in which each method holds "
    "it (first seed).",
    "wall": "Wall: bright is high, white bars are the best arm, coloured marks the choices of two methods (first "
    "seed); strokes below are changes of the best arm.",
}
OF_A_TABLE = ("arm", "round")
# What a loss on a table is counted in, a hundredth of a logarithm; of a table of the reader's own nobody knows it.
COUNTED = {
    "stocks": " return points",
    "stocks-weekly": " return points",
    "sp500": " return points",
    "sensors": " footfall points",
}
# What a method does with old answers, where it does not hold on to one arm.
DOES = dict.fromkeys(ROLES["keeps"], " keeps all answers and") | {
    "R-GP-UCB": " starts over and",
    "SW-GP-UCB": " keeps the latest answers and",
    "WGP-UCB": " lets old answers fade and",
    "TV-GP-UCB": " lets old answers fade and",
    "UI-GP-UCB": " lets old answers fade and",
    "PE": " rules arms out and",
    "R-PERP": " starts over and",
}
NEAR_RANDOM = 0.9  # share of Random's regret from which a method is called near Random


def awaited(file: str) -> str:
    """Return what is said while no table of the visitor's own is loaded; `file` is the fingerprint of the link."""
    return AWAITED.format(file) if file != "none" else EMPTY


def no_table(checked: Checked) -> str:
    """Return in one sentence why a table cannot race."""
    why = checked.findings[-1].sentence.split(". ")[0].removesuffix(".")
    return NO_TABLE.format(why[:1].lower() + why[1:].replace(": ", ", "))


def tally(checked: Checked) -> str:
    """Count the remarks of the checks."""
    warned = sum(not f.ok for f in checked.findings)
    return "all checks passed" if not warned else f"{plural(warned, 'remark')}"


def name(shown: Trial) -> str:
    """Name of the table in a sentence."""
    return "your table" if shown.setting.table == OWN else TABLES[shown.setting.table]


def label(shown: Trial, row: int) -> str:
    """The time of a row, as it stands beside the player's bar."""
    return f"t = {row + 1} of {shown.problem.horizon} · {shown.problem.times[row][:19]}"


@dataclass(frozen=True)
class ForgettingVerdict:
    """Outcome of forgetting on a table; its numbers are facts.

    Attributes:
        best: the forgetting method with the least regret.   random: all do little better than Random.
        helps: it loses less than GP-UCB and the best fixed arm, None where one is missing.
        beats: it loses less than GP-UCB in most seeds.   one_arm: that it asks one arm only, in words.
    """

    best: str | None
    random: bool
    helps: bool | None
    beats: bool = False
    one_arm: str = ""


def finding(shown: Trial, rows: Sequence[int], pins: Sequence[str] = ()) -> list[str]:
    """Return the sentence under the question for every frame (HTML): what the two methods that are told do and lose."""
    two, noun = model.told(shown, pins), ARM_AND_PERIOD.get(shown.setting.table, OF_A_TABLE)
    counted = COUNTED.get(shown.setting.table, "")
    return [sentence(model.facts(shown, row), two, model.holds_one(shown, two, row), *noun, counted) for row in rows]


def sentence(
    facts: Mapping[str, float | None],
    names: Sequence[str],
    holding: Collection[str],
    arm: str,
    period: str,
    counted: str = "",
) -> str:
    """Return the sentence of a round from its facts.

    Args:
        names: two methods, or one, which then stands beside the best single arm.   holding: those of them that have
            asked one arm in nearly all rounds.   arm, period: what a column and a row of the table are.
        counted: what a loss is counted in.
    """
    does = {n: f" holds on to one {arm} and" if n in holding else DOES.get(n, "") for n in names}
    said = [f"{in_role(n)}{does[n]} loses {amount(facts[model.loss_of(n)])}" for n in names]
    if len(names) < 2:
        said.append(f"the best single {arm} loses {amount(facts[model.loss_of(model.FIXED)])}")
    return f"{said[0]}{counted} a {period}; {said[1]}."


def period(shown: Trial) -> str:
    """Return what a row of the table is."""
    return ARM_AND_PERIOD.get(shown.setting.table, OF_A_TABLE)[1]


def odds(shown: Trial, pins: Sequence[str]) -> str:
    """Return in how many repeats of the noise the second pinned method loses less than the first; "" for one repeat."""
    two = model.told(shown, pins)
    if len(two) < 2 or shown.setting.seeds < 2:
        return ""
    first, second = (shown.total[name][:, -1] for name in two)
    won = int((second < first).sum())
    return f"In **{won} of {len(first)}** repeats of the noise, {two[1]} loses less than {two[0]}."


def beats(shown: Trial, method: str, level: np.ndarray) -> bool:
    """Return True if a method loses less than this (k,) regret in most seeds, and clearly less in the median."""
    ends = shown.total[method][:, -1]
    saved = float(np.median(level) - np.median(ends))
    return bool((ends < level).mean() >= SEEDS_SHARE and saved > SAVED_SHARE * float(np.median(level)))


def forgetting_helps(shown: Trial) -> bool | None:
    """Return True if the best forgetting method loses less than GP-UCB and the best fixed arm; None: one is missing."""
    best = model.best_forgetting(shown)
    if best is None or "GP-UCB" not in shown.total:
        return None
    still = shown.total["GP-UCB"][:, -1]
    return beats(shown, best, still) and beats(shown, best, np.full(len(still), shown.fixed[1].sum()))


def verdict(shown: Trial) -> str:
    """Say in one sentence whether forgetting helps on this table."""
    return _verdict(model.saving(shown), _judged(shown))


def _judged(shown: Trial) -> ForgettingVerdict:
    """Return how forgetting did at the end of the race."""
    best = model.best_forgetting(shown)
    learners = [n for n in shown.average if n != "Random"]
    chance = shown.average.get("Random")
    random = bool(learners) and chance is not None
    random = random and min(shown.average[n][-1] for n in learners) > NEAR_RANDOM * chance[-1]
    helps = None if random else forgetting_helps(shown)
    if helps is None:
        return ForgettingVerdict(best, random, None)
    won = beats(shown, best, shown.total["GP-UCB"][:, -1])
    return ForgettingVerdict(
        best, random, helps, won, "" if won or _saves(model.saving(shown)) else _one_arm(shown, best)
    )


def _saves(facts: Mapping[str, float | None]) -> bool:
    """Return whether the best forgetting method loses clearly less than GP-UCB in the median."""
    saved = facts["saved by forgetting"]
    return saved is not None and saved > SAVED_SHARE


def _verdict(facts: Mapping[str, float | None], end: ForgettingVerdict) -> str:
    """Return whether forgetting helps, from the facts of the last round."""
    if end.random:
        return (
            "All methods do little better than Random: the arms move together or too fast, and regret grows linearly."
        )
    if end.helps is None:
        return ""
    saved = facts["saved by forgetting"]
    if end.helps:
        return f"Forgetting saves {saved:.0%} of GP-UCB's regret."
    if end.beats:
        return f"{end.best} loses {saved:.0%} less than GP-UCB, but no less than the best fixed arm."
    if _saves(facts):  # in the median, but not in enough seeds
        won = f"{facts['seeds in which it saves']} of {facts['seeds']} seeds"
        return f"{end.best} loses {saved:.0%} less than GP-UCB, but only in {won}."
    how = "more than" if saved is not None and saved < 0 else "nearly as much as"
    return f"Forgetting does not help here: {end.best}{end.one_arm} loses {how} GP-UCB."


def _one_arm(shown: Trial, method: str) -> str:
    """Say which arm a method asks in every round of the first seed, where it never asks another one."""
    first, *others = set(shown.looks[method].tolist())
    if others:
        return ""
    p = shown.problem
    why = ", the arm of the largest prior variance," if first == int(p.kernel.diag(p.x).argmax()) else ""
    return f", which asks {escaped(p.arm_names[first])}{why} in every round,"


def bet(shown: Trial, guess: str) -> str:
    """Compare a bet on the number of changes with their count; empty without one."""
    if guess == "none":
        return ""
    count, words = len(shown.switches), OWN_KNOBS["changes"].shown(guess)
    right = ("few", "some", "many")[(count >= 5) + (count > 20)] == guess
    return f"Your bet: {words}. Counted: {count} time{'' if count == 1 else 's'}{', well guessed' if right else ''}."


def notes(shown: Trial, guess: str = "none") -> list[str]:
    """Return what the figure does not say by itself; `guess` is the reader's bet."""
    count, T = len(shown.switches), shown.problem.horizon
    changed = f"The best arm changes {count} time{'' if count == 1 else 's'} in {T:,} rounds. {verdict(shown)}"
    said = [changed.rstrip(), *([placed] if (placed := bet(shown, guess)) else [])]
    fit, arms = shown.learnt.fit, shown.problem.f.shape[1]
    if shown.setting.mixed:
        said.append(
            "The rows are shuffled inside each part and every row keeps its own date, so the dates jump back "
            "and forth. Rewards and kernel are the same, but the order says nothing: $V_T$ is "
            f"now {amount(shown.problem.sup_variation)}."
        )
    said += model.too_large(shown.setting, arms)
    if fit.high >= fit.grid[-1]:
        said.append("The likelihood still rises at ε = 0.99: a round tells nothing about the next one.")
    elif fit.low <= 0:
        said.append("The interval of ε reaches 0: a reward that never changes fits these data too.")
    if shown.train <= arms:
        said.append(
            f"{shown.train} rows for the covariance of {arms} arms: it is not positive definite, so a small "
            "number was added to its diagonal."
        )
    if "TV-GP-UCB" in shown.average and shown.average["TV-GP-UCB"][-1] > shown.fixed_average[-1]:
        said.append("TV-GP-UCB loses more than the best fixed arm here: its model of drift does not fit this table.")
    if shown.setting.seeds == 1:
        said.append("With one seed the order of the methods may be chance.")
    return said


def caption(shown: Trial, view: str = "lines") -> str:
    """Set-up, seeds and source of the numbers."""
    s, p, m = shown.setting, shown.problem, shown.memories
    seeds = f"seeds {s.seed} to {s.seed + s.seeds - 1}" if s.seeds > 1 else f"seed {s.seed}"
    how = f"memory m = {s.memory}" if s.memory else "memories from the first part"
    used = f"{how}: ε = {m.epsilon:.2g}, H = {m.restart}, W = {m.window}, γ = {m.discount:.3g}"
    thin = "; thin: single seeds" if view == "wall" else ""
    lines = f"Lines: median of {s.seeds} seeds{thin}. " if s.seeds > 1 else ""
    arm = p.arm_names[shown.fixed[0]]
    parts = (
        f"{lines}{DRAWN[view]}",
        f"Best fixed arm, known only afterwards: {arm}.",
        f"Reward: {shown.unit}. {shown.train} rows for tuning, {p.horizon} for the race; noise {100 * s.noise:.0f} % "
        f"of the signal, added, {seeds}; β² = 0.8 ln(0.4 t), the argument at least 2; {used}{_own_widths(shown)}.",
    )
    return f"{escaped(' '.join(parts))}  \n{escaped(shown.problem.note)}"


def _own_widths(shown: Trial) -> str:
    """Say which methods have another width or another source of their length than the caption's."""
    said = ["R-PERP restarts with R-GP-UCB's H"] if "R-PERP" in shown.total and not shown.setting.memory else []
    said += [f"{n} has its own width" for n in shown.total if not BY_NAME[n].takes_width and n != "Random"]
    return "".join(f"; {text}" for text in said)


def kernel(shown: Trial) -> str:
    """Caption of the correlations."""
    return f"{KERNEL} {shown.train} rows, {shown.problem.f.shape[1]} arms."


def likelihood(shown: Trial) -> str:
    """Caption of the log-likelihood."""
    fit, s = shown.learnt.fit, shown.setting
    return f"{LIKELIHOOD} The latest {fit.rounds} rounds, seed {s.seed}."


def lengths(shown: Trial) -> str:
    """Caption of the memories tried in training."""
    first = shown.setting.seed
    return f"{LENGTHS} The latest {shown.learnt.rounds} rounds, seeds {first} and {first + 1}."


def guesses(shown: Trial) -> str:
    """Caption of the regret at guessed epsilons."""
    seeds = shown.setting.guessed
    return f"{GUESSES} Mean of seeds {seeds[0]} to {seeds[-1]}." if len(seeds) > 1 else f"{GUESSES} Seed {seeds[0]}."


def run_button(seconds: float) -> str:
    """Text of the button that starts a long race, with the time it takes."""
    return f"Run it: about {max(round(seconds), 1)} s"
