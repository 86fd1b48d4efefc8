"""Roles of methods, by what they do with old answers; figures.theme has their colours."""

from __future__ import annotations

ROLES = {
    "keeps": ("GP-UCB", "KernelUCB", "Kernel DMM-UCB", "Kernel AMM-UCB", "AY-GP-UCB", "IGP-UCB"),
    "forgets": ("R-GP-UCB", "SW-GP-UCB", "WGP-UCB", "TV-GP-UCB", "UI-GP-UCB"),
    "asks": ("SparQ", "W-SparQ"),
    "shuffles": ("PE", "R-PERP"),
}


def role_of(name: str) -> str:
    """Return a method's role, "" where it has none."""
    return next((role for role, names in ROLES.items() if name in names), "")


def in_role(name: str) -> str:
    """Return a method's name in the colour of its role (HTML), bold where it has none."""
    role = role_of(name)
    return f'<span class="{role}">{name}</span>' if role else f"<b>{name}</b>"
