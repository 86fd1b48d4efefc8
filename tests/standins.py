"""Small learners and problems that show how the loop treats a policy, and what a policy can get at."""

from __future__ import annotations

import gc
from dataclasses import dataclass, field, replace
from types import FunctionType, ModuleType
from typing import Any

import numpy as np
from hypothesis import strategies as st

from tests.strategies import kernels
from tvbo_core.gp import RankOne
from tvbo_core.kernels import SquaredExponential
from tvbo_core.race_results import RaceTable
from tvbo_core.records import Band, LearnerInfo, Problem, World
from tvbo_core.worlds import make_problem


@dataclass(frozen=True)
class Uniform:
    """Any arm."""

    def init(self, known: LearnerInfo) -> int:
        return known.x.shape[-2]

    def select(self, arms: int, t: int, rng: np.random.Generator) -> int:
        return rng.integers(arms)

    def update(self, arms: int, t: int, arm: int, y: float) -> int:
        return arms


@dataclass(frozen=True)
class Optimist:
    """A textbook GP-UCB that shows its band."""

    width: float = 2.0

    def init(self, known: LearnerInfo):
        return RankOne(known.kernel(known.x, known.x)), max(known.noise_sd**2, 1e-6)

    def select(self, state, t: int, rng: np.random.Generator) -> int:
        return self.band(state, t).upper.argmax()

    def update(self, state, t: int, arm: int, y: float):
        state[0].learn(arm, y, state[1])
        return state

    def band(self, state, t: int) -> Band:
        mean, half = state[0].mean, self.width * state[0].sd
        return Band(mean, mean - half, mean + half)


@dataclass(frozen=True)
class Asker(Uniform):
    """Pulls arm 0 or 1 and re-asks t mod 3 arms in round t; keeps every answer in its state."""

    def init(self, known: LearnerInfo) -> list:
        return []

    def questions(self, state: list, t: int, rng: np.random.Generator) -> np.ndarray:
        return np.arange(t % 3)

    def answer(self, state: list, t: int, arms: np.ndarray, ys: np.ndarray) -> list:
        return [*state, ("answer", t, tuple(arms), tuple(ys))]

    def select(self, state: list, t: int, rng: np.random.Generator) -> int:
        return t % 2

    def update(self, state: list, t: int, arm: int, y: float) -> list:
        state.append(("pull", t, arm, y))
        return state


@dataclass(frozen=True)
class Spy:
    """Does what another policy does and keeps everything that it is handed."""

    policy: Any
    handed: list = field(default_factory=list)

    def __getattr__(self, name: str):
        method = getattr(self.policy, name)

        def watched(*given: Any):
            self.handed.extend(given)
            return method(*given)

        return watched


@dataclass(frozen=True)
class Picks(Uniform):
    """Pulls this, whatever it is."""

    arm: Any = 0

    def select(self, arms: int, t: int, rng: np.random.Generator) -> Any:
        return self.arm


def problem(T: int = 40, m: int = 12, **fields: object) -> Problem:
    return make_problem(World(horizon=T, arms=m, kind="jumps", **fields))


def fresh_arms(T: int = 20, m: int = 6) -> Problem:
    """New arms every round."""
    rng = np.random.default_rng(0)
    x = rng.uniform(size=(T, m, 2))
    return Problem(x=x, f=np.sin(3 * x.sum(axis=2)), noise_sd=0.1, kernel=SquaredExponential(0.5), norm_bound=3.0)


@st.composite
def bounded_problems(draw: st.DrawFn) -> Problem:
    """Random kernel sums with their true norm bound."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    T, m, p = draw(st.integers(1, 12)), draw(st.integers(1, 6)), draw(st.integers(1, 5))
    kernel = draw(kernels())
    x, z, c = rng.uniform(size=(m, 1)), rng.uniform(size=(p, 1)), rng.normal(size=(T, p))
    moving = Problem(x=x, f=c @ kernel(z, x), noise_sd=0.3, kernel=kernel, norm_bound=None, centres=z, coefficients=c)
    return replace(moving, norm_bound=float(moving.norms.max()))


def within_reach(start: Any) -> list[Any]:
    """Every object that can be got at from here: by attribute, item, closure or array base."""
    found, todo = {}, [start]
    while todo:
        thing = todo.pop()
        if id(thing) in found or isinstance(thing, type | ModuleType):
            continue
        found[id(thing)] = thing
        if isinstance(thing, FunctionType):  # not its globals: through them everything meets everything
            todo.extend([*(thing.__closure__ or ()), *(thing.__defaults__ or ())])
        elif isinstance(thing, np.ndarray):
            todo.append(thing.base)
        else:
            todo.extend(gc.get_referents(thing))
    return list(found.values())


def sees(f: np.ndarray, start: Any) -> bool:
    arrays = [thing for thing in within_reach(start) if isinstance(thing, np.ndarray)]
    return any(np.shares_memory(array, f) or np.array_equal(array, f) for array in arrays)


def same(one: RaceTable, other: RaceTable) -> bool:
    """The same table but for the clock."""
    columns = ("finished", "regret", "arms", "extra_queries")
    labels = ("names", "seeds", "horizons")
    return all(np.array_equal(getattr(one, name), getattr(other, name)) for name in columns) and all(
        getattr(one, name) == getattr(other, name) for name in labels
    )
