"""R-PERP, step by step: the lesson's knobs and moments."""

from __future__ import annotations

from lessons.record import UNDERSTAND, Bet, BetOutcome, Lesson, Moment, Values
from lessons.rperp import claims, model, words
from lessons.rperp.knobs import (
    ACTS,
    FIRST_BATCH,
    FIVE,
    FOLLOWER,
    OWN,
    REPEATS,
    RPERP_MORE,
    RPERP_SHOWN,
    THREE_BATCHES,
    T,
    controls,
)
from lessons.rperp.recipe import recipe
from lessons.rperp.scene import has_frame, question_scene, scene
from lessons.shared import worlds
from lessons.shared.knobs import HILL, KINDS, KNOBS, WORLD, with_acts

THREADS = 8  # other shuffles, behind
QUESTIONS = 15  # of the batch that the page opens with
RPERP_BET = Bet(
    question="The environment knows the order of your 15 questions and moves against it. You shuffle them, once. At "
    "the place where the known order errs most, how large is the error then?",
    options={"same": "As large, or larger", "half": "At least half as large", "less": "Less than half as large"},
    about={
        "same": "one shuffle is as good as another",
        "half": "some of the errors cancel",
        "less": "most of the errors cancel",
    },
    places=(1.25, 0.75, 0.25),  # the middles of 1 to 1.5, of 0.5 to 1 and of 0 to 0.5
    ranges=True,
    axis="error, as a share of the known order's",
    why="In the known order nearly all answers pull the estimate the same way; in one shuffle they pull both ways, and "
    "most of it cancels.",
    t=QUESTIONS,
    before=0,
    claim=claims.CANCELS,
)


def truth(values: Values, bet: Bet) -> BetOutcome:
    """Return the error of one shuffle beside that of the known order, where that errs most."""
    runs = model.paired_runs(model.setting_from(values))
    found, n = runs.pulls(0), len(runs.batches[0].picks)
    known, mine = (abs(float(found.error(each))) for each in (found.known, found.shuffled))
    return BetOutcome(
        right=(bet.nearest(found.share),),
        numbers={},
        value=found.share,
        said=f"{found.share:.2f}",
        sentence=f"At {words.place(runs, found.arm)} the known order errs by {known:.2f}, this shuffle by {mine:.2f}.",
        more=f"{found.less} of {model.SHUFFLES} other shuffles err less than half as much as the known order.",
        setup=f"The first batch, {n} questions, without noise, H = {runs.H}; follows the learner with a swing of "
        f"{runs.swing:g}: {worlds.caption(runs.setting.world).removeprefix('still, ')}.",
    )


LESSON = Lesson(
    key="rperp",
    group=UNDERSTAND,
    file="pages/R_PERP.py",
    icon="🔀",
    name="R-PERP, step by step",
    title="R-PERP, step by step",
    question="Why would anyone shuffle the order of their experiments?",
    knobs=with_acts({
        **{k: (KNOBS | OWN)[k] for k in (*RPERP_SHOWN, "grain", *RPERP_MORE)},
        "reshaped": KNOBS["reshaped"],
        "kind": KNOBS["kind"].replace(
            default=FOLLOWER, options=(FOLLOWER, *KINDS, *HILL),
            names={FOLLOWER: "Follows the learner", **KINDS, **HILL},
            help=f"Follows the learner: a reward that knows the fixed order and moves against it. {KNOBS['kind'].help}",
        ),
        "beta": KNOBS["beta"].replace(
            options=("0.5", "1", "2", "3", "5", "theory", "drift"), names={"theory": "eq. 8", "drift": "derived here"},
            help="The band is β posterior standard deviations wide. A number is a choice for demonstration. Eq. 8: the "
                 "width of Theorem 4, whose absolute constant is here C = 2√2 (derived here). Derived here: the same "
                 "proof, but it pays only for how far the rewards of one batch lie apart.",
        ),
        "V": KNOBS["V"].replace(default=16.0),
        "T": T,
        "delta": KNOBS["delta"].replace(default=0.1),
        "ell": KNOBS["ell"].replace(default=0.4),
        "seed": KNOBS["seed"].replace(default=4),
        **RPERP_BET.knobs,
    }, ACTS),
    world=WORLD,
    moments=(
        Moment("one_shuffle", "One shuffle",
               "In the known order the errors of the answers add up. In one shuffle of the same "
               "questions most of them cancel.", QUESTIONS, claim=claims.CANCELS),
        Moment("batches", "Three batches",
               "After eight questions, and after twenty more, fewer candidates are left. The "
               "last batch decides nothing.", 1, THREE_BATCHES, claims.FEWER),
        Moment("lines", "Line by line",
               "One batch: plan its questions, shuffle them, ask them, and drop the actions that "
               "cannot be the best.", 29, FIRST_BATCH, claims.DROPS),
        Moment("five", "Five questions",
               "A batch of five is too short: more than one shuffle in five errs over half as much.",
               5, FIVE, claims.TOO_FEW),
        Moment("averages", "Averages over 400 shuffles",
               "Averaged over 400 shuffles next to nothing is left. But a run shuffles "
               "a batch only once.", QUESTIONS, REPEATS, claims.AVERAGES),
    ),
    t=QUESTIONS,
    claim=claims.ONE_SHUFFLE,
    words="lessons/rperp/help.md",
    bet=RPERP_BET,
    recipe=recipe,
    controls=controls,
    scene=scene,
    question_scene=question_scene,
    is_instant=lambda values: True,  # nothing is played that takes long
    has_frame=has_frame,
    leads=("shuffle", "V"),
    follows=("beta", "V", "swing", "shuffle", "lam", "delta"),
    truth=truth,
)  # fmt: skip
