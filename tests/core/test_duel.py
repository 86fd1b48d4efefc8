"""A person against the bandits: the same world, noise and loop for all, and codes that name one world each."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import LAW
from tvbo_core import GPUCB, TVGPUCB, Problem, Random, SparQ, World, make_problem, play
from tvbo_core.designs import play_rng
from tvbo_core.kernels import SquaredExponential
from tvbo_core.policies.human import YOU, Duel, FixedArms, best_fixed, duel, heard, line_up, stalest
from tvbo_core.worlds.codes import ALPHABET, ARMS, LENGTH, SEEDS, VARIANTS, decode, encode, hidden_world, tidy

T = 20
WORLD = World(kind="jumps", budget=3.0, horizon=T, arms=31, switches=1, noise_sd=0.3, seed=5)
PROBLEM = make_problem(WORLD)
BANDITS = {"Random": Random(), "GP-UCB": GPUCB(width=2.0), "TV-GP-UCB": TVGPUCB(epsilon=0.2, width=2.0)}
FIELD = line_up(PROBLEM, BANDITS, WORLD.seed)
ARM = st.integers(0, 30)
GAMES = st.lists(ARM, min_size=T, max_size=T)


@pytest.mark.parametrize("name", BANDITS)
def test_a_person_who_asks_what_a_bandit_asks_hears_what_it_hears_and_has_its_regret(name: str) -> None:
    copied = FIELD.histories[name]
    you = duel(PROBLEM, copied.arms.tolist(), FIELD, WORLD.seed)
    assert np.array_equal(you.you.y, copied.y)  # to the last bit: the same noise in the same round
    assert np.array_equal(you.total[YOU], you.total[name])
    assert np.array_equal(you.place[YOU], you.place[name])


@given(GAMES)
@LAW
def test_everybody_meets_the_same_noise_in_the_same_round(arms: list[int]) -> None:
    game = duel(PROBLEM, arms, FIELD, WORLD.seed)
    rows = np.arange(T)
    noise = [run.y - PROBLEM.f[rows, run.arms] for run in game.runs.values()]
    # Adding f and taking it away again rounds at the size of the reward, 3 here: a few units of 4e-16.
    assert np.allclose(noise, noise[0], rtol=0, atol=1e-14)


@given(GAMES, GAMES, st.integers(0, T))
@LAW
def test_what_was_heard_does_not_depend_on_what_is_asked_later(arms: list[int], other: list[int], n: int) -> None:
    told = heard(PROBLEM, arms[:n], WORLD.seed)
    assert len(told) == n
    assert np.array_equal(told, duel(PROBLEM, arms, FIELD, WORLD.seed).you.y[:n])
    assert np.array_equal(told, heard(PROBLEM, arms[:n] + other[n:], WORLD.seed)[:n])


@given(GAMES)
@LAW
def test_places_count_who_has_less_regret_and_the_order_follows_them(arms: list[int]) -> None:
    game = duel(PROBLEM, arms, FIELD, WORLD.seed)
    for t in (0, T // 2, T - 1):
        row = {name: curve[t] for name, curve in game.total.items()}
        for name, curve in game.place.items():
            assert curve[t] == 1 + sum(other < row[name] - 1e-9 for other in row.values())
    final = [game.total[name][-1] for name in game.order]
    assert final == sorted(final)
    assert game.best_rival == next(name for name in game.order if name != YOU)


def test_an_equal_shares_the_place_and_you_are_named_first() -> None:
    best = min(FIELD.histories, key=lambda name: FIELD.histories[name].regret.sum())
    game = duel(PROBLEM, FIELD.histories[best].arms, FIELD, WORLD.seed)
    assert game.place[YOU][-1] == game.place[best][-1] == 1
    assert game.order[:2] == [YOU, best]
    assert max(curve[-1] for curve in game.place.values()) == len(BANDITS) + 1


def test_nobody_else_at_the_table_is_a_game_without_a_best_rival() -> None:
    alone = Duel(PROBLEM, play(PROBLEM, FixedArms((0,) * T), play_rng(0)), {})
    assert alone.best_rival is None and alone.order == [YOU] and set(alone.place[YOU]) == {1}


@pytest.mark.parametrize("n", [0, T - 1, T + 1])
def test_a_replay_of_another_length_is_refused_with_both_numbers(n: int) -> None:
    with pytest.raises(ValueError, match=rf"each of the {T} rounds, got {n}"):
        duel(PROBLEM, [0] * n, FIELD, WORLD.seed)


@pytest.mark.parametrize("arm", [-1, 31])
def test_an_arm_that_does_not_exist_is_refused(arm: int) -> None:
    with pytest.raises(ValueError, match="arm"):
        duel(PROBLEM, [arm] + [0] * (T - 1), FIELD, WORLD.seed)
    with pytest.raises(ValueError, match="arms must be whole numbers"):
        heard(PROBLEM, [arm], WORLD.seed)


def test_a_bandit_that_cannot_play_is_left_out_with_its_reason() -> None:
    walk = make_problem(replace(WORLD, kind="markov"))  # no norm bound, so no theory width
    field = line_up(walk, {"GP-UCB": GPUCB(width="theory"), "Random": Random()}, 1)
    assert list(field.histories) == ["Random"] and "GP-UCB" in field.refused and field.refused["GP-UCB"]


def test_questions_asked_again_do_not_change_what_the_rounds_sound_like() -> None:
    field = line_up(PROBLEM, {"SparQ": SparQ(width=2.0)}, WORLD.seed)
    run = field.histories["SparQ"]
    assert run.extra_queries.sum() > 0
    assert np.array_equal(run.y, heard(PROBLEM, run.arms, WORLD.seed))


def table(f: np.ndarray, noise: float = 0.1) -> Problem:
    m = f.shape[1]
    return Problem(np.linspace(0, 1, m)[:, None], f, noise, SquaredExponential(0.2), None)


def test_rounds_with_less_regret_than_one_noise_are_counted() -> None:
    p = table(np.array([[1.0, 0.95, 0.5]] * 4), noise=0.1)
    game = Duel(p, play(p, FixedArms((0, 1, 2, 1)), play_rng(0)), {})
    assert game.close(YOU) == 3
    # One noise itself is too little to hear at once, and a little more is not: 0.5 and 0.25 are exact in binary.
    edge = table(np.array([[1.0, 0.5, 0.4375, 0.0]] * 4), noise=0.5)
    assert Duel(edge, play(edge, FixedArms((0, 1, 2, 3)), play_rng(0)), {}).close(YOU) == 2


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
def test_how_long_the_old_peak_was_asked_after_it_had_moved(
    arms: tuple[int, ...], rounds: int | None, cost: float | None
) -> None:
    found = stalest(play(HOP, FixedArms(arms), play_rng(0)))
    assert (found and found.rounds) == rounds
    if found:
        assert (found.row, found.before, found.after) == (3, 0.2, 0.8)
        assert found.cost == pytest.approx(cost)


def test_nobody_is_caught_in_a_world_that_stands_still() -> None:
    still = table(np.stack([peak(2)] * 8))
    assert stalest(play(still, FixedArms((9,) * 8), play_rng(0))) is None


def test_the_best_single_arm_is_the_best_of_all_single_arms() -> None:
    arm, cost = best_fixed(PROBLEM)
    alone = [duel(PROBLEM, [a] * T, FIELD, WORLD.seed).total[YOU][-1] for a in range(31)]
    assert cost == pytest.approx(min(alone)) and arm == int(np.argmin(alone))


@given(st.integers(0, len(VARIANTS) - 1), st.integers(0, SEEDS - 1))
@LAW
def test_a_code_names_one_variant_and_seed(variant: int, seed: int) -> None:
    code = encode(variant, seed)
    assert len(code) == LENGTH and set(code) <= set(ALPHABET)
    assert decode(code) == (VARIANTS[variant], seed)
    assert decode(f" {code[:2].upper()}-{code[2:]} ") == (VARIANTS[variant], seed)  # as somebody writes it down


def test_no_two_worlds_share_a_code() -> None:
    codes = {encode(v, s) for v in range(len(VARIANTS)) for s in range(SEEDS)}
    assert len(codes) == len(VARIANTS) * SEEDS


def test_the_codes_that_were_given_away_stay_what_they_are() -> None:
    assert [encode(v, 1) for v in range(len(VARIANTS))] == [
        "9drrt",
        "t5g8h",
        "g5s7z",
        "t2wpq",
        "6ybc4",
        "jf9zz",
        "3x3tr",
        "jmxj7",
        "c3q9n",
    ]


def test_a_slip_of_the_finger_is_most_probably_no_code() -> None:
    rng = np.random.default_rng(0)
    slips = missed = 0
    for _ in range(300):
        code = encode(int(rng.integers(len(VARIANTS))), int(rng.integers(SEEDS)))
        for i in range(LENGTH):
            wrong = code[:i] + ALPHABET[int(rng.integers(len(ALPHABET)))] + code[i + 1 :]
            if wrong == code:
                continue
            slips += 1
            try:
                decode(wrong)
                missed += 1
            except ValueError:
                pass
    # 9 * 4096 of 28^5 strings are codes, one in 467; of about 1,450 slips 3.1 would pass by chance, sd 1.8.
    assert slips > 1400 and missed <= 12


@pytest.mark.parametrize("raw", ["", "abc", "rwzg", "rwzg33", "aeiou", "zzzzz", "rwzg_", "０wzg3", "r" * 5000])
def test_what_is_no_code_is_refused_in_one_sentence(raw: str) -> None:
    with pytest.raises(ValueError, match="no world has the code") as said:
        decode(raw)
    assert len(str(said.value)) < 120


@pytest.mark.parametrize(("variant", "seed"), [(-1, 0), (len(VARIANTS), 0), (0, -1), (0, SEEDS)])
def test_what_has_no_code_is_refused(variant: int, seed: int) -> None:
    with pytest.raises(ValueError, match="must be from 0 to"):
        encode(variant, seed)


def test_the_letters_of_a_code_do_not_tell_the_kind() -> None:
    """Each letter in each position is about as frequent in still worlds as in others."""
    for place in range(1, LENGTH):  # the first letter runs to 26 of 28 only, for every kind
        still, other = ([encode(v, s)[place] for s in range(SEEDS)] for v in (0, 4))
        counts = np.array([[kind.count(a) for a in ALPHABET] for kind in (still, other)])
        expected = counts.sum(axis=0) / 2
        chi2 = float(((counts - expected) ** 2 / np.maximum(expected, 1)).sum())
        assert chi2 < 65  # 27 degrees of freedom: the 1 - 5e-5 quantile


@pytest.mark.parametrize("variant", range(len(VARIANTS)))
def test_the_world_behind_a_code_moves_as_its_variant_says(variant: int) -> None:
    world = hidden_world(encode(variant, 7), 30, 0.2)
    problem = make_problem(world)
    assert problem.f.shape == (30, ARMS) and problem.noise_sd == 0.2 and world.kind == VARIANTS[variant].kind
    if world.kind != "markov":
        assert problem.sup_variation == pytest.approx(VARIANTS[variant].budget)
    else:
        assert problem.sup_variation > 1
    assert tidy(" RW-zg3") == "rwzg3"
