import numpy as np

import tvbo_core as tv

# <settings>
world = tv.World(kind="jumps", budget=None, horizon=250, kernel="se", lengthscale=0.2, noise_sd=0.1,
                 norm_bound=float("inf"), seed=1, switches=5)
memories = (5, 10, 20, 40, 80, 160, 320)  # past steps that count
methods = {f"m = {m}": tv.SWGPUCB(window=min(m, world.horizon), width=2.0) for m in memories}
methods |= {"never forgets": tv.GPUCB(width=2.0), "ET-GP-UCB": tv.ETGPUCB(width=2.0)}
seeds, t, window = range(1, 11), 250, 20
# </settings>
table = tv.race([world], methods, seeds=seeds)  # n_jobs=-1: all cores
print(f"t = {t}\nseeds = {len(seeds)}")
print("SW-GP-UCB: observations =", min(t - 1, window))  # that its window of your memory still holds
regret = {name: np.median(table.curves(name, 0)[:, t - 1]) for name in methods}  # so far, over the seeds
for name, lost in regret.items():
    print(f"{name}: regret = {lost:.4f}")
print("best m =", min(memories, key=lambda m: regret[f"m = {m}"]))
