"""The lesson's figure as Python."""

from __future__ import annotations

from lessons.gain.model import chosen

from lessons.record import Values
from lessons.shared import script as code
from lessons.shared import worlds


def recipe(value: Values, t: int) -> str:
    """Return a script for the gain of the first t observations."""
    world = chosen(value)
    t = code.within(t, 0, world)
    return code.join(
        code.title("Information gain", f"t = {t} of {code.within(world.horizon, 0, world)}"),
        code.comment(worlds.caption(world)),
        "import tvbo_core as tv\n",
        code.world("world", world),
        "problem = tv.make_problem(world)",
        f"X = tv.observe.random_design(problem, problem.horizon, tv.observe.play_rng({world.seed})).X[:{t}]",
        'print("t =", len(X))',
        'print(f"gain in nats = {tv.information_gain(problem.kernel(X, X), problem.noise_sd**2):.4f}")',
    )
