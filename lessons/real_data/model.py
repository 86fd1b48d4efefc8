"""A race on a table of rewards: its setting, the learning on the first part, and the race on the second part."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from lessons.real_data import side_by_side, trial, worker_jobs
from lessons.real_data.tables import Loaded
from lessons.real_data.trial import Learnt, Memories
from lessons.real_data.worker_jobs import Base
from lessons.shared.knobs import METHODS
from tvbo_core.policies import ALL, BY_NAME
from tvbo_core.records import Problem
from tvbo_core.worlds.tables import Table

OWN = "own"
FIXED = "best fixed arm"
# Of several methods with the same regret, `best_forgetting` returns the first.
FORGETTING = tuple(reversed(trial.FORGETTING))
LEARNING_RUNS = 66  # Learning from the first part takes as long as this many runs.
GUEST_SECONDS = 10.0  # The speed of a visitor's own policy is not known, so its runs are assumed to take this long.


@dataclass(frozen=True)
class RealDataSetting:
    """The reader's choice, as plain values.

    Attributes:
        base: table, noise and seed, which decide the table's two parts.   memory: m, or 0 to learn the memories.
        methods: keys of `knobs.METHODS`.   seeds: number of seeds, from the seed of `base` upwards.
    """

    base: Base
    memory: int
    methods: tuple[str, ...]
    seeds: int

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(METHODS[m] for m in self.methods)

    def racing(self, arms: int) -> RealDataSetting:
        """Return the setting without the methods that cannot race on so many arms.

        Raises:
            ValueError: no method is left.
        """
        able = tuple(word for word in self.methods if arms <= (ALL[word].max_arms or arms))
        if self.methods and not able:
            raise ValueError(" ".join(too_large(self, arms)) + " Choose another method.")
        return replace(self, methods=able)

    @property
    def numbers(self) -> range:
        """Seeds of the runs, from the seed of `base` upwards."""
        return range(self.base.seed, self.base.seed + self.seeds)


@dataclass(frozen=True, eq=False)
class Lanes:
    """The best arm of each round and the arms that some methods choose, as rows of a picture.

    Attributes:
        names: of the methods.
        rows: names of the arms that have a row of their own; all other arms share one row, the last.
        chosen: (T,) row of the best arm in each round, then of the arm that each method chooses most often, in reverse
            order of `names`.
    """

    names: tuple[str, ...]
    rows: tuple[str, ...]
    chosen: tuple[np.ndarray, ...]


@dataclass(frozen=True, eq=False)
class Split:
    """A table in its two parts, before the race.

    Attributes:
        setting: of the race.   table: both parts, its rows shuffled if that is chosen.   problem: the second part.
    """

    setting: RealDataSetting
    table: Table
    problem: Problem

    @cached_property
    def fixed(self) -> tuple[int, np.ndarray]:
        """The arm that is best on average, and its (T,) regret of each round."""
        return trial.fixed_arm(self.problem)

    @cached_property
    def switches(self) -> tuple[int, ...]:
        """Rows in which the best arm changes, see `trial.best_changes`."""
        return trial.best_changes(self.problem)

    def until(self, t: int) -> Split:
        """Return the table up to round t of its second part."""
        table, rows = self.table, self.table.train_rows + t
        filled = None if table.filled is None else table.filled[:rows]
        table = replace(table, rewards=table.rewards[:rows], times=table.times[:rows], filled=filled)
        return Split(self.setting, table, self.problem.head(t))


@dataclass(frozen=True, eq=False)
class Trial(Split):
    """A finished race on a table.

    Attributes:
        learnt: from the first part.   memories: of the methods.
        total: name -> (k, T) regret so far, a row a seed.   most_chosen: name -> (T,) see `worker_jobs.most_chosen`.
    """

    learnt: Learnt
    memories: Memories
    total: Mapping[str, np.ndarray]
    most_chosen: Mapping[str, np.ndarray]

    @cached_property
    def average(self) -> dict[str, np.ndarray]:
        """name -> (T,) regret so far per round, median over the seeds."""
        t = np.arange(1, self.problem.horizon + 1)
        return {n: np.median(r, axis=0) / t for n, r in self.total.items()}

    @cached_property
    def fixed_average(self) -> np.ndarray:
        return self.fixed[1].cumsum() / np.arange(1, self.problem.horizon + 1)


def setting_from(values: Mapping[str, Any], loaded: Loaded | None = None) -> RealDataSetting:
    """Return the setting of these knob values, on a visitor's own table where one is loaded."""
    mark = f"{loaded.table.name}:{loaded.choices!r}" if loaded and loaded.table else ""
    noise = values["noise_share"] / 100
    base = Base(str(values["table"]), mark, noise, bool(values["mixed"]), int(values["seed"]))
    return RealDataSetting(base, int(values["m"]), tuple(values["algos"]), int(values["seeds"]))


