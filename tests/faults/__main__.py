"""Measure what the tests see: put each fault of this folder into a copy of the last commit and run the fast ring there.

`python -m tests.faults` tries all patches, `python -m tests.faults NAME ...` some. A patch begins with comments: what
kind of fault it is and where, what a reader would see of it ("Seen:"), and which tests should see it ("Hint:"; those
that are gone are left out). These run first; only where they pass, everything runs, or nothing more with
`--only-hinted`. Every fault whose name begins with `known_` has to be caught: an earlier suite missed it, or one of its
kind. Of the others `MAY_MISS` may be missed.
"""

from __future__ import annotations

import argparse
import os
import re
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

FOLDER = Path(__file__).resolve().parent
ROOT = FOLDER.parents[1]
RING = (sys.executable, "-m", "pytest", "-n", "auto", "-x", "-q", "-p", "no:cacheprovider")  # as in the README
MAY_MISS = 4  # of the forty faults without `known_`
LIMIT_SECONDS = 1200  # of a ring: a fault may make a test wait for ever
AT_LIMIT = f"the limit of {LIMIT_SECONDS // 60} minutes"


@dataclass(frozen=True)
class Fault:
    """A patch with its comments."""

    path: Path

    @property
    def name(self) -> str:
        return self.path.stem

    @property
    def comments(self) -> list[str]:
        lines = self.path.read_text(encoding="utf-8").splitlines()
        return [line.removeprefix("#").strip() for line in lines if line.startswith("#")]

    @property
    def hint(self) -> list[str]:
        """Return the tests that should see it."""
        return next(line.removeprefix("Hint:").split() for line in self.comments if line.startswith("Hint:"))

    @property
    def files(self) -> list[str]:
        """Return the files that it changes."""
        return re.findall(r"^\+\+\+ b/(.+)$", self.path.read_text(encoding="utf-8"), re.M)


@contextmanager
def copy_of_last_commit() -> Iterator[Path]:
    """Make a git worktree in a temporary folder, and remove it."""
    with tempfile.TemporaryDirectory(prefix="faults-") as folder:
        copy = Path(folder) / "copy"
        subprocess.run(["git", "worktree", "add", "--quiet", "--detach", copy, "HEAD"], cwd=ROOT, check=True)
        try:
            yield copy
        finally:
            subprocess.run(["git", "worktree", "remove", "--force", copy], cwd=ROOT, check=True)


def failure(copy: Path, tests: Sequence[str]) -> str:
    """Return the first of these tests that fails in the copy, also by itself, "" where none does; of all without any.

    Raises:
        RuntimeError: pytest ended without a failing test, for example because it found none.
    """
    there, by_chance = [test for test in tests if (copy / test.split("::")[0]).exists()], []
    while test := first_failure(copy, [*there, *(f"--deselect={one}" for one in by_chance)]):
        if test in (AT_LIMIT, *by_chance) or first_failure(copy, [test]):
            return test
        by_chance.append(test)
    return ""


def first_failure(copy: Path, arguments: Sequence[str]) -> str:
    """Return the first test that fails in a ring with these arguments, "" where all pass; raise as `failure`."""
    run = subprocess.Popen(
        [*RING, *arguments],
        cwd=copy,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    try:
        out, _ = run.communicate(timeout=LIMIT_SECONDS)
    except subprocess.TimeoutExpired:
        os.killpg(run.pid, signal.SIGKILL)
        run.communicate()
        return AT_LIMIT
    failed = re.search(r"^(?:FAILED|ERROR) (.+?)(?: - .*)?$", out, re.M)
    if run.returncode and failed is None:
        raise RuntimeError(f"pytest {' '.join(arguments)} ended with {run.returncode}:\n{out[-2000:]}")
    return failed[1] if failed else ""


def problem(copy: Path, files: Sequence[str]) -> str:
    """Return why the changed files cannot be loaded, "" where they can."""
    for file in files:
        module = file.removesuffix(".py").replace("/", ".")
        load = [sys.executable, "-c", f"import {module}"] if file.endswith(".py") else ["node", "--check", file]
        done = subprocess.run(load, cwd=copy, capture_output=True, text=True, check=False)
        if done.returncode:
            return f"{file} cannot be loaded, so this is no fault: {done.stderr.strip().splitlines()[-1]}"
    return ""


def verdict(copy: Path, fault: Fault, only_hinted: bool) -> str:
    """Return "caught by ...", "missed", or "error: ..." for one fault, and leave the copy as it was."""
    git = ["git", "-C", str(copy)]
    applied = subprocess.run([*git, "apply", fault.path], capture_output=True, text=True, check=False)
    if applied.returncode:
        return f"error: the patch no longer applies: {applied.stderr.strip().splitlines()[0]}"
    try:
        if why := problem(copy, fault.files):
            return f"error: {why}"
        test = failure(copy, fault.hint) or ("" if only_hinted else failure(copy, ()))
        return f"caught by {test}" if test else "missed"
    finally:
        subprocess.run([*git, "checkout", "--quiet", "."], check=True)
        subprocess.run([*git, "clean", "--quiet", "--force", "-d"], check=True)


def main() -> int:
    """Try the faults, print a line each and a table; return 1 where too few are caught, 2 where nothing can be told."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="of a patch, without its folder and ending")
    parser.add_argument("--only-hinted", action="store_true", help="run no other tests than those that patches name")
    asked = parser.parse_args()
    known = {path.stem: Fault(path) for path in sorted(FOLDER.glob("*.patch"))}
    if wrong := [name for name in asked.names if name not in known]:
        parser.error(f"there is no fault {', '.join(wrong)}; they are {', '.join(known)}")
    faults = [known[name] for name in asked.names or known]
    found: dict[str, str] = {}
    with copy_of_last_commit() as copy:
        hinted = sorted({test for fault in faults for test in fault.hint}) if asked.only_hinted else []
        if test := failure(copy, hinted):
            print(f"Without any fault {test} fails: nothing can be told.")
            return 2
        for fault in faults:
            began = monotonic()
            found[fault.name] = verdict(copy, fault, asked.only_hinted)
            print(f"{fault.name}: {found[fault.name]} ({monotonic() - began:.0f} s)", flush=True)
    print("\n| fault | what | verdict |\n|---|---|---|")
    for fault in faults:
        print(f"| {fault.name} | {fault.comments[0]} | {found[fault.name]} |")
    not_caught = [name for name, said in found.items() if not said.startswith("caught")]
    errors = [name for name in not_caught if found[name] != "missed"]
    musts = [name for name in not_caught if name.startswith("known_")]
    print(f"\n{len(found) - len(not_caught)} of {len(found)} caught, {len(errors)} could not be tried.")
    return int(bool(errors or musts or len(not_caught) > MAY_MISS))


if __name__ == "__main__":
    sys.exit(main())
