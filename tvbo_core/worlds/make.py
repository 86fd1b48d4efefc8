r"""Drawing of worlds: World -> Problem, a table of rewards, and its notable rounds.

Every world reports its drift budget $V_T$ (`Problem.sup_variation`, reward units) and, where it is a path in
the space, $B_T$ (`Problem.rkhs_variation`); $V_T\le\sqrt\kappa B_T$ with $\kappa=\sup k(x,x)$.
"""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass, replace
from numbers import Integral
from typing import Any, cast

import numpy as np

from tvbo_core.kernels import ALL as KERNELS
from tvbo_core.kernels import Kernel, make_kernel
from tvbo_core.records import Problem, World
from tvbo_core.threads import one_thread
from tvbo_core.validation import is_number, is_word
from tvbo_core.worlds import adversary, draws, kinds
from tvbo_core.worlds.tables import DATASETS, data_problem, load

# Streams of random numbers that a world's seed starts; a play has its own (observe.play_rng). Any two numbers would do.
# With 3 the default world (seed 3) has one leg, in which the best arm hops once: this is what that world is to show.
ARMS_STREAM, REWARD_STREAM = 0, 3

# Smallest and largest value of each field.
_WHOLE: dict[str, tuple[float, float]] = {
    "horizon": (1, 100_000),
    "dimension": (1, 20),
    "arms": (1, 4_000),  # a learner holds two (m, m) matrices: 256 MB
    "seed": (0, 2**53),
    "switches": (1, 1_000),
    "centres": (1, 1_000),
}
_REAL = {
    "nu": (0.05, 1_000.0),
    "lengthscale": (1e-4, 1e4),
    "noise_sd": (0.0, 1e6),
    "norm_bound": (1e-6, 1e6),
    "epsilon": (0.0, 1.0),
    "alpha": (0.01, 2.0),
    "budget": (0.0, 1e9),
    "low": (-1e6, 1e6),
    "high": (-1e6, 1e6),
}
_CHOICES: dict[str, Collection[str]] = {"kind": kinds.ALL, "kernel": KERNELS, "dataset": DATASETS}
_MAY_BE_INFINITE = ("nu", "norm_bound")
# Entries of f or of the coefficients: 120 MB, and up to three such tables exist at a time while a world is drawn.
_MAX_TABLE_ENTRIES = 15_000_000
# A Markov path is drawn from a factor of the arms' covariance: four (m, m) tables and a few seconds.
_MAX_MARKOV_ARMS = 2_000


def check_world(world: World) -> None:
    """Refuse a world with a field outside its range.

    Raises:
        ValueError: one sentence with the first such field, its value and what is allowed.
    """
    for name, allowed in _CHOICES.items():
        if not is_word(getattr(world, name), allowed):
            raise ValueError(f"{name} must be one of {', '.join(allowed)}, got {getattr(world, name)!r}")
    for name, (least, most) in _WHOLE.items():
        value = getattr(world, name)
        if name == "arms" and isinstance(value, tuple):
            _check_grid(world, value)
            continue
        if not isinstance(value, Integral) or isinstance(value, bool) or not least <= cast(int, value) <= most:
            raise ValueError(f"{name} must be a whole number from {least} to {most}, got {value!r}")
    for name, (least, most) in _REAL.items():
        _check_real(name, getattr(world, name), least, most)
    if not world.low < world.high:
        raise ValueError(f"low must be below high, got {world.low!r} and {world.high!r}")
    pieces = {"glide": 2, "jumps": world.switches + 1}.get(world.kind, 1)
    widest = max(world.arm_count, world.horizon if world.kind == "travel" else pieces * world.centres)
    if world.kind != "data" and world.horizon * widest > _MAX_TABLE_ENTRIES:
        raise ValueError(
            f"horizon x max(arms, kernel centres) must be at most {_MAX_TABLE_ENTRIES}, got {world.horizon} x {widest}"
        )
    if world.kind == "markov" and world.arm_count > _MAX_MARKOV_ARMS:
        raise ValueError(f"arms must be at most {_MAX_MARKOV_ARMS} in a markov world, got {world.arms}")
    if world.kind in ("cyclic", "travel") and math.isinf(world.norm_bound):
        adjective = kinds.ALL[world.kind].adjective
        raise ValueError(f"norm_bound must be finite in a {adjective} world, whose size it sets; got inf")


