"""Writes requirements.lock: `python docs/lock.py`, with pip 23.1 or newer and the package registry.

pip resolves requirements.txt, itself and setuptools on this Python, then is asked for the wheels of the same versions
for every other Python of `PYTHONS`; what it would install goes into the lock with the SHA-256 of each wheel. Nothing
is installed.
Run it on the oldest Python of the list, on Linux x86-64: a package that only an older Python needs is then in the
lock, and does no harm on a newer one.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TOOLS = ("pip", "setuptools")  # every environment has them, and old ones have known faults
PYTHONS = ("3.11", "3.12", "3.13")
# The ages of the C library that a wheel may ask for; Debian 12 and Ubuntu 22.04 have 2.35 and 2.36.
PLATFORMS = [f"manylinux_2_{n}_x86_64" for n in (28, 27, 26, 24, 17, 12, 5)] + ["manylinux2014_x86_64"]
HEAD = """\
# The app for Linux x86-64 and Python {first} to {last}: every package in one version, every wheel by its SHA-256.
# pip install --require-hashes --only-binary :all: -r requirements.lock
# Written by docs/lock.py from requirements.txt; docs/dependencies.md says how to renew it. Do not edit.
"""


def resolved(arguments: list[str]) -> dict[tuple[str, str], set[str]]:
    """(name, version) -> SHA-256 of what pip would install."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        asked = ["--dry-run", "--ignore-installed", "--only-binary=:all:", "--quiet", "--report", str(report)]
        subprocess.run([sys.executable, "-m", "pip", "install", *asked, *arguments], check=True)
        found: dict[tuple[str, str], set[str]] = {}
        for item in json.loads(report.read_text(encoding="utf-8"))["install"]:
            name = item["metadata"]["name"].lower().replace("_", "-").replace(".", "-")
            found[name, item["metadata"]["version"]] = {item["download_info"]["archive_info"]["hashes"]["sha256"]}
        return found


def main() -> None:
    here = f"{sys.version_info.major}.{sys.version_info.minor}"
    if here != PYTHONS[0]:
        raise SystemExit(f"Run this with Python {PYTHONS[0]}, the oldest one of the lock; this is {here}.")
    lock = resolved(["-r", str(ROOT / "requirements.txt"), *TOOLS])
    with tempfile.TemporaryDirectory() as folder:
        pins = Path(folder) / "pins.txt"
        pins.write_text("".join(f"{name}=={version}\n" for name, version in lock), encoding="utf-8")
        for python in PYTHONS[1:]:
            where = [part for platform in PLATFORMS for part in ("--platform", platform)]
            more = ["--no-deps", "--implementation", "cp", "--python-version", python, *where, "--target", folder]
            for pin, hashes in resolved([*more, "-r", str(pins)]).items():
                lock[pin] |= hashes
    lines = [HEAD.format(first=PYTHONS[0], last=PYTHONS[-1])]
    for (name, version), hashes in sorted(lock.items()):
        lines.append(" \\\n    ".join([f"{name}=={version}", *(f"--hash=sha256:{h}" for h in sorted(hashes))]) + "\n")
    (ROOT / "requirements.lock").write_text("".join(lines), encoding="utf-8")
    print(f"{len(lock)} packages")


if __name__ == "__main__":
    main()
