"""Words that several lessons use: counts, and kinds of worlds in a sentence."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from common.formats import and_list, plural
from tvbo_core import World, kernels, worlds
from tvbo_core.guests import ADMITTED

COUNTS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
# Kind of world -> its name in a sentence, and in a legend.
PHRASES = {kind.name: f"the {kind.adjective} world" for kind in worlds.ALL.values()}
LABELS = {kind.name: kind.adjective for kind in worlds.ALL.values()} | {"adversary": "adversary"}


def counted(n: int) -> str:
    """Return "no", "one", ... "ten", and "11" or "1,000" above."""
    return COUNTS[n] if n < len(COUNTS) else f"{n:,}"


def guests(names: Iterable[str]) -> str:
    """Return " Your own: Greedy* is Greedy(window=20) of mine.py." of the guests among these names, "" for none."""
    said = "; ".join(f"{name} is {ADMITTED[name]}" for name in names if name in ADMITTED)
    return said and f" Your own: {said}."


def left_out(refused: Mapping[str, str]) -> list[str]:
    """Return a sentence for each reason why algorithms do not play, with all that it is the reason of."""
    who: dict[str, list[str]] = {}
    for name, reason in refused.items():
        who.setdefault(reason, []).append(name)
    return [
        f"Left out: {and_list(names)}. {reason[:1].upper()}{reason[1:].rstrip('.')}." for reason, names in who.items()
    ]


def product(*parts: tuple[int, str] | tuple[int, str, str]) -> str:
    """Return "8 seeds × 6 methods": how many of what, as for `plural`."""
    return " × ".join(plural(*part) for part in parts)


def kernel_title(world: World) -> str:
    """Return the kernel of a world with its smoothness: "SE", "Matérn ν = 1.5"."""
    entry = kernels.ALL[world.kernel]
    return f"{entry.title} ν = {world.nu:g}" if entry.takes_nu else entry.title
