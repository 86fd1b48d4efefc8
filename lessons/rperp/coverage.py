"""Does R-PERP's promise hold? Eq. 9 in repeated worlds. Workers import this module: nothing here knows Streamlit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from tvbo_core import Problem, World
from tvbo_core.designs import play_rng
from tvbo_core.policies.elimination.order_adversary import followers, largest_swing, tuned
from tvbo_core.policies.elimination.policy import RPERP
from tvbo_core.policies.elimination.schedule import resolve_restart
from tvbo_core.policies.elimination.shuffles import Eq9Score, eq9_score
from tvbo_core.policies.tuning import PAPER
from tvbo_core.policies.width import THEORY
from tvbo_core.threads import one_thread
from tvbo_core.worlds import make_problem

DRIFT = "drift"
FEW = 12  # worlds that are measured at once


@dataclass(frozen=True)
class Setting:
    """What the reader chose: plain values.

    Attributes:
        world: the world, or the still base of the one that follows the learner.   follows: whether it does.
        swing: of the follower, reward units.   restart: H, 0 for Theorem 5.
        width: a number as text, "theory" (eq. 8) or "drift" (derived here).
        ridge: multiple of the noise variance.   delta: failure probability.   shuffle: which shuffle, 0 is the race's.
    """

    world: World
    follows: bool
    swing: float = 1.0
    restart: int = 25
    width: str = "2"
    ridge: float = 1.0
    delta: float = 0.1
    shuffle: int = 0


def rule(setting: Setting, H: int | str, step: float, noise_sd: float, shuffled: bool = True) -> RPERP:
    """R-PERP, or the same in the fixed order, as this page tunes it."""
    told = setting.width in (THEORY, DRIFT)
    return RPERP(
        restart=H,
        width=THEORY if told else float(setting.width),
        shuffle=shuffled,
        ridge=setting.ridge * noise_sd**2 if noise_sd > 0 else None,
        delta=setting.delta,
        form=DRIFT if setting.width == DRIFT else "paper",
        step=step if setting.width == DRIFT else None,
    )


def staged(setting: Setting, base: Problem) -> tuple[Problem, int, float]:
    """The world of a setting from its base, the restart H in it, and the swing of the follower (0 elsewhere)."""
    if not setting.follows:
        return base, resolve_restart(setting.restart or PAPER, base.known), 0.0
    with one_thread():
        followed = rule(replace(setting, width="2"), setting.restart or PAPER, 0.0, base.noise_sd)
        problem, H = tuned(base, followed, setting.swing, float(setting.world.budget or 0.0))
        swing = min(setting.swing, largest_swing(base))
    return problem, H, swing


def repeated(setting: Setting, worlds: int) -> tuple[Problem, ...]:
    """The world with as many seeds, from its own upwards; a table stays itself and is heard with other noise.

    Where it follows, the restart of the setting is the one that is followed.
    """
    if setting.world.kind == "data":
        return (make_problem(setting.world),) * worlds
    stages = [replace(setting.world, seed=s) for s in range(setting.world.seed, setting.world.seed + worlds)]
    if not setting.follows:
        return tuple(make_problem(w) for w in stages)
    bases = [make_problem(w) for w in stages]
    followed = rule(replace(setting, width="2"), setting.restart, 0.0, bases[0].noise_sd)
    with one_thread():
        return tuple(followers(bases, followed, setting.swing, float(setting.world.budget or 0.0)))


# 200 worlds can take 100 MB, and every row of the panel uses the same ones; of few, some settings find room.
_few, _many = lru_cache(maxsize=4)(repeated), lru_cache(maxsize=1)(repeated)


def scores(rows: Sequence[tuple[Setting, bool]], H: int, worlds: int) -> tuple[Eq9Score, ...]:
    """How often every band covered its batch average, a row a setting and an order (shuffled or not)."""
    setting = rows[0][0]  # the rows differ in the width alone, so they share worlds, noise and orders
    problems = (_few if worlds <= FEW else _many)(replace(setting, width="2", delta=0.1, shuffle=0, restart=H), worlds)
    # Told once for all: no step of any of these worlds is longer.
    step = max(float(p.steps.max(initial=0.0)) for p in problems)
    rules = [rule(one, H, step, problems[0].noise_sd, shuffled) for one, shuffled in rows]
    return tuple(eq9_score(problems, one, lambda i: play_rng(setting.world.seed + i)) for one in rules)
