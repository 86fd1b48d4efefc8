"""Check a policy or band of your own: `python -m tvbo_core.check mine.py@Greedy -S window=20`.

Every check has a line, pass, fail or off, and the last line counts them. The exit code is 1 where one fails, and 2
where there is nothing to check.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from contextlib import redirect_stdout
from io import StringIO
from typing import Any

from tvbo_core.guests import BAND, Guest, load_guest
from tvbo_core.testing import FAIL, OFF, PASS, BandContract, Contract, PolicyContract


def contract_of(guest: Guest, off: dict[str, str]) -> Contract:
    """Return the checks of a guest; raise ValueError where one to switch off does not exist."""
    kind, make = (BandContract, guest.band) if guest.kind == BAND else (PolicyContract, guest.policy)
    return type(kind.__name__, (kind,), {"off": off, "make": staticmethod(make), "file": guest.file})()


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the outcome of every check and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tvbo_core.check", description=__doc__.splitlines()[0])
    parser.add_argument("guest", metavar="FILE@NAME")
    parser.add_argument("-S", dest="settings", metavar="FIELD=VALUE", action="append", default=[])
    parser.add_argument("--off", metavar="CHECK=REASON", action="append", default=[])
    given: Any = parser.parse_args(arguments)
    said = StringIO()
    try:
        with redirect_stdout(said):
            guest = load_guest(given.guest, given.settings)
            contract = contract_of(guest, dict(_reasons(given.off)))
            made = contract.make(*_assumed(contract))  # type: ignore[attr-defined]
    except ValueError as mistake:
        print(mistake, file=sys.stderr)
        return 2
    names = contract.checks()
    print(f"{made} of {guest.file}, a {guest.kind}: {len(names)} checks", flush=True)
    counts = dict.fromkeys((PASS, FAIL, OFF), 0)
    results = iter(contract.run())
    while True:
        with redirect_stdout(said):  # what the guest prints would drown the lines of the checks
            result = next(results, None)
        if result is None:
            break
        counts[result.outcome] += 1
        print(f"{result.outcome:4}  {result.name:{max(map(len, names))}}  {result.detail}".rstrip(), flush=True)
    if lines := said.getvalue().splitlines():
        print(f"{guest.file} printed {len(lines)} lines, which are left out here; the first: {lines[0][:80]}")
    print(f"{counts[PASS]} passed, {counts[FAIL]} failed, {counts[OFF]} off")
    return 1 if counts[FAIL] else 0


def _assumed(contract: Contract) -> tuple[float, ...]:
    """Return what a band is told where its coverage is counted, nothing for a policy."""
    return (contract.norm, contract.sigma, contract.delta) if isinstance(contract, BandContract) else ()


def _reasons(off: Sequence[str]) -> list[tuple[str, str]]:
    for one in off:
        if not all(one.partition("=")):
            raise ValueError(f"a check is switched off with its reason, as in --off cost_of_a_round=slow, got {one!r}")
    return [(name, reason) for name, _, reason in (one.partition("=") for one in off)]


if __name__ == "__main__":
    sys.exit(main())
