"""Scripts of the lessons in which methods race: regret by method, by memory, and by number of questions."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from tvbo_core import World
from tvbo_core.records import Policy
from tvbo_core.worlds.mauduit import Synthetic
from ui import asking, compute, forgetting, forgetting_desk, race_desk, racing
from ui import game as duels
from ui import world as worlds
from ui.knobs import METHODS
from ui.recipes import code
from ui.recipes.first import within

# How a memory of m steps sets each method (tvbo_core.gp.memory.matched), as source.
OF_M = {
    "r": "tv.RGPUCB(restart=min(2 * m, {T}), width={w})",
    "sw": "tv.SWGPUCB(window=min(m, {T}), width={w})",
    "wgp": "tv.WGPUCB(discount=1 - 1 / m, width={w})",
    "tv": "tv.TVGPUCB(epsilon=min(2 / m, 1), width={w})",
    "rperp": "tv.RPERP(restart=min(2 * m, {T}), width={w})",
}


def seeds(numbers: range) -> str:
    """Which seeds, in words."""
    return f"seeds {numbers[0]} to {numbers[-1]}" if len(numbers) > 1 else f"seed {numbers[0]}"


def setup(world: World) -> str:
    """The page's caption without its seed: a race has several."""
    return worlds.caption(world).rsplit(", seed", 1)[0].rsplit(", noise seed", 1)[0]


def race(value: Mapping[str, object], t: int) -> str | None:
    """Lesson 4: every method's median regret in each world, the best first."""
    chosen = race_desk.chosen(value)
    stages = chosen.stages
    made = {METHODS[m]: racing.policy(m, chosen.memory, chosen.width) for m in chosen.methods}
    made = {name: rule for name, rule in made.items() if not any(_refuses(rule, stage) for stage in stages)}
    if not made:
        return None
    t = within(t, 1, stages[0])
    names = ("left", "right")[: len(stages)]
    every = [code.world("left", stages[0], kinds=[w.kind for w in stages])]
    every += [code.other("right", "left", stages[0], stages[1])] if len(stages) == 2 else []
    numbers = chosen.numbers
    return code.join(
        code.title(4, "The race", f"t = {t}, {seeds(numbers)}"),
        *(code.comment(f"{n}: {setup(w)}") for n, w in zip(names, stages, strict=True)),
        "from dataclasses import replace\n" if len(stages) == 2 else "",
        "import numpy as np\n\nimport tvbo_core as tv\n",
        *every,
        code.mapping("methods", {name: code.policy(rule) for name, rule in made.items()}),
        f"table = tv.race([{', '.join(names)}], methods, seeds=range({numbers.start}, {numbers.stop}))"
        "  # n_jobs=-1: all cores",
        f"for w, title in enumerate({code.literal(names)}):  # regret so far, median over the seeds, best first",
        f"    regret = {{name: np.median(table.curves(name, w)[:, {t - 1}]) for name in methods}}",
        '    print(f"{title}:", ", ".join(f"{n} = {regret[n]:.4f}" for n in sorted(regret, key=regret.get)))',
    )


def game(value: Mapping[str, object], t: int) -> str | None:
    """Lesson 11: everybody's place and regret; None until the game is over, as the truth stays hidden till then."""
    setting = duels.Setting(str(value["world"]), int(value["rounds"]), float(value["noise"]))
    played = duels.games().get(setting)
    if played is None or not played.over:
        return None
    made = {METHODS[m]: racing.policy(m, int(value["m"]), duels.WIDTH) for m in value["algos"]}
    return code.join(
        code.title(11, "You against the bandits", f"world {setting.code} after the last of {setting.rounds} rounds"),
        "import tvbo_core as tv\nfrom tvbo_core.policies.human import duel, line_up",
        "from tvbo_core.worlds.codes import hidden_world\n",
        f'world = hidden_world("{setting.code}", {setting.rounds}, {setting.noise!r})',
        "problem = tv.make_problem(world)",
        code.call("you = [", map(str, played.arms), "]  # your questions, numbers of actions"),
        code.mapping("methods", {name: code.policy(rule) for name, rule in made.items()}),
        "rivals = line_up(problem, methods, world.seed)  # all hear the same noise in the same round",
        "game = duel(problem, you, rivals, world.seed)",
        "for name in game.order:",
        '    print(f"{name}: place = {game.place[name][-1]}, regret = {game.total[name][-1]:.4f}")',
    )


