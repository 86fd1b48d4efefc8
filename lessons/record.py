"""What a lesson is made of, as plain records: knobs, moments, bets, thumbnails, and the lesson itself.

The shell draws these records and knows no lesson; a lesson fills them and knows no Streamlit.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from lessons.task import Task

Values = Mapping[str, Any]
ROOT = Path(__file__).resolve().parents[1]
NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)  # float() would take 1_0 and padding
KEY = re.compile(r"[a-z][a-z0-9_]*", re.ASCII)  # of a lesson or a moment; a number is none
LONGEST = 40  # characters of a value that a link may hold


class BadValue(ValueError):
    """A value from a link that the knob does not allow; the message says what is allowed."""


@dataclass(frozen=True)
class Knob:
    """One control: plain data, no Streamlit state.

    Attributes:
        key: name in the link and in the session.
        words: label in plain words, with the KaTeX symbol at the end.
        help: what it does and what the papers call it.
        default: value of an untouched page.
        low, high, step: range of a slider (None for a choice).
        options: the values of a choice, in order; their text is what the link carries.
        widget: "slider", "stops" (a slider over listed values, all numbers or all words: see `spelled`), "segmented",
            "select", "toggle", "number" or "pills" (several options at once; none chosen means the default; the value
            is a tuple).
        names: what the options are called on screen, where that differs from the link's text.
        former: earlier names on screen, which links still carry -> the link's text.
        linked: whether links carry it: what one player knows may be another one's question. A link may still set it.
        acts: the settings in which it changes anything, any one of them, each as other knobs with the values that they
            may have then; empty where it always does. Elsewhere the page draws it idle, or not at all.
        idle: what its label says besides while it is drawn idle.
    """

    key: str
    words: str
    help: str
    default: float | int | str | bool | tuple
    low: float | None = None
    high: float | None = None
    step: float | None = None
    options: tuple = ()
    widget: str = "slider"
    names: Mapping[str, str] | None = None
    former: Mapping[str, str] = field(default_factory=dict)
    linked: bool = True
    acts: tuple[Mapping[str, tuple], ...] = ()
    idle: str = ""

    def acts_at(self, values: Values) -> bool:
        """Return whether it changes anything at these values of the page's knobs."""
        return not self.acts or any(all(values[key] in some for key, some in case.items()) for case in self.acts)

    def where(self, **allowed: tuple) -> Knob:
        """The same knob, which acts in fewer settings: only where other knobs have these values too."""
        return self.replace(acts=tuple({**case, **allowed} for case in self.acts or ({},)))

    @property
    def spelled(self) -> tuple:
        """Return the options of a slider over numbers that are words; they are chosen beside it."""
        words = tuple(one for one in self.options if not NUMBER.fullmatch(self.shown(one)))
        return words if self.widget == "stops" and len(words) < len(self.options) else ()

    def text(self, value: object) -> str:
        """The value as the link writes it."""
        if isinstance(value, bool):
            return "true" if value else "false"
        if isinstance(value, int):
            return str(value)  # every digit
        if isinstance(value, list | tuple):
            return ".".join(str(v) for v in value)
        return f"{value:g}" if isinstance(value, float) else str(value)

    def shown(self, value: object) -> str:
        """The value as the screen writes it."""
        return (self.names or {}).get(str(value), self.text(value))

    @property
    def allowed(self) -> str:
        """The allowed values in a few words."""
        if self.widget == "toggle":
            return "true or false"
        if self.widget == "pills":
            return f"some of {', '.join(self.options)}, with dots between"
        if self.options:
            first, last = self.text(self.options[0]), self.text(self.options[-1])
            if isinstance(self.options[0], float | int):
                return f"{first} to {last} in steps of 1, 2, 5"
            return ", ".join(self.text(o) for o in self.options)
        return f"{self.low:g} to {self.high:g}"

    def read(self, raw: str) -> float | int | str | bool | tuple:
        """The value that a link's text stands for, on the knob's grid.

        Raises:
            BadValue: the text is not a value of this knob.
        """
        if self.widget == "pills":
            chosen = raw.split(".") if len(raw) <= len(self.text(self.options)) else []
            if not chosen or not set(chosen) <= set(self.options):
                raise BadValue(self.allowed)
            return tuple(option for option in self.options if option in chosen)
        if len(raw) > LONGEST or (not raw.isascii() and self.widget not in ("segmented", "select")):
            raise BadValue(self.allowed)
        if self.widget == "toggle":
            if raw.lower() not in ("true", "false", "1", "0"):
                raise BadValue(self.allowed)
            return raw.lower() in ("true", "1")
        if self.options:
            for option in self.options:
                # The address bar writes the screen's names.
                if raw in (self.text(option), self.shown(option)) or self.former.get(raw) == self.text(option):
                    return option
            raise BadValue(self.allowed)
        if not NUMBER.fullmatch(raw):
            raise BadValue(self.allowed)
        value = float(raw)
        if not (math.isfinite(value) and self.low <= value <= self.high):
            raise BadValue(self.allowed)
        return self.snap(value)

    @property
    def stops(self) -> tuple:
        """The values at which a slider can stand, from the left."""
        if self.options:
            return tuple(option for option in self.options if option not in self.spelled)
        return tuple(self.snap(self.low + i * self.step) for i in range(round((self.high - self.low) / self.step) + 1))

    def snap(self, value: float) -> float | int:
        """The nearest value on the knob's grid: a link may hold any number in between."""
        steps = round((min(max(value, self.low), self.high) - self.low) / self.step)
        snapped = self.low + steps * self.step
        return round(snapped) if isinstance(self.default, int) else round(snapped, 10)

    def tidy(self, value: Any) -> Any:
        """Return a value that it can stand at as the page reads it: on its grid, or its options in order."""
        if self.widget == "pills":
            return tuple(option for option in self.options if option in value) or self.default
        return value if self.low is None else self.snap(value)

    def has(self, value: object) -> bool:
        """Return whether the knob can stand at this value, which a browser sent; it need not be on the grid."""
        if self.widget == "pills":
            return isinstance(value, list | tuple) and all(one in self.options for one in value)
        if self.widget == "toggle":
            return isinstance(value, bool)
        if self.options:
            return any(value == one and isinstance(value, bool) == isinstance(one, bool) for one in self.options)
        number = isinstance(value, float | int) and not isinstance(value, bool)
        return number and self.low <= value <= self.high  # NaN is not

    def replace(self, **changes: Any) -> Knob:
        """The same knob with another range or default."""
        return replace(self, **changes)


