import numpy as np

import tvbo_core as tv

# <settings>
worlds = {"Static world": tv.World(kind="still", horizon=200, kernel="se", lengthscale=0.2, noise_sd=0.1,
                                  norm_bound=float("inf"), seed=48),
          "Jumping world": tv.World(kind="jumps", budget=None, horizon=200, kernel="se", lengthscale=0.2,
                                    noise_sd=0.1, norm_bound=float("inf"), seed=48, switches=3)}
methods = {"Random": tv.Random(), "GP-UCB": tv.GPUCB(width=2.0), "R-PERP": tv.RPERP(restart=40, width=2.0)}
seeds, t = range(48, 50), 200
# </settings>
table = tv.race(list(worlds.values()), methods, seeds=seeds)  # n_jobs=-1: all cores
print(f"t = {t}\nseeds = {len(seeds)}\nmethods = {len(methods)}")
for w, title in enumerate(worlds):
    curves = {name: table.curves(name, w)[:, t - 1] for name in methods}  # regret so far, one a seed
    regret = {name: np.median(curve) for name, curve in curves.items()}
    order = sorted(methods, key=regret.get)  # best first
    said = [tv.race_results.paired_difference(curves[n], curves[order[0]]).verdict for n in order[1:]]
    extra = np.median(table.extra_queries[table.names.index(order[0]), w, :, :t].sum(axis=-1))
    print(f"{title}, about equal with the leader = {said.count('about equal')}")
    print(f"{title}, undecided beside the leader = {said.count('undecided') + said.count('less')}")
    print(f"{title}, side queries of the leader = {int(extra)}")
    for place, name in enumerate(order, start=1):
        print(f"{title}, {name} = {regret[name]:.4f}\n{title}, place of {name} = {place}")
