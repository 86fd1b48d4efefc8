"""The figures of the theorems: what is drawn is what the records say, on axes that never move."""

from __future__ import annotations

import base64
import itertools
import math
from types import SimpleNamespace

import numpy as np
import pytest

from figures.film import Film
from figures.theme import METHODS, Theme
from lessons.theorems import figure as theory
from lessons.theorems import figure_bound_vs_regret as meeting
from lessons.theorems import model as theorems
from lessons.theorems import tables as theorem_tables
from lessons.theorems import words as theorem_words
from lessons.theorems.model import ALPHAS, OPENS, SMOOTH, Asked, sweep
from lessons.theorems.runs import Setting
from tvbo_core import World
from tvbo_core.theory import THEOREMS

FLOAT32 = 1e-6  # relative: tracks and arrays travel as 32-bit floats, whose unit roundoff is 6e-8
MEASURES = ("budget", "alpha", "epsilon")


def numbers(packed: object) -> np.ndarray:
    if isinstance(packed, dict):
        return np.frombuffer(base64.b64decode(packed["bdata"]), dtype=packed["dtype"]).astype(float)
    return np.array([np.nan if v is None else v for v in packed], dtype=float)


def data(of: Film) -> list[dict]:
    return of.figure.to_dict()["data"]


def fixed_axes(of: Film) -> None:
    figure = of.figure.checked()
    for name in figure.layout:
        if name.startswith(("xaxis", "yaxis")):
            assert len(figure.layout[name].range) == 2  # no axis chooses its range by itself


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize(("dark", "lecture"), list(itertools.product([False, True], repeat=2)))
def test_every_look_of_the_stage_is_a_valid_figure(measure: str, dark: bool, lecture: bool):
    one = theory.stage(sweep(Asked(measure)), Theme(dark, lecture), OPENS[measure])
    fixed_axes(one)
    assert {len(t) for t in one.tracks} == {len(Asked(measure).sweep)}
    for track in one.tracks:
        if isinstance(track.values, np.ndarray):
            assert not np.isinf(track.values).any()


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("d", [1, 6])
@pytest.mark.parametrize("v", [-0.5, 1.0])
@pytest.mark.parametrize("logs", [False, True])
def test_both_ends_of_every_control_are_drawn_and_said_without_a_nan(measure: str, d: int, v: float, logs: bool):
    for log_T, window, eps in ((2.0, 0.05, 0.0), (7.0, 0.33, 0.2)):
        asked = Asked(measure, d, v, log_T, logs, window, eps or 1e-3)
        shown = sweep(asked)
        theory.stage(shown, Theme(), 0).figure.checked()
        said = theorem_words.finding(shown)
        assert len(said) == shown.frames and not any("nan" in s or "inf" in s for s in said)
        assert "nan" not in theorem_words.caption(shown)


def test_the_dots_are_the_exact_exponents_of_the_records():
    shown = sweep(Asked("budget", d=2))
    for i, nu in enumerate(SMOOTH):
        weak = THEOREMS["zhou-r"].exponent(nu=nu, d=2).T
        assert shown.by_name["R-, SW-, WGP-UCB"].power[i] == pytest.approx(float(weak), rel=1e-12)
    at = OPENS["budget"]
    power = {name: rung.power[at] for name, rung in shown.by_name.items()}
    assert power == pytest.approx({"lower bound": 14 / 19, "R-, SW-, WGP-UCB": 1.0, "OPKB": 16 / 21, "R-PERP": 14 / 19})
    assert "1.000" in theorem_words.finding(shown)[at] and "sits on the lower bound" in theorem_words.finding(shown)[at]


def test_the_ladder_is_drawn_in_each_methods_own_colour_and_its_label_holds_the_number():
    one = theory.stage(sweep(Asked("budget")), Theme(), OPENS["budget"])
    lines = {t["line"]["color"] for t in data(one) if t.get("line", {}).get("width") == Theme().line}
    assert {METHODS[m].light for m in ("R-GP-UCB", "OPKB", "R-PERP")} <= lines
    words = [w for t in one.tracks if t.attribute == "text" for w in t.values[OPENS["budget"]]]
    assert {"<b>1.000</b> R-, SW-, WGP-UCB", "<b>0.737</b> R-PERP", "<b>0.737</b> lower bound"} <= set(words)


@pytest.mark.parametrize("measure", MEASURES)
def test_labels_keep_apart_and_inside_in_every_frame(measure: str):
    one = theory.stage(sweep(Asked(measure)), Theme(), 0)
    layout = one.figure.to_dict()["layout"]
    for i, trace in enumerate(data(one)):
        if trace.get("mode") != "text":
            continue
        tracks = {t.attribute: t.values for t in one.tracks if t.trace == i}
        low, high = sorted(layout["yaxis" + trace["yaxis"][1:]]["range"])
        for row in np.asarray(tracks["y"], dtype=float):
            places = np.sort((row[np.isfinite(row)] - low) / (high - low))
            assert ((places > 0) & (places < 1)).all() and (np.diff(places) > 0.05 - 1e-6).all()


