"""A person against the bandits: the same world, noise and loop for all, and codes that name one world each."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lessons.game.duel import YOU, Field, duel, stalest
from lessons.shared.codes import ALPHABET, LENGTH, SEEDS, VARIANTS, decode, encode
from tests.strategies import LAW
from tvbo_core import GPUCB, TVGPUCB, Problem, Random, World, make_problem, play
from tvbo_core.designs import play_rng
from tvbo_core.kernels import SquaredExponential

T = 20
WORLD = World(kind="jumps", budget=3.0, horizon=T, arms=31, switches=1, noise_sd=0.3, seed=5)
PROBLEM = make_problem(WORLD)
BANDITS = {"Random": Random(), "GP-UCB": GPUCB(width=2.0), "TV-GP-UCB": TVGPUCB(epsilon=0.2, width=2.0)}
FIELD = Field({name: play(PROBLEM, bandit, play_rng(WORLD.seed)) for name, bandit in BANDITS.items()})
ARM = st.integers(0, 30)
GAMES = st.lists(ARM, min_size=T, max_size=T)


@pytest.mark.parametrize("name", BANDITS)
def test_copying_a_bandit_earns_its_regret(name: str) -> None:
    copied = FIELD.histories[name]
    you = duel(PROBLEM, copied.arms.tolist(), FIELD, WORLD.seed)
    assert np.array_equal(you.you.y, copied.y)  # to the last bit: the same noise in the same round
    assert np.array_equal(you.total[YOU], you.total[name])
    assert np.array_equal(you.place[YOU], you.place[name])


@given(GAMES)
@LAW
def test_places_count_methods_with_less_regret(arms: list[int]) -> None:
    game = duel(PROBLEM, arms, FIELD, WORLD.seed)
    for t in (0, T // 2, T - 1):
        row = {name: curve[t] for name, curve in game.total.items()}
        for name, curve in game.place.items():
            assert curve[t] == 1 + sum(other < row[name] - 1e-9 for other in row.values())
    final = [game.total[name][-1] for name in game.order]
    assert final == sorted(final)
    assert game.best_rival == next(name for name in game.order if name != YOU)


def table(f: np.ndarray, noise: float = 0.1) -> Problem:
    m = f.shape[1]
    return Problem(np.linspace(0, 1, m)[:, None], f, noise, SquaredExponential(0.2), None)


def peak(at: int, m: int = 11) -> np.ndarray:
    return -np.abs(np.arange(m) - at) / 10.0


# The peak stands at 2 for three rounds and then at 8.
HOP = table(np.stack([peak(2)] * 3 + [peak(8)] * 5))


@pytest.mark.parametrize(
    ("arms", "rounds", "cost"),
    [
        ((2, 2, 2, 2, 2, 8, 8, 8), 2, 1.2),  # twice at the old peak, 0.6 each
        ((2, 2, 2, 3, 1, 2, 2, 8), 4, 0.5 + 0.7 + 0.6 + 0.6),  # near it counts
        ((8, 8, 8, 8, 2, 2, 2, 2), None, None),  # was elsewhere in the first round after the hop
        ((2, 2, 2, 2, 2, 2, 2, 2), 5, 3.0),  # to the end
        ((2, 2, 2, 2, 5, 8, 8, 8), 1, 0.6),  # what the question after them costs, 0.3, is not theirs
    ],
)
def test_stale_queries_count_until_the_peak_is_left(
    arms: tuple[int, ...], rounds: int | None, cost: float | None
) -> None:
    found = stalest(duel(HOP, arms, Field({}), 0).you)
    assert (found and found.rounds) == rounds
    if found:
        assert (found.row, found.before, found.after) == (3, 0.2, 0.8)
        assert found.cost == pytest.approx(cost)


@given(st.integers(0, len(VARIANTS) - 1), st.integers(0, SEEDS - 1))
@LAW
def test_codes_name_one_variant_and_seed(variant: int, seed: int) -> None:
    code = encode(variant, seed)
    assert len(code) == LENGTH and set(code) <= set(ALPHABET)
    assert decode(code) == (VARIANTS[variant], seed)
    assert decode(f" {code[:2].upper()}-{code[2:]} ") == (VARIANTS[variant], seed)  # as somebody writes it down


def test_published_codes_stay_what_they_are() -> None:
    published = "9drrt t5g8h g5s7z t2wpq 6ybc4 jf9zz 3x3tr jmxj7 c3q9n rsfyt"
    assert [encode(v, 1) for v in range(len(VARIANTS))] == published.split()
