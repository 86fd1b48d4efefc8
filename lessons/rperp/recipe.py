"""The lesson's figure as Python."""

from __future__ import annotations

from collections.abc import Mapping

from lessons.rperp import facts, model
from lessons.rperp.model import ORDER_STREAM, SHUFFLES, SPREAD_STREAM
from lessons.rperp.setting import DRIFT, Setting
from lessons.shared import script as code
from lessons.shared import worlds
from tvbo_core.policies.width import THEORY


def recipe(value: Mapping[str, object], t: int) -> str | None:
    """Return the batch on screen: the errors that grow of both orders, or Algorithm 1 in both.

    None where the width needs a norm bound that this world has not.
    """
    chosen, both = model.chosen(value), value["order"] == "both"
    if chosen.width in (THEORY, DRIFT) and chosen.world.kind == "markov":
        return None
    followed = f"follows the fixed order with swing {chosen.swing:g}; " if chosen.follows else ""
    world = "" if both else f"{'base: ' if chosen.follows else ''}{worlds.caption(chosen.world)}, "
    lines = [
        code.world("world", chosen.world, also=("budget",) if chosen.follows else ()),
        "problem = tv.make_problem(world)",
        f"ridge = {chosen.ridge!r} * problem.noise_sd**2",
        *_restart(chosen),
        *(_growth(chosen, int(value["interval"]), t) if both else _algorithm(chosen, value, t)),
    ]
    used = [name for name in ("order_adversary", "shuffles", "steps") if f" {name}." in "\n".join(lines)]
    return code.join(
        code.title("R-PERP, step by step", f"frame {t} of the film by {'question' if both else value['grain']}"),
        code.comment(f"{followed}{world}shuffle {chosen.shuffle}"),
        "import numpy as np" if any("np." in line for line in lines) else "",
        "import tvbo_core as tv" + ("" if used else "\n"),
        f"from tvbo_core.policies.elimination import {', '.join(used)}\n" if used else "",
        *lines,
    )


def _orders(chosen: Setting) -> str:
    """Return the argument that is the chance of the shuffles, where it is not that of the run."""
    seed = chosen.world.seed
    return f", np.random.default_rng([{seed}, {ORDER_STREAM}, {chosen.shuffle}])" if chosen.shuffle else ""


def _growth(chosen: Setting, interval: int, t: int) -> list[str]:
    """Return the lines of the errors after t questions, in the known order, in the shuffle and in others."""
    seed, asked = chosen.world.seed, max(t, 0)
    return [
        "rule = tv.RPERP(restart=H, width=2.0, ridge=ridge)  # no width changes what the first batch of a restart asks",
        f"run = list(rule.batches(problem, tv.observe.play_rng({seed}){_orders(chosen)}))",
        f"i, b = next((i, b) for i, b in enumerate(run) if b.interval == min({interval}, run[-1].interval))",
        "n, f, known = len(b.picks), problem.f[b.start : b.end], np.arange(len(b.picks))  # known: asked as picked",
        "weights = tv.posterior_weights(problem.kernel, problem.x[b.picks], problem.x, ridge)",
        "def errors(times, k):  # k questions are heard without noise, the others are their batch average",
        "    return np.where(times < k, f[times, b.picks], f.mean(axis=0)[b.picks]) @ weights - f.mean(axis=0)",
        "x = np.abs(errors(known, n)).argmax()  # where the known order errs most",
        f"chance, orders = np.random.default_rng([{seed}, {SPREAD_STREAM}, i]), np.tile(known, ({SHUFFLES}, 1))",
        "others = chance.permuted(orders, axis=1)",
        "ends = np.abs([errors(times, n)[x] for times in others])",
        f"k, less = min({asked}, n), 2 * ends < abs(errors(known, n)[x])  # k questions are asked",
        'facts = {"H": rule.restart_rounds(problem.known), "x": problem.x[x, 0], "questions": n, "question": k,',
        '         "known order": errors(known, k)[x], "one shuffle": errors(b.permutation, k)[x],',
        f'         "shuffles": {SHUFFLES}, "their average": np.mean([errors(times, k)[x] for times in others]),',
        '         "err less than half as much": less.sum()}',
        PRINT,
    ]


def _algorithm(chosen: Setting, value: Mapping[str, object], t: int) -> list[str]:
    """Return the lines of the batch on screen, of the lit line of Algorithm 1, and of the errors over many shuffles."""
    seed, order = chosen.world.seed, str(value["order"])
    walk = model.film(model.paired_runs(chosen), value)
    frame = min(max(t, 0), len(walk.steps) - 1)
    step = walk.steps[frame]
    batch = walk.runs.runs[model.NAMES[order]][step.batch]
    row = "min(b.start + step.heard, T - 1)" if step.judged else "b.start + max(step.heard - 1, 0)"
    left = "survivors" if step.dropped or step.line == 16 else "alive"
    film = f'"{value["grain"]}", {int(str(value["interval"]))}'
    chance = f"tv.observe.play_rng({seed}){_orders(chosen)}"
    return [
        code.call("rule = tv.RPERP(", _rule(chosen, order == "shuffled")),
        f"run = list(rule.batches(problem, {chance}))",
        f"step, T = steps.steps(run, {film})[{frame}], problem.horizon  # line {step.line} of Algorithm 1",
        "b = run[step.batch]",
        f'facts = {{"t": b.start + step.heard, "candidates": b.alive.sum(), "left": b.{left}.sum(),',
        f'         "x*": problem.x[problem.f[{row}].argmax(), 0]}}',
        *(ELIMINATES if step.line == 20 and facts.eliminates(batch) else LINES[step.line]),
        *(_repeats(chosen, order, chance) if value["repeats"] else []),
        PRINT,
    ]


