"""Sentences of one batch in the known order and in one shuffle, from computed numbers only."""

from __future__ import annotations

from common.formats import signed
from lessons.rperp import facts, words
from lessons.rperp.facts import Facts
from lessons.rperp.model import SHUFFLES, STILL, Walkthrough
from lessons.rperp.pulls import Pulls

A_SHUFFLE = '<span class="shuffles">one shuffle</span>'
ONE = '<span class="shuffles">One shuffle</span>'
SEEN = (
    "Bars: what an answer adds to the error, the answer less the batch average f̄ there, times its weight in the final "
    "estimate. Lines: the error if every later answer were that average; at the end the error μ − f̄, without noise. "
    "Pale: 40 other shuffles."
)


def place(walk: Walkthrough) -> str:
    """Return where the known order errs most, as a sentence names it."""
    return words.place(walk.runs, _pulls(walk).arm)


def row_title(walk: Walkthrough, name: str) -> str:
    """Return what stands over the pulls of an order, "fixed" or "shuffled"."""
    return "<b>one shuffle</b>" if name == "shuffled" else "<b>known order</b>: each answer adds to the error"


def curve_title(walk: Walkthrough) -> str:
    """Return what stands over the errors."""
    return f"error at {place(walk)}, worst for the known order"


def odds(walk: Walkthrough) -> str:
    """Return how many other shuffles err less than half as much; "" of a part of a batch, or where nothing moves."""
    if not walk.steps[-1].judged or not _moves(walk):
        return ""
    return f"**{_pulls(walk).less} of {SHUFFLES}** shuffles err less than half as much as the known order."


def labels(walk: Walkthrough) -> list[str]:
    """Return the text beside the player's bar for every frame."""
    n, restart = len(_pulls(walk).known), walk.interval
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
            said.append(_last(numbers, _moves(walk), walk.runs.setting.follows, repeats))
    return said


def notes(walk: Walkthrough) -> list[str]:
    """Return what the figure does not say by itself: other ways to measure the error."""
    found, at = _pulls(walk), walk.steps[0].batch
    out, mixed = walk.runs.lost_best(at)
    known, mine, median = found.largest
    heard = [
        signed(float((b.band.mean - b.truth)[found.arm])) for b in (walk.runs.runs["PE"][at], walk.runs.batches[at])
    ]
    return [
        f"By the largest error at any place: known order {known:.2f}, this shuffle {mine:.2f}, half of all shuffles at "
        f"most {median:.2f}. Heard with noise, the errors at {place(walk)} are {heard[0]} and {heard[1]}. "
        f"Best action lost: known order {out}, shuffled {mixed} of {SHUFFLES}."
    ]


def _pulls(walk: Walkthrough) -> Pulls:
    return walk.runs.pulls(walk.steps[0].batch)


def _moves(walk: Walkthrough) -> bool:
    return float(max(abs(_pulls(walk).known).max(), abs(_pulls(walk).shuffled).max())) > STILL


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
        f"Question {numbers['question']}: the reward {move}. The known order bends the estimate by "
        f"{signed(numbers['known order'])} so far, {A_SHUFFLE} by {signed(numbers['one shuffle'])}."
    )


def _last(numbers: Facts, moves: bool, follows: bool, repeats: bool) -> str:
    if not moves:
        return "Nothing moves while this batch is asked: no order bends its estimate."
    known, mine, mean = (abs(numbers[name]) for name in ("known order", "one shuffle", "their average"))
    who = "Whoever knows the order bends" if follows else "The known order bends"
    if repeats:
        return f"{who} the estimate by <b>{known:.2f}</b>. {ONE}: <b>{mine:.2f}</b>; many, averaged: <b>{mean:.2f}</b>."
    return (
        f"{who} the estimate by\N{NO-BREAK SPACE}<b>{known:.2f}</b>. "
        f"{ONE} of the same {numbers['questions']} questions: <b>{mine:.2f}</b>."
    )
