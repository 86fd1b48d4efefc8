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
PLAYED = tv.observe.random_design(JUMPS, 20, tv.observe.play_rng(0))
RACED = tabulate([Run(n, 0, 0, *(np.zeros(1),) * 4) for n in "ab"], ["a", "b"], [1], [0])
SPREAD = spectral.spectrum(tv.Matern(1.5, 0.2), np.linspace(0, 1, 8)[:, None], np.zeros(8), np.zeros((1, 1)))
REWARDS = np.arange(8.0).reshape(4, 2) ** 2
INDEXED = (tv.GPUCB, tv.RGPUCB, tv.SWGPUCB, tv.WGPUCB, tv.TVGPUCB, tv.UIGPUCB, tv.PE, tv.RPERP, tv.SparQ, tv.WSparQ)


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


def info_doors(name: str, *values: object) -> list[tuple[str, Callable]]:
    return each("" if name == "x" else name, lambda value: replace(JUMPS.known, **{name: value}), *values)


def rng() -> np.random.Generator:
    return tv.observe.play_rng(0)


def world(**more: object) -> tv.Problem:
    return tv.make_problem(tv.World(**more))


def field(name: str, *values: object) -> list[tuple[str, Callable]]:
    return each(f"^{name} must be .*got ", lambda value: world(**{name: value}), *values)


def table(rewards: np.ndarray, train: int = 2, **more: object) -> tables.Table:
    names = tuple(map(str, range(np.shape(rewards)[1])))
    return tables.Table("own", "own", rewards, names, ("1", "2", "3", "4"), "", "", "", "", train, **more)


def drift_aware(change: dict) -> tv.Band:
    good = {"kernel": SE, "X": X, "y": ONE, "Z": X, "B": 1.0, "sigma": 0.1, "delta": 0.1, "ridge": 0.1, "discount": 0.9}
    return tv.drift_aware_band(**(good | {"moved": ONE} | change))


def answer_of_another_arm() -> None:
    rule = tv.PE()
    state = rule.init(JUMPS.known)
    rule.update(state, 0, rule.select(state, 0, rng()) + 1, 1.0)


def still_coverage(noise_sd: float) -> None:
    tv.coverage.still_coverage({"AMM": tv.AMM(1.0, 0.1, 0.1)}, SE, X, 3, 2, 1.0, noise_sd, rng())


