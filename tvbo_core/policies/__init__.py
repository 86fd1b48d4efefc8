"""Bandit policies, each a frozen value with `init`, `select` and `update` (see `records.Policy`).

`ALL` lists every policy by a short key. A new policy is a frozen class in a file of its own and one line here, at the
end: keys and their order stay.
"""

from functools import lru_cache
from typing import Any

from tvbo_core.policies.elimination.policy import PE, RPERP
from tvbo_core.policies.empty_set import ETCMMUCB
from tvbo_core.policies.entry import FIXED_ARMS, SIDE_QUERIES, PolicyEntry
from tvbo_core.policies.event_triggered import ETGPUCB
from tvbo_core.policies.index import (
    GPUCB,
    RGPUCB,
    SWGPUCB,
    TVGPUCB,
    UIGPUCB,
    WGPUCB,
    IndexPolicy,
    IndexState,
    Random,
)
from tvbo_core.policies.kernel_ucb import KernelUCB
from tvbo_core.policies.learned import LearnedTVGPUCB
from tvbo_core.policies.opkb.policy import ADAOPKB, OPKB
from tvbo_core.policies.side_queries.policy import SparQ, WSparQ
from tvbo_core.policies.stale import WDBO
from tvbo_core.policies.thompson import ThompsonSampling
from tvbo_core.policies.tuning import PAPER
from tvbo_core.records import Policy

_ASKS = (FIXED_ARMS, SIDE_QUERIES)
AS_HEARD = ("scale", 1.0)  # the authors' code divides rewards by nothing


def _kernel_ucb(key: str, name: str, band: str, ms: float) -> PolicyEntry:
    """Return the line of KernelUCB with one of the bands."""
    title, does = f"KernelUCB with the {band} band", "keeps every observation"
    return PolicyEntry(KernelUCB, key, name, title, ms, does, takes_width=False, fixed=(("band", band),))


def _opkb(policy: type, key: str, name: str, title: str, ms: float, does: str, *fixed: tuple[str, Any]) -> PolicyEntry:
    """Return the line of a relative of OPKB."""
    return PolicyEntry(policy, key, name, title, ms, does, takes_width=False, needs=(FIXED_ARMS,), fixed=fixed)


def _thompson(key: str, name: str, forgets: str, by: str, ms: float, does: str) -> PolicyEntry:
    """Return the line of Thompson sampling with one way to forget."""
    title, fixed = f"Thompson sampling with {by}", (("forgets", forgets),)
    return PolicyEntry(ThompsonSampling, key, name, title, ms, does, forgets, fixed=fixed)


