"""One bound says what the records and the bounds with constants say, at any of the reader's numbers."""

from __future__ import annotations

import itertools
import math
import random
import re
from dataclasses import replace

import numpy as np
import pytest

from figures.theme import Theme
from lessons.record import Values
from lessons.theorems.knobs import ACTS, NOT_ASKED, THEOREM_NAMES, THEOREM_STEMS
from lessons.theorems.lesson import LESSON
from lessons.theorems.one_bound import model, scene
from lessons.theorems.one_bound.letters import letters
from tvbo_core.records import LearnerInfo
from tvbo_core.theory import THEOREMS, for_kernel
from tvbo_core.theory.against import CASES
from tvbo_core.worlds import make_problem

ONE = {"view": "one"}
NUS = {"1/2": 0.5, "3/2": 1.5, "5/2": 2.5, "∞": math.inf}
KEYS = ("VT", "alpha", "nu", "B", "dim", "delta", "eps", "atil")
NOT_A_NUMBER = re.compile(r"\b(nan|inf|None)\b")


def values(**changed: object) -> dict:
    return LESSON.settings(ONE | changed)


def drawn(seed: int) -> dict:
    """Some theorem at some numbers; the theorems take turns."""
    rng, words_ = random.Random(seed), list(THEOREM_NAMES)
    some = {"thm": words_[seed % len(words_)], "rounds": rng.choice([100, 1600, 12_300, 10**8, 10**14])}
    for key in KEYS:
        some[key] = rng.choice([*NUS] if key == "nu" else LESSON.knobs[key].stops)  # kernels that theorems are about
    if rng.random() < 0.5:
        some["dim"] = 1
    return values(**some)


def expected(v: Values) -> float:
    """Return the value by the registry and by against.py alone; NaN where nothing is stated."""
    stem, nu, T = THEOREM_STEMS[v["thm"]], NUS[v["nu"]], v["rounds"]
    try:
        theorem = for_kernel(stem, nu)
    except ValueError:
        return math.nan
    if not theorem.allows(nu):
        return math.nan
    drift = {"V_T": v["VT"], "B_T": v["VT"], "epsilon": v["eps"]}.get(theorem.budget, 1.0)
    case = next((one for one in CASES.values() if one.theorem == stem), None)
    if case and v["dim"] == 1 and not (case.se_only and nu < math.inf):
        world = replace(
            model.RUNS_WORLD,
            kind="still",
            horizon=2,
            kernel="se" if nu == math.inf else "matern",
            nu=nu,
            norm_bound=v["B"],
        )
        p = make_problem(world)
        known = LearnerInfo(p.x, T, p.noise_sd, p.kernel, v["B"], v["VT"], None)
        return case.at(known, drift, v["delta"]).total
    place = {"nu": nu, "d": v["dim"], "alpha": v["alpha"], "window_exponent": v["atil"]}
    return theorem.curve(T=float(T), V=drift, **place)


def test_values_are_the_records_at_random_inputs():
    theorems = set()
    for seed in range(200):
        v = drawn(seed)
        setting = model.setting_from(v)
        shown = model.value_at(setting, v["rounds"])
        assert shown == pytest.approx(expected(v), rel=1e-12, nan_ok=True), v
        theorems.add(setting.theorem.key if setting.theorem else "")
    assert {theorem.stem for theorem in THEOREMS.values()} == set(THEOREM_STEMS.values())
    assert len(theorems) > 25


def test_runs_bounds_know_what_learners_know():
    for key, case in CASES.items():
        kind = case.kinds[0]
        world = case.world(replace(model.RUNS_WORLD, horizon=60), kind)
        p = make_problem(world)
        told = case.at(p.known, case.drift(p, world), 0.1)
        assert told == case.bound(p, world), key
        assert case.at(p.known, case.drift(p, world), 0.01).total > told.total or key == "kernelucb"


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


