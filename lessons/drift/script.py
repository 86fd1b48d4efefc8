import numpy as np

import tvbo_core as tv

# <settings>
worlds = {"Glide": tv.World(kind="glide", budget=1.5, horizon=200, kernel="se", lengthscale=0.2, noise_sd=0.1,
                            norm_bound=3.0, seed=7),
          "Jumps": tv.World(kind="jumps", budget=1.5, horizon=200, kernel="se", lengthscale=0.2, noise_sd=0.1,
                            norm_bound=3.0, seed=7, switches=1)}
now, before = 199, 198  # rows count from 0
# </settings>
print(f"t = {now + 1}")
for name, world in worlds.items():
    problem = tv.make_problem(world)  # f[t, i]: expected reward of arm i in round t
    x = problem.x[problem.best, 0]  # best action
    facts = {"V_T": problem.sup_variation, "V_t": problem.steps[:now].sum(),  # sums of the largest changes
             "largest change": problem.steps[before] if now else 0.0, "x*": x[now],
             "steps": np.count_nonzero(problem.steps[:now]),
             "hop": abs(x[now] - x[before])}
    #: if norm
    facts["B_T"] = problem.rkhs_variation  # in the norm of the kernel
    #: endif
    print("\n".join(f"{name} {fact} = {number:.4f}" for fact, number in facts.items()))
