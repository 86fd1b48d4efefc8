"""The lesson's figure as Python."""

from __future__ import annotations

from collections.abc import Mapping

from lessons.bands.knobs import BANDS_WORLD
from lessons.shared import script as code
from lessons.shared import worlds
from lessons.shared.script import within
from tvbo_core import World
from tvbo_core.bands import ALL, BandEntry


def recipe(value: Mapping[str, object], t: int) -> str:
    """Return a script for mean half-width, first miss and emptiness of the bands."""
    world = worlds.build(value, BANDS_WORLD)
    t = within(t, 0, world)
    ratio, delta = float(value["Bhat"]), float(value["delta"])
    free = world.kind == "markov"  # its paths leave the space: the bound is only assumed
    n = within(world.horizon, 0, world)
    norms = "None if problem.norms is None else round(problem.norms.max(), 4)"
    return code.join(
        code.title("Confidence bands", f"t = {t} of {n}"),
        code.comment(f"{worlds.caption(world)}; assumed size {ratio:g} B, delta = {delta:g}"),
        "import tvbo_core as tv\n",
        code.world("world", world),
        "problem = tv.make_problem(world)",
        _design(str(value["design"]), n, world),
        f"B, sigma, delta = {ratio!r} * {repr(world.norm_bound) if free else 'problem.norm_bound'}, "
        f"problem.noise_sd, {delta!r}",
        *_tuning(value, world, n),
        code.mapping("bands", {name: _band(entry) for name, entry in ALL.items()}),
        "films = tv.films(bands, problem.kernel, history.X, history.y, problem.x)  # one frame a time",
        "truth = problem.f[[max(s - 1, 0) for s in range(len(history.y) + 1)]]  # the reward then",
        f"t = {t}  # so many observations",
        f"norm = {norms}  # of the reward, at most",
        'print(f"t = {t}\\nB = {B:.4f}\\ntrue norm = {norm}\\nlevel = {1 - delta:g}")',
        'print(f"V_T = {problem.sup_variation:.4f}")',
        "for name, film in films.items():  # None: the whole truth was inside at all times, the set was never empty",
        '    print(name, "mean half-width =", None if film.empty[t] else round(film.half_width[t], 4))',
        '    print(name, "first miss =", tv.first_miss(film, truth))',
        '    print(name, "first empty =", film.empty.argmax() if film.empty.any() else None)',
    )


def _band(entry: BandEntry) -> str:
    """Return the source of a band, which is told what it needs under its names."""
    needs = [f"{name}={name}" for name in entry.needs]
    listed = f'tv.bands.ALL["{entry.name}"].band'
    return f"{code.public(entry.band, listed)}({', '.join(['B', 'sigma', 'delta', *needs])})"


def _design(design: str, n: int, world: World) -> str:
    """Return the line that makes the data."""
    made = {"ucb": "ucb_design", "clustered": "clustered_design"}.get(design, "random_design")
    made = "random_design" if world.kind == "data" and design == "clustered" else made
    return f"history = tv.observe.{made}(problem, {n}, tv.observe.play_rng({world.seed}))"


def _tuning(value: Mapping[str, object], world: World, n: int) -> list[str]:
    """Return the lines of the covariance scale c, AY's ridge and IGP's eta."""
    eta = f"eta = 2 / {world.horizon}  # IGP's regulariser is 1 + eta"
    if value["match"]:
        return [eta, "c = sigma**2 / (1 + eta)  # AMM at IGP's regulariser", "ridge = sigma**2 / c  # and AY"]
    chosen, ridge = float(value["c"]), float(value["ridge"])
    c = f"c = {chosen!r}  # scale of the prior that AMM, DMM and CMM mix over"
    if not chosen:
        power = f"{world.horizon} ** (-{world.dimension} / (2 * {world.nu!r} + 2 * {world.dimension}))"
        c = f"c = {power}  # Flynn & Reeb, sec. 7" if world.kernel == "matern" else "c = 1.0  # Flynn & Reeb, sec. 7"
    return [c, f"ridge = {ridge!r} * sigma**2 / c  # AY's", eta]
