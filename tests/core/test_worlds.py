"""Worlds: the drift is what was asked, the reward stays in its ball, chance comes from the seed alone."""

from __future__ import annotations

import itertools
import math
import time
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import DRAWN, LAW, SYNTHETIC
from tvbo_core import worlds
from tvbo_core.kernels import ALL as KERNELS
from tvbo_core.kernels import SquaredExponential
from tvbo_core.records import Problem, World
from tvbo_core.worlds import draws

BUDGETED = tuple(name for name, kind in worlds.ALL.items() if kind.has_budget)
# Kinds scaled to their budget; any other may solve for it, to the part in 10^9 that a solver is asked for.
EXACT = ("glide", "jumps", "cyclic", "rough")


@st.composite
def random_worlds(draw: st.DrawFn, kinds: tuple[str, ...] = DRAWN) -> World:
    return World(
        kind=draw(st.sampled_from(kinds)),
        budget=draw(st.one_of(st.none(), st.just(0.0), st.floats(1e-3, 40.0))),
        horizon=draw(st.integers(1, 80)),
        kernel=draw(st.sampled_from(["se", "matern"])),
        nu=draw(st.sampled_from([0.5, 1.5, 2.5, 0.8])),
        lengthscale=draw(st.floats(0.03, 3.0)),
        dimension=draw(st.integers(1, 3)),
        arms=draw(st.integers(1, 30)),
        norm_bound=draw(st.floats(0.1, 20.0)),
        seed=draw(st.integers(0, 10_000)),
        switches=draw(st.integers(1, 5)),
        epsilon=draw(st.floats(0.0, 1.0)),
        alpha=draw(st.floats(0.05, 2.0)),
        centres=draw(st.integers(3, 20)),
    )


def rounding(problem: Problem) -> float:
    """What T subtractions of rewards may lose in double precision (4 ulp each)."""
    return 4 * np.finfo(float).eps * problem.horizon * float(np.abs(problem.f).max())


# --- the drift budget ---------------------------------------------------------------------------------------


def off_budget(world: World) -> bool:
    """Return whether a world moves by something else than its budget, or than the most it can where that is less."""
    problem = worlds.make_problem(world)
    reach = worlds.reachable_budget(world)
    if world.budget is None:
        return problem.sup_variation > reach + rounding(problem) + 2e-12 * reach
    asked = min(world.budget, reach)
    # 1e-12: the slack with which a leg counts as long enough.
    solved = 2e-12 if world.kind in EXACT else 1e-9
    return abs(problem.sup_variation - asked) > rounding(problem) + solved * asked


@given(random_worlds(BUDGETED))
@LAW
def test_a_world_with_a_budget_moves_by_exactly_that_or_by_the_most_it_can(world):
    assert not off_budget(world)


@given(random_worlds(("cyclic", "rough")))
@LAW
def test_cyclic_and_rough_worlds_shrink_to_the_budget_or_move_as_they_would_without_one(world):
    problem, free = worlds.make_problem(world), worlds.make_problem(replace(world, budget=None))
    assert worlds.reachable_budget(world) == free.sup_variation
    if world.budget is None or world.budget >= free.sup_variation:
        assert np.array_equal(problem.f, free.f)
    else:
        assert abs(problem.sup_variation - world.budget) <= rounding(problem) + 1e-12 * world.budget
        assert np.array_equal(problem.f[0], free.f[0])


@given(random_worlds())
@LAW
def test_sup_norm_drift_never_exceeds_rkhs_drift_and_rewards_never_exceed_their_norm(world):
    problem = worlds.make_problem(world)  # kappa = 1: both kernels have unit variance
    # 1e-9: the norm of a small difference of kernel sums loses a few digits when the Gram matrix is singular.
    assert problem.sup_variation <= problem.rkhs_variation * (1 + 1e-9) + rounding(problem)
    assert (np.abs(problem.f).max(axis=1) <= problem.norms * (1 + 1e-9) + 1e-12).all()


