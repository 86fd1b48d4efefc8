"""Chase the peak: the lesson's knobs and moments."""

from __future__ import annotations

from dataclasses import replace

from common.formats import amount
from lessons.chase import claims, model, words
from lessons.chase.knobs import CHASE, FOLLOW, FORGETFUL, QUIET, STALE, YOURS, controls
from lessons.chase.model import FIRST_TURN, STEPS
from lessons.chase.recipe import recipe
from lessons.chase.scene import frame, question_scene, scene
from lessons.chase.setting import ROUNDS, setting_from
from lessons.chase.tasks import TASKS
from lessons.record import Bet, BetOutcome, Lesson, Moment, Values, printed_sources
from lessons.task import task_knob

CLOSE = 1.25  # totals whose ratio is smaller are about the same


def frame_of(round_: int, step: str) -> int:
    """Return the frame of a step of a round that counts from 1."""
    return (round_ - 1) * len(STEPS) + STEPS.index(step)


PEAK_BET = Bet(
    question="Both learners have found the hill. From round 18 on it moves, then rests again. Which learner has the "
    "lower total regret after 56 rounds?",
    # In the order in which they stand on the stage, and in their colours.
    options={"keep": "The one that keeps all", "forget": "The one that forgets", "same": "About the same"},
    roles={"keep": "keeps", "forget": "forgets"},
    about={
        "keep": "every observation counts fully, however old",
        "forget": "half-life of 10 rounds",
        "same": "within 25 % of each other",
    },
    why="A learner that trusts old observations is confident about the wrong place and keeps querying it.",
    t=frame_of(56, "pay"),
    before=frame_of(18, "pay"),
    axis=f"regret after {ROUNDS} rounds (reward units)",
    values=FOLLOW,
    claim=claims.PAYS_LESS,
)


def truth(values: Values, bet: Bet) -> BetOutcome:
    """Return the learner with the lower regret after the last round."""
    film = model.chase(setting_from(values))
    forgets, keeps = (float(one.paid[-1]) for one in film.learners)
    less, more = sorted((forgets, keeps))
    right = "same" if more < CLOSE * less else "forget" if forgets < keeps else "keep"
    early = [amount(float(one.paid[bet.opens // len(model.STEPS)])) for one in film.learners]
    return BetOutcome(
        right=(right,),
        numbers={"forget": amount(forgets), "keep": amount(keeps)},
        sizes={"forget": forgets, "keep": keeps},
        sentence=f"Regret after {ROUNDS} rounds: {amount(keeps)} for the learner that keeps all, {amount(forgets)} for "
        "the one that forgets.",
        more=f"At the bet it was {early[1]} and {early[0]}.",
        setup=words.caption(film),
    )


LESSON = Lesson(
    key="chase",
    file="home.py",
    icon="⛰️",
    title="Chase the peak",
    question="How do you stay on a hidden peak while it moves?",
    knobs={**CHASE, **PEAK_BET.knobs, **task_knob(TASKS)},
    moments=(
        Moment("still", "Static",
               "Nothing moves. In 94 of 100 worlds a learner that keeps everything is near the peak from round 12.",
               frame_of(claims.SETTLED_FROM, "pay"), claim=claims.SETTLES),
        Moment("moving", "It moves",
               "The hill has moved. In 93 of 100 worlds a learner that keeps everything is now far off the peak.",
               frame_of(claims.STALE_IN, "pay"), STALE, claims.STALE),
        Moment("follow", "Forget, follow",
               "Same moving hill, same noise: the left learner keeps everything, the right one forgets.",
               frame_of(claims.STALE_IN, "pay"), FOLLOW, claims.FOLLOWS),
        Moment("too_much", "Forget too much",
               "The hill moves. With a half-life of 1 round the learner knows little: it searches the whole line.",
               frame_of(claims.STALE_IN, "pay"), FORGETFUL, claims.TOO_MUCH),
        Moment("less_noise", "Less noise",
               "At $V_T$ = 2.2 forgetting's median regret over 30 hills is higher by round 56 with noise 0.05 than "
               "with 0.1.",
               frame_of(ROUNDS, "pay"), QUIET, claims.QUIET_COSTS),
        Moment("your_turn", "Your turn",
               "The hill is hidden and begins to move. You see the learner's observations: what do you query now?",
               frame_of(FIRST_TURN, "choose"), YOURS,
               claim="an invitation"),
    ),
    cites=lambda: printed_sources("lessons/race/help.md"),  # its two learners are among those of the race
    recipe=recipe,
    bet=replace(PEAK_BET, truth=truth, scene=question_scene),
    tasks=TASKS,
    scene=scene,
    frame=frame,
    controls=controls,
    leads=("memory", "drift", "noise"),
)  # fmt: skip