def check_extremes(word: str) -> None:
    rng = random.Random(word)
    some = {key: rng.choice((LESSON.knobs[key].stops[0], LESSON.knobs[key].stops[-1])) for key in KEYS}
    made = scene.scene(values(thm=word, rounds=rng.choice((100, 10**14)), **some), 0, Theme(lecture=True))
    said = [*made.sentences(), *made.labels(), made.caption, *made.notes()]
    film = made.films["main"].draw(0)
    film.figure.checked()
    drawn_words = [w for track in film.tracks if track.attribute == "text" for row in track.values for w in row]
    assert not [text for text in (*said, *drawn_words) if NOT_A_NUMBER.search(text)], word
    plain = [re.sub(r"<[^>]*>", "", s.replace("&nbsp;", "")) for s in made.sentences()]
    assert all(len(s.split()) <= 24 and s.strip() for s in plain), word


@pytest.mark.parametrize("of", [0, pytest.param(1, marks=pytest.mark.slow), pytest.param(2, marks=pytest.mark.slow)])
def test_extreme_numbers_never_say_nan(of: int) -> None:
    for word in list(THEOREM_NAMES)[of::3]:
        check_extremes(word)


def test_letters_not_asked_for_are_idle():
    for word in THEOREM_NAMES:
        for nu in ("5/2", "∞"):
            base = values(thm=word, nu=nu)
            asked = {"V": "VT", "eps": "eps", "alpha": "alpha", "d": "dim", "window_exponent": "atil", "nu": "nu"}
            idle = [key for letter, key in asked.items() if letter not in letters(THEOREM_STEMS[word])]
            idle += [key for key in ("B", "delta") if key not in model.asks(model.setting_from(base))]
            for key in idle:
                assert not LESSON.knobs[key].acts_at(base), (word, key)
                assert LESSON.knobs[key].idle == NOT_ASKED
                for stop in LESSON.knobs[key].stops[:: max(1, len(LESSON.knobs[key].stops) - 1)]:
                    moved = model.value_at(model.setting_from(base | {key: stop}), 1600)
                    assert moved == pytest.approx(model.value_at(model.setting_from(base), 1600), nan_ok=True), (
                        word,
                        key,
                    )
    assert LESSON.knobs["VT"].acts_at(values()) and not LESSON.knobs["alpha"].acts_at(values())
    assert {"VT", "alpha", "nu", "dim", "delta", "B", "rounds", "thm"} <= set(ACTS)


def test_shipped_runs_stand_at_their_case():
    shown = model.one_bound(model.setting_from(values())).runs
    assert shown is not None and shown[0].tolist() == [50, 100, 200, 400, 800, 1600]
    assert 64 < shown[1][-1] < 200
    for other in ({"VT": 4.1}, {"delta": 0.05}, {"B": 4.0}, {"thm": "ada"}, {"dim": 2}):
        assert model.one_bound(model.setting_from(values(**other))).runs is None


def test_weights_beyond_double_precision_bound_the_gain():
    from tvbo_core.gp.information_gain import MOST_PRECISE, gain_bounds, largest_gain

    gram = np.eye(3)
    assert largest_gain(gram, 30.0, 0.1) == pytest.approx(gain_bounds(gram, 30, 0.1).upper, rel=1e-6)
    far = 1e4 * MOST_PRECISE
    assert largest_gain(gram, far, 1.0) >= 1.5 * math.log1p(far / 3) * (1 - 1e-9)
    assert largest_gain(gram, far, 1.0) == pytest.approx(1.5 * math.log1p(far / 3), rel=1e-3)
    with pytest.raises(ValueError, match="ridge"):
        largest_gain(gram, 1.0, 0.0)


def test_bounds_speak_from_where_sentences_say():
    found = model.one_bound(model.setting_from(values()))
    low, high = 10 ** math.floor(math.log10(found.crossing)), found.crossing
    assert model.value_at(found.setting, int(high)) < 6 * high and model.value_at(found.setting, int(low)) > 6 * low
    assert all(model.value_at(found.setting, int(T)) < 6 * T for T in found.T if found.crossing < T)
    assert model.one_bound(model.setting_from(values(thm="rgp", nu="∞"))).crossing is None