def _check_grid(world: World, sides: tuple[int, ...]) -> None:
    most = _WHOLE["arms"][1]
    whole = all(isinstance(n, Integral) and not isinstance(n, bool) and n >= 1 for n in sides)
    if not whole or len(sides) != world.dimension or math.prod(sides) > most:
        plural = "" if world.dimension == 1 else "s"
        raise ValueError(
            f"arms must be a whole number, or whole numbers above 0, one for each of {world.dimension} "
            f"dimension{plural} and at most {most} in all, got {sides!r}"
        )
    if world.kind == "adversary":
        raise ValueError(
            "kind must not be adversary where the arms are a grid of given sides, since it lays its own lattice of "
            "places: give arms as one whole number, or choose another kind"
        )


def _check_real(name: str, value: object, least: float, most: float) -> None:
    if value is None and name == "budget":
        return
    if is_number(value) and (least <= cast(float, value) <= most or (value == math.inf and name in _MAY_BE_INFINITE)):
        return
    extra = ", or inf" if name in _MAY_BE_INFINITE else ", or None" if name == "budget" else ""
    raise ValueError(f"{name} must be a number from {least:g} to {most:g}{extra}, got {value!r}")


def make_problem(world: World) -> Problem:
    r"""The table of expected rewards of a world; the same world gives the same table, always.

    Rows are rounds, columns are arms: a grid on [low, high] when the dimension is 1 or `World.arms` gives its sides,
    else uniform points of $[\text{low},\text{high}]^d$. `norm_bound=inf` means "as drawn": nothing is rescaled, and the
    problem reports $B=\max_t\|f_t\|_{\mathcal H}$. A budget that the kind cannot reach gives the largest (or, for
    cyclic and rough worlds, the natural) movement, see `reachable_budget`.

    Raises:
        ValueError: a field is outside its range (`check_world`).
        DataUnavailable: a data set is not installed.

    >>> problem = tv.make_problem(tv.World(kind="jumps", budget=3.0, horizon=50))
    >>> problem.f.shape, int(np.count_nonzero(problem.steps)), round(problem.sup_variation, 6)
    ((50, 100), 2, 3.0)
    """
    check_world(world)
    with one_thread():
        if world.kind == "data":
            return data_problem(load(world.dataset), world.horizon)
        return world.problem() or _by_kind(world)


def _by_kind(world: World) -> Problem:
    kernel, x = _on_unit_box(world)
    shared: dict[str, Any] = {
        "x": _to_world_units(world, x),
        "noise_sd": world.noise_sd,
        "kernel": make_kernel(world.kernel, world.nu, world.lengthscale),
    }
    if world.kind == "adversary":
        x = adversary.with_lattice(world, x)
        f = adversary.hide(world, x, _rng(world, REWARD_STREAM))
        return Problem(f=f, norm_bound=world.norm_bound, **{**shared, "x": _to_world_units(world, x)})
    if world.kind == "markov":
        f = draws.markov(kernel, x, world.horizon, world.epsilon, _rng(world, REWARD_STREAM))
        return Problem(f=f, norm_bound=None, **shared)
    path_of = kinds.ALL[world.kind].path
    assert path_of is not None, f"the kind {world.kind} needs a branch here"
    path = path_of(world, kernel, x, _rng(world, REWARD_STREAM))
    bound = world.norm_bound
    if math.isinf(bound):
        bound = float(draws.norms(kernel, path.centres, path.coefficients).max())
    return Problem(
        f=path.values,
        norm_bound=float(bound),
        centres=_to_world_units(world, path.centres),
        coefficients=path.coefficients,
        **shared,
    )


def reachable_budget(world: World) -> float:
    r"""The largest $V_T$ that this kind can show in this world, reward units.

    still: 0. glide and jumps: every step is a whole leg, from one of the drawn functions to the next. travel: the hill
    crosses the box. The other kinds: the movement of the path as it is drawn (markov and data worlds move by exactly
    that, whatever the budget).
    """
    check_world(world)
    if world.kind == "still":
        return 0.0
    if world.kind in ("glide", "jumps"):
        gaps = draws.cycle_gaps(kinds.pieces(world, *_on_unit_box(world), _rng(world, REWARD_STREAM)))
        return float(np.resize(gaps, world.horizon - 1).sum())
    # A hill travels as far as its budget allows; the other kinds have their largest movement without a budget.
    most = _REAL["budget"][1] if world.kind == "travel" else None
    return make_problem(replace(world, budget=most)).sup_variation


