"""How fast are the bandits? `python -m benchmarks.race` prints the table; one BLAS thread, all in one run."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from typing import Any

import numpy as np

from benchmarks import peers
from benchmarks.rows import Row, show
from tvbo_core.data import data_problem, load, training_problem, trial
from tvbo_core.designs import play_rng
from tvbo_core.fast.index_policies import play_together
from tvbo_core.kernels import Kernel, Matern, SquaredExponential
from tvbo_core.policies import BY_NAME, GPUCB, SWGPUCB, TVGPUCB, WGPUCB
from tvbo_core.policies.elimination.policy import RPERP
from tvbo_core.race import play, race
from tvbo_core.records import Policy, Problem, World
from tvbo_core.threads import one_thread
from tvbo_core.worlds import make_problem

SEED = 0
EPSILON, DISCOUNT, WINDOWS = 0.02, 0.98, (50, 100, 200)
# Every policy that is quick enough for long races, each with a memory of 50 rounds.
QUICK = {name: entry.make(50) for name, entry in BY_NAME.items() if entry.max_horizon is None}


def fastest(run: Callable[[], Any], repeats: int) -> float:
    """Seconds of the fastest of several calls: other work on the machine only ever adds."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return min(times)


def jumping(horizon: int, arms: int = 100) -> Problem:
    return make_problem(World(kind="jumps", horizon=horizon, arms=arms))


def against_a_peer(what: str, policy: Policy, horizon: int, peer: Callable, target: float) -> Row:
    """One play against a peer in the same problem with the same noise; they must pull the same arms."""
    problem = jumping(horizon)
    xi = peers.noise(problem, SEED)
    ours = theirs = np.inf
    for _ in range(2):  # in turns, so that other work on the machine slows both
        start = time.perf_counter()
        pulled = peer(problem, xi, problem.noise_sd**2)
        theirs = min(theirs, time.perf_counter() - start)
        ours = min(ours, fastest(lambda: play(problem, policy, play_rng(SEED)), 8))
    same = np.array_equal(pulled, play(problem, policy, play_rng(SEED)).arms)
    what, note = f"{what}, T = {horizon}, 100 arms", "the same arms" if same else "OTHER ARMS"
    return what, f"{1e3 * ours:.1f} ms", f"{theirs:.2f} s, {note}", ratio(theirs, ours), f">= {target:.0f}x"


def ratio(slow: float, fast: float) -> str:
    return f"{slow / fast:.0f}x" if slow > 10 * fast else f"{slow / fast:.2f}x"


def against_libraries() -> list[Row]:
    """The peers that are installed; the others are named."""
    rows = []
    for module, what, peer, target in (
        ("sklearn", "GP-UCB against scikit-learn refitted", peers.scikit_learn, 100),
        ("botorch", "GP-UCB against BoTorch conditioned", peers.botorch, 300),
    ):
        if find_spec(module):
            rows.append(against_a_peer(what, GPUCB(width=peers.WIDTH), 300, peer, target))
        else:
            rows.append((what, "", f"skipped: {module} is not installed", "", f">= {target}x"))
    return rows


def against_the_formulas() -> list[Row]:
    """TV, WGP and SW against their papers' formulas, which get the Gram matrix of the arms for nothing."""
    width = {"width": peers.WIDTH}
    entries = [
        ("TV-GP-UCB", TVGPUCB(epsilon=EPSILON, **width), partial(peers.time_varying, EPSILON)),
        ("WGP-UCB", WGPUCB(discount=DISCOUNT, **width), partial(peers.weighted, DISCOUNT)),
        *((f"SW-GP-UCB, W = {W}", SWGPUCB(window=W, **width), partial(peers.windowed, W)) for W in WINDOWS),
    ]
    return [
        against_a_peer(f"{name}, dense formula", policy, 500, partial(by_formula, formula), 20)
        for name, policy, formula in entries
    ]


def by_formula(formula: Callable, problem: Problem, xi: np.ndarray, ridge: float) -> np.ndarray:
    return peers.dense(problem, xi, formula(ridge))


def against_bare_products() -> list[Row]:
    problem = make_problem(World(kind="jumps", horizon=2000, arms=900, dimension=2))
    policy = GPUCB(width=peers.WIDTH)
    with one_thread():
        ours = fastest(lambda: play(problem, policy, play_rng(SEED)), 3)
        arms = play(problem, policy, play_rng(SEED)).arms
        floors = {
            "a row an observation": peers.bare_products(arms, 900, distinct=False),
            f"a row an arm seen ({len(set(arms.tolist()))})": peers.bare_products(arms, 900, distinct=True),
        }
        floors = {what: fastest(products, 3) for what, products in floors.items()}
    return [
        (
            f"GP-UCB against bare products, {what}, T = 2000, 900 arms",
            f"{ours:.2f} s", f"{floor:.2f} s", ratio(ours, floor), target,
        )
        for (what, floor), target in zip(floors.items(), ("<= 2x", "(a bound)"), strict=True)
    ]  # fmt: skip


@dataclass(frozen=True)
class RoundRobin:
    """Lets a policy think, and then pulls the arms in turn: after m rounds every arm has been seen."""

    policy: Any

    def init(self, known: Any) -> Any:
        return self.policy.init(known), known.x.shape[-2]

    def select(self, state: Any, t: int, rng: np.random.Generator) -> int:
        self.policy.select(state[0], t, rng)
        return t % state[1]

    def update(self, state: Any, t: int, arm: int, y: float) -> Any:
        return self.policy.update(state[0], t, arm, y), state[1]


