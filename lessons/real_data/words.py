"""The sentences of the lesson, from computed numbers only: who keeps up, whether forgetting helps, caveats."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from common.escape import escaped
from common.formats import amount, percent, plural
from common.roles import ROLES, in_role
from lessons.real_data import model
from lessons.real_data.knobs import FINGERPRINT_DIGITS
from lessons.real_data.model import OWN, RealDataSetting, Split, Trial
from lessons.real_data.tables import Loaded
from lessons.shared.wording import product
from tvbo_core.policies import BY_NAME
from tvbo_core.race_results import LESS, paired_difference

LONG = "The pasted text has {:,} characters or more, too many to paste. Load it as a file."
PRIVATE = (
    "Your file stays in this session and is not stored. The link carries your choices and a fingerprint, no reward."
)
AT_HOME = "Your file stays in this browser. The link carries your choices and a fingerprint, no reward."
RIGHT = "Are these your rounds? Then press Run. If not, change below what is misread."
OTHER = "The link is about a file with the fingerprint {}, and this one has {}: its choices are suggested anew."
UNKNOWN = "The link's choices about the table cannot be read ({}), so all are suggested anew."
SHAPE = "One row for every time, one column for every arm, names in the first row. At most 200 arms and 5,000 rows."
KERNEL = "Correlations of the arms in the first part. Their covariance there is the kernel of every method."
LIKELIHOOD = (
    "Log-likelihood of ε, from one observation a round of the first part (arms at random): eq. 24 of Bogunovic et al., "
    "Appendix B. Shaded: the log-likelihood is within 1.92 of its best. This is about a 95 % interval, if the model "
    "holds with this kernel and noise, if there are many observations and if ε is not near 0."
)
SAVED_SHARE = 0.05  # share of the regret; one that saves less has nearly as much
DRAWN = (
    "Below, each arm has a row. From the top: the rounds in which it is best, and in which each method chooses it "
    "(most frequent of all runs)."
)
WALL = (
    "Bright rewards are high, white bars mark the best arm, and strokes below mark its changes. "
    "From the first round of the race to its last the largest changes sum to $V_T$ = {}."
)
# Column and row of a table, and unit of regret, a hundredth of a logarithm; unknown for a table of the reader's own.
NOUNS_AND_UNIT = {
    "stocks": ("stock", "day", " points of return"),
    "stocks-weekly": ("stock", "week", " points of return"),
    "sensors": ("street", "day", " log points"),
    OWN: ("arm", "round", ""),
}
# Treatment of old observations.
MEMORIES = dict.fromkeys(ROLES["keeps"], "keeps all") | {
    "R-GP-UCB": "restarts",
    "SW-GP-UCB": "slides a window",
    "WGP-UCB": "discounts",
    "TV-GP-UCB": "discounts",
    "UI-GP-UCB": "discounts",
    "PE": "eliminates arms",
    "R-PERP": "restarts",
}
NEAR_RANDOM = 0.9  # share of Random's regret from which a method is called near Random


def request_for_table(file: str) -> str:
    """Return the sentence while no table is loaded; `file` is the fingerprint of the link."""
    if file == "none":
        return "Load a table, paste one, or try the example: one row for every time, one column for every arm."
    return (
        f"This link is about a table with the fingerprint {file}. Its settings are here; its numbers are not, because "
        "a link never carries a table. Load the file with this fingerprint."
    )


def accepted(loaded: Loaded) -> str:
    """Return which table of the reader's races, and how many remarks the checks made."""
    assert loaded.table is not None  # it races
    remarks = sum(not check.ok for check in loaded.checks)
    found = plural(remarks, "remark") if remarks else "all checks passed"
    return f"{loaded.table.title} · fingerprint {loaded.table.name[:FINGERPRINT_DIGITS]} · {found}"


def label(trial: Split, row: int) -> str:
    """The time of a row, as it stands beside the player's bar."""
    return f"t = {row + 1} of {trial.problem.horizon} · {trial.problem.times[row][:19]}"


