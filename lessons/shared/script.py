"""How a script is written: a World, a policy or a call as source, wrapped to one width, comments above."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Collection, Iterable, Mapping
from dataclasses import fields

import numpy as np

import tvbo_core as tv
from lessons.shared import problems, worlds
from tvbo_core import World, kernels, policies
from tvbo_core.policies.width import LogWidth
from tvbo_core.records import Policy
from tvbo_core.worlds import ALL, Reshaped

COLUMNS = 100  # of a line
MOST = 30  # lines of a script, those of the numbers that it prints among them
CHECKOUT = "# needs a checkout of the lab, with its requirements"
# Fields that say something in some kinds of world only.
OF_A_KIND = {
    "budget": ("adversary", *(kind.name for kind in ALL.values() if kind.has_budget)),
    "switches": ("jumps",),
    "epsilon": ("markov",),
    "alpha": ("rough",),
    "dataset": ("data",),
}
# Written even where they are usual.
ALWAYS = ("kind", "horizon", "kernel", "lengthscale", "noise_sd", "norm_bound", "seed")
# Of a World of its own kind (tvbo_core.worlds.mauduit): what can be chosen, and what is always said.
IN_ITS_OWN = ("horizon", "kernel", "nu", "lengthscale", "noise_sd", "seed", "alpha", "arms", "centres")
MUST = ("horizon", "noise_sd", "seed")
OF_A_TABLE = ("kind", "dataset", "horizon", "seed")


def literal(value: object) -> str:
    """A value as source."""
    if isinstance(value, LogWidth):
        return f"tv.LogWidth({value.c:g})" if value.scale == 1 else f"tv.LogWidth({value.c!r}, {value.scale!r})"
    if isinstance(value, float) and math.isinf(value):
        return 'float("inf")'
    if isinstance(value, tuple):
        return f"({', '.join(map(literal, value))}{',' if len(value) == 1 else ''})"
    return f'"{value}"' if isinstance(value, str) else repr(value)


def call(head: str, arguments: Iterable[str], end: str = ")") -> str:
    """`head(arguments)` over as many lines as it takes, hanging at the bracket that `head` ends with."""
    lines, indent = [head], " " * len(head)
    pieces = [*arguments]
    for i, piece in enumerate(pieces):
        last = i == len(pieces) - 1
        text = piece + (end if last else ",")
        gap = "" if lines[-1] in (head, indent) else " "
        if gap and len(lines[-1]) + 1 + len(text) > COLUMNS:
            lines.append(indent)
            gap = ""
        lines[-1] += gap + text
    return "\n".join(lines)


def comment(text: str) -> str:
    """A comment over as many lines as it takes."""
    return "\n".join(textwrap.wrap(text, COLUMNS, initial_indent="# ", subsequent_indent="# "))


def join(*parts: str) -> str:
    """The lines of a script; empty parts are left out, and so are blank lines where it would get too long."""
    lines = "\n".join(part for part in parts if part).split("\n")
    return "\n".join(lines if len(lines) <= MOST else filter(None, lines)) + "\n"


def world(name: str, chosen: World, kinds: Collection[str] = (), also: Collection[str] = ()) -> str:
    """`name = tv.World(...)` with everything that this world, or one of these further kinds, depends on."""
    # tvbo_core.worlds.mauduit has Worlds of its own.
    prefix = {World: "tv.", Reshaped: "tv.worlds."}.get(type(chosen), "")
    told = [f for f in fields(chosen) if _told(chosen, f.name, f.default, {chosen.kind, *kinds}, also)]
    pairs = [f"{f.name}={literal(getattr(chosen, f.name))}" for f in told]
    return call(f"{name} = {prefix}{type(chosen).__name__}(", pairs)


def _told(chosen: World, key: str, usual: object, kinds: set[str], also: Collection[str]) -> bool:
    """Whether a field of a World is written out."""
    if key in also:
        return True
    if chosen.kind == "data":
        return key in OF_A_TABLE
    if isinstance(chosen, Reshaped):
        return key in (*MUST, "hill", "drift") or getattr(chosen, key) != usual
    if type(chosen) is not World and (key not in IN_ITS_OWN or key in MUST):
        return key in MUST
    if key in OF_A_KIND:
        return bool(kinds & set(OF_A_KIND[key]))
    if key == "nu":
        return kernels.ALL[chosen.kernel].takes_nu
    if key == "norm_bound" and kinds == {"markov"}:
        return False
    return key in ALWAYS or getattr(chosen, key) != usual


def other(name: str, base: str, before: World, chosen: World) -> str:
    """`name = replace(base, ...)` with what differs from the World called `base`; another sort of World as it is."""
    if type(before) is not type(chosen):
        return world(name, chosen)
    changed = {
        f.name: getattr(chosen, f.name) for f in fields(chosen) if getattr(chosen, f.name) != getattr(before, f.name)
    }
    return f"{name} = replace({', '.join([base, *(f'{key}={literal(value)}' for key, value in changed.items())])})"


def public(kind: type, otherwise: str) -> str:
    """A class as source: `tv.CMM`, or the way to it where `tvbo_core` does not name it."""
    return f"tv.{kind.__name__}" if getattr(tv, kind.__name__, None) is kind else otherwise


def policy(chosen: Policy) -> str:
    """A policy as source: all that is not usual, and its width."""
    usual = {f.name: f.default for f in fields(chosen)}
    told = {f.name: getattr(chosen, f.name) for f in fields(chosen)}
    told = {key: value for key, value in told.items() if value != usual.get(key) and key != "width"}
    told |= {"width": chosen.width} if "width" in usual else {}
    listed = next((f'tv.policies.ALL["{w}"].policy' for w, e in policies.ALL.items() if e.policy is type(chosen)), "")
    return f"{public(type(chosen), listed)}({', '.join(f'{key}={literal(value)}' for key, value in told.items())})"


def mapping(name: str, entries: Mapping[str, str]) -> str:
    """`name = {...}`, one entry a line where they are long."""
    head = f"{name} = {{"
    return call(head, (_hung(f'"{key}": {value}', " " * len(head)) for key, value in entries.items()), "}")


def _hung(entry: str, indent: str) -> str:
    """An entry of a mapping; a call that is too long for a line goes on at its bracket."""
    head, bracket, arguments = (indent + entry).partition("(")
    if len(indent + entry) < COLUMNS or not bracket:
        return entry
    return call(head + bracket, arguments.removesuffix(")").split(", ")).removeprefix(indent)


def title(name: str, when: str) -> str:
    """The first line of a script, to which `lessons.record.script_of` adds the lesson's number."""
    return f"# {name}, {when}"


def within(t: int, first: int, world: World) -> int:
    """The time that is shown, kept inside the film; a table may be shorter than its World asks for."""
    last = world.horizon
    if world.kind == "data":
        try:
            last = problems.problem(world).horizon
        except ValueError:  # the table's package is not installed here
            last = world.horizon
    return min(max(t, first), last)


def seeds(numbers: range) -> str:
    """Which seeds, in words."""
    return f"seeds {numbers[0]} to {numbers[-1]}" if len(numbers) > 1 else f"seed {numbers[0]}"


def setup(world: World) -> str:
    """The page's caption without its seed: a race has several."""
    return worlds.caption(world).rsplit(", seed", 1)[0].rsplit(", noise seed", 1)[0]


def refuses(rule: Policy, stage: World) -> bool:
    """Whether a method cannot race in a world: then the page leaves it out."""
    try:
        problem = problems.problem(stage)
    except ValueError:
        return False
    try:
        rule.select(rule.init(problem.known), 0, np.random.default_rng(0))
    except ValueError:
        return True
    return False
