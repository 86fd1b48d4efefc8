"""The steps of a round on a learner's hill: its choice, query, answer and regret."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from common.formats import two_decimals
from figures import theme as style
from figures.sheet import Sheet
from lessons.chase import words
from lessons.chase.figure_layout import (
    ASK,
    BELIEVE,
    BETWEEN,
    CHOOSE,
    PAY,
    Stage,
    colour,
    column,
    ease,
    is_mine,
    mix,
    part,
    query_rows,
)
from lessons.chase.model import ChaseLearner, before_facts

LIFT = 0.035  # of the axis of rewards: a triangle above the point that it points at
TOP = 0.1  # of the axis of rewards, above that triangle
FOOT = 0.1  # of the axis of rewards: so far below it does the line of the answer go on, where it is cut
# What sentences call the marks.
HIGHEST, ANSWER, GAP = "highest|highest point", "answer|answers|asked", "regret|gap"
NAMED = 0.15  # of the axis of rewards: a smaller gap has no room for its name
HEAD = 0.14  # of the axis of rewards, below its end: room for a name
ASIDE = 0.045  # of the axis of actions: words beside a mark


def steps(sheet: Sheet, made: Stage, one: ChaseLearner, i: int) -> None:
    """Draw a learner's choice, query, answer and regret in the round, and where the peak is."""
    film, theme, panel, hue = made.film, sheet.theme, f"hill {i}", colour(one, sheet.theme)
    x, now, step, p = film.problem.x[:, 0], made.round, made.step, made.way
    always = {name: np.ones(p.size * len(now) - 1, dtype=bool) for name in ("x", "y")}
    mine, arm, choice = is_mine(made, one), one.history.arms[now], one.choice[now]
    span = made.high - made.low
    turn = made.unseen & (film.setting.game is None) & ~mine  # the reader's, before whom nothing is shown
    peak = x[film.problem.best[now]]
    if not made.unseen:
        _above(sheet, made, panel, peak)
    if column(film, i) == 0:
        sheet.words(panel, [0.0], [made.high], ["reward"], theme.soft_ink, "bottom right")
    # choose: along the upper edge to its highest point
    before = np.where(now > 0, x[one.history.arms[np.maximum(now - 1, 0)]], 0.5)[:, None]
    along = np.where((step == CHOOSE)[:, None], mix(before, x[choice][:, None], ease(p)), x[choice][:, None])
    upper = np.stack([np.interp(at, x, edge) for at, edge in zip(along, one.upper[now], strict=True)])
    shown = (step == CHOOSE) & ~turn | (step == ASK) | (step == PAY) & ~mine & (not made.unseen)
    high = made.when(shown, np.minimum(upper + LIFT * span, made.high - TOP * span))
    sheet.draw(panel, style.dots(along.reshape(-1, 1), high.reshape(-1, 1), hue, 1.7 * theme.marker, "triangle-down",
                                opacity=1, cliponaxis=False, meta=HIGHEST), always, BETWEEN)  # fmt: skip
    sheet.shows(f"{before_facts(film, one)}highest point of the band", "x", 0)
    # ask: the answer falls from the edge onto the hill, and the noise moves it
    edge, hill, answer = (v[:, None] for v in (one.upper[now, arm], film.problem.f[now, arm], one.history.y[now]))
    onto = mix(edge, hill, part(p, 0, 0.6) ** 2)
    fall = mix(edge, answer, p**2)
    if not made.unseen:
        fall = np.where(p < 0.6, onto, mix(hill, answer, ease(part(p, 0.6, 1))))
    end = made.when(step >= ASK, np.where((step == ASK)[:, None], fall, answer))
    if not made.unseen:
        _gap(sheet, made, one, panel)
    foot = np.full_like(end, made.low - FOOT * span)
    ends = np.stack([end, foot], axis=-1).reshape(-1, 2)
    places = np.repeat(x[arm], p.size)
    stem, said = np.stack([places, places], axis=-1), f"{ANSWER}|{words.called(one)}"
    sheet.draw(panel, style.line(stem, ends, hue, 0.75 * theme.truth_line, meta=said), always, BETWEEN)
    sheet.shows(f"{before_facts(film, one)}queried x", "x", 0)
    asked = len(query_rows(film, one))
    for symbol, whose, any_ in (("circle", ~mine, asked < film.rounds), ("diamond", mine, asked > 0)):
        if any_:
            dot = made.when(whose, end).reshape(-1, 1)
            form = {
                "symbol": symbol,
                "rim": (0.24 * theme.marker, theme.paper),
                "opacity": 1,
                "cliponaxis": False,
                "meta": said,
            }
            sheet.draw(panel, style.dots(places[:, None], dot, hue, 1.76 * theme.marker, **form), always, BETWEEN)
    _below(sheet, made, one, panel)
    _names(sheet, made, one, panel)