def leaves_the_ball(world: World) -> bool:
    problem = worlds.make_problem(world)
    # 1e-9: the norm of a kernel sum loses a few digits when the Gram matrix of its centres is singular.
    return problem.norm_bound != world.norm_bound or problem.norms.max() > world.norm_bound * (1 + 1e-9)


@given(random_worlds())
@LAW
def test_every_reward_stays_in_the_ball(world):
    assert not leaves_the_ball(world)


def test_a_newcomer_that_leaves_the_ball_or_moves_by_less_than_its_budget_is_found(monkeypatch):
    """A glide between functions twice as large as the ball, and one over two fifths of the budget."""

    def far(world, kernel, x, rng):
        path = draws.draw_pieces(kernel, x, 2, world.centres, 2 * world.norm_bound, rng)
        return draws.glide(path, world.horizon, world.budget)

    def slow(world, kernel, x, rng):
        path = draws.draw_pieces(kernel, x, 2, world.centres, world.norm_bound, rng)
        return draws.glide(path, world.horizon, None if world.budget is None else 0.4 * world.budget)

    for name, path in (("far", far), ("slow", slow)):
        kind = worlds.WorldKind(name, name, name, path=path, has_budget=True)
        monkeypatch.setitem(worlds.ALL, name, kind)
    world = World(kind="far", horizon=30, arms=20, budget=0.5)
    assert leaves_the_ball(world) and not off_budget(world)
    world = replace(world, kind="slow")
    assert off_budget(world) and not leaves_the_ball(world)


@given(st.integers(0, 500), st.floats(0.1, 20.0), st.integers(2, 90))
@LAW
def test_glide_and_one_jump_share_start_end_and_bill(seed, budget, horizon):
    glide = worlds.make_problem(World(kind="glide", seed=seed, budget=budget, horizon=horizon, arms=40))
    jump = worlds.make_problem(replace(_as_world(seed, budget, horizon), kind="jumps", switches=1))
    assert np.array_equal(glide.f[0], jump.f[0])
    # Rounding of the interpolation at the last turning point.
    np.testing.assert_allclose(glide.f[-1], jump.f[-1], rtol=0, atol=1e-14 * np.abs(glide.f).max())
    assert abs(glide.sup_variation - jump.sup_variation) <= rounding(glide) + 2e-12 * budget


def _as_world(seed: int, budget: float, horizon: int) -> World:
    return World(seed=seed, budget=budget, horizon=horizon, arms=40)


def test_a_glide_is_a_straight_line_there_and_back_in_legs_of_whole_steps():
    world = World(kind="glide", horizon=101, budget=None)
    one_leg = worlds.make_problem(world)
    length = one_leg.sup_variation
    line = one_leg.f[0] + np.linspace(0, 1, 101)[:, None] * (one_leg.f[-1] - one_leg.f[0])
    np.testing.assert_allclose(one_leg.f, line, atol=1e-13)  # rounding of one multiplication and one sum
    four_legs = worlds.make_problem(replace(world, budget=3.5 * length))
    turns = four_legs.f[[0, 25, 50, 75, 100]]
    assert np.array_equal(turns[0], turns[2])
    assert np.array_equal(turns[0], turns[4])
    assert np.array_equal(turns[1], turns[3])
    # The amplitude of each of the four legs is a quarter of the budget.
    assert np.abs(turns[1] - turns[0]).max() == pytest.approx(3.5 * length / 4, rel=1e-12)


def test_jumps_hold_the_pieces_still_and_take_them_in_turn():
    world = World(kind="jumps", switches=2, horizon=60, budget=None)
    once = worlds.make_problem(world)
    pieces = once.f[[0, 12, 24]]  # changes at T/5 and 2T/5
    assert np.array_equal(once.f, np.repeat(pieces, [12, 12, 36], axis=0))
    path = pieces[[0, 1, 2, 0, 1, 2]]
    lengths = np.abs(np.diff(path, axis=0)).max(axis=1)
    more = worlds.make_problem(replace(world, budget=float(lengths.sum())))
    starts = [0, 10, 20, 30, 40, 50]  # five jumps fall evenly
    np.testing.assert_allclose(more.f[starts], path, atol=1e-14 * 60)  # rounding of the shrinking factor 1
    assert [int(t) for t in np.flatnonzero(more.steps) + 1] == starts[1:]


