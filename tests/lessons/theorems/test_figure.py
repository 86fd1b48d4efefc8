"""The figures of the theorems: what is drawn is what the records say, on axes that never move."""

from __future__ import annotations

import base64
import itertools
from dataclasses import replace

import numpy as np
import pytest

from common.formats import in_millions
from figures.film import Film
from figures.theme import METHODS, Theme
from lessons.theorems.knobs import RUNS_WORLD
from lessons.theorems.rates import figure, words
from lessons.theorems.rates.model import OPENING_FRAMES, SweepSetting, sweep
from lessons.theorems.runs import figure as figure_runs
from lessons.theorems.runs import figure_adversary, figure_terms
from lessons.theorems.runs import words as runs_words
from lessons.theorems.runs.adversary import HiddenBump
from lessons.theorems.runs.model import BoundVsRegret, Proved, RunSetting
from lessons.theorems.runs.slopes import slopes
from tvbo_core.theory.finite import FiniteBound

FLOAT32 = 1e-6  # relative: tracks and arrays travel as 32-bit floats, whose unit roundoff is 6e-8
MEASURES = ("budget", "alpha", "epsilon")


def numbers(packed: object) -> np.ndarray:
    if isinstance(packed, dict):
        return np.frombuffer(base64.b64decode(packed["bdata"]), dtype=packed["dtype"]).astype(float)
    return np.array([np.nan if v is None else v for v in packed], dtype=float)


def data(of: Film) -> list[dict]:
    return of.figure.to_dict()["data"]


def fixed_axes(of: Film) -> None:
    checked = of.figure.checked()
    for name in checked.layout:
        if name.startswith(("xaxis", "yaxis")):
            assert len(checked.layout[name].range) == 2  # no axis chooses its range by itself


def test_the_ladder_is_drawn_in_each_methods_own_colour_and_its_label_holds_the_number():
    one = figure.stage(sweep(SweepSetting("budget")), Theme(), OPENING_FRAMES["budget"])
    lines = {t["line"]["color"] for t in data(one) if t.get("line", {}).get("width") == Theme().line}
    assert {METHODS[m].light for m in ("R-GP-UCB", "OPKB", "R-PERP")} <= lines
    words = [w for t in one.tracks if t.attribute == "text" for w in t.values[OPENING_FRAMES["budget"]]]
    assert {"<b>1.000</b> R-, SW-, WGP-UCB", "<b>0.737</b> R-PERP", "<b>0.737</b> lower bound"} <= set(words)


@pytest.mark.parametrize("measure", MEASURES)
def test_labels_keep_apart_and_inside_in_every_frame(measure: str):
    one = figure.stage(sweep(SweepSetting(measure)), Theme(), 0)
    layout = one.figure.to_dict()["layout"]
    for i, trace in enumerate(data(one)):
        if trace.get("mode") != "text":
            continue
        tracks = {t.attribute: t.values for t in one.tracks if t.trace == i}
        low, high = sorted(layout["yaxis" + trace["yaxis"][1:]]["range"])
        for row in np.asarray(tracks["y"], dtype=float):
            places = np.sort((row[np.isfinite(row)] - low) / (high - low))
            assert ((places > 0) & (places < 1)).all() and (np.diff(places) > 0.05 - 1e-6).all()


def test_a_bet_is_placed_while_the_answer_is_covered_and_stays_beside_it():
    at = OPENING_FRAMES["budget"]
    covered = sweep(SweepSetting("budget", bet="cover"))
    assert "R-, SW-, WGP-UCB" not in covered.by_name and "Place your bet" in words.finding(covered)[at]
    figure.stage(covered, Theme(), at).figure.checked()
    placed = sweep(SweepSetting("budget", bet="0.9"))
    one = figure.stage(placed, Theme(), at)
    one.figure.checked()
    assert any(
        np.allclose(numbers(t["y"]), 0.9)
        for t in data(one)
        if t.get("line", {}).get("dash") == "dot"
        and isinstance(t.get("y"), dict)
        and t["xaxis"] == "x"
        and len(numbers(t["y"])) == 2
    )
    assert "Your bet: 0.9. The power is 1" in words.notes(placed, at)[0]


