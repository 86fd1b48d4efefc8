"""The stage as a film: the learners' hills, and the towers of what each has paid."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from common.formats import two_decimals
from figures import theme as look
from figures.film import Film
from figures.sheet import Sheet, strokes
from figures.theme import Theme
from lessons.chase import words
from lessons.chase.model import (
    LEAST_PAID,
    PLACES,
    STEPS,
    Chase,
    Learner,
    before_facts,
    depth,
    last_turn,
    reach,
    role,
)

BELIEVE, CHOOSE, ASK, PAY = range(len(STEPS))
BETWEEN = 7  # rows of what is eased, between two frames
SKY = "sky"  # the panel over all others in which a gap flies, and where the hills stand as on a phone its other one
CLEAR = "rgba(0,0,0,0)"  # ground of a panel through which the one below it is seen
LANDS = 0.45  # share of a step after which the gap begins to fly
TOP = 0.1  # of the axis of rewards, above that triangle
HEAD = 0.05  # of the axis of rewards, beyond what is drawn
LIFT = 0.035  # of the axis of rewards: a triangle above the point that it points at
FOOT = 0.1  # of the axis of rewards: so far below it does the line of the answer go on, where it is cut
ASIDE = 0.045  # of the axis of actions: words beside a mark
DIM = 0.28  # of everything but the hill, while it is reshaped
SLAB = 0.008  # of the tower: the thinnest slab with an edge of its own
NARROW = "narrow"
Box = tuple[list[float], list[float]]  # shares of the width, and of the height


@dataclass(frozen=True, eq=False)
class Stage:
    """A film with all that decides how it is drawn.

    Attributes:
        film: that is shown.   unseen: hide the hill and what is paid.   bending: show the handles of the hill.
        frames: of the film that are drawn, all or one.
    """

    film: Chase
    unseen: bool
    bending: bool
    frames: np.ndarray

    @cached_property
    def round(self) -> np.ndarray:
        """(F,) round of every frame."""
        return self.frames // len(STEPS)

    @cached_property
    def step(self) -> np.ndarray:
        """(F,) step of every frame."""
        return self.frames % len(STEPS)

    @property
    def way(self) -> np.ndarray:
        """(1, rows) share of a step that has happened in each row of its frame."""
        return np.arange(1, BETWEEN + 2)[None] / (BETWEEN + 1)

    @property
    def low(self) -> float:
        """Lower end of the axis of rewards."""
        return -(reach(self.film) if self.bending else depth(self.film))

    @property
    def high(self) -> float:
        """Upper end of the axis of rewards, with room for marks below the words above it."""
        return reach(self.film) + HEAD * (reach(self.film) - self.low)

    def when(self, shown: np.ndarray, values: np.ndarray) -> np.ndarray:
        """Return values, (F,) or (F, rows), with gaps in the frames in which they are not shown."""
        return np.where(shown.reshape(-1, *[1] * (values.ndim - 1)), values, np.nan)


def ease(p: np.ndarray) -> np.ndarray:
    """Return how far something has come that begins and ends slowly."""
    return np.where(p < 0.5, 4 * p**3, 1 - (2 - 2 * p) ** 3 / 2)


def part(p: np.ndarray, begin: float, end: float) -> np.ndarray:
    """Return the share of a stretch that has happened."""
    return np.clip((p - begin) / (end - begin), 0.0, 1.0)


def mix(a: np.ndarray, b: np.ndarray, p: np.ndarray) -> np.ndarray:
    """Return what lies between."""
    return a + (b - a) * p


def stage(
    film: Chase, unseen: bool, theme: Theme, drawn: int, *, bending: bool = False, only: int | None = None
) -> Film:
    """Return the film of all steps of all rounds: the learners' hills, and what each paid on one scale between them.

    Args:
        unseen: hide the hill and what is paid.   drawn: frame that the figure shows.
        bending: show the handles of the hill in place of the steps.   only: the one frame that is drawn; None for all.
    """
    frames = np.arange(film.frames) if only is None else np.array([only])
    made = Stage(film, unseen, bending, frames)
    sheet = Sheet(theme, drawn if only is None else 0, look.layout(theme, None, plot_bgcolor=CLEAR))
    sheet.margins(look.HANG, 12, 1.5 * theme.label + 2.2 * theme.tick, 2.5 * theme.tick)
    both = len(film.learners) > 1
    narrow = look.margins(3 * theme.tick, 1.3 * theme.tick, 1.5 * theme.label + 2.2 * theme.tick, 2.5 * theme.tick)
    look.elsewhere(sheet.frame, NARROW, "margin", narrow)
    for i, one in enumerate(film.learners):
        _panel(sheet, made, i)
        _hill(sheet, made, one, i)
        if bending:
            _handles(sheet, made, f"hill {i}")
        else:
            _round(sheet, made, one, i)
    _paid(sheet, made)
    if bending:
        sheet.frame["annotations"].append(_how(sheet, film))
    if not (unseen or bending):
        _flights(sheet, made, both)
    return sheet.film()


def _how(sheet: Sheet, film: Chase) -> dict:
    """Return the note that says how the hill is reshaped."""
    said = words.DRAG if film.moves else words.DRAG_STILL
    place = {"x": 0.0, "y": 1.0, "xref": "paper", "yref": "paper", "xanchor": "left", "yanchor": "bottom"}
    note = {"text": said, **place, "showarrow": False, "font": {"size": sheet.theme.tick, "color": sheet.theme.ink}}
    narrow = {str(len(sheet.frame["annotations"])): {**note, "text": said.replace(": ", ":<br>", 1), "align": "left"}}
    look.elsewhere(sheet.frame, NARROW, "annotations", narrow)
    return note


def colour(one: Learner, theme: Theme) -> str:
    """Return the colour of a learner: that of its role, and ink for the reader's own clicks."""
    return theme.ink if one.yours else theme.role(role(one))