def finding(trial: Trial, rows: Sequence[int], pins: Sequence[str] = ()) -> list[str]:
    """Return the sentence under the question for every frame (HTML): average regret of two methods."""
    two, (arm, row, unit) = model.headline_methods(trial, pins), NOUNS_AND_UNIT[trial.setting.base.table]
    return [sentence(model.facts(trial, at), two, arm, row, unit) for at in rows]


def sentence(
    facts: Mapping[str, float | None],
    names: Sequence[str],
    arm: str,
    row: str,
    unit: str,
) -> str:
    """Return the sentence of a round from its facts.

    Args:
        names: two methods, or one, which then stands beside the best single arm.   arm: what a column of
            the table is.   unit: of regret.
    """
    first, *others = [f"{in_role(n)}{f' ({MEMORIES[n]})' if n in MEMORIES else ''}" for n in names]
    missed, *more = [amount(facts[model.loss_of(n)]) for n in (*names, model.FIXED)]
    second = others[0] if others else f"the best single {arm}"
    return f"By t = {facts['t']} {first} averaged {missed}{unit} below each {row}'s best {arm}, {second} {more[0]}."


def period(trial: Trial) -> str:
    """Return what a row of the table is."""
    return NOUNS_AND_UNIT[trial.setting.base.table][1]


def odds(trial: Trial, pins: Sequence[str]) -> str:
    """Return in how many repeats of the noise the second pinned method has less regret; "" for one repeat."""
    two = model.headline_methods(trial, pins)
    if len(two) < 2 or trial.setting.seeds < 2:
        return ""
    first, second = (trial.total[name][:, -1] for name in two)
    won = int((second < first).sum())
    where = f"In **{won} of {len(first)}** repeats of the noise"
    return f"{where}: by the last {period(trial)} {two[1]} has less regret than {two[0]}."


def beats(trial: Trial, method: str, level: np.ndarray) -> bool:
    """Return True if a method has less than this (k,) regret beyond noise, by the paired difference over the seeds."""
    return paired_difference(trial.total[method][:, -1], level).verdict == LESS


def forgetting_helps(trial: Trial) -> bool | None:
    """Return True if forgetting has less regret than GP-UCB and the best fixed arm; None where one is missing."""
    best = model.best_forgetting(trial)
    if best is None or "GP-UCB" not in trial.total:
        return None
    still = trial.total["GP-UCB"][:, -1]
    return beats(trial, best, still) and beats(trial, best, np.full(len(still), trial.fixed[1].sum()))


def verdict(trial: Trial) -> str:
    """Return one sentence on whether forgetting helps on this table; "" where a method is missing for it."""
    chance, learners = trial.average.get("Random"), [a[-1] for name, a in trial.average.items() if name != "Random"]
    if learners and chance is not None and min(learners) > NEAR_RANDOM * chance[-1]:
        least = f"{100 * NEAR_RANDOM:.0f} %"
        return f"No method does much better than random play: in the median none has under {least} of its regret."
    helps, best, facts = forgetting_helps(trial), model.best_forgetting(trial), model.saving(trial)
    if helps is None:
        return ""
    saved = facts["saved by forgetting"]
    if saved is None:
        return "GP-UCB has no regret in the median, so forgetting can gain nothing."
    if helps:
        return f"After all rounds {best}, the best of those that forget, has {percent(saved)} less regret than GP-UCB."
    if beats(trial, best, trial.total["GP-UCB"][:, -1]):
        more = "; that it has less than the best fixed arm is not shown."
        return f"{best} has {percent(saved)} less regret than GP-UCB{more}"
    if saved > SAVED_SHARE:
        over = plural(facts["seeds"], "seed")
        return f"{best} has {percent(saved)} less regret than GP-UCB in the median; over {over} this is undecided."
    how = "in the median more regret than" if saved < 0 else "nearly as much regret as"
    return f"No gain from forgetting beyond chance: {best} has {how} GP-UCB."


