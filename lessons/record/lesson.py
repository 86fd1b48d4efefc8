"""A lesson with its prepared states, and the order of all lessons."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lessons.record.bet import BET_KNOBS, Bet
from lessons.record.claim import Claim
from lessons.record.knob import Knob, Values
from lessons.record.runs import RunPlan
from lessons.record.scene import Scene
from lessons.record.together import Together

if TYPE_CHECKING:
    from lessons.task import Task

ROOT = Path(__file__).resolve().parents[2]
KEY = re.compile(r"[a-z][a-z0-9_]*", re.ASCII)  # of a lesson or a moment; a number is none
# The path through the lab: headings under which lessons stand. The front page stands before all.
GROUPS = SEE, UNDERSTAND, CHECK = "See it", "Understand it", "Check it"
MOMENTS = 3, 9  # of a lesson, fewest and most: they have the keys 1 to 9
TITLE_LETTERS = 28  # of a moment, at most
LINE_LETTERS = 20, 120  # of a moment, fewest and most
SLIDERS = ("slider", "stops")


def page_alone(values: Values) -> bool:
    """Return True: the scene is known to its page alone (`Lesson.waits`)."""
    return True


@dataclass(frozen=True)
class Moment:
    """A prepared state of a page with the one line that a lecturer says over it.

    Attributes:
        key: a word that links and files keep, unique within the lesson.
        title, script: its name, and the line.   t: frame at which it stands.
        values: of the knobs that differ from the page's defaults.
        claim: what title and line say in general: `python -m lessons.odds` counts in how many of 100 seeds it holds; or
            in words why they say nothing in general: a paper's own figure, or an invitation.
    """

    key: str
    title: str
    script: str
    t: int
    values: Mapping[str, Any] = field(default_factory=dict)
    claim: Claim | str = ""


@dataclass(frozen=True)
class Lesson:
    """Everything about a lesson that its page, the menu, the exports and the tests ask for.

    Attributes:
        key: a word that links and files keep, the name of its folder.   file: its page.   icon: of the browser's tab.
        title: in the tab and the menu.   question: the page's heading.
        knobs: key -> control with its default here.
        moments: prepared states. The page opens at the first whose knobs have their defaults.
        world: knobs that make the World, as all pages know them: their values go along to other pages.
        bet: question before the reveal, None without one.
        recipe: returns the page's figure as Python, from knob values and the time.
        scene: returns what the page shows, from knob values and a theme, with every run played.
        frame: returns that time alone, for a slider that is dragged; None where it takes more than a tenth of a second.
        controls: returns the knobs beside the figure and those under "More…", from knob values.
        runs: that the page shows as far as they have come; None where its scene is there without waiting.
        waits: returns whether `scene` takes more than half a second with these knob values although no run is missing;
            then its film comes with the page, and has no address of its own.
        leads: knobs that matter most. The first of them that acts stands beside the player in a hall, and below the
            figure on a phone.
        cites: what it rests on, where its help text does not say it.
        group: heading of `GROUPS` that it stands under; none for the front page.
        offline_worlds: returns the worlds that its page plays in where there is no server, as JSON has them, each with
            a "key" and its texts in markdown; script, place and style of that page are assets/KEY/site.*.
        tasks: what the reader can try to reach on its page.
        own: file of the text under "Your own", on how the reader's policy, band or table takes part.
        former: words of settings that the page no longer has: a link that holds one is told so.
        together: the game that a hall plays on phones, None without one.
    """

    key: str
    file: str
    icon: str
    title: str
    question: str
    knobs: Mapping[str, Knob]
    moments: Sequence[Moment]
    world: Mapping[str, Knob] = field(default_factory=dict)
    bet: Bet | None = None
    recipe: Callable[[Values, int], str | None] | None = None
    scene: Callable[[Values, Any], Scene] | None = None
    frame: Callable[[Values, int, Any], Scene | None] | None = None
    controls: Callable[[Values], tuple[Sequence[str], Sequence[str]]] = lambda values: ((), ())
    runs: RunPlan | None = None
    waits: Callable[[Values], bool] | None = None
    leads: tuple[str, ...] = ()
    cites: Callable[[], Sequence[str]] | None = None
    offline_worlds: Callable[[], Sequence[Mapping[str, object]]] | None = None
    group: str = ""
    tasks: Sequence[Task] = ()
    own: str = ""
    former: frozenset[str] = frozenset()
    together: Together | None = None

    @property
    def opening(self) -> Moment:
        """Moment at whose time the page opens: the first whose knobs have their defaults."""
        return next((one for one in self.moments if not one.values), self.moments[0])

    @property
    def t(self) -> int:
        """Time at which the page opens."""
        return self.opening.t

    @property
    def words(self) -> str:
        """File of the help text."""
        return f"lessons/{self.key}/help.md"

    @property
    def follows(self) -> list[str]:
        """Keys of the sliders, which the stage follows while they are dragged: frame by frame, or by turning grey."""
        return [key for key, knob in self.knobs.items() if knob.widget in SLIDERS]

    def has_address(self, values: Values) -> bool:
        """Return whether the film of these values has an address, as no run is waited for.

        Raises:
            ValueError: a world that cannot be.
        """
        if self.scene is None or (self.waits and self.waits(values)):
            return False
        return self.runs is None or self.runs.is_instant(values)

    def at_time(self, values: Values, t: int, theme: Any) -> Scene | None:
        """Return the scene of one time alone; None where that takes longer than a frame may.

        Raises:
            ValueError: a world that cannot be.
        """
        return self.frame and self.frame(values, t, theme)

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


def registry(*lessons: Lesson, world: Mapping[str, Knob]) -> tuple[Lesson, ...]:
    """Return the lessons in the order of their numbers.

    Args:
        world: the knobs that make a World, which go along from page to page.

    Raises:
        ValueError: a key is no plain word, or two lessons, or two moments of a lesson, have the same; or a lesson lacks
            what every lesson says. The sentence names the lesson and what is allowed.
    """
    _check_keys("lessons", [lesson.key for lesson in lessons])
    for lesson in lessons:
        _check_keys(f"moments of the lesson “{lesson.key}”", [moment.key for moment in lesson.moments])
        for fault in _faults(lesson, world):
            raise ValueError(f"The lesson “{lesson.key}” {fault}")
    return lessons


def _check_keys(whose: str, keys: Sequence[str]) -> None:
    for key in keys:
        if not KEY.fullmatch(key):
            raise ValueError(f"“{key}” is no key: small letters, digits and _ are allowed, and a letter comes first.")
        if keys.count(key) > 1:
            raise ValueError(f"Two {whose} have the key “{key}”; links need one of their own for each.")


def _faults(lesson: Lesson, world: Mapping[str, Knob]) -> Iterator[str]:
    shared = world.keys() & lesson.knobs.keys()
    if shared and lesson.world != world:
        yield f"has knobs of a world ({', '.join(sorted(shared))}): give it world=WORLD of lessons/shared/knobs.py."
    if not shared and lesson.world:
        yield "has no knob of a world: leave its world out."
    opening = lesson.settings({})
    for key in lesson.leads:
        if key not in lesson.knobs:
            yield f"has “{key}” in leads: only its knobs are allowed, {', '.join(lesson.knobs)}."
    sliders = [key for key, one in lesson.knobs.items() if one.widget in SLIDERS and one.acts_at(opening)]
    if lesson.scene and sliders and not any(lesson.knobs[key].acts_at(opening) for key in lesson.leads):
        yield f"has no knob in leads that acts as it opens: name the one that matters most, of {', '.join(sliders)}."
    if not MOMENTS[0] <= len(lesson.moments) <= MOMENTS[1]:
        yield f"has {len(lesson.moments)} moments: {MOMENTS[0]} to {MOMENTS[1]} are allowed, on the keys 1 to 9."
    titles = [moment.title for moment in lesson.moments]
    for title in titles:
        if titles.count(title) > 1:
            yield f"has two moments with the title “{title}”: each needs one of its own."
    for moment in lesson.moments:
        yield from _moment_faults(lesson, moment)


def _moment_faults(lesson: Lesson, moment: Moment) -> Iterator[str]:
    whose, length = f"has a moment “{moment.key}” whose", len(moment.script)
    if len(moment.title) > TITLE_LETTERS:
        yield f"{whose} title has {len(moment.title)} letters: at most {TITLE_LETTERS} are allowed."
    if not LINE_LETTERS[0] <= length <= LINE_LETTERS[1]:
        yield f"{whose} line has {length} letters: {LINE_LETTERS[0]} to {LINE_LETTERS[1]} are allowed."
    if "\n" in moment.script or not moment.script.endswith((".", "?", "!")):
        yield f"{whose} line is not one line that ends with a full stop, a question mark or an exclamation mark."
    for key in moment.values:
        if key not in lesson.knobs or key in BET_KNOBS:
            allowed = ", ".join(one for one in lesson.knobs if one not in BET_KNOBS)
            yield f"{whose} values have “{key}”: only its knobs without those of a bet are allowed, {allowed}."


def lesson_of(key: str, lessons: Sequence[Lesson]) -> Lesson:
    """Return the lesson with this key."""
    return next(one for one in lessons if one.key == key)


def number_of(lesson: Lesson, lessons: Sequence[Lesson]) -> int:
    """Return the lesson's number for readers: its place among all lessons."""
    return [one.key for one in lessons].index(lesson.key)


def beside(lesson: Lesson, lessons: Sequence[Lesson]) -> tuple[Sequence[Lesson], Sequence[Lesson]]:
    """Return the lesson before this one and the lesson after it, each as one or none."""
    at = number_of(lesson, lessons)
    return lessons[at - 1 : at], lessons[at + 1 : at + 2]


def label_of(lesson: Lesson, lessons: Sequence[Lesson]) -> str:
    """Return the lesson's line in the menu, "2 · Confidence bands"."""
    return f"{number_of(lesson, lessons)} · {lesson.title}"


def printed_sources(words: str) -> Sequence[str]:
    """Return the entries of the "Sources:" line of a help text."""
    line = re.search(r"^Sources: (.*)$", (ROOT / words).read_text(encoding="utf-8"), re.MULTILINE)
    return [] if line is None else re.split(r"\.\s+(?=[A-Z])", line[1])[0].rstrip(".").split("; ")
