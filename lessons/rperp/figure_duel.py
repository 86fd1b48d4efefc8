"""Both orders side by side on the same batch: the reward moves in step with the known one, and not with the shuffle."""

from __future__ import annotations

import numpy as np

from figures import theme as look
from figures.film import Film
from figures.sheet import Sheet
from figures.theme import Theme
from lessons.rperp import figure_progress, figure_shuffles
from lessons.rperp.figure_band import BandPanel, reward_range
from lessons.rperp.figure_layout import LABEL_ROOM, View, dots

PANELS = {"PE": (0.0, 0.335), "R-PERP": (0.375, 0.71)}  # run -> its share of the width
ERRORS = (0.775, 1.0)
BAR, REWARDS, ROUNDS = (0.895, 1.0), (0.31, 0.76), (0.0, 0.145)  # shares of the height


def stage(view: View, theme: Theme, drawn: int) -> Film:
    """Return the rewards of a batch in both orders, round by round below them, and the errors of many orders."""
    sheet = Sheet(theme, drawn, look.layout(theme, None, hoverdistance=24))
    sheet.frame["margin"] = {"l": int(5.2 * theme.tick), "r": 10, "t": 8, "b": int(2.75 * theme.label)}
    figure_progress.run_bar(sheet, view, 0.0, BAR, theorem=False)
    span = reward_range(view)
    for name, across in PANELS.items():
        panel, first = f"band {name}", name == "PE"
        place = {**view.action_axis(2, "action x", LABEL_ROOM), "showgrid": False}
        reward = {"range": span, "nticks": 5, "showticklabels": first, "title": "reward" if first else ""}
        sheet.panel(panel, list(across), list(REWARDS), place, {**reward, "showgrid": False})
        sheet.headline(panel, _headline(view, theme, name), yshift=int(1.35 * theme.tick))
        BandPanel(sheet, view, panel, name, span).draw()
        rounds(sheet, view, name, across)
    figure_shuffles.errors(sheet, view, ERRORS, (0.0, REWARDS[1]), "")
    return sheet.film()


def _headline(view: View, theme: Theme, name: str) -> str:
    known = "the reward moves against it" if view.walk.runs.setting.follows else "asked as picked"
    said = {"PE": ("Known order", known), "R-PERP": ("Shuffled", "the same questions")}[name]
    return f'<b><span style="color:{view.colour(theme, name)}">{said[0]}</span></b>: {said[1]}'


def rounds(sheet: Sheet, view: View, name: str, across: tuple[float, float]) -> None:
    """Round by round: whether the reward is lifted or lowered (bars), and whether a good place is asked (dots)."""
    theme, panel, most = sheet.theme, f"rounds {name}", view.largest
    reach = 1.25 * max(np.abs(m.away).max() for m in view.moves.values()) or 1.0
    x = {"range": [0.0, 1.0 + LABEL_ROOM], "showticklabels": False, "showgrid": False, "showline": False,
         "title": "questions in the order asked"}  # fmt: skip
    ends = {"tickvals": [-0.6 * reach, 0.6 * reach], "ticktext": ["lowered", "lifted"]}
    y = {"range": [-reach, reach], "showgrid": False, **ends, "showticklabels": name == "PE"}
    sheet.panel(panel, list(across), list(ROUNDS), x, y)
    sheet.still(panel, look.line([0.0, 1.0], [0.0, 0.0], theme.soft_ink, 1.0))
    bars = np.full((2, len(view.steps), most, 3), np.nan)
    asked = np.full((2, len(view.steps), most), np.nan)
    count = []
    for i, s in enumerate(view.steps):
        b, moves = view.runs[name][s.batch], view.moves[name, s.batch]
        at = (np.arange(len(b.picks)) + 0.5)[: s.heard] / len(b.picks)
        bars[0, i, : s.heard, :2], bars[1, i, : s.heard, 0] = at[:, None], 0.0
        bars[1, i, : s.heard, 1] = moves.away[: s.heard]
        asked[0, i, : s.heard], asked[1, i, : s.heard] = at, 0.72 * reach * np.sign(moves.good[: s.heard])
        count.append((f"<b>{moves.against} of {moves.moved}</b><br>against" if s.judged and moves.moved else "",))
    wide = 3.2 * theme.line if most <= 24 else 1.4 * theme.line
    F = len(view.steps)
    thick = look.line(None, None, look.faded(theme.ink, 0.45), wide)
    sheet.moving(panel, thick, x=bars[0].reshape(F, -1), y=bars[1].reshape(F, -1))
    mark = {"symbol": "circle", "size": theme.marker if most <= 24 else theme.marker - 4,
            "color": view.colour(theme, name)}  # fmt: skip
    sheet.moving(panel, dots(mark), x=asked[0], y=asked[1])
    words = look.words([1.0 + 0.16 * LABEL_ROOM], [0.0], [], view.colour(theme, name), theme.tick, "middle right")
    sheet.moving(panel, words, text=tuple(count))
    if name == "PE" and not theme.lecture:  # in large type the axis title of the panel above needs the room
        sheet.headline(panel, "<b>▮</b> reward moved, <b>●</b> place asked", color=theme.soft_ink)
