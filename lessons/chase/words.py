"""Sentences of the chase from computed numbers: one for each of the four steps of every round."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lessons.chase.model import ROUNDS, STEPS, WIDTH, Chase, Learner
from lessons.shared.wording import amount

ALT = (
    "A reward curve that drifts, a learner's mean and confidence band, the highest point of the band's upper edge, the "
    "noisy reward heard there, the gap to the peak in red, and the gaps of all rounds stacked up"
)
STEP_WORDS = {
    "believe": "believe: mean and band",
    "choose": "choose: its highest point",
    "ask": "ask: a noisy reward",
    "pay": "pay: the gap to the peak",
}
DRAG = "Drag a handle: ● is the hill in round 1, ○ the shape towards which it drifts."


def number(value: float) -> str:
    """Return a number with two decimals and a real minus sign."""
    return f"{value:.2f}".replace("-", "−")


def called(one: Learner) -> str:
    """Return a learner's name beside another one."""
    return "keeps all" if one.memory == "all" else "forgets"


def outside(film: Chase, one: Learner, t: int) -> float:
    """Return the share of places where the hill of round t lies outside the learner's band."""
    f = film.problem.f[t]
    return float(((f > one.upper[t] + 1e-9) | (f < one.lower[t] - 1e-9)).mean())


def finding(film: Chase, unseen: bool) -> list[str]:
    """Return the live sentence of every frame (HTML)."""
    said = []
    for t in range(ROUNDS):
        said += [_believe(film, t, unseen), _choose(film, t, unseen), _ask(film, t, unseen), _pay(film, t, unseen)]
    return said


def _each(film: Chase, values: Sequence[str]) -> str:
    if len(film.learners) == 1:
        return values[0]
    return ", ".join(f"{called(one)}: {value}" for one, value in zip(film.learners, values, strict=True))


def _believe(film: Chase, t: int, unseen: bool) -> str:
    lead = f"<b>Round {t + 1}.</b> "
    if t == 0:
        return (
            lead
            + f"Nothing has been heard yet: the <b>band</b>, mean ± {WIDTH:g} standard deviations, is wide everywhere."
        )
    if unseen:
        return (
            lead + f"{t} noisy reward{'s' * (t > 1)} give a <b>mean</b>, and a <b>band</b> in which the hill may lie."
        )
    lost = [outside(film, one, t) for one in film.learners]
    if len(film.learners) > 1:
        where = [f"{called(one)} at {_share(x)}" for one, x in zip(film.learners, lost, strict=True)]
        return lead + f"The hill lies outside the <b>band</b> of the learner that {', of the one that '.join(where)}."
    sure = "the hill lies inside its <b>band</b>" if not lost[0] else (
        f"its <b>band</b> misses the hill at <span class='bad'>{_share(lost[0])}</span>"
    )  # fmt: skip
    return lead + f"From the rewards heard so far it draws a <b>mean</b>; {sure}."


def _share(value: float) -> str:
    return "no place" if not value else f"{max(value, 0.01):.0%} of the places"


def _choose(film: Chase, t: int, unseen: bool) -> str:
    x = film.problem.x[:, 0]
    own = _each(film, [f"x = {x[one.choice[t]]:.2f}" for one in film.learners])
    yours = dict(film.setting.asked).get(t)
    if yours is not None:
        return f"<b>You</b> choose x = {x[yours]:.2f}. The highest point of the band is at {own}."
    level = all(np.ptp(one.upper[t]) < 1e-9 for one in film.learners)  # before the first reward
    if unseen:
        would = "take the first place" if level else "ask where the band's upper edge is highest"
        return f"<b>Round {t + 1}: where do you ask?</b> Click there. The learner would {would}: {own}."
    if level:
        return f"The <b>upper edge</b> is as high everywhere, for nothing is known: it takes the first place, {own}."
    return f"It asks where the <b>upper edge</b> is highest: {own}. There the mean is high, or little is known."


def _ask(film: Chase, t: int, unseen: bool) -> str:
    heard = [one.history.y[t] for one in film.learners]
    if len(film.learners) > 1 or unseen:
        said = _each(film, [number(y) for y in heard])
        return f"It hears a <b>reward</b>, the height of the hill there plus noise: {said}."
    f = float(film.problem.f[t, film.learners[0].history.arms[t]])
    noise = heard[0] - f
    little = number(abs(noise)) == number(0.0)
    by = "changes nothing" if little else f"{'adds' if noise >= 0 else 'takes away'} {number(abs(noise))}"
    return f"It hears a <b>reward</b> of {number(heard[0])}: the hill is {number(f)} high there, and noise {by}."


def _pay(film: Chase, t: int, unseen: bool) -> str:
    total = [amount(float(one.paid[t])) for one in film.learners]
    if unseen:
        end = (
            f" The last round is over, {_each(film, total)} paid in all. Show the truth to see where."
            if t == ROUNDS - 1
            else ""
        )
        return f"The <b>regret</b> of this round, the gap to the peak, stays hidden.{end}"
    gaps = [number(float(one.history.regret[t])) for one in film.learners]
    if len(film.learners) > 1:
        return f"<b>Regret</b>, the gap to the peak: {_each(film, gaps)}. Paid so far: {_each(film, total)}."
    peak = film.problem.x[film.problem.best[t], 0]
    who = "you" if t in dict(film.setting.asked) else "it"
    if gaps[0] == number(0.0):
        said = f"{who.capitalize()} asked on the peak, at x = {peak:.2f}, or beside it: the <b>regret</b> is {gaps[0]}."
    else:
        said = f"The peak, at x = {peak:.2f}, is {gaps[0]} higher than where {who} asked: the round's <b>regret</b>."
    return f"{said} Paid so far: <b>{total[0]}</b>."


def labels() -> list[str]:
    """Return the text beside the bar, one a frame."""
    return [f"round {t + 1} of {ROUNDS}, {step}" for t in range(ROUNDS) for step in STEPS]


def caption(film: Chase) -> str:
    """Return the set-up with its seed."""
    s = film.setting
    bent = ", shapes bent by hand" if any(s.start + s.end) else ""
    yours = f", {len(s.asked)} question{'s' * (len(s.asked) > 1)} of yours" if s.asked else ""
    names = " and ".join("GP-UCB" if one.memory == "all" else "WGP-UCB" for one in film.learners)
    return (
        f"{names}, width {WIDTH:g}; SE kernel, ℓ = 0.2, $V_T$ = {amount(film.problem.sup_variation)}, σ = {s.noise:g}, "
        f"T = {ROUNDS}, {film.problem.f.shape[1]} actions, seed {s.seed}{bent}{yours}. The learner never sees the hill."
    )
