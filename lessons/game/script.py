import tvbo_core as tv
from tvbo_core.policies.human import duel, line_up

#: if over
from tvbo_core.worlds import events

#: endif
from tvbo_core.worlds.codes import hidden_world

# <settings>
world = hidden_world("yxwdj", 10, 0.2)
you = [49, 97, 53, 5, 33, 65, 62, 51, 100, 38]  # your questions, numbers of actions
methods = {"Random": tv.Random(), "GP-UCB": tv.GPUCB(width=2.0)}
row = 9  # rows count from 0
# </settings>
problem = tv.make_problem(world)
rivals = line_up(problem, methods, world.seed)  # all hear the same noise in the same round
game = duel(problem, you, rivals, world.seed)
x, mine = problem.x[:, 0], game.you
facts = {"round": row + 1, "players": len(game.order), "you asked x": x[mine.arms[row]],
         "best x": x[problem.best[row]], "you missed": mine.regret[row]}
for name in game.order:
    facts |= {f"{name}: place": game.place[name][row], f"{name}: regret": game.total[name][row]}
#: if over
facts["V_T"] = problem.sup_variation
facts |= {f"jump {i}: in round": jump.t + 1 for i, jump in enumerate(events(problem).jumps, 1)}
asked = {name: run.extra_queries for name, run in game.rivals.items()}  # beside the rounds
facts |= {f"{n}: side queries": a.sum() for n, a in asked.items() if a is not None and a.any()}
#: endif
print("\n".join(f"{name} = {number:.6g}" for name, number in facts.items()))
