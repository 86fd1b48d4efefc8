"""Sentences of one batch in the known order and in one shuffle, from computed numbers only."""

from __future__ import annotations

import numpy as np

from common.formats import signed
from lessons.rperp import claims, facts, words
from lessons.rperp.facts import Facts
from lessons.rperp.model import SHUFFLES, STILL, Walkthrough, is_moving
from lessons.rperp.pulls import Pulls
from lessons.shared.odds import Odds

A_SHUFFLE = '<span class="shuffles">one shuffle</span>'
ONE = '<span class="shuffles">One shuffle</span>'
SEEN = (
    "The error is the estimate μ minus the average reward f̄ of the batch, without noise. Each order is drawn at "
    "its own worst x, where its error after the batch is largest. Bars: the error that one observation adds, which is "
    "its distance from f̄ times its weight in the estimate. Lines: the bars added up; the start is the error without "
    "drift. Pale: 40 other shuffles. Dashed: plus and minus the median of the largest errors of 400 shuffles."
)
CURVE_TITLE = "error so far, each order at its worst x (reward units)"
OTHERS = "pale: 40 other orders, dashed at the end: the median order"


def row_title(walk: Walkthrough, name: str) -> str:
    """Return what stands over the pulls of an order, "fixed" or "shuffled"."""
    found, shuffled = _pulls(walk), name == "shuffled"
    order, parts = (found.shuffled, "one shuffle") if shuffled else (found.known, "known order")
    return f"<b>{parts}</b>: error added by each query, {words.place(walk.runs, int(order.arm))}"


def odds(walk: Walkthrough) -> str:
    """Return in how many worlds the median shuffle helps; "" before the last query, and where nobody has counted."""
    if not walk.steps[-1].judged or not claims.counted(walk.runs.setting):
        return ""
    return Odds("rperp/one_shuffle", claims.MEDIAN, "worlds").line()


def labels(walk: Walkthrough) -> list[str]:
    """Return the text beside the player's bar for every frame."""
    n = len(_pulls(walk).lifted)
    return [f"query {step.heard} of {n}" for step in walk.steps]


def finding(walk: Walkthrough) -> list[str]:
    """Return the sentence under the question for every frame (HTML)."""
    last = len(walk.steps) - 1
    parts = []
    for frame, step in enumerate(walk.steps):
        numbers = facts.of_question(walk, frame)
        if not step.heard:
            parts.append(_first(numbers, walk.runs.setting.follows and walk.runs.problem.sup_variation > 0))
        elif frame < last:
            parts.append(_so_far(numbers, _move(walk, step.heard)))
        else:
            parts.append(_last(numbers, is_moving(_pulls(walk)), walk.runs.setting.follows))
    return parts


def notes(walk: Walkthrough) -> list[str]:
    """Return other measures of the error, which the figure does not show."""
    found = _pulls(walk)
    noisy = [
        float(np.abs(b.band.mean - b.truth)[b.alive].max()) for b in (walk.runs.run("PE")[0], walk.runs.batches[0])
    ]
    return [
        f"{found.less} of {SHUFFLES} shuffles have under half of the known order's largest error. With noise, the "
        f"largest errors over x are {noisy[0]:.2f} (known order) and {noisy[1]:.2f} (this shuffle)."
    ]


def _pulls(walk: Walkthrough) -> Pulls:
    return walk.runs.pulls(0)


def _move(walk: Walkthrough, k: int) -> str:
    """Return what the reward does before observation k."""
    lifted = _pulls(walk).lifted[k - 1]
    return "stays" if abs(lifted) <= STILL else f"is <b>{'lifted' if lifted > 0 else 'lowered'}</b>"


def _first(numbers: Facts, lifts: bool) -> str:
    n = numbers["queries"]
    if lifts:
        return (
            f"The adversary moves the reward against the known order. {ONE} has the same {n} queries, in an order it "
            "cannot know."
        )
    return f"The same {n} queries: in the known order, as they were picked, and in {A_SHUFFLE}."


def _so_far(numbers: Facts, move: str) -> str:
    return (
        f"Query {numbers['query']}: the reward {move}. Error so far: {signed(numbers['known order'])} in the known "
        f"order, {signed(numbers['one shuffle'])} in {A_SHUFFLE}."
    )


def _last(numbers: Facts, moves: bool, follows: bool) -> str:
    if not moves:
        return "The reward does not move during this batch, so no order biases the estimate."
    who = "Against the adversary the" if follows else "The"
    known, median = (f"<b>{abs(numbers[name] or 0.0):.2f}</b>" for name in ("known order", "their median"))
    return f"{who} known order errs by {known}, the median random order by {median}."
