import numpy as np

import tvbo_core as tv

#: if follows
from lessons.rperp import order_adversary  # needs a checkout of the lab, with its requirements

#: endif
# <settings>
world = tv.World(kind="still", budget=16.0, horizon=200, kernel="se", lengthscale=0.4, noise_sd=0.1,
                 norm_bound=3.0, seed=4)
orders = ()  # chance of the shuffle on screen
queries, shuffles = 15, 400
# </settings>
problem = tv.make_problem(world)
# <restart>
ridge = 5.0 * problem.noise_sd**2
known = tv.RPERP(restart=200, width=2.0, ridge=ridge, delta=0.1)
problem, H = order_adversary.tuned(problem, known, 2.0, world.budget)  # moves against it
# </restart>
rule = tv.RPERP(restart=H, width=2.0, ridge=ridge)  # the width changes no first batch
b = next(rule.batches(problem, tv.observe.play_rng(world.seed), *orders))  # the first batch
n, f, known = len(b.picks), problem.f[b.start : b.end], np.arange(len(b.picks))  # known: as picked
weights = tv.posterior_weights(problem.kernel, problem.x[b.picks], problem.x, ridge)
def errors(times, k):  # k observed without noise, the others at batch average
    return np.where(times < k, f[times, b.picks], f.mean(axis=0)[b.picks]) @ weights - f.mean(axis=0)
others = np.random.default_rng([world.seed, 13, 0]).permuted(np.tile(known, (shuffles, 1)), axis=1)
ends, k = np.array([errors(times, n) for times in others]), min(queries, n)
both = errors(known, n), errors(b.permutation, n)  # each is read where its error is largest
(x, z), largest = (np.abs(one).argmax() for one in both), np.abs(ends).max(axis=1)
facts = {"H": rule.restart_rounds(problem.known), "x, known order": problem.x[x, 0], "queries": n,
         "x, one shuffle": problem.x[z, 0], "query": k, "known order": errors(known, k)[x],
         "one shuffle": errors(b.permutation, k)[z], "shuffles": shuffles, "their median": np.median(largest),
         "err less than half as much": (2 * largest < abs(errors(known, n)[x])).sum()}
print("\n".join(f"{name} = {number:.6g}" for name, number in facts.items()))