@dataclass(frozen=True)
class Code(Knob):
    """A short text of one form; its only option is the word for "nothing said".

    Attributes:
        form: regular expression of the other values.   means: what they are, in a few words.
    """

    form: str = ""
    means: str = ""

    @property
    def allowed(self) -> str:
        return f"{self.options[0]}, or {self.means}"

    def read(self, raw: str) -> str:
        if raw in self.options or (len(raw) <= 1000 and re.fullmatch(self.form, raw, re.ASCII)):
            return raw
        raise BadValue(self.allowed)

    def has(self, value: object) -> bool:
        try:
            return isinstance(value, str) and bool(self.read(value))
        except BadValue:
            return False


@dataclass(frozen=True)
class Limit:
    """A limit that a claim's number has to lie below, or above: `Claim.holds` in a form that can be drawn."""

    at: float
    above: bool = False

    def __call__(self, number: float) -> bool:
        return number > self.at if self.above else number < self.at


@dataclass(frozen=True)
class Claim:
    """A general statement of a title, a headline or a bet's reason, as something that can be counted over seeds.

    Attributes:
        says: the claim with its threshold, in one clause.
        seed: knob whose value is the seed, or the first of a block of seeds.
        number: returns what decides it, from knob values, by the model that the scene draws.
        holds: returns whether the claim holds at that number.
    """

    says: str
    seed: str
    number: Callable[[Values], float]
    holds: Callable[[float], bool]