def _gap(sheet: Sheet, made: Stage, one: ChaseLearner, panel: str) -> None:
    """Draw the gap to the height of the peak, which grows up from the hill."""
    film, theme, hue, now, p = made.film, sheet.theme, colour(one, sheet.theme), made.round, made.way
    x, f, arm, best = film.problem.x[:, 0], film.problem.f, one.history.arms[now], film.problem.best[now]
    always = {"y": np.ones(p.size * len(now) - 1, dtype=bool)}
    pays, level, hill = made.step == PAY, f[now, best][:, None], f[now, arm][:, None]
    grown = np.broadcast_to(mix(hill, level, ease(part(p, 0, 0.4))), (len(now), p.size))
    bar = made.when(pays, np.stack([np.broadcast_to(hill, grown.shape), grown], axis=-1)).reshape(-1, 2)
    places = np.repeat(x[arm], p.size)
    stem = np.stack([places, places], axis=-1)
    sheet.draw(panel, style.line(stem, bar, style.faded(hue, 0.3), 0.8 * theme.marker, meta=GAP), always, BETWEEN)
    flat = np.repeat(made.when(pays, np.repeat(level, 2, axis=1)), p.size, axis=0)
    ends = np.repeat(np.stack([x[best], x[arm]], axis=1), p.size, axis=0)
    sheet.draw(panel, style.line(ends, flat, hue, 2, "4px,4px", meta=GAP), always, BETWEEN)


def _above(sheet: Sheet, made: Stage, panel: str, peak: np.ndarray) -> None:
    """Write above the axes where the peak is now, and where it was before the hill travelled."""
    film, theme, room = made.film, sheet.theme, _room(made)
    _point(sheet, made, panel, peak, ["<b>the peak now</b><br>▼"], theme.ink, "top")
    was = min(max(float(film.problem.x[film.shapes[0].argmax(), 0]), room), 1 - room)
    far = (film.way[made.round] > 0) & (np.abs(was - np.clip(peak, room, 1 - room)) > 2.1 * room)
    texts = tuple(("the peak before<br> " if one else "",) for one in far)
    sheet.words(panel, [was], [made.high], texts, theme.soft_ink, "top center")


def _point(sheet: Sheet, made: Stage, panel: str, at: np.ndarray, text: Sequence, ink: str, up: str) -> None:
    """Write words that point at a place (F,) from beyond the axes, "top" or "bottom"; at their ends it begins there."""
    room, always = _room(made), {"x": np.ones(len(at) - 1, dtype=bool)}
    for side, here in (("right", at < room), ("center", (at >= room) & (at <= 1 - room)), ("left", at > 1 - room)):
        place, height = made.when(here, at)[:, None], [made.high if up == "top" else made.low]
        said = {"meta": "peak" if up == "top" else ANSWER}
        sheet.draw(panel, style.words(place, height, text, ink, sheet.theme.tick, f"{up} {side}") | said, always)


def _room(made: Stage) -> float:
    """Return half the width that a few words take, as a share of the axis of actions."""
    return 0.13 if len(made.film.learners) > 1 else 0.06


