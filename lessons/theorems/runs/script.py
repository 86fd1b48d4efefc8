from dataclasses import replace

import numpy as np

import tvbo_core as tv
from tvbo_core.theory.against import CASES

#: if not has_norm
from tvbo_core.theory.finite import markov_floor

#: endif
# <settings>
first = tv.World(kind="adversary", budget=4.0, horizon=1600, kernel="matern", nu=2.5,
                 lengthscale=0.2, noise_sd=0.1, norm_bound=3.0, seed=3)
case = CASES["rperp"]  # a theorem with explicit constants, and its algorithm
seeds = range(3, 8)
# </settings>
regret, worst, chance = [], [], []
for seed in seeds:
    world = replace(first, seed=seed)
    problem = tv.make_problem(world)
    f, run = problem.f, tv.play(problem, case.policy(world), tv.observe.play_rng(seed))
    regret.append(run.regret.sum())
    #: if not has_norm
    worst.append((f.max(axis=1) - f.min(axis=1)).sum())
    #: endif
    chance.append((f.max(axis=1) - f.mean(axis=1)).sum())  # uniform random play, in expectation
problem = tv.make_problem(first)
bound = case.bound(problem, first)
#: if has_norm
most = 2 * first.norm_bound * first.horizon
#: else
most = np.mean(worst)
#: endif
print("T =", first.horizon)
print(f"measured, mean = {np.mean(regret):.6g}\nmeasured, largest = {np.max(regret):.6g}")
print(f"bound = {bound.total:.6g}")  # bound.source: where it is proved
print(f"cannot exceed = {most:.6g}")
print(f"random play = {np.mean(chance):.6g}")
#: if has_norm
floor = tv.adversary.lower_bound(first, problem.x)[-1]  # averaged over the hidden position
#: else
floor = markov_floor(problem.kernel, problem.x, first.horizon, first.epsilon)  # averaged over rewards
#: endif
print(f"lower bound (mean) = {floor:.6g}")
