"""Sentences of one batch in the known order and in one shuffle, from computed numbers only."""

from __future__ import annotations

from common.formats import signed
from lessons.rperp import facts, words
from lessons.rperp.facts import Facts
from lessons.rperp.model import SHUFFLES, STILL, Walkthrough
from lessons.rperp.pulls import Pulls

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
    return f"error at {place(walk)}, where the known order errs most"


def odds(walk: Walkthrough) -> tuple[str, str]:
    """Return how many other shuffles err less than half as much, and how often the best action is lost."""
    out, mixed = walk.runs.lost_best(walk.steps[0].batch)
    return (
        f"<b>{_pulls(walk).less}</b> of {SHUFFLES} shuffles (pale) err less than half as much.",
        f"Best action lost: known order {out}, shuffled {mixed} of {SHUFFLES}.",
    )


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
    arms, last = walk.runs.problem.arm_names, len(walk.steps) - 1
    said = []
    for frame, step in enumerate(walk.steps):
        numbers = facts.of_question(walk, frame)
        here = arms[round(numbers["x"])] if arms else f"x = {numbers['x']:.2f}"
        if not step.heard:
            said.append(_first(numbers, walk.runs.setting.follows))
        elif frame < last:
            said.append(_so_far(numbers, _move(walk, step.heard)))
        else:
            said.append(_last(numbers, here, _moves(walk), walk.runs.setting.follows, repeats))
    return said


def notes(walk: Walkthrough) -> list[str]:
    """Return what the figure does not say by itself: other ways to measure the error."""
    found, at = _pulls(walk), walk.steps[0].batch
    known, mine, median = found.largest
    heard = [
        signed(float((b.band.mean - b.truth)[found.arm])) for b in (walk.runs.runs["PE"][at], walk.runs.batches[at])
    ]
    return [
        f"By the largest error at any place: known order {known:.2f}, this shuffle {mine:.2f}, half of all shuffles at "
        f"most {median:.2f}. Heard with noise, the errors at {place(walk)} are {heard[0]} and {heard[1]}."
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
            f"The environment fixes its moves against the known order. One shuffle asks the same {n} questions in an "
            "order that it cannot know."
        )
    return f"The same {n} questions: in the known order, as they were picked, and in one shuffle."


def _so_far(numbers: Facts, move: str) -> str:
    return (
        f"Question {numbers['question']}: the reward {move}. So far the known order bends the estimate by "
        f"{signed(numbers['known order'])}, one shuffle by {signed(numbers['one shuffle'])}."
    )


def _last(numbers: Facts, here: str, moves: bool, follows: bool, repeats: bool) -> str:
    if not moves:
        return "Nothing moves while this batch is asked: no order bends its estimate."
    known, mine, mean = (abs(numbers[name]) for name in ("known order", "one shuffle", "their average"))
    averaged = f"; {numbers['shuffles']} shuffles, averaged, by {mean:.2f}" if repeats else ""
    who = "Whoever knows the order bends" if follows else "The known order bends"
    return (
        f"{who} the estimate at {here} by <b>{known:.2f}</b>; one shuffle of the same questions by "
        f"<b>{mine:.2f}</b>{averaged}."
    )
