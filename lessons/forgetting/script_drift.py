#: if several
from dataclasses import replace

#: endif
import numpy as np

import tvbo_core as tv

# <settings>
world = tv.World(kind="travel", budget=8.0, horizon=300, kernel="se", lengthscale=0.2, noise_sd=0.1,
                 norm_bound=3.0, seed=3)
worlds = {f"V_T = {V:g}": replace(world, budget=V) for V in (0.5, 8.0)}
memories = (5, 10, 20, 40, 80, 160)  # past steps that count
methods = {f"m = {m}": tv.RGPUCB(restart=min(2 * m, world.horizon), width=2.0) for m in memories}
seeds, t = range(3, 5), 300
# </settings>
table = tv.race(list(worlds.values()), methods, seeds=seeds)  # n_jobs=-1: all cores
print(f"t = {t}\nseeds = {len(seeds)}")
print(f"Theorem 5: H = {tv.RPERP().restart_rounds(tv.make_problem(world).known)}")
for w, name in enumerate(worlds):
    regret = {m: np.median(table.curves(f"m = {m}", w)[:, t - 1]) for m in memories}  # so far, over the seeds
    best = min(memories, key=regret.get)
    print(f"{name}: best m = {best}\n{name}: least regret = {regret[best]:.4f}")
