"""Mistakes at the doors of the core are told in one sentence that says what is allowed."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from functools import partial

import numpy as np
import pytest

import tvbo_core as tv
from lessons.shared.reshaped import MOST, Reshaped
from tests.standins import Uniform
from tvbo_core import bands, policies
from tvbo_core.gp import memory, spectral
from tvbo_core.policies.opkb.constants import OPKBConstants
from tvbo_core.race_results import Run, paired_difference, tabulate
from tvbo_core.records import BandFilm, History
from tvbo_core.theory import THEOREMS, for_kernel
from tvbo_core.worlds import tables
from tvbo_core.worlds.mauduit import Stale

NAN, INF = math.nan, math.inf
SE, X, ONE, EYE = tv.SquaredExponential(0.2), np.linspace(0, 1, 3)[:, None], np.ones(3), np.eye(3)
JUMPS = tv.make_problem(tv.World(kind="jumps", horizon=20, arms=6))
TABLE = tv.Problem(np.zeros((4, 1)), np.zeros((3, 4)), 0.1, SE, 1.0)
UNBOUNDED = replace(JUMPS.known, norm_bound=None)
FILM = BandFilm("hand", np.zeros((3, 2)), np.zeros((3, 2)), np.zeros((3, 2)), np.zeros(3, bool))
RACED = tabulate([Run(n, 0, 0, *(np.zeros(1),) * 4) for n in "ab"], ["a", "b"], [1], [0])
SPREAD = spectral.spectrum(tv.Matern(1.5, 0.2), np.linspace(0, 1, 8)[:, None], np.zeros(8), np.zeros((1, 1)))
REWARDS = np.arange(8.0).reshape(4, 2) ** 2


@dataclass(frozen=True)
class Askew:
    """A kernel whose matrix or diagonal has a wrong shape or value."""

    shape: tuple[int, ...] = (2, 1)
    diagonal: float = 1.0

    def __call__(self, A: np.ndarray, B: np.ndarray) -> np.ndarray:
        return np.ones(self.shape)

    def diag(self, A: np.ndarray) -> np.ndarray:
        return np.full(len(A), self.diagonal)


def each(sentence: str, act: Callable, *values: object) -> list[tuple[str, Callable]]:
    """Return the door that one argument goes through, once for each of its wrong values."""
    return [(sentence, partial(act, value)) for value in values]


def rng() -> np.random.Generator:
    return tv.observe.play_rng(0)


def world(**more: object) -> tv.Problem:
    return tv.make_problem(tv.World(**more))


def table(rewards: np.ndarray, train: int = 2) -> tables.Table:
    names = tuple(map(str, range(np.shape(rewards)[1])))
    return tables.Table("own", "own", rewards, names, ("1", "2", "3", "4"), "", "", "", "", train)


def answer_of_another_arm() -> None:
    rule = tv.PE()
    state = rule.init(JUMPS.known)
    rule.update(state, 0, rule.select(state, 0, rng()) + 1, 1.0)


# What no single wrong value tells: values that do not fit together, and those that would compute for ever or in vain.
DOORS: dict[str, list[tuple[str, Callable]]] = {
    "bands": [
        *each("multiples must be one or more", lambda m: tv.DMM(1.0, 0.1, 0.1, multiples=m), (), (1.0, -1.0)),
        ("Z must have shape", lambda: tv.AMM(1.0, 0.1, 0.1).band(SE, X, ONE, np.zeros((3, 2)))),
        *each(
            "must be at least .*; raise sigma or the ridge, or lower c",
            lambda share: tv.AY(1.0, 0.1, 0.1, share * SPREAD.trace).from_spectrum(SPREAD),
            0.99 * spectral.LEAST_REGULARISER,
        ),
        ("too small for this kernel matrix", lambda: tv.band_film(tv.AMM(1.0, 1e-6, 0.1), SE, X * 0, ONE, X)),
        (r"truth must have shape \(3, 2\) or \(2,\), got \(3,\)", lambda: tv.film.missed(FILM, ONE)),
        *each("finite everywhere: NaN covers nothing", lambda y: tv.Band(y, ONE, ONE), ONE * NAN, ONE * INF),
        ("NaN covers nothing", lambda: BandFilm("hand", EYE * NAN, EYE, EYE, np.zeros(3, bool))),
        ("truth must be finite", lambda: tv.film.missed(FILM, FILM.mean * NAN)),
        ("between 0 and n = 3", lambda: tv.coverage.wilson(4, 3)),
    ],
    "matrices": [
        ("symmetric", lambda: tv.Tabulated(np.array([[1.0, 0.5], [0.4, 1.0]]))),
        ("negative eigenvalue", lambda: tv.Tabulated(np.array([[1.0, 2.0], [2.0, 1.0]]))),
        *each(r"arm indices 0\.\.2", lambda i: tv.Tabulated(EYE).diag(np.array([i])), [3.0], [-1.0], [0.5], [0.0, 1.0]),
        ("too small for this kernel matrix", lambda: tv.posterior(SE, X * 0, ONE, X, 1e-19)),
        *each("a memory must be", memory.matched, 0.5, NAN, INF, "long"),
        ("no larger than the mean of the two variances", lambda: tv.kdpp(3 * np.eye(2) - 2, 1, rng())),
        ("no negative eigenvalue", lambda: tv.kdpp(1.9 * EYE - 0.9, 1, rng())),
    ],
    "worlds": [
        *each("horizon must be .*got", lambda T: world(horizon=T), 0, 100_001, 20.5, True),
        *each("horizon x max|at most", lambda arms: world(horizon=100_000, arms=arms), 4_000),
        *each("norm_bound must be finite", lambda kind: world(kind=kind, norm_bound=INF), "cyclic", "adversary"),
        ("low must be below high", lambda: world(low=1.0, high=1.0)),
        ("dimension 1 and 2", lambda: world(kind="adversary", dimension=3)),
        *each("end must be 6", lambda e: tv.make_problem(Reshaped(end=e)), (0, 0, 0, 0, 0, MOST + 1), (0.5,) * 6),
        *each("an axis (is .*finite ends|must be)", tv.grid, (0, INF, 3), (0, 1, 0), (0, 1), ("a", 1, 3)),
        *each("train_rows must be from 2 to 3, got", lambda n: table(REWARDS, n), 1, 4),
        ("does not vary", lambda: tables.data_problem(table(np.ones((4, 2))), 2)),
    ],
    "learners": [
        *each("", lambda x: replace(JUMPS.known, x=x), np.zeros(3), X[:2] * NAN, "arms", np.zeros((7, 3, 1))),
        *each("kernel", lambda k: replace(JUMPS.known, kernel=k), None, tv.Matern, Askew((1, 2)), Askew(diagonal=-1.0)),
        *each("hand over x.T", lambda x: tv.Learner("gp", replace(UNBOUNDED, x=x)), X.T, np.zeros((1, 41))),
        ("x must be an array of numbers", lambda: replace(UNBOUNDED, x=X + 1j)),
        *each(r"x must have shape \(4, d\)|2 rounds of arms", lambda x: replace(TABLE, x=x), np.zeros((2, 4, 1)), X),
        *each("arms must be whole numbers from 0 to 5", lambda a: History(JUMPS, np.array([a]), ONE[:1]), -1, 6, 0.5),
        *each("0 to the horizon 20, got", lambda n: tv.observe.ucb_design(JUMPS, n, rng()), -1, 21),
        *each("needs a bound on the norm", lambda p: p(width="theory").init(UNBOUNDED), tv.GPUCB, tv.RPERP, tv.SparQ),
        ("give scale a number", lambda: tv.OPKB("theory").init(UNBOUNDED)),
        ("did not ask", answer_of_another_arm),
        *each("shuffle must be True or False, got", lambda word: tv.RPERP(shuffle=word), "no", 2, None),
        *each("the horizon must be at least 0 and whole", lambda T: tv.window_starts(T, 1.0, 0.25), -1, INF, 2.5),
        *each("T must be at least 1", lambda T: tv.bumps.switching(T, 1.0, 1.0, 0.1, INF, 0.2), INF, 0),
        ("Uniform has no band to show", lambda: tv.play(JUMPS, Uniform(), rng(), bands=True)),
    ],
    "races": [
        *each("at least one problem|Problems and Worlds", lambda p: tv.race(p, {"r": tv.Random()}, [0]), [], ["x"]),
        *each("distinct whole numbers", lambda s: tv.race(JUMPS, {"r": tv.Random()}, s), [], [1, 1], [-1], [0.5]),
        ("no policy of this race is called 'c'; there are a, b", lambda: RACED.curves("c")),
        ("problem must be an index", lambda: RACED.curves("a", -1)),
        *each("equal numbers of seeds", lambda one: paired_difference(one, ONE[: len(one) + 1]), ONE[:2], ONE[:0]),
        ("no theorem is called", lambda: for_kernel("iwazaki-3", INF)),
        ("T must be at least 2", lambda: THEOREMS["deng-5"].valid(T=0.0, V=1.0)),
    ],
}


def sentence_of(act: Callable) -> str:
    try:
        act()
    except ValueError as refusal:
        return str(refusal)
    return "was not refused"


GOOD = [
    tv.SquaredExponential(0.2),
    tv.Matern(1.5, 0.2),
    tv.LogWidth(1.0),
    OPKBConstants(),
    *(memory.Restart(3), memory.Window(3), memory.Discount(0.5), memory.Injected(0.5), memory.Markov(0.1)),
    *(entry.make(2.0, 0.1, 0.05, c=1.5, ridge=0.3, eta=0.02) for entry in bands.ALL.values()),
    *(entry.make() for entry in policies.ALL.values()),
    *(tv.World(), Stale(), Reshaped(), JUMPS.known, TABLE),
]
FREE = {"low", "note", "centres", "coefficients", "arm_names", "times"}  # any number, any text, or what may be absent


def test_no_field_takes_nan_negatives_or_nonsense() -> None:
    """Of every record of the lists: a number that is none or below 0, a word, and what is neither."""
    taken = []
    for good in GOOD:
        make = tv.make_problem if isinstance(good, tv.World) else lambda made: made
        for one in fields(good):
            value = getattr(good, one.name)
            if one.name in FREE or isinstance(value, bool) or not isinstance(value, int | float | str | tuple | None):
                continue
            for wrong in (NAN, -1.0, "nonsense", [], {}, 1j, np.ones(2)):
                said = sentence_of(lambda: make(replace(good, **{one.name: wrong})))  # noqa: B023 (called at once)
                if "must be" not in said or "\n" in said:
                    taken.append((type(good).__name__, one.name, wrong, said))
    assert taken == []


@pytest.mark.parametrize("room", DOORS)
def test_mistakes_are_refused_in_one_sentence(room: str) -> None:
    found = [(allowed, sentence_of(act)) for allowed, act in DOORS[room]]
    bad = [one for one in found if not re.search(*one) or "\n" in one[1] or one[1] == "was not refused"]
    assert bad == []


def test_switch_of_a_guest_takes_no_word(tmp_path) -> None:
    path = tmp_path / "mine.py"
    path.write_text("from tvbo_core import RPERP\n\n\nclass Mine(RPERP):\n    pass\n")
    assert sentence_of(lambda: tv.load_guest(f"{path}@Mine", ["shuffle=no"])) == (
        "shuffle of Mine must be True or False, got 'no'"
    )
    assert tv.load_guest(f"{path}@Mine", ["shuffle=False"]).make().shuffle is False


def test_lower_bound_of_any_horizon_ends() -> None:
    """A reward that is hidden anew 10^28 times: intervals are counted, not listed."""
    found = tv.bumps.switching(10**30, 1.0, 1.0, 0.1, INF, 0.2)
    assert found.budget <= 1.0 and found.lower_bound(0.1) > 0
    small = tv.bumps.switching(1000, 1.0, 1.0, 0.1, INF, 0.2)
    assert small.budget == small.bumps.jump * (len(small.lengths) - 1)
    by_hand = sum(small.bumps.lower_bound(H, 0.1) for H in small.lengths)
    assert small.lower_bound(0.1) == pytest.approx(by_hand, rel=1e-12)  # a sum of equal terms and a product