@dataclass(frozen=True)
class Moment:
    """A prepared state of a page with the one line that a lecturer says over it.

    Attributes:
        key: a word that links and files keep, unique within the lesson.
        title, script: its name, and the line.   t: frame at which it stands.
        values: of the knobs that differ from the page's defaults.
        claim: what title and line say in general; `python -m lessons.odds` counts in how many of 100 seeds it holds.
        free: why they say nothing in general, where there is no claim: a paper's own figure, or an invitation.
    """

    key: str
    title: str
    script: str
    t: int
    values: Mapping[str, Any] = field(default_factory=dict)
    claim: Claim | None = None
    free: str = ""


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
            "Hands",
            "Hands of the hall for each answer, in a course.",
            "none",
            options=("none",),
            widget="select",
        ),
    )
}
TASK = "task"  # the knob that says which task is tried (lessons/task.py)
APART = frozenset({*BET_KNOBS, TASK})  # knobs that are no setting of what is drawn
LECTURE = Knob("lecture", "Lecture", "Large type for a hall (key L; ? shows all keys).", False, widget="toggle")
CLOSED, OPEN = "off", "open"
# The path through the lab: headings under which lessons stand. The front page stands before all.
GROUPS = SEE, UNDERSTAND, CHECK = "See it", "Understand it", "Check it"
COVERED, REVEALED = "covered", "revealed"


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
        axis: what the answer is measured by, in words: that axis, or `Outcome.sizes`.
        ranks: the answer is an order of all options, best first.
        claim: what `why` says in general.   free: why it says nothing in general, where there is no claim.
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
    claim: Claim | None = None
    free: str = ""

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
        form, means = rf"\d{{1,3}}(\.\d{{1,3}}){{{n - 1}}}", f"{n} numbers with dots between"
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

    def chosen(self, guess: str) -> tuple[str, ...]:
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
class Outcome:
    """What the engine says about a bet.

    Attributes:
        right: the option that is true; of an order bet all options, best first.
        numbers: option -> what was measured for it, as the screen writes it.
        sentence: what was measured, in words.   setup: of the numbers, with the seed.
        value: the truth on the bet's number axis.   said: that number as the screen writes it.
        sizes: option -> what was measured for it, where the options have no place on a number axis.
    """

    right: tuple[str, ...]
    numbers: Mapping[str, str]
    sentence: str
    setup: str
    value: float | None = None
    said: str = ""
    sizes: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Strip:
    """A claim in a hundred fresh worlds: a dot for each, on the axis of the number that decides it.

    Attributes:
        knob: that chooses a world.   worlds: its values, one a dot.   numbers: what decides the claim, one a dot.
        limit: what the claim asks of them.   here: the number of the world on screen, None while it is not known.
        world: the knob's value now.   shown: returns a number as the screen writes it.
    """

    knob: Knob
    worlds: Sequence[int]
    numbers: Sequence[float]
    limit: Limit
    here: float | None
    world: int
    shown: Callable[[float], str]


@dataclass(frozen=True, eq=False)
class Stroke:
    """One line, row of dots or filled band of a sketch.

    Attributes:
        x, y: (n,) in the unit square, NaN leaves a gap; a band runs there and back.
        role: what it means: "truth", "past", "best", "band", "missed", "rule" or the name of a method or band.
        kind: "line", "dots", "area" or "bars" (thin lines with gaps between).
    """

    x: np.ndarray
    y: np.ndarray
    role: str
    kind: str = "line"


def unit(values: np.ndarray, low: float, high: float) -> np.ndarray:
    """Return values from low to high as heights of a stroke, from 0 to 1; as they are above low where both agree."""
    return (np.asarray(values, dtype=float) - low) / ((high - low) or 1.0)


@dataclass(frozen=True, eq=False)
class Sketch:
    """A picture: strokes that stay, strokes of each frame, and the frame that it rests on."""

    still: tuple[Stroke, ...]
    frames: tuple[tuple[Stroke, ...], ...]
    rest: int


