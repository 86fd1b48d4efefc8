import numpy as np

import tvbo_core as tv
from tvbo_core.records import LearnerInfo
from tvbo_core.theory.against import CASES

#: if markov
from tvbo_core.theory.finite import markov_floor

#: endif
# <settings>
kernel, T = tv.Matern(2.5, 0.2), 1600
noise_sd, norm_bound, V, drift, delta = 0.1, 3.0, 4.0, 4.0, 0.1
case = CASES["rperp"]
# </settings>
x = np.linspace(0, 1, 100)[:, None]
known = LearnerInfo(x, T, noise_sd, kernel, norm_bound, V, None)
bound = case.at(known, drift, delta)
print("T =", T)
print(f"bound = {bound.total:.6g}")  # bound.source: where it is proved
#: if markov
print(f"the most = {2 * T * markov_floor(known.kernel, known.x, 1, 1.0):.6g}")
#: else
print(f"the most = {2 * known.norm_bound * T:.6g}")
#: endif
