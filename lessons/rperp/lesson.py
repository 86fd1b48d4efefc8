"""R-PERP, step by step: the lesson's knobs and moments."""

from __future__ import annotations

from lessons.record import UNDERSTAND, Bet, Lesson, Moment
from lessons.rperp.knobs import FOLLOWER, FOLLOWS, FURTHER, OWN, RPERP_MORE, RPERP_SHOWN, THREE_BATCHES
from lessons.rperp.recipe import recipe
from lessons.rperp.scene import frame, scene
from lessons.rperp.thumbnail import thumbnail
from lessons.rperp.truth import truth
from lessons.shared.knobs import KINDS, KNOBS

RPERP_BET = Bet(
    question="The environment knows the order of your questions and moves against it. You shuffle them. Averaged over "
    "many shuffles, how large is the error of the estimate, beside that of the known order?",
    options={"same": "As large", "half": "About half", "zero": "About zero"},
    about={
        "same": "each shuffle errs like the fixed order",
        "half": "some of the errors cancel",
        "zero": "nearly all of them cancel",
    },
    places=(1.0, 0.5, 0.0),
    axis="error of the average, as a share of the fixed order's",
    why="One shuffle is not right: each is wrong in a direction that the environment could not choose, and these "
    "errors cancel.",
    t=15,
    hides=((0.76, 0.0, 0.24, 1.0),),  # the repeats
)
RPERP = Lesson(
    number=3,
    group=UNDERSTAND,
    abreast=3,
    file="pages/3_R_PERP.py",
    icon="🔀",
    name="R-PERP, step by step",
    title="R-PERP, step by step",
    question="Why would anyone shuffle the order of their experiments?",
    knobs={
        **{k: (KNOBS | OWN)[k] for k in (*RPERP_SHOWN, *RPERP_MORE)},
        "kind": KNOBS["kind"].replace(
            default=FOLLOWER, options=(FOLLOWER, *KINDS), names={FOLLOWER: "Follows the learner", **KINDS},
            help=f"Follows the learner: a reward that knows the fixed order and moves against it. {KNOBS['kind'].help}",
        ),
        "beta": KNOBS["beta"].replace(
            options=("0.5", "1", "2", "3", "5", "theory", "drift"), names={"theory": "eq. 8", "drift": "derived here"},
            help="The band is β posterior standard deviations wide. A number is a choice for demonstration. Eq. 8: the "
                 "width of Theorem 4, whose absolute constant is here C = 2√2 (derived here). Derived here: the same "
                 "proof, but it pays only for how far the rewards of one batch lie apart.",
        ),
        "V": KNOBS["V"].replace(default=16.0),
        "T": KNOBS["T"].replace(high=400),
        "delta": KNOBS["delta"].replace(default=0.1),
        "seed": KNOBS["seed"].replace(default=81),
        **RPERP_BET.knobs,
    },
    moments=(
        Moment("The paper's Figure 1", "On the left the environment knows the order, and the best action is "
               "eliminated; on the right it cannot know the order.", 15),
        Moment("Three batches", "After eight questions, and after twenty more, fewer candidates are left. The "
               "last batch decides nothing.", 1, THREE_BATCHES),
        Moment("Follows the learner", "Shuffling does not make an estimate right. It makes it wrong in random "
               "directions, and these cancel.", 29, FOLLOWS),
        Moment("A larger swing", "Twice the swing: in the known order the best action is lost every time. Shuffled, it "
               "has a chance.", 15, FURTHER),
    ),
    t=15,
    words="lessons/rperp/help.md",
    bet=RPERP_BET,
    recipe=recipe,
    thumbnail=thumbnail,
    scene=scene,
    frame=frame,
    follows=("beta", "V", "swing", "lam", "delta"),
    truth=truth,
)  # fmt: skip
