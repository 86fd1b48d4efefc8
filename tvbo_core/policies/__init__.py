"""Bandit policies, each a frozen value with `init`, `select` and `update` (see `records.Policy`)."""

from tvbo_core.policies.elimination.policy import PE, RPERP
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

__all__ = [
    "ADAOPKB", "GPUCB", "OPKB", "PE", "RGPUCB", "RPERP", "SWGPUCB", "TVGPUCB", "UIGPUCB", "WGPUCB", "IndexPolicy",
    "KernelUCB", "Learner", "Random", "SparQ", "WSparQ",
]  # fmt: skip