def cost_of_a_round() -> list[Row]:
    """Median microseconds of a round near t = 100, 1000 and 5000, once all 100 arms have been seen."""
    problem, rows = jumping(5100), []
    for name in ("GP-UCB", "SW-GP-UCB", "WGP-UCB", "TV-GP-UCB"):
        plays = [play(problem, RoundRobin(QUICK[name]), play_rng(SEED)).seconds for _ in range(3)]
        early, middle, late = (
            min(float(np.median(seconds[t : t + 100])) for seconds in plays) for t in (100, 1000, 5000)
        )
        times = " / ".join(f"{1e6 * s:.0f}" for s in (early, middle, late))
        rows.append((f"{name}, a round at t = 100 / 1000 / 5000", f"{times} us", "", ratio(late, early), "<= 1.2x"))
    return rows


def papers_problem(kernel: Kernel) -> Problem:
    """Iwazaki & Takeno, sec. 6: 30 x 30 grid, T = 5000, other functions after T/5 and 2T/5."""
    rng, side = np.random.default_rng(SEED), np.linspace(0, 1, 30)
    x = np.stack(np.meshgrid(side, side), axis=-1).reshape(-1, 2)
    pieces = [kernel(x, rng.uniform(size=(10, 2))) @ rng.uniform(-1, 1, 10) for _ in range(3)]
    f = np.stack(pieces)[np.searchsorted([1000, 2000], np.arange(5000), side="right")]
    return Problem(x=x, f=f, noise_sd=0.1, kernel=kernel, norm_bound=3.0)


def restarting_elimination() -> list[Row]:
    rows = []
    for label, kernel in (("SE", SquaredExponential(0.5)), ("Matern 5/2", Matern(2.5, 0.5))):
        problem = papers_problem(kernel)
        for width in (2.0, "theory"):
            policy = RPERP(width=width)
            ours = fastest(lambda problem=problem, policy=policy: play(problem, policy, play_rng(SEED)), 2)
            rows.append((f"R-PERP, T = 5000, 30 x 30 grid, {label}, width {width}", f"{ours:.2f} s", "", "", "< 3 s"))
    return rows


def in_lockstep() -> list[Row]:
    """What page 8 plays for a new setting (processor time): in lockstep, and one run after the other."""
    rows = []
    for name, target in (("stocks", 8), ("sensors", 3)):
        table = load(name)
        tuned = [trial.Memories.of(m).policy(method) for method in trial.NAMES[2:5] for m in trial.LENGTHS]
        tried = [TVGPUCB(epsilon=e, width=trial.WIDTH) for e in trial.EPSILONS]
        first = [(policy, seed) for policy in tuned for seed in range(trial.TUNING_SEEDS)]
        second = [(trial.Memories.of(20).policy(method), seed) for method in trial.NAMES[1:] for seed in range(8)]
        second += [(policy, seed) for policy in tried for seed in range(4)]
        tasks = (
            (trial.latest(training_problem(table), trial.TUNING_ROUNDS), first),
            (data_problem(table, 10_000), second),
        )
        used = [time.process_time()]
        together = [h.arms for problem, runs in tasks for h in play_together(problem, runs)]
        used.append(time.process_time())
        alone = [play(problem, policy, play_rng(seed)).arms for problem, runs in tasks for policy, seed in runs]
        used.append(time.process_time())
        ours, theirs = np.diff(used)
        note = "the same arms" if all(map(np.array_equal, together, alone)) else "OTHER ARMS"
        what = f"{len(alone)} runs in lockstep, {name}, {table.rewards.shape[1]} arms"
        rows.append((what, f"{ours:.2f} s", f"{theirs:.2f} s one by one, {note}", ratio(theirs, ours), f">= {target}x"))
    return rows


def default_race() -> list[Row]:
    """Ten methods, eight seeds, T = 300: in this process, then on two, asleep and once they are awake."""
    from joblib.externals.loky import get_reusable_executor

    rows, target = [], "< 4 s, first < 0.5 s"
    for kinds in (("jumps",), ("still", "jumps")):
        worlds = [World(kind=kind, horizon=300) for kind in kinds]
        what = f"race of {len(QUICK)}, 8 seeds, T = 300, {len(kinds)} world{'s' * (len(kinds) - 1)}"
        used = time.process_time()
        total, first, _ = arrivals(worlds, 1)
        note = f"first curve {1e3 * first:.0f} ms, CPU {time.process_time() - used:.2f} s"
        rows.append((f"{what}, one process", f"{total:.2f} s", note, "", ""))
        get_reusable_executor().shutdown(wait=True)
        for state in ("asleep", "awake"):
            total, first, tenth = arrivals(worlds, 2)
            note = f"first curve {1e3 * first:.0f} ms, tenth {tenth:.2f} s"
            rows.append((f"{what}, two processes {state}", f"{total:.2f} s", note, "", target))
    return rows


def arrivals(worlds: list[World], n_jobs: int) -> tuple[float, float, float]:
    """Seconds until the whole race, its first curve and its tenth."""
    arrived: list[float] = []
    start = time.perf_counter()
    race(worlds, QUICK, range(8), n_jobs, progress=lambda run: arrived.append(time.perf_counter() - start))
    return time.perf_counter() - start, arrived[0], arrived[9]


def table() -> list[Row]:
    rows: list[Row] = [("what", "time", "the other way", "ratio", "target")]
    rows += default_race()  # first: a worker must not inherit what the other parts import
    with one_thread():
        rows += against_libraries()
        rows += against_bare_products()
        rows += against_the_formulas()
        rows += in_lockstep()
        rows += cost_of_a_round()
        rows += restarting_elimination()
    return rows


if __name__ == "__main__":
    show(table())
