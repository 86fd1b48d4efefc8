"""The theorems whose powers are drawn, by their measure of drift: both stories read them."""

from __future__ import annotations

from tvbo_core.theory import Theorem, for_kernel

# measure -> (label, stem of the record, method whose colour it has; "floor" is ink)
POWER_LAWS = {
    "budget": (
        ("lower bound", "iwazaki-1", "floor"),
        ("R-, SW-, WGP-UCB", "zhou-r", "R-GP-UCB"),
        ("ADA-OPKB", "hong-ada", "OPKB"),
        ("R-PERP", "iwazaki-5", "R-PERP"),
        ("restarted OPKB", "iwazaki-3", "OPKB"),
    ),
    "alpha": (
        ("lower bound, no side queries", "mauduit-2.6", "floor"),
        ("UI-GP-UCB, no side queries", "mauduit-2.2", "GP-UCB"),
        ("W-SparQ", "mauduit-3.10", "W-SparQ"),
        ("SparQ", "mauduit-3.3", "SparQ"),
    ),
}
# Below a drift of T^(-nu/(2 nu + d)) the static world's rate is the larger one: these join it there.
JOINING_LAWS = ("iwazaki-1", "iwazaki-5", "hong-ada", "iwazaki-3")
# Budget of an upper bound -> stem of the lower bound about the same drift.
FLOORS = {
    "V_T": "iwazaki-1",
    "B_T": "block-rkhs",
    "epsilon": "bogunovic-4.1",
    "alpha": "mauduit-2.6",
    "none": "scarlett",
}


def stated(stem: str, nu: float) -> Theorem | None:
    """Return the record of a stem for this smoothness; None where the papers have none."""
    try:
        return for_kernel(stem, nu)
    except ValueError:
        return None
