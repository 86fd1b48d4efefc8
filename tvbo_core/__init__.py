r"""The numpy core of the lab: worlds that drift, and what can be said about them.

On paper          in code              meaning
----------------  -------------------  ---------------------------------------------------------------
f_t(x)            Problem.f[t-1, i]    expected reward of arm i in round t (reward units)
x*_t              Problem.best         index of a best arm of each round
V_T               Problem.sup_variation     sum_t max_x |f_{t+1}(x) - f_t(x)|
B_T (Deng)        Problem.rkhs_variation    sum_t ||f_{t+1} - f_t||_H ; V_T <= sqrt(kappa) B_T
B                 norm_bound, B        bound on ||f_t||_H
k, nu, ell        Kernel, nu, lengthscale   kernel, its smoothness, how far one observation speaks
xi_t, sigma       noise_sd, sigma      noise of one observation and its standard deviation
mu_t, s_t         mean, sd             posterior mean and standard deviation
lambda            ridge                regulariser (Flynn & Reeb: alpha; AMM, DMM, CMM use sigma^2/c)
beta              width                multiplier of the sd: band = mean +- width * sd
Gamma_T           information_gain     1/2 log det(I + K/lambda), always with the 1/2
delta             delta                allowed failure probability
c                 c                    scale of the covariance that AMM, DMM and CMM mix over
eta               eta                  IGP's regulariser minus one
T, t              horizon, t           horizon and round (rounds count from 1 on paper, rows from 0)
"""

from tvbo_core import certify, coverage, data, film, observe, worlds
from tvbo_core.bands import AMM, AY, CMM, DMM, IGP
from tvbo_core.drift import drift_aware_band
from tvbo_core.film import band_film, films, first_miss
from tvbo_core.gain import greedy_information_gain, information_gain
from tvbo_core.gp import grid_posterior, posterior, posterior_weights, weighted_sd
from tvbo_core.kernels import Matern, SquaredExponential, Tabulated, make_kernel
from tvbo_core.records import Band, BandFilm, History, Problem, World
from tvbo_core.worlds import make_problem

__version__ = "0.1.0"

__all__ = [
    "AMM", "AY", "CMM", "DMM", "IGP", "Band", "BandFilm", "History", "Matern", "Problem",
    "SquaredExponential", "Tabulated", "World", "band_film", "certify", "coverage", "data",
    "drift_aware_band", "film", "films", "first_miss", "greedy_information_gain", "grid_posterior",
    "information_gain", "make_kernel", "make_problem", "observe", "posterior", "posterior_weights",
    "weighted_sd", "worlds",
]  # fmt: skip