def test_as_many_jumps_as_steps_are_possible_but_no_more():
    world = World(kind="jumps", switches=1, horizon=7, budget=1e6)
    problem = worlds.make_problem(world)
    assert (problem.steps > 0).all()
    assert problem.sup_variation == pytest.approx(worlds.reachable_budget(world), rel=1e-12)


@pytest.mark.parametrize("kind", ["still", *BUDGETED])
def test_no_budget_means_standing_still_to_the_last_bit(kind):
    problem = worlds.make_problem(World(kind=kind, budget=0.0))
    assert problem.sup_variation == 0.0
    assert problem.rkhs_variation == 0.0


def test_a_note_is_written_exactly_when_the_budget_is_out_of_reach():
    world = World(kind="glide", horizon=5, budget=1.0)
    assert worlds.budget_note(world, worlds.make_problem(world)) == ""
    far = replace(world, budget=900.0)
    note = worlds.budget_note(far, worlds.make_problem(far))
    assert "900" in note and f"{worlds.reachable_budget(far):.3g}" in note
    markov = replace(world, kind="markov")
    assert "no drift budget" in worlds.budget_note(markov, worlds.make_problem(markov))


# --- chance, edges, bad input -------------------------------------------------------------------------------


@given(random_worlds(SYNTHETIC))
@LAW
def test_the_same_world_is_the_same_table_and_no_global_chance_enters(world):
    first = worlds.make_problem(world)
    np.random.seed(1)  # noqa: NPY002
    second = worlds.make_problem(replace(world))
    assert np.array_equal(first.f, second.f)
    assert np.array_equal(first.x, second.x)


@pytest.mark.parametrize("kind", SYNTHETIC)
def test_another_seed_is_another_world_of_every_kind_that_draws(kind):
    a, b = (worlds.make_problem(World(kind=kind, seed=s)) for s in (1, 2))
    assert (np.abs(a.f - b.f).max() > 1e-3) == draws_by_chance(kind)


def draws_by_chance(kind: str) -> bool:
    """Return whether the path of a kind takes anything from its stream of chance."""
    path, rng, kernel = worlds.ALL[kind].path, np.random.default_rng(0), SquaredExponential()
    if path is None:
        return True
    before = repr(rng.bit_generator.state)
    path(World(kind=kind), kernel, np.linspace(0, 1, 20)[:, None], rng)
    return repr(rng.bit_generator.state) != before


@pytest.mark.parametrize(
    ("kind", "horizon", "arms", "dimension"),
    list(itertools.product(SYNTHETIC, (1, 2, 3), (1, 2), (1, 2))),
)
def test_the_smallest_worlds_exist(kind, horizon, arms, dimension):
    world = World(kind=kind, horizon=horizon, arms=arms, dimension=dimension, switches=3, centres=1)
    problem = worlds.make_problem(world)
    assert problem.f.shape == (horizon, arms)
    assert problem.x.shape == (arms, dimension)
    assert np.isfinite(problem.f).all()
    assert worlds.reachable_budget(world) >= problem.sup_variation * (1 - 1e-12)
    assert worlds.events(problem).hops is not None


@pytest.mark.parametrize("kind", [*SYNTHETIC, "adversary"])
@pytest.mark.parametrize("kernel", [name for name, entry in KERNELS.items() if not entry.takes_nu])
def test_a_smoothness_that_a_kernel_does_not_take_changes_no_world(kind, kernel):
    rough, smooth = (worlds.make_problem(World(kind=kind, kernel=kernel, nu=nu, horizon=60)) for nu in (0.5, math.inf))
    assert np.array_equal(rough.f, smooth.f)


