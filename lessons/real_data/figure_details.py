"""The smaller figures of real data: how fast the rewards change, and which arms move together."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from common.formats import amount, two_decimals
from figures import palette
from figures import theme as style
from figures.film import Film
from figures.sheet import Sheet
from figures.theme import Theme
from lessons.real_data.figure import short
from lessons.real_data.model import Trial

WRITTEN_ARMS = 8  # up to which the correlations are written out
MAX_NAMES = {False: 14, True: 9}  # that fit at an axis, on a screen and in a hall
DEPTH = 24.0  # in units of log-likelihood below its best, down to which it is drawn
ZERO_AT = 0.0004  # place of 0 on an axis of epsilon, left of 0.001
LEFT_END = float(np.log10(0.75 * ZERO_AT))  # of that axis


def correlations(covariance: np.ndarray, names: Sequence[str], theme: Theme) -> Film:
    """Return the fitted kernel as correlations (m, m) of the arms, from -1 (dark) to 1 (bright)."""
    sd = np.sqrt(covariance.diagonal())
    rho = np.clip(covariance / np.outer(sd, sd), -1.0, 1.0)
    m, size = len(names), theme.tick
    shown = [short(name, 14) for name in names]
    sheet = Sheet(theme, 0, tall(theme))
    step = max(1, -(-m // MAX_NAMES[theme.lecture]))
    axis = {**style.ticks(range(0, m, step), shown[::step]), "showgrid": False, "showline": False}
    room = int(0.62 * size * max(len(s) for s in shown[::step])) + 18
    wide = len(shown) > 6 or max(map(len, shown)) > 7
    sheet.margins(room, 74 if theme.lecture else 56, 8, room if wide else 2 * size)
    across = {"range": [-0.5, m - 0.5], "tickangle": -90 if wide else 0, **axis}
    sheet.panel("pairs", [0, 1], [0, 1], across, {"range": [m - 0.5, -0.5], **axis})
    pairs = [[f"{a} and {b}" for b in names] for a in names] if m <= 60 else None
    cells = {
        "type": "heatmap",
        "x": list(range(m)),
        "y": list(range(m)),
        "z": rho.astype(np.float32),
        "zmin": -1,
        "zmax": 1,
        "colorscale": palette.HEAT,
        "colorbar": {
            "thickness": 12,
            "tickfont": {"size": size},
            "len": 1,
            **style.ticks([-1, 0, 1], ["−1", "0", "1"]),
        },
        "hovertemplate": ("%{hovertext}: " if pairs else "") + "%{z:.2f}<extra></extra>",
    }
    sheet.draw("pairs", {**cells, "hovertext": pairs} if pairs else cells)
    if m <= WRITTEN_ARMS:
        for bright in (False, True):
            held = [(i, j) for i in range(m) for j in range(m) if (rho[i, j] > 0.1) == bright]
            text = [two_decimals(rho[i, j]) for i, j in held]
            ink = "#111111" if bright else "#FFFFFF"
            sheet.words("pairs", [j for _, j in held], [i for i, _ in held], text, ink, "middle center")
    return sheet.film()


def likelihood(trial: Trial, theme: Theme) -> Film:
    """Return the log-likelihood of epsilon below its best, with its interval; a note where it is cut off."""
    fit = trial.learnt.fit
    sheet = Sheet(theme, 0, tall(theme))
    sheet.margins(3.8 * theme.tick, 12, 1.6 * theme.label, 2.9 * theme.label)
    marks = {ZERO_AT: "0", 0.001: "0.001", 0.01: "0.01", 0.1: "0.1", 1.0: "1"}
    ticks = style.ticks(marks, marks.values())
    sheet.panel(
        "like",
        [0.0, 1.0],
        [0.0, 1.0],
        {"type": "log", "range": [LEFT_END, 0.12], **ticks, "showgrid": False, "title": "change per step, ε"},
        {"range": [-DEPTH, 0.16 * DEPTH], "nticks": 4, "title": "log-likelihood, ℓ(ε) − max"},
    )
    colour = theme.method("TV-GP-UCB")
    sheet.rect("like", (max(fit.low, ZERO_AT), fit.high), (-DEPTH, 0.16 * DEPTH), style.faded(colour, 0.22))
    at, height = _with_peak(fit.grid, fit.curve - fit.best, fit.epsilon)
    inside = height > -1.5 * DEPTH
    sheet.curve(
        "like",
        at[inside],
        np.maximum(height[inside], -1.2 * DEPTH),
        colour,
        theme.line,
        hoverinfo="all",
        hovertemplate="ε = %{x:.3g}: %{y:.1f}<extra></extra>",
    )
    sheet.dots("like", [max(fit.epsilon, ZERO_AT)], [0.0], colour, theme.marker, rim=(2, theme.paper))
    sheet.headline("like", f"ε̂ = {fit.epsilon:.2g}, from {fit.low:.2g} to {fit.high:.2g}", color=colour)
    if fit.curve[0] - fit.best < -DEPTH:
        sheet.note(
            "like",
            f"ε = 0 is {amount(fit.best - float(fit.curve[0]))} lower ↓",
            0.0,
            0.0,
            inside="xy",
            xanchor="left",
            yanchor="bottom",
            xshift=4,
        )
    return sheet.film()


def _with_peak(grid: np.ndarray, height: np.ndarray, epsilon: float) -> tuple[np.ndarray, np.ndarray]:
    """Return the curve with its highest point among its points, on an axis with a place for 0 at its left end."""
    at = np.append(grid, epsilon)
    order = np.argsort(at, kind="stable")
    at, up = at[order], np.append(height, 0.0)[order]
    keep = (at == 0) | (at > ZERO_AT)
    return np.maximum(at[keep], ZERO_AT), up[keep]


def tall(theme: Theme) -> int:
    """Return the height of a figure below the stage, in pixels."""
    return 470 if theme.lecture else 340
