import tvbo_core as tv

# <settings>
world = tv.World(kind="travel", budget=2.0, horizon=200, kernel="se", lengthscale=0.25, dimension=2, arms=(30, 30),
                 noise_sd=0.1, norm_bound=2.0, seed=3)
t = 160
learners = {"keeps all": tv.GPUCB(width=2.0), "forgets": tv.WGPUCB(discount=0.95, width=2.0)}
# </settings>
problem = tv.make_problem(world)
f, (x1, x2) = problem.f[t - 1], problem.x[problem.best[t - 1]]
print("t =", t)
print(f"peak x1 = {x1:.4f}\npeak x2 = {x2:.4f}")
for name, policy in learners.items():
    history = tv.play(problem, policy, tv.observe.play_rng(world.seed), bands=True)
    band = history.bands[t - 1]  # with which round t is decided
    outside = (f > band.upper + 1e-9) | (f < band.lower - 1e-9)
    print(f"{name}: regret = {history.regret[:t].sum():.4f}")
    print(f"{name}: outside the band = {outside.mean():.4f}")
