"""The stage as a figure, for pictures, tables and pages that play offline; on the page a canvas draws the same."""

from __future__ import annotations

from textwrap import wrap

import numpy as np

from figures import theme as look
from figures.film import Film
from figures.sheet import Sheet
from figures.theme import Theme
from lessons.chase import words
from lessons.chase.model import STEPS, Chase, Learner, before_facts, depth, reach, role

TOWERS, GAP = 0.18, 0.05  # of the width: what was paid so far, and the space around it
TITLE_LETTERS = 16  # of a line of a learner's title


def stage(film: Chase, unseen: bool, top: float, theme: Theme, drawn: int) -> Film:
    """Return the film of all steps of all rounds: the learners' hills, and what each paid on one scale between them.

    Args:
        unseen: hide the hill and what is paid.   top: end of the axis of rewards, above and below 0.
        drawn: frame that the figure shows.
    """
    sheet, both = Sheet(theme, drawn, look.layout(theme, None)), len(film.learners) > 1
    sheet.margins(3.4 * theme.tick, 14, (3.2 if both else 1.4) * theme.label, 2.9 * theme.label)
    places = _places(film, unseen)
    for i, one in enumerate(film.learners):
        place = column(film, i)
        across = places[place]
        reward = {"range": [-top, top], "nticks": 5, "title": "" if place else "reward", "showticklabels": place == 0}
        action = {"range": [0, 1], "title": "action x", "showgrid": False, **look.ticks([0.0, 0.5, 1.0])}
        sheet.panel(f"hill {i}", across, [0, 1], action, reward)
        if both:
            title = "<br>".join(wrap(words.titled(one), TITLE_LETTERS))
            sheet.headline(f"hill {i}", f"<b>{title}</b>", size=theme.label, color=colour(one, theme))
        _hill(sheet, film, one, i, unseen, top)
    if not unseen:
        _paid(sheet, film, _towers(film))
    return sheet.film()


def colour(one: Learner, theme: Theme) -> str:
    """Return the colour of a learner: that of its role, and ink for the reader's own clicks."""
    return theme.ink if one.yours else theme.role(role(one))


def column(film: Chase, i: int) -> int:
    """Return the place of a learner from the left, as on the canvas: who keeps everything comes first."""
    return len(film.learners) - 1 - i


def _places(film: Chase, unseen: bool) -> list[list[float]]:
    """Return the places of the hills from the left, as shares of the width."""
    if len(film.learners) == 1:
        return [[0.0, 1.0 if unseen else _towers(film)[0] - GAP]]
    middle = 0.5 * (GAP if unseen else TOWERS + 2 * GAP)
    return [[0.0, 0.5 - middle], [0.5 + middle, 1.0]]


def _towers(film: Chase) -> list[float]:
    """Return the place of what was paid: between two hills, or beside one."""
    return [1.0 - TOWERS, 1.0] if len(film.learners) == 1 else [0.5 * (1.0 - TOWERS), 0.5 * (1.0 + TOWERS)]


def rounds(one: Learner, theme: Theme) -> dict:
    """Return what the canvas knows of all rounds of a learner: its name and colour, what it asked, heard and paid."""
    run = one.history
    return {
        "name": words.titled(one),
        "colour": colour(one, theme),
        "yours": one.yours,
        "arms": run.arms.tolist(),
        "choice": one.choice.tolist(),
        "y": run.y.tolist(),
        "gap": run.regret.tolist(),
        "paid": one.paid.tolist(),
    }


def one_round(film: Chase, row: int, theme: Theme) -> dict:
    """Return what the canvas draws in one round, under the names that its message has (`component.message`)."""
    return {
        "row": row,
        "reach": reach(film),
        "depth": depth(film),
        "moves": film.moves,
        "best": film.problem.best.tolist(),
        "way": film.way[:, None].tolist(),
        "f": _only(film.problem.f, row),
        "learners": [
            {
                **rounds(one, theme),
                "mean": _only(one.mean, row),
                "lower": _only(one.lower, row),
                "upper": _only(one.upper, row),
                "weight": _only(one.weight, row),
            }
            for one in film.learners
        ],
    }