def found(floor: bool = True, measured: bool = True, case: str = "rperp") -> BoundVsRegret:
    setting = RunSetting(case, "adversary", replace(RUNS_WORLD, horizon=200), 2)
    assert setting.horizons == (50, 100, 200)
    bounds = tuple(
        FiniteBound((("drift", 10.0 * T), ("confidence", 1e3 * T), ("nothing", 0.0)), 0.9, "a source")
        for T in setting.horizons
    )
    proved = Proved(
        bounds,
        np.array([3.0, 5.0, 8.0]) if floor else None,
        np.array([300.0, 600.0, 1200.0]),
        np.array([20.0, 40.0, 90.0]),
    )
    regret = {T: np.array([0.2, 0.3]) * T for T in setting.horizons} if measured else {}
    return BoundVsRegret(setting, proved, regret, 6 if measured else 0, 6, ())


def words_of(one: Film, frame: int) -> str:
    return " ".join(word for t in one.tracks if t.attribute == "text" for word in t.values[frame])


@pytest.mark.parametrize(("floor", "measured"), list(itertools.product([False, True], repeat=2)))
@pytest.mark.parametrize("lecture", [False, True])
def test_the_ruler_says_measured_bound_and_floor_and_the_factors_between_them(
    floor: bool, measured: bool, lecture: bool
):
    for case in ("rperp", "kernelucb"):
        shown = found(floor, measured, case)
        one = figure_runs.stage(shown, Theme(lecture=lecture), 2)
        fixed_axes(one)
        for i, T in enumerate(shown.horizons):
            said = words_of(one, i)
            bound, trivial = shown.proved.bounds[i].total, shown.proved.trivial[i]
            assert f"<b>{in_millions(bound)}</b> proved" in said
            assert f"<b>{in_millions(trivial)}</b> most possible" in said
            assert (f"<b>{in_millions(0.25 * T)}</b> measured" in said, "no method below" in said) == (measured, floor)
            assert f"× {figure_runs.factor(bound / trivial)}" in said
            if measured and floor:
                assert f"× {figure_runs.factor(0.25 * T / shown.proved.floor[i])}" in said
                assert f"× {figure_runs.factor(trivial / (0.25 * T))}" in said
        bars = next(t for t in data(figure_terms.terms(shown, Theme(lecture=lecture))) if t["type"] == "bar")
        assert len(bars["y"]) == 4 + measured + floor  # two terms that are not 0, the bound, what cannot be exceeded


def test_factors_have_two_digits():
    assert [figure_runs.factor(v) for v in (1.7753, 9.94, 9.96, 84.2, 460.4, 12_345)] == [
        "1.8",
        "9.9",
        "10",
        "84",
        "460",
        "12,000",
    ]


def test_a_mark_of_the_ruler_continues_its_line():
    shown = found()
    one = figure_runs.stage(shown, Theme(), 2)
    axes = one.figure.to_dict()["layout"]
    assert axes["yaxis"]["range"] == axes["yaxis2"]["range"]
    marks = [t for t in one.tracks if t.attribute == "y" and data(one)[t.trace].get("line", {}).get("width") == 5.0]
    for i in range(3):
        ends = {10.0 ** float(t.values[i][0]) for t in marks}
        wanted = {shown.proved.bounds[i].total, shown.proved.trivial[i], shown.mean[i], shown.proved.floor[i]}
        assert sorted(ends) == pytest.approx(sorted(wanted), rel=1e-5)


def test_a_frame_shows_every_curve_up_to_its_horizon_and_the_seeds_between_their_extremes():
    shown = found()
    one = figure_runs.stage(shown, Theme(), 0)
    for track in one.tracks:
        trace = data(one)[track.trace]
        if track.attribute == "y" and trace["mode"] == "lines" and trace["xaxis"] == "x" and len(track.values[0]) == 3:
            assert [int(np.isfinite(row).sum()) for row in track.values] == [1, 2, 3]
    areas = [
        t
        for t in one.tracks
        if t.attribute == "y" and data(one)[t.trace].get("fill") == "toself" and data(one)[t.trace]["xaxis"] == "x"
    ]
    low, high = 10.0 ** areas[-1].values[2][:3], 10.0 ** areas[-1].values[2][:2:-1]
    np.testing.assert_allclose(low, [10, 20, 40], rtol=1e-5)
    np.testing.assert_allclose(high, [15, 30, 60], rtol=1e-5)


