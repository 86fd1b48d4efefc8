"""Drifting rewards on a phone: how many screens the panels take."""

from __future__ import annotations

from collections.abc import Sequence

from lessons.drift import words
from lessons.drift.figure_hills import counted
from lessons.drift.model import WorldDrift
from shell.player import screens

SHORT = 20  # characters that have room above half a phone


def swiped(view: str, drifts: Sequence[WorldDrift]) -> None:
    """On a phone give each panel a screen, but for hills whose words are so short that both fit on one."""
    titles = words.titles([drift.world for drift in drifts])
    said = [words.moves(drift, title) for drift, (title, _) in zip(drifts, titles, strict=True)]
    said += [counted(drift, len(drift.steps) - 1) for drift in drifts]
    wanted = 3 if view != "hills" else 1 if max(map(len, said)) < SHORT else len(drifts)
    screens(wanted)
