"""The sentences of the lesson, from computed numbers only: who keeps up, whether forgetting helps, caveats."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lessons.real_data import model
from lessons.real_data.knobs import OWN as OWN_KNOBS
from lessons.real_data.model import OWN, Trial
from lessons.shared.durations import duration
from lessons.shared.escape import escaped
from lessons.shared.knobs import TABLES
from lessons.shared.wording import amount
from tvbo_core.data import Checked, trial
from tvbo_core.policies import BY_NAME

LONG = "The pasted text has {:,} characters or more, too many to paste: load it as a file."
PRIVATE = "Your file stays in this session and is not stored. The link carries settings and a fingerprint, never data."
EMPTY = "Load a table, paste one, or try the example: one row for every time, one column for every arm."
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
    "Appendix B. Shaded: where the log-likelihood is within 1.92 of its best, a 95 % interval if the model holds."
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
SLOW = "The slow methods take a while: the others are shown."
NEAR_RANDOM = 0.9  # share of Random's regret from which a method is called near Random
FORGETTING = tuple(reversed(trial.FORGETTING))  # as they are named where they tie


def awaited(file: str) -> str:
    """Return what is said while no table of the visitor's own is loaded; `file` is the fingerprint of the link."""
    return AWAITED.format(file) if file != "none" else EMPTY


def tally(checked: Checked) -> str:
    """Count the remarks of the checks."""
    warned = sum(not f.ok for f in checked.findings)
    return "all checks passed" if not warned else f"{warned} remark{'s' if warned > 1 else ''}"


def name(shown: Trial) -> str:
    """Name of the table in a sentence."""
    return "your table" if shown.setting.table == OWN else TABLES[shown.setting.table]


def label(shown: Trial, row: int) -> str:
    """The time of a row, as it stands beside the player's bar."""
    return f"t = {row + 1} of {shown.problem.horizon} · {shown.problem.times[row][:19]}"


def finding(shown: Trial, rows: Sequence[int]) -> list[str]:
    """Return the sentence under the question for every frame (HTML)."""
    last = shown.problem.horizon - 1
    so_far = np.cumsum(np.bincount(np.asarray(shown.switches, dtype=int), minlength=last + 1))
    end = f" {verdict(shown)}"
    return [f"{_score(shown, row, int(so_far[row]))}{end if row == last else ''}" for row in rows]


def _score(shown: Trial, row: int, changed: int) -> str:
    order = sorted(shown.average, key=lambda n: shown.average[n][row])
    when = f"After {row + 1} round{'s' if row else ''}"
    moved = f"the best arm has changed <b>{changed} time{'' if changed == 1 else 's'}</b>"
    said = [f"<b>{_safe(order[0])}</b> loses {_loss(shown, order[0], row)} a round"]
    if "GP-UCB" in shown.average and order[0] != "GP-UCB":
        said.append(f"GP-UCB {_loss(shown, 'GP-UCB', row)}")
    elif len(order) > 1:
        said.append(f"{order[1]} {_loss(shown, order[1], row)}")
    said.append(f"the best fixed arm {amount(float(shown.fixed_average[row]))}")
    return f"{when} {moved}; {', '.join(said)}."


def _loss(shown: Trial, method: str, row: int) -> str:
    return amount(float(shown.average[method][row]))


