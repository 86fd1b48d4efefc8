"""All theorems at one horizon and one amount of drift: explicit bounds and rates apart, lower bounds among them."""

from __future__ import annotations

from dataclasses import dataclass, replace

from lessons.theorems.knobs import THEOREM_NAMES
from lessons.theorems.one_bound import model
from lessons.theorems.one_bound.letters import records
from lessons.theorems.one_bound.model import Condition, OneSetting
from tvbo_core import adversary
from tvbo_core.theory import LOWER, Theorem

EXPLICIT = ", explicit constants"
FLOOR, TRIVIAL = f"Lower bound{EXPLICIT}", "Trivial bound 2BT"
OWN_MEASURE = ("V_T", "B_T", "none")  # budgets of theorems that have a number at a V_T


@dataclass(frozen=True)
class Row:
    """One theorem at the reader's numbers.

    Attributes:
        name: of the theorem.   setting: the reader's, with this theorem; None for `FLOOR` and `TRIVIAL`.
        theorem: its record, of another kernel where none is stated for the reader's; None for `FLOOR` and `TRIVIAL`.
        lower: whether it is a lower bound.   constants: value with explicit constants, reward units, or None.
        rate: growth with constants and logarithms counted as 1, or None.   unmet: conditions that are not met.
        other: whether it measures drift by another quantity than V_T and B_T, and so has no number.
    """

    name: str
    setting: OneSetting | None
    theorem: Theorem | None
    lower: bool
    constants: float | None = None
    rate: float | None = None
    unmet: tuple[Condition, ...] = ()
    other: bool = False


def bounds(setting: OneSetting) -> list[Row]:
    """Return all theorems at the reader's numbers: explicit constants first, each group by its value.

    A theorem whose conditions are not met has no number, and stands last.
    """
    rows = [row for word, name in THEOREM_NAMES.items() for row in _rows(replace(setting, word=word), name)]
    rows.append(Row(TRIVIAL, None, None, False, 2.0 * setting.world.norm_bound * setting.world.horizon))
    if setting.d == 1 and setting.world.horizon <= model.LONGEST_FLOOR:
        world = replace(setting.world, kind="adversary", budget=setting.V)
        floor = float(adversary.lower_bound(world, model.known_at(setting, 1).x)[-1])
        rows.append(Row(FLOOR, None, None, True, floor))
    return sorted(rows, key=_place)


def _rows(setting: OneSetting, name: str) -> list[Row]:
    """Return the row of a theorem's rate, and before it that of its explicit bound where there is one."""
    theorem, T = setting.theorem, setting.world.horizon
    if theorem is None:
        other = records(setting.stem)[0]
        return [Row(name, setting, other, other.side == LOWER, unmet=model.conditions(setting, T))]
    lower = theorem.side == LOWER
    if theorem.budget not in OWN_MEASURE:
        return [Row(name, setting, theorem, lower, other=True)]
    unmet = tuple(one for one in model.conditions(setting, T) if not one.met)
    rate = 0.0 if unmet else float(theorem.curve(T=float(T), V=setting.drift, **setting.place))
    if rate <= 0:  # nothing is stated, or the rate is of a drift that is 0
        return [Row(name, setting, theorem, lower, unmet=unmet)]
    found = [Row(name, setting, theorem, lower, rate=rate)]
    if setting.case is not None:
        exact = model.value_at(setting, T)
        found.insert(0, Row(f"{name}{EXPLICIT}", setting, theorem, lower, constants=exact))
    return found


def _place(row: Row) -> tuple[int, float]:
    """Return the place of a row: explicit bounds, rates, theorems without a number, theorems of another measure."""
    if row.constants is not None:
        return 0, row.constants
    if row.rate is not None:
        return 1, row.rate
    return (3 if row.other else 2), 0.0