PRINT = 'print("\\n".join(f"{name} = {number:.6g}" for name, number in facts.items()))'
WIDE = [
    'facts |= {"half-width": (b.band.upper - b.band.mean)[b.alive].max(), "rewards vary by": np.ptp(problem.f) / 2}'
]

COVERED = ['facts["covered"] = ((b.band.lower <= b.truth) & (b.truth <= b.band.upper))[b.alive].sum()']
# Line of Algorithm 1 -> the lines of its own facts.
LINES = {
    2: [
        "H = rule.restart_rounds(problem.known)",
        'facts |= {"H": H, "V_T": problem.sup_variation, "T": T, "restart": b.interval, "restarts": -(-T // H),',
        '          "length": sum(b.sizes)}',
    ],
    3: ['facts |= {f"N_{k}": size for k, size in enumerate(b.sizes, start=1)}'],
    5: [
        "before, total = (1, *b.sizes)[b.number - 1], sum(b.sizes)",
        'facts |= {"batch": b.number, "length": total, "N before": before, "N": len(b.picks),',
        '          "formula": np.ceil(np.sqrt(total * before))}',
    ],
    8: [
        'facts |= {"pick": step.picked, "N": len(b.picks), "s": b.sds[step.picked - 1],',
        '          "x picked": problem.x[b.picks[step.picked - 1], 0]}',
    ],
    11: ['facts |= {"N": len(b.picks)}'],
    13: [
        "m = np.flatnonzero(b.permutation == step.heard - 1)[0]",
        'facts |= {"question": step.heard, "N": len(b.picks), "x asked": problem.x[b.picks[m], 0],',
        '          "answer": b.rewards[m], "average there": b.truth[b.picks[m]]}',
    ],
    16: [*COVERED, 'facts |= {"N": len(b.picks), "actions": len(b.alive)}'],
    19: [*COVERED, *WIDE],
    20: WIDE,
}
ELIMINATES = [  # line 20, where it does
    'facts |= {"batch": b.number, "questions so far": sum(b.sizes[: b.number]), "cost": b.cost,',
    '          "ruled out": (~b.survivors).sum(), "actions": len(b.alive)}',
    'facts |= {f"candidates of batch {c.number}": c.alive.sum() for c in run[: step.batch + 1]',
    "          if c.interval == b.interval}",
]


def _repeats(chosen: Setting, order: str, chance: str) -> list[str]:
    """Return the lines of the errors of R-PERP's batch over many orders."""
    shuffled = [
        f"rperp = {code.call('tv.RPERP(', _rule(chosen, True))}",
        f"b = list(rperp.batches(problem, {chance}))[step.batch]",
    ]
    return [
        *(shuffled if order == "fixed" else []),
        f"errors = shuffles.shuffle_spread(problem, b, ridge, {SHUFFLES}, "
        f"np.random.default_rng([{chosen.world.seed}, {SPREAD_STREAM}, step.batch]))",
        "fixed, mixed = (e[:, errors.place] for e in (errors.fixed, errors.shuffled))  # where fixed errs most",
        f'facts |= {{"shuffles": {SHUFFLES}, "x most wrong": problem.x[errors.arms[errors.place], 0],',
        '          "fixed order errs by": fixed.mean(), "the same way": max((fixed > 0).sum(), (fixed < 0).sum()),',
        '          "shuffles err by": mixed.mean(), "their SD": mixed.std()}',
    ]


def _restart(chosen: Setting) -> list[str]:
    """Return the lines of the world that follows, if it does, and of the restart H."""
    wanted = code.literal(chosen.restart or "paper")
    if not chosen.follows:
        return [f"H = {wanted}  # everything is forgotten every H rounds"]
    return [
        f"known = tv.RPERP(restart={wanted}, width=2.0, ridge=ridge, delta={chosen.delta!r})",
        f"problem, H = order_adversary.tuned(problem, known, {chosen.swing!r}, world.budget)  # moves against it",
    ]


def _rule(chosen: Setting, shuffled: bool) -> list[str]:
    """Return R-PERP's arguments."""
    width = ['width="theory"'] if chosen.width in (THEORY, DRIFT) else [f"width={float(chosen.width)!r}"]
    width += ['form="drift"', "step=problem.steps.max(initial=0.0)"] if chosen.width == DRIFT else []
    return ["restart=H", *width, *([] if shuffled else ["shuffle=False"]), "ridge=ridge", f"delta={chosen.delta!r}"]
