import tvbo_core as tv

# <settings>
world = tv.World(kind="glide", budget=1.5, horizon=100, kernel="matern", nu=1.5, lengthscale=0.2,
                 arms=101, noise_sd=0.1, norm_bound=3.0, seed=6)
design, t, delta = tv.observe.random_design, 70, 0.01  # t: so many observations
# </settings>
problem = tv.make_problem(world)
history = design(problem, problem.horizon, tv.observe.play_rng(world.seed))
sigma, eta = problem.noise_sd, 2 / world.horizon  # IGP's regulariser is 1 + eta
# <tuning>
B = 1.0 * problem.norm_bound
c = 1.0  # scale of the prior that AMM, DMM and CMM mix over
ridge = sigma**2 / c  # AY's
bands = {"CMM": tv.CMM(B, sigma, delta, c=c), "AY": tv.AY(B, sigma, delta, ridge=ridge),
         "IGP": tv.IGP(B, sigma, delta, eta=eta)}
# </tuning>
films = tv.films(bands, problem.kernel, history.X, history.y, problem.x)  # one frame a time
truth = problem.f[[max(s - 1, 0) for s in range(len(history.y) + 1)]]  # the reward then
norm = None if problem.norms is None else round(problem.norms.max(), 4)  # of the reward, at most
print(f"t = {t}\nB = {B:.4f}\ntrue norm = {norm}\nlevel = {1 - delta:g}")
print(f"V_T = {problem.sup_variation:.4f}")
for name, film in films.items():  # None: the whole truth was inside at all times, the set was never empty
    print(name, "mean half-width =", None if film.empty[t] else round(film.half_width[t], 4))
    print(name, "first miss =", tv.first_miss(film, truth))
    print(name, "first empty =", film.empty.argmax() if film.empty.any() else None)
