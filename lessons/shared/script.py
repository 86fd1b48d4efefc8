"""Scripts of lessons: a lesson's file script.py with the settings of its page, a World or a policy as source."""

from __future__ import annotations

import json
import math
import re
import textwrap
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import fields
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

import tvbo_core as tv
from lessons.shared import problems, worlds
from tvbo_core import World, kernels, policies
from tvbo_core.guests import Guest, GuestPolicy
from tvbo_core.policies.width import LogWidth
from tvbo_core.records import Policy
from lessons.shared.reshaped import Reshaped
from tvbo_core.worlds import ALL

if TYPE_CHECKING:
    from jinja2 import Environment

COLUMNS = 100  # of a line
MOST = 30  # lines of a script, those of the numbers that it prints among them
CHECKOUT = "# needs a checkout of the lab, with its requirements"
TV = "import tvbo_core as tv\n"
# Fields that say something in some kinds of world only.
OF_A_KIND = {
    "budget": ("adversary", *(kind.name for kind in ALL.values() if kind.has_budget)),
    "switches": ("jumps",),
    "epsilon": ("markov",),
    "alpha": ("rough",),
}
# Written even where they are usual.
ALWAYS = ("kind", "horizon", "kernel", "lengthscale", "noise_sd", "norm_bound", "seed")
# Of a World of its own kind (tvbo_core.worlds.mauduit): what can be chosen, and what is always said.
IN_ITS_OWN = ("horizon", "kernel", "nu", "lengthscale", "noise_sd", "seed", "alpha", "arms", "centres")
MUST = ("horizon", "noise_sd", "seed")
BLOCK = re.compile(r"^# <(\w+)>\n.*?^# </\1>\n", re.DOTALL | re.MULTILINE)
# Between arguments: a comma with whole texts in quotes behind it, so that it stands in none itself.
COMMA = re.compile(r', (?=(?:[^"\\]|\\.|"(?:[^"\\]|\\.)*")*$)')


@cache
def _jinja() -> Environment:
    from jinja2 import Environment, StrictUndefined

    return Environment(line_statement_prefix="#:", undefined=StrictUndefined, keep_trailing_newline=True)


def literal(value: object) -> str:
    """A value as source."""
    if isinstance(value, LogWidth):
        return f"tv.LogWidth({value.c:g})" if value.scale == 1 else f"tv.LogWidth({value.c!r}, {value.scale!r})"
    if isinstance(value, float) and math.isinf(value):
        return 'float("inf")'
    if isinstance(value, tuple):
        return f"({', '.join(map(literal, value))}{',' if len(value) == 1 else ''})"
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else repr(value)


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


def script(recipe: str, title: str, notes: Sequence[str], file: str = "script.py", **flags: object) -> str:
    """Return a lesson's script with the settings of its page.

    In the file, lines between `# <name>` and `# </name>` are those of one page, and give way to the list `flags[name]`;
    `#: if name`, `#: else` and `#: endif` keep what lies between where `flags[name]` is true (Jinja2).

    Args:
        recipe: file beside which the script's file lies.   title: what is shown, to which `answers.ask.script` adds
            the lesson's number.   notes: comments below it, wrapped here.
    """
    text = _jinja().from_string(Path(recipe).with_name(file).read_text(encoding="utf-8")).render(flags)
    text = BLOCK.sub(lambda block: "".join(f"{line}\n" for line in flags[block[1]]), text)
    if "Reshaped(" in text:
        text = text.replace(TV, f"{TV}from lessons.shared.reshaped import Reshaped  {CHECKOUT}\n")
    comments = [textwrap.fill(note, COLUMNS, initial_indent="# ", subsequent_indent="# ") for note in notes]
    lines = "\n".join([f"# {title}", *comments, text.strip()]).split("\n")
    return "\n".join(lines if len(lines) <= MOST else filter(None, lines)) + "\n"


