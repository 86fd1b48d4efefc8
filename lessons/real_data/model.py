"""What the page of real data asks of the core: what is learnt from a table, and the race on its second part.

Shipped tables are kept for all visitors; whatever comes from a visitor's own file is kept in that visitor's
session and nowhere else.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import streamlit as st

from lessons.real_data import worker_jobs as trials
from lessons.real_data.worker_jobs import Base
from lessons.shared.cache import keyed, newest
from lessons.shared.knobs import KNOBS, METHODS
from shell.run_panel import computed
from tvbo_core.data import Table, trial
from tvbo_core.data.trial import Learnt, Memories
from tvbo_core.play_many import most_arms_side_by_side
from tvbo_core.records import Problem

OWN = "own"
_everybody = keyed(400)  # what is made from tables that ship with the lab
ROOM = 64  # results that a session keeps of its own tables
BOWL_SEEDS = 4
LEARNING = 66  # runs that learning from the first part takes
# Seconds of a run of 500 rounds, only to say in advance how long it takes: in step with others, and alone.
IN_STEP, A_RUN = 0.002, 0.02
WAIT_SECONDS = 2.0  # what takes less is one question
LONG = 10.0  # seconds; what takes longer waits for a button that says so


@dataclass(frozen=True)
class Setting:
    """What the reader chose: plain values.

    Attributes:
        table: a name of `data.DATASETS`, or "own".   mark: fingerprint and mapping of an own table.
        share: to learn from, 0 as the table comes.   noise: share of the signal's variance.
        mixed: rows shuffled.   memory: m, 0 for the learnt ones.   methods: words of `knobs.METHODS`.
        seeds: how many, from `seed` upwards.
    """

    table: str
    mark: str
    share: float
    noise: float
    mixed: bool
    memory: int
    methods: tuple[str, ...]
    seeds: int
    seed: int

    @classmethod
    def of(cls, value: Mapping[str, object], mark: str) -> Setting:
        """From the values of the page's knobs."""
        return cls(str(value["table"]), mark, float(value["share"]), value["noise_share"] / 100, bool(value["mixed"]),
                   int(value["m"]), tuple(value["algos"]), int(value["seeds"]), int(value["seed"]))  # fmt: skip

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(METHODS[m] for m in self.methods)

    @property
    def base(self) -> tuple:
        """What decides the two parts of the table."""
        return (self.table, self.mark, self.share, self.noise, self.mixed, self.seed)

    @property
    def core(self) -> Base:
        """The same for the core, without the mark of an own table."""
        return Base(self.table, self.share, self.noise, self.mixed, self.seed)

    @property
    def numbers(self) -> range:
        """The seeds."""
        return range(self.seed, self.seed + self.seeds)

    @property
    def guessed(self) -> range:
        """The seeds of the bowl."""
        return self.numbers[:BOWL_SEEDS]

    @property
    def learnt_key(self) -> tuple:
        """What is kept under this key, as under the next two: all that decides it."""
        return ("learnt", *self.base)

    def runs_key(self, name: str) -> tuple:
        memory = self.memory if name in trial.FORGETTING else None
        return ("runs", *self.base, memory, name, self.seeds)

    @property
    def bowl_key(self) -> tuple:
        return ("bowl", *self.base, len(self.guessed))


