"""The world that follows the learner: it obeys its bounds, it moves by its plan, and a shuffle sees through it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.strategies import LAW
from tvbo_core.policies.elimination.order_adversary import against, follower, followers, largest_swing, plateau, tuned
from tvbo_core.policies.elimination.policy import RPERP
from tvbo_core.policies.elimination.schedule import resolve_restart
from tvbo_core.policies.elimination.shuffles import shuffle_spread
from tvbo_core.records import Problem, World
from tvbo_core.worlds import make_problem

SOME = settings(LAW, max_examples=25)
GLIDE = World(kind="glide", budget=2.0, horizon=90, arms=30, seed=5)


def still(seed: int = 3, T: int = 50, **more: object) -> Problem:
    return make_problem(World(kind="still", horizon=T, arms=40, seed=seed, **more))


@LAW
@given(st.lists(st.floats(-3, 3), min_size=1, max_size=30))
def test_adversary_lifts_half_and_lowers_half(rewards: list[float]) -> None:
    sign, rewards = against(np.array(rewards)), np.array(rewards)
    assert sign.sum() == 0 and np.abs(sign).sum() == 2 * (len(rewards) // 2)
    if (sign > 0).any():
        assert rewards[sign > 0].max() <= rewards[sign < 0].min()


@SOME
@given(st.integers(0, 99), st.floats(0, 1), st.sampled_from(["se", "matern"]), st.floats(1, 10), st.integers(2, 60))
def test_follower_stays_in_the_ball_and_drifts(seed: int, share: float, kernel: str, B: float, H: int) -> None:
    base = still(seed, kernel=kernel, norm_bound=B)
    swing = share * largest_swing(base)
    world = follower(base, RPERP(restart=H), swing)
    # 1e-6: norms of sums of some sixty kernels whose Gram matrix has condition 1e16.
    assert world.norms.max() <= B * (1 + 1e-6)
    _, _, g = plateau(base.kernel, base.x)
    assert np.abs(g).max() == 1.0
    np.testing.assert_allclose(world.coefficients @ world.kernel(world.centres, world.x), world.f, atol=1e-9 * B)
    # The plateau is the only part that moves, so the largest change of a step is half a swing times its change of sign.
    top = int(g.argmax())
    moves = np.abs(np.diff(world.f[:, top]))
    assert world.sup_variation == pytest.approx(moves.sum(), abs=1e-9)
    if swing > 1e-9:  # rewards of up to 10 are rounded to 1e-15 of that, so a smaller swing is lost among them
        np.testing.assert_allclose(moves / (0.5 * swing), np.round(moves / (0.5 * swing)), atol=1e-6 + 1e-13 / swing)


@SOME
@given(st.integers(0, 99), st.floats(0, 30), st.integers(2, 60), st.floats(0.05, 1))
def test_follower_never_exceeds_its_budget(seed: int, budget: float, H: int, swing: float) -> None:
    base = still(seed)
    full = follower(base, RPERP(restart=H), swing).sup_variation
    world = follower(base, RPERP(restart=H), swing, budget)
    # 1e-9: sums of fifty steps of size 1.
    assert world.sup_variation <= min(budget, full) + 1e-9
    at_rest = np.flatnonzero(np.abs(np.diff(world.f, axis=0)).max(axis=1) > 0)
    if len(at_rest) and at_rest[-1] < 40 and budget < full:  # it came to rest with time left: it was spent
        assert world.sup_variation == pytest.approx(budget, abs=1e-6)


@pytest.mark.parametrize("H", [25, 50, None])
@pytest.mark.parametrize("budget", [3.0, 16.0, np.inf])
def test_moves_cancel_over_each_batch(H: int | None, budget: float) -> None:
    base = still(T=100)
    world = follower(base, RPERP(restart=H), 1.0, budget)
    batches = list(RPERP(restart=H, shuffle=False).batches(world, np.random.default_rng(0)))
    for batch in batches[1:]:
        np.testing.assert_allclose(batch.truth, batches[0].truth, atol=1e-9)


def test_fixed_order_meets_the_adversary_each_query() -> None:
    base = still(T=100, noise_sd=0.0)
    rule = RPERP(restart=50, ridge=0.01, width=1.0, shuffle=False)
    world = follower(base, rule, 1.0)
    for batch in rule.batches(world, np.random.default_rng(0)):
        moved = batch.rewards - batch.truth[batch.picks]
        np.testing.assert_allclose(np.sign(np.round(moved, 6)), against(batch.truth[batch.picks]))


def test_adversary_is_oblivious_to_play() -> None:
    """It is one table: neither the play's noise nor its shuffle can change it."""
    base = still()
    one = follower(base, RPERP(restart=25, ridge=0.01), 1.0)
    other = follower(replace(base, noise_sd=0.5), RPERP(restart=25, ridge=0.01, shuffle=False), 1.0)
    assert np.array_equal(one.f, other.f)


@pytest.mark.parametrize(("H", "n"), [(25, 5), (50, 8), (400, 20)])
def test_fixed_order_errs_and_shuffles_cancel(H: int, n: int) -> None:
    wrong, cancelled = [], []
    for seed in range(6):
        world = follower(still(seed, T=H), RPERP(restart=H), 1.0)
        batch = next(RPERP(restart=H).batches(world, np.random.default_rng(seed)))
        assert len(batch.picks) == n
        spread = shuffle_spread(world, batch, 0.01, 400, np.random.default_rng(seed))
        j = spread.place
        assert max((spread.fixed[:, j] > 0).mean(), (spread.fixed[:, j] < 0).mean()) > 0.99
        wrong.append(spread.averaged(fixed=True))
        cancelled.append(spread.averaged())
        assert (spread.shuffled[:, j] > 0).mean() > 0.2 and (spread.shuffled[:, j] < 0).mean() > 0.2
    # Half the swing is 0.5; near the ends of the actions the estimate overshoots.
    assert min(wrong) > 0.5 and max(cancelled) < 0.15


def test_no_swing_or_budget_stands_still() -> None:
    base = still()
    assert np.array_equal(follower(base, RPERP(restart=25), 0.0).f, base.f)
    assert follower(base, RPERP(restart=25), 1.0, 0.0).sup_variation < 1e-9


@pytest.mark.parametrize("restart", [25, "paper"])
@pytest.mark.parametrize("budget", [1.0, 4.0, 16.0])
def test_tuned_follower_uses_the_restart_it_names(restart: int | str, budget: float) -> None:
    base, rule = still(T=200), RPERP(restart=restart)
    world, H = tuned(base, rule, 1.0, budget)
    assert np.array_equal(world.f, follower(base, replace(rule, restart=H), 1.0, budget).f)
    assert world.sup_variation <= budget * (1 + 1e-9)
    if restart == 25:
        assert H == 25
    else:  # the drift that came of H asks for this very H
        assert resolve_restart("paper", world.known) == H


@pytest.mark.parametrize(("H", "budget", "swing"), [(25, 4.0, 9.0), (40, 0.3, 0.5), (90, 50.0, 0.4), (3, 2.0, 0.0)])
def test_followers_together_are_each_the_follower(H: int, budget: float, swing: float) -> None:
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
