"""The lesson's record: What holds then?"""

from __future__ import annotations

from dataclasses import replace

from common.formats import number, percent
from lessons.online import model
from lessons.online.model import FOLLOWS, KEEPS, LAST, MEMORY, NEAR, STEP, STILL, TIMID
from lessons.online.recipe import recipe
from lessons.online.scene import frame, question_scene, scene, widths
from lessons.record import SEE, Bet, BetOutcome, Knob, Lesson, Moment, Values
from lessons.shared import worlds
from lessons.shared.knobs import KINDS, KNOBS, WORLD
from lessons.task import Facts, Task, TaskVerdict, task_knob

SHOWN = ("jumps", "glide", "travel", "cyclic", "rough", "still")
MOVES = tuple(kind for kind in SHOWN if kind != "still")
LEAST, WIDEST, DRIFT = 0.88, 0.6, 4.0  # share, mean half-width and V_T of the task
ETA = Knob(
    "eta",
    "Step $\\eta$",
    "How much the width of the third band moves: after a miss up by η(1 − δ), after a hit down by ηδ, with δ = 0.1, in "
    "multiples of the band's own scale.",
    STEP,
    options=(0.05, 0.1, 0.2, 0.5, 1.0, 2.0),
    widget="stops",
)
HOLDS_BET = Bet(
    question="The reward jumps. Three bands each aim to have 90 % of the next observations inside. Which one is "
    f"within 3 points of that after {LAST}?",
    options={"keep": "The one that keeps all", "forget": "The one that forgets", "follow": "The one that adapts to "
             "its misses", "none": "None of them"},
    roles={"keep": "keeps", "forget": "forgets", "follow": "shuffles"},
    about={
        "keep": "a Gaussian process that trusts every observation",
        "forget": f"the same, with memory m = {MEMORY}",
        "follow": "wider after each miss, narrower after each hit",
        "none": "after a jump every band is wrong",
    },
    why="The first two compute their width from a model without jumps. The third looks only at its own misses. It "
    "keeps its share, and pays with width.",
    t=LAST,
    before=LAST - 35,
    axis="observations inside (%)",
    claim=model.HOLDS,
)  # fmt: skip


def truth(values: Values, bet: Bet) -> BetOutcome:
    """Return which bands have nine in ten of the observations inside in the end."""
    film = model.online(model.setting_from(values))
    shares = [float(one.widths.share_inside[-1]) for one in film.intervals]
    words = ("keep", "forget", "follow")
    near = tuple(word for word, share in zip(words, shares, strict=True) if abs(share - 1.0 + model.DELTA) <= NEAR)
    texts = [f"{100.0 * share:.1f} %" for share in shares]
    return BetOutcome(
        right=near or ("none",),
        numbers=dict(zip(words, texts, strict=True)),
        sizes={word: 100.0 * share for word, share in zip(words, shares, strict=True)},
        sentence=f"Inside after {film.rounds} observations: {texts[0]} keeping all, {texts[1]} forgetting, {texts[2]} "
        "adapting to the misses.",
        more=f"Their mean half-widths are ±{', ±'.join(widths(film))}.",
        setup=worlds.caption(film.setting.world),
    )


def _judge(values: Values, facts: Facts) -> TaskVerdict:
    """Return whether the third band keeps its share in a world that jumps, and is narrow."""
    share, half = (float(facts[f"{FOLLOWS}: {name}"] or 0.0) for name in ("share inside", "mean half-width"))
    state = f"{percent(share)} are inside at ±{number(half)}"
    moves = values["kind"] == "jumps" and float(values["V"]) >= DRIFT
    state += "" if moves else f", but the world does not jump by $V_T$ of at least {DRIFT:g}"
    kept = float(facts[f"{KEEPS}: share inside"] or 0.0)
    why = f"Its centre forgets with memory {values['m']}, so it is soon near the reward again; the band that keeps all "
    why += f"has {percent(kept)} inside."
    return TaskVerdict(moves and share >= LEAST and half < WIDEST, state, why)


TASKS = (
    Task(
        key="narrow",
        goal=f"Where the world jumps ($V_T$ at least {DRIFT:g}), let the third band keep {percent(LEAST)} with a mean "
        f"half-width below {WIDEST:g}.",
        judge=_judge,
        solved_by={"m": 5, "eta": 0.1},
        t=LAST,
    ),
)
LESSON = Lesson(
    key="online",
    group=SEE,
    file="pages/What_holds_then.py",
    icon="🧷",
    title="What holds then?",
    question="Which band keeps its promise while the reward moves?",
    knobs={
        "kind": KNOBS["kind"].replace(default="jumps", options=SHOWN, names={kind: KINDS[kind] for kind in SHOWN}),
        "V": KNOBS["V"].replace(default=4.0, acts=({"kind": MOVES},)),
        "m": KNOBS["m"].replace(
            default=MEMORY,
            options=(5, 10, 20, 40, 80),
            names=None,
            help="Memory of the second and the third band, which share one centre: an observation of age a (newest: 1) "
            "counts (1 − 1/m)ᵃ⁻¹.",
        ),
        "eta": ETA,
        "sigma": KNOBS["sigma"],
        "nu": KNOBS["nu"].replace(default="3/2"),
        "seed": KNOBS["seed"],
        **HOLDS_BET.knobs,
        **task_knob(TASKS),
    },
    world=WORLD,
    moments=(
        Moment("holds", "What holds then?", "The reward jumps. The band that adapts to its misses keeps its 90 %; the "
               "two that trust their model do not.", LAST, claim=model.HOLDS),
        Moment("still", "Nothing moves", "In this static world each band holds 90 % or more. The one that adapts is "
               "under 1.1 times as wide as forgetting.", LAST, STILL, model.COSTS),
        Moment("timid", "Too small a step", "A small step reacts slowly: in 87 of 100 worlds the share is below "
               "85 % after 200 rounds. Nothing is proved so early.", LAST, TIMID, model.SLOW),
    ),
    bet=replace(HOLDS_BET, truth=truth, scene=question_scene),
    tasks=TASKS,
    recipe=recipe,
    controls=lambda values: (("V", "m", "eta", "sigma", "kind"), ("nu", "seed")),
    scene=scene,
    frame=frame,
    leads=("V", "eta", "m"),
)  # fmt: skip