@dataclass(frozen=True, eq=False)
class Trial:
    """A race on a table: what the figures and the words are made from.

    Attributes:
        setting: of it.   table: split, and shuffled if so chosen.   problem: its second part.
        learnt: from the first part.   memories: that were used.
        total: name -> (k, T) regret so far, a row a seed.   looks: name -> (T,) arms pulled in the first seed.
    """

    setting: Setting
    table: Table
    problem: Problem
    learnt: Learnt
    memories: Memories
    total: Mapping[str, np.ndarray]
    looks: Mapping[str, np.ndarray]
    asked: Mapping[str, int]
    jumps: Sequence[int] = ()
    own: Table | None = None  # the visitor's, before it is split

    @property
    def rewards(self) -> np.ndarray:
        return self.table.rewards

    @property
    def filled(self) -> np.ndarray | None:
        return self.table.filled

    @property
    def train(self) -> int:
        return self.table.train_rows

    @property
    def times(self) -> tuple[str, ...]:
        return self.table.times

    @property
    def unit(self) -> str:
        return self.table.unit

    @cached_property
    def fixed(self) -> tuple[int, np.ndarray]:
        return trial.fixed_arm(self.problem)

    @cached_property
    def switches(self) -> tuple[int, ...]:
        """Rows in which the arm that was best no longer is."""
        return trial.best_changes(self.problem)

    @cached_property
    def average(self) -> dict[str, np.ndarray]:
        """name -> (T,) median over the seeds of the average regret of a round so far."""
        t = np.arange(1, self.problem.horizon + 1)
        return {n: np.median(r, axis=0) / t for n, r in self.total.items()}

    @cached_property
    def fixed_average(self) -> np.ndarray:
        return self.fixed[1].cumsum() / np.arange(1, self.problem.horizon + 1)


def keep(setting: Setting, key: tuple, make: Callable[[], object]) -> object:
    """Made once for a key: for everybody from a shipped table, for this session alone from an own one."""
    if setting.table != OWN:
        return _everybody(key, make)
    return private(key, make)


def known(setting: Setting, key: tuple) -> object | None:
    """What is kept under this key; None when it is not there (any more)."""
    return newest(_everybody, key) if setting.table != OWN else _mine().get(key)


def _mine() -> OrderedDict:
    return st.session_state.setdefault("_own_results", OrderedDict())


def private(key: Hashable, make: Callable[[], object]) -> object:
    """Made once for a key of this session; the results that were not asked for longest go first."""
    mine = _mine()
    if key not in mine:
        mine[key] = make()
    mine.move_to_end(key)
    while len(mine) > ROOM:
        mine.popitem(last=False)
    return mine[key]


def seconds(table: Table, runs: int) -> float:
    """About how long so many runs take in one part of the table."""
    rounds, arms = table.rewards.shape
    one = IN_STEP * (1 + arms / 12) if arms <= most_arms_side_by_side() else A_RUN * (1 + arms / 150)
    return runs * one * (rounds / 1000) ** 1.15


def parts(setting: Setting, own: Table | None) -> tuple[Table, Problem, Problem]:
    """The table as it is split, its first part and its second part as problems.

    Raises:
        ValueError: the package of a shipped table is missing, or the first part does not vary.
    """

    return keep(setting, ("parts", *setting.base), lambda: trials.parts(setting.core, own))


def run(setting: Setting, own: Table | None, tell: Callable[[str, float], None]) -> Trial:
    """Learn, then race; `tell` hears what is done and the share of it that is.

    What is short is one question (and one wait for a worker), and what is long one a step, so that it can be told.
    """
    table, _, second = parts(setting, own)
    base, whole = setting.core, seconds(table, LEARNING + setting.seeds * len(setting.methods))
    tell(f"Learning from the first part, then racing {_size(setting)}", 0.05)
    found = {setting.runs_key(name): cut for name in setting.names if (cut := _cut(setting, name)) is not None}
    found |= _at_once(setting, own, whole, found) if whole < WAIT_SECONDS else {}

    def step(key: tuple, question: Callable[[], object]) -> object:
        return keep(setting, key, lambda: found[key] if key in found else question())

    learnt = step(setting.learnt_key, lambda: computed(trials.learn, base, own, seconds=seconds(table, LEARNING)))
    memories = Memories.of(setting.memory) if setting.memory else learnt.memories
    total, looks = {}, {}
    for i, name in enumerate(setting.names):
        tell(f"Racing {_size(setting)}: {i}/{len(setting.names)} done", 0.4 + 0.5 * i / len(setting.names))
        cost = seconds(table, setting.seeds)
        total[name], looks[name] = step(setting.runs_key(name), lambda name=name, cost=cost: computed(
            trials.runs, base, own, (name,), memories, setting.numbers, seconds=cost)[name])  # fmt: skip
    return Trial(setting, table, second, learnt, memories, total, looks, dict.fromkeys(total, 0), own=own)


