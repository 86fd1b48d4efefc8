"""What a lecturer says over a moment, checked against the core or the stored runs and not against the page's words."""

from __future__ import annotations

import numpy as np
import pytest

import tvbo_core as tv
from lessons import BY_KEY
from lessons.bands import model as bands_model
from lessons.drift.knobs import DRIFT_WORLD
from lessons.forgetting import model as forgetting
from lessons.microscope import model as microscope_model
from lessons.race import model as racing
from lessons.real_data import model as data_lab
from lessons.record import Lesson
from lessons.reproductions import model as reproductions
from lessons.rperp import model as rperp_model
from lessons.shared import problems
from lessons.shared import stored_runs as shipped
from lessons.shared import worlds as world
from lessons.side_queries import model as asking
from lessons.theorems.rates import model as theorems_model
from lessons.theorems.runs import model as theorem_runs
from tvbo_core.bands import BoundError

DRIFT, BANDS, RPERP, RACE = (BY_KEY[key] for key in ("drift", "bands", "rperp", "race"))
THEOREMS, FORGETTING, QUERIES, REAL_DATA = (
    BY_KEY[key] for key in ("theorems", "forgetting", "side_queries", "real_data")
)
REPRODUCED, MICROSCOPE = (BY_KEY[key] for key in ("reproductions", "microscope"))


def state(lesson: Lesson, key: str) -> dict[str, object]:
    """The values of all knobs in a moment."""
    chosen = lesson.moment(key).values
    return {k: chosen.get(k, knob.default) for k, knob in lesson.knobs.items()}


def test_drift_moments_move_as_said() -> None:
    smooth, rough = (problems.problem(w) for w in world.pair(state(DRIFT, "bogunovic"), DRIFT_WORLD))
    assert rough.sup_variation > smooth.sup_variation
    jumps, glide = (problems.problem(w) for w in world.pair(state(DRIFT, "deng"), DRIFT_WORLD))
    steps = np.abs(np.diff(jumps.f, axis=0)).max(axis=1)
    assert jumps.horizon == 500 and (np.flatnonzero(steps > 1e-9) + 1).tolist() == [100, 200]
    np.testing.assert_allclose(glide.f[-1], jumps.f[150], atol=1e-9)
    np.testing.assert_allclose(glide.f[0], jumps.f[0], atol=1e-9)


def bands(key: str) -> bands_model.BandsOverTime:
    return bands_model.bands_over_time(bands_model.chosen(state(BANDS, key)))


def test_still_bands_hold_and_moving_ones_fail() -> None:
    still, moving, empty = (bands(key) for key in ("tight", "missed", "empty"))
    assert set(still.first_miss.values()) == {None} and not still.moving
    first = {n: t if t is not None else 999 for n, t in moving.first_miss.items()}
    width = {n: float((f.upper - f.lower)[70].mean()) for n, f in moving.films.items()}
    assert first[min(width, key=width.get)] == min(first.values()) <= BANDS.moment("missed").t
    t = BANDS.moment("empty").t
    assert empty.first_empty["CMM"] <= t
    band, h, p = empty.bands["CMM"], empty.history, empty.problem
    with pytest.raises(BoundError):  # the conic program finds no function either
        tv.certify.socp_bounds(p.kernel, h.X[:t], h.y[:t], p.x[50], band.B, band.sigma, band.delta, band.c)


def test_known_orders_add_and_shuffles_cancel() -> None:
    show = rperp_model.paired_runs(rperp_model.chosen(state(RPERP, "one_shuffle")))
    found, batch = show.pulls(0), show.batches[0]
    assert len(batch.picks) == RPERP.moment("one_shuffle").t == 15
    assert abs(found.known.sum()) > 0.9 * np.abs(found.known).sum()
    assert abs(found.shuffled.sum()) < 0.5 * np.abs(found.shuffled).sum()


def test_five_are_too_short_and_400_enough() -> None:
    few, many = (rperp_model.paired_runs(rperp_model.chosen(state(RPERP, key))) for key in ("five", "averages"))
    assert len(few.batches[0].picks) == RPERP.moment("five").t == 5
    assert few.pulls(0).less < 0.8 * rperp_model.SHUFFLES < many.pulls(0).less
    found = many.pulls(0)
    assert abs(found.error(found.others).mean()) < 0.1 * abs(found.error(found.known))


def ends(key: str) -> list[dict[str, float]]:
    """Final median regret of every method, world by world."""
    setting = racing.chosen(state(RACE, key))
    runs = shipped.runs(racing.jobs(setting))
    assert len(runs) == len(racing.jobs(setting))  # a moment is stored, so that no class waits
    return [{n: float(m[-1]) for n, m in lane.median.items()} for lane in racing.gather(setting, runs).lanes]


def test_the_still_worlds_champion_falls() -> None:
    still, jumping = ends("jumps")
    champion = min(still, key=still.get)
    assert sum(r < jumping[champion] for r in jumping.values()) + 1 > len(jumping) / 2


def exponents(key: str) -> tuple[theorems_model.Sweep, dict[str, float]]:
    sweep = theorems_model.sweep(theorems_model.chosen(state(THEOREMS, key)))
    return sweep, {n: float(r.power[THEOREMS.moment(key).t]) for n, r in sweep.by_name.items()}


