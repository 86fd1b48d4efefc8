r"""The numpy core of the lab: worlds that drift, and what can be said about them.

| On paper    | in code                 | meaning |
|-------------|-------------------------|---|
| f_t(x)      | Problem.f[t-1, i]       | expected reward of arm i in round t (reward units) |
| x*_t        | Problem.best            | index of a best arm of each round |
| V_T         | Problem.sup_variation   | sum_t max_x abs(f_{t+1}(x) - f_t(x)) |
| B_T (Deng)  | Problem.rkhs_variation  | sum_t ‖f_{t+1} - f_t‖_H ; V_T <= sqrt(kappa) B_T |
| B           | norm_bound, B           | bound on ‖f_t‖_H |
| k, nu, ell  | Kernel, nu, lengthscale | kernel, its smoothness, how far one observation speaks |
| xi_t, sigma | noise_sd, sigma         | noise of one observation and its standard deviation |
| mu_t, s_t   | mean, sd                | posterior mean and standard deviation |
| lambda      | ridge                   | regulariser (Flynn & Reeb: alpha; AMM, DMM, CMM use sigma^2/c) |
| beta        | width                   | multiplier of the sd: band = mean +- width * sd |
| Gamma_T     | information_gain        | 1/2 log det(I + K/lambda), always with the 1/2 |
| delta       | delta                   | allowed failure probability |
| c           | c                       | scale of the covariance that AMM, DMM and CMM mix over |
| eta         | eta                     | IGP's regulariser minus one |
| T, t        | horizon, t              | horizon and round (rounds count from 1 on paper, rows from 0) |

In the examples `np` is numpy and `tv` is this package.
"""

from tvbo_core import designs as observe
from tvbo_core import theory, worlds
from tvbo_core.bands import AMM, AY, CMM, DMM, IGP, certify, coverage
from tvbo_core.bands import over_time as film
from tvbo_core.bands.drift_aware import drift_aware_band
from tvbo_core.bands.online import OnlineBand
from tvbo_core.bands.over_time import band_film, films, first_miss
from tvbo_core.gp import grid_posterior, posterior, posterior_weights, weighted_sd
from tvbo_core.gp.information_gain import gain_bounds, greedy_information_gain, information_gain, max_information_gain
from tvbo_core.gp.kdpp import kdpp
from tvbo_core.guests import load_guest
from tvbo_core.kernels import Matern, SquaredExponential, Tabulated, make_kernel
from tvbo_core.learner import Learner, grid
from tvbo_core.play import play, watch
from tvbo_core.policies import (
    ADAOPKB,
    ETCMMUCB,
    ETGPUCB,
    GPUCB,
    OPKB,
    PE,
    RGPUCB,
    RPERP,
    SWGPUCB,
    TVGPUCB,
    UIGPUCB,
    WGPUCB,
    KernelUCB,
    Random,
    SparQ,
    WSparQ,
)
from tvbo_core.policies.elimination.batch import Batch
from tvbo_core.policies.elimination.schedule import batch_sizes
from tvbo_core.policies.learned import LearnedTVGPUCB
from tvbo_core.policies.side_queries.schedule import window_starts
from tvbo_core.policies.stale import WDBO
from tvbo_core.policies.thompson import ThompsonSampling
from tvbo_core.policies.width import LogWidth
from tvbo_core.race import RaceTable, race
from tvbo_core.records import Band, BandFilm, History, LearnerInfo, Problem, World
from tvbo_core.theory import THEOREMS, Theorem
from tvbo_core.worlds import adversary, make_problem
from tvbo_core.worlds import lower_bound as bumps
from tvbo_core.worlds import tables as data

__version__ = "0.3.0"

__all__ = [
    "ADAOPKB", "AMM", "AY", "CMM", "DMM", "ETCMMUCB", "ETGPUCB", "GPUCB", "IGP", "OPKB", "PE", "RGPUCB", "RPERP",
    "SWGPUCB", "THEOREMS", "TVGPUCB", "UIGPUCB", "WDBO", "WGPUCB", "Band", "BandFilm", "Batch", "History", "KernelUCB",
    "LearnedTVGPUCB", "Learner", "LearnerInfo", "LogWidth", "Matern", "OnlineBand", "Problem",
    "RaceTable", "Random", "SparQ", "SquaredExponential", "Tabulated", "Theorem", "ThompsonSampling", "WSparQ", "World",
    "adversary", "band_film", "batch_sizes", "bumps", "certify", "coverage", "data", "drift_aware_band", "film",
    "films", "first_miss", "gain_bounds", "greedy_information_gain", "grid", "grid_posterior", "information_gain",
    "kdpp", "load_guest", "make_kernel", "make_problem", "max_information_gain", "observe", "play", "posterior",
    "posterior_weights", "race", "theory", "watch", "weighted_sd", "window_starts", "worlds",
]  # fmt: skip
