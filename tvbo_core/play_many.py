"""Many runs of policies on one problem: side by side where `fast` is there and can, else one after the other."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec

from tvbo_core.designs import play_rng
from tvbo_core.play import play
from tvbo_core.records import History, Policy, Problem

# The only door to tvbo_core/fast: without that folder every run is played by `tv.play`.
HAS_FAST = find_spec("tvbo_core.fast") is not None

# Milliseconds of a run of 500 rounds of an index policy, with next to no arms: with others at its side, and alone.
TOGETHER_MS, ALONE_MS = 2.0, 20.0


def side_by_side(problem: Problem, policy: Policy) -> bool:
    """Return True where many runs of this policy go side by side, at a fraction of the cost of single ones."""
    if not HAS_FAST:
        return False
    from tvbo_core.fast.index_policies import takes

    return takes(problem, policy)


def most_arms_side_by_side() -> int:
    """Return the number of arms up to which index policies go side by side (0 without `fast`)."""
    if not HAS_FAST:
        return 0
    from tvbo_core.fast.index_policies import MAX_ARMS

    return MAX_ARMS


def seconds(runs: int, rounds: int, arms: int) -> float:
    """Return about how many seconds so many runs of index policies take on one core, side by side where they can."""
    ms = TOGETHER_MS * (1 + arms / 12) if arms <= most_arms_side_by_side() else ALONE_MS * (1 + arms / 150)
    return 1e-3 * runs * ms * (rounds / 500) ** 1.15


def play_many(problem: Problem, runs: Sequence[tuple[Policy, int]]) -> list[History]:
    """Return the history that `play(problem, policy, play_rng(seed))` makes for each of these (policy, seed)."""
    fast = {policy for policy in {policy for policy, _ in runs} if side_by_side(problem, policy)}
    together: list[History] = []
    if fast:
        from tvbo_core.fast.index_policies import play_together

        together = play_together(problem, [(policy, seed) for policy, seed in runs if policy in fast])
    ready = iter(together)
    return [next(ready) if policy in fast else play(problem, policy, play_rng(seed)) for policy, seed in runs]