def _refuses(rule: Policy, stage: World) -> bool:
    """Whether a method cannot race in a world: then the page leaves it out."""
    try:
        problem = compute.problem(stage)
    except ValueError:
        return False
    try:
        rule.select(rule.init(problem.known), 0, np.random.default_rng(0))
    except ValueError:
        return True
    return False


def forgets(value: Mapping[str, object], t: int) -> str:
    """Lesson 6: regret of one method against its memory, in the world and its family."""
    look, chosen = forgetting_desk.chosen(value)
    base, T = look.world, look.world.horizon
    t = within(t, 1, base)
    kinds = [w.kind for w in chosen.worlds]
    width = {"log": "tv.LogWidth(2.0)"}.get(chosen.width) or repr(float(chosen.width))
    rule = OF_M[chosen.front].format(T=T, w=width)
    numbers = chosen.numbers
    family = "world" if len(kinds) == 1 else f"replace(world, kind=kind) for kind in {code.literal(tuple(kinds))}"
    return code.join(
        code.title(6, "Forgetting", f"the bowl of {METHODS[chosen.front]} at t = {t}, {seeds(numbers)}"),
        code.comment(setup(base)),
        "from dataclasses import replace\n" if len(kinds) > 1 else "",
        "import numpy as np\n\nimport tvbo_core as tv\n",
        code.world("world", base, kinds=kinds),
        f"memories = {forgetting.GRID!r}  # past steps that count",
        f'methods = {{f"m = {{m}}": {rule} for m in memories}}',
        f'methods["never forgets"] = tv.GPUCB(width={width})',
        f"worlds = [{family}]",
        f"table = tv.race(worlds, methods, seeds=range({numbers.start}, {numbers.stop}))  # n_jobs=-1: all cores",
        "for w, world in enumerate(worlds):  # regret so far, median over the seeds",
        "    for name in methods:",
        f"        regret = np.median(table.curves(name, w)[:, {t - 1}])",
        '        print(f"{world.kind}, {name}: regret = {regret:.4f}")',
    )


def questions(value: Mapping[str, object], t: int) -> str:
    """Lesson 7: old questions asked again in the first seed, and every method's median regret."""
    chosen = asking.chosen(value)
    world, numbers = chosen.world, chosen.numbers
    t = within(t, 1, world)
    own = type(world) is not World
    return code.join(
        code.title(7, "Side queries", f"t = {t}, {seeds(numbers)}"),
        code.comment(("Mauduit et al., sec. 4.1: " if isinstance(world, Synthetic) else "") + setup(world)),
        "import numpy as np\n\nimport tvbo_core as tv",
        f"from tvbo_core.worlds.mauduit import {type(world).__name__}\n" if own else "",
        code.world("world", world),
        code.mapping("methods", {name: code.policy(rule) for name, rule in chosen.policies.items()}),
        f"table = tv.race(world, methods, seeds=range({numbers.start}, {numbers.stop}))  # n_jobs=-1: all cores",
        f"t = {t}",
        "for p, name in enumerate(table.names):",
        f"    asked = table.extra_queries[p, 0, 0, :t].sum()  # old questions asked again, seed {world.seed}",
        "    regret = np.median(table.curves(name)[:, t - 1])  # so far, median over the seeds",
        '    print(f"{name}: re-asks = {asked}, regret = {regret:.4f}")',
    )
