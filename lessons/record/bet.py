"""A question before the page shows its answer, and the answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from lessons.record.claim import Claim
from lessons.record.knob import Code, Knob, Values

if TYPE_CHECKING:
    from lessons.record.scene import Scene

CLOSED, OPEN = "off", "open"
BET_KNOBS: dict[str, Knob] = {
    k.key: k
    for k in (
        Knob(
            "guess",
            "Your bet",
            "What you bet on, before the page shows it.",
            "off",
            options=("off", "open"),
            widget="select",
        ),
        Knob("reveal", "Reveal the bet", "Shows the truth beside your bet.", False, widget="toggle"),
        Knob(
            "sure",
            "How sure?",
            "How sure you were of your bet.",
            "unsaid",
            options=("unsaid", "low", "high"),
            widget="segmented",
            names={"unsaid": "unsaid", "low": "Low", "high": "High"},
        ),
        Code(
            "hands",
            "Votes",
            "Votes of the hall for each answer, in a course.",
            "none",
            options=("none",),
            widget="select",
        ),
    )
}
TASK = "task"  # the knob that says which task is tried (lessons/task.py)
APART = frozenset({*BET_KNOBS, TASK})  # knobs that are no setting of what is drawn


@dataclass(frozen=True)
class Bet:
    """A question about one state of a page, with the answers that can be bet on.

    Attributes:
        question: in plain words.   options: word in a link -> the answer as the screen says it.
        why: one sentence that explains the truth, without numbers.   t: time at which the truth is shown.
        before: time at which the page stands until then, None for the same.
        about: word -> what this answer is, in one line.
        values: knobs of the state that the bet is about, where they are not the page's defaults.
        values_before: those of them that have another value until then.
        places: of the options on a number axis, for a bet on a number.   ranges: each is the middle of a range.
        axis: what the answer is measured by, in words: that axis, or `BetOutcome.sizes`.
        ranks: the answer is an order of all options, best first.
        roles: word -> role of its colour (figures/palette.py), for answers that have one on the stage.
        truth: measures the answer, from the knob values of the state that it is about.
        scene: returns the stage of its page, from knob values, a time and a theme. At the time at which the bet is
            open, nothing that is drawn or said there knows what comes later, or what else belongs to the answer.
        claim: what `why` says in general, or in words why it says nothing in general.
    """

    question: str
    options: Mapping[str, str]
    why: str
    t: int
    before: int | None = None
    about: Mapping[str, str] = field(default_factory=dict)
    values: Mapping[str, Any] = field(default_factory=dict)
    values_before: Mapping[str, Any] = field(default_factory=dict)
    places: tuple[float, ...] = ()
    ranges: bool = False
    axis: str = ""
    ranks: bool = False
    roles: Mapping[str, str] = field(default_factory=dict)
    truth: Callable[[Values, Bet], BetOutcome] | None = None
    scene: Callable[[Values, int, Any], Scene] | None = None
    claim: Claim | str = ""

    @property
    def opens(self) -> int:
        """Time at which the page stands while the bet is open."""
        return self.t if self.before is None else self.before

    @property
    def opens_with(self) -> dict[str, Any]:
        """Knobs of the state in which the page stands while the bet is open, where they are not its defaults."""
        return {**self.values, **self.values_before}

    @property
    def knobs(self) -> dict[str, Knob]:
        """The bet in the link: what is bet on, by whom in a hall, whether it is revealed, how sure the reader is."""
        first, n = BET_KNOBS["guess"], len(self.options)
        form, means = rf"\d{{1,4}}(\.\d{{1,4}}){{{n - 1}}}", f"{n} numbers with dots between"
        knobs = {**BET_KNOBS, "hands": BET_KNOBS["hands"].replace(form=form, means=means)}
        if not self.ranks:
            return {**knobs, "guess": first.replace(options=(CLOSED, OPEN, *self.options))}
        name = f"({'|'.join(self.options)})"
        form = rf"(?!.*\b(\w+)\b.*\b\1\b){name}(\.{name}){{{n - 1}}}"
        order = Code(
            first.key,
            first.words,
            first.help,
            CLOSED,
            options=(CLOSED, OPEN),
            widget="select",
            form=form,
            means=f"{OPEN}, or an order of {', '.join(self.options)} with dots between",
        )
        return {**knobs, "guess": order}

    def options_of(self, guess: str) -> tuple[str, ...]:
        """The options that a value of the knob stands for: none, one, or all in the order of the bet."""
        if guess in (CLOSED, OPEN):
            return ()
        return tuple(guess.split(".")) if self.ranks else (guess,)

    def counted(self, hands: str) -> tuple[int, ...]:
        """The hands for each answer that a value of the knob stands for; empty where none was counted."""
        counts = tuple(map(int, hands.split("."))) if hands != BET_KNOBS["hands"].default else ()
        return counts if any(counts) else ()

    def nearest(self, value: float) -> str:
        """The option of a number axis that lies nearest to a value."""
        return min(zip(self.options, self.places, strict=True), key=lambda pair: abs(pair[1] - value))[0]


@dataclass(frozen=True)
class BetOutcome:
    """Answer of the engine to a bet.

    Attributes:
        right: the option that is true; of an order bet all options, best first.
        numbers: option -> what was measured for it, as the screen writes it.
        sentence: what was measured, in words: the headline once its film is over.
        setup: of the numbers, with the seed.
        value: the truth on the bet's number axis.   amount: that number as the screen writes it.
        sizes: option -> what was measured for it, where the options have no place on a number axis.
        more: what was measured besides, in words.
    """

    right: tuple[str, ...]
    numbers: Mapping[str, str]
    sentence: str
    setup: str
    value: float | None = None
    amount: str = ""
    sizes: Mapping[str, float] = field(default_factory=dict)
    more: str = ""

    @property
    def whole(self) -> str:
        """Return all of it in words."""
        return f"{self.sentence} {self.more}".strip()
