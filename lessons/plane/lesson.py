"""A hill in the plane: the lesson's record."""

from __future__ import annotations

from dataclasses import replace

from common.formats import amount, percent
from lessons.plane import model
from lessons.plane.model import FORGETS, KEEPS, LAST
from lessons.plane.recipe import recipe
from lessons.plane.scene import question_scene, scene
from lessons.record import SEE, Bet, BetOutcome, Knob, Lesson, Moment, Values
from lessons.shared import worlds
from lessons.shared.knobs import KINDS, KNOBS, WORLD
from lessons.task import Facts, Task, TaskVerdict, task_knob

SHOWN = ("travel", "glide", "jumps", "cyclic", "rough", "markov")
GLIDE = {"kind": "glide", "V": 1.0}
VIEW = Knob(
    "view",
    "View",
    "Estimate: each learner's estimate of the reward. Band: half the width of its confidence band, hatched where the "
    "reward lies outside.",
    "estimate",
    options=("estimate", "band"),
    widget="segmented",
    names={"estimate": "Estimate", "band": "Band"},
)
PLANE_BET = Bet(
    question="A landscape with several hills glides slowly into another one: its drift adds up to 1 in 200 rounds. "
    "Which learner has the lower regret after them?",
    options={"keep": "The one that keeps everything", "forget": "The one that forgets", "same": "About the same"},
    roles={"keep": "keeps", "forget": "forgets"},
    about={
        "keep": "every observation counts fully",
        "forget": f"memory m = {model.MEMORY}: at age {model.MEMORY} an observation has 0.37 of its weight",
        "same": "within 10 % of each other",
    },
    why="The plane is large, so a learner that forgets has to explore it again and again. Here the peak moves so "
    "little that old observations still point to it.",
    t=LAST,
    before=20,
    axis=f"regret after {LAST} rounds (reward units)",
    values=GLIDE,
    claim=model.COSTS,
)


def truth(values: Values, bet: Bet) -> BetOutcome:
    """Return the learner with the lower regret after the last round."""
    film = model.plane(model.setting_from(values))
    keeps, forgets = (float(one.regret[-1]) for one in film.learners)
    less, more = sorted((keeps, forgets))
    return BetOutcome(
        right=("same" if more < model.SAME * less else "keep" if keeps < forgets else "forget",),
        numbers={"keep": amount(keeps), "forget": amount(forgets)},
        sizes={"keep": keeps, "forget": forgets},
        sentence=f"Regret after {film.problem.horizon} rounds: {amount(keeps)} for keeping everything, "
        f"{amount(forgets)} for forgetting.",
        setup=worlds.caption(film.setting.world),
    )


def _judge(values: Values, facts: Facts) -> TaskVerdict:
    """Return whether keeping everything has the lower regret in the end, and only the drift is lowered for it."""
    keeps, forgets = (facts[f"{name}: regret"] for name in (KEEPS, FORGETS))
    missed = facts[f"{KEEPS}: outside the band"]
    assert keeps is not None and forgets is not None and missed is not None
    opens = LESSON.defaults
    missing = ""
    if TASKS[0].changed(LESSON.knobs, {**values, "V": opens["V"], "seed": opens["seed"]}):
        missing = ", but other settings than the drift are changed"
    elif not 0 < values["V"] < opens["V"]:
        missing = f", but the drift is not between 0 and {opens['V']:g}"
    state = f"after {facts['t']} rounds keeping everything has regret {amount(keeps)}, forgetting {amount(forgets)}"
    return TaskVerdict(
        keeps < forgets and not missing,
        state + missing * (keeps < forgets),
        f"After this drift the band of keeping everything still covers {percent(1.0 - missed)} of the plane.",
    )


TASKS = (
    Task(
        key="little",
        goal="Let the hill drift so little that keeping everything has the lower regret after all rounds.",
        judge=_judge,
        solved_by={"V": 0.5},
        looks=("view",),
        t=LAST,
    ),
)
LESSON = Lesson(
    key="plane",
    group=SEE,
    file="pages/A_hill_in_the_plane.py",
    icon="🗺️",
    title="A hill in the plane",
    question="How do you follow a peak that moves in two dimensions?",
    knobs={
        "kind": KNOBS["kind"].replace(default="travel", options=SHOWN, names={kind: KINDS[kind] for kind in SHOWN}),
        "V": KNOBS["V"].replace(default=2.0, high=6.0, acts=({"kind": tuple(k for k in SHOWN if k != "markov")},)),
        "m": KNOBS["m"].replace(
            default=model.MEMORY,
            options=(5, 10, 20, 30, 60, 120),
            names=None,
            help="Memory of the learner that forgets: an observation of age a, the newest being of age 1, counts "
            "(1 − 1/m)ᵃ⁻¹. All weights together are at most m.",
        ),
        "nu": KNOBS["nu"],
        "seed": KNOBS["seed"],
        "view": VIEW,
        **PLANE_BET.knobs,
        **task_knob(TASKS),
    },
    world=WORLD,
    moments=(
        Moment("follow", "Forget, and follow", "The hill has moved. In 92 of 100 worlds forgetting has under "
               "80 % of the regret of keeping everything by t = 160.", model.FOLLOWS_AT, claim=model.FOLLOWS),
        Moment("miss", "Confident, and wrong", "Dark is confident, hatched is wrong: keeping everything is wrong "
               "over more of the plane.", model.FOLLOWS_AT, {"view": "band"}, model.MISSES),
        Moment("glide", "A slow glide", "The landscape glides slowly into another one, with drift 1 in all: forgetting "
               "has more regret after 200 rounds.", LAST, GLIDE, model.COSTS),
    ),
    bet=replace(PLANE_BET, truth=truth, scene=question_scene),
    tasks=TASKS,
    recipe=recipe,
    controls=lambda values: (("kind", "V", "m", "nu", "view"), ("seed",)),
    scene=scene,
    leads=("m", "V"),
)  # fmt: skip
