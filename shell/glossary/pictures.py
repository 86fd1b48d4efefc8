"""Pictures of the glossary: small sketches, drawn from computed curves."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache

import numpy as np

import tvbo_core as tv
from lessons.record import Sketch, Stroke, unit

Strokes = tuple[Stroke, ...]
X = np.linspace(0.0, 1.0, 81)
SE = tv.SquaredExponential(0.13)
SEED = 33
SD = 0.15  # of the noise in the pictures
AGES = np.linspace(0.0, 1.0, 24)


@cache
def _problem() -> tv.Problem:
    return tv.make_problem(tv.World("glide", 4.0, 60, arms=81, noise_sd=SD, lengthscale=0.13, seed=SEED))


@cache
def _heard() -> tuple[np.ndarray, ...]:
    """Return arms (n,), answers (n,), mean, lower and upper edge (m,) of a few observations of the first reward."""
    f, rng = _problem().f[0], np.random.default_rng(3)
    arms = np.array([4, 16, 30, 36, 72])
    y = f[arms] + rng.normal(0, SD, len(arms))
    mean, sd = tv.posterior(SE, X[arms][:, None], y, X[:, None], SD**2)
    return arms, y, mean, mean - 2 * sd, mean + 2 * sd


def _high(values: np.ndarray) -> np.ndarray:
    """Return rewards as heights of the picture."""
    _, _, _, lower, upper = _heard()
    low, high = min(lower.min(), _problem().f[0].min()), max(upper.max(), _problem().f[0].max())
    return np.clip(unit(values, low - 0.1, high + 0.1), 0, 1)


def _line(y: np.ndarray, role: str = "truth", x: np.ndarray = X) -> Stroke:
    return Stroke(np.asarray(x, float), np.asarray(y, float), role)


def _area(lower: np.ndarray, upper: np.ndarray) -> Stroke:
    return Stroke(np.r_[X, X[::-1]], np.r_[lower, upper[::-1]], "band", "area")


def _dots(x: np.ndarray, y: np.ndarray, role: str = "truth") -> Stroke:
    return Stroke(np.asarray(x, float), np.asarray(y, float), role, "dots")


def _hill() -> Stroke:
    return _line(_high(_problem().f[0]))


def _reward() -> Strokes:
    f, at = _high(_problem().f[0]), 30
    return _hill(), _line([0.0, f[at]], "rule", [X[at]] * 2), _dots([X[at]], [f[at]], "best")


def _regret() -> Strokes:
    f, at = _high(_problem().f[0]), 62
    top = f.max()
    gap = _line([f[at], top], "missed", [X[at]] * 2)
    return _hill(), _line([top, top], "rule", [X[f.argmax()], X[at]]), gap, _dots([X[at]], [f[at]])


def _noise() -> Strokes:
    f, rng = _problem().f[0], np.random.default_rng(1)
    x = np.repeat(X[[16, 40, 64]], 4)
    y = np.repeat(f[[16, 40, 64]], 4) + 2 * rng.normal(0, SD, 12)
    return _hill(), _dots(x, _high(y), "past")


def _drift() -> Strokes:
    f = _problem().f
    low, high = f.min() - 0.2, f.max() + 0.2
    return *(_line(unit(f[t], low, high), "past") for t in (0, 30)), _line(unit(f[-1], low, high))


def _budget() -> Strokes:
    spent = np.r_[0, np.cumsum(np.abs(np.diff(_problem().f, axis=0)).max(axis=1))]
    return _line(0.05 + 0.9 * unit(spent, 0, spent[-1]), "truth", np.linspace(0, 1, len(spent))), _line(
        [0.95, 0.95], "rule", [0, 1]
    )


def _hop() -> Strokes:
    one, two = np.exp(-((X - 0.25) ** 2) / 0.012), np.exp(-((X - 0.75) ** 2) / 0.012)
    before, after = 0.85 * one + 0.75 * two, 0.75 * one + 0.85 * two
    return _line(before, "past"), _line(after), _dots([0.25], [0.85], "past"), _dots([0.75], [0.85], "best")


def _kernel(kernel: object, role: str = "truth") -> Stroke:
    return _line(0.05 + 0.9 * kernel(np.array([[0.5]]), X[:, None])[0], role)


def _matern() -> Strokes:
    return _kernel(tv.Matern(0.5, 0.2), "DMM"), _kernel(tv.Matern(2.5, 0.2)), _kernel(SE, "past")


def _norm() -> Strokes:
    return _line(0.5 + 0.12 * np.sin(5 * X), "past"), _line(0.5 + 0.42 * np.sin(26 * X))


def _posterior() -> Strokes:
    arms, y, mean, lower, upper = _heard()
    return _area(_high(lower), _high(upper)), _line(_high(mean), "CMM"), _dots(X[arms], _high(y))


def _band() -> Strokes:
    _, _, _, lower, upper = _heard()
    return _area(_high(lower), _high(upper)), _hill()


def _ucb() -> Strokes:
    _, _, mean, lower, upper = _heard()
    at = int(upper.argmax())
    return _area(_high(lower), _high(upper)), _line(_high(mean), "CMM"), _dots([X[at]], [_high(upper)[at]], "best")


def _bounds() -> Strokes:
    t = X[1:]
    proved, least = np.clip(0.98 * t**0.75, 0, 1), 0.5 * t**0.75
    floor = Stroke(np.r_[t, t[::-1]], np.r_[0 * t, least[::-1]], "past", "area")
    return floor, _line(proved, "truth", t), _line(0.72 * t**0.75, "GP-UCB", t)


def _sublinear() -> Strokes:
    return _line(X, "rule"), _line(np.sqrt(X) * 0.75)


def _weights(weight: Callable[[np.ndarray], np.ndarray]) -> Strokes:
    """Return how much each past round counts, the newest on the right."""
    high = 0.03 + 0.9 * weight(1 - AGES)
    bars = np.stack([AGES, AGES, np.full(len(AGES), np.nan)], 1).ravel()
    return (Stroke(bars, np.stack([0 * high, high, np.full(len(high), np.nan)], 1).ravel(), "CMM", "bars"),)


def _restart() -> Strokes:
    """Return how many observations are kept in each round: none after a restart."""
    t = np.linspace(0, 1, 61)
    return (_line(0.05 + 0.9 * (t * 60 % 20) / 20, "truth", t),)


def _window() -> Strokes:
    return _weights(lambda age: (age < 0.36).astype(float))


def _discount() -> Strokes:
    return _weights(lambda age: 0.5 ** (age / 0.2))


def _dpp() -> Strokes:
    rng = np.random.default_rng(5)
    chance = np.sort(rng.uniform(0.04, 0.96, 8))
    return _dots(np.linspace(0.06, 0.94, 8) + rng.uniform(-0.03, 0.03, 8), np.full(8, 0.75)), _dots(
        chance, np.full(8, 0.25), "past"
    )


ALL: Mapping[str, Callable[[], Strokes]] = {
    "reward": _reward,
    "regret": _regret,
    "noise": _noise,
    "drift": _drift,
    "budget": _budget,
    "hop": _hop,
    "kernel": lambda: (_kernel(SE),),
    "matern": _matern,
    "norm": _norm,
    "posterior": _posterior,
    "band": _band,
    "ucb": _ucb,
    "bounds": _bounds,
    "sublinear": _sublinear,
    "restart": _restart,
    "window": _window,
    "discount": _discount,
    "dpp": _dpp,
}


def sketch(name: str) -> Sketch:
    """Return a picture as a sketch that does not move."""
    return Sketch(ALL[name](), ((),), 0)
