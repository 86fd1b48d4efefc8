"""Bandit policies, each a frozen value with `init`, `select` and `update` (see `records.Policy`).

`ALL` lists every policy that the pages race by its word in links, in the order of the pages. A new policy is a
frozen class in a file of its own and one line here.
"""

from typing import Any

from tvbo_core.policies.elimination.policy import PE, RPERP
from tvbo_core.policies.entry import FIXED_ARMS, SIDE_QUERIES, Lengths, PolicyEntry
from tvbo_core.policies.index import (
    GPUCB,
    RGPUCB,
    SWGPUCB,
    TVGPUCB,
    UIGPUCB,
    WGPUCB,
    IndexPolicy,
    Learner,
    Random,
)
from tvbo_core.policies.kernel_ucb import KernelUCB
from tvbo_core.policies.opkb.policy import ADAOPKB, OPKB
from tvbo_core.policies.side_queries.policy import SparQ, WSparQ
from tvbo_core.policies.tuning import PAPER

_ASKS = (FIXED_ARMS, SIDE_QUERIES)
AS_HEARD = ("scale", 1.0)  # the authors' code divides rewards by nothing


def _kernel_ucb(word: str, name: str, band: str, ms: float) -> PolicyEntry:
    """Return the line of KernelUCB with one of the bands."""
    return PolicyEntry(KernelUCB, word, name, f"KernelUCB with the {band} band", ms, takes_width=False, default=False,
                       fixed=(("band", band),))  # fmt: skip


def _opkb(policy: type, word: str, name: str, title: str, *fixed: tuple[str, Any]) -> PolicyEntry:
    """Return the line of a relative of OPKB that the opening leaves out."""
    return PolicyEntry(policy, word, name, title, 40, takes_width=False, needs=(FIXED_ARMS,), on_tables=False,
                       default=False, fixed=fixed)  # fmt: skip


ALL: dict[str, PolicyEntry] = {
    entry.word: entry
    for entry in (
        PolicyEntry(Random, "rnd", "Random", "Uniform choice", ms=1, takes_width=False),
        PolicyEntry(GPUCB, "gp", "GP-UCB", "GP-UCB (Srinivas et al., 2010)", ms=4),
        PolicyEntry(RGPUCB, "r", "R-GP-UCB", "GP-UCB with restarts", ms=4, memory="restart"),
        PolicyEntry(SWGPUCB, "sw", "SW-GP-UCB", "GP-UCB with a sliding window", ms=12, memory="window"),
        PolicyEntry(WGPUCB, "wgp", "WGP-UCB", "Weighted GP-UCB", ms=20, memory="discount"),
        PolicyEntry(TVGPUCB, "tv", "TV-GP-UCB", "Time-varying GP-UCB", ms=7, memory="epsilon"),
        PolicyEntry(PE, "pe", "PE", "Phased elimination", ms=8, needs=(FIXED_ARMS,)),
        PolicyEntry(
            RPERP,
            "rperp",
            "R-PERP",
            "Restarting phased elimination with random permutation",
            ms=9,
            memory="restart",
            needs=(FIXED_ARMS,),
        ),
        PolicyEntry(
            OPKB,
            "opkb",
            "OPKB",
            "Optimisation-based kernel bandit",
            ms=30,
            takes_width=False,
            needs=(FIXED_ARMS,),
            default=False,
            max_arms=50,
            max_horizon=100,
        ),
        PolicyEntry(SparQ, "sparq", "SparQ", "SparQ-GP-UCB", ms=220, needs=_ASKS, on_tables=False),
        PolicyEntry(WSparQ, "wsparq", "W-SparQ", "Windowed SparQ-GP-UCB", ms=160, needs=_ASKS, on_tables=False),
        PolicyEntry(
            KernelUCB,
            "kucb",
            "KernelUCB",
            "KernelUCB with the CMM band (Flynn & Reeb)",
            ms=370,
            takes_width=False,
            default=False,
        ),
        PolicyEntry(UIGPUCB, "ui", "UI-GP-UCB", "GP-UCB with uncertainty injection, α = 1", ms=11, default=False),
        _kernel_ucb("kdmm", "Kernel DMM-UCB", "DMM", 30),
        _kernel_ucb("kamm", "Kernel AMM-UCB", "AMM", 8),
        _kernel_ucb("kay", "AY-GP-UCB", "AY", 14),
        _kernel_ucb("kigp", "IGP-UCB", "IGP", 8),
        _opkb(OPKB, "ropkb", "R-OPKB", "OPKB with restarts (Iwazaki & Takeno, Theorem 3)", ("restart", PAPER)),
        _opkb(OPKB, "ropkb1", "R-OPKB, y/1", "R-OPKB on rewards as they come", ("restart", PAPER), AS_HEARD),
        _opkb(ADAOPKB, "ada", "ADA-OPKB", "OPKB that finds out when to start over"),
        _opkb(ADAOPKB, "ada1", "ADA-OPKB, y/1", "ADA-OPKB on rewards as they come", AS_HEARD),
    )
}
BY_NAME: dict[str, PolicyEntry] = {entry.name: entry for entry in ALL.values()}

__all__ = [
    "ADAOPKB", "ALL", "BY_NAME", "FIXED_ARMS", "GPUCB", "OPKB", "PE", "RGPUCB", "RPERP", "SIDE_QUERIES", "SWGPUCB",
    "TVGPUCB", "UIGPUCB", "WGPUCB", "IndexPolicy", "KernelUCB", "Learner", "Lengths", "PolicyEntry", "Random",
    "SparQ", "WSparQ",
]  # fmt: skip
