"""What goes wrong under a visitor ends in a sentence and a next step; nothing else breaks, and the tab works again."""

from __future__ import annotations

import asyncio
import errno
import json
import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import monotonic, sleep

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

import tvbo_core as tv
from benchmarks import drive
from lessons.race.lesson import LESSON as RACE_LESSON
from lessons.real_data import worker_jobs as trials
from lessons.reproductions import model as reproductions
from lessons.reproductions import overview as evidence
from lessons.shared import stored_runs as shipped
from lessons.store import opened as opened_runs
from shell.runs import engines
from shell.runs.jobs import Failure, outcome
from shell.runs.runs import BROKEN
from tests.lessons.test_pages import faults, opened, specs, through, unfolded
from tests.shared import forget, session_of
from tests.standins_runs import end_worker, workers
from tests.strangers import Stranger
from tvbo_core import data
from tvbo_core.bands import BoundError
from tvbo_core.jobs import PlayJob

RACE, BANDS, REAL, PROOFS = (
    "pages/The_race.py",
    "pages/Confidence_bands.py",
    "pages/Real_data.py",
    "pages/Reproductions.py",
)
REPORT = "flynn-table-1"


def until(done, most: float = 60.0) -> None:
    """Wait for it, and complain when it does not come."""
    start = monotonic()
    while not done():
        assert monotonic() - start < most, "it did not happen"
        sleep(0.01)


def said(at: AppTest) -> str:
    """Every sentence on the page."""
    return "\n".join(e.value for kind in ("info", "caption", "markdown") for e in getattr(at, kind))


@pytest.fixture
def nothing_stored() -> Iterator[None]:
    """Before and after: what was read from stored files is read anew."""

    def forget_all() -> None:
        for kept in (shipped._stored, reproductions.report, reproductions.board, evidence.entries, data.load):
            kept.cache_clear()
        trials._shipped.cache_clear()
        forget()

    forget_all()
    yield
    forget_all()


# Workers -------------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_race_whose_workers_die_is_a_sentence(monkeypatch: pytest.MonkeyPatch):
    with monkeypatch.context() as patch:
        patch.setattr(engines, "outcomes", end_worker)
        at = opened(RACE, seed="71", seeds="2", T="100", algos="gp", pair="none")
        through(at, "race")
        at.run()
    assert faults(at) == [] and BROKEN in said(at)
    unfolded(at).number_input(key="seed").set_value(72).run()
    through(at, "race")
    at.run()
    assert faults(at) == [] and BROKEN not in said(at) and specs(at)


@pytest.mark.slow
def test_worker_killed_in_mid_race_costs_no_run():
    at = opened(RACE, seed="73", seeds="2", T="300", algos="rnd.gp.wsparq", pair="none")
    until(workers)
    assert session_of(at).run_sets["race"].missing
    workers()[0].kill()
    through(at, "race")
    at.run()
    assert faults(at) == [] and not session_of(at).run_sets["race"].missing
    assert BROKEN not in said(at)


# Solvers -------------------------------------------------------------------------------------------------------------


def test_failing_solver_is_a_sentence(monkeypatch: pytest.MonkeyPatch):
    def fails(*given: object) -> tuple[float, float]:
        raise BoundError("The solver did not finish; take fewer.")

    monkeypatch.setattr(tv.certify, "socp_bounds", fails)
    at = opened(BANDS, seed="74")
    next(button for button in at.button if "conic" in button.label).click().run()
    assert not at.exception and "did not finish" in said(at) and len(specs(at)) > 1
    monkeypatch.setattr("tvbo_core.jobs.play", fails)
    result = outcome(PlayJob("OPKB", tv.OPKB(), tv.World(horizon=5)))  # and the worker lives on
    assert isinstance(result, Failure) and result.sentence == "The solver did not finish; take fewer."


# Stored files --------------------------------------------------------------------------------------------------------


