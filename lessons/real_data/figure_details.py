"""The smaller figures of real data: what was learnt, and what other memories and drifts would have cost."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from common.formats import amount, two_decimals
from figures import palette
from figures import theme as style
from figures.end_labels import end_labels
from figures.film import Film
from figures.palette import METHODS
from figures.sheet import Sheet
from figures.theme import Theme
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
    short = [n if len(n) <= 14 else n[:13] + "…" for n in names]
    sheet = Sheet(theme, 0, _tall(theme))
    step = max(1, -(-m // MAX_NAMES[theme.lecture]))
    axis = {**style.ticks(range(0, m, step), short[::step]), "showgrid": False, "showline": False}
    room = int(0.62 * size * max(len(s) for s in short[::step])) + 18
    wide = len(short) > 6 or max(map(len, short)) > 7
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


def sensor_map(
    covariance: np.ndarray, positions: np.ndarray, names: Sequence[str], best: np.ndarray, theme: Theme
) -> Film:
    """Return a map of the arms: brightness is the correlation with the ringed arm, size how often an arm is best.

    Args:
        positions: (m, 2) latitude and longitude in degrees.   best: (T,) best arm of each round.
    """
    m = len(names)
    share = np.bincount(best, minlength=m) / len(best)
    centre = int(share.argmax())
    sd = np.sqrt(covariance.diagonal())
    rho = covariance[centre] / (sd * sd[centre])
    latitude, longitude = positions.T
    x = (longitude - longitude.mean()) * np.cos(np.radians(latitude.mean())) * 111.3
    y = (latitude - latitude.mean()) * 111.3
    sheet = Sheet(theme, 0, _tall(theme))
    sheet.margins(4.6 * theme.tick, 12, 1.6 * theme.label, 2.9 * theme.label)
    span = 0.56 * max(np.ptp(x), np.ptp(y), 0.1)
    middle = 0.5 * (x.min() + x.max()), 0.5 * (y.min() + y.max())
    km = {"nticks": 5, "showgrid": False}
    east = {"title": "km to the east", "range": [middle[0] - 1.5 * span, middle[0] + 1.5 * span], **km}
    north = {"title": "km to the north", "range": [middle[1] - span, middle[1] + span], "scaleanchor": "x", **km}
    sheet.panel("map", [0, 1], [0, 1], east, north)
    size = (9 + 60 * np.sqrt(share) * (1.3 if theme.lecture else 1.0)).tolist()
    rim = [3.5 if i == centre else 1 for i in range(m)], theme.ink
    every = zip(names, share, rho, strict=True)
    texts = [f"{n}: best in {s:.0%} of the rounds, correlation {r:.2f}" for n, s, r in every]
    places = style.dots(
        x.tolist(),
        y.tolist(),
        rho.tolist(),
        size,
        rim=rim,
        opacity=0.9,
        text=texts,
        hovertemplate="%{text}<extra></extra>",
    )
    places["marker"] |= {"cmin": -1, "cmax": 1, "colorscale": palette.HEAT}
    sheet.draw("map", places)
    sheet.headline("map", f"ringed: <b>{names[centre]}</b>", yshift=0)  # above the map, where no other arm is
    return sheet.film()


def likelihood(trial: Trial, theme: Theme) -> Film:
    """Return the log-likelihood of epsilon below its best, with its interval; a note where it is cut off."""
    fit = trial.learnt.fit
    sheet = Sheet(theme, 0, _tall(theme))
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


def lengths(trial: Trial, theme: Theme) -> Film:
    """Return the average regret of a training round against the memory, a line a method, the chosen length ringed."""
    tried, scores = trial.learnt.lengths, trial.learnt.scores
    sheet = Sheet(theme, 0, _tall(theme))
    sheet.margins(3.8 * theme.tick, 12, 10, 2.9 * theme.label)
    low, high = np.log10(tried[0]) - 0.05, np.log10(tried[-1]) + 0.62
    top = 1.12 * max(float(s.max()) for s in scores.values()) or 1.0
    ticks = [v for v in (5, 10, 20, 50, 100, 200) if v <= tried[-1]]
    sheet.panel(
        "bowl",
        [0.0, 1.0],
        [0.0, 1.0],
        {
            "type": "log",
            "range": [float(low), float(high)],
            "tickvals": ticks,
            "showgrid": False,
            "title": "memory m tried in training (steps)",
        },
        {"range": [0.0, top], "nticks": 4, "title": "average regret, R<sub>T</sub>/T"},
    )
    for name, score in scores.items():
        colour, dash = theme.method(name), METHODS[name].dash
        texts = f"{name}, m = %{{x}}: %{{y:.3g}}<extra></extra>"
        sheet.curve("bowl", list(tried), score, colour, theme.line, dash, hoverinfo="all", hovertemplate=texts)
        i = int(score.argmin())
        sheet.dots("bowl", [tried[i]], [float(score[i])], colour, theme.marker + 4, symbol="circle-open", rim=3)
    at = np.full((1, len(scores)), float(tried[-1])), np.array([[float(s[-1]) for s in scores.values()]])
    end_labels(sheet, "bowl", at, 1.12 * tried[-1], [list(scores)], [theme.method(n) for n in scores])
    return sheet.film()


def _with_peak(grid: np.ndarray, height: np.ndarray, epsilon: float) -> tuple[np.ndarray, np.ndarray]:
    """Return the curve with its highest point among its points, on an axis with a place for 0 at its left end."""
    at = np.append(grid, epsilon)
    order = np.argsort(at, kind="stable")
    at, up = at[order], np.append(height, 0.0)[order]
    keep = (at == 0) | (at > ZERO_AT)
    return np.maximum(at[keep], ZERO_AT), up[keep]


def _tall(theme: Theme) -> int:
    return 470 if theme.lecture else 340