def column(film: Chase, i: int) -> int:
    """Return the place of a learner from the left: who keeps everything comes first."""
    return len(film.learners) - 1 - i


def hill_box(film: Chase, i: int, narrow: bool) -> Box:
    """Return the place of a learner's hill."""
    both, place = len(film.learners) > 1, column(film, i)
    if narrow:
        return [0.0, 0.66 if both else 0.76], [[0.0, 1.0], [0.705, 1.0], [0.0, 0.295]][both * (1 + place)]
    if not both:
        return [0.0, 0.9], [0.0, 1.0]
    return [[0.0, 0.405], [0.595, 1.0]][place], [0.0, 1.0]


def tower_box(film: Chase, narrow: bool) -> Box:
    """Return the place of what was paid: between two hills, or beside one; on a phone beside both."""
    both = len(film.learners) > 1
    if narrow:
        return [0.71 if both else 0.82, 1.0], [0.0, 1.0]
    return [0.425, 0.575] if both else [0.918, 1.0], [0.0, 1.0]


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
        **look.ticks(heights, [f"{y:g}".replace("-", "−") for y in heights]),
    }
    wide, phone = hill_box(film, i, False), hill_box(film, i, True)
    sheet.panel(panel, *wide, action, reward | {"tickfont": {"size": theme.tick, "color": theme.soft_ink}})
    _also_narrow(sheet, panel, phone, {"showticklabels": True})
    title = {"size": theme.label, "color": colour(one, theme), "yshift": 2.3 * theme.tick}
    sheet.headline(panel, f"<b>{words.titled(one)}</b>", **title)
    notes = sheet.frame["annotations"]
    moved = {**notes[-1], "x": phone[0][0], "y": phone[1][1]}
    look.elsewhere(sheet.frame, NARROW, "annotations", {str(len(notes) - 1): moved})


def _also_narrow(sheet: Sheet, panel: str, box: Box, up: dict | None = None) -> None:
    """Place a panel where the figure is as narrow as a phone."""
    tail = sheet.axes[panel]
    look.elsewhere(sheet.frame, NARROW, f"xaxis{tail}", {"domain": box[0]})
    look.elsewhere(sheet.frame, NARROW, f"yaxis{tail}", {"domain": box[1], **(up or {})})