@pytest.mark.parametrize("kind", SYNTHETIC)
@pytest.mark.parametrize("lengthscale", [1e-4, 1e4])
@pytest.mark.parametrize("nu", [0.05, 1.5, math.inf])
def test_extreme_lengthscales_give_finite_rewards(kind, lengthscale, nu):
    world = World(kind=kind, kernel="matern", nu=nu, lengthscale=lengthscale, arms=20, horizon=10)
    problem = worlds.make_problem(world)
    assert np.isfinite(problem.f).all()
    if problem.norms is not None:
        # 1e-6: with a lengthscale of 10,000 the Gram matrix is all ones, and coefficients that nearly cancel
        # are scaled up; the norm then keeps about half of the digits.
        assert problem.norms.max() <= world.norm_bound * (1 + 1e-6)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("kind", "wobble"),
        ("kernel", "rbf"),
        ("dataset", "nowhere"),
        ("horizon", 0),
        ("horizon", 100_001),
        ("horizon", 20.5),
        ("horizon", True),
        ("arms", 0),
        ("dimension", 0),
        ("seed", -1),
        ("seed", None),
        ("switches", 0),
        ("centres", 0),
        ("nu", 0.0),
        ("lengthscale", 0.0),
        ("lengthscale", math.nan),
        ("lengthscale", math.inf),
        ("noise_sd", -0.1),
        ("noise_sd", math.inf),
        ("norm_bound", 0.0),
        ("norm_bound", math.nan),
        ("epsilon", 1.01),
        ("alpha", 0.0),
        ("alpha", 2.01),
        ("budget", -1.0),
        ("budget", math.nan),
        ("budget", math.inf),
        ("budget", "4"),
    ],
)
def test_an_impossible_world_is_refused_in_one_sentence_that_names_the_field(field, value):
    with pytest.raises(ValueError, match=rf"^{field} must be .*got "):
        worlds.make_problem(replace(World(), **{field: value}))


def test_tables_too_large_for_memory_and_cyclic_worlds_without_a_size_are_refused():
    with pytest.raises(ValueError, match="horizon x max"):
        worlds.check_world(World(horizon=100_000, arms=4_000))
    with pytest.raises(ValueError, match="norm_bound must be finite in a cyclic world"):
        worlds.check_world(World(kind="cyclic", norm_bound=math.inf))


# --- what happens in a world --------------------------------------------------------------------------------


def _table(f: list[list[float]], x: list[float] | None = None) -> Problem:
    rewards = np.array(f, dtype=float)
    places = np.linspace(0, 1, rewards.shape[1]) if x is None else np.array(x)
    return Problem(x=places[:, None], f=rewards, noise_sd=0.1, kernel=SquaredExponential(), norm_bound=None)


def test_a_hop_is_a_far_move_of_the_best_arm_with_its_distance_and_its_gain():
    problem = _table([[1.0, 0.9, 0.0], [1.0, 1.01, 0.0], [0.0, 0.0, 1.0], [0.0, 0.0, 1.0]], x=[0.0, 0.05, 0.9])
    (hop,) = worlds.events(problem).hops  # 0 -> 0.05 is too near
    assert (hop.t, hop.before, hop.after) == (2, (0.05,), (0.9,))
    assert hop.distance == pytest.approx(0.85, rel=1e-12)
    assert hop.gain == pytest.approx(-0.01, rel=1e-9)


def test_jumps_are_found_where_the_world_put_them_and_a_glide_has_none():
    world = World(kind="jumps", horizon=100, budget=4.0)
    jumps = worlds.events(worlds.make_problem(world)).jumps
    assert [j.t for j in jumps] == [20, 40]
    assert sum(j.share for j in jumps) == pytest.approx(1.0, rel=1e-12)
    assert sum(j.size for j in jumps) == pytest.approx(4.0, rel=1e-12)
    assert worlds.events(worlds.make_problem(replace(world, kind="glide"))).jumps == ()
    assert worlds.events(worlds.make_problem(replace(world, kind="still"))) == worlds.Events((), ())


