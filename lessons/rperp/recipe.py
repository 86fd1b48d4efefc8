"""The settings of the lesson's scripts: one of the errors that grow, one of a step of Algorithm 1."""

from __future__ import annotations

from collections.abc import Mapping

from lessons.rperp import facts, model
from lessons.rperp.model import ORDER_STREAM, SHUFFLES
from lessons.rperp.setting import DRIFT, RPERPSetting
from lessons.shared import script as code
from lessons.shared import worlds
from tvbo_core.policies.width import THEORY


def recipe(value: Mapping[str, object], t: int) -> str | None:
    """Return the batch on screen: the errors that grow of both orders, or Algorithm 1 in both.

    None where the width needs a norm bound that this world has not.
    """
    chosen, both = model.setting_from(value), value["order"] == "both"
    if chosen.width in (THEORY, DRIFT) and chosen.world.kind == "markov":
        return None
    followed = f"follows the fixed order with swing {chosen.swing:g}; " if chosen.follows else ""
    world = "" if both else f"{'base: ' if chosen.follows else ''}{worlds.caption(chosen.world)}, "
    stream = f"np.random.default_rng([{chosen.world.seed}, {ORDER_STREAM}, {chosen.shuffle}])"
    settings = [
        code.world(chosen.world, "world", also=("budget",) if chosen.follows else ()),
        f"orders = ({f'{stream},' if chosen.shuffle else ''})  # chance of the shuffle on screen",
    ]
    blocks = {"restart": [f"ridge = {chosen.ridge!r} * problem.noise_sd**2", *_restart(chosen)]}
    title = f"R-PERP, step by step, frame {t} of the film by {'query' if both else value['grain']}"
    notes = [f"{followed}{world}shuffle {chosen.shuffle}"]
    if both:
        settings.append(f"interval, queries, shuffles = {int(value['interval'])}, {max(t, 0)}, {SHUFFLES}")
        return code.script(__file__, title, notes, settings=settings, **blocks, follows=chosen.follows)
    walk, order = model.film(model.paired_runs(chosen), value), str(value["order"])
    frame = min(max(t, 0), len(walk.steps) - 1)
    step = walk.steps[frame]
    batch = walk.runs.run(model.NAMES[order])[step.batch]
    settings.append(f'grain, interval, frame = "{value["grain"]}", {int(str(value["interval"]))}, {frame}')
    blocks["rule"] = [code.call("rule = tv.RPERP(", _rule(chosen, order == "shuffled"))]
    return code.script(
        __file__,
        title,
        [*notes, f"line {step.line} of Algorithm 1"],
        settings=settings,
        **blocks,
        file="script_algorithm.py",
        follows=chosen.follows,
        drawn=bool(chosen.shuffle),
        line=step.line,
        judged=step.judged,
        dropped=step.dropped or step.line == 16,
        eliminates=step.line == 20 and facts.eliminates(batch),
    )


def _restart(chosen: RPERPSetting) -> list[str]:
    """Return the lines of the world that follows, if it does, and of the restart H."""
    wanted = code.literal(chosen.restart or "paper")
    if not chosen.follows:
        return [f"H = {wanted}  # everything is forgotten every H rounds"]
    return [
        f"known = tv.RPERP(restart={wanted}, width=2.0, ridge=ridge, delta={chosen.delta!r})",
        f"problem, H = order_adversary.tuned(problem, known, {chosen.swing!r}, world.budget)  # moves against it",
    ]


def _rule(chosen: RPERPSetting, shuffled: bool) -> list[str]:
    """Return R-PERP's arguments."""
    width = ['width="theory"'] if chosen.width in (THEORY, DRIFT) else [f"width={float(chosen.width)!r}"]
    width += ['form="drift"', "step=problem.steps.max(initial=0.0)"] if chosen.width == DRIFT else []
    return ["restart=H", *width, *([] if shuffled else ["shuffle=False"]), "ridge=ridge", f"delta={chosen.delta!r}"]
