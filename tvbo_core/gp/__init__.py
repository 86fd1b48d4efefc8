r"""The posterior, in every form that the core has. All give the numbers of `posterior`, each where it is cheap.

With n observations so far, m arms and u distinct arms among those observed, one round costs:

form           names                            for                                               a round
-------------  -------------------------------  ------------------------------------------------  ----------------
dense          posterior, posterior_weights,    any points, any noise: the formula and the        O(n^3 + n^2 m)
               weighted_sd,                     reference
               log_det, factor
grid           grid_posterior, merge_repeats    fixed arms, once: repeats of an arm are merged    O(n + u^3 + u^2 m)
carried        RankOne                          fixed arms, one reward a round: keep, restart,    O(m^2)
                                                window (an observation is taken back)
merged arms    MergedArms                       fixed arms, weights that change every round:      O(u^3 + u^2 m)
                                                discount, injected uncertainty
Kalman         RankOne.fade                     a reward that fades by epsilon a round            O(m^2)
over time      prefix_fits                      after 0, 1, ..., n observations at one            O(n^2 + n m)
                                                regulariser, from one factor
spectral       spectrum, prefix_spectra         every regulariser at once, from one               O(n^3 + n^2 m)
                                                eigendecomposition a time
learner        make_state                       what a policy carries: the cheapest of the above  as above; a draw
                                                for its memory, with joint draws (joint_draw)     O(m^3) at most
"""

from tvbo_core.gp.dense import (
    factor,
    joint_draw,
    log_det,
    posterior,
    posterior_covariance,
    posterior_weights,
    weighted_sd,
)
from tvbo_core.gp.grid import grid_posterior, merge_repeats
from tvbo_core.gp.learner_state import PosteriorState, make_state
from tvbo_core.gp.merged_arms import MergedArms
from tvbo_core.gp.over_time import prefix_fits
from tvbo_core.gp.rank_one import RankOne
from tvbo_core.gp.spectral import RegularisedFit, Spectrum, prefix_spectra, spectrum

__all__ = [
    "MergedArms",
    "PosteriorState",
    "RankOne",
    "RegularisedFit",
    "Spectrum",
    "factor",
    "grid_posterior",
    "joint_draw",
    "log_det",
    "make_state",
    "merge_repeats",
    "posterior",
    "posterior_covariance",
    "posterior_weights",
    "prefix_fits",
    "prefix_spectra",
    "spectrum",
    "weighted_sd",
]
