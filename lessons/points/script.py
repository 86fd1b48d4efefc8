from dataclasses import replace

import tvbo_core as tv

# <settings>
world = tv.World(kind="still", horizon=11, kernel="se", lengthscale=0.15, noise_sd=0.1, norm_bound=2.0,
                 seed=11, arms=101)
t, guessed, width = 2, 0.15, 2.0
asked = {0: 30}  # round, from 0 -> arm: the first query, and yours
# </settings>
class Guided(tv.GPUCB):
    def select(self, state, t, rng):
        return asked.get(t, super().select(state, t, rng))

problem = replace(tv.make_problem(world), kernel=tv.SquaredExponential(guessed))  # as the learner believes
run = tv.play(problem, Guided(width=width), tv.observe.play_rng(world.seed), bands=True)
x, f, band = problem.x[:, 0], problem.f[0], run.bands[t]  # the band after t observations
half, arms = band.upper - band.mean, run.arms
highest = [x[asked[0]], *(x[one.upper.argmax()] for one in run.bands[1:])]
last = {"last queried at x": x[arms[t - 1]], "it was highest at x": highest[t - 1],
        "regret of this round": run.regret[t - 1]}
facts = {"narrowest": half.min(), "widest": half.max(), "mean half-width": half.mean(),
         "outside the band": (abs(f - band.mean) > half + 1e-9).mean(), "highest at x": highest[t],
         **(last if t else dict.fromkeys(last))}
print("observations =", t)
for name, number in facts.items():
    print(name, "=", number if number is None else f"{number:.4f}")