SWITCHES = (
    *(partial(make, dense="no") for make in (tv.GPUCB, tv.KernelUCB)),
    *(partial(tv.UIGPUCB, printed="no"), partial(tv.WSparQ, append_start="no")),
    partial(tv.AMM, 1.0, 0.1, 0.1, clip_to_B="no"),
)
DOORS: dict[str, list[tuple[str, Callable]]] = {
    "bands": [
        *each("multiples must be one or more", lambda m: tv.DMM(1.0, 0.1, 0.1, multiples=m), (), (1.0, -1.0)),
        ("y shape", lambda: tv.AMM(1.0, 0.1, 0.1).band(SE, X, ONE[1:], X)),
        ("Z must have shape", lambda: tv.AMM(1.0, 0.1, 0.1).band(SE, X, ONE, np.zeros((3, 2)))),
        ("finite", lambda: tv.AMM(1.0, 0.1, 0.1).band(SE, X, ONE * NAN, X)),
        *each(
            "must be at least .*; raise sigma or the ridge, or lower c",
            lambda share: tv.AY(1.0, 0.1, 0.1, share * SPREAD.trace).from_spectrum(SPREAD),
            0.99 * spectral.LEAST_REGULARISER,
        ),
        ("too small for this kernel matrix", lambda: tv.band_film(tv.AMM(1.0, 1e-6, 0.1), SE, X * 0, ONE, X)),
        (r"truth must have shape \(3, 2\) or \(2,\), got \(3,\)", lambda: tv.film.missed(FILM, ONE)),
        ("Z must have shape", lambda: tv.certify.socp_bounds(SE, X, ONE, np.zeros(2), 1.0, 0.1, 0.1)),
        *each("finite everywhere: NaN covers nothing", lambda y: tv.Band(y, ONE, ONE), ONE * NAN, ONE * INF),
        ("NaN covers nothing", lambda: BandFilm("hand", EYE * NAN, EYE, EYE, np.zeros(3, bool))),
        ("empty must have one entry a time", lambda: BandFilm("hand", EYE, EYE, EYE, np.zeros(2, bool))),
        ("truth must be finite", lambda: tv.film.missed(FILM, FILM.mean * NAN)),
        *each("noise_sd must be finite", still_coverage, NAN, -0.1),
        *each(
            "^(B|c|sigma|delta) must be",
            lambda change: tv.certify.socp_bounds(
                SE, X, ONE, X[0], **({"B": 1.0, "sigma": 0.1, "delta": 0.1} | change)
            ),
            *({"c": -1.0}, {"sigma": -0.1}, {"delta": 2.0}, {"B": -1.0}),
        ),
        ("between 0 and n = 3", lambda: tv.coverage.wilson(4, 3)),
        ("level must lie strictly", lambda: tv.coverage.wilson(1, 3, level=1.0)),
        *each(
            "B must be finite|and ridge must be finite|above 0",
            drift_aware,
            {"B": -1.0},
            {"sigma": 0.0},
            {"ridge": NAN},
        ),
        *each("(delta|discount) must be above 0", drift_aware, {"delta": 2.0}, {"discount": 0.0}),
        *each("moved must hold 3 finite numbers.* none below 0", drift_aware, {"moved": ONE[1:]}, {"moved": -ONE}),
    ],
    "kernels": [
        ("one of matern, se", lambda: tv.make_kernel("linear", 1.5, 0.4)),
        *each(r"shape \(n, d\)|same d|finite", lambda Z: SE(Z, X), ONE, np.zeros((3, 0)), np.zeros((3, 2)), X * NAN),
        *each("shape", tv.Tabulated, np.ones((2, 3)), ONE, np.empty((0, 0))),
        ("symmetric", lambda: tv.Tabulated(np.array([[1.0, 0.5], [0.4, 1.0]]))),
        ("negative eigenvalue", lambda: tv.Tabulated(np.array([[1.0, 2.0], [2.0, 1.0]]))),
        ("finite", lambda: tv.Tabulated(np.full((2, 2), NAN))),
        *each(r"arm indices 0\.\.2", lambda i: tv.Tabulated(EYE).diag(np.array([i])), [3.0], [-1.0], [0.5], [0.0, 1.0]),
    ],
    "posteriors": [
        *each(
            "noise variance must be positive and finite", lambda v: tv.posterior(SE, X, ONE, X, v), 0.0, -1.0, NAN, INF
        ),
        ("too small for this kernel matrix", lambda: tv.posterior(SE, X * 0, ONE, X, 1e-19)),
        (r"X must have shape \(n, d\)", lambda: tv.posterior(SE, ONE, ONE, X, 0.1)),
        (r"y must have shape \(3,\), got \(2,\)", lambda: tv.posterior(SE, X, ONE[:2], X, 0.1)),
        ("y must be finite", lambda: tv.posterior(SE, X, ONE * NAN, X, 0.1)),
        (r"noise must be a scalar or have shape \(3,\)", lambda: tv.posterior(SE, X, ONE, X, [0.1, 0.1])),
        ("same d", lambda: tv.posterior(SE, np.zeros((3, 2)), ONE, X, 0.1)),
        ("ridge", lambda: tv.weighted_sd(SE, X, X, 0.1, -1.0)),
        *each(r"index 0\.\.2", lambda arm: tv.grid_posterior(EYE, [arm], [0.0], 0.1), 3, -1),
        *each(
            "kernel matrix", lambda v: tv.grid_posterior(np.array([[1.0, v], [v, 1.0]]), [0, 1], ONE[:2], 0.1), NAN, INF
        ),
        *each("a memory must be", memory.matched, 0.5, NAN, INF, "long"),
    ],
    "gains and designs": [
        ("ridge must be positive", lambda: tv.greedy_information_gain(SE, X, 3, 0.0)),
        ("T must be at least 0", lambda: tv.greedy_information_gain(SE, X, -1, 0.1)),
        ("at least one point", lambda: tv.greedy_information_gain(SE, X[:0], 3, 0.1)),
        ("at least one point", lambda: tv.max_information_gain(SE, X[:0], 3, 0.1)),
        ("noise variance must be positive", lambda: tv.information_gain(EYE, 0.0)),
        ("K must be an array of numbers", lambda: tv.information_gain(EYE + 1j, 0.1)),
        *each("T must be at least 0|ridge", lambda at: tv.gain_bounds(EYE, *at), (-1, 0.1), (3, 0.0)),
        *each("size must be a whole number from 0", lambda size: tv.kdpp(EYE, size, rng()), -1, 1.5, True, None),
        ("steps must be a whole number from 0", lambda: tv.kdpp(EYE, 2, rng(), "mcmc", -1)),
        ("must be one of exact, mcmc, greedy, random, got 'dpp'", lambda: tv.kdpp(EYE, 2, rng(), "dpp")),
        *each(r"shape \(N, N\), got|finite", lambda K: tv.kdpp(K, 1, rng()), np.ones((2, 3)), np.full((2, 2), NAN)),
        ("symmetric", lambda: tv.kdpp(np.array([[1.0, 0.5], [0.4, 1.0]]), 1, rng())),
        ("no larger than the mean of the two variances", lambda: tv.kdpp(3 * np.eye(2) - 2, 1, rng())),
        ("no negative eigenvalue", lambda: tv.kdpp(1.9 * EYE - 0.9, 1, rng())),
        *each("0 to the horizon 20, got", lambda n: tv.observe.ucb_design(JUMPS, n, rng()), -1, 21),
        *each("arms must be whole numbers from 0 to 5", lambda a: History(JUMPS, np.array([a]), ONE[:1]), -1, 6, 0.5),
        ("y be finite", lambda: History(JUMPS, np.array([0]), np.array([NAN]))),
        *each("rng must be a generator", lambda r: tv.play(JUMPS, tv.Random(), r), 0, None),
        ("problem must be a Problem", lambda: tv.play(tv.World(), tv.Random(), rng())),
        *each(
            "an axis (is .*finite ends|must be)", tv.grid, (0, INF, 3), (0, 1, 0), (0, 1), (0, 1, 2.5), 3, ("a", 1, 3)
        ),
        ("at least one axis", tv.grid),
        *each(
            "arms must be whole numbers from 0 to 5", lambda a: tv.observe.observe(JUMPS, a, rng()), [6], [-1], [0.5]
        ),
        *each(
            "no arm has its first", lambda at: tv.observe.clustered_design(JUMPS, 5, rng(), intervals=at), ((2.0, 3.0),)
        ),
    ],
    "worlds": [
        *field("horizon", 0, 100_001, 20.5, True),
        *field("epsilon", 1.01),
        *field("alpha", 0.0, 2.01),
        *each("horizon x max|at most", lambda arms: world(horizon=100_000, arms=arms), 4_000),
        *each(
            "norm_bound must be finite", lambda kind: world(kind=kind, norm_bound=INF), "cyclic", "travel", "adversary"
        ),
        ("low must be below high", lambda: world(low=1.0, high=1.0)),
        ("noise_sd must be above 0", lambda: world(kind="adversary", noise_sd=0.0)),
        ("dimension 1 and 2", lambda: world(kind="adversary", dimension=3)),
        ("start must be 6 whole numbers", lambda: tv.make_problem(Reshaped(start=(1, 2)))),
        *each("end must be 6", lambda e: tv.make_problem(Reshaped(end=e)), (0, 0, 0, 0, 0, MOST + 1), (0.5,) * 6),
        ("dimension must be 1", lambda: tv.make_problem(Reshaped(dimension=2))),
        (", ".join(tables.DATASETS), lambda: tables.load("nowhere")),
        (r"\(times, arms\) = \(4, 2\), got \(3, 2\)", lambda: table(np.zeros((3, 2)))),
        *each("rewards must have|finite everywhere", table, np.zeros((4, 0)), np.full((4, 2), NAN)),
        *each("train_rows must be from 2 to 3, got", lambda n: table(REWARDS, n), 1, 4),
        (r"positions must have shape \(2, 2\)", lambda: table(REWARDS, positions=np.zeros((3, 2)))),
        ("does not vary", lambda: tables.data_problem(table(np.ones((4, 2))), 2)),
        ("horizon must be at least 1", lambda: tables.data_problem(table(REWARDS), 0)),
        ("noise_share", lambda: tables.data_problem(table(REWARDS), 2, 0.0)),
    ],
    "what a learner is told": [
        *info_doors("x", np.zeros(3), np.zeros((0, 1)), np.zeros((3, 0)), X[:2] * NAN, "arms", np.zeros((7, 3, 1))),
        *info_doors("kernel", None, tv.Matern, lambda A, B: A @ B.T),
        *each("arm indices", lambda kernel: replace(JUMPS.known, kernel=kernel), tv.Tabulated(np.ones((1, 1)))),
        *info_doors("kernel", Askew((1, 2)), Askew((2,)), Askew(diagonal=NAN), Askew(diagonal=-1.0)),
        *each("f must have shape", lambda f: replace(TABLE, f=f), np.zeros(4), np.zeros((0, 4))),
        *each(
            "finite everywhere",
            lambda more: replace(TABLE, **more),
            {"f": np.full((3, 4), NAN)},
            {"x": np.full((4, 1), INF)},
        ),
        *each(
            r"x must have shape \(4, d\)|2 rounds of arms, f has 3",
            lambda x: replace(TABLE, x=x),
            np.zeros((5, 1)),
            np.zeros(4),
            np.zeros((2, 4, 1)),
        ),
        *each("hand over x.T", lambda x: tv.Learner("gp", replace(UNBOUNDED, x=x)), X.T, np.zeros((1, 41))),
        ("x must be an array of numbers", lambda: replace(UNBOUNDED, x=X + 1j)),
        ("dict of names and policies", lambda: tv.race(JUMPS, [tv.GPUCB()], [0])),
    ],
    "policies": [
        *each("needs a bound on the norm", lambda p: p(width="theory").init(UNBOUNDED), *{*INDEXED} - {tv.TVGPUCB}),
        *each("band must be a band or one of CMM, DMM, AMM, AY, IGP", tv.KernelUCB, "XYZ", 3),
        ("needs a bound on the norm", lambda: tv.KernelUCB("AMM").init(UNBOUNDED)),
        *each("whole number of rounds", tv.batch_sizes, 0, -3, 2.0),
        ("did not ask", answer_of_another_arm),
        ("give scale a number", lambda: tv.OPKB("theory").init(UNBOUNDED)),
        *each("alpha must be positive and finite", lambda alpha: tv.window_starts(10, alpha, 0.25), 0.0, INF, NAN),
        *each("window_exponent must be finite and", lambda at: tv.window_starts(10, 1.0, at), -0.1, INF, NAN),
        *each("the horizon must be at least 0 and whole", lambda T: tv.window_starts(T, 1.0, 0.25), -1, INF, 2.5),
        *each("T must be at least 1", lambda T: tv.bumps.switching(T, 1.0, 1.0, 0.1, INF, 0.2), INF, 0, 2.5),
        *each("shuffle must be True or False, got", lambda word: tv.RPERP(shuffle=word), "no", 2, None),
        *each("(dense|printed|clip_to_B|append_start) must be True or False", lambda make: make(), *SWITCHES),
        ("Uniform has no band to show", lambda: tv.play(JUMPS, Uniform(), rng(), bands=True)),
    ],
    "races": [
        *each(
            "at least one problem|Problems and Worlds, got str",
            lambda p: tv.race(p, {"r": tv.Random()}, [0]),
            [],
            ["x"],
        ),
        ("at least one policy", lambda: tv.race(JUMPS, {}, [0])),
        *each(
            "distinct whole numbers from 0", lambda s: tv.race(JUMPS, {"r": tv.Random()}, s), [], [1, 1], [-1], [0.5]
        ),
        ("arms must be a whole number", lambda: tv.race([tv.World(arms=0)], {"r": tv.Random()}, [0])),
        ("no policy of this race is called 'c'; there are a, b", lambda: RACED.curves("c")),
        (r"problem must be an index 0\.\.0, got 1", lambda: RACED.curves("a", 1)),
        ("problem must be an index", lambda: RACED.curves("a", -1)),
        *each("equal numbers of seeds", lambda one: paired_difference(one, ONE[: len(one) + 1]), ONE[:2]),
        ("equal numbers of seeds", lambda: paired_difference(ONE[:0], ONE[:0])),
    ],
    "theorems": [
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
