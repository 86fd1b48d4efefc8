"""A fault under a visitor ends in a sentence and a next step; nothing else breaks, and the tab works again."""

from __future__ import annotations

import errno
import json
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from lessons.race.lesson import LESSON as RACE_LESSON
from lessons.real_data import worker_jobs as trials
from lessons.reproductions import model as reproductions
from lessons.reproductions import overview as evidence
from lessons.shared import stored_runs as shipped
from lessons.store import page_runs
from shell.runs import engines
from shell.runs.runs import BROKEN
from tests.lessons.test_pages import faults, opened, specs, through, unfolded
from tests.shared import forget
from tests.standins_runs import end_worker
from tvbo_core import data

RACE, BANDS, PROOFS = "pages/The_race.py", "pages/Confidence_bands.py", "pages/Reproductions.py"
REPORT = "flynn-table-1"


def page_text(at: AppTest) -> str:
    """Every sentence on the page."""
    return "\n".join(e.value for kind in ("info", "caption", "markdown") for e in getattr(at, kind))


@pytest.fixture
def nothing_stored() -> Iterator[None]:
    """Before and after: what was read from stored files is read anew."""

    def forget_all() -> None:
        for kept in (shipped._stored, reproductions.report, reproductions.stored, evidence.entries, data.load):
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
    assert faults(at) == [] and BROKEN in page_text(at)
    unfolded(at).number_input(key="seed").set_value(72).run()
    through(at, "race")
    at.run()
    assert faults(at) == [] and BROKEN not in page_text(at) and specs(at)


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
    file, wanted = tmp_path / "races.npz", page_runs(RACE_LESSON)[:3]
    file.write_bytes(shipped.FILE.read_bytes())
    assert len(shipped.runs(wanted, file)) == 3
    for how in HARM:
        if file.is_dir():
            file.rmdir()
        file.write_bytes(shipped.FILE.read_bytes())
        shipped._stored.cache_clear()
        _damage(file, how)
        assert shipped.runs(wanted, file) == {}, how


def test_damaged_report_is_a_sentence_with_its_command(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, nothing_stored: None
):
    file, whole = tmp_path / f"{REPORT}.json", (reproductions.FOLDER / f"{REPORT}.json").read_bytes()
    for path in reproductions.FOLDER.glob("*.json"):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    monkeypatch.setattr(reproductions, "FOLDER", tmp_path)
    for how in HARM:
        _damage(file, how)
        for kept in (reproductions.report, reproductions.stored, evidence.entries):
            kept.cache_clear()
        with pytest.raises(ValueError, match=f"python -m lessons.reproductions {REPORT}"):
            reproductions.stored(REPORT)
        assert [reproductions.readable(name) for name in (REPORT, "flynn-figure-1")] == [False, True], how
        if file.is_dir():
            file.rmdir()
        file.write_bytes(whole)
    _damage(file, "cut")
    at = opened(PROOFS, shown=REPORT)
    assert not at.exception and "damaged" in page_text(at)
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
