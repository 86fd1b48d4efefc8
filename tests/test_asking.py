"""What the page on side queries says is what was played, and what ships with it is what it opens with."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest

from lessons.shared import stored_runs as shipped
from lessons.side_queries import model as asking
from lessons.side_queries import window as asking_glass
from lessons.side_queries import words as asking_words
from lessons.side_queries.lesson import QUERIES
from lessons.side_queries.model import Setting
from shell.jobs import Failure, outcome
from tests.test_pages import faults, opened, sentences, settled, turn, unfolded
from tvbo_core.jobs import play_all
from tvbo_core.worlds.mauduit import Stale, Synthetic

PAGE = "pages/7_Side_queries.py"
SMALL = Setting(Stale(horizon=100, arms=30, seed=4), 1.0, 0.25, 1.0, "exact", "2", "own", 2)
FIRST = {key: knob.default for key, knob in QUERIES.knobs.items()}


def board_of(setting: Setting):
    return asking.board(setting, {job: outcome(job) for job in asking.jobs(setting)})


def test_the_page_as_it_opens_lands_its_point() -> None:
    setting = asking.chosen(FIRST)
    show = asking.asked(setting)
    sums = {n: int(h.extra_queries.sum()) for n, h in show.plays.items()}
    assert sums == {"SparQ": 2865, "W-SparQ": 677}  # MATH.md: 2872 and 677; 7 would follow the last round
    runs = dict(zip(asking.jobs(setting)[:4], show.runs.values(), strict=True))
    board = asking.board(setting, runs | shipped.runs(asking.jobs(setting)[4:], asking.FILE))
    assert board.done == 8
    assert board.median("W-SparQ") < board.median("SparQ") < 0.5 * board.median("GP-UCB")
    said = asking_words.finding(show, board, [499])[0]
    assert "<b>677</b>" in said and "2,865" in said and "4.2 times fewer" in said


@pytest.mark.parametrize("moment", range(len(QUERIES.moments)))
def test_everything_the_moments_need_ships_with_the_lab(moment: int) -> None:
    wanted = asking.jobs(asking.chosen({**FIRST, **QUERIES.moments[moment].values}))[4:]
    assert set(shipped.runs(wanted, asking.FILE)) == set(wanted)


def test_a_shipped_run_is_the_run_that_is_played() -> None:
    job = asking.jobs(asking.chosen({**FIRST, **QUERIES.moments[2].values}))[7]
    stored = shipped.runs([job], asking.FILE)[job]
    played = outcome(job)
    assert stored.arms.tolist() == played.arms.tolist()
    assert stored.extra_queries.tolist() == played.extra_queries.tolist()


def test_the_board_waits_for_whole_seeds_and_leaves_out_what_was_refused() -> None:
    runs = asking.jobs(SMALL)
    results = {job: outcome(job) for job in runs[:6]}
    board = asking.board(SMALL, results)
    assert (board.done, board.total) == (1, 2)
    assert board.regret["SparQ"].shape == (1, 100)
    assert asking.board(SMALL, results | dict.fromkeys(runs[4:], Failure("refused", refused=True))).done == 1


def test_windows_are_told_with_their_length_and_questions() -> None:
    show = asking.asked(SMALL)
    assert show.window(0) == 0 and show.window(int(show.starts[0])) == 1
    assert sum(show.length(w) for w in range(1, len(show.starts) + 1)) == show.horizon - show.starts[0]
    row = int(show.starts[9])
    asked = int(show.plays["W-SparQ"].extra_queries[row])
    said = asking_words.label(show, row)
    assert said == f"t = {row + 1} of 100 · window 10: {show.length(10)} rounds, {asked} re-asked"
    assert asking_words.label(show, 0) == "t = 1 of 100"


def test_the_picks_that_were_played_are_shown_as_played_and_the_others_are_of_the_same_size() -> None:
    show = asking.asked(SMALL)
    for window in (1, 8, len(show.starts)):
        found = asking_glass.picks(SMALL, window)
        own = [way for way in found.ways if way.own]
        assert len(own) == 1 and own[0].picker == "exact"
        row = int(show.starts[window - 1])
        assert own[0].arms.tolist() == sorted(show.plays["W-SparQ"].asked_before(row)[0].tolist())
        assert {len(way.arms) for way in found.ways} == {found.size}
        assert all(0 <= way.unexplained <= 1 and 0 <= way.mean <= 1 for way in found.ways)


def test_a_pick_among_clustered_inputs_is_better_spread_by_the_k_dpp_than_by_lot() -> None:
    setting = asking.chosen({**FIRST, **QUERIES.moments[2].values})
    show = asking.asked(setting)
    found = asking_glass.picks(setting, show.window(59))
    ways = {way.picker: way for way in found.ways}
    assert found.size == 6
    assert ways["exact"].mean < 0.5 * ways["random"].mean  # the script of the moment says so
    assert ways["exact"].unexplained < ways["random"].unexplained


def test_the_estimate_that_is_drawn_is_the_one_that_was_played() -> None:
    show = asking.asked(SMALL)
    (mean, sd), width = asking.estimate(show, range(100))
    index = mean + width[:, None] * sd
    chosen = index[np.arange(100), show.plays["W-SparQ"].arms]
    assert (chosen >= index.max(axis=1) - 1e-9).all()  # rounding of two computations of one posterior


def test_the_paper_decides_its_own_world_and_the_rough_world_follows_assumption_2() -> None:
    assert isinstance(asking.chosen({**FIRST, "papers": True}).world, Synthetic)
    assert isinstance(asking.chosen(FIRST).world, Stale)
    assert type(asking.chosen({**FIRST, "scale": "set"}).world).__name__ == "World"
    assert asking.chosen({**FIRST, "alpha": 0.4}).world.alpha == 0.4


@pytest.mark.parametrize(
    ("alpha", "said"), [(0.2, "no re-asks needed"), (0.5, "whether fewer are enough"), (2.0, "proved to be too few")]
)
def test_each_regime_is_named_with_its_status(alpha: float, said: str) -> None:
    setting = replace(SMALL, alpha=alpha, q=3.0, world=replace(SMALL.world, alpha=alpha))
    notes = asking_words.notes(asking.asked(setting), board_of(setting))
    assert said in notes[0]
    assert any("all are taken" in note for note in notes)


def test_where_a_plain_bandit_is_better_the_page_says_so() -> None:
    setting = replace(SMALL, alpha=0.2, world=replace(SMALL.world, alpha=0.2, kind="still"))
    board = board_of(setting)
    worse = board.median("GP-UCB") < board.median("W-SparQ") or board.median("WGP-UCB") < board.median("W-SparQ")
    notes = " ".join(asking_words.notes(asking.asked(setting), board))
    assert ("without a single question" in notes) == worse


@pytest.mark.parametrize(
    ("budget", "alpha", "said"),
    [
        (700, 1.0, "the shortest windows with c ≥ 1"),
        (300, 1.0, "no window exponent below 1/3 affords c = 1"),
        (20, 1.0, "not even one question a window fits"),
        (500, 2.0, "only the slope is a theorem"),
        (500, 0.2, "Prop. 2.2"),
    ],
)
def test_the_plan_says_what_fits_and_what_is_claimed(budget: int, alpha: float, said: str) -> None:
    assert said in asking_words.plan(asking_glass.plan(500, alpha, 1, budget), 1.0)


def test_times_fewer_has_no_division_by_nothing() -> None:
    assert asking_words.times_fewer(0, 0) == asking_words.times_fewer(3, 3) == "no fewer"
    assert asking_words.times_fewer(2865, 677) == "4.2 times fewer"
    assert asking_words.times_fewer(1, 0) == "no fewer"


def test_the_opening_and_the_moments_are_complete_at_once() -> None:
    for number in range(1, len(QUERIES.moments) + 1):
        at = opened(PAGE, moment=str(number))
        assert faults(at) == [] and not at.get("progress") and not at.session_state["_run_sets"]["asking"].missing


def test_new_runs_are_named_counted_and_can_be_stopped() -> None:
    at = opened(PAGE, seed="77", seeds="20", T="200")
    (progress,) = at.get("progress")
    assert re.fullmatch(r"Running 20 seeds × 4 methods: \d+/80 done, about \d+ s", progress.proto.text)
    at.button(key="asking_cancel").click().run()
    assert faults(at) == [] and "Cancelled" in at.info[0].value
    turn(unfolded(at), "stops", "seeds", 2)
    settled(at)
    assert faults(at) == [] and "2 seeds from 77" in " ".join(c.value for c in at.caption)


def test_the_total_in_the_sentence_is_the_sum_of_the_bars_of_the_run() -> None:
    at = opened(PAGE, alpha="0.5", T="300", seeds="1")
    show = asking.asked(asking.chosen({**FIRST, "alpha": 0.5, "T": 300, "seeds": 1}))
    totals = {n: int(h.extra_queries.sum()) for n, h in show.plays.items()}
    assert f"<b>{totals['W-SparQ']:,}</b> old questions, SparQ {totals['SparQ']:,}" in sentences(at)[-1]


def test_the_medians_of_many_rows_are_those_of_each() -> None:
    regret = {name: np.random.default_rng(3).random((5, 20)).cumsum(axis=1) for name in asking.METHODS}
    board = asking.Board(regret, regret, 5, 5)
    for name, found in board.medians([0, 7, 19]).items():
        assert found == [board.median(name, row) for row in (0, 7, 19)]


def test_a_play_that_another_setting_has_asked_for_is_not_played_again(monkeypatch: pytest.MonkeyPatch) -> None:
    first, other = asking.asked(SMALL), replace(SMALL, window_exponent=0.1)
    asked_for = []

    def counted(function, world, policy, seconds):
        asked_for.append(type(policy).__name__)
        return function(world, policy)

    monkeypatch.setattr(asking, "computed", counted)
    second = asking.asked(other)
    assert asked_for == ["WSparQ"]
    anew = play_all(second.problem, other.policies, other.world.seed)
    for name, run in second.runs.items():
        assert np.array_equal(run.arms, anew[name].arms) and np.array_equal(run.regret, anew[name].regret)
    for name, h in second.plays.items():
        assert np.array_equal(h.asked, anew[name].asked) and np.array_equal(h.answers, anew[name].answers)
    assert second.plays["SparQ"].asked is first.plays["SparQ"].asked
