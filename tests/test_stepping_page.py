"""The R-PERP page's rooms: what a setting asks of the core, where the film opens, and that each sentence is true."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
import streamlit as st

from lessons.rperp import model as stepping
from lessons.rperp import panel as stepping_desk
from lessons.rperp import words as stepping_words
from lessons.rperp.model import Setting
from tvbo_core import World
from tvbo_core.designs import play_rng
from tvbo_core.policies.elimination.order_adversary import largest_swing
from tvbo_core.policies.elimination.shuffles import eq9_score
from tvbo_core.worlds import make_problem

FOLLOWS = Setting(World(kind="still", budget=16.0, horizon=200, seed=81), True)
JUMPS = World(kind="jumps", budget=16.0, horizon=200, switches=5)
LOSES = Setting(replace(JUMPS, seed=3), False, restart=100, width="5")  # the band misses the batch average
ALLOWED = Setting(replace(JUMPS, seed=1), False, restart=50)  # it covers, and the best action of tomorrow is out
GLIDES = Setting(World(kind="glide", horizon=100, arms=40, seed=0), False, restart=50)


@cache
def shown(setting: Setting) -> stepping.Show:
    return stepping.show.__wrapped__(setting)


def sentences(setting: Setting, grain: str = "line", order: str = "shuffled") -> list[tuple[object, str]]:
    film = stepping.film(shown(setting), grain, 1)
    return list(zip(film.steps, stepping_words.finding(film, order), strict=True))


def test_the_opening_shows_a_fixed_order_that_is_wrong_every_time_and_shuffles_that_cancel() -> None:
    show = shown(FOLLOWS)
    spread = show.spreads[0]
    j = spread.place
    said = next(text for step, text in sentences(FOLLOWS) if step.line == 20)
    numbers = [float(n.replace("−", "-")) for n in re.findall(r"by ([+−]?\d\.\d\d)", said)]
    assert numbers == [round(spread.fixed[:, j].mean(), 2), round(spread.shuffled[:, j].mean(), 2)]
    assert abs(numbers[0]) > 0.6 and abs(numbers[1]) < 0.05
    assert "400 of 400 times the same way" in said and np.ptp(np.sign(spread.fixed[:, j])) == 0


def test_in_the_first_moment_only_the_fixed_order_loses_the_best_action() -> None:
    show = shown(FOLLOWS)
    said = next(text for step, text in sentences(FOLLOWS, order="both") if step.line == 20)
    assert show.runs["PE"][0].lost and not show.runs["R-PERP"][0].lost
    assert "<b>loses the best action</b>" in said


def test_the_sentences_of_a_restart_name_the_numbers_of_its_batches() -> None:
    show = shown(FOLLOWS)
    for step, said in sentences(FOLLOWS):
        b = show.batches[step.batch]
        if step.line == 5 and not b.last:
            before = b.sizes[b.number - 2] if b.number > 1 else 1
            assert f"⌈√(25 · {before})⌉ = <b>{len(b.picks)}</b>" in said
        if step.line == 8:
            assert f"Pick {step.picked} of {len(b.picks)}" in said and f"(s = {b.sds[step.picked - 1]:.2f})" in said
        if step.line == 13:
            asked = int(np.flatnonzero(b.permutation == step.heard - 1)[0])
            assert f"answers {b.rewards[asked]:.2f}" in said and f"t = {b.times[asked] + 1}" in said
        if step.line == 16:
            assert f"its {len(b.picks)} rewards are never used" in said


def test_the_edges_are_said_in_words() -> None:
    def every(setting: Setting, order: str = "shuffled", grain: str = "batch") -> str:
        show = shown(setting)
        notes = " ".join(stepping_words.notes(show, order))
        return " ".join(text for _, text in sentences(setting, grain, order)) + " " + notes

    theory = every(replace(GLIDES, width="theory"))
    assert re.search(r"Nothing eliminated: the band ±[\d.]+ exceeds the reward range ±\d.*are conservative", theory)
    assert "demo choice" in every(FOLLOWS, grain="line") and "demo choice" not in every(
        replace(GLIDES, width="theory"), grain="line"
    )
    assert "A single left-over step" in every(replace(GLIDES, restart=100), grain="line")
    whole = every(replace(GLIDES, restart=400), "fixed", "line")
    assert "this is plain PE" in whole and "No restart" in whole
    assert "Only one candidate left" in every(replace(GLIDES, width="0.5"))
    lost = every(LOSES)
    assert re.search(r"eliminated</span>; .*Cost until the next restart: \d\.\d\d a step", lost)
    small = replace(FOLLOWS, world=replace(FOLLOWS.world, norm_bound=1.0), swing=2.0)
    assert "does not fit into norm B = 1" in every(small)
    assert shown(small).swing == pytest.approx(largest_swing(make_problem(small.world)))


def test_an_eliminated_best_action_is_called_allowed_only_where_the_band_covers() -> None:
    found = set()
    for setting in (FOLLOWS, LOSES, ALLOWED):
        for step, said in sentences(setting, "batch"):
            b = shown(setting).batches[step.batch]
            if step.line == 20 and b.lost:
                covers = bool(((b.band.lower <= b.truth) & (b.truth <= b.band.upper)).all())
                assert ("allowed: the band covers" in said) == covers
                found.add(covers)
    assert found == {False, True}


def test_h_by_theorem_five_stands_beside_the_one_by_hand() -> None:
    show = shown(GLIDES)
    said = stepping_words.restarts(show)
    assert "| on screen | 50 | 2 | 8, 20, 22 |" in said and "Theorem 5" in said
    assert f"= {show.enough:.3g}" in said
    rough = replace(GLIDES, world=replace(GLIDES.world, kernel="matern", nu=0.5))
    assert "needs ν > 1/2" in stepping_words.restarts(shown(rough)) and shown(rough).theorem_rounds is None
    assert "no smoothness" in stepping_words.restarts(shown(Setting(World(kind="data", horizon=60), False)))


def test_by_theorem_five_the_follower_and_its_restart_fit_each_other() -> None:
    show = shown(replace(FOLLOWS, restart=0))
    assert show.theorem_rounds == show.H  # the drift of the follower of H asks for H again


def test_both_runs_hear_the_same_noise_and_another_shuffle_changes_only_the_order() -> None:
    one, other = shown(GLIDES), shown(replace(GLIDES, shuffle=4))
    assert all(a is not b for a, b in zip(one.batches, other.batches, strict=True))
    assert np.array_equal(one.runs["PE"][0].rewards, other.runs["PE"][0].rewards)
    assert not np.array_equal(one.batches[0].permutation, other.batches[0].permutation)
    noise = GLIDES.world.noise_sd * play_rng(0).standard_normal(100)
    for show in (one, other):
        for b in (*show.batches, *show.runs["PE"]):
            np.testing.assert_allclose(b.rewards, show.problem.f[b.times, b.picks] + noise[b.times], atol=1e-12)


def test_another_grain_opens_at_the_batch_that_was_on_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(st, "session_state", {})
    show = shown(FOLLOWS)
    batches = stepping.film(show, "batch", 1)
    stepping_desk.remember(batches, "a visit", 7)  # restart 3, batch 2
    lines = stepping.film(show, "line", 3)
    t = stepping_desk.start(lines, "a visit", 0)
    assert lines.steps[t].batch == 7 and lines.steps[t].line == 20
    assert stepping_desk.start(lines, "another visit", 5) == 5
    st.session_state["grain"] = "line"
    stepping_desk.step_in("a visit")
    assert st.session_state["interval"] == 3


def test_the_coverage_is_that_of_the_core_over_the_next_seeds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(st, "session_state", {})
    show = shown(GLIDES)
    rows = stepping_desk.promises(show)
    assert [(r.width, r.shuffled) for r in rows] == [("2", True), ("2", False), ("theory", True), ("drift", True)]
    problems = [make_problem(replace(GLIDES.world, seed=s)) for s in range(12)]
    step = max(p.steps.max() for p in problems)
    for row in rows:
        made = stepping.rule(replace(GLIDES, width=row.width), 50, step, 0.1, row.shuffled)
        assert eq9_score(problems, made, play_rng) == row.score
    said = stepping_words.promises(show, rows)
    assert "12 worlds" in said and "at least 90% of runs" in said


def test_a_world_without_a_norm_bound_has_no_row_for_the_proved_widths(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(st, "session_state", {})
    rows = stepping_desk.promises(shown(Setting(World(kind="markov", horizon=60, arms=20), False)))
    assert [r.width for r in rows] == ["2", "2"]
    with pytest.raises(ValueError, match="norm"):
        shown(Setting(World(kind="markov", horizon=60, arms=20), False, width="theory"))


def test_the_table_of_a_batch_has_a_row_a_question() -> None:
    show = shown(FOLLOWS)
    film = stepping.film(show, "line", 1)
    rows = stepping.table(show, film, 15)
    assert [r["pick"] for r in rows] == [1, 2, 3, 4, 5] and sorted(r["asked at t"] for r in rows) == [1, 2, 3, 4, 5]