def _damage(path: Path, how: str) -> None:
    raw = path.read_bytes()
    if how == "cut":
        path.write_bytes(raw[: len(raw) // 2])
    elif how == "empty":
        path.write_bytes(b"")
    elif how == "noise":
        path.write_bytes(np.random.default_rng(3).bytes(len(raw)))
    elif how == "folder":
        path.unlink()
        path.mkdir()
    elif path.suffix == ".npz":
        np.savez(path, something=np.zeros(3))
    else:
        path.write_text(json.dumps({"name": path.stem, "results": {}}), encoding="utf-8")


HARM = ("cut", "empty", "noise", "folder", "keys")


def test_damaged_stored_races_hold_nothing(tmp_path: Path, nothing_stored: None):
    file, wanted = tmp_path / "races.npz", opened_runs(RACE_LESSON)[:3]
    file.write_bytes(shipped.FILE.read_bytes())
    assert len(shipped.runs(wanted, file)) == 3
    for how in HARM:
        if file.is_dir():
            file.rmdir()
        file.write_bytes(shipped.FILE.read_bytes())
        shipped._stored.cache_clear()
        _damage(file, how)
        assert shipped.runs(wanted, file) == {}, how


def test_stored_run_of_another_world_is_played(tmp_path: Path, nothing_stored: None):
    file = tmp_path / "races.npz"
    job = PlayJob("Random", tv.Random(), tv.World(horizon=8, arms=4))
    run = outcome(job)
    shipped.store([(job, run)], file)
    assert set(shipped.runs([job], file)) == {job}
    for wrong in (run.arms[:-1], run.arms + 4):
        shipped._stored.cache_clear()
        n = len(wrong)
        rest = run.regret[:n], run.extra_queries[:n], run.seconds[:n]
        shipped.store([(job, type(run)(run.name, 0, run.seed, wrong, *rest))], file)
        assert shipped.runs([job], file) == {}


@pytest.mark.slow
def test_pages_play_what_is_damaged(nothing_stored: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    file = tmp_path / "races.npz"
    file.write_bytes(b"PK no zip")
    monkeypatch.setattr(shipped, "_stored", lambda given, read=shipped._stored: read(file))
    at = opened(RACE, seeds="2", T="100")
    through(at, "race")
    at.run()
    assert faults(at) == [] and specs(at)


def test_damaged_report_is_a_sentence_with_its_command(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, nothing_stored: None
):
    file, whole = tmp_path / f"{REPORT}.json", (reproductions.FOLDER / f"{REPORT}.json").read_bytes()
    for path in reproductions.FOLDER.glob("*.json"):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    monkeypatch.setattr(reproductions, "FOLDER", tmp_path)
    for how in HARM:
        _damage(file, how)
        for kept in (reproductions.report, reproductions.board, evidence.entries):
            kept.cache_clear()
        with pytest.raises(ValueError, match=f"python -m lessons.reproductions {REPORT}"):
            reproductions.board(REPORT)
        others = [told["name"] for told in reproductions.stored((REPORT, "flynn-figure-1"))]
        assert others == ["flynn-figure-1"], how
        if file.is_dir():
            file.rmdir()
        file.write_bytes(whole)
    _damage(file, "cut")
    at = opened(PROOFS, shown=REPORT)
    assert not at.exception and "damaged" in said(at)
    other = opened(PROOFS, shown="flynn-figure-1")
    assert faults(other) == [] and specs(other)


# A full disk ---------------------------------------------------------------------------------------------------------


def test_lesson_opens_with_a_full_disk(monkeypatch: pytest.MonkeyPatch):
    """Opening and using a lesson writes no file: nothing of it can fail for want of room."""
    real = open

    def full(file, mode="r", *more, **named):
        if any(letter in mode for letter in "wax+") and not str(file).startswith("/dev"):
            raise OSError(errno.ENOSPC, "No space left on device", str(file))
        return real(file, mode, *more, **named)

    def no_temporary(*given: object, **named: object):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("builtins.open", full)
    monkeypatch.setattr(tempfile, "mkdtemp", no_temporary)
    monkeypatch.setattr(tempfile, "mkstemp", no_temporary)
    for page in (RACE, BANDS, PROOFS):
        at = opened(page)
        assert faults(at) == [] and specs(at)


def test_experiment_on_a_full_disk_says_where(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys):
    from lessons.reproductions import __main__ as experiments
    from lessons.reproductions.experiments import runner

    def full(path: Path, content: dict) -> None:
        raise OSError(errno.ENOSPC, "No space left on device", str(path))

    monkeypatch.setattr(runner, "put", full)
    assert experiments.main(["flynn-figure-1", "--reps", "1", "--horizon", "20", "--out", str(tmp_path)]) == 1
    message = capsys.readouterr().err
    assert "No space left on device" in message and "--out" in message and len(message.splitlines()) == 1


# A missing package ---------------------------------------------------------------------------------------------------


SMALL_DISK = """
import resource, runpy, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (500_000, 500_000))
sys.argv = ["streamlit", *sys.argv[1:]]
runpy.run_module("streamlit", run_name="__main__")
"""


@pytest.mark.slow
def test_upload_is_read_without_room_on_disk(tmp_path: Path) -> None:
    """A server that can write no file above half a megabyte, as where the disk for temporary files is full."""

    async def load(address: str) -> str:
        tab = Stranger(address)
        await tab.open("Real_data", "table=own")
        said = await tab.load(b"day,first,second\n" + b"".join(b"%07d,%07d,1\n" % (i, i % 7) for i in range(200_000)))
        await tab.close()
        return said

    with drive.server(("-c", SMALL_DISK, "run", "app.py"), tmp_path / "lab.log") as address:
        said = asyncio.run(load(address))
    assert "upload refused" not in said and "table.csv" in said, said[:2000]
