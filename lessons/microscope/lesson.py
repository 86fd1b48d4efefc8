"""Under the microscope: the lesson's knobs and moments."""

from __future__ import annotations

from shell.bets.bet import Bet
from lessons.shared.knobs import KNOBS
from shell.page import Lesson, Moment
from lessons.microscope.statements import STATEMENTS

KEYS = ("statement", "fade", "delta", "sigma", "eps", "alpha", "d", "seed")


def visible(key: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The knobs beside the figure, which are those that this experiment listens to, and the rest, which wait."""
    uses = STATEMENTS[key].uses
    return ("statement", *uses), tuple(k for k in KEYS[1:] if k not in uses)


DELTA = KNOBS["delta"].but(default=0.1, help="Allowed failure probability of the width.")
MICROSCOPE_BET = Bet(
    question=f"A width may fail with probability δ = {DELTA.default:g}, printed as “for all times at once” (discount γ "
    f"= {KNOBS['fade'].default:g}). Follow it for 1,000 rounds: in how many runs is it left at some time?",
    options={"tenth": "In 10 %", "third": "In 30 %", "most": "In over half"},
    places=(0.1, 0.3, 0.75),
    axis="share of the runs",
    why="The width is valid at each fixed time. Because the regulariser is rescaled with time, it is not valid for all "
    "times at once when γ < 1; dividing δ by T restores that and changes the rate only by logarithms.",
    t=27,
)
MICROSCOPE = Lesson(
    number=10,
    title="Under the microscope",
    question="Which printed statements need care — and can I see it for myself?",
    knobs={
        **{k: KNOBS[k] for k in KEYS},
        "delta": DELTA,
        "seed": KNOBS["seed"].but(words="Seed", help="The same seed gives the same draws."),
        "d": KNOBS["d"].but(default=2, help="Of the action."),
        "alpha": KNOBS["alpha"].but(help="The change over n steps has variance $n^\\alpha$ (Mauduit et al.: "
                                         "$\\alpha$)."),
        "eps": KNOBS["eps"].but(help="Share of the reward that is drawn anew at each step (Bogunovic et al.: "
                                     "$\\epsilon$)."),
        **MICROSCOPE_BET.knobs,
    },
    moments=(
        Moment("At every time?", "At any one time you may trust it. Wait long enough, and it has been wrong.", 27),
        Moment("Less noise", "The quieter the answers, the more they tell: the bound must know how quiet.", 10,
               {"statement": "bogunovic-21"}),
        Moment("Ten answers", "Ten well chosen answers are not what ten well chosen points are.", 9,
               {"statement": "mauduit-subset"}),
        Moment("Plus or minus", "One sign: an upper bound below a function that is allowed.", 8,
               {"statement": "flynn-11"}),
        Moment("A walk", "Noise that is drawn anew forgives; a walk does not come back.", 32,
               {"statement": "mauduit-walk"}),
    ),
    t=27,
    words="lessons/microscope/help.md",
    bet=MICROSCOPE_BET,
    roaming=frozenset(KEYS[1:]),
)  # fmt: skip
