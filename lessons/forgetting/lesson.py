"""Forgetting: the lesson's knobs and moments."""

from __future__ import annotations

from common.formats import amount
from lessons.forgetting import claims, model
from lessons.forgetting.knobs import ACTS, FIGURE_2C, FORGETTING_MORE, FORGETTING_SHOWN, MEMORY_STEPS, OWN
from lessons.forgetting.recipe import recipe
from lessons.forgetting.scene import RUNS, WEIGHTS, has_frame, question_scene, scene
from lessons.forgetting.tasks import TASKS
from lessons.record import DATA, SEE, Bet, BetOutcome, Lesson, Moment, Values
from lessons.shared import worlds as world
from lessons.shared.knobs import KNOBS, METHODS, WORLD, with_acts, with_hill
from lessons.shared.stored_runs import played
from lessons.task import task_knob

FORGETTING_BET = Bet(
    question="In the jumping world: with how many past steps that count, $m$, does R-GP-UCB lose least?",
    options={str(m): str(m) if m < 1000 else f"{m // 1000}k" for m in MEMORY_STEPS},
    about={"5": "starts over every 10 steps", "40": "every 80 steps", "160": "from here on never within T = 300"},
    axis="regret after 300 rounds, by memory m",
    why="Too short a memory cannot average the noise away, too long a one believes in rewards that have gone.",
    t=300,
    values={"kind": "jumps"},
    claim=claims.BOWL,
)


def truth(values: Values, bet: Bet) -> BetOutcome:
    """Return the memory with the lowest final regret in the jumping world, and those that may be as low by chance."""
    past, every = model.settings_from(values)
    setting = every.bowl(past.world)
    runs = played(model.jobs(setting), model.FILE)
    found = model.gather(setting, runs, (past.world.horizon - 1,)).front(0)
    pays = {str(m): float(p) for m, p in zip(MEMORY_STEPS, found.median[:, -1], strict=True)}
    m = MEMORY_STEPS[found.best()]
    ends = str(MEMORY_STEPS[0]), str(MEMORY_STEPS[-1])
    near = [str(MEMORY_STEPS[i]) for i in found.as_low()]
    beside = f"; m = {' and '.join(near)} may be as low, by chance" if near else ""
    return BetOutcome(
        right=(str(m), *near),
        numbers={word: amount(p) for word, p in pays.items()},
        sizes=pays,
        sentence=f"{METHODS[setting.front]} loses least with m = {m}: {amount(pays[str(m)])}.",
        more=f"With m = {ends[0]} it loses {amount(pays[ends[0]])}, with m = {ends[1]} "
        f"{amount(pays[ends[1]])}{beside}.",
        setup=f"Median of {found.seeds} seeds: {world.caption(past.world)} to {setting.numbers[-1]}, "
        f"width β = {setting.width}.",
    )


LESSON = Lesson(
    key="forgetting",
    group=SEE,
    file="pages/Forgetting.py",
    icon="🍂",
    title="Forgetting",
    question="How much of yesterday should I keep?",
    knobs=with_acts({
        **{k: (KNOBS | OWN)[k] for k in (*FORGETTING_SHOWN, *FORGETTING_MORE, "reshaped")},
        **FORGETTING_BET.knobs,
        **task_knob(TASKS),
        "m": KNOBS["m"].replace(
            default=40, options=MEMORY_STEPS, names=None,
            help="Past steps that count, roughly. Sets the restart interval H = 2m (R-GP-UCB, R-PERP), the window "
            "W = m, the discount γ = 1 − 1/m and the change per step ε = 2/m. GP-UCB keeps everything; the injected "
            "uncertainty has its own α, under More…",
        ),
        "kind": with_hill(KNOBS["kind"].replace(default="jumps")),
        "V": KNOBS["V"].replace(default=8.0),
        "T": KNOBS["T"].replace(default=300, low=100, high=500),
        "switches": KNOBS["switches"].replace(default=2),
        "seeds": KNOBS["seeds"].replace(default=10),
        "beta": KNOBS["beta"].replace(
            options=("0.5", "1", "2", "3", "5", "log"),
            help="Every method is optimistic by β standard deviations. log: β = 2√(ln t), growing slowly.",
        ),
        "alpha": KNOBS["alpha"].replace(
            help="How fast old data go stale for the method that injects uncertainty: an observation of age a counts "
            "1/(1 + a^α) (Mauduit et al.: α). In a rough world also the roughness of the walk.",
        ),
    }, ACTS),
    world=WORLD,
    moments=(
        Moment("bowl", "The bowl", "Remember too little: noise. Too much: history. The bowl is the whole subject.", 300,
               claim=claims.BOWL),
        Moment("sawtooth", "A restart forgets all",
               "The memory is full. Step on to t = 81: a restart forgets everything at once.", 80,
               free="a schedule: no chance in it"),
        Moment("bogunovic", "Bogunovic et al., Figure 2c",
               "Believe in far too much change, or in none at all: either way you "
               "pay more than one and a half times the least.", 200, FIGURE_2C, claims.BOTH_BELIEFS),
    ),
    t=300,
    claim=claims.BOWL,
    words="lessons/forgetting/help.md",
    bet=FORGETTING_BET,
    recipe=recipe,
    controls=lambda values: (FORGETTING_SHOWN, FORGETTING_MORE),
    runs=RUNS,
    scene=scene,
    question_scene=question_scene,
    is_instant=RUNS.is_instant,
    tables=(DATA, WEIGHTS),
    has_frame=has_frame,
    leads=("m",),
    follows=("m", "place", "own_r", "own_sw", "own_wgp", "own_tv", "alpha"),
    charts=("weights", "beliefs", "worlds"),
    truth=truth,
    tasks=TASKS,
)  # fmt: skip
