"""A state of a lesson's page, and its scene."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from threading import Condition

from cachetools import LRUCache, cached

from answers.film import labels
from answers.letters import in_letters, translate
from common.cache import computed_once
from common.markup import html_markdown
from figures.film import Film, PackedFigure
from figures.theme import Theme
from lessons.record import APART, Bet, Lesson, Picture, Scene, Values

LESSON, BET, TRUTH = "lesson", "bet", "truth"  # views: the page, the question of its bet, what happened
PLAIN = Theme()
SCENES = 24  # that are kept: what a page and its film ask for one after the other


@dataclass(frozen=True, eq=False)
class State:
    """All that decides what a page shows; two states that show the same are equal.

    Attributes:
        lesson: its record.   values: of every knob.   t: time at which it stands.
        view: `LESSON`, `BET` (its stage ends where the bet opens) or `TRUTH` (it ends where the bet is told).
        theme: colours and type size.   paper: in whose letters it is, a key of `PAPERS`.
        charts: keys of those below the stage that stand on the page: whose drawers are open.
        number: of the lesson, which captions name.   moment: key of the one that is chosen, which its address names.
        html: whether its host takes texts as HTML, because it has no Markdown.
        given: its scene, where values alone do not say it: runs that are still coming, a table or a game of the
            reader's own. A session holds these, and no text names them; so its page makes the scene by the lesson's one
            function and hands it over, and every answer reads it here. A record of what is in hand would need a name
            and a cache of its own for each.
    """

    lesson: Lesson
    values: Values
    t: int
    view: str = LESSON
    theme: Theme = PLAIN
    paper: str = "ours"
    charts: tuple[str, ...] = ()
    number: int = 0
    moment: str | None = None
    given: Scene | None = None
    html: bool = False

    @property
    def identity(self) -> tuple[Hashable, ...]:
        """Return it as one plain value."""
        shown = None if self.given is None else self.given.state
        looks = (self.theme, self.paper, self.charts, self.html)
        return (self.lesson.key, tuple(self.values.items()), self.t, self.view, *looks, shown)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and self.identity == other.identity

    def __hash__(self) -> int:
        return hash(self.identity)

    @property
    def until(self) -> int | None:
        """Return the time at which the stage of a bet ends; None for the page itself."""
        if self.view == LESSON:
            return None
        bet = self.lesson.bet
        assert isinstance(bet, Bet)
        return bet.opens if self.view == BET else bet.t

    @computed_once
    def scene(self) -> Scene:
        """Return its scene; page and film share one computation.

        Raises:
            ValueError: there is no such world, or what a method refuses.
        """
        return _scene(self) if self.given is None else self.given

    @property
    def frame(self) -> int:
        """The frame at which it stands: that of its time, of a bet the last one."""
        return self.scene.at_time(self.t) if self.view == LESSON else self.scene.frames - 1

    @property
    def pictures(self) -> dict[str, Picture]:
        """Key -> chart, the stage first."""
        return {**self.scene.films, **self.scene.stills}

    @property
    def shown(self) -> list[str]:
        """Keys of the charts that stand on the page, the stage first."""
        return [next(iter(self.scene.films)), *self.charts]

    @computed_once
    def labels(self) -> Sequence[str]:
        """One text a frame, as the player shows it."""
        return labels(self.scene, self.paper)

    @property
    def label(self) -> str:
        """Its time, as the player shows it."""
        return str(self.labels[self.frame])

    @property
    def settings(self) -> dict[str, str]:
        """Key of every knob -> its value as the screen shows it; without a bet or a task that is not chosen."""
        known = {key: knob for key, knob in self.lesson.knobs.items() if key in self.values}
        listed = {key for key, knob in known.items() if key not in APART or self.values[key] != knob.default}
        return {key: knob.screen_text(self.values[key]) for key, knob in known.items() if key in listed}

    @property
    def waits(self) -> bool:
        """Return whether it shows runs that have to be played first: then no answer has a scene before it is `given`.

        Raises:
            ValueError: a world that cannot be.
        """
        plan = self.lesson.runs
        if plan is None or self.given is not None or self.view != LESSON:
            return False
        return not plan.is_instant(self.values)

    def text(self, markdown: str) -> str:
        """Return Markdown in the letters, as HTML where the host takes that."""
        made = translate(markdown, self.paper, "markdown")
        return html_markdown(made) if self.html else made

    def film(self, key: str) -> Film | None:
        """Return the film of a chart, in the letters; None where the player does not move it."""
        one = self.scene.films.get(key)
        return in_letters(one.draw(self.frame), self.paper) if one else None

    def figure_of(self, key: str) -> PackedFigure:
        """Return the figure of a chart, at its frame."""
        moved = self.film(key)
        return moved.figure if moved else in_letters(self.scene.stills[key].draw(self.frame).figure, self.paper)


def _name(state: State) -> Hashable:
    lesson = state.lesson
    values = tuple((key, value) for key, value in state.values.items() if key not in APART)
    return (lesson.scene, lesson.bet and lesson.bet.scene, values, state.until, state.theme)


@cached(LRUCache(SCENES), key=_name, condition=Condition())
def _scene(state: State) -> Scene:
    """Return the scene of a state."""
    lesson = state.lesson
    if state.until is not None:
        assert lesson.bet is not None and lesson.bet.scene is not None
        return lesson.bet.scene(state.values, state.until, state.theme)
    assert lesson.scene is not None
    return lesson.scene(state.values, state.theme)
