from dataclasses import replace

import numpy as np

import tvbo_core as tv

# <settings>
world = tv.World(kind="still", budget=0.0, horizon=300, kernel="se", lengthscale=0.2, noise_sd=0.1,
                 norm_bound=3.0, seed=3)
listed = (("Static", "still", 0.0), ("Glide, V = 8", "glide", 8.0))
m, seeds, t = 40, range(3, 5), 300
methods = {"forgets": tv.RGPUCB(restart=min(2 * m, world.horizon), width=2.0), "keeps": tv.GPUCB(width=2.0)}
# </settings>
worlds = [replace(world, kind=kind, budget=budget) for _, kind, budget in listed]
table, said = tv.race(worlds, methods, seeds=seeds), []  # n_jobs=-1: all cores
for w, (name, *_) in enumerate(listed):
    peaks = [p.x[p.best, 0] for p in (tv.make_problem(replace(worlds[w], seed=s)) for s in seeds)]
    moves = np.mean([np.abs(x[m:] - x[:-m]).mean() if m < len(x) else 0.0 for x in peaks])
    apart = tv.race_results.paired_difference(*(table.curves(one, w)[:, t - 1] for one in methods))
    said.append(apart.verdict)
    print(f"{name}: the peak moves = {moves:.6f}\n{name}: difference = {apart.mean:.4f}")
print(f"t = {t}\nworlds = {len(worlds)}")
print(f"forgetting has less = {said.count('less')}\nkeeping has less = {said.count('more')}")
