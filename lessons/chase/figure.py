"""The stage as a figure, for pictures, tables and pages that play offline; on the page a canvas draws the same."""

from __future__ import annotations

import numpy as np

from figures import theme as look
from figures.film import Film
from figures.sheet import Sheet
from figures.theme import Theme
from lessons.chase import words
from lessons.chase.model import ROUNDS, STEPS, Chase, Learner, reach

FRAMES = ROUNDS * len(STEPS)
STACK_SHARE, GAP_SHARE = 0.1, 0.045  # of a learner's width: what was paid so far, and the space around it
ROUND, STEP = np.divmod(np.arange(FRAMES), len(STEPS))


def stage(film: Chase, unseen: bool, top: float, theme: Theme, drawn: int) -> Film:
    """Return the film of all steps of all rounds, a learner beside the other.

    Args:
        unseen: hide the hill and what is paid.   top: end of the axis of rewards, above and below 0.
        drawn: frame that the figure shows.
    """
    sheet = Sheet(theme, drawn, look.layout(theme, None))
    sheet.frame["margin"] = {
        "l": int(3.4 * theme.tick), "r": 14, "t": int(1.9 * theme.label), "b": int(2.9 * theme.label),
    }  # fmt: skip
    width = (1.0 - GAP_SHARE * (len(film.learners) - 1)) / len(film.learners)
    most = max(2.0, *(float(one.paid[-1]) for one in film.learners))
    for i, one in enumerate(film.learners):
        left = i * (width + GAP_SHARE)
        edge = left + width * (1.0 - STACK_SHARE - GAP_SHARE)
        reward = {"range": [-top, top], "nticks": 5, "title": "" if i else "reward", "showticklabels": i == 0}
        sheet.panel(
            f"hill {i}", [left, edge], [0, 1], {"range": [0, 1], "title": "action x", "showgrid": False}, reward
        )
        if len(film.learners) > 1:
            sheet.headline(f"hill {i}", f"<b>{words.called(one)}</b>", size=theme.label)
        _hill(sheet, film, one, i, unseen, top)
        if not unseen:
            _paid(sheet, one, i, [edge + width * GAP_SHARE, left + width], most)
    return sheet.film()


def rounds(one: Learner, theme: Theme, named: bool) -> dict:
    """Return what the canvas knows of all rounds of a learner: its name and colour, what it asked, heard and paid."""
    run, method = one.history, "GP-UCB" if one.memory == "all" else "WGP-UCB"
    return {
        "name": words.called(one) if named else "", "colour": theme.method(method),
        "arms": run.arms.tolist(), "choice": one.choice.tolist(), "y": run.y.tolist(), "gap": run.regret.tolist(),
        "paid": one.paid.tolist(),
    }  # fmt: skip


def one_round(film: Chase, row: int, theme: Theme) -> dict:
    """Return what the canvas draws in one round, under the names that its message has (`component.message`)."""
    named = len(film.learners) > 1
    return {
        "row": row, "reach": reach(film), "moves": bool(film.setting.drift), "best": film.problem.best.tolist(),
        "way": film.way[:, None].tolist(), "f": _only(film.problem.f, row),
        "learners": [
            {**rounds(one, theme, named), "mean": _only(one.mean, row), "lower": _only(one.lower, row),
             "upper": _only(one.upper, row), "weight": _only(one.weight, row)} for one in film.learners
        ],
    }  # fmt: skip


def _only(values: np.ndarray, row: int) -> dict[int, list[float]]:
    """Return one row under its number, with the digits that the film has."""
    return {row: values[row].astype("<f4").tolist()}


def _hill(sheet: Sheet, film: Chase, one: Learner, i: int, unseen: bool, top: float) -> None:
    """Draw the hill, the belief of the round, its highest point, what was heard, and the gap."""
    theme, panel, x, f = sheet.theme, f"hill {i}", film.problem.x[:, 0], film.problem.f
    colour = theme.method("GP-UCB" if one.memory == "all" else "WGP-UCB")
    lower, upper, mean = (np.clip(edge, -top, top)[ROUND] for edge in (one.lower, one.upper, one.mean))
    band = {**look.line(np.r_[x, x[::-1]], None, colour, 1.5), "fill": "toself", "fillcolor": look.faded(colour, 0.18)}
    sheet.moving(panel, band, y=np.concatenate([lower, upper[:, ::-1]], axis=1))
    sheet.moving(panel, look.line(x, None, colour, theme.line), y=mean)
    if not unseen:
        sheet.moving(panel, look.line(x, None, theme.ink, theme.truth_line), y=f[ROUND])
    age = np.where((np.arange(ROUNDS) <= ROUND[:, None]) & ~_waits(), one.history.y, np.nan)
    place = np.broadcast_to(x[one.history.arms], age.shape)
    mark = {"symbol": "circle-open", "size": theme.marker, "color": theme.ink, "line": {"width": 2}}
    sheet.moving(panel, {"type": "scatter", "mode": "markers", "marker": mark, "hoverinfo": "skip"}, x=place, y=age)
    at, rows = one.choice[ROUND], np.arange(FRAMES)
    high = np.where(STEPS.index("choose") <= STEP, upper[rows, at], np.nan)
    tip = {"symbol": "triangle-down", "size": theme.marker + 4, "color": colour, "opacity": 1}
    sheet.moving(panel, {"type": "scatter", "mode": "markers", "marker": tip, "hoverinfo": "skip"},
                 x=x[at][:, None], y=high[:, None])  # fmt: skip
    if unseen:
        return
    arm, paying = one.history.arms[ROUND], STEPS.index("pay") == STEP
    ends = np.stack([f[ROUND, arm], f[ROUND].max(axis=1)], axis=1)
    ends = np.where(paying[:, None], ends, np.nan)
    gap = look.line(None, None, theme.missed, 0.8 * theme.marker)
    sheet.moving(panel, gap, x=np.repeat(x[arm][:, None], 2, axis=1), y=ends)


def _waits() -> np.ndarray:
    """Return (frames, rounds) whether an answer is that of the frame's own round and not heard yet."""
    return (np.arange(ROUNDS) == ROUND[:, None]) & (STEPS.index("ask") > STEP)[:, None]


def _paid(sheet: Sheet, one: Learner, i: int, across: list[float], most: float) -> None:
    """Draw the gaps of all rounds so far on top of each other."""
    theme, panel = sheet.theme, f"paid {i}"
    sheet.panel(panel, across, [0, 1], {"range": [0, 1], "showticklabels": False, "showgrid": False, "title": "paid"},
                {"range": [0, 1.12 * most], "showticklabels": False, "showgrid": False})  # fmt: skip
    sofar = np.r_[0.0, one.paid][ROUND + (STEPS.index("pay") == STEP)]
    box = {**look.line([0.1, 0.9, 0.9, 0.1], None, theme.missed, 0), "fill": "toself", "fillcolor": theme.missed}
    sheet.moving(panel, box, y=np.stack([0 * sofar, 0 * sofar, sofar, sofar], axis=1))
    said = tuple((f"<b>{value:.1f}</b>",) for value in sofar)
    sheet.moving(
        panel, look.words([0.5], None, [], theme.missed, theme.label, "top center"), y=sofar[:, None], text=said
    )