def test_one_dot_on_the_ceiling_two_at_floor() -> None:
    _, power = exponents("dots")
    floor = power.pop("lower bound")
    assert [n for n, p in power.items() if p == 1.0] == ["R-, SW-, WGP-UCB"]
    assert sum(p < 0.8 for p in power.values()) == 3
    assert [n for n, p in power.items() if p == pytest.approx(floor, abs=1e-12)] == ["R-PERP", "restarted OPKB"]
    assert exponents("too_fast")[1]["lower bound"] == pytest.approx(1.0)
    _, power = exponents("asking")
    assert power["floor, no re-asks"] == pytest.approx(1.0) and power["W-SparQ"] < 1


def runs(key: str) -> theorem_runs.BoundVsRegret:
    setting = theorem_runs.chosen(state(THEOREMS, key))
    jobs = [job for _, job in theorem_runs.jobs(setting)]
    found = shipped.runs(jobs, theorem_runs.FILE)
    assert len(found) == len(jobs)  # a moment is stored, so that no class waits
    return theorem_runs.gather(setting, found)


def test_one_proof_promises_millions_one_little() -> None:
    loud, useful = runs("runs"), runs("useful")
    assert 1e6 < loud.proved.bounds[-1].total < 1e7 and loud.setting.rule.name == "R-PERP"
    assert (loud.mean > loud.proved.floor).all() and (loud.mean <= loud.proved.worst).all()
    assert useful.proved.bounds[-1].total < useful.proved.trivial[-1] == 2 * 3 * 1600
    assert useful.setting.stage(1600).budget == 0.0  # "a world that stands still"


def pays(key: str) -> tuple[forgetting.MemorySweep, np.ndarray, float]:
    look, setting = forgetting.chosen(state(FORGETTING, key))
    jobs = forgetting.jobs(setting)
    runs = shipped.runs(jobs, forgetting.FILE)
    assert len(runs) == len(jobs)
    found = forgetting.gather(setting, runs, (look.world.horizon - 1,))
    here = [w.kind for w in setting.worlds].index(look.world.kind)
    return found, found.front(here).median[:, -1], float(found.limit(here))


def test_too_little_and_too_much_memory_cost() -> None:
    for key, much in (("bowl", 1.0), ("bogunovic", 1.5)):  # "far": one and a half times the least
        _, bowl, never = pays(key)
        assert 0 < bowl.argmin() < len(bowl) - 1 and bowl[0] > much * bowl.min() and never > much * bowl.min()


def regrets(key: str) -> tuple[asking.FirstSeed, dict[str, float]]:
    setting = asking.chosen(state(QUERIES, key))
    show = asking.first_seed(setting)
    return show, {n: float(run.regret.sum()) for n, run in show.runs.items()}


def test_four_times_fewer_questions_cost_nothing() -> None:
    show, regret = regrets("fewer")
    many, few = (int(show.plays[n].extra_queries.sum()) for n in ("SparQ", "W-SparQ"))
    assert round(many / few) == 4 and regret["W-SparQ"] <= regret["SparQ"]


def test_never_starting_over_loses_more():
    trial = data_lab.race(data_lab.chosen(state(REAL_DATA, "start_over")))
    late = {name: set(looks[-len(looks) // 5 :].tolist()) for name, looks in trial.looks.items()}
    assert len(late["PE"]) == 1 and len(late["R-PERP"]) == trial.problem.f.shape[1]
    end = {name: float(np.median(total[:, -1])) for name, total in trial.total.items()}
    assert end["R-PERP"] < 0.8 * end["PE"]


def test_half_of_thirty_miss_one_error() -> None:
    b = reproductions.board(str(state(REPRODUCED, "entries")["shown"]))
    assert (len(b.panels), len(b.rows), b.paper.size) == (6, 5, 30) and b.printed
    missed = float((np.abs(b.z[-1]) > 1).mean())
    assert 0.4 <= missed <= 0.6  # "half"; a normal difference misses with probability 0.32, "a third"


def test_without_the_constant_three_panels_are_better() -> None:
    b = reproductions.board(str(state(REPRODUCED, "constant")["shown"]))
    at = {name: b.mean[-1][:, b.rows.index(name)] for name in ("Random", "R-PERP", "R-PERP, C = 0")}
    assert len(b.panels) == 4 and (at["R-PERP"] >= at["Random"]).all()
    assert int((at["R-PERP, C = 0"] < at["Random"]).sum()) == 3
    clear = [f for f in b.report["findings"] if f["claim"].endswith("R-PERP, C = 0 is below Random") and f["decided"]]
    assert len(clear) == 1 and clear[0]["holds"]  # "in one of them beyond chance"


def look(key: str) -> dict[str, float]:
    v = state(MICROSCOPE, key)
    found = microscope_model.experiment(str(v["statement"]), microscope_model.chosen(str(v["statement"]), v))
    t = MICROSCOPE.moment(key).t
    return {line.name: float(line.y[t]) for line in found.over if not line.dots} | {"sweep": float(found.sweep[t])}


def test_the_microscope_measures_what_it_says() -> None:
    times, noise, ten, sign, walk = (look(moment.key) for moment in MICROSCOPE.moments)
    assert times["outside at T"] <= times["promise δ"] < times["ever outside, up to T"]
    assert noise["(21) as printed"] < noise["exact"] < noise["with 1/σ²"]
    assert ten["sweep"] == 10 and ten["subset of data"] > 2 * ten["variational"]
    assert sign["with minus"] < sign["with plus"]
    assert walk["random walk"] < walk["promise"] <= walk["independent noise"]
