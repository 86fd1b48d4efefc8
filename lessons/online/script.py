import numpy as np

import tvbo_core as tv

# <settings>
world = tv.World(kind="jumps", budget=4.0, horizon=200, nu=1.5, arms=50, seed=3)
t, eta = 200, 0.5
learners = {"keeps all": tv.GPUCB(width=1.645), "forgets": tv.WGPUCB(discount=0.95, width=1.645)}
# </settings>
problem = tv.make_problem(world)
run = tv.observe.random_design(problem, world.horizon, tv.observe.play_rng(world.seed))
rows, noise = np.arange(world.horizon), 1.645 * problem.noise_sd
print("observations =", t)

def report(name, q, missed, scale):
    half = np.maximum(q[:-1], 0)[:t, None] * scale[:t]
    print(f"{name}: share inside =", f"{1 - missed[:t].mean():.4f}" if t else None)
    print(f"{name}: mean half-width =", f"{half.mean():.4f}" if t else None)

for name, policy in learners.items():
    film = tv.watch(policy, run)  # row t: the band after t observations
    scale = np.sqrt((film.upper - film.mean) ** 2 + noise**2)
    scores = abs(run.y - film.mean[rows, run.arms]) / scale[rows, run.arms]
    report(name, np.ones(len(rows) + 1), scores > 1, scale)
band = tv.OnlineBand(delta=0.1, eta=eta)
widths = band.widths(scores)
report("adapts to its misses", widths.q, widths.missed, scale)
print("share may be off by =", f"{band.miss_bound(max(1.0, scores[:t].max()), t):.4f}" if t else None)