def _hill(sheet: Sheet, made: Stage, one: Learner, i: int) -> None:
    """Draw the belief of the round, the hill, and what was heard, each answer as strong as it counts."""
    film, theme, panel, hue, now = made.film, sheet.theme, f"hill {i}", colour(one, sheet.theme), made.round
    x, f, strength = film.problem.x[:, 0], film.problem.f, DIM if made.bending else 1.0
    always = {name: np.ones(len(now) - 1, dtype=bool) for name in ("x", "y", "marker.opacity")}
    far = made.high - made.low  # beyond the axes it is cut
    edges = (np.clip(edge, made.low - far, made.high + far)[now] for edge in (one.lower, one.upper, one.mean))
    lower, upper, mean = edges
    around, back = np.r_[x, x[::-1]], np.concatenate([upper, lower[:, ::-1]], axis=1)
    sheet.draw(panel, look.filled(around, back, look.faded(hue, 0.15 * strength)), always)
    shown = look.faded(hue, strength)
    if not made.bending:
        sheet.curve(panel, x, made.when(made.step == CHOOSE, upper), hue, 1.2 * theme.line)
    sheet.curve(panel, x, mean, shown, theme.line, dash=f"2px,{1.8 * theme.line}px", glides=always)
    if not made.unseen or made.bending:
        if not made.bending:
            before = made.when(film.way[now] > 0, np.broadcast_to(film.shapes[0], mean.shape))
            sheet.curve(panel, x, before, look.faded(theme.grey, 0.45), 0.7 * theme.truth_line)
        sheet.curve(panel, x, f[now], theme.ink, theme.truth_line, glides=always)
    rounds = np.arange(film.rounds)
    heard = np.where(rounds < now[:, None], one.history.y, np.nan)
    symbols = ["diamond" if row in asked_rows(film, one) else "circle" for row in rounds]
    opacity = (0.12 + 0.48 * one.weight[now]) * strength
    place = np.broadcast_to(x[one.history.arms], heard.shape)
    sheet.draw(panel, look.dots(place, heard, hue, theme.marker, symbols, 0, opacity, cliponaxis=False), always)


def asked_rows(film: Chase, one: Learner) -> set[int]:
    """Return the rounds in which the reader asked."""
    return set(range(film.rounds)) if one.yours else {row for row, _ in film.setting.asked}


def _is_mine(made: Stage, one: Learner) -> np.ndarray:
    """Return (F,) whether the reader asks in the round of a frame."""
    return np.isin(made.round, sorted(asked_rows(made.film, one)))


def _round(sheet: Sheet, made: Stage, one: Learner, i: int) -> None:
    """Draw what a learner chooses, asks, hears and pays in the round, and where the peak is."""
    film, theme, panel, hue = made.film, sheet.theme, f"hill {i}", colour(one, sheet.theme)
    x, now, step, p = film.problem.x[:, 0], made.round, made.step, made.way
    always = {name: np.ones(p.size * len(now) - 1, dtype=bool) for name in ("x", "y")}
    mine, arm, choice = _is_mine(made, one), one.history.arms[now], one.choice[now]
    span = made.high - made.low
    turn = made.unseen & (film.setting.game is None) & ~mine  # the reader's, who is told nothing before
    peak = x[film.problem.best[now]]
    if not made.unseen:
        _above(sheet, made, panel, peak)
    # choose: along the upper edge to its highest point
    before = np.where(now > 0, x[one.history.arms[np.maximum(now - 1, 0)]], 0.5)[:, None]
    along = np.where((step == CHOOSE)[:, None], mix(before, x[choice][:, None], ease(p)), x[choice][:, None])
    upper = np.stack([np.interp(at, x, edge) for at, edge in zip(along, one.upper[now], strict=True)])
    shown = (step == CHOOSE) & ~turn | (step == ASK)
    high = made.when(shown, np.minimum(upper + LIFT * span, made.high - TOP * span))
    sheet.draw(panel, look.dots(along.reshape(-1, 1), high.reshape(-1, 1), hue, 1.7 * theme.marker, "triangle-down",
                                opacity=1, cliponaxis=False), always, BETWEEN)  # fmt: skip
    sheet.shows(f"{before_facts(film, one)}highest point of the band", "x", 0)
    # ask: the answer falls from the edge onto the hill, and the noise moves it to what is heard
    edge, hill, heard = (v[:, None] for v in (one.upper[now, arm], film.problem.f[now, arm], one.history.y[now]))
    onto = mix(edge, hill, part(p, 0, 0.6) ** 2)
    fall = mix(edge, heard, p**2) if made.unseen else np.where(p < 0.6, onto, mix(hill, heard, ease(part(p, 0.6, 1))))
    end = made.when(step >= ASK, np.where((step == ASK)[:, None], fall, heard))
    if not made.unseen:
        _gap(sheet, made, one, panel)
    foot = np.full_like(end, made.low - FOOT * span)
    ends = np.stack([end, foot], axis=-1).reshape(-1, 2)
    places = np.repeat(x[arm], p.size)
    stem = np.stack([places, places], axis=-1)
    sheet.draw(panel, look.line(stem, ends, hue, 0.75 * theme.truth_line), always, BETWEEN)
    sheet.shows(f"{before_facts(film, one)}asked at x", "x", 0)
    asked = len(asked_rows(film, one))
    for symbol, whose, any_ in (("circle", ~mine, asked < film.rounds), ("diamond", mine, asked > 0)):
        if any_:
            dot = made.when(whose, end).reshape(-1, 1)
            style = {"symbol": symbol, "rim": (0.24 * theme.marker, theme.paper), "opacity": 1, "cliponaxis": False}
            sheet.draw(panel, look.dots(places[:, None], dot, hue, 1.76 * theme.marker, **style), always, BETWEEN)
    _below(sheet, made, one, panel)
    _names(sheet, made, one, panel)


