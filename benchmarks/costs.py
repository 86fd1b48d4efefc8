"""Cost of a run of each policy: `python -m benchmarks.costs [--quick]`.

Measures what `PolicyEntry.ms` says, from which the pages tell in advance how long their runs take: milliseconds of a
processor for 300 rounds with 100 arms of the jumps world, a memory of 50 rounds, one BLAS thread, the fastest of three.
A newcomer's line in tvbo_core/policies/__init__.py takes its number from here; a ratio beyond 2 asks for a new one.
"""

from __future__ import annotations

import time
from collections.abc import Iterator

from benchmarks.rows import Row, is_quick, show
from tvbo_core.designs import play_rng
from tvbo_core.play import play
from tvbo_core.policies import ALL
from tvbo_core.policies.entry import COSTED_ARMS, COSTED_ROUNDS
from tvbo_core.records import Policy, Problem, World
from tvbo_core.threads import one_thread
from tvbo_core.worlds import make_problem

TIMES, TINY_ROUNDS = 3, 10
WIDTHS = (8, 16, 11, 11, 6)


def milliseconds(policy: Policy, problem: Problem, times: int) -> float:
    """Return the milliseconds of a processor of the fastest of several plays: other work only ever adds."""
    took = []
    for _ in range(times):
        start = time.process_time()
        play(problem, policy, play_rng(0))
        took.append(1e3 * (time.process_time() - start))
    return min(took)


def rows(rounds: int, times: int) -> Iterator[Row]:
    """The table: a row a policy of the registry."""
    yield "word", "name", "registry", "measured", "ratio"
    problem = make_problem(World(kind="jumps", horizon=rounds, arms=COSTED_ARMS))
    with one_thread():
        for word, entry in ALL.items():
            ours = milliseconds(entry.make(50), problem, times)
            yield word, entry.name, f"{entry.ms:g} ms", f"{ours:.1f} ms", f"{ours / entry.ms:.2f}"


if __name__ == "__main__":
    show(rows(TINY_ROUNDS, 1) if is_quick(__doc__) else rows(COSTED_ROUNDS, TIMES), WIDTHS)
