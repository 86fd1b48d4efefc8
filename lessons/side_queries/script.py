import numpy as np

import tvbo_core as tv

# <settings>
world = tv.worlds.mauduit.Stale(horizon=200, kernel="se", lengthscale=0.2, noise_sd=0.1, seed=4, alpha=1.0)
methods = {"GP-UCB": tv.GPUCB(width=2.0), "W-SparQ": tv.WSparQ(width=2.0)}
seeds, t = range(4, 24), 200
# </settings>
table = tv.race(world, methods, seeds=seeds)  # n_jobs=-1: all cores
print(f"t = {t}")
for p, name in enumerate(table.names):
    print(f"{name}: side queries = {table.extra_queries[p, 0, 0, :t].sum()}")  # so far, first seed
    print(f"{name}: regret = {np.median(table.curves(name)[:, t - 1]):.4f}")  # so far, median over the seeds
