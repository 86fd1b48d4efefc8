import tvbo_core as tv

# <settings>
world = tv.World(kind="still", horizon=100, kernel="se", lengthscale=0.2, noise_sd=0.1, norm_bound=3.0, seed=1)
t = 40
# </settings>
problem = tv.make_problem(world)
X = tv.observe.random_design(problem, problem.horizon, tv.observe.play_rng(world.seed)).X[:t]
print("t =", len(X))
print(f"gain in nats = {tv.information_gain(problem.kernel(X, X), problem.noise_sd**2):.4f}")