def split(setting: RealDataSetting) -> Split:
    """Return a shipped table in its two parts.

    Raises:
        ValueError: its package is missing.
    """
    table, _, second = worker_jobs.parts(setting.base, None)
    return Split(setting, table, second)


def too_large(setting: RealDataSetting, arms: int) -> list[str]:
    """Return a sentence for each chosen method that cannot race on so many arms."""
    entries = [ALL[word] for word in setting.methods]
    return [
        f"{e.name} races on at most {e.max_arms} arms, and this table has {arms}."
        for e in entries
        if e.max_arms and e.max_arms < arms
    ]


def memories(setting: RealDataSetting, learnt: Learnt) -> Memories:
    """Return the memories of all methods: those of the setting's m, or those learnt from the first part."""
    return Memories.of(setting.memory) if setting.memory else learnt.memories


class Step(NamedTuple):
    """A step of a race, which may be performed here or in a worker.

    Attributes:
        key: of its result in a cache.   call: a function and its arguments.   seconds: estimated duration.
        guest: whether it plays a visitor's own policy.
    """

    key: tuple
    call: tuple[Any, ...]
    seconds: float = 0.0
    guest: bool = False

    def perform(self) -> Any:
        function, *arguments = self.call
        return function(*arguments)


def steps(setting: RealDataSetting, own: Table | None = None) -> Generator[Step, Any, Trial]:
    """Yield the steps of a race one after the other, and take the result of each by `send`; return the finished race.

    Raises:
        ValueError: the package of a shipped table is missing, or the table cannot race.
    """
    base = setting.base
    table, _, second = yield Step(("parts", base), (worker_jobs.parts, base, own))
    names = setting.racing(second.f.shape[1]).names
    learnt = yield Step(("learnt", base), (worker_jobs.learn, base, own), seconds(table, LEARNING_RUNS))
    memory, total, most_chosen = memories(setting, learnt), {}, {}
    for name in names:
        call, guest = (worker_jobs.runs, base, own, name, memory, setting.numbers), BY_NAME[name].own
        cost = GUEST_SECONDS if guest else seconds(table, setting.seeds)
        total[name], most_chosen[name] = yield Step(runs_key(setting, name), call, cost, guest)
    return Trial(setting, table, second, learnt, memory, total, most_chosen)


def race(setting: RealDataSetting, own: Table | None = None, perform: Callable[[Step], Any] = Step.perform) -> Trial:
    """Return the finished race.

    Args:
        perform: returns the result of a step, in place by default.

    Raises:
        ValueError: the package of a shipped table is missing, or the table cannot race.
    """
    todo, result = steps(setting, own), None
    while True:
        try:
            step = todo.send(result)
        except StopIteration as stop:
            return stop.value
        result = perform(step)


def runs_key(setting: RealDataSetting, name: str) -> tuple:
    """Return the key of a method's runs: everything that changes their result."""
    memory = setting.memory if name in FORGETTING else None  # the other methods have no memory to set
    return ("runs", setting.base, memory, name, setting.seeds)


