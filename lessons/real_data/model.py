"""A race on a table of rewards: the reader's setting, what the first part says, and what is measured on the second."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from lessons.real_data import side_by_side, trial, worker_jobs
from lessons.real_data.trial import Learnt, Memories
from lessons.real_data.worker_jobs import Base
from lessons.shared.knobs import METHODS
from tvbo_core.policies import ALL, BY_NAME
from tvbo_core.records import Problem
from tvbo_core.worlds.tables import Table

OWN = "own"
FIXED = "best fixed arm"
FORGETTING = tuple(reversed(trial.FORGETTING))  # as they are named where they tie
LEARNING_RUNS = 66  # that learning from the first part takes
GUEST_SECONDS = 10.0  # that the runs of a guest may take: nobody knows


@dataclass(frozen=True)
class RealDataSetting:
    """The reader's choice, as plain values.

    Attributes:
        base: decides the two parts of the table.   memory: m, 0 from the data.   methods: words of `knobs.METHODS`.
        seeds: how many, from the seed of `base` upwards.
    """

    base: Base
    memory: int
    methods: tuple[str, ...]
    seeds: int

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(METHODS[m] for m in self.methods)

    def racing(self, arms: int) -> RealDataSetting:
        """Return the setting with those methods only that race on so many arms.

        Raises:
            ValueError: none of them does.
        """
        able = tuple(word for word in self.methods if arms <= (ALL[word].max_arms or arms))
        if self.methods and not able:
            raise ValueError(" ".join(too_large(self, arms)) + " Choose another method.")
        return replace(self, methods=able)

    @property
    def numbers(self) -> range:
        """The seeds."""
        return range(self.base.seed, self.base.seed + self.seeds)


@dataclass(frozen=True, eq=False)
class Lanes:
    """Which arm is the best one in each round, and which arm each of some methods holds.

    Attributes:
        names: of the methods.   rows: names of the arms that have a row of their own; where not all have one, the last
            row is of all others.   held: (T,) row of the best arm, then of the arm that each method chooses most
            often, the last method first.
    """

    names: tuple[str, ...]
    rows: tuple[str, ...]
    held: tuple[np.ndarray, ...]


@dataclass(frozen=True, eq=False)
class Trial:
    """A race on a table, played.

    Attributes:
        setting: of it.   table: split, and shuffled if so chosen.   problem: its second part.
        learnt: from the first part.   memories: that were used.
        total: name -> (k, T) regret so far, a row a seed.   looks: name -> (T,) arms pulled most often.
    """

    setting: RealDataSetting
    table: Table
    problem: Problem
    learnt: Learnt
    memories: Memories
    total: Mapping[str, np.ndarray]
    looks: Mapping[str, np.ndarray]

    @cached_property
    def fixed(self) -> tuple[int, np.ndarray]:
        """The arm that is best on average, and its (T,) regret of each round."""
        return trial.fixed_arm(self.problem)

    @cached_property
    def switches(self) -> tuple[int, ...]:
        """Rows in which the arm that was best no longer is."""
        return trial.best_changes(self.problem)

    def until(self, t: int) -> Trial:
        """Return the table up to round t of its second part, before anybody races there."""
        table, rows = self.table, self.table.train_rows + t
        filled = None if table.filled is None else table.filled[:rows]
        table = replace(table, rewards=table.rewards[:rows], times=table.times[:rows], filled=filled)
        return replace(self, table=table, problem=self.problem.head(t), total={}, looks={})

    @cached_property
    def average(self) -> dict[str, np.ndarray]:
        """name -> (T,) median over the seeds of the average regret of a round so far."""
        t = np.arange(1, self.problem.horizon + 1)
        return {n: np.median(r, axis=0) / t for n, r in self.total.items()}

    @cached_property
    def fixed_average(self) -> np.ndarray:
        return self.fixed[1].cumsum() / np.arange(1, self.problem.horizon + 1)


def setting_from(values: Mapping[str, Any], mark: str = "") -> RealDataSetting:
    """Return the race that these values of the page's knobs describe; `mark` names an own table and its mapping."""
    noise = values["noise_share"] / 100
    base = Base(str(values["table"]), mark, noise, bool(values["mixed"]), int(values["seed"]))
    return RealDataSetting(base, int(values["m"]), tuple(values["algos"]), int(values["seeds"]))


def too_large(setting: RealDataSetting, arms: int) -> list[str]:
    """Return a sentence for each chosen method that does not race on so many arms."""
    entries = [ALL[word] for word in setting.methods]
    return [
        f"{e.name} races on at most {e.max_arms} arms, and this table has {arms}."
        for e in entries
        if e.max_arms and e.max_arms < arms
    ]


def memories(setting: RealDataSetting, learnt: Learnt) -> Memories:
    """Return the memories of all methods: of the reader's choice, or learnt from the first part."""
    return Memories.of(setting.memory) if setting.memory else learnt.memories


def _in_place(key: tuple, function: Callable, *arguments: object, seconds: float, guest: bool) -> Any:
    return function(*arguments)


# The key of a result, the function with its arguments, about how long it takes, and whether a guest plays.
Step = tuple[tuple, tuple[Any, ...], float, bool]