def test_a_line_is_solid_exactly_where_its_theorem_holds():
    # v = -1/2 at nu = 5/2: V_T is below every threshold of Theorem 5, and a still world's rate is the larger.
    shown = sweep(Asked("budget", d=2, v=-0.5))
    rung = shown.by_name["R-PERP"]
    assert not rung.inside[OPENS["budget"]].any()
    # The floor of a still world stands under every drift, and the regimes join: none is drawn below it.
    assert shown.by_name["lower bound"].inside[OPENS["budget"]].all()
    assert {r.power[OPENS["budget"]] for n, r in shown.by_name.items() if n != "R-, SW-, WGP-UCB"} == {9 / 14}
    assert "does not speak here" in theorem_words.finding(shown)[OPENS["budget"]]
    assert sweep(Asked("budget", d=2, v=0.5)).by_name["R-PERP"].inside[OPENS["budget"]].all()
    assert not sweep(Asked("budget")).by_name["R-PERP"].ok[SMOOTH.index(0.5)]


def test_at_v_one_nobody_can_follow_and_at_one_third_the_bound_without_re_asks_reaches_the_ceiling():
    said = theorem_words.finding(sweep(Asked("budget", v=1.0)))
    assert all("nobody can follow" in s for s in said)
    shown = sweep(Asked("alpha"))
    assert shown.by_name["GP-UCB, no re-asks"].power[ALPHAS.index(1 / 3)] == pytest.approx(1.0, abs=1e-4)
    assert "nobody learns without asking again" in theorem_words.finding(shown)[ALPHAS.index(1.5)]


def test_the_map_holds_r_perps_threshold_and_the_borders_of_the_other_promises():
    shown = sweep(Asked("budget", d=2))
    x, low, high = shown.holds
    at, j = OPENS["budget"], int(np.abs(x := shown.holds[0]).argmax())
    limits = THEOREMS["iwazaki-5-matern"].limits(T=10 ** x[j], nu=2.5, d=2)
    assert (low[at, j], high[at, j]) == pytest.approx(tuple(np.log10(limits)))
    assert np.isnan(low[SMOOTH.index(0.5)]).all()
    weak = next(b for b in shown.borders if b.method == "R-GP-UCB")
    np.testing.assert_allclose(weak.y[at], 0.0, atol=1e-12)  # at nu = 5 d/4 nothing is promised above V_T = 1


def test_a_bet_is_placed_while_the_answer_is_covered_and_stays_beside_it():
    at = OPENS["budget"]
    covered = sweep(Asked("budget", bet="cover"))
    assert "R-, SW-, WGP-UCB" not in covered.by_name and "Place your bet" in theorem_words.finding(covered)[at]
    theory.stage(covered, Theme(), at).figure.checked()
    placed = sweep(Asked("budget", bet="0.9"))
    one = theory.stage(placed, Theme(), at)
    one.figure.checked()
    assert any(np.allclose(numbers(t["y"]), 0.9) for t in data(one) if t.get("line", {}).get("dash") == "dot"
               and isinstance(t.get("y"), dict) and t["xaxis"] == "x" and len(numbers(t["y"])) == 2)  # fmt: skip
    assert "Your bet: 0.9. Exactly 1" in theorem_words.notes(placed, at)[0]


@pytest.mark.parametrize("word", theorem_tables.STEMS)
@pytest.mark.parametrize("nu", [math.inf, 2.5, 0.5])
def test_every_card_shows_its_statement_its_budget_and_its_source(word: str, nu: float):
    record, said = theorem_words.card(Asked("budget"), SMOOTH.index(nu), word)
    if record is None:
        assert "Matérn kernels only" in said
        return
    assert record.statement in said and record.source in said and "Budget **" in said
    assert "nan" not in said and "inf " not in said


def test_the_table_is_the_papers_table():
    rows = {r["theorem"]: r for r in theorem_tables.table(Asked("budget", d=2), OPENS["budget"])}
    assert rows["R-PERP"]["power of T"] == "14/19" and rows["R-PERP"]["power of the drift"] == "5/19"
    assert rows["ADA-OPKB"]["power of T"] == "16/21" and rows["R-GP-UCB"]["power of T"] == "1"
    assert rows["R-GP-UCB"]["budget"] == "B_T" and rows["R-PERP"]["budget"] == "V_T"
    said = theorem_words.bounds(Asked("budget", d=2), OPENS["budget"])
    assert "T^{14/19}\\,V_T^{5/19}" in said and said.count("\n") == len(rows) + 1