def _size(setting: Setting) -> str:
    return f"{setting.seeds} seeds × {len(setting.names)} methods"


def _cut(setting: Setting, name: str) -> tuple[np.ndarray, np.ndarray] | None:
    """The runs of a method, where they are the first of a race with more seeds that is kept; else None."""
    for seeds in (n for n in KNOBS["seeds"].options if n > setting.seeds):
        held = known(setting, replace(setting, seeds=seeds).runs_key(name))
        if held is not None:
            return held[0][: setting.seeds], held[1]
    return None


def _at_once(setting: Setting, own: Table | None, whole: float, cut: Collection[tuple]) -> dict[tuple, object]:
    """Whatever of a trial is neither kept nor cut, and of the bowl under it, as one question: key -> result."""
    keys = {n: setting.runs_key(n) for n in setting.names}
    names = tuple(n for n, key in keys.items() if key not in cut and known(setting, key) is None)
    guessed = setting.guessed if known(setting, setting.bowl_key) is None else ()
    learnt = known(setting, setting.learnt_key)
    if learnt is not None and not names and not guessed:
        return {}
    asked = (setting.core, own, learnt, setting.memory, names, setting.numbers, guessed)
    # Kept as a whole too, so that a class that asks for the same at the same time has it made once.
    key = ("everything", *setting.base, setting.memory, names, setting.seeds, learnt is None, len(guessed))
    learnt, curves, bowl = keep(setting, key, lambda: computed(trials.everything, *asked, seconds=whole))
    if bowl is not None:
        keep(setting, setting.bowl_key, lambda: bowl)
    return {setting.learnt_key: learnt} | {setting.runs_key(name): curve for name, curve in curves.items()}


def bowl(shown: Trial) -> np.ndarray:
    """TV-GP-UCB's average regret on the second part at each of `trial.EPSILONS`."""
    s = shown.setting
    return keep(
        s,
        s.bowl_key,
        lambda: computed(
            trials.bowl,
            s.core,
            shown.own,
            s.guessed,
            seconds=seconds(shown.table, len(trial.EPSILONS) * len(s.guessed)),
        ),
    )


def guesses(shown: Trial) -> tuple[Sequence[float], np.ndarray, float, dict[str, float]]:
    """What the curve of guessed epsilons is drawn from: values, regret, the learnt one, and levels to compare."""
    levels = {n: float(shown.average[n][-1]) for n in ("Random", "GP-UCB") if n in shown.average}
    levels["best fixed arm"] = float(shown.fixed_average[-1])
    return trial.EPSILONS, bowl(shown), shown.learnt.fit.epsilon, levels


def rows(shown: Trial) -> list[dict]:
    """The numbers behind the race at its end, a row a method, the best first."""
    T = shown.problem.horizon
    ends = {n: r[:, -1] / T for n, r in shown.total.items()}
    m = shown.memories
    remembered = {"R-GP-UCB": f"H = {m.restart}", "SW-GP-UCB": f"W = {m.window}", "WGP-UCB": f"γ = {m.discount:.3g}",
                  "TV-GP-UCB": f"ε = {m.epsilon:.3g}"}  # fmt: skip
    found = [
        {"method": n, "regret per round, median": float(np.median(e)), "smallest": float(e.min()),
         "largest": float(e.max()), "seeds": len(e), "memory": remembered.get(n, "–")}
        for n, e in ends.items()
    ]  # fmt: skip
    arm, loss = shown.fixed
    level, name = float(loss.mean()), f"best fixed arm ({shown.problem.arm_names[arm]})"
    found.append({"method": name, "regret per round, median": level, "smallest": level, "largest": level,
                  "seeds": shown.setting.seeds, "memory": "–"})  # fmt: skip
    return sorted(found, key=lambda r: r["regret per round, median"])
