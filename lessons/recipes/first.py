"""Scripts of the first two lessons: how much a reward has drifted, and which bands still hold."""

from __future__ import annotations

from collections.abc import Mapping

from tvbo_core import World
from lessons.shared import compute
from shell import world_form as worlds
from shell.export import script as code
from lessons.bands.lesson import BANDS_WORLD
from lessons.drift.lesson import DRIFT_WORLD

FIVE = {name: f"tv.{name}(B, sigma, delta, {last})"
        for name, last in (("CMM", "c"), ("DMM", "c"), ("AMM", "c"), ("AY", "ridge"), ("IGP", "eta"))}  # fmt: skip
KNOWN_NORM = ("still", "glide", "jumps", "cyclic", "rough", "data")  # kinds whose RKHS drift B_T is known


def within(t: int, first: int, world: World) -> int:
    """The time that is shown, kept inside the film; a table may be shorter than its World asks for."""
    last = world.horizon
    if world.kind == "data":
        try:
            last = compute.problem(world).horizon
        except ValueError:  # the table's package is not installed here
            last = world.horizon
    return min(max(t, first), last)


def drift(value: Mapping[str, object], t: int) -> str:
    """Lesson 1: the bill so far, the best action and its hop, in each world."""
    chosen = worlds.pair(value, DRIFT_WORLD)
    t = within(t, 1, chosen[0])
    names = ("left", "right")[: len(chosen)]
    made = [code.world("left", chosen[0], kinds=[w.kind for w in chosen])]
    made += [code.other("right", "left", chosen[0], chosen[1])] if len(chosen) == 2 else []
    table = chosen[0].kind == "data"
    place = "problem.arm_names[problem.best[now]]" if table else "x[now]:.4f"
    norm = all(w.kind in KNOWN_NORM for w in chosen)
    return code.join(
        code.title(1, "Drifting rewards", f"t = {t} of {chosen[0].horizon}"),
        *(code.comment(f"{n}: {worlds.caption(w)}") for n, w in zip(names, chosen, strict=True)),
        "from dataclasses import replace\n" if len(chosen) == 2 else "",
        "import tvbo_core as tv\n",
        *made,
        f"now, before = {t - 1}, {max(t - 2, 0)}  # rows count from 0",
        code.mapping("worlds", {n: n for n in names}),
        "for name, world in worlds.items():",
        "    problem = tv.make_problem(world)  # f[t, i]: expected reward of arm i in round t",
        "    spent = problem.steps[:now].sum()  # V_t: the largest change of each step so far, added up",
        "    x, best = problem.x[problem.best, 0], problem.f.max(axis=1)  # best action and its reward",
        '    print(f"{name}: V_T = {problem.sup_variation:.4f}, V_t = {spent:.4f}, "',
        f'          f"x* = {{{place}}}, hop = {{abs(x[now] - x[before]):.4f}}, "',
        '          f"best reward moves by = {abs(best[now] - best[before]):.4f}")',
        '    print(f"  in the RKHS norm: B_T = {problem.rkhs_variation:.4f}")' if norm else "",
    )


def bands(value: Mapping[str, object], t: int) -> str:
    """Lesson 2: mean half-width, first miss and emptiness of the five bands."""
    world = worlds.build(value, BANDS_WORLD)
    t = within(t, 0, world)
    ratio, delta = float(value["Bhat"]), float(value["delta"])
    free = world.kind == "markov"  # its paths leave the space: the bound is only assumed
    n = within(world.horizon, 0, world)
    return code.join(
        code.title(2, "Confidence bands", f"t = {t} of {n}"),
        code.comment(f"{worlds.caption(world)}; assumed size {ratio:g} B, delta = {delta:g}"),
        "import tvbo_core as tv\n",
        code.world("world", world),
        "problem = tv.make_problem(world)",
        _design(str(value["design"]), n, world),
        f"B, sigma, delta = {ratio!r} * {repr(world.norm_bound) if free else 'problem.norm_bound'}, "
        f"problem.noise_sd, {delta!r}",
        *_tuning(value, world, n),
        code.mapping("bands", FIVE),
        "films = tv.films(bands, problem.kernel, history.X, history.y, problem.x)  # one frame a time",
        "truth = problem.f[[max(s - 1, 0) for s in range(len(history.y) + 1)]]  # the reward then",
        f"t = {t}  # so many observations",
        "for name, film in films.items():  # None: the whole truth was inside at all times",
        '    print(f"{name}: mean half-width = {film.half_width[t]:.4f}, first miss at t = "',
        '          f"{tv.first_miss(film, truth)}, empty = {film.empty[t]}")',
    )


def _design(design: str, n: int, world: World) -> str:
    """How the data fall."""
    made = {"ucb": "ucb_design", "clustered": "clustered_design"}.get(design, "random_design")
    made = "random_design" if world.kind == "data" and design == "clustered" else made
    return f"history = tv.observe.{made}(problem, {n}, tv.observe.play_rng({world.seed}))"


def _tuning(value: Mapping[str, object], world: World, n: int) -> list[str]:
    """The covariance scale c, AY's ridge and IGP's eta."""
    eta = f"eta = 2 / {world.horizon}  # IGP's regulariser is 1 + eta"
    if value["match"]:
        return [eta, "c = sigma**2 / (1 + eta)  # AMM at IGP's regulariser", "ridge = sigma**2 / c  # and AY"]
    chosen, ridge = float(value["c"]), float(value["ridge"])
    c = f"c = {chosen!r}  # scale of the prior that AMM, DMM and CMM mix over"
    if not chosen:
        power = f"{world.horizon} ** (-{world.dimension} / (2 * {world.nu!r} + 2 * {world.dimension}))"
        c = f"c = {power}  # Flynn & Reeb, sec. 7" if world.kernel == "matern" else "c = 1.0  # Flynn & Reeb, sec. 7"
    return [c, f"ridge = {ridge!r} * sigma**2 / c  # AY's", eta]
