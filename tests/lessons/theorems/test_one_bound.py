"""One bound says what the records and the bounds with constants say, at any of the reader's numbers."""

from __future__ import annotations

import itertools
import math
import random
import re
from dataclasses import replace

import pytest

from lessons.record import Values
from lessons.theorems.knobs import THEOREM_NAMES, THEOREM_STEMS
from lessons.theorems.lesson import LESSON
from lessons.theorems.one_bound import model, words
from tests.lessons.scripts import NUMBER, run, script
from tvbo_core.records import LearnerInfo
from tvbo_core.theory import THEOREMS, for_kernel
from tvbo_core.theory.against import CASES
from tvbo_core.worlds import make_problem

ONE = {"view": "one", "d": 1}  # bounds with explicit constants are for d = 1
NUS = {"1/2": 0.5, "3/2": 1.5, "5/2": 2.5, "∞": math.inf}
HORIZONS = [100, 1600, 12_300, 10**8, 10**14]
KEYS = ("V", "alpha", "nu", "B", "d", "eps", "atil")


def values(**changed: object) -> dict:
    return LESSON.settings(ONE | changed)


def random_values(seed: int) -> dict:
    """Some theorem at some numbers; the theorems take turns."""
    rng, words_ = random.Random(seed), list(THEOREM_NAMES)
    some = {"thm": words_[seed % len(words_)]}
    for key in KEYS:
        some[key] = rng.choice([*NUS] if key == "nu" else LESSON.knobs[key].stops)  # kernels that theorems are about
    if rng.random() < 0.5:
        some["d"] = 1
    return values(**some)


def expected(v: Values, T: int) -> float:
    """Return the value at a horizon by the registry and by against.py alone; NaN where nothing is stated."""
    stem, nu = THEOREM_STEMS[v["thm"]], NUS[v["nu"]]
    try:
        theorem = for_kernel(stem, nu)
    except ValueError:
        return math.nan
    if not theorem.allows(nu):
        return math.nan
    drift = {"V_T": v["V"], "B_T": v["V"], "epsilon": v["eps"]}.get(theorem.budget, 1.0)
    case = next((one for one in CASES.values() if one.theorem == stem), None)
    if case and v["d"] == 1 and not (case.se_only and nu < math.inf):
        world = replace(
            model.RUNS_WORLD,
            kind="still",
            horizon=2,
            kernel="se" if nu == math.inf else "matern",
            nu=nu,
            norm_bound=v["B"],
        )
        p = make_problem(world)
        known = LearnerInfo(p.x, T, p.noise_sd, p.kernel, v["B"], v["V"], None)
        return case.at(known, drift, model.DELTA).total
    place = {"nu": nu, "d": v["d"], "alpha": v["alpha"], "window_exponent": v["atil"]}
    return theorem.curve(T=float(T), V=drift, **place)


def test_values_are_the_records_at_random_inputs():
    theorems = set()
    for seed in range(200):
        v = random_values(seed)
        setting = model.setting_from(v)
        T = random.Random(seed).choice(HORIZONS)
        assert model.value_at(setting, T) == pytest.approx(expected(v, T), rel=1e-12, nan_ok=True), v
        theorems.add(setting.theorem.key if setting.theorem else "")
    assert {theorem.stem for theorem in THEOREMS.values()} == set(THEOREM_STEMS.values())
    assert len(theorems) > 25


def test_conditions_turn_at_the_ends_named():
    for word, nu in itertools.product(THEOREM_NAMES, ("5/2", "∞")):
        setting = model.setting_from(values(thm=word, nu=nu, alpha=1.0))
        theorem = setting.theorem
        for one in model.conditions(setting, 1600):
            if one.kind in ("least", "most"):
                key = "eps" if theorem.budget == "epsilon" else "V"
                step = 1e-9 if one.kind == "least" else -1e-9
                for drift, met in ((one.end, True), (one.end * (1 + step), True), (one.end * (1 - step), False)):
                    again = model.conditions(replace(setting, **{key: drift}), 1600)
                    assert next(c for c in again if c.kind == one.kind).met == met, (word, nu, one)
        if theorem is not None and theorem.allows(setting.nu):
            all_met = all(one.met for one in model.conditions(setting, 1600))
            valid = theorem.valid(T=1600.0, V=setting.drift, **setting.place)
            assert all_met == valid or theorem.budget == "none", (word, nu)


@pytest.mark.parametrize(
    ("thm", "who"),
    [
        ("alphafloor", "no algorithm without side queries has"),
        ("few", "no algorithm with so few side queries has"),
        ("mauduit-5.1", "no algorithm with so few side queries has"),
        ("epsfloor", "no algorithm has"),
    ],
)
def test_linear_floors_name_their_algorithms(thm: str, who: str) -> None:
    found = model.one_bound(model.setting_from(values(thm=thm, nu="∞", alpha=1.5)))
    assert all(f"{who} sublinear regret" in one for one in words.finding(found))


def test_bounds_speak_from_where_sentences_say():
    found = model.one_bound(model.setting_from(values()))
    low, high = 10 ** math.floor(math.log10(found.crossing)), found.crossing
    assert model.value_at(found.setting, int(high)) < 6 * high and model.value_at(found.setting, int(low)) > 6 * low
    assert all(model.value_at(found.setting, int(T)) < 6 * T for T in found.T if found.crossing < T)
    assert model.one_bound(model.setting_from(values(thm="rgp", nu="∞"))).crossing is None


@pytest.mark.parametrize("nu", ["5/2", "∞"])
def test_script_prints_each_rate(nu: str) -> None:
    for word in THEOREM_NAMES:
        state = values(thm=word, nu=nu, d=2)
        printed = re.search(rf"^rate = ({NUMBER})$", run(script("theorems", {**state, "t": 3})), re.MULTILINE)
        rate = model.value_at(model.setting_from(state), 800)
        assert (float(printed[1]) if printed else None) == (pytest.approx(rate, rel=1e-5) if rate > 0 else None), word
