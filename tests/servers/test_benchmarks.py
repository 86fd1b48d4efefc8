"""Every benchmark runs to its end with tiny numbers."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import pytest

from benchmarks.browser import ANSWERS, DRAGS
from lessons import LESSONS
from lessons.record import ROOT
from tvbo_core.policies import ALL

FILMS = sum(1 for lesson in LESSONS[1:] if lesson.scene)
# Benchmark -> rows that its tables have; those that need a server or a browser are marked.
ROWS = {
    "costs": len(ALL),
    "coverage": 6 * 6,  # worlds and bands
    "browser": (1 + FILMS) + (1 + len(ANSWERS)) + 2 * len(DRAGS),
    "load": (len(LESSONS) - 1) + 9,
    "hall": 8,
}
SERVED = ("browser", "load", "hall")


def printed(*words: str) -> str:
    """Return what a Python of its own prints, with warnings as errors; it must end well."""
    one_thread = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "PYTHONUNBUFFERED": ""}
    env, command = os.environ | one_thread, [sys.executable, *words]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=900, env=env)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout


def rows_of(text: str) -> list[str]:
    """Return the rows of the tables in a text: what follows a rule, up to the head of the next table."""
    tables = re.split(r"(?:^.*\n)?^[-+]+$", text, flags=re.MULTILINE)[1:]
    return [line for table in tables for line in table.split("\n\n")[0].splitlines() if line.count("|") >= 2]


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.wide if name in SERVED else pytest.mark.slow) for name in ROWS]
)
def test_benchmark_prints_every_row(name: str) -> None:
    text = printed("-W", "error", "-m", f"benchmarks.{name}", "--quick")
    assert text.startswith("Tiny numbers")
    assert len(rows_of(text)) == ROWS[name], text


@pytest.mark.slow
def test_every_benchmark_is_here_and_documented() -> None:
    started = {path.stem for path in (ROOT / "benchmarks").glob("*.py") if "__main__" in path.read_text("utf-8")}
    assert started - {"timed_server"} == set(ROWS)  # a server that benchmarks.browser starts
    told = (ROOT / "docs/testing.md").read_text("utf-8")
    assert [name for name in ROWS if f"python -m benchmarks.{name}" not in told] == []


@pytest.mark.wide
def test_policies_cost_what_the_list_says() -> None:
    ratios = [float(row.split("|")[-1]) for row in rows_of(printed("-m", "benchmarks.costs"))]
    typical = sorted(ratios)[len(ratios) // 2]  # the pace of this machine, which the list cannot know
    assert all(1 / 3 < ratio / typical < 3 for ratio in ratios), ratios
