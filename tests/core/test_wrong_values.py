"""Every argument of the core's functions takes a wrong value of each kind: it is refused in one sentence of ours."""

from __future__ import annotations

import math
import signal
from collections.abc import Callable
from dataclasses import dataclass
from traceback import extract_tb
from typing import Any

import numpy as np

import tvbo_core as tv
from tvbo_core.policies import GPUCB

NAN, INF = math.nan, math.inf
SE, X, Y, EYE = tv.SquaredExponential(0.2), np.linspace(0, 1, 3)[:, None], np.array([0.5, -0.5, 0.1]), np.eye(3)
JUMPS = tv.make_problem(tv.World(kind="jumps", horizon=8, arms=4))
BAND = tv.AMM(1.0, 0.1, 0.1)
FILM = tv.band_film(BAND, SE, X, Y, X)

NO_NUMBERS = (NAN, INF, -1.0, 1j, "x", None, [1.0, 2.0], {}, 10**400)
WRONG: dict[str, tuple[Any, ...]] = {
    "amount": NO_NUMBERS,
    "positive": (*NO_NUMBERS, 0.0),
    "delta": (*NO_NUMBERS, 0.0, 2.0),
    "count": (NAN, INF, -1, 1.5, 1j, "x", None, [1]),
    "points": (X * NAN, X + INF, X + 1j, X[:, 0], X[None], "x", None, [["a"], ["b"], ["c"]], [[0.0], [1.0, 2.0]]),
    "rewards": (Y * NAN, Y + 1j, Y[:, None], Y[1:], "x", None, ["a", "b", "c"], 0.5),
    "matrix": (EYE * NAN, EYE + 1j, EYE[:, 1:], EYE[0], "x", None, [["a"]]),
    "arms": ([-1, 0, 1], [10**6, 0, 1], [0.5, 0, 1], [1j, 0, 1], ["a", "b", "c"], [[0, 1, 2]], None, "x"),
    "rng": (0, None, "x", np.random.RandomState(0)),
    "kernel": (None, "se", tv.Matern, 3),
    "problem": (None, 3, "x", tv.World()),
    "policy": (None, 3, "x", GPUCB),
    "band": (None, 3, "x", tv.AMM),
}


@dataclass(frozen=True)
class Call:
    """A function with good arguments, each with the kind of its wrong values."""

    name: str
    act: Callable[..., Any]
    good: dict[str, tuple[Any, str]]


def rng() -> np.random.Generator:
    return np.random.default_rng(0)


def call(act: Callable[..., Any], **good: tuple[Any, str]) -> Call:
    return Call(getattr(act, "__qualname__", "?"), act, good)


