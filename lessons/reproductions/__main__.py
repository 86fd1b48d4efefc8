"""`python -m lessons.reproductions NAME [--reps N] [--jobs N] [--backend loky|dask] [--out DIR]`."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from lessons.reproductions.experiments import EXPERIMENTS
from lessons.reproductions.experiments.runner import resolve, run


def arguments(words: list[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser("python -m lessons.reproductions", description="Run a paper's table or figure.")
    parser.add_argument("name", choices=[*EXPERIMENTS, "list"], metavar="NAME", help="'list' names them all")
    parser.add_argument("--reps", type=int, help="repetitions (default: the paper's)")
    parser.add_argument("--horizon", type=int, help="rounds (default: the paper's; others are not compared)")
    parser.add_argument("--only", default="", help="only parts whose name contains this")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument(
        "--backend",
        choices=("loky", "dask"),
        default="loky",
        help="dask: a cluster on this machine, or the one DASK_SCHEDULER_ADDRESS names",
    )
    parser.add_argument("--out", type=Path, default=Path("reproductions"), help="folder (default: reproductions)")
    return parser.parse_args(words)


@contextmanager
def workers(backend: str, jobs: int) -> Iterator[None]:
    """Context in which joblib sends its work to this backend."""
    import joblib

    if backend == "loky":
        with joblib.parallel_config(backend="loky", inner_max_num_threads=1):
            yield
        return
    import os

    from dask.distributed import Client

    local = (
        {}
        if "DASK_SCHEDULER_ADDRESS" in os.environ
        else {"n_workers": jobs, "threads_per_worker": 1, "host": "127.0.0.1", "dashboard_address": None}
    )
    with Client(**local), joblib.parallel_config(backend="dask"):
        yield


def tell(report: dict) -> None:
    """The report in lines."""
    for part, measured in report["results"].items():
        for measure, found in measured.items():
            if measure != "curve":
                sd = "" if found["sd"] is None else f" ± {found['sd']:.4g}"
                paper = report["comparison"].get(part) if measure == "regret" else None
                print(f"{part}: {measure} {found['mean']:.5g}{sd}" + ("" if paper is None else verdict_text(paper)))
    for finding in report["findings"]:
        word = ("yes" if finding["holds"] else "no") if finding["decided"] else "undecided"
        where = finding["said"]["place"] if finding["said"] else "asked by this lab"
        print(f"{word}: {finding['claim']} ({where}): {finding['measured']}")
    if report["comparison"]:
        counts = Counter(verdict["status"] for verdict in report["comparison"].values())
        print("cells, by standard errors of the difference:", dict(counts))


def verdict_text(verdict: dict) -> str:
    z = "" if verdict["z"] is None else f", z = {verdict['z']:.2f}"
    return f"   paper {verdict['paper']['mean']:g} ± {verdict['paper']['sd']:g}: {verdict['status']}{z}"


def main(words: list[str] | None = None) -> int:
    options = arguments(words)
    if options.name == "list":
        for experiment in EXPERIMENTS.values():
            print(f"{experiment.name}: {experiment.source}. {experiment.question}")
        return 0
    experiment = EXPERIMENTS[options.name]

    try:
        size = resolve(experiment, options.reps, options.horizon, options.only)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    try:
        with workers(options.backend, options.jobs):
            report = run(experiment, size, options.out, options.jobs, partial(print, flush=True))
    except OSError as error:
        next_step = "make room, or name another folder with --out; the same command goes on where it was"
        print(f"{options.out} cannot be written ({error.strerror}): {next_step}.", file=sys.stderr)
        return 1
    tell(report)
    print(f"written to {(options.out / options.name).with_suffix('.json')}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
