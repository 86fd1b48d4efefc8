"""Repetitions in any number of processes, each kept as it finishes, so that a killed run goes on where it was.

A repetition (one part, one seed) is one small file, written whole or not at all; only this process writes, so
workers may be on other machines. The report is made from the files: how a run was cut or spread does not show in
its results.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import re
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import scipy

from lessons.reproductions.experiments.compare import judge
from lessons.reproductions.experiments.record import DRAWN, Experiment, PartOutcome, Results, checkpoints
from tvbo_core import __version__
from tvbo_core.threads import one_thread

DIGITS = 9  # of every number kept: what lies behind is rounding of one machine's arithmetic
FINE = 5  # digits of the curves of single seeds: enough to draw
# Time of this core alone, so that a busy machine or a pause does not count; of the process where threads have none.
_clock = getattr(time, "thread_time", time.process_time)
NUMBERS = re.compile(r"\[\n\s*((?:[-+.\deE]+,\s+)*[-+.\deE]+)\s+\]")  # a list of numbers goes on one line


@dataclass(frozen=True)
class RunSize:
    """Size of a run of an experiment.

    Attributes:
        reps: seeds 0, 1, ..., reps - 1.   horizon: rounds.   only: parts whose name contains this.
    """

    reps: int
    horizon: int
    only: str = ""


def resolve(experiment: Experiment, reps: int | None = None, horizon: int | None = None, only: str = "") -> RunSize:
    """The paper's size unless asked otherwise.

    Raises:
        ValueError: no repetition, a horizon of less than 2 rounds, or no part of that name.
    """
    size = RunSize(experiment.reps if reps is None else reps, experiment.horizon if horizon is None else horizon, only)
    if size.reps < 1:
        raise ValueError(f"the number of repetitions must be at least 1, got {size.reps}")
    if experiment.horizon and size.horizon < 2:
        raise ValueError(f"the horizon must be at least 2 rounds, got {size.horizon}")
    if not parts_of(experiment, size):
        raise ValueError(f"no part of {experiment.name} contains {only!r}; there are {'; '.join(experiment.parts)}")
    return size


def parts_of(experiment: Experiment, size: RunSize) -> list[str]:
    return [part for part in experiment.parts if size.only in part]


def run(
    experiment: Experiment, size: RunSize, out: Path, jobs: int = 1, progress: Callable[[str], None] = lambda line: None
) -> dict:
    """Run what is missing, then write and return the report `out`/NAME.json.

    Args:
        jobs: processes; a joblib backend that is set outside (dask) is used as it is.
        progress: called here with a line after each new repetition.
    """
    folder = out / f"{experiment.name}.runs"
    folder.mkdir(parents=True, exist_ok=True)
    parts = parts_of(experiment, size)
    files = {(p, s): path_of(folder, experiment, size, p, s) for s in range(size.reps) for p in parts}
    missing = [pair for pair, path in files.items() if read(path) is None]
    done = len(files) - len(missing)
    for part, seed, outcome, seconds in _finished(experiment.name, size.horizon, missing, jobs):
        put(files[part, seed], {"part": part, "seed": seed, "seconds": seconds, **asdict(outcome)})
        done += 1
        progress(f"{done}/{len(files)}  {part}, seed {seed}: {seconds:.1f} s")
    found: dict[str, dict[int, tuple[PartOutcome, float]]] = {part: {} for part in parts}
    for (part, seed), path in files.items():
        if (kept := read(path)) is not None:
            found[part][seed] = kept
    report = summary(experiment, size, found)
    put(out / f"{experiment.name}.json", report)
    return report


def _finished(name: str, horizon: int, pairs: list[tuple[str, int]], jobs: int) -> Iterator[tuple]:
    from joblib import Parallel, delayed

    if not pairs:
        return
    pool = Parallel(jobs, return_as="generator_unordered", batch_size=1, pre_dispatch="2*n_jobs")
    yield from pool(delayed(_repetition)(name, horizon, part, seed) for part, seed in pairs)


def _repetition(name: str, horizon: int, part: str, seed: int) -> tuple[str, int, PartOutcome, float]:
    from lessons.reproductions.experiments import EXPERIMENTS

    start = _clock()
    with one_thread():
        outcome = EXPERIMENTS[name].play(part, seed, horizon)
    return part, seed, outcome, _clock() - start


def fingerprint(experiment: Experiment, size: RunSize) -> str:
    """Fingerprint that a kept repetition must agree with to count: set-up, choices, horizon and version."""
    said = json.dumps([experiment.name, experiment.setup, experiment.choices, size.horizon, __version__], default=str)
    return hashlib.sha256(said.encode()).hexdigest()[:16]


def path_of(folder: Path, experiment: Experiment, size: RunSize, part: str, seed: int) -> Path:
    """The file of one repetition; other sizes and set-ups have other names."""
    slug = "".join(c if c.isalnum() else "-" for c in part)
    return folder / f"{fingerprint(experiment, size)}.{experiment.parts.index(part):03d}-{slug}.{seed}.json"


def read(path: Path) -> tuple[PartOutcome, float] | None:
    """A kept repetition and its seconds, None if there is none that can be read."""
    try:
        kept = json.loads(path.read_text(encoding="utf-8"))
        return PartOutcome(kept["numbers"], tuple(kept["curve"]), kept["timing"]), float(kept["seconds"])
    except (OSError, ValueError, KeyError, TypeError):
        return None  # it is then run again


def put(path: Path, content: dict) -> None:
    """Write a JSON file whole or not at all, also when the process is killed."""
    beside = path.with_suffix(f".{os.getpid()}.part")
    with open(beside, "w", encoding="utf-8") as file:
        text = json.dumps(rounded(content), indent=1, allow_nan=False)
        file.write(NUMBERS.sub(lambda found: f"[{' '.join(found[1].split())}]", text) + "\n")
        file.flush()
        os.fsync(file.fileno())
    os.replace(beside, path)


def rounded(value: object, digits: int = DIGITS) -> object:
    """The same with every real number cut to so many significant digits."""
    if isinstance(value, dict):
        return {key: rounded(entry, digits) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [rounded(entry, digits) for entry in value]
    if isinstance(value, float | np.floating):
        return float(f"{value:.{digits}g}")
    return int(value) if isinstance(value, np.integer) else value


def summary(experiment: Experiment, size: RunSize, found: dict[str, dict[int, tuple[PartOutcome, float]]]) -> dict:
    """The report of a run that is complete."""
    outcomes = {part: {seed: kept[0] for seed, kept in by_seed.items()} for part, by_seed in found.items()}
    results = Results(outcomes, size.horizon)
    same_size = size.horizon == experiment.horizon
    printed = experiment.published
    judged = {part: judge(results.values(part), printed[part], same_size) for part in found if part in printed}
    whole = len(found) == len(experiment.parts)
    return {
        "name": experiment.name,
        "source": experiment.source,
        "question": experiment.question,
        "command": command(experiment, size),
        "full_size": same_size and whole and size.reps >= experiment.reps,
        "repetitions": size.reps,
        "repetitions_of_the_paper": experiment.reps,
        "horizon": size.horizon,
        "seeds": list(range(size.reps)),
        "version": __version__,
        "setup": dict(experiment.setup),
        "choices": list(experiment.choices),
        "left_out": list(experiment.left_out),
        "results": {part: _measures(results, part) for part in found},
        "comparison": {part: asdict(verdict) for part, verdict in judged.items()},
        "findings": [asdict(finding) for finding in (experiment.findings(results) if whole else [])],
        "machine": _machine(results, found),
    }


def command(experiment: Experiment, size: RunSize) -> str:
    """Command that gives the same results."""
    words = ["python -m lessons.reproductions", experiment.name, f"--reps {size.reps}"]
    if size.horizon != experiment.horizon:
        words.append(f"--horizon {size.horizon}")
    return " ".join([*words, f'--only "{size.only}"'] if size.only else words)


def _measures(results: Results, part: str) -> dict:
    first = next(iter(results.outcomes[part].values()))
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


def _machine(results: Results, found: dict[str, dict[int, tuple[PartOutcome, float]]]) -> dict:
    """Versions and platform, which differ between machines."""
    seconds = {part: float(np.mean([kept[1] for kept in by_seed.values()])) for part, by_seed in found.items()}
    timing = {
        part: {key: results.timing(part, key) for key in next(iter(by_seed.values())).timing}
        for part, by_seed in results.outcomes.items()
    }
    total = sum(kept[1] for by_seed in found.values() for kept in by_seed.values())
    return {
        "core_seconds": total,
        "seconds_a_repetition": seconds,
        "timing": timing,
        "python": platform.python_version(),
        "numpy": np.__version__,
        "scipy": scipy.__version__,
    }