def notes(trial: Trial) -> list[str]:
    """Return notes on the changes of the best arm, the fit of ε, and caveats of this table."""
    changes = plural(len(trial.switches), "time")
    found = [f"The best arm changes {changes} in {trial.problem.horizon:,} rounds. {verdict(trial)}".rstrip()]
    fit, arms = trial.learnt.fit, trial.problem.f.shape[1]
    if trial.setting.base.mixed:
        found.append(
            "The rows are shuffled inside each part. Every row keeps its own date, so the dates jump back and forth. "
            "Rewards and kernel are the same, but the order has no information: $V_T$ is "
            f"now {amount(trial.problem.sup_variation)}."
        )
    found += model.too_large(trial.setting, arms)
    if fit.high >= fit.grid[-1]:
        found.append(
            "The interval of ε reaches 0.99, so rewards that are nearly independent over time also fit these data."
        )
    elif fit.low <= 0:
        found.append("The interval of ε reaches 0, so a reward that never changes also fits these data.")
    if trial.table.train_rows <= arms:
        found.append(
            f"There are only {trial.table.train_rows} rows for the covariance of {arms} arms. It is not positive "
            "definite, so a small number was added to its diagonal."
        )
    if trial.setting.seeds == 1:
        found.append("With one seed the order of the methods may be noise.")
    return found


def caption(trial: Trial) -> str:
    """Set-up, seeds and source of the numbers."""
    s, p, m, table = trial.setting, trial.problem, trial.memories, trial.table
    seeds = f"seeds {s.numbers[0]} to {s.numbers[-1]}" if s.seeds > 1 else f"seed {s.base.seed}"
    how = f"memory m = {s.memory}" if s.memory else "memories from the first part"
    used = f"{how}: ε = {m.epsilon:.2g}, H = {m.restart}, W = {m.window}, γ = {m.discount:.3g}"
    lines = f"Lines: median of {s.seeds} seeds. " if s.seeds > 1 else ""
    arm = p.arm_names[trial.fixed[0]]
    parts = (
        f"{lines}{DRAWN}",
        f"The best fixed arm is {arm}; no method knows this in advance.",
        f"Reward: {table.unit}. {table.train_rows} rows for tuning, {p.horizon} for the race; "
        f"noise {100 * s.base.noise:.0f} % of the signal, added, {seeds}; β² = 0.8 ln(max(0.4 t, 2)); "
        f"{used}{_own_widths(trial)}.",
    )
    return f"{escaped(' '.join(parts))}  \n{escaped(trial.problem.note)}"


def _own_widths(trial: Trial) -> str:
    """Return the methods with another width or another source of their length than the caption's."""
    said = ["R-PERP restarts with R-GP-UCB's H"] if "R-PERP" in trial.total and not trial.setting.memory else []
    said += [f"{n} has its own width" for n in trial.total if not BY_NAME[n].takes_width and n != "Random"]
    return "".join(f"; {text}" for text in said)


def wall(trial: Trial) -> str:
    """Caption of all rewards."""
    return WALL.format(amount(trial.problem.sup_variation))


def kernel(trial: Trial) -> str:
    """Caption of the correlations."""
    return f"{KERNEL} {trial.table.train_rows} rows, {trial.problem.f.shape[1]} arms."


def likelihood(trial: Trial) -> str:
    """Caption of the log-likelihood."""
    fit, s = trial.learnt.fit, trial.setting
    return f"{LIKELIHOOD} The latest {fit.rounds} rounds, seed {s.base.seed}."


def size(setting: RealDataSetting) -> str:
    """Return the number of runs."""
    return product((setting.seeds, "seed"), (len(setting.methods), "method"))


def racing(setting: RealDataSetting) -> str:
    """Text beside a wait for the race."""
    return f"Learning from the first part, then racing {size(setting)}"