def world(chosen: World, name: str = "", kinds: Collection[str] = (), also: Collection[str] = ()) -> str:
    """Return `tv.World(...)`, or `name = tv.World(...)`, with everything that this world depends on.

    Args:
        kinds: further kinds, whose fields are written too.   also: fields that are written in any case.
    """
    # tvbo_core.worlds.mauduit has Worlds of its own.
    prefix = {World: "tv.", Reshaped: ""}.get(type(chosen), "tv.worlds.mauduit.")
    written = [
        f for f in fields(chosen) if f.name in also or _is_written(chosen, f.name, f.default, {chosen.kind, *kinds})
    ]
    pairs = [f"{f.name}={literal(getattr(chosen, f.name))}" for f in written]
    return call(f"{name and f'{name} = '}{prefix}{type(chosen).__name__}(", pairs)


def _is_written(chosen: World, key: str, usual: object, kinds: set[str]) -> bool:
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


def public(kind: type, otherwise: str) -> str:
    """A class as source: `tv.CMM`, or the way to it where `tvbo_core` does not name it."""
    return f"tv.{kind.__name__}" if getattr(tv, kind.__name__, None) is kind else otherwise


def policy(chosen: Policy) -> str:
    """A policy as source: all that is not usual, and its width."""
    if isinstance(chosen, GuestPolicy):
        return f"{guest(chosen.guest)}.policy()"
    usual = {f.name: f.default for f in fields(chosen)}
    arguments = {f.name: getattr(chosen, f.name) for f in fields(chosen)}
    arguments = {key: value for key, value in arguments.items() if value != usual.get(key) and key != "width"}
    arguments |= {"width": chosen.width} if "width" in usual else {}
    listed = next((f'tv.policies.ALL["{w}"].policy' for w, e in policies.ALL.items() if e.policy is type(chosen)), "")
    return f"{public(type(chosen), listed)}({', '.join(f'{key}={literal(value)}' for key, value in arguments.items())})"


def guest(chosen: Guest) -> str:
    """A guest as source; its file lies beside the script."""
    settings = ", ".join(["", literal(chosen.settings)] if chosen.settings else [])
    return f'tv.load_guest("{chosen.file}@{chosen.name}"{settings})'


def mapping(name: str, entries: Mapping[str, str]) -> str:
    """`name = {...}`, one entry a line where they are long."""
    head = f"{name} = {{"
    return call(head, (_hung(f"{literal(key)}: {value}", " " * len(head)) for key, value in entries.items()), "}")


def named_worlds(names: Sequence[str], made: Sequence[World]) -> str:
    """`worlds = {...}`, a World a name."""
    return mapping("worlds", {name: world(one) for name, one in zip(names, made, strict=True)})


def _hung(entry: str, indent: str) -> str:
    """An entry of a mapping; a call that is too long for a line goes on at its bracket."""
    entry = re.sub(r"\n *", " ", entry)
    head, bracket, arguments = (indent + entry).partition("(")
    if len(indent + entry) < COLUMNS or not bracket:
        return entry
    return call(head + bracket, COMMA.split(arguments.removesuffix(")"))).removeprefix(indent)


def within(t: int, first: int, world: World) -> int:
    """The time that is shown, kept inside the film."""
    return min(max(t, first), world.horizon)


def seeds(numbers: range) -> str:
    """Which seeds, in words."""
    return f"seeds {numbers[0]} to {numbers[-1]}" if len(numbers) > 1 else f"seed {numbers[0]}"


def setup(world: World) -> str:
    """The page's caption without its seed: a race has several."""
    return worlds.caption(world).rsplit(", seed", 1)[0].rsplit(", noise seed", 1)[0]


def refuses(rule: Policy, stage: World) -> bool:
    """Return whether a method cannot race in a world: then the page leaves it out."""
    try:
        problem = problems.problem(stage)
    except ValueError:
        return False
    try:
        rule.select(rule.init(problem.known), 0, np.random.default_rng(0))
    except ValueError:
        return True
    return False
