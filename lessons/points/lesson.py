"""A band from a few points: the lesson's record."""

from __future__ import annotations

from dataclasses import replace

from common.formats import number, percent
from lessons.points import model
from lessons.points.model import COVERS, FINDS, LAST, LOUD, MISSES, SMOOTH, STAYS, WIDTH
from lessons.points.recipe import recipe
from lessons.points.scene import frame, question_scene, scene
from lessons.record import SEE, Bet, BetOutcome, Knob, Lesson, Moment, Values
from lessons.shared import queries, worlds
from lessons.task import Facts, Task, TaskVerdict, task_knob

HALF = 0.2  # reward units, the widest mean half of a band that does the task
KNOBS = {
    k.key: k
    for k in (
        Knob("guessed", "Guessed lengthscale $\\ell$", "The learner's belief: up to which distance in x one "
             "observation informs about other actions. The curve's own lengthscale is 0.15.", 0.15, 0.05, 0.5, 0.05),
        Knob("noise", "Noise $\\sigma$", "Typical size of the random error in every observation, in reward units.",
             0.1, options=(0.01, 0.05, 0.1, 0.2, 0.5), widget="stops"),
        Knob("width", "Width $\\beta$", "How many standard deviations the band reaches up and down from the "
             "estimate.", WIDTH, 0.5, 4.0, 0.5),
        Knob("unseen", "Hide the reward", "Shows only what the learner knows, and asks you where to query next.", False,
             widget="toggle"),
        Knob("curve", "Curve (seed)", "The same seed gives the same curve and the same noise.", 11, 0, 99_999, 1,
             widget="number"),
        queries.knob(LAST + 1),
    )
}  # fmt: skip
MISS_BET = Bet(
    question="The learner guesses a lengthscale of 0.5; the curve's own is 0.15. It may query ten times. At how many "
    "actions will its band miss the reward?",
    options={"none": "At none", "tenth": "About 10 %", "third": "About 30 %", "most": "About 60 %"},
    places=(0.0, 10.0, 30.0, 60.0),
    why="A learner that believes a curve to be smooth trusts each observation far around it. In 94 of 100 curves its "
    "band misses the reward at over a quarter of the actions.",
    t=LAST,
    before=2,
    axis="actions at which the band misses (%)",
    values=SMOOTH,
    claim=MISSES,
)


def truth(values: Values, bet: Bet) -> BetOutcome:
    """Return the share of the reward outside the band after the last observation."""
    film = model.points(model.setting_from(values))
    share, half = 100.0 * film.outside[-1].mean(), film.half[-1].mean()
    return BetOutcome(
        right=(bet.nearest(share),),
        numbers={},
        sentence=f"After ten observations the band misses the reward at {share:.0f} % of the actions. It is on average "
        f"±{number(half)} wide.",
        setup=worlds.caption(film.setting.shown),
        value=float(share),
        amount=f"{share:.0f} %",
    )


def _judge(values: Values, facts: Facts) -> TaskVerdict:
    """Return whether the band of at least width 2 covers the reward and is narrow after the last observation, of
    which one at least is the reader's own."""
    half, out, near, far = (
        float(facts[name] or 0.0) for name in ("mean half-width", "outside the band", "narrowest", "widest")
    )
    state = f"on average it is ±{number(half)} wide, and it misses the reward at {percent(out)} of the actions"
    met, by_hand = half < HALF and not out, values["asked"] != LESSON.knobs["asked"].default
    if values["width"] < WIDTH:
        state += f", but the width is below {WIDTH:g}"
    elif met and not by_hand:
        state += ", but no query is by hand"
    why = f"A band is as narrow as its nearest observation is close: ±{number(near)} at the narrowest place, "
    why += f"±{number(far)} at the widest."
    return TaskVerdict(met and by_hand and values["width"] >= WIDTH, state, why)


TASKS = (
    Task(
        key="cover",
        goal=f"With $\\beta$ = {WIDTH:g} or more, query by hand until the band covers the reward and is on average "
        f"narrower than ±{HALF:g}.",
        judge=_judge,
        solved_by={"asked": "_".join(f"{row}-{10 * row + 5}" for row in range(LAST))},
        looks=("unseen",),
        t=0,
    ),
)
LESSON = Lesson(
    key="points",
    group=SEE,
    file="pages/A_band_from_a_few_points.py",
    icon="📍",
    title="A band from a few points",
    question="How do a few points become an estimate and a band?",
    knobs={**KNOBS, **MISS_BET.knobs, **task_knob(TASKS)},
    moments=(
        Moment("two", "Two points", "In 93 of 100 curves the band covers the whole reward: narrow at two "
               "observations, wide elsewhere.", 2, claim=COVERS),
        Moment("smooth", "Too smooth a guess", "The guessed lengthscale is 0.5: in 94 of 100 curves the band misses "
               "the reward at over 25 % of the actions.", LAST, SMOOTH, MISSES),
        Moment("loud", "Noise", "With noise 0.5 an observation says little: after ten of them the band is over ±0.3 "
               "wide everywhere.", LAST, LOUD, STAYS),
        Moment("next", "Where would you query?", "Click where you would query. In 92 of 100 curves the "
               "learner's tenth query, at the band's top, has regret below 0.1.", 3, {"unseen": True}, FINDS),
    ),
    bet=replace(MISS_BET, truth=truth, scene=question_scene),
    tasks=TASKS,
    recipe=recipe,
    controls=lambda values: (("guessed", "noise", "width", "unseen"), ("curve",)),
    scene=scene,
    frame=frame,
    leads=("guessed", "width", "noise"),
)  # fmt: skip
