import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import LAW, Data, observations
from tvbo_core.gp import posterior
from tvbo_core.gp.memory import Discount, Injected, Keep, Markov, Restart, SpaceTime, Window, influence, matched
from tvbo_core.kernels import Matern, SquaredExponential

AGES = np.arange(1, 200)
memories = st.one_of(
    st.just(Keep()),
    st.builds(Restart, st.integers(1, 300)),
    st.builds(Window, st.integers(1, 300)),
    st.builds(Discount, st.floats(0, 1)),
    st.builds(Injected, st.floats(0, 4), st.booleans()),
    st.builds(Markov, st.floats(0, 1)),
)


@LAW
@given(memories, st.floats(1e-6, 1e3), st.integers(0, 500))
def test_noise_is_the_ridge_over_the_weight(memory, ridge, t):
    noise = memory.noise(AGES, ridge, t)
    assert (noise >= ridge).all()
    if isinstance(memory, Markov):
        assert (noise == ridge).all()
    else:
        with np.errstate(divide="ignore", over="ignore"):
            assert np.array_equal(noise, ridge / memory.weight(AGES, t))


def test_window_keeps_exactly_its_length():
    assert np.flatnonzero(np.isfinite(Window(3).noise(np.arange(1, 8), 0.1))).tolist() == [0, 1, 2]


def test_restart_keeps_rounds_since_its_last_multiple():
    # Today is round 83 and the world was forgotten in round 80: rounds 80, 81, 82 have ages 3, 2, 1.
    assert np.flatnonzero(Restart(40).weight(AGES, t=83)).tolist() == [0, 1, 2]
    assert not Restart(40).weight(AGES, t=80).any()
    assert Restart(40).weight(AGES).sum() == 39  # when it is fullest
    assert not Restart(1).weight(AGES, t=17).any()


def test_discount_weights_by_age_without_overflow():
    assert Discount(0.5).noise(np.array([1, 2, 4]), 0.1) == pytest.approx([0.1, 0.2, 0.8], rel=1e-15)
    assert np.isinf(Discount(0.5).noise(np.array([5000]), 0.1)).all()
    assert Discount(0.0).weight(np.array([1, 2])).tolist() == [1.0, 0.0]


@pytest.mark.parametrize(("alpha", "lag_2", "lag_3"), [(0.0, 2.0, 2.0), (1.0, 3.0, 4.0), (2.0, 5.0, 10.0)])
def test_injected_noise_grows_with_the_lag(alpha, lag_2, lag_3):
    assert Injected(alpha).noise(np.array([1, 2, 3]), 0.5) == pytest.approx([1.0, lag_2 / 2, lag_3 / 2])
    # The paper's own index is one round behind, with 0^alpha = 0 also for alpha = 0.
    assert Injected(alpha, True).noise(np.array([1, 3]), 0.5) == pytest.approx([0.5, lag_2 / 2])


def test_matched_memories_share_their_half_life():
    m = 40
    match = matched(m)
    assert (match.window, match.restart) == (40, 80)
    assert np.log(0.5) / np.log(match.discount) == pytest.approx(0.69 * m, rel=0.02)  # 0.69 is itself rounded
    assert 2 * np.log(0.5) / np.log(1 - match.epsilon) == pytest.approx(0.69 * m, rel=0.03)


@LAW
@given(observations(min_n=1), st.sets(st.integers(0, 14)))
def test_influences_add_up_to_the_estimate(data: Data, gone):
    noise = np.maximum(data.noise, 1e-2)
    kept = np.array([i not in gone for i in range(len(noise))])
    omega = influence(data.kernel, data.X, data.Z[0], np.where(kept, noise, np.inf))
    mean, _ = posterior(data.kernel, data.X[kept], data.y[kept], data.Z[:1], noise[kept])
    # 1e-9 relative to the sizes that meet in the sum: variances to 20 over noise from 1e-2 lose four digits.
    assert omega @ data.y == pytest.approx(mean[0], abs=1e-9 * (1 + np.abs(omega) @ np.abs(data.y)))
    assert not omega[~kept].any()


def test_fading_prior_shrinks_influence_by_correlation():
    # One observation: omega = k / (1 + noise), times (1 - eps)^(age / 2).
    kernel = SquaredExponential(1.0)
    x, x0 = np.array([[0.3]]), np.array([0.3])
    omega = Markov(0.19).influence(kernel, x, np.array([4]), x0, ridge=0.25)
    assert omega == pytest.approx([0.81**2 / 1.25], rel=1e-12)


def test_space_time_multiplies_space_and_time():
    kernel, rng = Matern(2.5, 0.3), np.random.default_rng(0)
    X, Z = rng.uniform(size=(5, 2)), rng.uniform(size=(4, 2))
    s, t = np.arange(5.0), np.array([2.0, 5.0, 9.0, 9.0])
    both = SpaceTime(kernel, 0.3)(np.column_stack([X, s]), np.column_stack([Z, t]))
    for i in range(5):
        for j in range(4):
            fade = np.sqrt(0.7) ** abs(s[i] - t[j])
            assert both[i, j] == pytest.approx(kernel(X, Z)[i, j] * fade, rel=1e-13)
