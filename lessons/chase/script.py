#: if quiet
from dataclasses import replace

#: endif
import tvbo_core as tv

# <settings>
world = tv.World(kind="travel", budget=2.2, horizon=50, kernel="se", lengthscale=0.25, noise_sd=0.1, norm_bound=2.0,
                 seed=49)
t, paid, width = 49, 50, 3.0  # rows count from 0
# </settings>
problem = tv.make_problem(world)
#: if guided
# <asked>
asked = {3: 70}  # your queries: row -> arm
# </asked>
def guided(base):
    own = {"select": lambda self, state, t, rng: asked.get(t, base.select(self, state, t, rng))}
    return type("Guided", (base,), own)
#: endif
# <learners>
learners = {"forgets ": tv.WGPUCB(0.9330329915368074, width=width), "keeps all ": tv.GPUCB(width=width)}
# </learners>
x, f = problem.x[:, 0], problem.f[t]
print(f"round = {t + 1}\nrewards so far = {t}\nwidth = {width}\nthe peak is at = {x[f.argmax()]:.4f}")
for name, rule in learners.items():
    run = tv.play(problem, rule, tv.observe.play_rng(world.seed), bands=True)
    band, arm, y, gap = run.bands[t], run.arms[t], run.y[t], run.regret
    facts = {"outside the band": ((f > band.upper + 1e-9) | (f < band.lower - 1e-9)).mean(),
             "highest point of the band": x[band.upper.argmax()], "queried x": x[arm], "observation y": y,
             "its reward": f[arm], "noise": y - f[arm], "regret": gap[t], "regret so far": gap[:paid].sum()}
    print("\n".join(f"{name}{fact} = {number:.4f}" for fact, number in facts.items()))
#: if quiet
    usual = tv.play(tv.make_problem(replace(world, noise_sd=0.1)), rule, tv.observe.play_rng(world.seed))
    print(f"regret so far with noise 0.1 = {usual.regret[:paid].sum():.4f}")
#: endif
#: if scored
# <turns>
turns = {"your regret in your turns": guided(tv.WGPUCB)(0.9330329915368074, width=width),
         "the learner's regret in them": tv.WGPUCB(0.9330329915368074, width=width)}
first = 17  # row of your first turn
# </turns>
for name, rule in turns.items():
    regret = tv.play(problem, rule, tv.observe.play_rng(world.seed)).regret
    print(f"{name} = {regret[first : t + 1].sum():.4f}")
#: endif
