"""The settings of the lesson's scripts: one of the errors that grow, one of a step of Algorithm 1."""

from __future__ import annotations

from collections.abc import Mapping

from lessons.rperp import facts, model
from lessons.rperp.knobs import SWING
from lessons.rperp.model import ORDER_STREAM, SHUFFLES
from lessons.rperp.setting import DELTA, DRIFT, RPERPSetting
from lessons.shared import script as code
from lessons.shared import worlds
from tvbo_core.policies.width import THEORY


def recipe(value: Mapping[str, object], t: int) -> str | None:
    """Return the batch on screen: the errors that grow of both orders, or Algorithm 1 in both.

    None where the width needs a norm bound that this world has not.
    """
    setting, both = model.setting_from(value), value["order"] == "both"
    if setting.width in (THEORY, DRIFT) and setting.world.kind == "markov":
        return None
    followed = f"follows the fixed order with swing {SWING:g}; " if setting.follows else ""
    world = "" if both else f"{'base: ' if setting.follows else ''}{worlds.caption(setting.world)}, "
    stream = f"np.random.default_rng([{setting.world.seed}, {ORDER_STREAM}, {setting.shuffle}])"
    settings = [
        code.world(setting.world, "world", also=("budget",) if setting.follows else ()),
        f"orders = ({f'{stream},' if setting.shuffle else ''})  # chance of the shuffle on screen",
    ]
    blocks = {"restart": [f"ridge = {setting.ridge!r} * problem.noise_sd**2", *_restart(setting)]}
    title = f"R-PERP, step by step, frame {t} of the film by {'query' if both else 'line'}"
    notes = [f"{followed}{world}shuffle {setting.shuffle}"]
    if both:
        settings.append(f"queries, shuffles = {max(t, 0)}, {SHUFFLES}")
        return code.script(__file__, title, notes, settings=settings, **blocks, follows=setting.follows)
    walk, order = model.film(model.paired_runs(setting), value), str(value["order"])
    frame = min(max(t, 0), len(walk.steps) - 1)
    step = walk.steps[frame]
    batch = walk.runs.run(model.NAMES[order])[step.batch]
    settings.append(f"batch, picked, heard = {step.batch}, {step.picked}, {step.heard}  # of the step on screen")
    blocks["rule"] = [code.call("rule = tv.RPERP(", _rule(setting, order == "shuffled"))]
    return code.script(
        __file__,
        title,
        [*notes, f"line {step.line} of Algorithm 1"],
        settings=settings,
        **blocks,
        file="script_algorithm.py",
        follows=setting.follows,
        drawn=bool(setting.shuffle),
        line=step.line,
        judged=step.judged,
        dropped=step.is_end,
        eliminates=step.line == 20 and facts.eliminates(batch),
    )


def _restart(setting: RPERPSetting) -> list[str]:
    """Return the lines of the world that follows, if it does, and of the restart H."""
    wanted = code.literal(setting.restart or "paper")
    if not setting.follows:
        return [f"H = {wanted}  # everything is forgotten every H rounds"]
    return [
        f"known = tv.RPERP(restart={wanted}, width=2.0, ridge=ridge, delta={DELTA!r})",
        f"problem, H = order_adversary.tuned(problem, known, {SWING!r}, world.budget)  # moves against it",
    ]


def _rule(setting: RPERPSetting, shuffled: bool) -> list[str]:
    """Return R-PERP's arguments."""
    width = ['width="theory"'] if setting.width in (THEORY, DRIFT) else [f"width={float(setting.width)!r}"]
    width += ['form="drift"', "step=problem.steps.max(initial=0.0)"] if setting.width == DRIFT else []
    return ["restart=H", *width, *([] if shuffled else ["shuffle=False"]), "ridge=ridge", f"delta={DELTA!r}"]