def _below(sheet: Sheet, made: Stage, one: ChaseLearner, panel: str) -> None:
    """Write below the axes where it asks, and their ends where there is room."""
    film, theme, hue, now, room = made.film, sheet.theme, colour(one, sheet.theme), made.round, _room(made)
    x, mine = film.problem.x[:, 0], is_mine(made, one)
    turn = made.unseen & (film.setting.game is None) & ~mine & (made.step == CHOOSE)
    asks = (made.step >= CHOOSE) & ~turn
    arm = np.where((made.step >= ASK) | mine, one.history.arms[now], one.choice[now])
    at, here = made.when(asks, x[arm]), np.where(mine, "you query", "queries here")
    texts = tuple((f"▲<br><b>{text}</b>",) for text in here)
    _point(sheet, made, panel, at, texts, hue, "bottom")
    place = np.nan_to_num(np.clip(at, room, 1 - room), nan=0.5)
    apart = (2.6 if theme.lecture else 2.0) * room  # words are larger in a hall
    ends = ((0, "bottom right", "x = 0", apart), (1, "bottom left", "action x = 1", apart + room))
    for end, side, name, wide in ends:
        there = np.where(np.abs(place - end) > wide, f" <br>{name}", "")
        sheet.words(panel, [float(end)], [made.low], tuple((str(text),) for text in there), theme.soft_ink, side)


def _names(sheet: Sheet, made: Stage, one: ChaseLearner, panel: str) -> None:
    """Write at the marks what they are, while time stands still."""
    film, theme, now, step, hue = made.film, sheet.theme, made.round, made.step, colour(one, sheet.theme)
    x, mine, span = film.problem.x[:, 0], is_mine(made, one), made.high - made.low
    arm, choice = one.history.arms[now], one.choice[now]
    turn = made.unseen & (film.setting.game is None) & ~mine

    def put(
        shown: np.ndarray, at: np.ndarray, y: np.ndarray, text: Sequence[str], ink: str, side: str, head: float = HEAD
    ) -> None:
        rows = tuple((f"<b>{word}</b>" if seen else "",) for word, seen in zip(text, shown, strict=True))
        up = made.when(shown, np.clip(y, made.low + 0.05 * span, made.high - head * span))[:, None]
        sheet.words(panel, np.clip(at, 0.03, 0.97)[:, None], up, rows, ink, side, theme.tick + 1, legendgroup="rest")
        sheet.traces[-1]["textfont"] |= style.halo(theme)

    def beside(
        shown: np.ndarray,
        at: np.ndarray,
        y: np.ndarray,
        text: Sequence[str],
        ink: str,
        height: str = "middle",
        head: float = HEAD,
    ) -> None:
        left = at > 0.5
        put(shown & ~left, at + ASIDE, y, text, ink, f"{height} right", head)
        put(shown & left, at - ASIDE, y, text, ink, f"{height} left", head)

    many = len(now)
    wide = (np.clip(one.upper, made.low, made.high) - np.clip(one.lower, made.low, made.high))[now]
    wide = wide - 3 * (np.abs(np.arange(len(x)) - arm[:, None]) < 14)
    wide[:, :12] = wide[:, -12:] = -np.inf
    there = wide.argmax(axis=1)
    mean, lower = one.mean[now, there], np.maximum(one.lower[now, there], made.low)
    put(step == BELIEVE, x[there], mean, ["mean"] * many, hue, "top center")
    named = (step == BELIEVE) | (step == PAY) & (not made.unseen)
    put(named, x[there], mix(mean, lower, 0.6), ["band"] * many, hue, "middle center")
    does = np.where(mine, "it would query", "highest point")
    high = np.minimum(one.upper[now, choice], made.high) + LIFT * span
    beside((step == CHOOSE) & ~turn, x[choice], high, [str(text) for text in does], hue, "top")
    if not made.unseen:
        level = film.problem.f[now].max(axis=1)
        gap = (step == PAY) & (level - film.problem.f[now, arm] > NAMED * span)
        beside(gap, x[arm], level, ["regret of this round"] * many, hue, "top")
        apart = (np.abs(high - level) > NAMED * span) | ~gap  # else both would meet
        raised = np.where(gap, high, high + 0.5 * HEAD * span)  # clear of the hill on both sides of its peak
        beside((step == PAY) & ~mine & apart, x[choice], raised, ["band highest"] * many, hue, "top", 0.5 * HEAD)
    answer = one.history.y[now]
    beside(step == ASK, x[arm], answer, [f"observation {two_decimals(y)}" for y in answer], theme.ink)
