import tvbo_core as tv

# <settings>
world = tv.World(kind="glide", budget=4.0, horizon=10, kernel="se", lengthscale=0.2, noise_sd=0.2,
                 norm_bound=3.0, seed=0)
you = [49, 97, 53, 5, 33, 65, 62, 51, 100, 38]  # your questions, numbers of actions
methods = {"Random": tv.Random(), "GP-UCB": tv.GPUCB(width=2.0)}
row = 9  # rows count from 0
# </settings>
problem = tv.make_problem(world)
runs = {name: tv.play(problem, rule, tv.observe.play_rng(world.seed)) for name, rule in methods.items()}
regret = {name: run.regret for name, run in runs.items()}  # all hear the same noise in the same round
regret["You"] = problem.f.max(axis=1) - problem.f[range(len(you)), you]
x, total = problem.x[:, 0], {name: one[: row + 1].sum() for name, one in regret.items()}
facts = {"round": row + 1, "players": len(total), "you queried x": x[you[row]],
         "best x": x[problem.best[row]], "you missed": regret["You"][row]}
for name, mine in total.items():
    facts[f"{name}: place"] = 1 + sum(other < mine - 1e-9 for other in total.values())
    facts[f"{name}: regret"] = mine
#: if over
facts["V_T"] = problem.sup_variation
facts |= {f"jump {i}: in round": jump.t + 1 for i, jump in enumerate(tv.worlds.events(problem).jumps, 1)}
asked = {name: run.extra_queries for name, run in runs.items()}  # beside the rounds
facts |= {f"{n}: side queries": a.sum() for n, a in asked.items() if a.any()}
#: endif
print("\n".join(f"{name} = {number:.6g}" for name, number in facts.items()))
