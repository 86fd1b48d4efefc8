"""From knob values to a frozen World, and a World in one line of words."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from lessons.shared.knobs import SMOOTHNESS
from lessons.shared.wording import LABELS, kernel_title
from tvbo_core import World
from tvbo_core.worlds import ALL


def build(values: Mapping[str, Any], base: World) -> World:
    """The World that the chosen values describe; whatever has no widget comes from the page's default."""
    kernel, nu = SMOOTHNESS[str(values["nu"])] if "nu" in values else (base.kernel, base.nu)
    drawn = values.get("scale") == "drawn"
    kind = str(values.get("kind", base.kind))
    budget = float(values["V"]) if "V" in values else base.budget
    return replace(
        base,
        kind=kind,
        budget=None if drawn else budget,
        horizon=int(values.get("T", base.horizon)),
        kernel=kernel,
        nu=nu,
        lengthscale=float(values.get("ell", base.lengthscale)),
        epsilon=float(values.get("eps", base.epsilon)),
        alpha=float(values.get("alpha", base.alpha)),
        noise_sd=float(values.get("sigma", base.noise_sd)),
        norm_bound=math.inf if drawn and not ALL[kind].norm_sets_size else float(values.get("B", base.norm_bound)),
        switches=int(values.get("switches", base.switches)),
        seed=int(values.get("seed", base.seed)),
    )


def pair(values: Mapping[str, Any], base: World) -> list[World]:
    """The world on the left, and on the right its companion, where there is one."""
    first, other = build(values, base), values.get("pair", "none")
    if other == "none":
        return [first]
    return [first, build({**values, **({"nu": "3/2"} if other == "matern" else {"kind": other})}, base)]


def arms(world: World) -> str:
    """Return how many arms a world has, as the screen says it: "100", or "30 × 30" of a grid in the plane."""
    return " × ".join(map(str, world.arms)) if isinstance(world.arms, tuple) else str(world.arms)


def caption(world: World) -> str:
    """Set-up and seed in one line, for captions: every number a reader sees names the world it came from."""
    kernel = kernel_title(world)
    size = "functions as drawn" if math.isinf(world.norm_bound) else f"B = {world.norm_bound:g}"
    # A Markov world moves without a budget.
    kind = "static" if world.budget == 0 and world.kind != "markov" else LABELS[world.kind]
    own = {"markov": f", ε = {world.epsilon:g}", "rough": f", α = {world.alpha:g}"}.get(world.kind, "")
    return (
        f"{kind}{own}, {kernel}, ℓ = {world.lengthscale:g}, {size}, "
        f"σ = {world.noise_sd:g}, T = {world.horizon}, {arms(world)} actions, seed {world.seed}"
    )
