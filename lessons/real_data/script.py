#: if own
from pathlib import Path

#: endif
import numpy as np

import tvbo_core as tv

from lessons.real_data import trial  # needs a checkout of the lab, with its requirements

#: if own
from lessons.real_data import tables

#: endif
# <table>
cells = tables.read(Path("your_table.csv").read_bytes())
print(cells.fingerprint[:12])
table = tv.data.load("stocks")
# </table>
# <problems>
first = tv.data.training_problem(table, noise_share=0.1)
second = tv.data.data_problem(table, len(table.times), 0.1)
seeds, t = range(5), min(40, second.horizon)
# </problems>
# <memories>
memories = trial.learn(first, 4).memories
# </memories>
print(memories)
# <methods>
methods = {name: memories.policy(name) for name in ("Random", "GP-UCB", "SW-GP-UCB")}
# </methods>
#: if limited
listed, arms = tv.policies.BY_NAME, second.f.shape[1]  # a method that is too slow on so many arms stays away
methods = {name: rule for name, rule in methods.items() if arms <= (listed[name].max_arms or arms)}
#: endif
race = tv.race(second, methods, seeds=seeds)
facts = {"t": t, "changes of the best arm": sum(row < t for row in trial.best_changes(second))}
loss = {name: race.curves(name)[:, t - 1] / t for name in methods}  # of a round so far, by seed
facts |= {f"{name}: regret per round": np.median(losses) for name, losses in loss.items()}
arm, regret = trial.fixed_arm(second)  # known only afterwards
print("best fixed arm:", second.arm_names[arm])
facts["best fixed arm: regret per round"] = regret[:t].mean()
#: if saving
if t == second.horizon:
    best = min([n for n in trial.FORGETTING[::-1] if n in loss], key=lambda n: np.median(loss[n]))
    facts["saved by forgetting"] = 1 - np.median(loss[best]) / np.median(loss["GP-UCB"])
    facts |= {"seeds in which it saves": (loss[best] < loss["GP-UCB"]).sum(), "seeds": len(race.seeds)}
#: endif
print("\n".join(f"{name} = {number:.6g}" for name, number in facts.items()))
