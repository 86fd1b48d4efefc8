"""The small living pictures of the front page: what each lesson shows, in a dozen frames from the engine.

A sketch is geometry only, in the unit square (y upwards); figures/thumbs.py draws it. Every line comes from the
lesson's own world, its stored runs or its theorems.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import streamlit as st

import tvbo_core as tv
from tvbo_core.policies.side_queries.schedule import window_starts
from ui import compute, forgetting, forgetting_desk, microscope, race_desk, racing, reproductions, shipped
from ui.shelf import shelved
from ui.syllabus.bands import BANDS_WORLD
from ui.syllabus.drift import DRIFT, DRIFT_WORLD
from ui.syllabus.forgetting import FORGETTING
from ui.syllabus.queries import QUERIES
from ui.syllabus.race import RACE
from ui.syllabus.theorems import THEOREMS_LESSON

FRAMES = 12
POINTS = 48  # of a curve: a picture is 160 pixels wide


@dataclass(frozen=True, eq=False)
class Stroke:
    """One line, row of dots or filled band of a sketch.

    Attributes:
        x, y: (n,) in the unit square, NaN leaves a gap; a band runs there and back.
        role: what it means: "truth", "past", "best", "band", "missed", "rule" or the name of a method or band.
        kind: "line", "dots", "area" or "bars" (thin lines with gaps between).
    """

    x: np.ndarray
    y: np.ndarray
    role: str
    kind: str = "line"


@dataclass(frozen=True, eq=False)
class Sketch:
    """A picture: strokes that stay, strokes of each frame, and the frame that it rests on."""

    still: tuple[Stroke, ...]
    frames: tuple[tuple[Stroke, ...], ...]
    rest: int


def _unit(values: np.ndarray, low: float, high: float) -> np.ndarray:
    return (np.asarray(values, dtype=float) - low) / ((high - low) or 1.0)


def _rows(last: int, first: int = 0) -> list[int]:
    """FRAMES rows from `first` to `last`."""
    return np.linspace(first, last, FRAMES).round().astype(int).tolist()


def _thin(values: np.ndarray) -> np.ndarray:
    """At most POINTS of a curve."""
    return values[np.unique(np.linspace(0, len(values) - 1, POINTS).round().astype(int))]


def _defaults(knobs: dict) -> dict:
    return {key: knob.default for key, knob in knobs.items()}


def _drift() -> Sketch:
    """The gliding reward and its best action."""
    world = replace(DRIFT_WORLD, seed=DRIFT.knobs["seed"].default)
    f = compute.problem(world).f
    x, y = np.linspace(0, 1, f.shape[1]), _unit(f, f.min(), f.max())
    frames = []
    for row in _rows(len(f) - 1):
        top = int(f[row].argmax())
        frames.append((Stroke(_thin(x), _thin(y[row]), "truth"), Stroke(x[[top]], y[row, [top]], "best", "dots")))
    still = tuple(Stroke(_thin(x), _thin(y[row]), "past") for row in (0, len(f) - 1))
    return Sketch(still, tuple(frames), FRAMES // 2)


def _bands() -> Sketch:
    """The tightest band, and the truth that leaves it."""
    show = compute.band_show(BANDS_WORLD, compute.Assumed())
    film, x = show.films["CMM"], np.linspace(0, 1, show.truth.shape[1])
    low, high = show.truth.min() - 0.5, show.truth.max() + 0.5
    frames = []
    for row in _rows(90, 8):
        lower, upper, truth = (np.clip(_unit(v[row], low, high), 0, 1) for v in (film.lower, film.upper, show.truth))
        missed = np.where(show.misses["CMM"][row], truth, np.nan)
        band = Stroke(np.r_[_thin(x), _thin(x)[::-1]], np.r_[_thin(lower), _thin(upper)[::-1]], "band", "area")
        frames.append((band, Stroke(_thin(x), _thin(truth), "truth"), Stroke(_thin(x), _thin(missed), "missed")))
    return Sketch((), tuple(frames), 9)


def _shuffle() -> Sketch:
    """Pick order against question order: first as picked, then shuffled."""
    n, rng = 8, np.random.default_rng(RACE.knobs["seed"].default)
    orders = [np.arange(n) if i == 0 else rng.permutation(n) for i in range(FRAMES)]
    seats = np.linspace(0, 1, n)
    gap = np.full(n, np.nan)
    frames = []
    for order in orders:
        x = np.stack([np.zeros(n), np.ones(n), gap], axis=1).ravel()
        y = np.stack([seats, seats[order], gap], axis=1).ravel()
        ends = Stroke(np.r_[np.zeros(n), np.ones(n)], np.r_[seats, seats], "R-PERP", "dots")
        frames.append((Stroke(x, y, "R-PERP"), ends))
    return Sketch((), tuple(frames), 1)


def _race() -> Sketch:
    """Regret so far in the jumping world, of four of those who race."""
    setting = race_desk.chosen(_defaults(RACE.knobs))
    race = racing.gather(setting, shipped.runs(racing.jobs(setting)))
    if race is None or len(race.lanes) < 2:
        return Sketch((), (), 0)
    found = race.lanes[1].median
    names = [n for n in ("GP-UCB", "R-PERP", "TV-GP-UCB", "SW-GP-UCB") if n in found]
    top, horizon = max(found[n][-1] for n in names), race.lanes[1].horizon
    frames = []
    for row in _rows(horizon - 1, 24):
        t = np.unique(np.linspace(0, row, POINTS).round().astype(int))
        frames.append(tuple(Stroke(t / horizon, _unit(found[n][t], 0, top), n) for n in names))
    return Sketch((), tuple(frames), FRAMES - 1)


def _theorems() -> Sketch:
    """Powers of T against smoothness, and where they stand at the swept one."""
    d = int(THEOREMS_LESSON.knobs["d"].default)
    nus = np.geomspace(0.75, 10, FRAMES)
    keys = {"zhou-r": "R-GP-UCB", "hong-ada": "OPKB", "iwazaki-5-matern": "R-PERP"}
    powers = {
        role: np.array([float(tv.THEOREMS[key].exponent(nu=float(nu), d=d)[0]) for nu in nus])
        for key, role in keys.items()
    }
    x = _unit(np.log(nus), np.log(nus[0]), np.log(nus[-1]))
    lines = tuple(Stroke(x, np.clip(_unit(p, 0.5, 1.15), 0, 1), role) for role, p in powers.items())
    ceiling = Stroke(np.array([0.0, 1.0]), _unit(np.array([1.0, 1.0]), 0.5, 1.15), "rule")
    dots = (tuple(Stroke(s.x[[i]], s.y[[i]], s.role, "dots") for s in lines) for i in range(FRAMES))
    return Sketch((ceiling, *lines), tuple(dots)[::-1], 6)


def _bowl() -> Sketch:
    """Regret against memory in the gliding world."""
    _, setting = forgetting_desk.chosen(_defaults(FORGETTING.knobs))
    held = shipped.runs(forgetting.jobs(setting), forgetting.FILE)
    bowls = forgetting.gather(setting, held, (setting.worlds[0].horizon - 1,))
    if bowls.front(0) is None:
        return Sketch((), (), 0)
    y = np.log(bowls.front(0).median[:, -1])
    x, y = np.linspace(0, 1, len(y)), _unit(y, y.min() - 0.2, y.max())
    finer = np.linspace(0, 1, FRAMES)
    path = np.interp(finer, x, y)
    dots = tuple((Stroke(finer[[i]], path[[i]], "best", "dots"),) for i in range(FRAMES))
    return Sketch((Stroke(x, y, "R-GP-UCB"),), dots, int(path.argmin()))


def _questions() -> Sketch:
    """When each of the two asks again."""
    knobs = _defaults(QUERIES.knobs)
    horizon = int(knobs["T"])
    windows = window_starts(horizon, float(knobs["alpha"]), float(knobs["atil"]))
    frames = [
        (Stroke(np.array([0, t, t, 0]) / horizon, np.array([0.58, 0.58, 1.0, 1.0]), "SparQ", "area"),
         _bars(windows, t, horizon, 0.0, 0.42, "W-SparQ"))
        for t in _rows(horizon, 40)
    ]  # fmt: skip
    return Sketch((), tuple(frames), FRAMES - 1)


def _bars(times: Sequence[int], now: int, horizon: int, low: float, high: float, role: str) -> Stroke:
    held = np.array([t for t in times if t <= now], dtype=float) / horizon
    gap = np.full(len(held), np.nan)
    x = np.stack([held, held, gap], axis=1).ravel()
    return Stroke(x, np.tile([low, high, np.nan], len(held)), role, "bars")


def _prices() -> Sketch:
    """Four stocks, and the best of each day."""
    values = tv.data.load("stocks").rewards
    low, high = np.quantile(values, 0.01), np.quantile(values, 0.99)
    rows = np.linspace(0, len(values) - 1, 60).round().astype(int)
    y, x = np.clip(_unit(values[rows], low, high), 0, 1), np.linspace(0, 1, len(rows))
    lines = tuple(Stroke(x, y[:, arm], "past") for arm in range(y.shape[1]))
    frames = tuple((Stroke(x[: n + 1], y[: n + 1].max(axis=1), "truth"),) for n in _rows(len(rows) - 1, 5))
    return Sketch(lines, frames, FRAMES - 1)


def _checks() -> Sketch:
    """Printed and measured numbers of a table, repetition by repetition."""
    board = reproductions.board("flynn-table-1")
    rows = np.linspace(1, 0, len(board.rows))
    paper, ours = np.log(board.paper[0]), np.log(board.mean[:, 0])
    low, high = min(paper.min(), ours.min()), max(paper.max(), ours.max())
    still = Stroke(_unit(paper, low, high), rows, "truth", "dots")
    frames = tuple((Stroke(_unit(ours[n], low, high), rows, "DMM", "dots"),) for n in _rows(board.frames - 1))
    return Sketch((still,), frames, FRAMES - 1)


def _glass() -> Sketch:
    """How often a width is left at some time, with the promise."""
    found = microscope.look("deng-times", microscope.setting("deng-times", {}))
    x, high = np.linspace(0, 1, found.frames), max(float(np.nanmax(line.y)) for line in found.over)
    lines = tuple(
        Stroke(x, np.clip(_unit(line.y, 0, high), 0, 1), "missed" if line is found.over[0] else "rule")
        for line in found.over[:2]
    )
    first = lines[0]
    return Sketch(lines, tuple((Stroke(x[[i]], first.y[[i]], "best", "dots"),) for i in _rows(found.frames - 1)), 7)


def _game() -> Sketch:
    """Questions and answers without the curve."""
    world = replace(DRIFT_WORLD, seed=DRIFT.knobs["seed"].default, horizon=30)
    history = tv.play(compute.problem(world), tv.GPUCB(), np.random.default_rng(world.seed))
    x, y = history.X[:, 0], _unit(history.y, history.y.min(), history.y.max())
    frames = tuple((Stroke(x[:n], y[:n], "truth", "dots"),) for n in _rows(30, 2))
    return Sketch((), frames, 8)


ASSETS = Path(__file__).resolve().parent.parent / "assets" / "thumb"
DRAWN = {1: _drift, 2: _bands, 3: _shuffle, 4: _race, 5: _theorems, 6: _bowl, 7: _questions, 8: _prices, 9: _checks,
         10: _glass, 11: _game}  # fmt: skip


@shelved(2)
def sketch(number: int) -> Sketch:
    """The small picture of a lesson; empty when what it shows is not there (a missing package or file)."""
    try:
        return DRAWN[number]()
    except (ValueError, OSError, KeyError):
        return Sketch((), (), 0)


def sketches(numbers: Iterable[int]) -> dict[int, Sketch]:
    """The small pictures of these lessons."""
    return {number: sketch(number) for number in numbers}


@st.cache_resource(max_entries=1)
def _component() -> object:
    css, js = ((ASSETS / name).read_text(encoding="utf-8") for name in ("thumb.css", "thumb.js"))
    return st.components.v2.component("tvbo_thumb", html='<div class="spot"></div>', css=css, js=js)


def show(picture: str, key: str) -> None:
    """Put a small picture (an SVG as text) on the page; it moves while its card is pointed at."""
    _component()(key=key, data=picture)