def test_another_sweep_opens_at_its_own_place(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(theorems.st, "session_state", {})
    assert theorems.opening(Asked("budget"), 5, "a") == 5
    assert theorems.opening(Asked("alpha"), 5, "a") == OPENS["alpha"]
    assert theorems.opening(Asked("alpha"), 7, "a") == 7
    assert theorems.opening(Asked("budget"), 3, "b") == 3  # another moment says itself where it opens


# --- bounds meet runs -------------------------------------------------------------------------------------------


def found(floor: bool = True, measured: bool = True) -> SimpleNamespace:
    horizons = (50, 100, 200)
    terms = [SimpleNamespace(terms=(("drift", 10.0 * T), ("confidence", 1e3 * T), ("nothing", 0.0)), total=1010.0 * T)
             for T in horizons]  # fmt: skip
    regret = {T: np.array([0.2, 0.3]) * T for T in horizons} if measured else {}
    return SimpleNamespace(
        horizons=horizons, bounds=terms, floor=np.array([3.0, 5.0, 8.0]) if floor else None, regret=regret,
        most=np.array([300.0, 600.0, 1200.0]),
        mean=np.array([regret[T].mean() if measured else np.nan for T in horizons]),
    )  # fmt: skip


@pytest.mark.parametrize(("floor", "measured"), list(itertools.product([False, True], repeat=2)))
@pytest.mark.parametrize("lecture", [False, True])
def test_measured_bound_and_floor_share_one_logarithmic_figure(floor: bool, measured: bool, lecture: bool):
    for name in ("R-PERP", "KernelUCB"):
        one = meeting.meeting(found(floor, measured), name, Theme(lecture=lecture))
        fixed_axes(one)
        labels = [w for t in data(one) if t.get("mode") == "text" for w in t["text"]]
        assert {"bound", "cannot be exceeded"} <= set(labels)
        assert ("measured" in labels, "lower bound" in labels) == (measured, floor)
        bars = next(t for t in data(one) if t["type"] == "bar")
        assert len(bars["y"]) == 4 + measured + floor  # two terms that are not 0, the bound, what cannot be exceeded


def test_the_bars_are_as_long_as_the_terms():
    one = meeting.meeting(found(), "R-PERP", Theme())
    bars = next(t for t in data(one) if t["type"] == "bar")
    ends = np.array(bars["x"]) + np.array(bars["base"])
    np.testing.assert_allclose(ends, [2000, 200_000, 202_000, 1200, 50, 8])


@pytest.mark.parametrize(("value", "said"), [(0.5, "0.5"), (40.24, "40.2"), (4800, "4,800"), (2.8e6, "2.8×10⁶")])
def test_numbers_are_said_in_a_few_digits(value: float, said: str):
    assert meeting.number(value) == said


def test_the_adversary_is_drawn_with_all_its_places_and_its_path():
    x = np.linspace(0, 1, 21)
    bumps = np.exp(-(((x[None, :] - np.array([0.2, 0.5, 0.8])[:, None]) / 0.05) ** 2))
    hidden = SimpleNamespace(x=x, bumps=bumps, start=np.array([0, 10, 20, 25]), place=np.array([0.5, 0.2, 0.8]),
                             peak=1.0, width=0.05)  # fmt: skip
    one = meeting.adversary(hidden, Theme())
    fixed_axes(one)
    path = next(t for t in data(one) if t["xaxis"] == "x2")
    np.testing.assert_allclose(numbers(path["x"])[:6], [0, 10, np.nan, 10, 20, np.nan])
    np.testing.assert_allclose(numbers(path["y"])[:6], [0.5, 0.5, np.nan, 0.2, 0.2, np.nan], rtol=FLOAT32)
    real = next(t for t in data(one) if t["xaxis"] == "x" and t["line"]["width"] == Theme().truth_line)
    np.testing.assert_allclose(numbers(real["y"]), bumps[1], rtol=FLOAT32, atol=1e-30)  # denormals
    still = SimpleNamespace(**{**vars(hidden), "start": np.array([0, 25]), "place": np.array([0.5])})
    said = [a["text"] for a in meeting.adversary(still, Theme()).figure.to_dict()["layout"]["annotations"]]
    assert "<b>It never moves</b>" in said


def test_runs_are_played_at_doubling_horizons_in_the_world_of_the_theorem():
    base = World(kernel="matern", nu=2.5, horizon=400, budget=4.0, seed=3)
    setting = Setting("rperp", "adversary", base, 2)
    assert setting.horizons == (50, 100, 200, 400) and setting.adversarial
    assert setting.stage(100).kind == "adversary" and setting.stage(100, 7).seed == 7
    assert not Setting("tv", "adversary", base, 2).adversarial
    assert Setting("tv", "adversary", base, 2).stage(50).kind == "markov"
    assert Setting("kernelucb", "own", base, 2).stage(50).kind == "still"
