"""`python -m lessons.reproductions NAME [--reps N] [--jobs N] [--backend loky|dask] [--out DIR]`."""

from __future__ import annotations

import argparse
import os
import sys
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import joblib

from lessons.reproductions.experiments import EXPERIMENTS
from lessons.reproductions.experiments.runner import run
from lessons.reproductions.model import OWN, checks

ON_THIS_MACHINE = {"threads_per_worker": 1, "host": "127.0.0.1", "dashboard_address": None}


def arguments(words: list[str] | None = None) -> argparse.Namespace:
    """Return the options of a command line, or stop with a sentence about them."""
    parser = argparse.ArgumentParser("python -m lessons.reproductions", description="Run a paper's table or figure.")
    parser.add_argument("name", choices=[*EXPERIMENTS, "list"], metavar="NAME", help="'list' names them all")
    parser.add_argument("--reps", type=int, help="repetitions (default: the paper's)")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument(
        "--backend",
        choices=("loky", "dask"),
        default="loky",
        help="dask: a cluster on this machine, or the one DASK_SCHEDULER_ADDRESS names",
    )
    parser.add_argument("--out", type=Path, default=Path("reproductions"), help="folder (default: reproductions)")
    options = parser.parse_args(words)
    if options.reps is not None and options.reps < 1:
        parser.error(f"--reps must be at least 1, got {options.reps}")
    return options


def main(words: list[str] | None = None) -> int:
    """Run one experiment, print what came out, and return the exit status."""
    options = arguments(words)
    if options.name == "list":
        for experiment in EXPERIMENTS.values():
            print(f"{experiment.name}: {experiment.source}. {experiment.question}")
        return 0
    experiment = EXPERIMENTS[options.name]
    with ExitStack() as workers:
        if options.backend == "dask":
            from dask.distributed import Client

            named = "DASK_SCHEDULER_ADDRESS" in os.environ
            workers.enter_context(Client() if named else Client(n_workers=options.jobs, **ON_THIS_MACHINE))
            workers.enter_context(joblib.parallel_config("dask"))
        try:
            found = run(
                experiment, options.reps or experiment.reps, options.out, options.jobs, partial(print, flush=True)
            )
        except OSError as error:
            next_step = "make room, or name another folder with --out; the same command goes on where it was"
            print(f"{options.out} cannot be written ({error.strerror}): {next_step}.", file=sys.stderr)
            return 1
    for one in checks(found):
        print(f"{one.outcome}: {one.claim} ({one.place or OWN}): {one.measured}")
    print(f"written to {(options.out / options.name).with_suffix('.json')}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
