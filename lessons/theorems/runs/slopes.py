"""Growth of every bound of a kind with the horizon: the rates behind the runs, by their slopes alone."""

from __future__ import annotations

import math
from dataclasses import dataclass

from lessons.theorems.laws import POWER_LAWS, stated
from lessons.theorems.runs.model import RunSetting

STILL_LAWS = (("lower bound", "scarlett", "floor"), ("KernelUCB", "flynn-6.4", "KernelUCB"))
TENFOLD = 10.0  # of the horizon, by which a slope is read


@dataclass(frozen=True)
class Slope:
    """One rate at a fixed drift.

    Attributes:
        name, method: its label and the owner of its colour ("floor": the lower bound).
        told: whether the method must be told the drift.   power: of T.
        speaks: whether the theorem holds at the longest horizon of the runs, with their drift.
    """

    name: str
    method: str
    told: bool
    power: float
    speaks: bool

    @property
    def factor(self) -> float:
        """By how much the rate grows when the horizon grows tenfold."""
        return TENFOLD**self.power


def slopes(setting: RunSetting) -> tuple[Slope, ...]:
    """Return the rates of all methods whose bounds are about the kind of drift that the runs have."""
    world = setting.stage(setting.world.horizon)
    nu = world.nu if world.kernel == "matern" else math.inf
    budget = stated(setting.rule.theorem, nu).budget
    laws = {"none": STILL_LAWS, "epsilon": POWER_LAWS["epsilon"]}.get(budget, POWER_LAWS["budget"])
    drift = {"none": 0.0, "epsilon": world.epsilon}.get(budget, float(world.budget or 0.0))
    place, found = {"nu": nu, "d": world.dimension}, []
    for name, stem, method in laws:
        if theorem := stated(stem, nu):
            speaks = theorem.budget == "none" or theorem.valid(T=world.horizon, V=drift, **place)
            told = theorem.knows not in ("", "nothing")
            found.append(Slope(name, method, told, float(theorem.exponent(**place).T), speaks))
    return tuple(found)