def _safe(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;")


def best_forgetting(shown: Trial) -> str | None:
    """Return the forgetting method with the least median regret, None where none races."""
    racing = [n for n in FORGETTING if n in shown.total]
    return min(racing, key=lambda n: shown.average[n][-1], default=None)


def beats(shown: Trial, method: str, level: np.ndarray) -> bool:
    """Return True if a method loses less than this (k,) regret in most seeds, and clearly less in the median."""
    ends = shown.total[method][:, -1]
    saved = float(np.median(level) - np.median(ends))
    return bool((ends < level).mean() >= SEEDS_SHARE and saved > SAVED_SHARE * float(np.median(level)))


def forgetting_helps(shown: Trial) -> bool | None:
    """Return True if the best forgetting method loses less than GP-UCB and the best fixed arm; None: one is missing."""
    best = best_forgetting(shown)
    if best is None or "GP-UCB" not in shown.total:
        return None
    still = shown.total["GP-UCB"][:, -1]
    return beats(shown, best, still) and beats(shown, best, np.full(len(still), shown.fixed[1].sum()))


def verdict(shown: Trial) -> str:
    """Say in one sentence whether forgetting helps on this table."""
    if not shown.switches:
        return "The best arm never changes here: forgetting can only hurt."
    learners = [n for n in shown.average if n != "Random"]
    chance = shown.average.get("Random")
    if learners and chance is not None and min(shown.average[n][-1] for n in learners) > NEAR_RANDOM * chance[-1]:
        return (
            "All methods do little better than Random: the arms move together or too fast, and regret grows linearly."
        )
    helps, best = forgetting_helps(shown), best_forgetting(shown)
    if helps is None:
        return ""
    saved = 1 - shown.average[best][-1] / max(shown.average["GP-UCB"][-1], 1e-300)
    if helps:
        return f"Forgetting saves <b>{saved:.0%}</b> of GP-UCB's regret."
    if beats(shown, best, shown.total["GP-UCB"][:, -1]):
        return f"{best} loses {saved:.0%} less than GP-UCB, but no less than the best fixed arm."
    if saved > SAVED_SHARE:  # in the median, but not in enough seeds
        ends, still = shown.total[best][:, -1], shown.total["GP-UCB"][:, -1]
        return f"{best} loses {saved:.0%} less than GP-UCB, but only in {(ends < still).sum()} of {len(ends)} seeds."
    return f"Forgetting does not help here: {best} loses nearly as much as GP-UCB."


def bet(shown: Trial, guess: str) -> str:
    """Compare a bet on the number of changes with their count; empty without one."""
    if guess == "none":
        return ""
    count, words = len(shown.switches), OWN_KNOBS["changes"].shown(guess)
    right = ("few", "some", "many")[(count >= 5) + (count > 20)] == guess
    return f"Your bet: {words}. Counted: {count} time{'' if count == 1 else 's'}{', well guessed' if right else ''}."


def notes(shown: Trial, guess: str = "none") -> list[str]:
    """Return what the figure does not say by itself; `guess` is the reader's bet."""
    said = [placed] if (placed := bet(shown, guess)) else []
    fit, arms = shown.learnt.fit, shown.problem.f.shape[1]
    if shown.setting.mixed:
        said.append("The rows are shuffled inside each part and every row keeps its own date, so the dates jump back "
                    "and forth. Rewards and kernel are the same, but yesterday says nothing about today: $V_T$ is "
                    f"now {amount(shown.problem.sup_variation)}.")  # fmt: skip
    said += model.too_large(shown.setting, arms)
    if fit.high >= fit.grid[-1]:
        said.append("The likelihood still rises at ε = 0.99: a round tells nothing about the next one.")
    elif fit.low <= 0:
        said.append("The interval of ε reaches 0: a reward that never changes fits these data too.")
    if shown.train <= arms:
        said.append(f"{shown.train} rows for the covariance of {arms} arms: it is not positive definite, so a small "
                    "number was added to its diagonal.")  # fmt: skip
    if "TV-GP-UCB" in shown.average and shown.average["TV-GP-UCB"][-1] > shown.fixed_average[-1]:
        said.append("TV-GP-UCB loses more than the best fixed arm here: its model of drift does not fit this table.")
    if shown.setting.seeds == 1:
        said.append("With one seed the order of the methods may be chance.")
    return said


def caption(shown: Trial) -> str:
    """Set-up, seeds and source of the numbers."""
    s, p, m = shown.setting, shown.problem, shown.memories
    seeds = f"seeds {s.seed} to {s.seed + s.seeds - 1}" if s.seeds > 1 else f"seed {s.seed}"
    how = f"memory m = {s.memory}" if s.memory else "memories from the first part"
    used = f"{how}: ε = {m.epsilon:.2g}, H = {m.restart}, W = {m.window}, γ = {m.discount:.3g}"
    lines = f"Lines: median of {s.seeds} seeds; thin: single seeds. " if s.seeds > 1 else ""
    arm = p.arm_names[shown.fixed[0]]
    parts = (
        f"{lines}Wall: bright is high, white bars are the best arm, coloured marks the choices of two methods "
        "(first seed); strokes below are changes of the best arm.",
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


def progress(done: int, total: int, left: float) -> str:
    """Return the progress of the slow methods."""
    return f"Racing the slow methods too: {done}/{total} runs done, {duration(left)}"


def pause(stopped: bool) -> str:
    """Return why nothing is running although runs are missing."""
    return "Cancelled: the methods that finished are shown." if stopped else SLOW
