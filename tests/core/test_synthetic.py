"""The paper's synthetic world and the world whose readings go stale as Assumption 2 says."""

import numpy as np
import pytest

from tvbo_core.kernels import SquaredExponential
from tvbo_core.records import World
from tvbo_core.worlds import make_problem
from tvbo_core.worlds.draws import norms
from tvbo_core.worlds.mauduit import Stale, Synthetic, waves


def test_synthetic_world_is_the_printed_one():
    p = make_problem(Synthetic(seed=2))
    assert p.kernel == SquaredExponential(3.0, 0.5)
    assert (p.x[0, 0], p.x[-1, 0], p.horizon) == (-50.0, 50.0, 500)
    t, i = 7, np.arange(1, 21)
    u = np.sin(0.3 * t + i)
    assert p.coefficients[t - 1] / np.linalg.norm(p.coefficients[t - 1]) == pytest.approx(u / np.linalg.norm(u))
    direct = sum(
        a * 0.5 * np.exp(-((p.x[:, 0] - c) ** 2) / 18) for a, c in zip(p.coefficients[6], p.centres[:, 0], strict=True)
    )
    assert p.f[6] == pytest.approx(direct, abs=1e-12)


def test_root_keeps_rewards_in_the_ball():
    kernel = SquaredExponential(3.0, 0.5)
    centres = np.linspace(-50, 50, 5)[:, None]  # far apart: the Gram matrix is I / 2
    right = norms(kernel, centres, waves(kernel, centres, 200, 5.0))
    assert right == pytest.approx(5.0, rel=1e-9)
    largest = np.linalg.eigvalsh(kernel(centres, centres))[-1]
    assert (right / np.sqrt(largest)).max() == pytest.approx(7.07, abs=0.01)  # MATH.md 1.3.1
    for seed in range(4):
        p = make_problem(Synthetic(seed=seed))
        assert p.norms.max() <= 5.0 * (1 + 1e-9)


@pytest.mark.parametrize("alpha", [0.34, 1.0, 2.0])
def test_stale_readings_follow_assumption_2(alpha):
    changes = {1: [], 20: []}
    for seed in range(60):
        p = make_problem(Stale(alpha=alpha, seed=seed, horizon=100, noise_sd=0.3))
        for lag, found in changes.items():
            found.append(((p.f[lag:] - p.f[:-lag]) ** 2).mean())
    for lag, found in changes.items():
        # 4 standard errors of 60 worlds; the seeds are fixed.
        error = 4 * np.std(found) / np.sqrt(len(found))
        assert np.mean(found) == pytest.approx(0.09 * lag**alpha, abs=error)


def test_synthetic_worlds_repeat_by_seed():
    for world in (Synthetic(seed=3, horizon=60), Stale(seed=3, horizon=60)):
        one, two = make_problem(world), make_problem(world)
        assert (one.f == two.f).all()
        assert one.norm_bound >= one.norms.max() * (1 - 1e-9)
    assert make_problem(World(kind="rough", horizon=60)).f.shape == (60, 100)
    assert repr(World()).startswith("World(kind='glide'")  # stored runs are found by it
    with pytest.raises(ValueError, match="horizon must be a whole number"):
        make_problem(Stale(horizon=0))
    with pytest.raises(ValueError, match="alpha must be a number from"):
        make_problem(Stale(alpha=3.0))
