"""A learner in any order of calls: what it was told is in `data`, what is open is in `pending`, and its file is it.

Half of the learners are compared with their file after every call: there a late or a corrected answer meets a state
that has heard what came after it. The others compute only what their calls need.
"""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from copy import deepcopy
from pathlib import Path

import numpy as np
import pytest
from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

import tvbo_core as tv
from tests.core.test_every_policy import KNOWN, POLICIES, M, T
from tvbo_core.learner import Learner
from tvbo_core.policies import IndexPolicy

BATCHES = (tv.PE, tv.RPERP)  # they use answers to their own questions alone
INDEXED = (IndexPolicy, tv.KernelUCB, tv.SparQ)
# A late answer to a batch is what most can go wrong with; a side query's can be corrected as well.
WORDS = [*POLICIES, *("pe", "rperp", "rperp 6", "sparq", "wsparq") * 2]
PICKS = st.integers(0, 99)  # which one of what there is
STEPS = Counter[str]()


open_questions = precondition(lambda self: self.open)
answers = precondition(lambda self: self.told)
goes_on = precondition(lambda self: self.time < T)


def row_of(rows: list, pick: int):
    return rows[pick % len(rows)]


class Experiment(RuleBasedStateMachine):
    """A learner beside two lists: the questions that are open, and the answers that it took."""

    path: Path  # of its file

    @initialize(word=st.sampled_from(WORDS), per_time=st.integers(1, 3), seed=st.integers(0, 9), looks=st.booleans())
    def begin(self, word: str, per_time: int, seed: int, looks: bool) -> None:
        self.looks = looks
        self.path.unlink(missing_ok=True)
        self.policy, self.per_time = POLICIES[word], per_time
        self.learner = Learner(self.policy, KNOWN, per_time=np.int64(per_time), rng=seed)
        self.open: list[tuple[int, int]] = []  # time and arm
        self.told: list[tuple[int, int, float]] = []  # time, arm and reward
        self.answered: dict[tuple[int, int, float], tuple[int, int]] = {}  # an answer -> its question
        self.side: list[tuple[int, int]] = []  # time and arm of the side queries that were heard
        self.heard, self.time, self.asks_again = 0, 0, hasattr(self.policy, "questions")

    def reward(self) -> float:
        """Return a reward that no other answer has."""
        self.heard += 1
        return np.sin(self.heard) + 1e-6 * self.heard

    def times(self) -> list[int]:
        return [t for t, _, _ in self.told]

    def full(self, time: int) -> bool:
        return self.times().count(time) == self.per_time

    def took(self, arm: int, y: float) -> int:
        """Return the time at which the learner put an answer, which its data have once; close its question."""
        (time,) = [t for a, r, t in zip(*self.learner.data, strict=True) if (a, r) == (arm, y)]
        self.told.append((time, arm, y))
        if closed := list((Counter(self.open) - Counter(self.learner.pending)).elements()):
            (self.answered[time, arm, y],) = closed
            self.open.remove(closed[0])
        return time

    def hear_side_queries(self, most: int) -> None:
        """As a script does in each round, whether or not there are any, or they were answered before."""
        again = self.learner.questions()
        self.learner.answer(again[:most], [self.reward() for _ in again[:most]])
        assert self.learner.questions() == []
        self.side += [(self.time, arm) for arm in again[:most]]

    @rule(most=st.integers(0, 3))
    def ask(self, most: int) -> None:
        if self.learner.time == T:
            with pytest.raises(ValueError, match="horizon"):
                self.learner.ask()
        else:
            self.question(most)

    def question(self, most: int) -> int:
        self.hear_side_queries(most)
        arm = self.learner.ask()
        if sorted(self.learner.pending) != sorted(self.open):
            self.open.append((self.learner.time, arm))
        assert self.learner.ask() == arm
        return arm

    @goes_on
    @rule(most=st.integers(0, 3))
    def ask_and_answer(self, most: int) -> None:
        """As most rounds are; an older question of this arm is answered first."""
        self.answer(self.question(most))

    @goes_on
    @rule(n=st.integers(1, 6), most=st.integers(0, 3))
    def ask_several(self, n: int, most: int) -> None:
        self.hear_side_queries(most)
        before = Counter(self.learner.pending)
        arms = self.learner.ask(n)
        new = Counter(self.learner.pending)
        new.subtract(before)
        assert 1 <= len(arms) <= n and min(new.values(), default=0) >= 0
        assert Counter(arm for (_, arm), k in new.items() for _ in range(k)) <= Counter(arms)
        # What is chosen now is different; what was asked before, and is open, stays as it is.
        asked = {arm for time, arm in before if time >= self.time}
        twice = {arm for arm, k in Counter(arms).items() if k > 1}
        assert twice <= asked or not isinstance(self.policy, INDEXED)
        self.open += list(new.elements())

    @open_questions
    @rule(pick=PICKS)
    def answer_a_question(self, pick: int) -> None:
        self.answer(row_of(sorted(self.open), pick)[1])

    def answer(self, arm: int) -> None:
        """Late or not, it is taken: at the time of the oldest open question of its arm, or now where that is full."""
        asked, y = min(t for t, a in self.open if a == arm), self.reward()
        if self.full(asked) and self.time == T:
            return
        where = self.time if self.full(asked) else asked
        self.learner.tell(arm, y)
        assert self.took(arm, y) == where and self.answered[where, arm, y] == (asked, arm)

    @goes_on
    @rule(arm=st.integers(0, M - 1), y=st.sampled_from([0.0, 1.0]))
    def tell_what_was_not_asked(self, arm: int, y: float) -> None:
        if arm in [a for _, a in self.open]:
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
        asked = [t for t, a in sorted(self.open) if a == arm]
        assert self.took(arm, y) == time
        question = (time if time in asked else asked[0], arm) if asked else None
        assert self.answered.get((time, arm, y)) == question

    @goes_on
    @rule()
    def skip(self) -> None:
        before = self.learner.pending
        self.learner.skip()
        gone = Counter(before) - Counter(self.learner.pending)
        assert sum(gone.values()) <= 1 and all(t == self.time for t, _ in gone)
        for one in gone:
            self.open.remove(one)

    @open_questions
    @rule(pick=PICKS)
    def give_up_a_time(self, pick: int) -> None:
        time = row_of(sorted(self.open), pick)[0]
        self.learner.skip(time)
        self.open = [one for one in self.open if one[0] != time]

    @rule(times=st.integers(1, 4))
    def advance(self, times: int) -> None:
        self.learner.advance(np.int64(times))
        assert self.learner.time == min(self.time + times, T)

    @precondition(lambda self: self.side)
    @rule(pick=PICKS)
    def correct_a_side_query(self, pick: int) -> None:
        time, arm = row_of(self.side, pick)
        self.learner.correct(time, self.reward(), arm, again=True)

    def gone(self) -> tuple[int, int, float]:
        """Return the one answer that the learner has no more."""
        ((*gone,),) = Counter(self.told) - Counter(self.rows())
        self.told.remove(tuple(gone))
        return tuple(gone)

    @answers
    @rule(pick=PICKS)
    def correct(self, pick: int) -> None:
        time, arm, _ = row_of(sorted(self.told), pick)
        y = self.reward()
        self.learner.correct(time, y, arm)
        gone = self.gone()
        assert gone[:2] == (time, arm)
        self.told.append((time, arm, y))
        if gone in self.answered:
            self.answered[time, arm, y] = self.answered.pop(gone)

    @answers
    @rule(pick=PICKS)
    def withdraw(self, pick: int) -> None:
        time, arm, _ = row_of(sorted(self.told), pick)
        answered = set(self.answered)
        self.learner.withdraw(time, arm)
        gone = self.gone()
        assert gone[:2] == (time, arm)
        reopened = Counter(self.learner.pending) - Counter(self.open)
        question = self.answered.pop(gone, (time, arm))
        assert reopened <= Counter([question])
        # In the place of a question that was answered before its time another one may have been asked, and where it was
        # answered elsewhere an answer may have come to its own time.
        replaced = question[0] > time or question in [one[:2] for one in self.told]
        assert reopened or gone not in answered or replaced
        self.open += list(reopened.elements())

    @rule()
    def go_on_from_the_file(self) -> None:
        self.compare()
        self.learner = Learner.load(self.path)

    @rule()
    def save_over_later_answers(self) -> None:
        """A copy that was told less does not replace the file, nor does another learner."""
        early = deepcopy(self.learner)
        self.compare()
        if self.time == T or isinstance(self.policy, BATCHES):
            return
        later = Learner.load(self.path)
        later.tell(0, self.reward(), time=self.time) if not self.full(self.time) else later.skip()
        later.save(self.path)
        for one in (early, self.learner, Learner(self.policy, KNOWN, per_time=self.per_time, rng=99)):
            with pytest.raises(ValueError, match="would replace it"):
                one.save(self.path)
        self.path.unlink()

    def compare(self) -> None:
        """The file of this state believes and asks the same; what is asked for the comparison is not kept."""
        self.learner.save(self.path)
        one, other = deepcopy(self.learner), Learner.load(self.path)
        assert np.array_equal(one.band().upper, other.band().upper)
        if self.time < T:
            assert one.questions() == other.questions()
            with suppress(ValueError):  # the side queries come first
                assert one.ask() == other.ask()

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
        if self.looks:
            self.compare()

    def teardown(self) -> None:
        """At last the band is that of its file, and of the policy which was handed these answers in their order."""
        if not hasattr(self, "learner"):
            return
        self.compare()
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


LONG = settings(phases=set(Phase) - {Phase.shrink})  # to shrink what failed takes minutes


@pytest.mark.parametrize(
    ("runs", "calls"), [(40, 16), pytest.param(600, 40, marks=pytest.mark.wide)], ids=["some", "many"]
)
def test_no_order_of_calls_loses_anything(runs: int, calls: int, tmp_path: Path) -> None:
    Experiment.path = tmp_path / "learner.json"
    run_state_machine_as_test(Experiment, settings=settings(LONG, max_examples=runs, stateful_step_count=calls))
