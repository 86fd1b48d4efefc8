"""Nothing rests on tvbo_core/fast: in a copy without it the core's results are the same, only slower."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
COMPARE = """
import hashlib
from tvbo_core import trial
from tvbo_core.play_many import HAS_FAST, most_arms_side_by_side
from tvbo_core.worlds.tables import data_problem, load, training_problem
table = load("stocks")
learnt = trial.learn(trial.latest(training_problem(table), 120))
second = trial.latest(data_problem(table, 10_000), 120)
policies = {n: learnt.memories.policy(n) for n in trial.NAMES}
arms = b"".join(run.arms.astype("int16").tobytes() for run in trial.plays(second, policies, range(2)))
print(HAS_FAST, most_arms_side_by_side() > 0, learnt.memories, hashlib.sha256(arms).hexdigest())
"""


def run(root: Path, *words: str) -> subprocess.CompletedProcess:
    return subprocess.run([sys.executable, *words], cwd=root, capture_output=True, text=True, timeout=900)


@pytest.mark.slow
def test_results_are_the_same_without_fast(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "tvbo_core", tmp_path / "tvbo_core", ignore=shutil.ignore_patterns("fast", "__pycache__"))
    with_it, without = (run(root, "-c", COMPARE) for root in (ROOT, tmp_path))
    assert with_it.returncode == without.returncode == 0, with_it.stderr + without.stderr
    assert with_it.stdout.startswith("True True ") and without.stdout.startswith("False False ")
    assert with_it.stdout.split()[2:] == without.stdout.split()[2:]
