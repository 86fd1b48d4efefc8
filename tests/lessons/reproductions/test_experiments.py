"""Tables and figures of the papers: what is run, by which fits, how it is compared, and that a cut run goes on."""

from __future__ import annotations

import json
import math
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path

import numpy as np
import pytest

from lessons.reproductions import model
from lessons.reproductions.__main__ import main
from lessons.reproductions.experiments import (
    EXPERIMENTS,
    PartOutcome,
    Published,
    Results,
    bogunovic,
    flynn,
)
from lessons.reproductions.experiments.compare import BEYOND, highest, judge, lower, lowest
from lessons.reproductions.experiments.fresh import Bordered, FreshKernelUCB, decomposed
from lessons.reproductions.experiments.runner import path_of, resolve, run
from lessons.reproductions.names import REPRODUCTIONS
from tvbo_core.kernels import make_kernel
from tvbo_core.policies.kernel_ucb import KernelUCB

ROOT = Path(__file__).resolve().parents[3]
SMALL = {"bogunovic-figure-2b": "epsilon 0.03"}  # its covariance has full rank: one epsilon is enough
FOLDER = ROOT / "assets" / "reproductions"
STORED = sorted(FOLDER.glob("*.json"))


def results(report: dict) -> dict:
    """Return the part of a report that depends neither on the machine nor on how the run was cut."""
    return {key: value for key, value in report.items() if key not in ("machine", "findings")} | {
        "claims": [(f["claim"], f["holds"]) for f in report["findings"] if "much more" not in f["claim"]]
    }


# --- what is run


def test_flynn_rewards_have_norm_ten() -> None:
    for name in flynn.KERNELS:
        problem = flynn.world(name, 3, 40, 3)
        x, kernel, f = problem.x.reshape(-1, 3), problem.kernel, problem.f.ravel()
        # No function of smaller norm takes these values: the least norm through some of them is at most 10.
        least = f[:25] @ np.linalg.solve(kernel(x[:25], x[:25]) + 1e-9 * np.eye(25), f[:25])
        assert least <= flynn.B**2 * (1 + 1e-9)
        assert len(np.unique(x, axis=0)) == 40 * flynn.ARMS and x.min() >= 0 and x.max() <= 1
    assert flynn.scale_of("RBF, 0.5", 1000, 3) == 1.0
    assert flynn.scale_of("Matern 3/2, 0.2", 1000, 3) == pytest.approx(1000 ** (-3 / 9), rel=1e-12)


def groups(names: Iterable[str], count: int) -> list:
    """Return names in so many groups, of which the first is in the fast ring."""
    names = list(names)
    slow = [pytest.param(names[i::count], id=str(i), marks=pytest.mark.slow) for i in range(1, count)]
    return [pytest.param(names[::count], id="0"), *slow]


@pytest.mark.parametrize("names", groups(EXPERIMENTS, 5))
def test_a_slice_of_every_experiment_runs(names, tmp_path):
    for name in names:
        experiment = EXPERIMENTS[name]
        size = resolve(experiment, reps=1, horizon=25 if experiment.horizon else None, only=SMALL.get(name, ""))
        report = run(experiment, size, tmp_path)
        assert json.loads((tmp_path / f"{name}.json").read_text()) == report_as_written(report)
        assert not report["full_size"] or experiment.horizon == 0, name
        assert bool(report["findings"]) == (len(report["results"]) == len(experiment.parts)), name
        for part, measured in report["results"].items():
            numbers = [entry["mean"] for key, entry in measured.items() if key != "curve"]
            assert numbers and np.isfinite(numbers).all(), (name, part)
            if experiment.horizon:
                rounds, mean = measured["curve"]["rounds"], measured["curve"]["mean"]
                assert rounds[-1] == 25 and np.all(np.diff(mean) >= 0) and mean[0] >= 0, (name, part)


