"""The towers of each learner's regret, and the gaps that fly onto them."""

from __future__ import annotations

import numpy as np

from figures import theme as style
from figures.sheet import Sheet, strokes
from lessons.chase import words
from lessons.chase.figure_layout import (
    BETWEEN,
    NARROW,
    PAY,
    SWIPED,
    Box,
    Stage,
    also_narrow,
    colour,
    column,
    ease,
    hill_box,
    mix,
    part,
    tower_box,
)
from lessons.chase.model import LEAST_PAID, Chase, ChaseLearner, before_facts, last_turn

SKY = "sky"  # the panel over all others in which a gap flies, and where the hills stand as on a phone its other one
LANDS = 0.45  # share of a step after which the gap begins to fly
SLAB = 0.008  # of the tower: the thinnest slab with an edge of its own


def towers(sheet: Sheet, made: Stage) -> None:
    """Draw the gaps of all rounds so far on top of each other, a tower a learner, on one scale."""
    film, theme, panel, many = made.film, sheet.theme, "paid", len(made.film.learners)
    most, big = _most(film), (1.2 if theme.lecture else 1.45) * theme.label
    bare = {"showticklabels": False, "showgrid": False}
    line = {"showline": True, "linecolor": theme.grey}
    up = {"range": [0, 1.14 * most], "showline": False, **bare}
    sheet.panel(panel, *tower_box(film, False), {"range": [-0.5, many - 0.5], **bare, **line}, up)
    also_narrow(sheet, panel, tower_box(film, True))
    under = {"yanchor": "top", "yshift": -theme.tick, "color": theme.soft_ink}
    sheet.note(panel, "regret" if theme.lecture else words.SO_FAR, 0.5, 0, "xy", narrow="regret", **under)
    if many > 1:  # a phone shows one tower a screen, with its name
        notes = sheet.layout["annotations"]
        style.elsewhere(sheet.layout, SWIPED, "annotations", {str(len(notes) - 1): {**notes[-1], "text": ""}})
        named = {"showticklabels": True, "tickfont": {"size": theme.tick}, **style.ticks([0, 1], ["regret"] * 2)}
        style.elsewhere(sheet.layout, SWIPED, f"xaxis{sheet.axes[panel]}", named)
    done = made.round + (made.step == PAY)
    if made.unseen:
        last = made.frames == film.frames - 1
        last |= (made.step == PAY) & np.array([last_turn(film.setting.queries, row) for row in made.round])
    else:
        last = np.ones(len(done), dtype=bool)
    for i, one in enumerate(film.learners):
        sofar = np.where(last, np.r_[0.0, one.paid][done], 0.0)
        place, hue = column(film, i), colour(one, theme)
        sides = (place - 0.46, place + 0.46)
        said = f"regret|so far|{words.called(one)}"
        sheet.rect(panel, sides, (0 * sofar, sofar), hue, line=style.stroke(hue, 0), meta=said)
        if not made.unseen:  # what is not paid yet has edges too, which nobody sees on paper
            edges = _edges(one.paid, most)
            sheet.curve(panel, strokes(*[np.full(len(edges), side) for side in sides]), strokes(edges, edges),
                        theme.paper, 0.8)  # fmt: skip
        texts = tuple((f"<b>{value:.1f}</b>" if seen else "<b>?</b>",) for value, seen in zip(sofar, last, strict=True))
        ink = np.where(last.all(), hue, theme.ink).item()
        sheet.words(panel, [place], sofar[:, None], texts, ink, "top center", big, meta=said)
        if not made.unseen:
            sheet.shows(f"{before_facts(film, one)}regret so far", "y", 0)


def _most(film: Chase) -> float:
    """Return the regret at the top of the towers; moments are compared."""
    least = 0.0 if film.setting.game is not None else LEAST_PAID
    return max(least, *(float(one.paid[-1]) for one in film.learners)) or 1.0


def _edges(paid: np.ndarray, most: float) -> list[float]:
    """Return the heights at which a slab ends, but for slabs that are too thin to be told apart."""
    found = [0.0]
    for height in map(float, paid):
        if height - found[-1] >= SLAB * most:
            found.append(height)
    return found[1:-1] if len(found) > 1 else []


def flights(sheet: Sheet, made: Stage, both: bool) -> None:
    """Draw the newest gap on its way from the hill onto its tower, over the whole figure.

    On a phone the hills stand elsewhere: each layout has a panel of its own, which the other one shows nothing of.
    """
    film, theme, now, p = made.film, sheet.theme, made.round, made.way
    always = {name: np.ones(p.size * len(now) - 1, dtype=bool) for name in ("x", "y")}
    fly = ease(part(p, LANDS, 1))[..., None]
    seen = (made.step == PAY)[:, None, None] & (fly > 0) & (fly < 1)
    shown, aside = {"range": [0.0, 1.0]}, {"range": [2.0, 3.0]}
    for narrow in (False, True):
        panel = f"{SKY} {narrow}"
        bare = {"visible": False}
        sheet.panel(panel, [0.0, 1.0], [0.0, 1.0], {**(aside if narrow else shown), **bare}, {**shown, **bare})
        style.elsewhere(sheet.layout, NARROW, f"xaxis{sheet.axes[panel]}", shown if narrow else aside)
        for i, one in enumerate(film.learners):
            box, tower = hill_box(film, i, narrow), tower_box(film, narrow)
            x, y = _gap_corners(made, one, box, 0.009 if narrow else 0.0035)
            to = _slab_corners(film, one, now, i, tower)
            across, up = (mix(a[:, None], b[:, None], fly) for a, b in zip((x, y), to, strict=True))
            across, up = np.broadcast_arrays(across, np.where(seen, up, np.nan))
            filled = style.filled(across.reshape(-1, 4), up.reshape(-1, 4), style.faded(colour(one, theme), 0.9))
            sheet.draw(panel, filled, always, BETWEEN)


def _gap_corners(made: Stage, one: ChaseLearner, box: Box, half: float) -> tuple[np.ndarray, np.ndarray]:
    """Return (F, 4) corners of the gap as shares of the figure."""
    film, now = made.film, made.round
    f, arm = film.problem.f, one.history.arms[now]
    (left, right), (low, high) = box
    at = left + (right - left) * film.problem.x[arm, 0]
    ends = np.stack([f[now, arm], f[now].max(axis=1)], axis=1)
    up = low + (high - low) * (ends - made.low) / (made.high - made.low)
    return np.stack([at - half, at + half, at + half, at - half], axis=1), up[:, [0, 0, 1, 1]]


def _slab_corners(film: Chase, one: ChaseLearner, now: np.ndarray, i: int, box: Box) -> tuple[np.ndarray, np.ndarray]:
    """Return (F, 4) corners of a round's slab in its tower as shares of the figure."""
    (left, right), (low, high) = box
    many, place = len(film.learners), column(film, i)
    sides = left + (right - left) * (np.array([place - 0.46, place + 0.46]) + 0.5) / many
    ends = np.stack([np.r_[0.0, one.paid][now], one.paid[now]], axis=1) / (1.14 * _most(film))
    up = low + (high - low) * ends
    return np.broadcast_to(sides[[0, 1, 1, 0]], (len(now), 4)), up[:, [0, 0, 1, 1]]
