"""A learner in any order of calls: what it was told is in `data`, what is open is in `pending`, and its file is it."""

from __future__ import annotations

import tempfile
from collections import Counter
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

import tvbo_core as tv
from tests.core.test_every_policy import KNOWN, POLICIES, M, T
from tvbo_core.learner import Learner
from tvbo_core.policies import IndexPolicy

BATCHES = (tv.PE, tv.RPERP)  # they use answers to their own questions alone
INDEXED = (IndexPolicy, tv.KernelUCB, tv.SparQ)
WORDS = [*POLICIES, *("pe", "rperp", "rperp 6") * 2]  # a late answer to a batch is what most can go wrong with
PICKS = st.integers(0, 99)  # which one of what there is
STEPS = Counter[str]()


def row_of(rows: list, pick: int):
    return rows[pick % len(rows)]


class Experiment(RuleBasedStateMachine):
    """A learner beside two lists: the questions that are open, and the answers that it took."""

    @initialize(word=st.sampled_from(WORDS), per_time=st.integers(1, 3), seed=st.integers(0, 9))
    def begin(self, word: str, per_time: int, seed: int) -> None:
        self.policy, self.per_time = POLICIES[word], per_time
        self.learner = Learner(self.policy, KNOWN, per_time=per_time, rng=seed)
        self.open: list[tuple[int, int]] = []  # time and arm
        self.told: list[tuple[int, int, float]] = []  # time, arm and reward
        self.heard, self.time, self.asks_again = 0, 0, hasattr(self.policy, "questions")

    def reward(self) -> float:
        """Return a reward that no other answer has."""
        self.heard += 1
        return np.sin(self.heard) + 1e-6 * self.heard

    def full(self, time: int) -> bool:
        return sum(t == time for t, _, _ in self.told) == self.per_time

    def took(self, arm: int, y: float) -> int:
        """Return the time at which the learner put an answer, which its data have once."""
        (time,) = [t for a, r, t in zip(*self.learner.data, strict=True) if (a, r) == (arm, y)]
        self.told.append((time, arm, y))
        return time

    @rule()
    def ask(self) -> None:
        if self.learner.time == T:
            with pytest.raises(ValueError, match="horizon"):
                self.learner.ask()
            return
        if self.learner.questions():
            self.learner.answer([], [])
        arm = self.learner.ask()
        if sorted(self.learner.pending) != sorted(self.open):
            self.open.append((self.learner.time, arm))
        assert self.learner.ask() == arm

    @rule(n=st.integers(1, 6))
    def ask_several(self, n: int) -> None:
        if self.learner.time == T:
            return
        if self.learner.questions():
            self.learner.answer([], [])
        before = Counter(self.learner.pending)
        arms = self.learner.ask(n)
        new = Counter(self.learner.pending)
        new.subtract(before)
        assert 1 <= len(arms) <= n and min(new.values(), default=0) >= 0
        assert Counter(arm for (_, arm), k in new.items() for _ in range(k)) <= Counter(arms)
        assert len(set(arms)) == len(arms) or not isinstance(self.policy, INDEXED)
        self.open += list(new.elements())

    @rule(pick=PICKS)
    def answer_a_question(self, pick: int) -> None:
        """Late or not, it is taken: at the time of the oldest open question of its arm, or now where that is full."""
        if not self.open:
            return
        arm, y = row_of(sorted(self.open), pick)[1], self.reward()
        asked = min(t for t, a in self.open if a == arm)
        if self.full(asked) and self.time == T:
            return
        where = self.time if self.full(asked) else asked
        self.learner.tell(arm, y)
        assert self.took(arm, y) == where
        self.open.remove((asked, arm))

    @rule(arm=st.integers(0, M - 1), y=st.sampled_from([0.0, 1.0]))
    def tell_what_was_not_asked(self, arm: int, y: float) -> None:
        if self.time == T or arm in [a for _, a in self.open]:
            return
        y += 1e-9 * len(self.told)
        try:
            self.learner.tell(arm, y)
        except ValueError as refusal:
            assert isinstance(self.policy, BATCHES) and "did not ask" in str(refusal)
        else:
            assert self.took(arm, y) == self.time

    @rule(arm=st.integers(0, M - 1), time=st.integers(0, T - 1), pick=PICKS, own=st.booleans())
    def tell_at_a_time(self, arm: int, time: int, pick: int, own: bool) -> None:
        if own and self.open:
            time, arm = row_of(sorted(self.open), pick)
        time, y = min(time, self.time + 1, T - 1), self.reward()
        try:
            self.learner.tell(arm, y, time=time)
        except ValueError as refusal:
            asked = isinstance(self.policy, BATCHES) and (time, arm) not in self.open
            assert self.full(time) or (asked and "did not ask" in str(refusal)), refusal
            return
        assert self.took(arm, y) == time
        answered = [t for t, a in sorted(self.open) if a == arm]
        if answered:
            self.open.remove((time if time in answered else answered[0], arm))

    @rule()
    def skip(self) -> None:
        if self.time == T:
            return
        before = self.learner.pending
        self.learner.skip()
        gone = Counter(before) - Counter(self.learner.pending)
        assert sum(gone.values()) <= 1 and all(t == self.time for t, _ in gone)
        for one in gone:
            self.open.remove(one)

    @rule(pick=PICKS)
    def give_up_a_time(self, pick: int) -> None:
        if self.open:
            time = row_of(sorted(self.open), pick)[0]
            self.learner.skip(time)
            self.open = [one for one in self.open if one[0] != time]

    @rule(times=st.integers(1, 4))
    def advance(self, times: int) -> None:
        self.learner.advance(times)
        assert self.learner.time == min(self.time + times, T)

    @rule(most=st.integers(0, 3))
    def answer_side_queries(self, most: int) -> None:
        if self.time < T and (again := self.learner.questions()):
            self.learner.answer(again[:most], [self.reward() for _ in again[:most]])
            assert self.learner.questions() == []

    @rule(pick=PICKS)
    def correct(self, pick: int) -> None:
        if self.told:
            time, arm, _ = row_of(sorted(self.told), pick)
            y = self.reward()
            self.learner.correct(time, y, arm)
            gone = Counter(self.told) - Counter(self.rows())
            ((t, a, _),) = gone
            assert (t, a) == (time, arm)
            self.told.remove(*gone)
            self.told.append((time, arm, y))

    @rule(pick=PICKS)
    def withdraw(self, pick: int) -> None:
        if self.told:
            time, arm, _ = row_of(sorted(self.told), pick)
            self.learner.withdraw(time, arm)
            gone = Counter(self.told) - Counter(self.rows())
            ((t, a, _),) = gone
            assert (t, a) == (time, arm)
            self.told.remove(*gone)
            reopened = Counter(self.learner.pending) - Counter(self.open)
            assert reopened <= Counter([(time, arm)])
            self.open += list(reopened.elements())

    @rule()
    def save_and_load(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "learner.json"
            self.learner.save(path)
            again, other = Learner.load(path), Learner.load(path)
            with suppress(ValueError):  # the horizon is over, or arms are to be asked again
                arms = [one.ask() for one in (self.learner, again, other)]
                assert len(set(arms)) == 1
                if sorted(self.learner.pending) != sorted(self.open):
                    self.open.append((self.learner.time, arms[0]))
        assert np.array_equal(again.band().upper, self.learner.band().upper)
        self.learner = again

    @rule()
    def look(self) -> None:
        self.learner.band()

    def rows(self) -> list[tuple[int, int, float]]:
        arms, ys, times = self.learner.data
        return list(zip(times, arms, ys, strict=True))

    @invariant()
    def nothing_is_lost(self) -> None:
        STEPS["calls"] += 1
        assert sorted(self.rows()) == sorted(self.told)
        assert sorted(self.learner.pending) == sorted(self.open)
        assert self.time <= self.learner.time <= T
        self.time = self.learner.time

    def teardown(self) -> None:
        """At last the band is that of its file, and of the policy which was handed these answers in their order."""
        if not hasattr(self, "learner"):
            return
        self.save_and_load()
        if self.per_time > 1 or isinstance(self.policy, BATCHES) or self.asks_again:
            return
        if isinstance(self.policy, tv.ADAOPKB):  # which replays are drawn depends on what was asked
            return
        STEPS["bands"] += 1
        state = self.policy.init(KNOWN)
        for time, arm, y in sorted(self.told):
            state = self.policy.update(state, time, arm, y)
        band, found = self.policy.band(state, self.learner.time), self.learner.band()
        assert np.array_equal(found.mean, band.mean) and np.array_equal(found.upper, band.upper)


@pytest.mark.parametrize(
    ("runs", "calls"), [(60, 16), pytest.param(2000, 40, marks=pytest.mark.wide)], ids=["some", "many"]
)
def test_no_order_of_calls_loses_anything(runs: int, calls: int) -> None:
    run_state_machine_as_test(Experiment, settings=settings(max_examples=runs, stateful_step_count=calls))
