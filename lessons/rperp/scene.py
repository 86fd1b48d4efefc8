"""The R-PERP scene: the runs in slow motion, and the coverage of eq. 9 below."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from figures.theme import Theme
from lessons.record import Frame, Picture, Scene, Values
from lessons.rperp import coverage, figure, figure_shuffles, model, words
from lessons.rperp.coverage import FEW_WORLDS, CoverageRow
from lessons.rperp.figure_layout import View
from lessons.rperp.model import Walkthrough

ALT = "Step diagram of restarts, batches, picks, shuffle and elimination, with a histogram of errors over shuffles"

LONGEST, MOST_ARMS = 200, 100  # horizon and number of actions up to which a frame is computed while a slider moves


def scene(values: Values, t: int, theme: Theme) -> Scene:
    """Return the scene of these knob values at frame t.

    Raises:
        ValueError: a world that cannot be, or a width that its rewards do not allow.
    """
    runs = model.paired_runs(model.chosen(values))
    walk = model.walkthrough(runs, str(values["grain"]), int(values["interval"]))
    return drawn(walk, str(values["order"]), t, theme, lambda: coverage.rows(runs, FEW_WORLDS), FEW_WORLDS)


def frame(values: Values, t: int, theme: Theme) -> Frame | None:
    """Return frame t: short runs are played whole in a few hundredths of a second.

    Another restart length has other steps, and the page then opens at the batch that was on screen, which no link
    says: there is no frame where the drift decides the length.

    Raises:
        ValueError: a world that cannot be, or a width that its rewards do not allow.
    """
    long = int(values["T"]) > LONGEST or int(values["arms"]) > MOST_ARMS
    if values["kind"] == "data" or long or not values["H"]:
        return None
    made = scene(values, t, theme)
    at = min(max(t, 0), made.frames - 1)
    return Frame({"main": made.films["main"].draw(at).figure}, made.sentences()[at])


def drawn(
    walk: Walkthrough, order: str, t: int, theme: Theme, rows: Callable[[], Sequence[CoverageRow]], worlds: int
) -> Scene:
    """Return the scene of a walkthrough.

    Args:
        order: "fixed", "shuffled" or "both".   rows: returns the rows of the coverage panel.
        worlds: in how many worlds they were measured.
    """
    runs = walk.runs
    view = View(walk, model.NAMES[order])
    return Scene(
        state=(runs.setting, walk.grain, order, walk.interval),
        frames=len(walk.steps),
        start=t,
        films={"main": Picture(lambda at: figure.stage(view, theme, at), ALT)},
        stills={
            "promises": Picture(
                lambda frame: figure_shuffles.coverage(rows(), words.coverage_titles(rows()), theme),
                "Share of runs in which every band covered its batch average, by width",
                words.COVERAGE_TITLE,
                lambda frame: words.coverage(runs, rows()), more=(worlds,)),
        },
        sentences=lambda: words.finding(walk, order),
        labels=lambda: words.labels(walk),
        events=walk.events,
        caption=words.caption(runs, order),
        notes=lambda: words.notes(runs, order),
        marks=lambda: words.MARKS,
        reset=(walk.grain, len(walk.steps)),
    )  # fmt: skip
