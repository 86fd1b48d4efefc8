"""Sentences of one batch in the known order and in one shuffle, from computed numbers only."""

from __future__ import annotations

import numpy as np

from common.formats import signed
from lessons.rperp import facts, words
from lessons.rperp.facts import Facts
from lessons.rperp.model import SHUFFLES, STILL, Walkthrough
from lessons.rperp.pulls import Pulls
from lessons.shared import odds as shipped

A_SHUFFLE = '<span class="shuffles">one shuffle</span>'
ONE = '<span class="shuffles">One shuffle</span>'
SEEN = (
    "Every order is read at its own worst x, where its error after the batch is largest. Bars: what an answer adds to "
    "the error, the answer less the batch average f̄ there, times its weight in the final estimate. Lines: the error if "
    "every later answer were that average; at the end the error μ − f̄, without noise. Pale: 40 other shuffles; "
    "dashed at the end: half of 400 shuffles have no larger error at any x."
)
CURVE_TITLE = "error of each order at its own worst x; dashed: the median shuffle"


def row_title(walk: Walkthrough, name: str) -> str:
    """Return what stands over the pulls of an order, "fixed" or "shuffled"."""
    found, shuffled = _pulls(walk), name == "shuffled"
    order, said = (found.shuffled, "one shuffle") if shuffled else (found.known, "known order")
    return f"<b>{said}</b>, at its worst {words.place(walk.runs, int(order.arm))}"


def odds(walk: Walkthrough) -> str:
    """Return in how many worlds the median shuffle helps; "" of a part of a batch, or where nothing follows."""
    if not walk.steps[-1].judged or not walk.runs.setting.follows:
        return ""
    return (
        f"At the opening's settings, in **{shipped.share('rperp/opening')} of 100** worlds the median shuffle's "
        "largest error is under two thirds of the known order's."
    )


def labels(walk: Walkthrough) -> list[str]:
    """Return the text beside the player's bar for every frame."""
    n, restart = len(_pulls(walk).lifted), walk.interval
    where = f"restart {restart}, " if restart > 1 else ""
    return [f"{where}question {step.heard} of {n}" for step in walk.steps]


def finding(walk: Walkthrough, repeats: bool = False) -> list[str]:
    """Return the sentence under the question for every frame (HTML).

    Args:
        repeats: whether the average of all shuffles is shown.
    """
    last = len(walk.steps) - 1
    said = []
    for frame, step in enumerate(walk.steps):
        numbers = facts.of_question(walk, frame)
        if not step.heard:
            said.append(_first(numbers, walk.runs.setting.follows))
        elif frame < last:
            said.append(_so_far(numbers, _move(walk, step.heard)))
        else:
            said.append(_last(numbers, _moves(walk), repeats))
    return said


def notes(walk: Walkthrough) -> list[str]:
    """Return what the figure does not say by itself: other ways to measure the error."""
    found, at = _pulls(walk), walk.steps[0].batch
    out, mixed = walk.runs.lost_best(at)
    noisy = [
        float(np.abs(b.band.mean - b.truth)[b.alive].max()) for b in (walk.runs.runs["PE"][at], walk.runs.batches[at])
    ]
    return [
        f"{found.less} of {SHUFFLES} shuffles have a largest error under half that of the known order. With noise, the "
        f"largest errors over x are {noisy[0]:.2f} (known order) and {noisy[1]:.2f} (this shuffle). "
        f"Best action lost: known order {out}, shuffled {mixed} of {SHUFFLES}."
    ]


def _pulls(walk: Walkthrough) -> Pulls:
    return walk.runs.pulls(walk.steps[0].batch)


def _moves(walk: Walkthrough) -> bool:
    return float(max(np.abs(_pulls(walk).known.pulls).max(), np.abs(_pulls(walk).shuffled.pulls).max())) > STILL


def _move(walk: Walkthrough, k: int) -> str:
    """Return what the reward does before the answer to question k."""
    lifted = _pulls(walk).lifted[k - 1]
    return "stays" if abs(lifted) <= STILL else f"is <b>{'lifted' if lifted > 0 else 'lowered'}</b>"


def _first(numbers: Facts, follows: bool) -> str:
    n = numbers["questions"]
    if follows:
        return (
            f"The environment moves against the known order. {ONE} asks the same {n} questions in an order that it "
            "cannot know."
        )
    return f"The same {n} questions: in the known order, as they were picked, and in {A_SHUFFLE}."


def _so_far(numbers: Facts, move: str) -> str:
    return (
        f"Question {numbers['question']}: the reward {move}. The known order errs by "
        f"{signed(numbers['known order'])} at its worst x, {A_SHUFFLE} by "
        f"{signed(numbers['one shuffle'])} at its own."
    )


def _last(numbers: Facts, moves: bool, repeats: bool) -> str:
    if not moves:
        return "Nothing moves while this batch is asked: no order bends its estimate."
    known, mine, mean = (abs(numbers[name]) for name in ("known order", "one shuffle", "their average"))
    begins = f"Largest error over x: <b>{known:.2f}</b> in the known order, "
    if repeats:
        return f"{begins}<b>{mine:.2f}</b> in {A_SHUFFLE}, <b>{mean:.2f}</b> for the average of all shuffles."
    return f"{begins}<b>{numbers['their median']:.2f}</b> in the median shuffle, <b>{mine:.2f}</b> in this one."