@dataclass(frozen=True)
class Pick:
    """Meaning of a click on a chart, and of what is dragged there.

    Attributes:
        time, place: which coordinate of a clicked point is the time, and which is the place.
        along: axes of time, such as "x5" and "y2": in their panels the time is dragged.
        zeros: axis of time -> where time 0 lies on it, if that is not 0.
        knobs: key -> the axis along which the mark of that knob is dragged.
        places: key -> where each stop of that knob lies on its axis, if that is not its value; a tuple of places where
            the mark stands in several panels.
    """

    time: str | None = None
    place: str | None = None
    along: tuple[str, ...] = ()
    zeros: Mapping[str, float] = field(default_factory=dict)
    knobs: Mapping[str, str] = field(default_factory=dict)
    places: Mapping[str, tuple[float | tuple[float, ...], ...]] = field(default_factory=dict)


def _no_words(frame: int) -> str:
    return ""


def _no_facts(frame: int) -> Mapping[str, float | None]:
    return {}


@dataclass(frozen=True, eq=False)
class Picture:
    """One chart of a page.

    Attributes:
        draw: returns the chart at a frame (a `figures.film.Film`, without tracks where the player does not move it).
        alt: alternative text.   title: of the drawer below the stage that it is the first chart of (markdown), else "".
        caption: returns the words below it at a frame.   pick: what a click on it means, None for nothing.
        follows: whether a picture that the player does not move is drawn anew after a pause at another frame.
        more: further plain values that decide this picture alone.
        own_height: whether a stage is as tall as its figure says, and not as the screen allows.
    """

    draw: Callable[[int], object]
    alt: str
    title: str = ""
    caption: Callable[[int], str] = _no_words
    pick: Pick | None = None
    follows: bool = False
    more: tuple = ()
    own_height: bool = False


@dataclass(frozen=True, eq=False)
class Scene:
    """What a lesson shows in one setting, ready to be drawn on its page, into a pack or by a script.

    Attributes:
        state: plain values that decide everything that is drawn.
        frames: how many frames the film has.   start: the frame at which it opens.
        films: key -> chart that the player moves; the first is the stage and has the key "main".
        sentences: return one live sentence a frame.   labels: return one text a frame, beside the player's bar.
        facts: returns name -> number of a frame, None where there is none: all that its sentence says, under the names
            by which the recipe prints them; a chart says where it shows them (`figures.film.Film.shows`).
        events: frames that "next event" stops at.   times: time of each frame, where frames skip rounds.
        caption: set-up with its seed.   notes: return what else is to be said about the stage.
        odds: in how many worlds, blocks or draws it is so: a line below the stage, "" for none.
        strip: those worlds one by one, beside that line.
        stills: key -> chart below the stage.
        marks: returns word of the sentences -> the mark that it points at: traces of the figures have it as "meta",
            or several with | between.
        reset: plain values with which time starts anew.   span: first and last place of the stage's place axis.
    """

    state: tuple
    frames: int
    start: int
    films: Mapping[str, Picture]
    sentences: Callable[[], Sequence[str]]
    labels: Callable[[], Sequence[str]]
    caption: str
    facts: Callable[[int], Mapping[str, float | None]] = _no_facts
    events: Sequence[int] = ()
    times: Sequence[int] | None = None
    notes: Callable[[], Sequence[str]] = tuple
    odds: str = ""
    strip: Strip | None = None
    stills: Mapping[str, Picture] = field(default_factory=dict)
    marks: Callable[[], Mapping[str, str]] = dict
    reset: tuple = ()
    span: tuple[float, float] = (0.0, 1.0)

    def inside(self, frame: int) -> int:
        """Return the frame of the film that is nearest to this one."""
        return min(max(frame, 0), self.frames - 1)

    @property
    def drawers(self) -> list[tuple[str, ...]]:
        """Keys of the charts below the stage, by the drawers that they lie in."""
        main = next(iter(self.films))
        below = {key: one.title for key, one in {**self.films, **self.stills}.items() if key != main}
        return in_drawers(below)

    def at_time(self, t: int) -> int:
        """Return the frame whose time is nearest to this one."""
        times = range(self.frames) if self.times is None else self.times
        return min(range(self.frames), key=lambda frame: abs(times[frame] - t))

    def showing(self, charts: Collection[str]) -> Scene:
        """Return the scene with these alone of the charts that the player moves below the stage."""
        main = next(iter(self.films))
        return replace(self, films={key: one for key, one in self.films.items() if key == main or key in charts})

    def asked(self, until: int) -> Scene:
        """Return the stage alone and without words about it, as the question of a bet shows it up to a time."""
        key, picture = next(iter(self.films.items()))
        return replace(
            self,
            state=(*self.state, "until", until),
            start=self.frames - 1,
            films={key: replace(picture, caption=_no_words, pick=None)},
            events=[event for event in self.events if event < self.frames],
            sentences=lambda: [""] * self.frames,
            facts=_no_facts,
            caption="",
            notes=tuple,
            stills={},
            marks=dict,
        )


