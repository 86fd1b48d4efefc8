"""The approved files: writing and reading them, and differences as sentences.

A file has an entry a state; what an entry does not say is as in the one that it names behind "<".
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from tests.baseline.describe import Lines

EXPECTED = Path(__file__).parent / "expected"
ASKED = "asked"  # folder of what `ask` says of pages
Entries = dict[str, Lines]  # name of a state -> what it shows
BASES = ("opening", "page")
GONE = "without"
# Another processor, or another BLAS, rounds sums otherwise, by about 1e-12; of five digits the last may turn by one.
ROUNDING = 1.1e-4
LEFT = 1e-12  # what rounding leaves of a sum that is 0
DIGITS = 5  # of a number: with so many before the point it may be a rounded one, with fewer it is a count
TOKEN = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?|\w+|\s+|.", re.DOTALL)
SAID = re.compile(r"frame \d+( caption)?$|caption|odds|note|.* caption$|markdown|headline|script|bet|task")
AROUND = 6  # tokens before a difference that its sentence repeats


def write(entries: Entries) -> str:
    """Return entries as a file; what an entry has in common with one of `BASES` is left out where that is shorter."""
    said: list[str] = []
    for name, found in entries.items():
        bases = [base for base in BASES if base in entries and base != name and name not in BASES]
        forms = [_entry(name, found, "", {}), *(_entry(name, found, base, entries[base]) for base in bases)]
        said.append(min(forms, key=len))
    return "\n".join(said)


def _entry(name: str, found: Lines, base_name: str, base: Lines) -> str:
    lines = [f"== {name}" + (f" < {base_name}" if base_name else "")]
    lines += [f"{key}: {said}" for key, said in found.items() if base.get(key) != said]
    if gone := [key for key in base if key not in found]:
        lines.append(f"{GONE}: {'; '.join(gone)}")
    return "\n".join([*lines, ""])


def read(text: str) -> Entries:
    """Return the entries of a file."""
    entries: Entries = {}
    for part in filter(None, re.split(r"^== ", text, flags=re.MULTILINE)):
        head, *lines = part.splitlines()
        name, _, base = head.partition(" < ")
        found = dict(entries[base]) if base else {}
        found |= dict(line.split(": ", 1) for line in lines if line)
        for key in filter(None, found.pop(GONE, "").split("; ")):
            del found[key]
        entries[name] = found
    return entries


def differences(lesson: str, old: Entries, new: Entries) -> list[str]:
    """Return a sentence for each line that became another one."""
    found = [f"{lesson}/{name} is new" for name in new if name not in old]
    found += [f"{lesson}/{name} is gone" for name in old if name not in new]
    for name in (name for name in new if name in old):
        before, now = old[name], new[name]
        found += [f"{lesson}/{name}, {key}: “{short(now[key])}” is new" for key in now if key not in before]
        found += [f"{lesson}/{name}, {key}: “{short(before[key])}” is gone" for key in before if key not in now]
        for key in (key for key in now if key in before):
            if said := difference(before[key], now[key], exact=bool(SAID.match(key))):
                found.append(f"{lesson}/{name}, {key}: {said}")
    return found


def difference(old: str, new: str, exact: bool = False) -> str:
    """Return how a line became another one; "" where it is the same up to rounding.

    Args:
        exact: whether a number that reads otherwise is another one, as in a sentence.
    """
    if old == new:
        return ""
    before, now = TOKEN.findall(old), TOKEN.findall(new)
    if len(before) == len(now):
        apart = [i for i, (a, b) in enumerate(zip(before, now, strict=True)) if not same(a, b, exact)]
        if not apart:
            return ""
        i, more = apart[0], f", and {len(apart) - 1} more" if len(apart) > 1 else ""
        about = "".join(before[max(i - AROUND, 0) : i]).strip()
        return f"{before[i]} became {now[i]}{more} (after “{about}”)"
    i = next((i for i, (a, b) in enumerate(zip(before, now, strict=False)) if a != b), min(len(before), len(now)))
    about = max(i - AROUND, 0)
    return f"“{short(''.join(before[about:]))}” became “{short(''.join(now[about:]))}”"


def same(one: str, other: str, exact: bool) -> bool:
    """Return whether two tokens are equal, numbers with a part behind the point up to rounding."""
    if one == other or exact:
        return one == other
    try:
        a, b = float(one), float(other)
    except ValueError:
        return False
    counts = all(text.lstrip("+-").isdigit() and len(text.lstrip("+-")) < DIGITS for text in (one, other))
    return not counts and abs(a - b) <= max(ROUNDING * max(abs(a), abs(b)), LEFT)


def short(text: str, letters: int = 90) -> str:
    """Return the beginning of a text."""
    return text if len(text) <= letters else text[:letters] + "…"


def expected(lesson: str) -> Entries:
    """Return the approved entries of a lesson, none where nothing was approved."""
    path = EXPECTED / f"{lesson}.txt"
    return read(path.read_text(encoding="utf-8")) if path.exists() else {}


def keep(lesson: str, entries: Mapping[str, Lines], ending: str = "") -> Path:
    """Write a file, the approved one or the new one beside it, and return its path."""
    path = EXPECTED / f"{lesson}.txt{ending}"
    path.parent.mkdir(exist_ok=True)
    path.write_text(write(dict(entries)), encoding="utf-8")
    return path