def test_of_two_steps_a_single_jump_is_outsized_and_of_equal_steps_none_is():
    """Half of the steps may be jumps: the usual step is then the shorter one."""
    (jump,) = worlds.events(_table([[0.0, 0.0], [0.1, 0.0], [0.1, 2.0]])).jumps
    assert (jump.t, jump.size, jump.share) == (2, 2.0, pytest.approx(2.0 / 2.1))
    still = worlds.events(_table([[0.0, 0.0], [0.0, 0.0], [1.0, 0.0], [1.0, 0.0], [0.0, 0.0]])).jumps
    assert [one.t for one in still] == [2, 4]
    assert worlds.events(_table([[0.0, 0.0], [1.0, 0.0], [0.0, 0.0]])).jumps == ()


def test_hops_are_measured_between_fresh_arms_too():
    x = np.array([[[0.0, 0.0], [1.0, 1.0]], [[0.0, 0.3], [1.0, 1.0]]])
    f = np.array([[1.0, 0.0], [1.0, 0.0]])
    problem = Problem(x=x, f=f, noise_sd=0.1, kernel=SquaredExponential(), norm_bound=None)
    (hop,) = worlds.events(problem).hops
    assert (hop.t, hop.distance) == (1, pytest.approx(0.3))


def test_ties_are_all_the_arms_that_are_as_good_as_the_best():
    problem = _table([[1.0, 0.5, 1.0], [0.0, 1.0, 0.2]])
    assert worlds.ties(problem, 0).tolist() == [0, 2]
    assert worlds.ties(problem, 1).tolist() == [1]
    assert worlds.ties(problem, 1, tolerance=0.85).tolist() == [1, 2]


@given(random_worlds(SYNTHETIC))
@LAW
def test_the_arm_that_moved_most_holds_the_whole_step(world):
    problem = worlds.make_problem(world)
    steps = np.diff(problem.f, axis=0)
    held = np.abs(steps[np.arange(len(steps)), worlds.moved_most(problem)])
    assert np.array_equal(held, problem.steps)


def test_the_untouched_world_glides_once_and_its_best_arm_hops():
    problem = worlds.make_problem(World())
    assert problem.sup_variation == pytest.approx(4.0, abs=1e-12)
    towards = np.abs(problem.f - problem.f[0]).max(axis=1)
    assert (np.diff(towards) > 0).all()  # one leg: it never turns back
    (hop,) = worlds.events(problem).hops
    assert hop.distance > 0.1
    assert abs(hop.gain) < 0.05


@pytest.mark.parametrize("kind", SYNTHETIC)
def test_a_thousand_rounds_of_a_hundred_arms_take_less_than_60_ms(kind):
    world = World(kind=kind, horizon=1000)
    best = math.inf
    for _ in range(3):  # processor time, best of three: others share the machine
        start = time.process_time()
        worlds.make_problem(world)
        best = min(best, time.process_time() - start)
    assert best < 0.060


@pytest.mark.parametrize("kind", [*SYNTHETIC, "adversary"])
def test_a_world_on_another_interval_is_the_unit_world_in_other_coordinates(kind: str) -> None:
    # Flynn & Reeb's Figure 1 lives on [-1, 1] with lengthscale .5: distance over lengthscale decides everything.
    unit = World(kind=kind, budget=1.0, horizon=20, arms=21, lengthscale=0.25)
    a, b = worlds.make_problem(unit), worlds.make_problem(replace(unit, low=-1.0, high=1.0, lengthscale=0.5))
    np.testing.assert_allclose(b.x, 2 * a.x - 1, atol=1e-15)
    # One rounding in each distance and in each lengthscale: a few units in the last place of values up to 3.
    np.testing.assert_allclose(b.f, a.f, atol=1e-9)
    if b.coefficients is not None:
        np.testing.assert_allclose(b.norms, a.norms, rtol=1e-9)
        np.testing.assert_allclose(b.kernel(b.x, b.centres) @ b.coefficients[-1], b.f[-1], atol=1e-9)


def test_an_interval_must_have_a_low_end_below_its_high_end() -> None:
    with pytest.raises(ValueError, match="low must be below high"):
        worlds.make_problem(World(low=1.0, high=1.0))
