"""Ours against the paper's: the statistics, by numbers made by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from lessons.reproductions.experiments import Published
from lessons.reproductions.experiments.compare import BEYOND, OTHER_SIZE, TOO_FEW, judge, lower, paired, scoreboard

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


def test_what_cannot_be_compared_is_not():
    assert judge(VALUES[:1], Published(2.0, 1.0, 10)).status == TOO_FEW
    assert judge(VALUES, Published(2.5, 1.0, 10), same_size=False).status == OTHER_SIZE
    with pytest.raises(ValueError, match="at least one"):
        judge(VALUES[:0], Published(2.0, 1.0, 10))


def test_numbers_without_spread_agree_when_equal():
    same = np.array([2.0, 2.0])
    assert judge(same, Published(2.0, 0.0, 10)).z == 0.0
    assert judge(same, Published(2.1, 0.0, 10)).status == BEYOND


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
