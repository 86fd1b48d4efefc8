"""How fast are the bandits? `python -m benchmarks.race [--quick]` prints the table; one BLAS thread."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from typing import Any

import numpy as np

from benchmarks import peers
from benchmarks.rows import Row, asked_quick, show
from tvbo_core import trial
from tvbo_core.designs import play_rng
from tvbo_core.fast.index_policies import play_together, takes
from tvbo_core.kernels import Kernel, Matern, SquaredExponential
from tvbo_core.play import play
from tvbo_core.policies import ALL, GPUCB, SWGPUCB, TVGPUCB, WGPUCB
from tvbo_core.policies.elimination.policy import RPERP
from tvbo_core.race import race
from tvbo_core.records import Policy, Problem, World
from tvbo_core.threads import one_thread
from tvbo_core.worlds import make_problem
from tvbo_core.worlds.tables import data_problem, load, training_problem

SEED = 0
EPSILON, DISCOUNT, WINDOWS = 0.02, 0.98, (50, 100, 200)
# Those in the race before the reader chooses, each with a memory of 50 rounds.
RACING = {entry.name: entry.make(50) for entry in ALL.values() if entry.default}
HEAD = ("what", "time", "the other way", "ratio", "target")
COLUMNS = (64, 20, 36, 6, 22)


@dataclass(frozen=True)
class Size:
    """How much is measured.

    Attributes:
        race: rounds of a race, and its seeds.   peers, formulas: rounds against libraries, and against formulas.
        products: rounds and arms against bare products.   times: rounds near which a round is timed.
        papers: rounds of R-PERP, and points a side of its grid.
        second: rounds of a table's second part in lockstep, at most.   seeds: of each method there, at most.
        repeats: of each timing, at most.
    """

    race: tuple[int, int] = (300, 8)
    peers: int = 300
    formulas: int = 500
    products: tuple[int, int] = (2000, 900)
    times: tuple[int, int, int] = (100, 1000, 5000)
    papers: tuple[int, int] = (5000, 30)
    second: int = 10_000
    seeds: int = 8
    repeats: int = 8


QUICK = Size((20, 2), 20, 20, (20, 25), (5, 10, 20), (50, 4), 30, 1, 1)


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


def against_a_peer(what: str, policy: Policy, horizon: int, peer: Callable, target: float, repeats: int) -> Row:
    """One play against a peer in the same problem with the same noise; they must pull the same arms."""
    problem = jumping(horizon)
    xi = peers.noise(problem, SEED)
    ours = theirs = np.inf
    for _ in range(min(repeats, 2)):  # in turns, so that other work on the machine slows both
        start = time.perf_counter()
        pulled = peer(problem, xi, problem.noise_sd**2)
        theirs = min(theirs, time.perf_counter() - start)
        ours = min(ours, fastest(lambda: play(problem, policy, play_rng(SEED)), repeats))
    same = np.array_equal(pulled, play(problem, policy, play_rng(SEED)).arms)
    what, note = f"{what}, T = {horizon}, 100 arms", "the same arms" if same else "OTHER ARMS"
    return what, f"{1e3 * ours:.1f} ms", f"{theirs:.2f} s, {note}", ratio(theirs, ours), f">= {target:.0f}x"


def ratio(slow: float, fast: float) -> str:
    return f"{slow / fast:.0f}x" if slow > 10 * fast else f"{slow / fast:.2f}x"


def against_libraries(size: Size) -> Iterator[Row]:
    """The peers that are installed; the others are named."""
    for module, what, peer, target in (
        ("sklearn", "GP-UCB against scikit-learn refitted", peers.scikit_learn, 100),
        ("botorch", "GP-UCB against BoTorch conditioned", peers.botorch, 300),
    ):
        if find_spec(module):
            yield against_a_peer(what, GPUCB(width=peers.WIDTH), size.peers, peer, target, size.repeats)
        else:
            yield what, "", f"skipped: {module} is not installed", "", f">= {target}x"


def against_the_formulas(size: Size) -> Iterator[Row]:
    """TV, WGP and SW against their papers' formulas, which get the Gram matrix of the arms for nothing."""
    width = {"width": peers.WIDTH}
    entries = [
        ("TV-GP-UCB", TVGPUCB(epsilon=EPSILON, **width), partial(peers.time_varying, EPSILON)),
        ("WGP-UCB", WGPUCB(discount=DISCOUNT, **width), partial(peers.weighted, DISCOUNT)),
        *((f"SW-GP-UCB, W = {W}", SWGPUCB(window=W, **width), partial(peers.windowed, W)) for W in WINDOWS),
    ]
    for name, policy, formula in entries:
        peer = partial(by_formula, formula)
        yield against_a_peer(f"{name}, dense formula", policy, size.formulas, peer, 20, size.repeats)