def report_as_written(report: dict) -> dict:
    """The report after its numbers were cut to the digits kept."""
    from lessons.reproductions.experiments.runner import rounded

    return json.loads(json.dumps(rounded(report)))


# --- running: any number of processes, any number of cuts

PLAY = ("deng-figure-1a", "--reps", "3", "--horizon", "60")
ENV = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "PYTHONPATH": str(ROOT)}


@pytest.fixture(scope="module")
def at_once(tmp_path_factory):
    folder = tmp_path_factory.mktemp("once")
    assert main([*PLAY, "--out", str(folder)]) == 0
    return results(json.loads((folder / "deng-figure-1a.json").read_text()))


@pytest.mark.slow
def test_a_killed_run_goes_on(at_once, tmp_path):
    command = [sys.executable, "-m", "lessons.reproductions", *PLAY, "--out", str(tmp_path)]
    folder = tmp_path / "deng-figure-1a.runs"
    running = subprocess.Popen(command, env=ENV, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    until = time.monotonic() + 60
    while len(list(folder.glob("*.json"))) < 2 and time.monotonic() < until:
        time.sleep(0.001)
    running.send_signal(signal.SIGKILL)
    running.wait()
    kept = {path: path.stat().st_mtime_ns for path in folder.glob("*.json")}
    assert 2 <= len(kept) < 18 and not (tmp_path / "deng-figure-1a.json").exists()
    assert main([*PLAY, "--out", str(tmp_path)]) == 0
    assert results(json.loads((tmp_path / "deng-figure-1a.json").read_text())) == at_once
    assert {path: path.stat().st_mtime_ns for path in kept} == kept  # none was run again


def test_unreadable_repetitions_are_run_again(at_once, tmp_path):
    experiment = EXPERIMENTS["deng-figure-1a"]
    size = resolve(experiment, 3, 60)
    spoiled = path_of(tmp_path / "deng-figure-1a.runs", experiment, size, experiment.parts[0], 0)
    spoiled.parent.mkdir()
    spoiled.write_text('{"part": "cut sh')
    seen = []
    assert results(report_as_written(run(experiment, size, tmp_path, progress=seen.append))) == at_once
    assert len(seen) == 18 and seen[-1].startswith("18/18")


# The boards of CMM take 7 s a slice; their DMM is held against Table 1's own runs in tests/lessons/reproductions.
# The boards of CMM take 7 s a slice; their DMM is held against Table 1's own runs in test_experiments_flynn.py.
@pytest.mark.parametrize("names", groups((p.stem for p in STORED if "cmm" not in p.stem), 7))
def test_a_slice_of_stored_results_comes_again(names):
    for name in names:
        stored = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
        experiment = EXPERIMENTS[stored["name"]]
        seconds = stored["machine"]["seconds_a_repetition"]
        part = min(seconds, key=seconds.get)
        outcome = experiment.play(part, stored["seeds"][-1], stored["horizon"])
        for measure, value in outcome.numbers.items():
            kept = stored["results"][part][measure]
            # The same seed: equal but for rounding, which decisions may enlarge; else within its Monte Carlo error.
            allowed = max(1e-6 * abs(kept["mean"]), 4.0 * (kept["sd"] or 0.0))
            assert abs(value - kept["values"][-1]) <= allowed, (name, measure)


def test_stored_statements_follow_from_stored_numbers():
    for path in STORED:
        stored = json.loads(path.read_text(encoding="utf-8"))
        outcomes = {
            part: {
                seed: PartOutcome(
                    {measure: entry["values"][i] for measure, entry in kept.items() if measure != "curve"},
                    tuple(curve[i]) if i < len(curve := kept.get("curve", {}).get("seeds", [])) else (),
                    stored["machine"]["timing"][part],
                )
                for i, seed in enumerate(stored["seeds"])
            }
            for part, kept in stored["results"].items()
        }
        found = EXPERIMENTS[stored["name"]].findings(Results(outcomes, stored["horizon"]))
        said = [(f["claim"], f["holds"], f["decided"], f["said"]) for f in stored["findings"]]
        again = [(f.claim, f.holds, f.decided, f.said and asdict(f.said)) for f in found]
        assert again == said, path.stem


ALPHA = np.array([1e-3, 0.01, 0.3])


def data(first: int, newer: int, nu: float = 2.5) -> tuple[Bordered, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    rng, n = np.random.default_rng([first, newer]), first + newer
    kernel = make_kernel("matern", nu, 0.4)
    X, Z, y = rng.uniform(size=(n, 3)), rng.uniform(size=(7, 3)), rng.standard_normal(n)
    K, cross, prior = kernel(X, X), kernel(X, Z), kernel.diag(Z)
    return Bordered(*decomposed(K[:first, :first]), K, y, cross, prior), K, y, cross, prior


@pytest.mark.parametrize(("first", "newer"), [(30, 0), (40, 9), (1, 5)])
def test_bordered_fits_are_dense_solves(first, newer):
    fits, K, y, cross, prior = data(first, newer)
    mean, variance, quad = fits.at(ALPHA, slice(None))
    inverse, L, z, same = fits.data(ALPHA)
    np.testing.assert_array_equal(quad, same)
    for some, whole in zip(fits.at(ALPHA, np.array([5, 2]))[:2], (mean, variance), strict=True):
        np.testing.assert_allclose(some, whole[:, [5, 2]], rtol=1e-12)  # some arms alone are those of all
    for i, alpha in enumerate(ALPHA):
        A = K + alpha * np.eye(len(y))
        solved = np.linalg.solve(A, np.column_stack([y, cross]))
        np.testing.assert_allclose(mean[i], cross.T @ solved[:, 0], rtol=1e-9, atol=1e-10)
        # The dense solve cancels the prior: about 1e-12 of it is left of variances from 1e-3 on.
        np.testing.assert_allclose(variance[i], prior - (cross * solved[:, 1:]).sum(axis=0), rtol=1e-7, atol=1e-11)
        assert quad[i] == pytest.approx(y @ solved[:, 0], rel=1e-9)
        assert fits.weights_sq(inverse, L, z)[i] == pytest.approx(solved[:, 0] @ solved[:, 0], rel=1e-8)
        assert fits.log_det(alpha, L[i]) == pytest.approx(np.linalg.slogdet(np.eye(len(y)) + K / alpha)[1], rel=1e-10)


@pytest.mark.parametrize(("name", "norm"), [("Matern 3/2, 0.2", 10.0), ("Matern 5/2, 0.5", 0.3)])
def test_cmm_asks_what_the_whole_band_asks(name, norm):
    n = 60
    problem = flynn.world(name, 1, n, 3)
    band = flynn.band_of("CMM", flynn.scale_of(name, n, 3), n, norm)  # 0.3 is too little: the set empties
    ours, plain = FreshKernelUCB(band).init(problem.known), KernelUCB(band).init(problem.known)
    rng, empty = np.random.default_rng(0), 0
    for t in range(n):
        a, b = ours.band(), plain.band()
        assert int(a.upper.argmax()) == int(b.upper.argmax()) and a.empty == b.empty
        assert a.upper.max() == pytest.approx(b.upper.max(), abs=1e-10)  # of 10, the norm bound
        assert (a.upper >= b.upper - 1e-10).all()
        empty += b.empty
        arm = int(b.upper.argmax()) if t % 3 else int(rng.integers(flynn.ARMS))
        y = float(problem.f[t, arm] + 0.1 * rng.standard_normal())
        ours.learn(arm, y), plain.learn(arm, y)
    assert (empty > 0) == (norm < 1.0)


def test_dmm_beside_cmm_plays_table_1():
    again, table = (
        EXPERIMENTS[name].play("Matern 3/2, 0.2 | DMM", 2, 40) for name in ("flynn-cmm-d3", "flynn-table-1")
    )
    assert again.numbers["regret"] == table.numbers["regret"]
    for name in (name for name in REPRODUCTIONS if name.startswith("flynn-cmm")):
        board, table = model.board(name), model.board(f"flynn-table-1{'' if name[-1] == '3' else '-' + name[-2:]}")
        same = [table.values[: board.frames, table.panels.index(p), table.rows.index("DMM")] for p in board.panels]
        # Equal worlds and equal noise; rounding of another day's arithmetic is all that may differ.
        np.testing.assert_allclose(board.values[:, :, board.rows.index("DMM")].T, same, rtol=1e-6)


VALUES = np.array([1.0, 2.0, 3.0, 4.0])  # mean 2.5, sd sqrt(5/3), standard error sqrt(5/12)


def test_cells_are_judged_by_their_differences_error():
    error = math.sqrt(5 / 12 + 0.1)  # the paper's own standard error is 1/sqrt(10)
    cases = [(2.5, "within 1", 0.0), (1.5, "within 2", 1.0), (4.5, "within 3", -2.0), (0.0, BEYOND, 2.5)]
    for mean, status, gap in cases:
        verdict = judge(VALUES, Published(mean, 1.0, 10))
        assert (verdict.mean, verdict.status, verdict.runs) == (2.5, status, 4)
        assert verdict.sd == pytest.approx(math.sqrt(5 / 3), rel=1e-12)
        assert verdict.z == pytest.approx(gap / error, rel=1e-12)


def test_methods_are_compared_seed_by_seed():
    # Gaps -1, -2, -3: standard error 1/sqrt(3), 4.303 of which reach 2.48.
    found = lower("", np.array([1.0, 2.0, 3.0]), np.array([2.0, 4.0, 6.0]))
    assert found.measured == "2 against 4; mean difference -2 (95 % interval -4.48 to 0.484, 3 paired repetitions)"
    assert lower("", np.array([1.0]), np.array([2.0])).holds
    assert "one repetition" in lower("", np.array([1.0]), np.array([2.0])).measured
    assert not lower("", np.array([2.0, 2.0]), np.array([2.0, 2.0])).holds


def test_lowest_is_decided_by_its_nearest_rival():
    steady, noise = np.zeros(6), np.array([-1.0, 1.0, -1.0, 1.0, -1.0, 1.0])
    regret = {"a": steady, "far": steady + 9.0, "near": 0.1 + noise}
    found = lowest("", "a", regret)
    assert found.holds and not found.decided and "(near)" in found.measured
    assert lowest("", "a", {"a": steady, "far": steady + 9.0 + noise}).decided
    other = lowest("", "far", regret)
    assert not other.holds and other.decided and "(a)" in other.measured
    level = lowest("", "near", regret)  # above one rival, by less than chance allows
    assert not level.holds and not level.decided
    assert highest("", "far", regret).holds and highest("", "far", regret).decided
    assert not highest("", "a", regret).holds


def test_growth_of_spread_is_decided_in_pairs():
    rng = np.random.default_rng(0)
    narrow, wide = rng.standard_normal(200), 1.0 + 2.0 * rng.standard_normal(200)  # the narrow one has the lower mean
    found = bogunovic.spread_grows({100: narrow, 200: wide})
    assert found.holds and found.decided
    again = bogunovic.spread_grows({100: narrow, 200: narrow[::-1] + 1.0})  # equal spreads
    assert not again.decided


def test_students_quantile_decides_a_difference():
    far = np.array([-1.0, -2.0, -3.0])  # mean -2, standard error 0.577: 3.46 of them, the quantile at n = 3 is 4.30
    assert lower("", far, np.zeros(3)).holds and not lower("", far, np.zeros(3)).decided
    assert lower("", np.append(far, far), np.zeros(6)).decided  # 5.48 standard errors against 2.57
    assert not lower("", far[:1], np.zeros(1)).decided
