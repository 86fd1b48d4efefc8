"""The faults of tests/faults are faults of today's files."""

from __future__ import annotations

import subprocess

from tests.shared import ROOT

PATCHES = sorted((ROOT / "tests" / "faults").glob("*.patch"))


def test_every_fault_can_be_put_in():
    check = ("git", "apply", "--check")
    stale = [patch.stem for patch in PATCHES if subprocess.run([*check, patch], cwd=ROOT, check=False).returncode]
    assert PATCHES and stale == []