def in_drawers(titles: Mapping[str, str]) -> list[tuple[str, ...]]:
    """Return keys of charts by drawers: one without a title lies in the drawer of the one before it."""
    found: list[tuple[str, ...]] = []
    for key, title in titles.items():
        if title or not found:
            found.append((key,))
        else:
            found[-1] = (*found[-1], key)
    return found


@dataclass(frozen=True, eq=False)
class Frame:
    """The pictures and the sentence of a page at one time, without the film around them.

    Attributes:
        figures: key -> chart (a `figures.film.Drawn`) with the numbers that its film has at this time.
        sentence: the live sentence (HTML); None where only finished runs can tell: the page keeps its own.
        kept: axes of the stage, such as "x2" and "y2", whose panel only finished runs can tell: the page keeps what it
            shows there, but for annotations and shapes that come under the same name.
        stage: what a stage that is no chart draws, as JSON has it; None elsewhere.
    """

    figures: Mapping[str, object]
    sentence: str | None
    kept: frozenset[str] = frozenset()
    stage: Mapping[str, object] | None = None


@dataclass(frozen=True)
class Lesson:
    """Everything about a lesson that its page, the menu, the exports and the tests ask for.

    Attributes:
        key: a word that links and files keep, the name of its folder.   file: its page.   icon: of the browser's tab.
        title: of the tab.   question: the page's heading.   t: frame at which the page opens.
        knobs: key -> control with its default here.   moments: prepared states.   words: file of the help text.
        world: knobs that make the World, as all pages know them: their values go along to other pages.
        carries: returns what else its links to other pages take along, from knob values.
        bet: question before the reveal, None without one.   truth: measures the answer in the bet's state.
        recipe: returns the page's figure as Python, from knob values and the time.
        thumbnail: returns the small picture of the front page.
        scene: returns what the page shows, from knob values, the time and a theme, with every run played.
        charts: keys of the charts below the stage that the player moves; each lies in a drawer of its own, and is part
            of the film while that is open.
        below: drawer below the stage -> knobs that are drawn in it; where a link sets one of them, the drawer is open.
        at_once: returns whether `scene` takes at most half a second with these knob values: it needs no run that is
            neither shipped nor stored, and no table of the reader's. Then its film has an address of its own.
        until: returns the stage of the bet's page, from knob values, a time and a theme. At the time at which the bet
            is open, nothing that is drawn or said there knows what comes later, or what else belongs to the answer.
        frame: returns the stage at one time, from knob values, the time and a theme, computed for that time alone;
            None in settings where that takes longer than a tenth of a second.
        follows: knobs that the stage follows while they are dragged: by `frame`, where there is none by turning grey.
        leads: knobs that matter most. The first of them that acts stands beside the player in a hall, and below the
            figure on a phone.
        cites: what it rests on, where no help text says it.   name: in the menu, where it is not the title.
        group: heading of `GROUPS` that it stands under; none for the front page.
        shipped: returns the worlds that its page plays in where there is no server, as JSON has them, each with a
            "key" and its texts in markdown; script, place and style of that page are assets/KEY/site.*.
        tasks: what the reader can try to reach on its page.
        abreast: screens of a phone that the panels of its stage take beside each other; they are swiped through.
        point: which of them, from 0, shows what the headline says: a phone opens there.
        claim: what its opening shows in general.   free: why it shows nothing in general, where there is no claim.
    """

    key: str
    file: str
    icon: str
    title: str
    question: str
    knobs: Mapping[str, Knob]
    moments: Sequence[Moment]
    t: int
    words: str
    world: Mapping[str, Knob] = field(default_factory=dict)
    carries: Callable[[Values], Mapping[str, str]] = lambda values: {}
    bet: Bet | None = None
    truth: Callable[[Values, Bet], Outcome] | None = None
    recipe: Callable[[Values, int], str | None] | None = None
    thumbnail: Callable[[Values], Sketch] | None = None
    scene: Callable[[Values, int, Any], Scene] | None = None
    at_once: Callable[[Values], bool] | None = None
    charts: tuple[str, ...] = ()
    below: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    until: Callable[[Values, int, Any], Scene] | None = None
    frame: Callable[[Values, int, Any], Frame | None] | None = None
    follows: tuple[str, ...] = ()
    leads: tuple[str, ...] = ()
    cites: Callable[[], Sequence[str]] | None = None
    shipped: Callable[[], Sequence[Mapping[str, object]]] | None = None
    name: str = ""
    group: str = ""
    tasks: Sequence[Task] = ()
    abreast: int = 1
    point: int = 0
    claim: Claim | None = None
    free: str = ""

    def sources(self) -> Sequence[str]:
        """Return what the lesson rests on, one entry a place: from its records, else from its help text."""
        return self.cites() if self.cites else printed_sources(self.words)

    def moment(self, key: str) -> Moment:
        """Return the moment of this key.

        Raises:
            KeyError: the lesson has none of this key.
        """
        return {moment.key: moment for moment in self.moments}[key]

    @property
    def defaults(self) -> dict[str, Any]:
        """Key -> value of an untouched page."""
        return {key: knob.default for key, knob in self.knobs.items()}

    def settings(self, state: Mapping[str, Any]) -> dict[str, Any]:
        """Return every knob's value: that of the state, or the default where the state has none."""
        values = {}
        for key, knob in self.knobs.items():
            value = state.get(key)
            value = tuple(value) if isinstance(value, list) else value
            values[key] = knob.default if value is None or value == () else value
        return values