def test_the_slopes_are_the_powers_of_the_records_and_silent_where_one_does_not_speak():
    setting = found().setting  # d = 1, Matérn 5/2
    rates = {rate.name: rate for rate in slopes(setting)}
    floor = (2 * 2.5 + 1) / (3 * 2.5 + 1)
    assert all(rates[name].power == pytest.approx(floor) for name in ("lower bound", "R-PERP", "restarted OPKB"))
    assert rates["ADA-OPKB"].power == pytest.approx(13 / 18) and not rates["ADA-OPKB"].told and rates["R-PERP"].told
    assert rates["R-PERP"].factor == pytest.approx(10**floor) and all(rate.speaks for rate in rates.values())
    little = replace(setting, world=replace(setting.world, budget=0.5))
    silent = [rate.name for rate in slopes(little) if not rate.speaks]
    assert "R-, SW-, WGP-UCB" in silent and "lower bound" not in silent
    se = {rate.name for rate in slopes(replace(setting, case="wgp"))}
    assert "restarted OPKB" not in se and {rate.name for rate in slopes(replace(setting, case="kernelucb"))} == {
        "lower bound",
        "KernelUCB",
    }


def test_the_sentence_says_what_is_measured_proved_and_impossible_at_its_horizon():
    said = runs_words.finding(found())
    assert len(said) == 3 and said[2] == (
        "R-PERP loses <b>50</b> where no method can promise less than\N{NO-BREAK SPACE}<b>8</b>. "
        "Its proof allows <b>202,000</b>: "
        "<b>more than can be lost</b>."
    )
    small = replace(found(), proved=replace(found().proved, trivial=np.array([1e6, 1e6, 1e6])))
    assert "it says something" in runs_words.finding(small)[0]
    waits = runs_words.finding(found(measured=False))[2]
    assert waits.startswith(
        "What R-PERP loses is still to be measured; no method can promise less than\N{NO-BREAK SPACE}<b>8</b>"
    )
    assert runs_words.finding(found(floor=False))[2].endswith("more than the 1,200 that can be lost.")
    notes = runs_words.notes(found(), slopes(found().setting))
    assert notes[0] == "Its rate is as good as possible up to logarithms; nobody knows if its constants are."
    assert "the worst choices lose 90" in notes[1]


def test_the_bars_are_as_long_as_the_terms():
    one = figure_terms.terms(found(), Theme())
    bars = next(t for t in data(one) if t["type"] == "bar")
    ends = np.array(bars["x"]) + np.array(bars["base"])
    np.testing.assert_allclose(ends, [2000, 200_000, 202_000, 1200, 50, 8])


def test_the_adversary_is_drawn_with_all_its_places_and_its_path():
    x = np.linspace(0, 1, 21)
    bumps = np.exp(-(((x[None, :] - np.array([0.2, 0.5, 0.8])[:, None]) / 0.05) ** 2))
    hidden = HiddenBump(
        RUNS_WORLD,
        x,
        bumps,
        np.array([0, 10, 20, 25]),
        np.array([0.5, 0.2, 0.8]),
        peak=1.0,
        width=0.05,
        length=10,
        moved=2.0,
    )
    one = figure_adversary.adversary(hidden, Theme())
    fixed_axes(one)
    path = next(t for t in data(one) if t["xaxis"] == "x2")
    np.testing.assert_allclose(numbers(path["x"])[:6], [0, 10, np.nan, 10, 20, np.nan])
    np.testing.assert_allclose(numbers(path["y"])[:6], [0.5, 0.5, np.nan, 0.2, 0.2, np.nan], rtol=FLOAT32)
    real = next(t for t in data(one) if t["xaxis"] == "x" and t["line"]["width"] == Theme().truth_line)
    np.testing.assert_allclose(numbers(real["y"]), bumps[1], rtol=FLOAT32, atol=1e-30)  # denormals
    still = replace(hidden, start=np.array([0, 25]), place=np.array([0.5]))
    said = [a["text"] for a in figure_adversary.adversary(still, Theme()).figure.to_dict()["layout"]["annotations"]]
    assert "<b>It never moves</b>" in said
