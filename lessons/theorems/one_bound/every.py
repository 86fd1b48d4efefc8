"""All theorems at one horizon and one amount of drift: explicit bounds and rates apart, lower bounds among them."""

from __future__ import annotations

from dataclasses import replace

from common.markup import plain_html, plain_markdown
from lessons.theorems.knobs import THEOREM_NAMES
from lessons.theorems.one_bound import model, words
from lessons.theorems.one_bound.letters import records
from lessons.theorems.one_bound.model import OneSetting
from tvbo_core import adversary
from tvbo_core.theory import LOWER

TITLE = "All theorems at these numbers"
EXPLICIT = ", explicit constants"
FLOOR, TRIVIAL = f"Lower bound{EXPLICIT}", "Trivial bound 2BT"
OWN_MEASURE = ("V_T", "B_T", "none")  # budgets of theorems that have a number at a V_T


NAME, SIDE, WITH_CONSTANTS, RATE_ONLY = "theorem", "side", "with explicit constants", "rate only (constants = 1)"
MET, KNOWS, MEASURE, SOURCE = "conditions met", "must know the drift", "drift put in", "source"
MEASURES = {"V_T": "V_T = {:g}", "B_T": "B_T := {:g}, assumed", "epsilon": "ε", "alpha": "α", "none": "none, static"}
AT_LEAST, AT_MOST, OTHER = "at least", "at most", "another measure of drift: no number at a V_T"
ORDERS = {AT_LEAST: "order, lower bound", AT_MOST: "order, upper bound"}  # a rate has no constant and bounds no number
FLOOR_SOURCES = {True: "Iwazaki & Takeno, Theorem 1", False: "Scarlett et al. (2017), Theorem 2"}  # by: drifts


def bounds(numbers: OneSetting, T: int) -> list[dict]:
    """Return all theorems at the reader's numbers and a horizon, a row each: explicit constants first, each group by
    its value.

    A theorem whose conditions are not met has no number, and stands last.
    """
    setting = replace(numbers, world=replace(numbers.world, horizon=T))
    rows = [row for word, name in THEOREM_NAMES.items() for row in _rows(replace(setting, word=word), name)]
    trivial = 2.0 * setting.world.norm_bound * setting.world.horizon
    rows.append(_row(TRIVIAL, AT_MOST, "–", "any", "norm at most B", constants=trivial))
    if setting.d == 1 and setting.world.horizon <= model.LONGEST_FLOOR:
        world = replace(setting.world, kind="adversary", budget=setting.V)
        floor = float(adversary.lower_bound(world, model.known_at(setting, 1).x)[-1])
        source = f"{FLOOR_SOURCES[setting.V > 0]}; constants derived here"
        rows.append(_row(FLOOR, AT_LEAST, "–", MEASURES["V_T"].format(setting.V), source, constants=floor))
    return sorted(rows, key=_place)


def _rows(setting: OneSetting, name: str) -> list[dict]:
    """Return the row of a theorem's rate, and before it that of its explicit bound where there is one."""
    theorem, T = setting.theorem, setting.world.horizon
    record = theorem or records(setting.stem)[0]  # of another kernel where none is stated for the reader's
    knows = "no" if record.knows in ("", "nothing") else plain_markdown(record.knows)
    knows = knows.removeprefix("the ").removeprefix("budget ")
    side, knows = (AT_LEAST, "–") if record.side == LOWER else (AT_MOST, knows)
    drift, source = MEASURES[record.budget].format(setting.V), plain_markdown(record.source)
    own = ORDERS[side], knows, drift, source
    if theorem is not None and theorem.budget not in OWN_MEASURE:
        return [_row(name, *own, met=OTHER)]
    unmet = " and ".join(words.condition(setting, one) for one in model.conditions(setting, T) if not one.met)
    if unmet:
        return [_row(name, *own, met=f"needs {plain_html(unmet)}")]
    rate = float(theorem.curve(T=float(T), V=setting.drift, **setting.place))
    if rate <= 0:  # the rate is of a drift that is 0
        return [_row(name, *own)]
    found = [_row(name, *own, rate=rate)]
    if setting.case is not None:
        bound = model.bound_at(setting, setting.case, T)
        found.insert(0, _row(f"{name}{EXPLICIT}", side, knows, drift, bound.source, constants=bound.total))
    return found


def _row(
    name: str,
    side: str,
    knows: str,
    measure: str,
    source: str,
    met: str = "yes",
    constants: float | None = None,
    rate: float | None = None,
) -> dict:
    return {
        NAME: name,
        SIDE: side,
        WITH_CONSTANTS: None if constants is None else float(f"{constants:.3g}"),
        RATE_ONLY: None if rate is None else float(f"{rate:.3g}"),
        MET: met,
        KNOWS: knows,
        MEASURE: measure,
        SOURCE: source,
    }


def _place(row: dict) -> tuple[int, float]:
    """Return the place of a row: explicit bounds, rates, theorems without a number, theorems of another measure."""
    if row[WITH_CONSTANTS] is not None:
        return 0, row[WITH_CONSTANTS]
    if row[RATE_ONLY] is not None:
        return 1, row[RATE_ONLY]
    return (3 if row[MET] == OTHER else 2), 0.0