def _only(values: np.ndarray, row: int) -> dict[int, list[float]]:
    """Return one row under its number, with the digits that the film has."""
    return {row: values[row].astype("<f4").tolist()}


def _hill(sheet: Sheet, film: Chase, one: Learner, i: int, unseen: bool, top: float) -> None:
    """Draw the hill, the belief of the round, its highest point, what was heard, and the gap."""
    theme, panel, x, f = sheet.theme, f"hill {i}", film.problem.x[:, 0], film.problem.f
    now, step = _clock(film)
    hue = colour(one, theme)
    lower, upper, mean = (np.clip(edge, -top, top)[now] for edge in (one.lower, one.upper, one.mean))
    sheet.area(panel, x, lower, upper, look.faded(hue, 0.15), None)
    sheet.curve(panel, x, mean, hue, theme.line, dash="dot")
    if not unseen:
        sheet.curve(panel, x, f[now], theme.ink, theme.truth_line)
    rounds = np.arange(len(film.way))
    waits = (rounds == now[:, None]) & (STEPS.index("ask") > step)[:, None]  # the answer of this round
    age = np.where((rounds <= now[:, None]) & ~waits, one.history.y, np.nan)
    place = np.broadcast_to(x[one.history.arms], age.shape)
    sheet.dots(panel, place, age, hue, theme.marker, symbol="circle-open", rim=2)
    at, rows = one.choice[now], np.arange(film.frames)
    turn = unseen & (film.setting.game is None) & (step == STEPS.index("choose"))  # the reader's, who is told nothing
    turn &= ~np.isin(now, [row for row, _ in film.setting.asked])
    high = np.where((STEPS.index("choose") <= step) & ~turn, upper[rows, at], np.nan)
    sheet.dots(panel, x[at][:, None], high[:, None], hue, theme.marker + 4, symbol="triangle-down", opacity=1)
    sheet.shows(f"{before_facts(film, one)}highest point of the band", "x", 0)
    if unseen:
        return
    arm, paying = one.history.arms[now], STEPS.index("pay") == step
    ends = np.stack([f[now, arm], f[now].max(axis=1)], axis=1)
    ends = np.where(paying[:, None], ends, np.nan)
    sheet.cursor(panel, x[arm], ends, hue, 0.8 * theme.marker)
    sheet.shows(f"{before_facts(film, one)}asked at x", "x", 0)


def _clock(film: Chase) -> tuple[np.ndarray, np.ndarray]:
    """Return (F,) round and step of every frame."""
    return np.divmod(np.arange(film.frames), len(STEPS))


def _paid(sheet: Sheet, film: Chase, across: list[float]) -> None:
    """Draw the gaps of all rounds so far on top of each other, a tower a learner, on one scale."""
    theme, panel = sheet.theme, "paid"
    most = max(2.0, *(float(one.paid[-1]) for one in film.learners))
    sheet.panel(
        panel,
        across,
        [0, 1],
        {"range": [-0.5, len(film.learners) - 0.5], "showticklabels": False, "showgrid": False, "title": "paid"},
        {"range": [0, 1.12 * most], "showticklabels": False, "showgrid": False, "showline": False},
    )
    now, step = _clock(film)
    for i, one in enumerate(film.learners):
        sofar = np.r_[0.0, one.paid][now + (STEPS.index("pay") == step)]
        place, hue = column(film, i), colour(one, theme)
        sheet.rect(panel, (place - 0.4, place + 0.4), (0 * sofar, sofar), hue, line=look.stroke(hue, 0))
        said = tuple((f"<b>{value:.1f}</b>",) for value in sofar)
        sheet.words(panel, [place], sofar[:, None], said, hue, "top center", theme.label)
        sheet.shows(f"{before_facts(film, one)}paid so far", "y", 0)
