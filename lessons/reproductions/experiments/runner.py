"""Repetitions of an experiment in any number of processes, and the report about them.

`joblib.Memory` keeps each repetition as it finishes, so that a run that was stopped goes on where it was.
"""

from __future__ import annotations

import json
import platform
import re
import time
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import joblib
import numpy as np
import scipy

from lessons.reproductions.experiments.compare import judge
from lessons.reproductions.experiments.record import DRAWN, Experiment, PartOutcome, Results, checkpoints
from tvbo_core import __version__
from tvbo_core.threads import one_thread

DIGITS = 9  # digits of a stored number: those behind are rounding of one machine's arithmetic
FINE = 5  # digits of the curves of single seeds, which are drawn only
# The clock counts this thread alone, so that a busy machine or a pause does not matter; where threads have no clock, it
# counts the process.
_clock = getattr(time, "thread_time", time.process_time)
NUMBERS = re.compile(r"\[\n\s*((?:[-+.\deE]+,\s+)*[-+.\deE]+)\s+\]")  # Lists of numbers are written on one line.


def run(
    experiment: Experiment,
    reps: int,
    out: Path,
    jobs: int = 1,
    progress: Callable[[str], None] = lambda line: None,
    horizon: int | None = None,
) -> dict:
    """Run what is missing of the seeds 0 to reps - 1, then write and return the report `out`/NAME.json.

    Args:
        jobs: processes; a joblib backend that is set outside (dask) is used as it is.
        progress: called here with a line after each repetition.
        horizon: fewer rounds than the paper's, which are not compared with it.
    """
    out.mkdir(parents=True, exist_ok=True)
    horizon = experiment.horizon if horizon is None else horizon
    one = joblib.delayed(joblib.Memory(out / "repetitions", verbose=0).cache(repetition))
    said = repr((experiment.setup, experiment.choices, __version__))
    pairs = [(part, seed) for seed in range(reps) for part in experiment.parts]
    pool = joblib.Parallel(jobs, return_as="generator_unordered", batch_size=1, pre_dispatch="2*n_jobs")
    finished = []
    for done in pool(one(experiment.name, said, horizon, part, seed) for part, seed in pairs):
        finished.append(done)
        progress(f"{len(finished)}/{len(pairs)}  {done[0]}, seed {done[1]}: {done[3]:.1f} s")
    outcomes: dict[str, dict[int, PartOutcome]] = {part: {} for part in experiment.parts}
    seconds: dict[str, list[float]] = {part: [] for part in experiment.parts}
    for part, seed, outcome, took in sorted(finished, key=lambda done: done[1]):
        outcomes[part][seed] = outcome
        seconds[part].append(took)
    found = rounded(report(experiment, reps, Results(outcomes, horizon), seconds))
    text = NUMBERS.sub(lambda some: f"[{' '.join(some[1].split())}]", json.dumps(found, indent=1, allow_nan=False))
    beside = out / f"{experiment.name}.part"
    beside.write_text(text + "\n", encoding="utf-8")
    beside.replace(out / f"{experiment.name}.json")  # The file is whole or not there.
    return found


def repetition(name: str, said: str, horizon: int, part: str, seed: int) -> tuple[str, int, PartOutcome, float]:
    """Return a part, a seed, its outcome and the seconds that it took.

    Args:
        said: set-up, choices and version of the experiment: with others it is run anew.
    """
    from lessons.reproductions.experiments import EXPERIMENTS

    start = _clock()
    with one_thread():
        outcome = EXPERIMENTS[name].play(part, seed, horizon)
    return part, seed, outcome, _clock() - start


def rounded(value: Any, digits: int = DIGITS) -> Any:
    """Return the same with every real number cut to so many significant digits."""
    if isinstance(value, dict):
        return {key: rounded(entry, digits) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [rounded(entry, digits) for entry in value]
    if isinstance(value, float | np.floating):
        return float(f"{value:.{digits}g}")
    return int(value) if isinstance(value, np.integer) else value


def report(experiment: Experiment, reps: int, results: Results, seconds: dict[str, list[float]]) -> dict:
    """Return the report of a run.

    Args:
        seconds: part -> those of each repetition.
    """
    same_size = results.horizon == experiment.horizon
    compared = experiment.published if same_size else {}
    return {
        "name": experiment.name,
        "source": experiment.source,
        "question": experiment.question,
        "command": f"python -m lessons.reproductions {experiment.name} --reps {reps}",
        "full_size": same_size and reps >= experiment.reps,
        "repetitions": reps,
        "repetitions_of_the_paper": experiment.reps,
        "horizon": results.horizon,
        "seeds": list(range(reps)),
        "version": __version__,
        "setup": dict(experiment.setup),
        "choices": list(experiment.choices),
        "left_out": list(experiment.left_out),
        "results": {part: _measures(results, part) for part in experiment.parts},
        "comparison": {part: asdict(judge(results.values(part), entry)) for part, entry in compared.items()},
        "findings": [asdict(finding) for finding in experiment.findings(results)],
        "machine": {
            "core_seconds": sum(map(sum, seconds.values())),
            "seconds_a_repetition": {part: float(np.mean(took)) for part, took in seconds.items()},
            "python": platform.python_version(),
            "numpy": np.__version__,
            "scipy": scipy.__version__,
        },
    }


def _measures(results: Results, part: str) -> dict:
    first = results.outcomes[part][0]
    measures: dict = {}
    for measure in first.numbers:
        values = results.values(part, measure)
        sd = float(values.std(ddof=1)) if len(values) > 1 else None
        measures[measure] = {"mean": float(values.mean()), "sd": sd, "values": values.tolist()}
    if first.curve:
        curves = results.curves(part)
        measures["curve"] = {
            "rounds": checkpoints(results.horizon).tolist(),
            "mean": curves.mean(axis=0).tolist(),
            "sd": curves.std(axis=0, ddof=1).tolist() if len(curves) > 1 else None,
            "seeds": rounded(curves[:DRAWN].tolist(), FINE),
        }
    return measures
