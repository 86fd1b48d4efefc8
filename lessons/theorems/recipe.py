"""The lesson's figure as Python."""

from __future__ import annotations

import math
from collections.abc import Mapping

from lessons.shared import script as code
from lessons.theorems import bound_vs_regret, model
from lessons.theorems.knobs import RUNS
from lessons.theorems.model import SweepSetting
from lessons.theorems.tables import label


def recipe(value: Mapping[str, object], t: int) -> str:
    """Return the runs beside their bounds at this horizon, or the power of T (or of epsilon) of every method."""
    return _runs(value, t) if value["view"] == RUNS else _rates(value, t)


def _runs(value: Mapping[str, object], t: int) -> str:
    setting = bound_vs_regret.chosen(value)
    T = setting.horizons[min(max(t, 0), len(setting.horizons) - 1)]
    first = setting.stage(T)
    seeds = range(setting.world.seed, setting.world.seed + setting.seeds)
    floor = [
        "floor = tv.adversary.lower_bound(first, problem.x)[-1]  # averaged over the hidden position",
        'print(f"no algorithm can promise less than {floor:.6g}")',
    ]
    return code.join(
        code.title(5, "Theorems", f"{setting.rule.name} at T = {T}"),
        code.comment(f"{code.setup(first)}; {code.seeds(seeds)}; delta = 0.1"),
        "from dataclasses import replace\n\nimport numpy as np\nimport tvbo_core as tv",
        "from tvbo_core.theory.against import CASES\n",
        code.world("first", first, also=("budget",)),
        f'case = CASES["{setting.case}"]  # a theorem with explicit constants, and its algorithm',
        "regret = []",
        f"for seed in range({seeds[0]}, {seeds[-1] + 1}):",
        "    world = replace(first, seed=seed)",
        "    run = tv.play(tv.make_problem(world), case.policy(world), tv.observe.play_rng(seed))",
        "    regret.append(run.regret.sum())",
        "problem = tv.make_problem(first)",
        "bound = case.bound(problem, first)",
        "most = (problem.f.max(axis=1) - problem.f.min(axis=1)).sum()",
        'print(f"measured: mean = {np.mean(regret):.6g}, largest = {np.max(regret):.6g}")',
        'print(f"proved: at most = {bound.total:.6g} ({bound.source})")',
        'print(f"the worst choices lose {most:.6g}")',
        'print(f"2BT, the most that can be lost: {2 * first.norm_bound * first.horizon:.6g}")',
        *(floor if setting.adversarial else []),
    )


def _rates(value: Mapping[str, object], t: int) -> str:
    setting = model.chosen(value)
    frame = min(max(t, 0), len(setting.sweep) - 1)
    at = setting.sweep[frame]
    nu = math.inf if setting.measure == "alpha" else at
    laws = [(name, stem) for name, stem, _ in model.POWER_LAWS[setting.measure] if model.stated(stem, nu)
             and not (setting.bet == "cover" and name == "R-, SW-, WGP-UCB")]  # fmt: skip
    place = "alpha=alpha, d=d, window_exponent=window" if setting.measure == "alpha" else "nu=nu, d=d"
    here = f"alpha = {at!r}" if setting.measure == "alpha" else f"nu = {code.literal(at)}"
    own = {
        "budget": [f"V = T**{setting.v!r}  # drift budget"],
        "alpha": [f"V, window = 1.0, {setting.window!r}  # window exponent of W-SparQ"],
        "epsilon": [f"V = {setting.eps!r}  # change per step"],
    }[setting.measure]
    return code.join(
        code.title(5, "Theorems", f"at {label(setting, frame)}, d = {setting.d}"),
        code.comment("Closed form, no randomness. Constants count as 1; logarithms are hidden. "
                     + {"budget": "Power of T in the regret", "alpha": "Power of T in the regret",
                        "epsilon": "Power of epsilon in the regret per step"}[setting.measure] + "."),
        "from tvbo_core.theory import for_kernel\n",
        f"{here}\nd, T = {setting.d}, {setting.T!r}",
        *own,
        code.mapping("statements", {name: code.literal(stem) for name, stem in laws}),
        "for name, stem in statements.items():",
        f"    theorem = for_kernel(stem, {'nu' if setting.measure != 'alpha' else code.literal(math.inf)})",
        f"    a, b = theorem.exponent({place})  # exact: T^a drift^b",
        *_power(setting, place),
        f"    speaks = theorem.valid(T=T, V=V, {place})",
        '    print(f"{name}: power = {float(power):.4f}, T^{a} drift^{b}, speaks here = {speaks}")',
        '    print(f"  {theorem.source}")',
    )  # fmt: skip


def _power(setting: SweepSetting, place: str) -> list[str]:
    """Return the lines that make the drawn power from those of T and of the drift."""
    if setting.measure != "budget":
        return [f"    power = {'b' if setting.measure == 'epsilon' else 'a'}"]
    return [
        f"    power = a + {setting.v!r} * b  # with V = T^{setting.v:g}",
        f"    if stem in {code.literal(model.JOINING_LAWS)}:  # at least the still world's power",
        f'        power = max(power, for_kernel("scarlett", nu).exponent({place}).T)',
    ]