K, P, R, N = (SE, "kernel"), (X, "points"), (Y, "rewards"), (0.1, "positive")
CALLS = [
    call(tv.posterior, kernel=K, X=P, y=R, Z=P, noise=N),
    call(tv.posterior_weights, kernel=K, X=P, Z=P, noise=N),
    call(tv.weighted_sd, kernel=K, X=P, Z=P, noise=N, ridge=(0.1, "amount")),
    call(tv.grid_posterior, gram=(EYE, "matrix"), arms=([0, 1, 2], "arms"), y=R, noise=N),
    call(tv.information_gain, K=(EYE, "matrix"), ridge=N),
    call(tv.greedy_information_gain, kernel=K, X=P, T=(3, "count"), ridge=N),
    call(tv.max_information_gain, kernel=K, X=P, T=(3, "count"), ridge=N),
    call(tv.gain_bounds, gram=(EYE, "matrix"), T=(3, "count"), ridge=N),
    call(tv.kdpp, K=(EYE, "matrix"), size=(2, "count"), rng=(rng(), "rng")),
    call(
        tv.drift_aware_band,
        kernel=K,
        X=P,
        y=R,
        Z=P,
        B=(1.0, "amount"),
        sigma=N,
        delta=(0.1, "delta"),
        ridge=N,
        discount=(0.9, "delta"),
        moved=(np.abs(Y), "rewards"),
    ),
    call(tv.band_film, band=(BAND, "band"), kernel=K, X=P, y=R, Z=P),
    call(BAND.band, kernel=K, X=P, y=R, Z=P),
    call(tv.first_miss, film=(FILM, "band"), truth=(Y, "rewards")),
    call(tv.film.missed, film=(FILM, "band"), truth=(Y, "rewards")),
    call(
        tv.certify.socp_bounds,
        kernel=K,
        X=P,
        y=R,
        z=(np.array([0.2]), "rewards"),
        B=(1.0, "amount"),
        sigma=N,
        delta=(0.1, "delta"),
        c=N,
    ),
    call(
        lambda **more: tv.coverage.still_coverage({"AMM": BAND}, **more),
        kernel=K,
        pool=P,
        n=(3, "count"),
        worlds=(2, "count"),
        norm=(1.0, "amount"),
        noise_sd=(0.1, "amount"),
        rng=(rng(), "rng"),
        centres=(2, "count"),
    ),
    call(tv.coverage.wilson, successes=(1, "count"), n=(3, "count"), level=(0.9, "delta")),
    *(call(band, B=(1.0, "amount"), sigma=N, delta=(0.1, "delta")) for band in (tv.AMM, tv.CMM, tv.DMM)),
    call(tv.AY, B=(1.0, "amount"), sigma=N, delta=(0.1, "delta"), ridge=N),
    call(tv.IGP, B=(1.0, "amount"), sigma=N, delta=(0.1, "delta"), eta=N),
    call(tv.Band, mean=R, lower=R, upper=R),
    call(lambda mean: tv.BandFilm("own", mean, mean, mean, np.zeros(3, bool)), mean=(EYE, "table")),
    call(tv.History, problem=(JUMPS, "problem"), arms=([0, 1, 2], "arms"), y=R),
    call(tv.Problem, x=P, f=(EYE, "matrix"), noise_sd=(0.1, "amount"), kernel=K, norm_bound=(1.0, "amount or none")),
    call(
        tv.LearnerInfo,
        x=P,
        horizon=(3, "count"),
        noise_sd=(0.1, "amount"),
        kernel=K,
        norm_bound=(1.0, "amount or none"),
        sup_variation=(1.0, "amount"),
    ),
    call(tv.Tabulated, matrix=(EYE, "matrix"), jitter=(0.1, "amount or none")),
    call(tv.Matern, nu=(1.5, "above"), lengthscale=N, variance=N),
    call(SE, X=P, Z=P),
    call(tv.make_kernel, name=("matern", "band"), nu=(1.5, "above"), lengthscale=N),
    call(lambda low, high, n: tv.grid((low, high, n)), low=(0.0, "end"), high=(1.0, "end"), n=(3, "count")),
    call(tv.batch_sizes, T=(3, "count")),
    call(tv.window_starts, T=(9, "count"), alpha=N, window_exponent=(0.25, "amount")),
    call(
        tv.bumps.switching,
        T=(9, "rounds"),
        budget=(1.0, "amount or more"),
        B=N,
        sigma=N,
        nu=(1.5, "above"),
        lengthscale=N,
    ),
    call(tv.bumps.hidden_function_bound, F=(EYE, "table"), T=(9, "rounds"), sigma=N),
    call(tv.play, problem=(JUMPS, "problem"), policy=(tv.Random(), "policy"), rng=(rng(), "rng")),
    call(tv.observe.observe, problem=(JUMPS, "problem"), arms=([0, 1, 2], "arms"), rng=(rng(), "rng")),
    *(
        call(design, problem=(JUMPS, "problem"), n=(3, "count"), rng=(rng(), "rng"))
        for design in (tv.observe.random_design, tv.observe.ucb_design, tv.observe.clustered_design)
    ),
    call(tv.race, problems=(JUMPS, "problems"), policies=({"r": tv.Random()}, "policy"), seeds=([0], "seeds")),
    call(lambda known: tv.Learner("gp", known), known=(JUMPS.known, "problem")),
    call(tv.LogWidth, scale=N),
]
WRONG |= {
    "amount or none": tuple(one for one in WRONG["amount"] if one is not None),
    "amount or more": tuple(one for one in WRONG["amount"] if one is not INF),
    "above": tuple(one for one in WRONG["positive"] if one is not INF),
    "end": tuple(one for one in WRONG["amount"] if one != -1.0),
    "rounds": tuple(one for one in WRONG["positive"] if one is not WRONG["amount"][6]),
    "table": WRONG["matrix"][:2] + WRONG["matrix"][3:],
    "problems": (None, 3, "x", []),
    "seeds": ([-1], [0.5], ["x"], [], None, [1, 1]),
}


def outcome(one: Call, name: str, wrong: Any) -> str:
    """Return "refused", "silent", or the error from within."""

    def late(*_: Any) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, late)
    signal.setitimer(signal.ITIMER_REAL, 5.0)
    try:
        one.act(**{key: value for key, (value, _) in one.good.items()} | {name: wrong})
    except ValueError as error:
        ours = "tvbo_core" in extract_tb(error.__traceback__)[-1].filename
        return "refused" if ours and "\n" not in str(error) else f"ValueError: {error}"
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, before)
    return "silent"


def test_wrong_values_are_refused_by_name() -> None:
    bad = []
    for one in CALLS:
        one.act(**{key: value for key, (value, _) in one.good.items()})
        for name, (_, kind) in one.good.items():
            for wrong in WRONG[kind]:
                found = outcome(one, name, wrong)
                if found != "refused":
                    bad.append(f"{one.name}({name}={wrong!r}): {found}")
    assert bad == []