ALL: dict[str, PolicyEntry] = {
    entry.key: entry
    for entry in (
        PolicyEntry(Random, "rnd", "Random", "Uniform choice", 0.5, "queries at random", takes_width=False),
        PolicyEntry(GPUCB, "gp", "GP-UCB", "GP-UCB (Srinivas et al., 2010)", 2.5, "keeps every observation"),
        PolicyEntry(RGPUCB, "r", "R-GP-UCB", "GP-UCB with restarts", 2.5, "restarts at times", "restart"),
        PolicyEntry(SWGPUCB, "sw", "SW-GP-UCB", "GP-UCB with a sliding window", 4,
                    "keeps recent observations", "window"),
        PolicyEntry(WGPUCB, "wgp", "WGP-UCB", "Weighted GP-UCB", 7, "lets old observations fade", "discount"),
        PolicyEntry(TVGPUCB, "tv", "TV-GP-UCB", "Time-varying GP-UCB", 3.6, "assumes a slow drift", "epsilon"),
        PolicyEntry(PE, "pe", "PE", "Phased elimination", 2.2, "rules places out", needs=(FIXED_ARMS,)),
        PolicyEntry(RPERP, "rperp", "R-PERP", "Restarting phased elimination with random permutation", 2.8,
                    "rules out, restarts", "restart", needs=(FIXED_ARMS,)),
        PolicyEntry(OPKB, "opkb", "OPKB", "Optimisation-based kernel bandit", 11, "queries in batches",
                    takes_width=False, needs=(FIXED_ARMS,), max_arms=50, max_horizon=100),
        PolicyEntry(SparQ, "sparq", "SparQ", "SparQ-GP-UCB", 30, "queries old points again", needs=_ASKS),
        PolicyEntry(WSparQ, "wsparq", "W-SparQ", "Windowed SparQ-GP-UCB", 20,
                    "as SparQ, at window starts", needs=_ASKS),
        PolicyEntry(KernelUCB, "kucb", "KernelUCB", "KernelUCB with the CMM band (Flynn & Reeb)", 250,
                    "keeps every observation", takes_width=False),
        PolicyEntry(UIGPUCB, "ui", "UI-GP-UCB", "GP-UCB with uncertainty injection, α = 1", 7,
                    "gives old observations more noise"),
        _kernel_ucb("kdmm", "Kernel DMM-UCB", "DMM", 22),
        _kernel_ucb("kamm", "Kernel AMM-UCB", "AMM", 5),
        _kernel_ucb("kay", "AY-GP-UCB", "AY", 5),
        _kernel_ucb("kigp", "IGP-UCB", "IGP", 5),
        _opkb(OPKB, "ropkb", "R-OPKB", "OPKB with restarts (Iwazaki & Takeno, Theorem 3)", 16, "restarts at times",
              ("restart", PAPER)),
        _opkb(OPKB, "ropkb1", "R-OPKB, y/1", "R-OPKB on rewards as they come", 16, "restarts at times",
              ("restart", PAPER), AS_HEARD),
        _opkb(ADAOPKB, "ada", "ADA-OPKB", "OPKB that finds out when to start over", 17, "restarts after a change"),
        _opkb(ADAOPKB, "ada1", "ADA-OPKB, y/1", "ADA-OPKB on rewards as they come", 24, "restarts after a change",
              AS_HEARD),
        PolicyEntry(ETGPUCB, "et", "ET-GP-UCB", "Event-triggered GP-UCB", 3.5, "restarts when contradicted"),
        PolicyEntry(ETCMMUCB, "etcmm", "ET-CMM-UCB", "Event-triggered Kernel CMM-UCB", 550,
                    "restarts when no function fits", takes_width=False),
        PolicyEntry(LearnedTVGPUCB, "ltv", "Learned TV-GP-UCB", "TV-GP-UCB that learns its ε", 42,
                    "learns how fast to forget"),
        _thompson("wts", "W-TS", "discount", "a discount", 28, "draws at random, lets old observations fade"),
        _thompson("swts", "SW-TS", "window", "a sliding window", 26, "draws at random, keeps recent observations"),
        PolicyEntry(WDBO, "wdbo", "W-DBO (adapted)", "TV-GP-UCB that removes stale observations", 10,
                    "removes what no longer matters"),
    )
}  # fmt: skip
BY_NAME: dict[str, PolicyEntry] = {entry.name: entry for entry in ALL.values()}
"""Lines of `ALL` by their names: `BY_NAME["SW-GP-UCB"].make()` is a policy."""


def enlist(entry: PolicyEntry) -> None:
    """Put a further line at the end of the lists."""
    ALL[entry.key] = BY_NAME[entry.name] = entry


@lru_cache(maxsize=4096)
def entry_of(policy: Policy) -> PolicyEntry:
    """Return the line of the list that a policy belongs to: of its class, and with the most of what a line fixes.

    Raises:
        LookupError: no line is of its class.
    """
    fits = [
        entry
        for entry in ALL.values()
        if entry.policy is type(policy) and all(getattr(policy, field) == value for field, value in entry.fixed)
    ]
    if not fits:
        raise LookupError(f"{type(policy).__name__} is on no line of tvbo_core/policies/__init__.py: add one")
    return max(fits, key=lambda entry: len(entry.fixed))


__all__ = [
    "ADAOPKB", "ALL", "BY_NAME", "ETCMMUCB", "ETGPUCB", "FIXED_ARMS", "GPUCB", "OPKB", "PE", "RGPUCB", "RPERP",
    "SIDE_QUERIES", "SWGPUCB", "TVGPUCB", "UIGPUCB", "WDBO", "WGPUCB", "IndexPolicy", "IndexState", "KernelUCB",
    "LearnedTVGPUCB", "PolicyEntry", "Random", "SparQ", "ThompsonSampling", "WSparQ", "enlist", "entry_of",
]  # fmt: skip