def seconds(table: Table, runs: int) -> float:
    """Return about how long so many runs take in one part of the table."""
    rounds, arms = table.rewards.shape
    return side_by_side.seconds(runs, rounds // 2, arms)


def best_forgetting(trial: Trial) -> str | None:
    """Return the forgetting method with the least median regret, None where none races."""
    racing = [n for n in FORGETTING if n in trial.total]
    return min(racing, key=lambda n: trial.average[n][-1], default=None)


def headline_methods(trial: Trial, pins: Sequence[str]) -> tuple[str, ...]:
    """Return the two methods of the headline: pinned ones that race, then those with the least regret."""
    order = sorted(trial.average, key=lambda n: trial.average[n][-1])
    return tuple(dict.fromkeys([*(name for name in pins if name in order), *order]))[:2]


def lanes(trial: Trial, names: Sequence[str], most: int) -> Lanes:
    """Return the lanes of the best arm and of these methods.

    Args:
        most: rows at most; the arms that are best or chosen most often have rows of their own.
    """
    arms, series = trial.problem.arm_names, [trial.problem.best, *(trial.most_chosen[n] for n in reversed(names))]
    assert arms is not None  # a table names its columns
    counts = sum(np.bincount(one, minlength=len(arms)) for one in series)
    own_row = range(len(arms)) if len(arms) <= most else sorted(np.argsort(-counts, kind="stable")[: most - 1].tolist())
    row = np.full(len(arms), len(own_row))
    row[list(own_row)] = range(len(own_row))
    others = [f"{len(arms) - len(own_row)} others"] if len(own_row) < len(arms) else []
    return Lanes(tuple(names), (*(arms[i] for i in own_row), *others), tuple(row[arm] for arm in series))


def facts(trial: Trial, row: int) -> dict[str, float | None]:
    """Return the facts of a row, see `Scene.facts`; those of the last row also say what forgetting saves."""
    numbers: dict[str, float | None] = {"t": row + 1, "changes of the best arm": bisect_right(trial.switches, row)}
    numbers |= {loss_of(name): float(average[row]) for name, average in trial.average.items()}
    numbers[loss_of(FIXED)] = float(trial.fixed_average[row])
    return numbers | (saving(trial) if row == trial.problem.horizon - 1 else {})


def loss_of(name: str) -> str:
    """Return the name of the fact with a method's regret per round."""
    return f"{name}: regret per round"


def saving(trial: Trial) -> dict[str, float | None]:
    """Return what the best forgetting method saves of GP-UCB's regret, and in how many seeds; empty without both."""
    best = best_forgetting(trial)
    if best is None or "GP-UCB" not in trial.total:
        return {}
    forgetting, remembering = trial.total[best][:, -1], trial.total["GP-UCB"][:, -1]
    average, reference = float(trial.average[best][-1]), float(trial.average["GP-UCB"][-1])
    return {
        "saved by forgetting": 1 - average / reference if reference > 0 else None,
        "seeds in which it saves": int((forgetting < remembering).sum()),
        "seeds": len(forgetting),
    }


def rows(trial: Trial) -> list[dict]:
    """Return the numbers behind the race at its end, a row a method, the best first."""
    m, arm, T = trial.memories, trial.fixed[0], trial.problem.horizon
    memory_text = {
        "restart": f"H = {m.restart}",
        "window": f"W = {m.window}",
        "discount": f"γ = {m.discount:.3g}",
        "epsilon": f"ε = {m.epsilon:.3g}",
        "": "–",
    }
    assert trial.problem.arm_names is not None  # a table names its columns
    fixed = np.full(trial.setting.seeds, trial.fixed[1].mean())
    ends = {name: (total[:, -1] / T, memory_text[BY_NAME[name].memory]) for name, total in trial.total.items()}
    ends[f"best fixed arm ({trial.problem.arm_names[arm]})"] = fixed, "–"
    table = [
        {
            "method": name,
            "regret per round, median": float(np.median(regret)),
            "smallest": float(regret.min()),
            "largest": float(regret.max()),
            "seeds": len(regret),
            "memory": memory,
        }
        for name, (regret, memory) in ends.items()
    ]
    return sorted(table, key=lambda r: r["regret per round, median"])