def _gap(sheet: Sheet, made: Stage, one: Learner, panel: str) -> None:
    """Draw the gap to the height of the peak, which grows up from the hill."""
    film, theme, hue, now, p = made.film, sheet.theme, colour(one, sheet.theme), made.round, made.way
    x, f, arm, best = film.problem.x[:, 0], film.problem.f, one.history.arms[now], film.problem.best[now]
    always = {"y": np.ones(p.size * len(now) - 1, dtype=bool)}
    pays, level, hill = made.step == PAY, f[now, best][:, None], f[now, arm][:, None]
    grown = np.broadcast_to(mix(hill, level, ease(part(p, 0, 0.4))), (len(now), p.size))
    bar = made.when(pays, np.stack([np.broadcast_to(hill, grown.shape), grown], axis=-1)).reshape(-1, 2)
    places = np.repeat(x[arm], p.size)
    stem = np.stack([places, places], axis=-1)
    sheet.draw(panel, look.line(stem, bar, look.faded(hue, 0.3), 0.8 * theme.marker), always, BETWEEN)
    flat = np.repeat(made.when(pays, np.repeat(level, 2, axis=1)), p.size, axis=0)
    ends = np.repeat(np.stack([x[best], x[arm]], axis=1), p.size, axis=0)
    sheet.draw(panel, look.line(ends, flat, hue, 2, "4px,4px"), always, BETWEEN)


def _above(sheet: Sheet, made: Stage, panel: str, peak: np.ndarray) -> None:
    """Write above the axes where the peak is now, and where it was before the hill travelled."""
    film, theme, room = made.film, sheet.theme, _room(made)
    _point(sheet, made, panel, peak, ["<b>the peak now</b><br>▼"], theme.ink, "top")
    was = min(max(float(film.problem.x[film.shapes[0].argmax(), 0]), room), 1 - room)
    far = (film.way[made.round] > 0) & (np.abs(was - np.clip(peak, room, 1 - room)) > 2.1 * room)
    said = tuple(("where it was<br> " if one else "",) for one in far)
    sheet.words(panel, [was], [made.high], said, theme.soft_ink, "top center")


def _point(sheet: Sheet, made: Stage, panel: str, at: np.ndarray, text: Sequence, ink: str, up: str) -> None:
    """Write words that point at a place (F,) from beyond the axes, "top" or "bottom"; at their ends it begins there."""
    room, always = _room(made), {"x": np.ones(len(at) - 1, dtype=bool)}
    for side, here in (("right", at < room), ("center", (at >= room) & (at <= 1 - room)), ("left", at > 1 - room)):
        place, height = made.when(here, at)[:, None], [made.high if up == "top" else made.low]
        sheet.draw(panel, look.words(place, height, text, ink, sheet.theme.tick, f"{up} {side}"), always)


def _room(made: Stage) -> float:
    """Return half the width that a few words take, as a share of the axis of actions."""
    return 0.13 if len(made.film.learners) > 1 else 0.06


