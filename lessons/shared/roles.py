"""What methods do with old answers: the roles whose colours figures.theme has."""

from __future__ import annotations

ROLES = {
    "keeps": ("GP-UCB", "KernelUCB", "Kernel DMM-UCB", "Kernel AMM-UCB", "AY-GP-UCB", "IGP-UCB"),
    "forgets": ("R-GP-UCB", "SW-GP-UCB", "WGP-UCB", "TV-GP-UCB", "UI-GP-UCB"),
    "asks": ("SparQ", "W-SparQ"),
    "shuffles": ("PE", "R-PERP"),
}


def in_role(name: str) -> str:
    """Return a method's name in the colour of its role (HTML), bold where it has none."""
    role = next((role for role, names in ROLES.items() if name in names), "")
    return f'<span class="{role}">{name}</span>' if role else f"<b>{name}</b>"
