"""Texts and figures of a page beside its film, and of its drawers: words as they are written, figures as bytes.

Texts are Markdown in the lab's own letters, as lessons write them: `plain` puts them into a state's letters. A live
sentence is HTML in the state's letters, with the glossary's terms and the figure's marks in it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import permutations

from answers import captions
from answers.film import compressed, film, marked, said, still
from answers.letters import in_letters, translate
from answers.state import BET, LESSON, State
from answers.verdict import open_bet, placed_bet, verdict
from common.markup import plain_markdown
from figures.bet import PlacedBet, bars
from lessons.record import CLOSED, Bet, Scene, Strip

WAGER = "wager"  # key of the chart with the bars of a bet


@dataclass(frozen=True)
class Page:
    """A page in a state, without its film.

    Attributes:
        frames: how many the film has.   start: the frame at which it opens.   times: the time of each.
        alt: of the stage.   sentence: with which it opens; None where only finished runs can tell.
        caption: the set-up.   notes: on the stage.   odds: in how many worlds it is so.
        drawers: title of each, and key -> alternative text of its charts.   texts: key -> title of those with words.
        tables: titles.   settings: every setting that changes anything, in one line.
    """

    frames: int
    start: int
    times: Sequence[int]
    alt: str
    sentence: str | None
    caption: str
    notes: Sequence[str]
    odds: str | Strip
    drawers: Sequence[tuple[str, Mapping[str, str]]]
    texts: Mapping[str, str]
    tables: Sequence[str]
    settings: str


def page(state: State) -> Page:
    """Return what stands on the page of a state.

    Raises:
        ValueError: there is no such world, or what a method refuses.
    """
    scene = state.scene
    charts = state.pictures
    return Page(
        frames=scene.frames,
        start=state.frame,
        times=[int(time) for time in scene.times],
        alt=scene.stage.alt,
        sentence=sentence(state),
        caption=scene.caption,
        notes=scene.notes(state.frame),
        odds=scene.odds,
        drawers=[(charts[keys[0]].title, {key: charts[key].alt for key in keys}) for keys in scene.drawers],
        texts={key: title for key, (title, _) in scene.texts.items()},
        tables=list(scene.tables),
        settings=captions.settings(state),
    )


def sentence(state: State) -> str | None:
    """Return the live sentence with which a page opens, in HTML; None where only finished runs can tell."""
    scene = state.scene
    return scene.says and said(scene, state.frame, state.paper)


# As a page without a server loads it ---------------------------------------------------------------------------------


def contents(state: State, glossary: bool = True) -> dict[str, object]:
    """Return what a page that draws files needs of a state: its film and words, of a bet what belongs to its view.

    Args:
        glossary: whether it stands beside the page, so that terms in sentences are marked.
    """
    scene, marks = untimed(state.scene), (marked(state.scene),) if glossary else ()
    stands = page(replace(state, given=scene))
    found: dict[str, object] = {
        "film": compressed(film(scene.showing(()), state.frame, state.paper, *marks)),
        "times": stands.times,
        "alt": stands.alt,
        "screens": list(scene.stage.screens),
    }
    if state.view == LESSON:  # what is said beside a question tells
        return found | {
            "drawers": [[plain(title, state.paper), alts] for title, alts in stands.drawers],
            "caption": captions.stage_caption(state),
            "odds": plain(scene.odds_line, state.paper),
            "settings": f"Settings: {stands.settings}.",
        }
    bet = state.lesson.bet
    assert isinstance(bet, Bet)
    if state.view == BET:
        return found | {"wager": wager(state, open_bet(bet)) if bet.places else b""}
    return found | truth(state, bet)


def drawers(state: State) -> dict[str, object]:
    """Return what the drawers of a state show: charts that move, as one film, charts that stand, and captions."""
    scene = untimed(state.scene)
    keys = [key for some in scene.drawers for key in some]
    moved = {key: one for key, one in scene.films.items() if key in keys}
    return {
        "film": compressed(film(replace(scene, films=moved), state.frame, state.paper)) if moved else b"",
        "stills": {key: still(key, state.figure_of(key)) for key in scene.stills},
        "captions": {key: captions.chart_caption(state, key) for key in keys},
        "times": {key: f" (as of {state.label})" for key, one in scene.stills.items() if one.follows},
    }


def untimed(scene: Scene) -> Scene:
    """Return a scene without charts that no two machines would draw alike."""
    return replace(scene, stills={key: still for key, still in scene.stills.items() if not still.timed})


def truth(state: State, bet: Bet) -> dict[str, object]:
    """Return what is shown once a bet is revealed: what was measured and why, of each answer whether it is right, and
    its bars beside the truth; "" is no answer."""
    assert bet.truth is not None
    outcome = bet.truth(state.lesson.settings(bet.values), bet)
    every = guesses(bet)
    placed = {guess: placed_bet(bet, outcome, guess) for guess in every} | {"": placed_bet(bet, outcome, CLOSED)}
    return {
        "truth": plain(f"{outcome.whole} {bet.why}", state.paper),
        "verdicts": {guess: plain(verdict(bet, outcome, guess, ""), state.paper) + " " for guess in every},
        "wagers": {guess: wager(state, one) for guess, one in placed.items()},
    }


def wager(state: State, placed: PlacedBet) -> bytes:
    """Return the bars of a bet as a still film."""
    return still(WAGER, in_letters(bars(placed, state.theme).figure, state.paper))


def guesses(bet: Bet) -> list[str]:
    """Return every answer to a bet, as a link writes it."""
    return [".".join(order) for order in permutations(bet.options)] if bet.ranks else list(bet.options)


def plain(markdown: str, paper: str) -> str:
    """Return a text of the lab as plain text, in the letters of a paper."""
    return plain_markdown(translate(markdown, paper, "markdown"))