def steps(setting: RealDataSetting, own: Table | None = None) -> Generator[Step, Any, Trial]:
    """Yield the steps of a race one after the other, each answered by its result; return the race, all methods played.

    Raises:
        ValueError: the package of a shipped table is missing, or the table cannot race.
    """
    base = setting.base
    table, _, second = yield ("parts", base), (worker_jobs.parts, base, own), 0.0, False
    names = setting.racing(second.f.shape[1]).names
    learnt = yield ("learnt", base), (worker_jobs.learn, base, own), seconds(table, LEARNING_RUNS), False
    memory, total, looks = memories(setting, learnt), {}, {}
    for name in names:
        call, guest = (worker_jobs.runs, base, own, name, memory, setting.numbers), BY_NAME[name].own
        cost = GUEST_SECONDS if guest else seconds(table, setting.seeds)
        total[name], looks[name] = yield runs_key(setting, name), call, cost, guest
    return Trial(setting, table, second, learnt, memory, total, looks)


def race(setting: RealDataSetting, own: Table | None = None, step: Callable[..., Any] = _in_place) -> Trial:
    """Return the race with all its methods played.

    Args:
        step: returns what a function returns; called with a key, the function, its arguments, `seconds`, about how
            long it takes, and `guest`, whether a policy of a visitor's own plays.

    Raises:
        ValueError: the package of a shipped table is missing, or the table cannot race.
    """
    todo, made = steps(setting, own), None
    while True:
        try:
            key, call, cost, guest = todo.send(made)
        except StopIteration as over:
            return over.value
        made = step(key, *call, seconds=cost, guest=guest)


def runs_key(setting: RealDataSetting, name: str) -> tuple:
    """Return the key of a method's runs: what decides them."""
    memory = setting.memory if name in FORGETTING else None  # the others play the same with any
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
    """Return the two methods of the headline: the pinned ones that run, then those of the least regret."""
    order = sorted(trial.average, key=lambda n: trial.average[n][-1])
    return tuple(dict.fromkeys([*(name for name in pins if name in order), *order]))[:2]


def lanes(trial: Trial, names: Sequence[str], most: int) -> Lanes:
    """Return who holds which arm, in at most so many rows: those of the arms that are best or held most often."""
    arms, asked = trial.problem.arm_names, [trial.problem.best, *(trial.looks[n] for n in reversed(names))]
    assert arms is not None  # a table names its columns
    often = sum(np.bincount(one, minlength=len(arms)) for one in asked)
    kept = range(len(arms)) if len(arms) <= most else sorted(np.argsort(-often, kind="stable")[: most - 1].tolist())
    row = np.full(len(arms), len(kept))
    row[list(kept)] = range(len(kept))
    others = [f"{len(arms) - len(kept)} others"] if len(kept) < len(arms) else []
    return Lanes(tuple(names), (*(arms[i] for i in kept), *others), tuple(row[one] for one in asked))


def facts(trial: Trial, row: int) -> dict[str, float | None]:
    """Return the numbers of a round, in the last one with what forgetting saves: `Scene.facts`."""
    numbers: dict[str, float | None] = {"t": row + 1, "changes of the best arm": bisect_right(trial.switches, row)}
    numbers |= {loss_of(name): float(average[row]) for name, average in trial.average.items()}
    numbers[loss_of(FIXED)] = float(trial.fixed_average[row])
    return numbers | (saving(trial) if row == trial.problem.horizon - 1 else {})


def loss_of(name: str) -> str:
    """Return the name of the fact that is a method's regret per round."""
    return f"{name}: regret per round"


def saving(trial: Trial) -> dict[str, float | None]:
    """Return what the best forgetting method saves of GP-UCB's regret, and in how many seeds; empty without either."""
    best = best_forgetting(trial)
    if best is None or "GP-UCB" not in trial.total:
        return {}
    ends, still, loss = trial.total[best][:, -1], trial.total["GP-UCB"][:, -1], float(trial.average["GP-UCB"][-1])
    return {
        "saved by forgetting": 1 - float(trial.average[best][-1]) / loss if loss > 0 else None,
        "seeds in which it saves": int((ends < still).sum()),
        "seeds": len(ends),
    }


def rows(trial: Trial) -> list[dict]:
    """Return the numbers behind the race at its end, a row a method, the best first."""
    m, arm, T = trial.memories, trial.fixed[0], trial.problem.horizon
    said = {
        "restart": f"H = {m.restart}",
        "window": f"W = {m.window}",
        "discount": f"γ = {m.discount:.3g}",
        "epsilon": f"ε = {m.epsilon:.3g}",
        "": "–",
    }
    assert trial.problem.arm_names is not None  # a table names its columns
    fixed = np.full(trial.setting.seeds, trial.fixed[1].mean())
    every = {name: (total[:, -1] / T, said[BY_NAME[name].memory]) for name, total in trial.total.items()}
    every[f"best fixed arm ({trial.problem.arm_names[arm]})"] = fixed, "–"
    found = [
        {
            "method": name,
            "regret per round, median": float(np.median(ends)),
            "smallest": float(ends.min()),
            "largest": float(ends.max()),
            "seeds": len(ends),
            "memory": memory,
        }
        for name, (ends, memory) in every.items()
    ]
    return sorted(found, key=lambda r: r["regret per round, median"])