def by_formula(formula: Callable, problem: Problem, xi: np.ndarray, ridge: float) -> np.ndarray:
    return peers.dense(problem, xi, formula(ridge))


def against_bare_products(size: Size) -> Iterator[Row]:
    """GP-UCB against the matrix-vector products that it cannot do without."""
    T, m = size.products
    problem = make_problem(World(kind="jumps", horizon=T, arms=m, dimension=2))
    policy, repeats = GPUCB(width=peers.WIDTH), min(size.repeats, 3)
    ours = fastest(lambda: play(problem, policy, play_rng(SEED)), repeats)
    arms = play(problem, policy, play_rng(SEED)).arms
    for what, distinct, target in (
        ("a row an observation", False, "<= 2x"),
        (f"a row an arm seen ({len(set(arms.tolist()))})", True, "(a bound)"),
    ):
        floor = fastest(peers.bare_products(arms, m, distinct), repeats)
        what = f"GP-UCB, T = {T}, {m} arms, bare products, {what}"
        yield what, f"{ours:.2f} s", f"{floor:.2f} s", ratio(ours, floor), target


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


def cost_of_a_round(size: Size) -> Iterator[Row]:
    """Median microseconds of a round near three times, once all 100 arms have been seen."""
    width = min(size.times[0], 100)
    problem = jumping(size.times[-1] + width)
    for name in ("GP-UCB", "SW-GP-UCB", "WGP-UCB", "TV-GP-UCB"):
        robin = RoundRobin(RACING[name])
        plays = [play(problem, robin, play_rng(SEED)).seconds for _ in range(min(size.repeats, 3))]
        found = [min(float(np.median(seconds[t : t + width])) for seconds in plays) for t in size.times]
        times = " / ".join(f"{1e6 * s:.0f}" for s in found)
        what = f"{name}, a round at t = {' / '.join(map(str, size.times))}"
        yield what, f"{times} us", "", ratio(found[-1], found[0]), "<= 1.2x"


