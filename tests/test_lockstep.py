"""Runs that go side by side count exactly what the same runs count one after the other."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tvbo_core import World, lockstep
from tvbo_core.elimination import RPERP
from tvbo_core.follower import follower, followers, largest_swing
from tvbo_core.lockstep import eq9_scores
from tvbo_core.observe import play_rng
from tvbo_core.picking import Picks, Stack
from tvbo_core.shuffles import eq9_score
from tvbo_core.width import THEORY, LogWidth
from tvbo_core.worlds import make_problem

GLIDE = World(kind="glide", budget=2.0, horizon=90, arms=30, seed=5)
WIDTHS = [(2.0, True), (2.0, False), (0.7, True), (LogWidth(1.0), True), (THEORY, True), ("drift", True)]


def rules(H: int, step: float, ridge: float | None = None) -> list[RPERP]:
    made = [RPERP(restart=H, width=THEORY if w == "drift" else w, shuffle=s, ridge=ridge) for w, s in WIDTHS]
    return [*made[:-1], replace(made[-1], form="drift", step=step)]


def following(seed: int):
    base = make_problem(replace(GLIDE, kind="still", seed=seed))
    return follower(base, RPERP(restart=25), largest_swing(base), 4.0)


@pytest.mark.parametrize("H", [1, 2, 7, 25, 40, 90])
@pytest.mark.parametrize("kind", ["glide", "follower", "jumps"])
def test_every_count_is_that_of_the_runs_one_by_one(H: int, kind: str) -> None:
    make = following if kind == "follower" else lambda seed: make_problem(replace(GLIDE, kind=kind, seed=seed))
    problems = [make(seed) for seed in range(5)]
    every = rules(H, max(float(p.steps.max()) for p in problems))
    assert eq9_scores(problems, every, play_rng) == tuple(eq9_score(problems, rule, play_rng) for rule in every)


@pytest.mark.parametrize("change", [{"lengthscale": 0.03}, {"kernel": "matern", "nu": 0.5}, {"noise_sd": 0.01}])
def test_and_so_with_other_kernels_and_little_noise(change: dict) -> None:
    problems = [make_problem(replace(GLIDE, **change, seed=seed)) for seed in range(3)]
    every = rules(30, max(float(p.steps.max()) for p in problems), 0.02)
    assert eq9_scores(problems, every, play_rng) == tuple(eq9_score(problems, rule, play_rng) for rule in every)


def test_many_runs_go_in_portions(monkeypatch: pytest.MonkeyPatch) -> None:
    problems = [make_problem(replace(GLIDE, seed=seed)) for seed in range(7)]
    every = rules(25, 0.1)
    whole = eq9_scores(problems, every, play_rng)
    monkeypatch.setattr(lockstep, "MOST", 2 * len(every) * 12 * 30)
    assert eq9_scores(problems, every, play_rng) == whole


def test_the_picks_on_a_stack_of_sets_are_those_on_each() -> None:
    rng, x = np.random.default_rng(2), np.linspace(0, 1, 30)[:, None]
    gram = make_problem(GLIDE).kernel(x, x)
    alive = rng.random((6, 30)) < 0.5
    alive[0] = True
    found = Stack(gram, alive, 40, 0.01)
    for one, picks in zip(alive, found.picks, strict=True):
        assert picks.tolist() == Picks(gram, one, 0.01).first(40).tolist()


def test_runs_that_cannot_go_side_by_side_are_refused() -> None:
    problems = [make_problem(replace(GLIDE, seed=seed)) for seed in range(2)]
    other = make_problem(replace(GLIDE, lengthscale=0.5))
    with pytest.raises(ValueError, match="same arms, kernel and horizon"):
        eq9_scores([problems[0], other], [RPERP(restart=25)], play_rng)
    with pytest.raises(ValueError, match="same arms, kernel and horizon"):
        eq9_scores([problems[0], make_problem(replace(GLIDE, horizon=80))], [RPERP(restart=25)], play_rng)
    for second in (RPERP(restart=20), RPERP(restart=25, ridge=1.0)):
        with pytest.raises(ValueError, match="same restart and ridge"):
            eq9_scores(problems, [RPERP(restart=25), second], play_rng)


@pytest.mark.parametrize(("H", "budget", "swing"), [(25, 4.0, 9.0), (40, 0.3, 0.5), (90, 50.0, 0.4), (3, 2.0, 0.0)])
def test_worlds_that_follow_side_by_side_are_each_the_follower(H: int, budget: float, swing: float) -> None:
    bases = [make_problem(replace(GLIDE, kind="still", seed=seed)) for seed in range(6)]
    rule = RPERP(restart=H)
    for base, found in zip(bases, followers(bases, rule, swing, budget), strict=True):
        want = follower(base, rule, min(swing, largest_swing(base)), budget)
        assert np.array_equal(found.f, want.f) and np.array_equal(found.coefficients, want.coefficients)
        assert np.array_equal(found.centres, want.centres)
    with pytest.raises(ValueError, match="a number as its width"):
        followers(bases, RPERP(restart=H, width="theory"), swing, budget)
    with pytest.raises(ValueError, match="same arms, kernel, horizon"):
        followers([bases[0], make_problem(replace(GLIDE, kind="still", horizon=50))], rule, swing, budget)