def _below(sheet: Sheet, made: Stage, one: Learner, panel: str) -> None:
    """Write below the axes where it asks, and their ends where there is room."""
    film, theme, hue, now, room = made.film, sheet.theme, colour(one, sheet.theme), made.round, _room(made)
    x, mine = film.problem.x[:, 0], _is_mine(made, one)
    turn = made.unseen & (film.setting.game is None) & ~mine & (made.step == CHOOSE)
    asks = (made.step >= CHOOSE) & ~turn
    arm = np.where((made.step >= ASK) | mine, one.history.arms[now], one.choice[now])
    at, here = made.when(asks, x[arm]), np.where(mine, "you ask", "asks here")
    said = tuple((f"▲<br><b>{text}</b>",) for text in here)
    _point(sheet, made, panel, at, said, hue, "bottom")
    place = np.nan_to_num(np.clip(at, room, 1 - room), nan=0.5)
    for end, side in ((0, "bottom right"), (1, "bottom left")):
        there = np.where(np.abs(place - end) > 2 * room, f" <br>x = {end}", "")
        sheet.words(panel, [float(end)], [made.low], tuple((str(text),) for text in there), theme.soft_ink, side)


def _names(sheet: Sheet, made: Stage, one: Learner, panel: str) -> None:
    """Write at the marks what they are, while time stands still."""
    film, theme, now, step, hue = made.film, sheet.theme, made.round, made.step, colour(one, sheet.theme)
    x, mine, span = film.problem.x[:, 0], _is_mine(made, one), made.high - made.low
    arm, choice = one.history.arms[now], one.choice[now]
    turn = made.unseen & (film.setting.game is None) & ~mine

    def put(shown: np.ndarray, at: np.ndarray, y: np.ndarray, text: Sequence[str], ink: str, side: str) -> None:
        rows = tuple((f"<b>{said}</b>" if seen else "",) for said, seen in zip(text, shown, strict=True))
        up = made.when(shown, np.clip(y, made.low + 0.05 * span, made.high - 0.14 * span))[:, None]
        sheet.words(panel, np.clip(at, 0.03, 0.97)[:, None], up, rows, ink, side, theme.tick + 1, legendgroup="rest")
        sheet.traces[-1]["textfont"] |= look.halo(theme)

    def beside(
        shown: np.ndarray, at: np.ndarray, y: np.ndarray, text: Sequence[str], ink: str, height: str = "middle"
    ) -> None:
        left = at > 0.5
        put(shown & ~left, at + ASIDE, y, text, ink, f"{height} right")
        put(shown & left, at - ASIDE, y, text, ink, f"{height} left")

    many = len(now)
    wide = (np.clip(one.upper, made.low, made.high) - np.clip(one.lower, made.low, made.high))[now]
    wide = wide - 3 * (np.abs(np.arange(len(x)) - arm[:, None]) < 14)
    wide[:, :12] = wide[:, -12:] = -np.inf
    there = wide.argmax(axis=1)
    mean, lower = one.mean[now, there], np.maximum(one.lower[now, there], made.low)
    put(step == BELIEVE, x[there], mean, ["mean"] * many, hue, "top center")
    put(step == BELIEVE, x[there], mix(mean, lower, 0.6), ["band"] * many, hue, "middle center")
    does = np.where(mine, "it would ask", "highest point")
    high = np.minimum(one.upper[now, choice], made.high) + LIFT * span
    beside((step == CHOOSE) & ~turn, x[choice], high, [str(text) for text in does], hue, "top")
    heard = one.history.y[now]
    beside(step == ASK, x[arm], heard, [f"heard {two_decimals(y)}" for y in heard], theme.ink)


def _handles(sheet: Sheet, made: Stage, panel: str) -> None:
    """Draw the two shapes of the hill with their handles."""
    film, theme, x = made.film, sheet.theme, made.film.problem.x[:, 0]
    for which in (1, 0)[0 if film.moves else 1 :]:
        hue, places = theme.soft_ink if which else theme.ink, PLACES
        sheet.curve(panel, x, film.shapes[which], hue, 2, dash="7px,6px" if which else "solid")
        fill, rim = (theme.paper, theme.ink) if which else (theme.ink, theme.paper)
        sheet.dots(panel, places, film.heights(which), fill, 20, rim=(3, rim), opacity=1, cliponaxis=False)


