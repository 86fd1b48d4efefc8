#: if drawn or line in (5, 13, 19) or line == 20 and not eliminates
import numpy as np

#: endif
import tvbo_core as tv

#: if follows
from lessons.rperp import order_adversary  # needs a checkout of the lab, with its requirements

#: endif
# <settings>
world = tv.World(kind="glide", budget=4.0, horizon=200, kernel="se", lengthscale=0.2, noise_sd=0.1,
                 norm_bound=3.0, seed=0)
orders = ()  # chance of the shuffle on screen
batch, picked, heard = 1, 8, 8  # of the step on screen
# </settings>
problem = tv.make_problem(world)
# <restart>
ridge = 1.0 * problem.noise_sd**2
known = tv.RPERP(restart=50, width=2.0, ridge=ridge, delta=0.1)
problem, H = order_adversary.tuned(problem, known, 2.0, world.budget)  # moves against it
# </restart>
# <rule>
rule = tv.RPERP(restart=H, width=2.0, ridge=ridge, delta=0.1)
# </rule>
run = list(rule.batches(problem, tv.observe.play_rng(world.seed), *orders))
b, T = run[batch], problem.horizon
#: if judged
row = min(b.start + heard, T - 1)
#: else
row = b.start + max(heard - 1, 0)
#: endif
facts = {"t": b.start + heard, "candidates": b.alive.sum(), "x*": problem.x[problem.f[row].argmax(), 0]}
#: if dropped
facts["left"] = b.survivors.sum()
#: else
facts["left"] = b.alive.sum()
#: endif
#: if line == 2
H = rule.restart_rounds(problem.known)
facts |= {"H": H, "V_T": problem.sup_variation, "T": T, "restart": b.interval, "restarts": -(-T // H),
          "length": sum(b.sizes)}
#: elif line == 3
facts |= {f"N_{k}": size for k, size in enumerate(b.sizes, start=1)}
#: elif line == 5
before, total = (1, *b.sizes)[b.number - 1], sum(b.sizes)
facts |= {"batch": b.number, "length": total, "N before": before, "N": len(b.picks),
          "formula": np.ceil(np.sqrt(total * before))}
#: elif line == 8
facts |= {"pick": picked, "N": len(b.picks), "s": b.sds[picked - 1],
          "x picked": problem.x[b.picks[picked - 1], 0]}
#: elif line == 11
facts |= {"N": len(b.picks)}
#: elif line == 13
m = np.flatnonzero(b.permutation == heard - 1)[0]
facts |= {"query": heard, "N": len(b.picks), "x evaluated": problem.x[b.picks[m], 0],
          "observation": b.rewards[m], "average there": b.truth[b.picks[m]]}
#: elif eliminates
facts |= {"batch": b.number, "queries so far": sum(b.sizes[: b.number]), "cost": b.cost,
          "ruled out": (~b.survivors).sum(), "actions": len(b.alive)}
facts |= {f"candidates of batch {c.number}": c.alive.sum() for c in run[: batch + 1]
          if c.interval == b.interval}
#: endif
#: if line in (16, 19)
facts["covered"] = ((b.band.lower <= b.truth) & (b.truth <= b.band.upper))[b.alive].sum()
#: endif
#: if line == 16
facts |= {"N": len(b.picks), "actions": len(b.alive)}
#: endif
#: if line in (19, 20) and not eliminates
facts |= {"half-width": (b.band.upper - b.band.mean)[b.alive].max(), "rewards vary by": np.ptp(problem.f) / 2}
#: endif
print("\n".join(f"{name} = {number:.6g}" for name, number in facts.items()))
