"""The stage as a film: the learners' hills, and the towers of their regret."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from figures import theme as style
from figures.film import Film
from figures.sheet import Sheet
from figures.theme import Theme
from lessons.chase import words
from lessons.chase.figure_layout import (
    CHOOSE,
    CLEAR,
    NARROW,
    SWIPED,
    Stage,
    also_narrow,
    colour,
    column,
    hill_box,
    query_rows,
)
from lessons.chase.figure_paid import flights, towers
from lessons.chase.figure_round import steps
from lessons.chase.model import PLACES, Chase, ChaseLearner

DIM = 0.28  # of everything but the hill, while it is reshaped


def stage(film: Chase, unseen: bool, frames: Sequence[int], theme: Theme, at: int, *, bending: bool = False) -> Film:
    """Return the film of all steps of all rounds: the learners' hills, and their regret on one scale between them.

    Args:
        unseen: hide the hill and the regret.   frames: of the film that are drawn.   at: of these, which is shown.
        bending: show the handles of the hill in place of the steps.
    """
    made = Stage(film, unseen, bending, np.asarray(frames))
    sheet = Sheet(theme, at, plot_bgcolor=CLEAR)
    sheet.margins(style.HANG, 12, 1.5 * theme.label + 2.2 * theme.tick, 2.5 * theme.tick)
    both = len(film.learners) > 1
    narrow = style.margins(3 * theme.tick, 1.3 * theme.tick, 1.5 * theme.label + 2.2 * theme.tick, 2.5 * theme.tick)
    style.elsewhere(sheet.layout, NARROW, "margin", narrow)
    if both:  # each half on a screen of its own
        sheet.screens(*(words.hill_title(one) for one in reversed(film.learners)))
        style.elsewhere(sheet.layout, SWIPED, "margin", narrow | {"r": narrow["l"]})
    for i, one in enumerate(film.learners):
        _panel(sheet, made, i)
        _hill(sheet, made, one, i)
        if bending:
            _handles(sheet, made, f"hill {i}")
        else:
            steps(sheet, made, one, i)
    towers(sheet, made)
    if bending:
        sheet.layout["annotations"].append(_how(sheet, film))
    if not (unseen or bending):
        flights(sheet, made, both)
    return sheet.film()


def _how(sheet: Sheet, film: Chase) -> dict:
    """Return the note that says how the hill is reshaped."""
    text = words.DRAG if film.moves else words.DRAG_STILL
    place = {"x": 0.0, "y": 1.0, "xref": "paper", "yref": "paper", "xanchor": "left", "yanchor": "bottom"}
    note = {"text": text, **place, "showarrow": False, "font": {"size": sheet.theme.tick, "color": sheet.theme.ink}}
    narrow = {str(len(sheet.layout["annotations"])): {**note, "text": text.replace(": ", ":<br>", 1), "align": "left"}}
    style.elsewhere(sheet.layout, NARROW, "annotations", narrow)
    return note


def _panel(sheet: Sheet, made: Stage, i: int) -> None:
    """Lay out the panel of a learner's hill, with its name."""
    film, theme, panel = made.film, sheet.theme, f"hill {i}"
    one, place = film.learners[i], column(film, i)
    apart = 2 if made.high - made.low > 6 else 1
    heights = [float(y) for y in range(int(made.low) // apart * apart, int(made.high) + 1, apart) if y >= made.low]
    action = {"range": [0.0, 1.0], "showgrid": False, "showticklabels": False, "linecolor": theme.grey}
    reward = {
        "range": [made.low, made.high],
        "showline": False,
        "showticklabels": place == 0,
        "ticks": "outside",
        "ticklen": 6,
        "tickcolor": CLEAR,
        **style.ticks(heights, [f"{y:g}".replace("-", "−") for y in heights]),
    }
    wide, phone = hill_box(film, i, False), hill_box(film, i, True)
    sheet.panel(panel, *wide, action, reward | {"tickfont": {"size": theme.tick, "color": theme.soft_ink}})
    also_narrow(sheet, panel, phone, {"showticklabels": True})
    title = {"size": theme.label, "color": colour(one, theme), "yshift": 2.3 * theme.tick}
    sheet.headline(panel, f"<b>{words.hill_title(one)}</b>", **title)
    notes = sheet.layout["annotations"]
    moved = {**notes[-1], "x": phone[0][0], "y": phone[1][1]}
    style.elsewhere(sheet.layout, NARROW, "annotations", {str(len(notes) - 1): moved})


def _hill(sheet: Sheet, made: Stage, one: ChaseLearner, i: int) -> None:
    """Draw the belief of the round, the hill, and the answers, each as strong as its weight."""
    film, theme, panel, hue, now = made.film, sheet.theme, f"hill {i}", colour(one, sheet.theme), made.round
    x, f, strength = film.problem.x[:, 0], film.problem.f, DIM if made.bending else 1.0
    always = {name: np.ones(len(now) - 1, dtype=bool) for name in ("x", "y", "marker.opacity")}
    far = made.high - made.low  # beyond the axes it is cut
    edges = (np.clip(edge, made.low - far, made.high + far)[now] for edge in (one.lower, one.upper, one.mean))
    lower, upper, mean = edges
    around, back = np.r_[x, x[::-1]], np.concatenate([upper, lower[:, ::-1]], axis=1)
    band = style.filled(around, back, style.faded(hue, 0.15 * strength)) | {"meta": f"band|{words.called(one)}"}
    sheet.draw(panel, band, always)
    shown = style.faded(hue, strength)
    if not made.bending:
        sheet.curve(panel, x, made.when(made.step == CHOOSE, upper), hue, 1.2 * theme.line, meta="upper edge")
    dash, said = f"2px,{1.8 * theme.line}px", f"mean|{words.called(one)}"
    sheet.curve(panel, x, mean, shown, theme.line, dash=dash, glides=always, meta=said)
    if not made.unseen or made.bending:
        if not made.bending:
            before = made.when(film.way[now] > 0, np.broadcast_to(film.shapes[0], mean.shape))
            sheet.curve(panel, x, before, style.faded(theme.grey, 0.45), 0.7 * theme.truth_line)
        sheet.curve(panel, x, f[now], theme.ink, theme.truth_line, glides=always, meta="hill")
    rounds = np.arange(film.rounds)
    answers = np.where(rounds < now[:, None], one.history.y, np.nan)
    symbols = ["diamond" if row in query_rows(film, one) else "circle" for row in rounds]
    opacity = (0.12 + 0.48 * one.weight[now]) * strength
    place = np.broadcast_to(x[one.history.arms], answers.shape)
    sheet.draw(panel, style.dots(place, answers, hue, theme.marker, symbols, 0, opacity, cliponaxis=False), always)


def _handles(sheet: Sheet, made: Stage, panel: str) -> None:
    """Draw the two shapes of the hill with their handles."""
    film, theme, x = made.film, sheet.theme, made.film.problem.x[:, 0]
    for which in (1, 0)[0 if film.moves else 1 :]:
        hue, places = theme.soft_ink if which else theme.ink, PLACES
        sheet.curve(panel, x, film.shapes[which], hue, 2, dash="7px,6px" if which else "solid")
        fill, rim = (theme.paper, theme.ink) if which else (theme.ink, theme.paper)
        sheet.dots(panel, places, film.heights(which), fill, 20, rim=(3, rim), opacity=1, cliponaxis=False)
