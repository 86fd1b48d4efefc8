"""Restarts, windows, discounts and widths as the papers print them."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from tvbo_core.kernels import SquaredExponential
from tvbo_core.policies import RGPUCB, SWGPUCB, TVGPUCB, WGPUCB, tuning
from tvbo_core.policies.width import LogWidth, resolve_ridge
from tvbo_core.records import LearnerInfo, World
from tvbo_core.worlds import make_problem


def learner_info(T=5000, d=2, kernel=None, V=4.0, B=None, m=6) -> LearnerInfo:
    x = np.random.default_rng(0).uniform(size=(m, d))
    return LearnerInfo(x, T, 0.1, kernel or SquaredExponential(0.5), 3.0, V, B)


def test_memories_are_the_published_ones():
    short, wide = learner_info(T=500, d=1, B=4.0), learner_info(kernel=SquaredExponential(0.5, 4.0), V=6.0)
    ours_and_papers = [
        # ln 5000 = 8.5171932; its cube; Matern-5/2 in d = 2 has d/(2 nu + d) = 2/7.
        (tuning.gain_rate(5000, math.inf, 2), 617.859),
        (tuning.gain_rate(5000, 2.5, 2), 5000 ** (2 / 7) * 8.5171932 ** (5 / 7)),
        (tuning.gain_rate(1, math.inf, 1), 1.0),
        # T = 5000, d = 2, V_T = 4: ln^3(5000)^(1/4) * sqrt(1250) = 4.98566 * 35.35534 = 176.27 -> 177.
        (RGPUCB().memory(learner_info()).interval, 177),
        (SWGPUCB().memory(learner_info()).length, 177),
        # Unknown budget: 4.98566 * sqrt(5000) = 352.54 -> 353. B_T = 16: 4.98566 * sqrt(5000 / 16) = 88.13 -> 89.
        (RGPUCB("unknown").memory(learner_info()).interval, 353),
        (RGPUCB().memory(learner_info(B=16.0)).interval, 89),
        (tuning.budget(wide), 3.0),  # in units of the prior sd
        # T = 500, d = 1, SE, B_T = 4: ln^2(500) = 38.62139, to the -1/4 0.401139; times sqrt(4/500): 0.0358790.
        (1 - WGPUCB().memory(short).gamma, 0.0358790),
        (1 - WGPUCB("unknown").memory(short).gamma, 0.0358790 / 2),
        # Bogunovic et al., of a squared exponential and of a Matern-5/2 in the plane.
        *[(tuning.markov_restart(200, epsilon), N) for epsilon, N in ((0.001, 68), (0.01, 38), (0.03, 29), (0.0, 200))],
        *[(tuning.markov_restart(200, epsilon, 2.5, 2), N) for epsilon, N in ((0.001, 178), (0.01, 92), (0.03, 67))],
        (LogWidth(1.5).at(99), 1.5 * math.sqrt(math.log(100))),
        # beta_t = 0.8 log(4 t), index mu + sqrt(beta_t) sigma, at t = 25: sqrt(0.8 * 4.60517019).
        (LogWidth(math.sqrt(0.8), 4).at(24), 1.91941036),
        (resolve_ridge(None, learner_info()), 0.01),
        (resolve_ridge(None, replace(wide, noise_sd=0.0)), 4e-6),
    ]
    # 1e-5: what was written down has six to nine digits, and some of them come of rounded steps.
    assert [ours for ours, _ in ours_and_papers] == pytest.approx([papers for _, papers in ours_and_papers], rel=1e-5)


def test_matched_epsilon_moves_by_the_average_step():
    epsilon = tuning.markov_epsilon(T=101, sup_variation=20.0, prior=2.0)
    # One step of f' = sqrt(1-eps) f + sqrt(eps) g has variance 2 (1 - sqrt(1-eps)) prior.
    assert 2 * (1 - math.sqrt(1 - epsilon)) * 2.0 == pytest.approx(0.2**2, rel=1e-9)
    assert tuning.markov_epsilon(100, 1e9, 1.0) == 1.0 and tuning.markov_epsilon(1, 0.0, 1.0) == 0.0


def test_still_worlds_are_never_forgotten():
    told = make_problem(World(kind="still", horizon=60)).known
    assert RGPUCB().memory(told).interval == 60 and SWGPUCB().memory(told).length == 60
    assert WGPUCB().memory(told).gamma == 1.0 and TVGPUCB().memory(told).epsilon == 0.0
