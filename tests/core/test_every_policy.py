"""Every bandit of the lab obeys the loop: same seed same run, f unseen, no state shared, any size."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.standins import Spy, bounded_problems, fresh_arms, same, sees
from tests.strategies import LAW
from tvbo_core import bands
from tvbo_core.designs import observe, play_rng
from tvbo_core.play import play
from tvbo_core.policies import (
    BY_NAME,
    FIXED_ARMS,
    GPUCB,
    RGPUCB,
    SWGPUCB,
    TVGPUCB,
    UIGPUCB,
    WGPUCB,
    IndexPolicy,
    Random,
    entry_of,
)
from tvbo_core.policies.elimination.policy import PE, RPERP
from tvbo_core.policies.kernel_ucb import KernelUCB
from tvbo_core.policies.opkb.policy import ADAOPKB, OPKB
from tvbo_core.policies.side_queries.policy import SparQ, WSparQ
from tvbo_core.policies.width import LogWidth
from tvbo_core.race import race
from tvbo_core.records import LearnerInfo, Problem, World
from tvbo_core.worlds import make_problem

BANDITS = {
    "Random": Random(),
    "GP-UCB": GPUCB(),
    "R-GP-UCB": RGPUCB(restart=20),
    "SW-GP-UCB": SWGPUCB(window=15, width=LogWidth(1.0)),
    "WGP-UCB": WGPUCB(discount=0.95, tight=True),
    "TV-GP-UCB": TVGPUCB(epsilon=0.02),
    "UI-GP-UCB": UIGPUCB(alpha=0.5),
    **{f"Kernel {name}-UCB": KernelUCB(band=name) for name in bands.ALL},
    "PE": PE(),
    "R-PERP": RPERP(restart=25),
    "SparQ": SparQ(),
    "W-SparQ": WSparQ(),
    "OPKB": OPKB(),
    "ADA-OPKB": ADAOPKB(),
}
# Whatever else is on the list.
BANDITS |= {
    name: entry.make()
    for name, entry in BY_NAME.items()
    if name not in BANDITS and entry.make() not in BANDITS.values()
}
every_bandit = pytest.mark.parametrize("name", BANDITS)


def moving(T: int = 50, m: int = 15) -> Problem:
    return make_problem(World(kind="jumps", horizon=T, arms=m))


@every_bandit
def test_same_seed_gives_the_same_history(name):
    p = moving()
    one, table = play(p, BANDITS[name], play_rng(4)), race(p, {name: BANDITS[name]}, (4,))
    for column in ("arms", "regret", "extra_queries"):
        np.testing.assert_array_equal(getattr(one, column), getattr(table, column)[0, 0, 0])
    # What it heard is what anybody would have heard from these arms.
    np.testing.assert_array_equal(one.y, observe(p, one.arms, play_rng(4)).y)


def test_bandits_race_alike_on_two_processes():
    worlds = [World(kind="jumps", horizon=20, arms=8)]
    one, two = (race(worlds, BANDITS, (0, 5), n_jobs=n_jobs) for n_jobs in (1, 2))
    assert same(one, two)
    assert one.finished.all()


def keeps_its_state_to_the_run(policy) -> bool:
    """Return whether two runs that take turns are the runs that they are alone."""
    p, q = moving(), moving(T=50, m=9)
    alone = [play(one, policy, play_rng(2)).arms for one in (p, q)]
    rngs = [play_rng(2), play_rng(2)]
    noise = [one.noise_sd * rng.standard_normal(50) for one, rng in zip((p, q), rngs, strict=True)]
    sides = [rng.spawn(1)[0] for rng in rngs]
    states, arms = [policy.init(one.known) for one in (p, q)], ([], [])
    for t in range(50):
        for i, one in enumerate((p, q)):
            if hasattr(policy, "questions"):
                asked = policy.questions(states[i], t, rngs[i])
                heard = one.f[t, asked] + one.noise_sd * sides[i].standard_normal(len(asked))
                states[i] = policy.answered(states[i], t, asked, heard)
            arm = policy.select(states[i], t, rngs[i])
            states[i] = policy.update(states[i], t, arm, float(one.f[t, arm] + noise[i][t]))
            arms[i].append(arm)
    return all(np.array_equal(arms[i], alone[i]) for i in (0, 1))


@every_bandit
def test_runs_of_one_policy_share_no_state(name):
    assert keeps_its_state_to_the_run(BANDITS[name])


@every_bandit
def test_watching_bands_does_not_change_runs(name):
    p, policy = moving(), BANDITS[name]
    if not callable(getattr(policy, "band", None)):  # KernelUCB's band is a hyperparameter
        with pytest.raises(ValueError, match="has no band to show"):
            play(p, policy, play_rng(1), bands=True)
        return
    watched = play(p, policy, play_rng(1), bands=True)
    np.testing.assert_array_equal(watched.arms, play(p, policy, play_rng(1)).arms)
    assert len(watched.bands) == p.horizon
    assert all((band.lower <= band.upper).all() for band in watched.bands)
    if getattr(type(policy), "select", None) is IndexPolicy.select:  # optimism: the arm is where the band is highest
        assert [int(band.upper.argmax()) for band in watched.bands] == watched.arms.tolist()


@every_bandit
def test_bandits_never_see_the_reward(name):
    p = moving()
    spy = Spy(BANDITS[name])
    play(p, spy, play_rng(0))
    assert any(isinstance(thing, LearnerInfo) for thing in spy.handed)
    assert not sees(p.f, spy.handed)


@every_bandit
def test_hyperparameters_are_frozen(name):
    with pytest.raises(FrozenInstanceError):
        setattr(BANDITS[name], next(iter(BANDITS[name].__dataclass_fields__), "anything"), 1)


@every_bandit
@given(bounded_problems(), st.integers(0, 1000))
@settings(LAW, max_examples=8)
def test_regret_stays_between_zero_and_twice_range(name, p, seed):
    regret = play(p, BANDITS[name], play_rng(seed)).regret
    assert (regret >= 0).all()
    # |f| <= sqrt(kappa) B holds up to the rounding of one square root.
    assert regret.sum() <= 2 * np.sqrt(p.kernel.variance) * p.norm_bound * p.horizon * (1 + 1e-9) + 1e-12


@every_bandit
def test_one_arm_or_round_is_a_run(name):
    for T, m, noise_sd in ((1, 5, 0.1), (2, 1, 0.0), (25, 1, 0.1), (25, 1, 0.0), (3, 2, 0.0)):
        p = moving(T=T, m=m)
        history = play(replace(p, noise_sd=noise_sd), BANDITS[name], play_rng(0))
        assert len(history.arms) == T and np.isfinite(history.y).all()


@every_bandit
def test_fresh_arms_are_played_or_refused(name):
    p, policy = fresh_arms(), BANDITS[name]
    if FIXED_ARMS in entry_of(policy).needs:
        with pytest.raises(ValueError, match=r"^.*needs the same arms.*fresh ones.*$"):
            play(p, policy, play_rng(0))
    else:
        assert (play(p, policy, play_rng(0)).regret >= 0).all()
