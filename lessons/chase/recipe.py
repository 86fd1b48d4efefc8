"""The lesson's figure as Python."""

from __future__ import annotations

from collections.abc import Mapping

from lessons.chase import model
from lessons.chase.model import ROUNDS, STEPS, UNIT, WIDTH, discount
from lessons.shared import script as code


def recipe(values: Mapping[str, object], t: int) -> str:
    """Lesson 0: one round, from the band to the regret."""
    s = model.setting(values)
    now = min(max(t // len(STEPS), 0), ROUNDS - 1)
    bent, kept = any(s.start + s.end), s.memory == "all"
    base = "GPUCB" if kept else "WGPUCB"
    made = f"{base}(width={WIDTH})" if kept else f"{base}({discount(s.memory)!r}, width={WIDTH})"
    guided = [
        code.call("asked = {", [f"{row}: {arm}" for row, arm in s.asked], "}  # your questions: row -> arm"),
        f"class Guided(tv.{base}):",
        "    def select(self, state, t, rng):",
        "        return asked.get(t, super().select(state, t, rng))",
    ]
    bend = [
        'whole = tv.make_problem(replace(world, kind="glide", budget=None))  # all the way between two shapes',
        "at = np.linspace(0, 1, 6)[:, None]  # of the handles",
        "lift = np.linalg.solve(whole.kernel(at, at), whole.kernel(at, whole.x))",
        f"ends = whole.f[[0, -1]] + {UNIT} * np.array([{list(s.start)}, {list(s.end)}]) @ lift",
        "pair = draws.Path(np.empty((0, 1)), np.empty((2, 0)), ends)",
        f"problem = replace(problem, f=draws.glide(pair, {ROUNDS}, {s.drift!r}).values, "
        "centres=None, coefficients=None)",
    ]
    return code.join(
        code.title(0, "Chase the peak", f"round {now + 1} of {ROUNDS}"),
        "from dataclasses import replace\nimport numpy as np\nfrom tvbo_core.worlds import draws" if bent else "",
        "import tvbo_core as tv\n",
        code.world("world", s.world),
        "problem = tv.make_problem(world)",
        *(bend if bent else ()),
        *(guided if s.asked else ()),
        f"run = tv.play(problem, {'Guided' + made.removeprefix(base) if s.asked else 'tv.' + made}, "
        "tv.observe.play_rng(world.seed), bands=True)",
        f"t, x, arm, band = {now}, problem.x[:, 0], run.arms[{now}], run.bands[{now}]  # rows count from 0",
        'print(f"highest point of the band at x = {x[band.upper.argmax()]:.2f}, asked at x = {x[arm]:.2f}, "',
        '      f"heard y = {run.y[t]:.4f}, regret = {run.regret[t]:.4f}, paid = {run.regret[: t + 1].sum():.4f}")',
    )
