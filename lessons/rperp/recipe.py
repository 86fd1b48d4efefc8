"""The lesson's figure as Python."""

from __future__ import annotations

from collections.abc import Mapping

from lessons.rperp import model
from lessons.rperp.model import ORDER_STREAM, SHUFFLES, SPREAD_STREAM
from lessons.rperp.setting import DRIFT, Setting
from lessons.shared import script as code
from lessons.shared import worlds
from tvbo_core.policies.width import THEORY


def recipe(value: Mapping[str, object], t: int) -> str | None:
    """Return the batch on screen in both orders, and the errors of its estimate over 400 shuffles.

    None where the width needs a norm bound that this world has not.
    """
    chosen = model.chosen(value)
    if chosen.width in (THEORY, DRIFT) and chosen.world.kind == "markov":
        return None
    seed = chosen.world.seed
    orders = f", np.random.default_rng([{seed}, {ORDER_STREAM}, {chosen.shuffle}])" if chosen.shuffle else ""
    film = f'"{value["grain"]}", {int(value["interval"])}'
    followed = f"follows the fixed order with swing {chosen.swing:g}; base: " if chosen.follows else ""
    return code.join(
        code.title(3, "R-PERP, step by step", f"frame {t} of the film by {value['grain']}"),
        code.comment(f"{followed}{worlds.caption(chosen.world)}, shuffle {chosen.shuffle}"),
        "import numpy as np\nimport tvbo_core as tv",
        f"from tvbo_core.policies.elimination import {'order_adversary, ' if chosen.follows else ''}shuffles, steps\n",
        code.world("world", chosen.world, also=("budget",) if chosen.follows else ()),
        "problem = tv.make_problem(world)",
        f"ridge = {chosen.ridge!r} * problem.noise_sd**2",
        *_restart(chosen),
        'for name, shuffle in {"fixed order": False, "R-PERP": True}.items():',
        code.call("    rule = tv.RPERP(", _rule(chosen)),
        f"    run = list(rule.batches(problem, tv.observe.play_rng({seed}){orders}))",
        f"    b = run[i := steps.steps(run, {film})[:{max(t, 0) + 1}][-1].batch]  # the batch on screen",
        "    held = ((b.band.lower <= b.truth) & (b.truth <= b.band.upper))[b.alive].sum()",
        '    print(f"{name}: batch {b.number} of {b.sizes}, actions = {b.alive.sum()} to {b.survivors.sum()}, "',
        '          f"covered = {held}, today\'s best action lost = {b.lost}")',
        f"errors = shuffles.shuffle_spread(problem, b, ridge, {SHUFFLES}, "
        f"np.random.default_rng([{seed}, {SPREAD_STREAM}, i]))",
        "fixed, mixed = (e[:, errors.place] for e in (errors.fixed, errors.shuffled))  # where fixed errs most",
        'print(f"H = {rule.restart_rounds(problem.known)}, V_T = {problem.sup_variation:.4f}, "',
        '      f"x = {problem.x[errors.arms[errors.place], 0]:.4f}")',
        'print(f"errors: fixed order = {fixed.mean():.4f}, shuffled = {mixed.mean():.4f}, sd = {mixed.std():.4f}")',
    )


def _restart(chosen: Setting) -> list[str]:
    """Return the lines of the world that follows, if it does, and of the restart H."""
    wanted = code.literal(chosen.restart or "paper")
    if not chosen.follows:
        return [f"H = {wanted}  # everything is forgotten every H rounds"]
    return [
        f"known = tv.RPERP(restart={wanted}, width=2.0, ridge=ridge, delta={chosen.delta!r})",
        f"problem, H = order_adversary.tuned(problem, known, {chosen.swing!r}, world.budget)  # moves against it",
    ]


def _rule(chosen: Setting) -> list[str]:
    """Return R-PERP's arguments; `shuffle` is the order."""
    width = ['width="theory"'] if chosen.width in (THEORY, DRIFT) else [f"width={float(chosen.width)!r}"]
    width += ['form="drift"', "step=problem.steps.max(initial=0.0)"] if chosen.width == DRIFT else []
    return ["restart=H", *width, "shuffle=shuffle", "ridge=ridge", f"delta={chosen.delta!r}"]
