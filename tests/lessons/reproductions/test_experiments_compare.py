"""Ours against the paper's: the statistics, by numbers made by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from lessons.reproductions.experiments import Published
from lessons.reproductions.experiments.compare import BEYOND, OTHER_SIZE, TOO_FEW, judge, lower, paired, scoreboard

VALUES = np.array([1.0, 2.0, 3.0, 4.0])  # mean 2.5, sd sqrt(5/3), standard error sqrt(5/12)


@pytest.mark.parametrize(
    ("mean", "status", "z"),
    [
        (2.5, "within 1", 0.0),
        (1.5, "within 2", 1.0 / math.sqrt(5 / 12 + 0.1)),  # the paper's own standard error is 1/sqrt(10)
        (4.5, "within 3", -2.0 / math.sqrt(5 / 12 + 0.1)),
        (0.0, BEYOND, 2.5 / math.sqrt(5 / 12 + 0.1)),
    ],
)
def test_a_cell_is_judged_by_the_standard_error_of_the_difference(mean, status, z):
    verdict = judge(VALUES, Published(mean, 1.0, 10))
    assert (verdict.mean, verdict.status, verdict.runs) == (2.5, status, 4)
    assert verdict.sd == pytest.approx(math.sqrt(5 / 3), rel=1e-12)
    assert verdict.z == pytest.approx(z, rel=1e-12)


def test_what_cannot_be_compared_is_not():
    assert judge(VALUES[:1], Published(2.0, 1.0, 10)).status == TOO_FEW
    assert judge(VALUES, Published(2.5, 1.0, 10), same_size=False).status == OTHER_SIZE
    with pytest.raises(ValueError, match="at least one"):
        judge(VALUES[:0], Published(2.0, 1.0, 10))


def test_numbers_without_spread_agree_only_when_they_are_equal():
    same = np.array([2.0, 2.0])
    assert judge(same, Published(2.0, 0.0, 10)).z == 0.0
    assert judge(same, Published(2.1, 0.0, 10)).status == BEYOND


def test_the_scoreboard_counts_every_cell_once():
    verdicts = [judge(VALUES, Published(mean, 1.0, 10)) for mean in (2.5, 2.4, 1.5, 0.0)]
    assert scoreboard(verdicts) == {"within 1": 2, "within 2": 1, "beyond 3": 1}


def test_methods_are_compared_seed_by_seed():
    gap, error = paired(np.array([1.0, 2.0, 3.0]), np.array([2.0, 4.0, 6.0]))  # gaps -1, -2, -3
    assert (gap, error) == (-2.0, pytest.approx(1.0 / math.sqrt(3.0)))
    assert lower("", np.array([1.0]), np.array([2.0])).holds
    assert "one repetition" in lower("", np.array([1.0]), np.array([2.0])).measured
    assert not lower("", np.array([2.0, 2.0]), np.array([2.0, 2.0])).holds


def test_a_difference_is_decided_by_students_quantile():
    far = np.array([-1.0, -2.0, -3.0])  # mean -2, standard error 0.577: 3.46 of them, the quantile at n = 3 is 4.30
    assert lower("", far, np.zeros(3)).holds and not lower("", far, np.zeros(3)).decided
    assert lower("", np.append(far, far), np.zeros(6)).decided  # 5.48 standard errors against 2.57
    assert not lower("", far[:1], np.zeros(1)).decided
