r"""Records of a small experiment: a quantity swept over its range, and a closer look at every place of the sweep.

Each experiment lays a statement as it is printed beside the form in which the lab reads it and beside what is
measured or exact. Everything is computed when it is asked for, from a frozen `MicroscopeSetting` of plain values.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

# A curve is measured or exact, as printed, as the lab reads it, something else, or a level to compare with.
ROLES = ("measured", "printed", "read", "other", "level")


@dataclass(frozen=True)
class MicroscopeSetting:
    r"""Settings of a small experiment: plain values; each experiment uses some.

    Attributes:
        seed: of everything that is drawn by lot.   delta: failure probability.   sigma: noise sd, reward units.
        epsilon: change per step of a Markov reward.   alpha: drift exponent.   gamma: discount per step.
    Raises:
        ValueError: a value is out of its range.
    """

    seed: int = 3
    delta: float = 0.1
    sigma: float = 0.1
    epsilon: float = 0.01
    alpha: float = 1.0
    gamma: float = 0.9

    def __post_init__(self) -> None:
        if not 0 < self.delta < 1:
            raise ValueError(f"delta must be above 0 and below 1, got {self.delta}")
        if not (np.isfinite(self.sigma) and self.sigma > 0):
            raise ValueError(f"sigma must be finite and above 0, got {self.sigma}")
        if not (0 <= self.epsilon <= 1 and 0 < self.gamma <= 1):
            raise ValueError(f"epsilon must be in [0, 1] and gamma in (0, 1], got {self.epsilon} and {self.gamma}")
        if not 0 < self.alpha <= 2:
            raise ValueError(f"alpha must be above 0 and at most 2, got {self.alpha}")

    def rng(self, stream: int) -> np.random.Generator:
        """Return the generator of one experiment; each experiment has its own stream."""
        return np.random.default_rng([self.seed, 10, stream])


@dataclass(frozen=True, eq=False)
class SweepLine:
    """One curve.

    Attributes:
        name: at its end.   role: one of `ROLES`.
        x: (n,) or (F, n).   y: (n,) or (F, n); NaN leaves a gap. On the sweep both are (F,).
        dots: drawn as points, not joined.
    """

    name: str
    role: str
    x: np.ndarray
    y: np.ndarray
    dots: bool = False


@dataclass(frozen=True, eq=False)
class MicroscopeResult:
    """Result of one statement's experiment, over F places of its sweep.

    Attributes:
        sweep: (F,) increasing.
        over: curves over the sweep.   here: curves of the closer look.
        setup: what was computed, in words of the caption, and its numbers.
        facts: further numbers, (F,) each, that the sentences use.
        tells_at: the value of the sweep that shows the statement best.   key: the statement's, which `run` writes.
    """

    sweep: np.ndarray
    over: tuple[SweepLine, ...]
    here: tuple[SweepLine, ...]
    setup: str
    facts: Mapping[str, np.ndarray] = field(default_factory=dict)
    tells_at: float = 0.0
    key: str = ""

    @property
    def frames(self) -> int:
        return len(self.sweep)

    @property
    def tells(self) -> int:
        """The frame that shows the statement best."""
        return nearest(self.sweep, self.tells_at)

    def until(self, frame: int) -> MicroscopeResult:
        """Return the first places of the sweep, up to a frame."""
        n, frames = frame + 1, self.frames

        def cut(values: np.ndarray, swept: bool) -> np.ndarray:
            return values[:n] if swept or (values.ndim == 2 and len(values) == frames) else values

        def lines(each: tuple[SweepLine, ...], swept: bool) -> tuple[SweepLine, ...]:
            return tuple(replace(one, x=cut(one.x, swept), y=cut(one.y, swept)) for one in each)

        facts = {name: values[:n] for name, values in self.facts.items()}
        over, here = lines(self.over, True), lines(self.here, False)
        return replace(self, sweep=self.sweep[:n], over=over, here=here, facts=facts)

    @property
    def columns(self) -> dict[str, np.ndarray]:
        """(F,) each: where the sweep is, its curves and the facts by name."""
        return {"sweep at": self.sweep} | {line.name: line.y for line in self.over} | dict(self.facts)

    def value(self, name: str) -> np.ndarray:
        """(F,) the curve over the sweep with this name, or the fact."""
        return self.columns[name]

    def at(self, i: int) -> dict[str, float]:
        """Return every number of one place by its name, gaps left out."""
        return {name: float(values[i]) for name, values in self.columns.items() if np.isfinite(values[i])}


@dataclass(frozen=True)
class Axes:
    """One panel: headline, titles, which axes are logarithmic, and a range of y where the data's is too wide."""

    headline: str
    x: str
    y: str
    log_x: bool = False
    log_y: bool = False
    span: tuple[float, float] | None = None


@dataclass(frozen=True, kw_only=True)
class Reading:
    """A printed statement and how the lab reads it: a row of the page's table.

    The wordings about the papers are the lab's agreed ones.

    Attributes:
        where: paper and number.   printed, read: as printed and as the lab reads it (Markdown).   reason: one line.
    """

    where: str
    printed: str
    read: str
    reason: str


@dataclass(frozen=True, kw_only=True)
class Statement(Reading):
    """A reading with an experiment, and everything that the page shows about it.

    Nothing is said that the experiment does not show.

    Attributes:
        experiment: computes it.
        key: in links.   name: in the menu.
        symbol: of the sweep, with what stands between it and its value.
        sentence: returns the finding (HTML) from the numbers of one place, `MicroscopeResult.at`.
        over, here: axes of the sweep and of the closer look.
        uses: knobs of the page that decide the experiment.
        slow: whether another setting takes more than a tenth of a second.
    """

    experiment: Callable[[MicroscopeSetting], MicroscopeResult]
    key: str
    name: str
    symbol: str
    sentence: Callable[[Mapping[str, float]], str]
    over: Axes
    here: Axes
    uses: tuple[str, ...] = ("seed",)
    slow: bool = False


def lines(x: np.ndarray, curves: Mapping[tuple[str, str], Any], dots: bool = False) -> tuple[SweepLine, ...]:
    """Return curves over the same x (n,) from {(name, role): y}, y (n,) or (F, n); a number or (F, 1) is level."""
    x = np.asarray(x, dtype=float)
    values = {which: np.asarray(y, dtype=float) for which, y in curves.items()}
    return tuple(
        SweepLine(name, role, x, np.broadcast_to(y, np.broadcast_shapes(y.shape, x.shape)), dots)
        for (name, role), y in values.items()
    )


def up_to(values: np.ndarray, stops: np.ndarray) -> np.ndarray:
    """(F, n) the first `stops[i]` of n values in row i, then gaps."""
    return np.where(np.arange(len(values)) < np.asarray(stops)[:, None], values, np.nan)


def nearest(sweep: np.ndarray, value: float) -> int:
    """The place of the sweep that is nearest to a value (on a log scale for a positive sweep)."""
    if (sweep > 0).all() and value > 0:
        return int(np.abs(np.log(sweep) - np.log(value)).argmin())
    return int(np.abs(sweep - value).argmin())