def registry(*lessons: Lesson) -> tuple[Lesson, ...]:
    """Return the lessons in the order of their numbers.

    Raises:
        ValueError: a key is no plain word, or two lessons, or two moments of a lesson, have the same.
    """
    _check_keys("lessons", [lesson.key for lesson in lessons])
    for lesson in lessons:
        _check_keys(f"moments of the lesson “{lesson.key}”", [moment.key for moment in lesson.moments])
    return lessons


def _check_keys(whose: str, keys: Sequence[str]) -> None:
    for key in keys:
        if not KEY.fullmatch(key):
            raise ValueError(f"“{key}” is no key: small letters, digits and _ are allowed, and a letter comes first.")
        if keys.count(key) > 1:
            raise ValueError(f"Two {whose} have the key “{key}”; links need one of their own for each.")


def number_of(lesson: Lesson, lessons: Sequence[Lesson]) -> int:
    """Return the lesson's number for readers: its place among all lessons."""
    return [one.key for one in lessons].index(lesson.key)


def label_of(lesson: Lesson, lessons: Sequence[Lesson]) -> str:
    """Return the lesson's line in the menu, "2 · Confidence bands"."""
    return f"{number_of(lesson, lessons)} · {lesson.name or lesson.title}"


def script_of(lesson: Lesson, lessons: Sequence[Lesson], values: Values, t: int) -> str | None:
    """Return the page's figure as Python, with the lesson's number in its first line; None where there is none."""
    script = lesson.recipe(values, t) if lesson.recipe else None
    return script and f"# Lesson {number_of(lesson, lessons)}, {script.removeprefix('# ')}"


def printed_sources(words: str) -> Sequence[str]:
    """Return the entries of the "Sources:" line of a help text."""
    line = re.search(r"^Sources: (.*)$", (ROOT / words).read_text(encoding="utf-8"), re.MULTILINE)
    return [] if line is None else re.split(r"\.\s+(?=[A-Z])", line[1])[0].rstrip(".").split("; ")
