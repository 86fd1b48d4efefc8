"""Forgetting: the lesson's knobs and moments."""

from __future__ import annotations

from lessons.forgetting.knobs import FIGURE_2C, FORGETTING_MORE, FORGETTING_SHOWN, MEMORY_STEPS, OWN
from lessons.forgetting.recipe import recipe
from lessons.forgetting.scene import frame, scene
from lessons.forgetting.thumbnail import thumbnail
from lessons.forgetting.truth import truth
from lessons.record import SEE, Bet, Lesson, Moment
from lessons.shared.knobs import KNOBS

FORGETTING_BET = Bet(
    question="In the jumping world: with how many past steps that count, $m$, does R-GP-UCB lose least?",
    options={str(m): str(m) for m in MEMORY_STEPS},
    about={"5": "starts over every 10 steps", "40": "every 80 steps", "160": "from here on never within T = 300"},
    places=tuple(float(m) for m in MEMORY_STEPS),
    axis="memory m",
    log=True,
    why="Too short a memory cannot average the noise away, too long a one believes in rewards that have gone.",
    t=300,
    hides=((0.5, 0.0, 0.5, 1.0),),  # regret against memory
    values={"kind": "jumps"},
    own="bet",
)
FORGETTING = Lesson(
    number=6,
    group=SEE,
    abreast=4,
    file="pages/6_Forgetting.py",
    icon="🍂",
    title="Forgetting",
    question="How much of yesterday should I keep?",
    knobs={
        **{k: (KNOBS | OWN)[k] for k in (*FORGETTING_SHOWN, *FORGETTING_MORE)},
        **FORGETTING_BET.knobs,
        "m": KNOBS["m"].replace(
            default=40, options=MEMORY_STEPS, names=None,
            help="Past steps that count, roughly. Sets the restart interval H = 2m (R-GP-UCB, R-PERP), the window "
            "W = m, the discount γ = 1 − 1/m and the change per step ε = 2/m. GP-UCB keeps everything; the injected "
            "uncertainty has its own α, under More…",
        ),
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
    },
    moments=(
        Moment("The bowl", "Remember too little: noise. Too much: history. The bowl is the whole subject.", 300),
        Moment("Restart sawtooth", "Step over t = 81: one of these memories has just lost everything.", 81),
        Moment("Bogunovic et al., Figure 2c", "Believe in far too much change, or in none at all: either way you "
               "pay more than one and a half times the least.", 200, FIGURE_2C),
    ),
    t=300,
    words="lessons/forgetting/help.md",
    bet=FORGETTING_BET,
    recipe=recipe,
    thumbnail=thumbnail,
    scene=scene,
    frame=frame,
    follows=("m", "place", "own_r", "own_sw", "own_wgp", "own_tv", "alpha"),
    truth=truth,
)  # fmt: skip
