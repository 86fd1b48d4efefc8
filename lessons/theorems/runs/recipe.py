"""The figure of the runs as Python."""

from __future__ import annotations

from collections.abc import Mapping

from lessons.shared import script as code
from lessons.theorems.runs import model


def recipe(value: Mapping[str, object], t: int) -> str:
    """Return the runs beside their bounds at this horizon."""
    setting = model.chosen(value)
    T = setting.horizons[min(max(t, 0), len(setting.horizons) - 1)]
    first = setting.stage(T)
    seeds = range(setting.world.seed, setting.world.seed + setting.seeds)
    floor = ""
    if setting.adversarial:
        floor = "floor = tv.adversary.lower_bound(first, problem.x)[-1]  # averaged over the hidden position"
    elif not setting.has_norm:
        floor = "floor = markov_floor(problem.kernel, problem.x, first.horizon, first.epsilon)  # averaged over rewards"
    most = "2 * first.norm_bound * first.horizon" if setting.has_norm else "worst"
    return code.join(
        code.title("Theorems", f"{setting.rule.name} at T = {T}"),
        code.comment(f"{code.setup(first)}; {code.seeds(seeds)}; delta = 0.1"),
        "from dataclasses import replace\n\nimport numpy as np\nimport tvbo_core as tv",
        "from tvbo_core.theory.against import CASES" + ("\n" if setting.has_norm else ""),
        "" if setting.has_norm else "from tvbo_core.theory.finite import markov_floor\n",
        code.world("first", first, also=("budget",)),
        f'case = CASES["{setting.case}"]  # a theorem with explicit constants, and its algorithm',
        "regret = []",
        f"for seed in range({seeds[0]}, {seeds[-1] + 1}):",
        "    world = replace(first, seed=seed)",
        "    run = tv.play(tv.make_problem(world), case.policy(world), tv.observe.play_rng(seed))",
        "    regret.append(run.regret.sum())",
        "problem = tv.make_problem(first)",
        "bound = case.bound(problem, first)",
        "worst = (problem.f.max(axis=1) - problem.f.min(axis=1)).sum()",
        f'print("T =", {T})',
        'print(f"measured, mean = {np.mean(regret):.6g}\\nmeasured, largest = {np.max(regret):.6g}")',
        'print(f"bound = {bound.total:.6g}")  # bound.source: where it is proved',
        f'print(f"cannot exceed = {{{most}:.6g}}\\nworst choices = {{worst:.6g}}")',
        floor,
        'print(f"lower bound (mean) = {floor:.6g}")' if floor else "",
    )