def _paid(sheet: Sheet, made: Stage) -> None:
    """Draw the gaps of all rounds so far on top of each other, a tower a learner, on one scale."""
    film, theme, panel, many = made.film, sheet.theme, "paid", len(made.film.learners)
    most, big = _most(film), 1.6 * theme.label
    bare = {"showticklabels": False, "showgrid": False}
    line = {"showline": True, "linecolor": theme.grey}
    up = {"range": [0, 1.14 * most], "showline": False, **bare}
    sheet.panel(panel, *tower_box(film, False), {"range": [-0.5, many - 0.5], **bare, **line}, up)
    _also_narrow(sheet, panel, tower_box(film, True))
    under = {"yanchor": "top", "yshift": -theme.tick, "color": theme.soft_ink}
    sheet.note(panel, words.SO_FAR, 0.5, 0, "xy", narrow="regret", **under)
    done = made.round + (made.step == PAY)
    if made.unseen:
        last = made.frames == film.frames - 1
        last |= (made.step == PAY) & np.array([last_turn(film, row) for row in made.round])
    else:
        last = np.ones(len(done), dtype=bool)
    for i, one in enumerate(film.learners):
        sofar = np.where(last, np.r_[0.0, one.paid][done], 0.0)
        place, hue = column(film, i), colour(one, theme)
        sides = (place - 0.46, place + 0.46)
        sheet.rect(panel, sides, (0 * sofar, sofar), hue, line=look.stroke(hue, 0))
        if not made.unseen:  # what is not paid yet has edges too, which nobody sees on paper
            edges = _edges(one.paid, most)
            sheet.curve(panel, strokes(*[np.full(len(edges), side) for side in sides]), strokes(edges, edges),
                        theme.paper, 0.8)  # fmt: skip
        said = tuple((f"<b>{value:.1f}</b>" if seen else "<b>?</b>",) for value, seen in zip(sofar, last, strict=True))
        sheet.words(
            panel, [place], sofar[:, None], said, np.where(last.all(), hue, theme.ink).item(), "top center", big
        )
        if not made.unseen:
            sheet.shows(f"{before_facts(film, one)}paid so far", "y", 0)


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


def _flights(sheet: Sheet, made: Stage, both: bool) -> None:
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
        look.elsewhere(sheet.frame, NARROW, f"xaxis{sheet.axes[panel]}", shown if narrow else aside)
        for i, one in enumerate(film.learners):
            box, tower = hill_box(film, i, narrow), tower_box(film, narrow)
            x, y = _gap_corners(made, one, box, 0.009 if narrow else 0.0035)
            to = _slab_corners(film, one, now, i, tower)
            across, up = (mix(a[:, None], b[:, None], fly) for a, b in zip((x, y), to, strict=True))
            across, up = np.broadcast_arrays(across, np.where(seen, up, np.nan))
            filled = look.filled(across.reshape(-1, 4), up.reshape(-1, 4), look.faded(colour(one, theme), 0.9))
            sheet.draw(panel, filled, always, BETWEEN)


def _gap_corners(made: Stage, one: Learner, box: Box, half: float) -> tuple[np.ndarray, np.ndarray]:
    """Return (F, 4) corners of the gap as shares of the figure."""
    film, now = made.film, made.round
    f, arm = film.problem.f, one.history.arms[now]
    (left, right), (low, high) = box
    at = left + (right - left) * film.problem.x[arm, 0]
    ends = np.stack([f[now, arm], f[now].max(axis=1)], axis=1)
    up = low + (high - low) * (ends - made.low) / (made.high - made.low)
    return np.stack([at - half, at + half, at + half, at - half], axis=1), up[:, [0, 0, 1, 1]]


def _slab_corners(film: Chase, one: Learner, now: np.ndarray, i: int, box: Box) -> tuple[np.ndarray, np.ndarray]:
    """Return (F, 4) corners of a round's slab in its tower as shares of the figure."""
    (left, right), (low, high) = box
    many, place = len(film.learners), column(film, i)
    sides = left + (right - left) * (np.array([place - 0.46, place + 0.46]) + 0.5) / many
    ends = np.stack([np.r_[0.0, one.paid][now], one.paid[now]], axis=1) / (1.14 * _most(film))
    up = low + (high - low) * ends
    return np.broadcast_to(sides[[0, 1, 1, 0]], (len(now), 4)), up[:, [0, 0, 1, 1]]