def _rng(world: World, stream: int) -> np.random.Generator:
    return np.random.default_rng([world.seed, stream])


def _on_unit_box(world: World) -> tuple[Kernel, np.ndarray]:
    """The kernel and the (m, d) arms on the unit box, where every world is drawn.

    The kernels depend on distance over lengthscale only, so a world on [low, high] is the world on [0, 1] with
    its lengthscale divided by the width, in other coordinates (`_to_world_units`).
    """
    kernel = make_kernel(world.kernel, world.nu, world.lengthscale / (world.high - world.low))
    if isinstance(world.arms, tuple):
        sides = [draws.spread_points(n, 1)[:, 0] for n in world.arms]
        return kernel, np.stack(np.meshgrid(*sides, indexing="ij"), axis=-1).reshape(-1, world.dimension)
    if world.dimension == 1:
        return kernel, draws.spread_points(world.arms, 1)
    return kernel, _rng(world, ARMS_STREAM).uniform(size=(world.arms, world.dimension))


def _to_world_units(world: World, unit: np.ndarray) -> np.ndarray:
    """Return points of the unit box in the coordinates of the world."""
    return world.low + (world.high - world.low) * unit


@dataclass(frozen=True)
class Hop:
    """A round in which the best arm is far from the best arm of the round before.

    Attributes:
        t: row (from 0) of the round after the hop.
        before, after: coordinates (d values) of the two best arms.
        distance: Euclidean distance between them, units of x (arm numbers in a data world).
        gain: best reward of round t minus best reward of the round before, reward units.
    """

    t: int
    before: tuple[float, ...]
    after: tuple[float, ...]
    distance: float
    gain: float


@dataclass(frozen=True)
class Jump:
    """A step that holds an outsized share of the drift budget.

    Attributes:
        t: row (from 0) of the round after the step.
        size: sup-norm length of the step, reward units.
        share: of $V_T$, in (0, 1].
    """

    t: int
    size: float
    share: float


@dataclass(frozen=True)
class Events:
    """Notable rounds of a problem, in time order."""

    hops: tuple[Hop, ...]
    jumps: tuple[Jump, ...]


def events(problem: Problem, least_hop: float = 0.1, outsized: float = 5.0) -> Events:
    """Hops of the best arm by more than `least_hop`, and steps over `outsized` times the median step."""
    best = problem.best
    places = problem.x[best] if problem.x.ndim == 2 else problem.x[np.arange(problem.horizon), best]
    distance = np.linalg.norm(np.diff(places, axis=0), axis=1)
    gain = np.diff(problem.f.max(axis=1))
    hops = tuple(
        Hop(
            int(t) + 1,
            tuple(places[t].tolist()),
            tuple(places[t + 1].tolist()),
            float(distance[t]),
            float(gain[t]),
        )
        for t in np.flatnonzero(distance > least_hop)
    )
    steps, total = problem.steps, problem.sup_variation
    if not len(steps):
        return Events(hops, ())
    median = np.sort(steps)[(len(steps) - 1) // 2]  # the lower one: a single jump in two steps is outsized
    jumps = tuple(
        Jump(int(t) + 1, float(steps[t]), float(steps[t] / total)) for t in np.flatnonzero(steps > outsized * median)
    )
    return Events(hops, jumps)


def ties(problem: Problem, t: int, tolerance: float = 1e-9) -> np.ndarray:
    """(k,) arms of row t within `tolerance` (reward units) of the best reward; k = 1 when it is unique."""
    f = problem.f[t]
    return np.flatnonzero(f >= f.max() - tolerance)


def moved_most(problem: Problem) -> np.ndarray:
    """(T-1,) arm at which each step is longest: the one place whose move enters the drift budget."""
    return np.abs(np.diff(problem.f, axis=0)).argmax(axis=1)
