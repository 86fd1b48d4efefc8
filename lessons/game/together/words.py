"""The sentences of a hall's game, from computed numbers only."""

from __future__ import annotations

import math
from collections.abc import Sequence

from common.formats import ordinal, plural, three_digits
from lessons.game.together import model
from lessons.game.together.memory import LEAST, MEMORIES
from lessons.game.together.model import HALL, KIND, ROUNDS, Crowd
from lessons.game.words import MOVING, set_up

ABOUT = (
    f"A reward hides over the actions x from 0 to 1, and it {MOVING[KIND]}. In each of {ROUNDS} rounds choose an "
    "x: you get its reward, with noise. Collect as much as you can."
)
PLAYS = f"Find the hidden peak: {ROUNDS} rounds on your phone, at your own pace."


def length(m: float) -> str:
    """Return a memory in rounds, as in "m = 14"."""
    return "∞" if math.isinf(m) else f"{m:g}"


def forgets(found: Crowd) -> str:
    """Return which memory fits the hall, with its interval; where its queries tell none, or are too few, that."""
    fit = found.fit
    if fit is None:
        return f"This hall needs {LEAST} whole games to fit a memory, and has {len(found.arms)}"
    if (fit.low, fit.high) == (MEMORIES[0], MEMORIES[-1]):
        return "Every memory explains this hall's queries about equally well"
    if math.isinf(fit.best):
        return f"This hall forgets nothing (m = ∞, at least {length(fit.low)})"
    return f"This hall forgets like m = {length(fit.best)} ({length(fit.low)} to {length(fit.high)})"


def sentence(found: Crowd, row: int) -> str:
    """Return the sentence of a round; the last one says which memory fits."""
    facts = model.facts(found, row)
    regret, place = three_digits(facts[f"{HALL}: regret"]), ordinal(facts[f"{HALL}: place"])
    if row < found.problem.horizon - 1:
        return f"Round {row + 1}: the hall's median regret so far is {regret}, {place} of {facts['players']}."
    return f"<b>{forgets(found)}</b>; its median regret came {place}."


def notes(found: Crowd) -> list[str]:
    """Return how many phones count."""
    late = f" Not counted: {plural(found.left, 'phone')} that did not come to the last round." if found.left else ""
    return [f"{plural(len(found.arms), 'phone')} played all {ROUNDS} rounds.{late}"]


def assumes(found: Crowd) -> str:
    """Return what the memory of the hall assumes, "" where none fits."""
    fit = found.fit
    if fit is None:
        return ""
    return (
        "The memory assumes that every phone chooses by a softmax over WGP-UCB's index, mean + 2 sd of its own "
        "observations, whose weight falls by the factor 1 − 1/m a round; that it knows kernel and noise; and that all "
        f"share m and the temperature (fitted: {three_digits(fit.temperature)}). Interval: middle 95 % over draws of "
        f"{plural(fit.phones, 'phone')}, and a step of m more on each side."
    )


def caption(found: Crowd) -> str:
    """Return the set-up of the numbers on screen."""
    return set_up(found.setting, found.rivals)


def result(world: str, arms: Sequence[int]) -> str:
    """Return how a phone's queries did beside the bandits, to be shown after the reveal."""
    mine, rivals = model.result(world, arms)
    best = min(rivals, key=rivals.__getitem__)
    less = sum(one < mine for one in rivals.values())
    when = "" if len(arms) == ROUNDS else f" after {plural(len(arms), 'round')}"
    have = "has" if less == 1 else "have"
    return (
        f"Your regret{when} is {three_digits(mine)}. {less} of {len(rivals)} algorithms {have} less; the best, {best}, "
        f"has {three_digits(rivals[best])}."
    )
