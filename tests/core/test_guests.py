"""Guests: a copy of a shipped policy or band does exactly what the shipped one does, wherever it runs."""

from __future__ import annotations

import inspect
import pickle
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import tvbo_core as tv
from common.failure import Failure
from lessons.shared.play_jobs import PlayJob, outcome
from tests.core.test_every_policy import refused
from tvbo_core import bands, policies
from tvbo_core.bands import theorems
from tvbo_core.guests import ADMITTED, Guest, admit, load_guest
from tvbo_core.policies import index

WORLD = tv.World(kind="jumps", horizon=40, arms=15, seed=5)
# The text of a shipped class, as if its reader had typed it: a name of its own, and what its file imports.
COPIES = f"""
from __future__ import annotations
from tvbo_core.policies import index
globals().update({{k: v for k, v in vars(index).items() if not k.startswith("__")}})
{inspect.getsource(index.WGPUCB).replace("WGPUCB", "SameAsWGPUCB")}

from tvbo_core.bands import theorems
globals().update({{k: v for k, v in vars(theorems).items() if not k.startswith("__")}})
{inspect.getsource(theorems.CMM).replace("class CMM", "class SameAsCMM").replace('"CMM"', '"mine"')}
"""
FAULTY = """
import time

class Raises:
    def __init__(self, at=3):
        self.at = at

    def init(self, known):
        if self.at < 0:
            raise KeyError("known")

    def select(self, state, t, rng):
        return 1 // (self.at - t) * 0

    def update(self, state, t, arm, y):
        return state


class Sleeps(Raises):
    def select(self, state, t, rng):
        time.sleep(60 if t == 2 else 0)
        return 0


class Beyond(Raises):
    def select(self, state, t, rng):
        return 99
"""


@pytest.fixture
def lists() -> Iterator[None]:
    """Take the guests of a test off the lists."""
    kept = [(one, dict(one)) for one in (policies.ALL, policies.BY_NAME, bands.ALL, ADMITTED)]
    yield
    for one, before in kept:
        one.clear()
        one.update(before)


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    path = tmp_path / "mine.py"
    path.write_text(COPIES + FAULTY)
    return path


def test_copy_plays_as_the_shipped_policy(mine):
    guest = load_guest(f"{mine}@SameAsWGPUCB", ["discount=0.9"]).policy()
    table = tv.race([WORLD], {"mine": guest, "WGP-UCB": tv.WGPUCB(discount=0.9)}, seeds=range(4), n_jobs=2)
    assert np.array_equal(table.arms[0], table.arms[1]) and np.array_equal(table.regret[0], table.regret[1])
    problem = tv.make_problem(WORLD)
    alone = [tv.play(problem, one, tv.observe.play_rng(5), bands=True) for one in (guest, tv.WGPUCB(discount=0.9))]
    assert np.array_equal(alone[0].y, alone[1].y)
    assert all(np.array_equal(a.upper, b.upper) for a, b in zip(alone[0].bands, alone[1].bands, strict=True))


def test_copy_is_the_shipped_band(mine, lists):
    guest = load_guest(f"{mine}@SameAsCMM", ["c=2.0"])
    admit([guest])
    problem = tv.make_problem(WORLD)
    history = tv.observe.random_design(problem, 40, tv.observe.play_rng(5))
    made = {"mine": bands.ALL["SameAsCMM*"].make(3.0, 0.1, 0.05, c=7.0), "CMM": tv.CMM(3.0, 0.1, 0.05, c=2.0)}
    films = tv.films(made, problem.kernel, history.X, history.y, problem.x)
    assert np.array_equal(films["mine"].lower, films["CMM"].lower) and guest.kind == "band"


def test_guest_is_a_plain_value(mine):
    one, again = (load_guest(f"{mine}@Raises", ["at=5"]) for _ in range(2))
    assert one.policy() == again.policy() and hash(one.policy()) == hash(again.policy()) and one.word == again.word
    assert "class" not in repr(one) and re.fullmatch(r"[a-z0-9_]{1,40}", one.word)
    others = [load_guest(f"{mine}@Raises", ["at=6"])]
    mine.write_text(mine.read_text() + "# changed\n")
    others.append(load_guest(f"{mine}@Raises", ["at=5"]))
    assert len({one.word, *(other.word for other in others)}) == 3


def test_guest_runs_where_its_file_is_not(mine):
    job = PlayJob("mine", load_guest(f"{mine}@SameAsWGPUCB").policy(), WORLD)
    alone = "import pickle, sys; job = pickle.loads(sys.stdin.buffer.read()); print(job.perform().arms.tolist())"
    sent = pickle.dumps(job)
    mine.unlink()
    done = subprocess.run([sys.executable, "-c", alone], input=sent, capture_output=True, timeout=60)
    assert done.stdout.decode() == f"{job.perform().arms.tolist()}\n", done.stderr.decode()


@pytest.mark.parametrize(
    ("guest", "words"),
    [
        ("Raises", ["Raises() of mine.py raises ZeroDivisionError", "in line ", "in round t = 3"]),
        ("Raises at=-1", ["Raises(at=-1) of mine.py raises KeyError", "before the first round"]),
        ("Beyond", ["Beyond() of mine.py chose arm 99 in round t = 0"]),
    ],
)
def test_error_names_file_line_and_round(mine, guest, words):
    name, *settings = guest.split()
    found = outcome(PlayJob("mine", load_guest(f"{mine}@{name}", settings).policy(), WORLD))
    assert isinstance(found, Failure) and all(word in str(found) for word in words), found
    refused(lambda: tv.race([WORLD], {"mine": load_guest(f"{mine}@{name}", settings).policy()}, [5]), "seed 5", *words)


def test_lists_take_each_guest_once(mine, lists):
    count, first = len(policies.ALL), load_guest(f"{mine}@Raises", ["at=50"])
    admit([first, first, load_guest(f"{mine}@Raises", ["at=60"]), load_guest(f"{mine}@Sleeps")])
    names = ["Raises at=50*", "Raises at=60*", "Sleeps*"]
    assert list(ADMITTED) == list(policies.BY_NAME)[count:] == names
    entry = policies.entry_of(load_guest(f"{mine}@Raises", ["at=60"]).policy())
    assert entry.name == "Raises at=60*" and entry.make(20, 3.0) == entry.make()
    mine.write_text("# changed\n" + mine.read_text())
    refused(lambda: admit([first, load_guest(f"{mine}@Raises", ["at=50"])]), "Raises(at=50) of mine.py is named twice")


def test_shipped_lists_hold_no_guest():
    assert not ADMITTED and not any(entry.own for entry in policies.ALL.values())
    assert isinstance(Guest("a.py", "A").word, str)
