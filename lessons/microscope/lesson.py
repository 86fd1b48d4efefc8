"""Under the microscope: the lesson's knobs and moments."""

from __future__ import annotations

from lessons.microscope.knobs import DELTA, KEYS, OWN
from lessons.microscope.recipe import recipe
from lessons.microscope.scene import frame, scene
from lessons.microscope.statements import STATEMENTS
from lessons.microscope.thumbnail import thumbnail
from lessons.microscope.truth import truth
from lessons.record import CHECK, Bet, Lesson, Moment
from lessons.shared.knobs import KNOBS

MICROSCOPE_BET = Bet(
    question=f"An interval is printed as true “for all times at once”, with failure probability δ = {DELTA.default:g} "
    f"(discount γ = {OWN['fade'].default:g}). You see 50 rounds; the strong line counts the runs in which the true "
    "value was outside at some time. In how many will it have been by round 1,000?",
    options={"tenth": "In 10 %", "third": "In 30 %", "most": "In over half"},
    about={
        "tenth": "the printed promise holds",
        "third": "it fails, slowly",
        "most": "it fails in most runs",
    },
    places=(0.1, 0.3, 0.75),
    axis="share of the runs",
    why="The width is valid at each fixed time. Because the regulariser is rescaled with time, it is not valid for all "
    "times at once when γ < 1; dividing δ by T restores that and changes the rate only by logarithms.",
    t=27,
    before=14,
    hides=((0.212, 0.065, 0.315, 0.82),),  # the sweep after 50 rounds, and the names at its end
)
MICROSCOPE = Lesson(
    number=10,
    group=CHECK,
    abreast=3,
    file="pages/10_Under_the_microscope.py",
    icon="🔬",
    title="Under the microscope",
    question="Which printed statements need care — and can I see it for myself?",
    knobs={
        **{k: (KNOBS | OWN)[k] for k in KEYS},
        "delta": DELTA,
        "seed": KNOBS["seed"].replace(words="Seed", help="The same seed gives the same draws."),
        "d": KNOBS["d"].replace(default=2, help="Dimension of the action."),
        "alpha": KNOBS["alpha"].replace(help="The change over n steps has variance $n^\\alpha$ (Mauduit et al.: "
                                        "$\\alpha$)."),
        "eps": KNOBS["eps"].replace(help="Share of the reward that is drawn anew at each step (Bogunovic et al.: "
                                    "$\\epsilon$)."),
        **MICROSCOPE_BET.knobs,
    },
    moments=(
        Moment("At every time?", "At any one time the interval may be trusted. Wait long enough, and it has "
               "missed.", 27),
        Moment("Less noise", "The less noise, the more an answer tells: the bound has to contain the noise.", 10,
               {"statement": "bogunovic-21"}),
        Moment("Ten answers", "The answers at ten points tell less than all answers heard through these ten points.", 9,
               {"statement": "mauduit-subset"}),
        Moment("Plus or minus", "With the other sign, an upper bound lies below a function that is allowed.", 8,
               {"statement": "flynn-11"}),
        Moment("A walk", "Noise that is drawn anew averages out; the steps of a random walk add up.", 32,
               {"statement": "mauduit-walk"}),
    ),
    t=27,
    words="lessons/microscope/help.md",
    bet=MICROSCOPE_BET,
    roaming=frozenset(KEYS[1:]),
    cites=lambda: [statement.where for statement in STATEMENTS.values()],
    recipe=recipe,
    thumbnail=thumbnail,
    scene=scene,
    frame=frame,
    follows=("fade", "delta", "sigma", "eps", "alpha", "d"),
    truth=truth,
)  # fmt: skip
