"""Fits with a border, CMM beside DMM, and ours against the papers' numbers, each by another way."""

from __future__ import annotations

import math

import numpy as np
import pytest

from lessons.reproductions import model
from lessons.reproductions.experiments import Published, flynn
from lessons.reproductions.experiments.compare import BEYOND, judge, lower, paired, scoreboard
from lessons.reproductions.experiments.fresh import Bordered, FreshKernelUCB, decomposed
from lessons.reproductions.names import REPRODUCTIONS
from tvbo_core.kernels import make_kernel
from tvbo_core.policies.kernel_ucb import KernelUCB

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
    part = "Matern 3/2, 0.2 | DMM"
    assert flynn.play_exact(3, part, 2, 40).numbers["regret"] == flynn.play_cell(3, part, 2, 40).numbers["regret"]
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
    assert scoreboard([judge(VALUES, Published(m, 1.0, 10)) for m, _, _ in cases[:2]]) == {"within 1": 1, "within 2": 1}


def test_methods_are_compared_seed_by_seed():
    gap, error = paired(np.array([1.0, 2.0, 3.0]), np.array([2.0, 4.0, 6.0]))  # gaps -1, -2, -3
    assert (gap, error) == (-2.0, pytest.approx(1.0 / math.sqrt(3.0)))
    assert lower("", np.array([1.0]), np.array([2.0])).holds
    assert "one repetition" in lower("", np.array([1.0]), np.array([2.0])).measured
    assert not lower("", np.array([2.0, 2.0]), np.array([2.0, 2.0])).holds


def test_students_quantile_decides_a_difference():
    far = np.array([-1.0, -2.0, -3.0])  # mean -2, standard error 0.577: 3.46 of them, the quantile at n = 3 is 4.30
    assert lower("", far, np.zeros(3)).holds and not lower("", far, np.zeros(3)).decided
    assert lower("", np.append(far, far), np.zeros(6)).decided  # 5.48 standard errors against 2.57
    assert not lower("", far[:1], np.zeros(1)).decided
