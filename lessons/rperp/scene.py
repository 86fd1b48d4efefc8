"""The R-PERP scene: the runs in slow motion."""

from __future__ import annotations

from typing import Any

from figures.theme import Theme
from lessons.record import DATA, Picture, Scene, Values, of_all
from lessons.rperp import facts, figure, figure_growth, growth_words, model, words
from lessons.rperp.figure_layout import DrawnWalkthrough
from lessons.rperp.model import Walkthrough

ALT = "Step diagram of restarts, batches, picks, shuffle, band and elimination"
ALT_BOTH = "Error of an estimate, growing question by question, in the known order and in shuffled ones"

LONGEST = 200  # horizon up to which a frame is computed while a slider moves


def scene(values: Values, theme: Theme) -> Scene:
    """Return the scene of these knob values.

    Raises:
        ValueError: a world that cannot be, or a width that its rewards do not allow.
    """
    runs = model.paired_runs(model.setting_from(values))
    walk = model.film(runs, values)
    return scene_of(walk, str(values["order"]), theme)


def frame(values: Values, t: int, theme: Theme) -> Scene | None:
    """Return the scene itself, where the runs are played in a few hundredths of a second; else None.

    Where the drift decides the restart, an adversary is tuned several times.
    """
    quick = int(values["T"]) <= LONGEST and bool(values["H"])
    return scene(values, theme) if quick else None


def question_scene(values: Values, t: int, theme: Theme) -> Scene:
    """Return what the bet's question shows: the first t questions of the batch in both orders.

    Raises:
        ValueError: a world that cannot be, or a width that its rewards do not allow.
    """
    walk = model.until(model.film(model.paired_runs(model.setting_from(values)), dict(values) | {"order": "both"}), t)
    return scene_of(walk, "both", theme).without_answer(t)


def scene_of(walk: Walkthrough, order: str, theme: Theme) -> Scene:
    """Return the scene of a walkthrough.

    Args:
        order: "fixed", "shuffled" or "both".
    """
    runs = walk.runs
    main, about = _both(walk, theme) if order == "both" else _algorithm(walk, order, theme)
    return Scene(
        state=(runs.setting, order),
        times=range(len(walk.steps)),
        films={"main": main},
        events=walk.events,
        tables={DATA: lambda frame: model.batch_table(walk, frame)},
        reset=(walk.by_query, len(walk.steps)),
        **about,
    )


def _both(walk: Walkthrough, theme: Theme) -> tuple[Picture, dict[str, Any]]:
    """Return the stage of both orders, and what is said about it."""
    return Picture(lambda at: figure_growth.stage(walk, theme, at), ALT_BOTH), {
        "says": of_all(lambda: growth_words.finding(walk)),
        "facts": lambda at: facts.of_question(walk, at),
        "label": of_all(lambda: growth_words.labels(walk)),
        "caption": f"{growth_words.SEEN} {words.setup(walk.runs, first_batch=True)}",
        "notes": lambda frame: [*words.cut_swing(walk.runs), *growth_words.notes(walk)],
        "odds": growth_words.odds(walk),
    }


def _algorithm(walk: Walkthrough, order: str, theme: Theme) -> tuple[Picture, dict[str, Any]]:
    """Return the stage of Algorithm 1 in one order, and what is said about it."""
    view = DrawnWalkthrough(walk, model.NAMES[order])
    return Picture(lambda at: figure.stage(view, theme, at), ALT, screens=(3, 0)), {
        "says": of_all(lambda: words.finding(walk, order)),
        "facts": lambda at: facts.of_step(walk, at, order),
        "label": of_all(lambda: words.labels(walk)),
        "caption": f"{words.ONE_SEEN} {words.setup(walk.runs)}",
        "notes": lambda frame: words.notes(walk.runs, order),
    }
