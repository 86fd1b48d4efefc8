from dataclasses import replace

import numpy as np

import tvbo_core as tv

# <settings>
world = tv.World(kind="travel", budget=8.0, horizon=300, kernel="se", lengthscale=0.2, noise_sd=0.1,
                 norm_bound=3.0, seed=3)
budgets, memories = (0.5, 8.0), (5, 10, 20, 40, 80, 160)
methods = {f"m = {m}": tv.RGPUCB(restart=min(2 * m, world.horizon), width=2.0) for m in memories}
seeds, t = range(3, 5), 300
# </settings>
worlds = [replace(world, budget=budget) for budget in budgets]
table = tv.race(worlds, methods, seeds=seeds)  # n_jobs=-1: all cores
print(f"t = {t}\nseeds = {len(seeds)}")
print(f"Theorem 5: H = {tv.RPERP().restart_rounds(tv.make_problem(world).known)}")
for w, V in enumerate(budgets):
    regret = {m: np.median(table.curves(f"m = {m}", w)[:, t - 1]) for m in memories}  # so far, over the seeds
    best = min(memories, key=regret.get)
    print(f"V_T = {V:g}: best m = {best}\nV_T = {V:g}: least regret = {regret[best]:.4f}")