def papers_problem(kernel: Kernel, T: int, side_points: int) -> Problem:
    """Iwazaki & Takeno, sec. 6 (T = 5000, a 30 x 30 grid): other functions after T/5 and 2T/5."""
    rng, side = np.random.default_rng(SEED), np.linspace(0, 1, side_points)
    x = np.stack(np.meshgrid(side, side), axis=-1).reshape(-1, 2)
    pieces = [kernel(x, rng.uniform(size=(10, 2))) @ rng.uniform(-1, 1, 10) for _ in range(3)]
    f = np.stack(pieces)[np.searchsorted([T // 5, 2 * T // 5], np.arange(T), side="right")]
    return Problem(x=x, f=f, noise_sd=0.1, kernel=kernel, norm_bound=3.0)


def restarting_elimination(size: Size) -> Iterator[Row]:
    T, points = size.papers
    for label, kernel in (("SE", SquaredExponential(0.5)), ("Matern 5/2", Matern(2.5, 0.5))):
        problem = papers_problem(kernel, T, points)
        for width in (2.0, "theory"):
            run = partial(play, problem, RPERP(width=width))
            ours = fastest(lambda run=run: run(play_rng(SEED)), min(size.repeats, 2))
            what = f"R-PERP, T = {T}, {points} x {points} grid, {label}, width {width}"
            yield what, f"{ours:.2f} s", "", "", "< 3 s"


def in_lockstep(size: Size) -> Iterator[Row]:
    """What page 8 plays for a new setting and can play in lockstep (processor time), and one run after the other."""
    for name, target in (("stocks", 8), ("sensors", 3)):
        table = load(name)
        tuned = [trial.Memories.of(m).policy(method) for method in trial.NAMES[2:5] for m in trial.LENGTHS]
        tried = [TVGPUCB(epsilon=e, width=trial.WIDTH) for e in trial.EPSILONS]
        first = [(policy, seed) for policy in tuned for seed in range(min(size.seeds, trial.TUNING_SEEDS))]
        second = [(trial.Memories.of(20).policy(method), s) for method in trial.NAMES[1:] for s in range(size.seeds)]
        second += [(policy, seed) for policy in tried for seed in range(min(size.seeds, 4))]
        problems = (
            trial.latest(training_problem(table), min(size.second, trial.TUNING_ROUNDS)),
            trial.latest(data_problem(table, 10_000), size.second),
        )
        tasks = [
            (problem, [(policy, seed) for policy, seed in runs if takes(problem, policy)])
            for problem, runs in zip(problems, (first, second), strict=True)
        ]
        used = [time.process_time()]
        together = [h.arms for problem, runs in tasks for h in play_together(problem, runs)]
        used.append(time.process_time())
        alone = [play(problem, policy, play_rng(seed)).arms for problem, runs in tasks for policy, seed in runs]
        used.append(time.process_time())
        ours, theirs = np.diff(used)
        note = "the same arms" if all(map(np.array_equal, together, alone)) else "OTHER ARMS"
        what = f"{len(alone)} runs in lockstep, {name}, {table.rewards.shape[1]} arms"
        yield what, f"{ours:.2f} s", f"{theirs:.2f} s one by one, {note}", ratio(theirs, ours), f">= {target}x"


def default_race(size: Size) -> Iterator[Row]:
    """The race of the opening: in this process, then on two, asleep and once they are awake."""
    from joblib.externals.loky import get_reusable_executor

    T, seeds = size.race
    target = "< 4 s, first < 0.5 s"
    for kinds in (("jumps",), ("still", "jumps")):
        worlds = [World(kind=kind, horizon=T) for kind in kinds]
        what = f"race of {len(RACING)}, {seeds} seeds, T = {T}, {len(kinds)} world{'s' * (len(kinds) - 1)}"
        used = time.process_time()
        total, first, _ = arrivals(worlds, seeds, 1)
        note = f"first curve {1e3 * first:.0f} ms, CPU {time.process_time() - used:.2f} s"
        yield f"{what}, one process", f"{total:.2f} s", note, "", ""
        get_reusable_executor().shutdown(wait=True)
        for state in ("asleep", "awake"):
            total, first, tenth = arrivals(worlds, seeds, 2)
            note = f"first curve {1e3 * first:.0f} ms, tenth {tenth:.2f} s"
            yield f"{what}, two processes {state}", f"{total:.2f} s", note, "", target


def arrivals(worlds: list[World], seeds: int, n_jobs: int) -> tuple[float, float, float]:
    """Seconds until the whole race, its first curve and its tenth."""
    arrived: list[float] = []
    start = time.perf_counter()
    race(worlds, RACING, range(seeds), n_jobs, progress=lambda run: arrived.append(time.perf_counter() - start))
    return time.perf_counter() - start, arrived[0], arrived[9]


def rows(size: Size) -> Iterator[Row]:
    """The table, row by row."""
    yield HEAD
    yield from default_race(size)  # first: a worker must not inherit what the other parts import
    with one_thread():
        yield from against_libraries(size)
        yield from against_bare_products(size)
        yield from against_the_formulas(size)
        yield from in_lockstep(size)
        yield from cost_of_a_round(size)
        yield from restarting_elimination(size)


if __name__ == "__main__":
    show(rows(QUICK if asked_quick(__doc__) else Size()), COLUMNS)
