"""The sentences on drift: every number comes from the problem, and no sentence claims what is not so."""

from __future__ import annotations

import html
import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from common.formats import amount
from lessons.drift import model, words
from lessons.drift.knobs import DRIFT_WORLD
from lessons.drift.lesson import LESSON
from lessons.drift.model import WorldDrift
from lessons.record import ROOT
from lessons.shared import worlds
from lessons.shared.odds import share, shipped
from tests.laws.test_scenes import MOST_NUMBERS, MOST_WORDS, NUMBER
from tests.strategies import LAW
from tvbo_core import Problem, SquaredExponential, World, data, make_problem
from tvbo_core.worlds import events, moved_most, ties

LAWS = settings(LAW, max_examples=40)  # two worlds and their sentences take about 20 ms
ONE_LINE = 132  # letters: two lines of a headline in lecture type
VALUES = {key: knob.default for key, knob in LESSON.knobs.items()}


def drift_of(chosen: World, problem: Problem | None = None) -> WorldDrift:
    p = make_problem(chosen) if problem is None else problem
    tied = {t: ties(p, t) for t in range(p.horizon) if len(ties(p, t)) > 1}
    return WorldDrift(chosen, p, events(p), moved_most(p), tied)


def page(**values: object) -> list[WorldDrift]:
    """The worlds of these knob values; the others stay at their defaults."""
    return [drift_of(w) for w in worlds.pair({**VALUES, **values}, DRIFT_WORLD)]


def finding(drifts: list[WorldDrift], events: bool = True) -> list[str]:
    return words.finding(drifts, [short for _, short in words.titles([d.world for d in drifts])], events=events)


def plain(sentence: str) -> str:
    return html.unescape(re.sub("<[^>]+>", "", sentence)).replace("\u00a0", " ")


def from_table(f: np.ndarray) -> WorldDrift:
    x = np.linspace(0, 1, f.shape[1])[:, None]
    return drift_of(World(kind="still"), Problem(x, f, 0.1, SquaredExponential(0.2), None))


def test_the_untouched_page_says_its_aha_with_the_numbers_of_its_worlds():
    glide, jumps = drifts = page()
    f, g = glide.problem.f, jumps.problem.f
    assert np.allclose(f[0], g[0]) and np.allclose(f[-1], g[-1])
    assert glide.problem.sup_variation == pytest.approx(1.5) == pytest.approx(jumps.problem.sup_variation)
    steps = [np.abs(np.diff(rows, axis=0)).max(axis=1) for rows in (f, g)]
    assert [np.count_nonzero(each) for each in steps] == [199, 1] and LESSON.t == 200
    assert steps[0].max() < 0.01 * np.ptp([f, g])  # less than a line is wide
    said = finding(drifts, events=False)
    assert plain(said[-1]) == (
        "Both worlds drift by 1.5 in all: one in 199 steps too small to see, the other in a single jump."
    )
    assert '<span class="drift">drift by\u00a01.5</span>' in said[-1]
    assert plain(said[100]) == (
        "So far the gliding world has drifted by 0.75 in 100 steps, the jumping world by 1.5 in a single jump."
    )
    assert (
        plain(said[99]) == "So far the gliding world has drifted by 0.75 in 99 steps, the jumping world has not moved."
    )
    assert plain(said[0]) == "So far nothing has moved."
    assert plain(finding(drifts)[100]) == "At t = 101 the jumping world makes its whole move at once."


def test_every_moment_opens_at_a_time_of_its_world_and_says_how_far_each_world_has_drifted_by_then():
    for moment in LESSON.moments:
        drifts = page(**moment.values)
        assert 1 <= moment.t <= drifts[0].problem.horizon
        said = plain(finding(drifts, events=False)[moment.t - 1])
        for drift in drifts:
            f = drift.problem.f[: moment.t]
            assert re.search(rf"by {amount(float(np.abs(np.diff(f, axis=0)).max(axis=1).sum()))}[ ,]", said)


def test_the_first_moment_is_the_untouched_page():
    assert not LESSON.moment("budget").values and LESSON.moment("budget").t == LESSON.t


def test_the_figure_of_bogunovic_has_its_caption_s_settings_and_the_rougher_world_moves_more():
    se, matern = page(**LESSON.moment("bogunovic").values)
    assert (se.world.kind, se.world.epsilon, se.world.lengthscale, se.world.kernel) == (
        "markov",
        0.01,
        0.2,
        "se",
    )
    assert (matern.world.kernel, matern.world.nu) == ("matern", 1.5)
    assert matern.world.epsilon == 0.01 and matern.world.lengthscale == 0.2
    assert matern.problem.sup_variation > se.problem.sup_variation


def test_the_worlds_of_deng_change_twice_at_100_and_200_and_are_not_rescaled():
    abrupt, slow = page(**LESSON.moment("deng").values)
    changes = np.flatnonzero(abrupt.problem.steps) + 2  # the time after each change
    assert changes.tolist() == [101, 201] and abrupt.problem.horizon == 500
    assert np.abs(abrupt.problem.coefficients).max() <= 1.0  # U[-1, 1], as drawn
    assert len(abrupt.problem.centres) == 3 * 20 and abrupt.problem.f.shape == (500, 100)
    # The words spoken over it: on the right the same first change, spread out.
    assert np.allclose(slow.problem.f[-1], abrupt.problem.f[100], atol=1e-9)


KINDS = st.sampled_from(["still", "glide", "jumps", "markov", "cyclic", "rough"])
PAIRS = st.sampled_from(["none", "still", "glide", "jumps", "markov", "cyclic", "rough", "matern"])


@given(
    KINDS,
    PAIRS,
    st.integers(0, 99),
    st.sampled_from([0.0, 0.5, 4.0, 16.0]),
    st.sampled_from(["1/2", "∞"]),
    st.booleans(),
)
@LAWS
def test_every_sentence_is_a_headline_of_a_few_words_and_numbers(kind, pair, seed, V, nu, events):
    for said in finding(page(kind=kind, pair=pair, seed=seed, V=V, nu=nu, T=50), events):
        text = plain(said)
        assert len(text) <= ONE_LINE and len(text.split()) <= MOST_WORDS, text
        assert len(NUMBER.findall(text)) <= MOST_NUMBERS, text
        assert text.endswith(".") and not re.search(r"\bnan\b|\binf\b|None", text)


@given(KINDS, st.integers(0, 99), st.sampled_from([0.5, 4.0, 16.0]))
@LAWS
def test_the_total_that_the_sentence_is_given_is_the_drift_of_the_problem(kind, seed, V):
    (one,) = page(kind=kind, pair="none", seed=seed, V=V, T=50)
    f = one.problem.f
    each = [max(abs(a - b) for a, b in zip(f[t], f[t - 1], strict=True)) for t in range(1, len(f))]
    facts = model.facts([one], ["World"], 49)
    assert facts["World V_T"] == pytest.approx(sum(each), rel=1e-12) == facts["World V_t"]
    assert facts["World steps"] == sum(size > 0 for size in each)
    assert plain(finding([one], events=False)[-1]).startswith("Nothing moves") == (sum(each) == 0)


def test_both_worlds_drift_alike_is_only_said_when_their_totals_agree():
    rows = np.array([[0.0, 1.0], [2.0, 1.0]])
    same, other = from_table(rows), from_table(np.array([[0.0, 1.0], [0.0, 3.0]]))
    assert plain(finding([same, other], events=False)[-1]) == "Both worlds drift by 2.0 in all, each in a single jump."
    more = plain(finding([same, from_table(3 * rows)], events=False)[-1])
    assert more == "In all the right world drifts by 6.0, the left world by 2.0."
    still = from_table(0 * rows)
    assert plain(finding([same, still], events=False)[-1]).endswith("the right world does not move.")


def test_steps_are_called_too_small_to_see_only_where_each_is_less_than_a_hundredth_of_the_rewards():
    def ramp(steps: int) -> WorldDrift:
        return from_table(np.linspace(0.0, 1.0, steps + 1)[:, None] * np.array([[0.0, 1.0]]))

    assert "101 steps too small to see" in plain(finding([ramp(101)], events=False)[-1])
    assert plain(finding([ramp(99)], events=False)[-1]) == "In all the still world drifts by 1.0, in 99 steps."


def test_the_title_of_a_hill_says_how_its_world_moves():
    def title(drift: WorldDrift) -> str:
        return words.moves(drift, words.titles([drift.world])[0][0])

    assert [title(drift) for drift in page()] == ["it glides", "it jumps once"]
    assert title(page(kind="jumps", switches=2)[0]) == "it jumps twice"
    assert title(page(kind="jumps", switches=4)[0]) == "it jumps four times"
    assert title(page(V=0.0)[0]) == "it stands still" == title(page(kind="still")[0])
    assert title(page(kind="markov")[0]) == "Markov ε = 0.01"
    two = page(pair="matern")
    both = [words.moves(d, t) for d, (t, _) in zip(two, words.titles([d.world for d in two]), strict=True)]
    assert both == ["it glides, SE", "it glides, Matérn 3/2"]


def test_the_odds_stand_where_they_were_counted_in_worlds_of_any_seed_and_nowhere_else():
    said = words.odds(page())
    assert said.startswith(f"In **{share('drift/opening')} of 100** ") and "as large as all steps" in said
    assert words.odds(page(seed=12)) == said
    for other in ({"V": 4.0}, {"pair": "none"}, {"kind": "jumps"}, {"T": 300}, {"ell": 0.1}):
        assert words.odds(page(**other)) == ""


def test_where_one_jump_is_not_enough_the_odds_say_how_many_jumps_share_the_drift():
    claim, first = shipped()["claims"]["drift/opening"], shipped()["seeds"][0]
    fewer = [first + i for i, part in enumerate(claim["numbers"]) if abs(part - 1.0) > 1e-6]
    assert len(fewer) == 100 - claim["share"]
    jumps = {int((page(seed=seed)[1].problem.steps > 0).sum()) for seed in fewer}
    assert words.odds(page()).endswith(f"; in the others {' or '.join(map(str, sorted(jumps)))} jumps share it.")


def test_a_tie_is_said_with_the_number_of_equal_actions():
    tied = from_table(np.array([[1.0, 0.0, 0.5], [1.0, 1.0, 0.5], [1.0, 1.0, 1.0], [0.0, 1.0, 0.0]]))
    said = [plain(s) for s in finding([tied])]
    assert "equally good" not in said[0]
    assert "two actions of the still world are equally good" in said[1]
    assert "3 actions of the still world are equally good" in said[2]
    assert not any("equally good" in plain(one) for one in finding([tied], events=False))


def test_real_rewards_name_the_arms_that_change_places():
    table = World(kind="data", dataset="stocks-weekly", horizon=60)
    weekly = drift_of(table)
    hop = weekly.events.hops[0]
    names, best = weekly.problem.arm_names, weekly.problem.best
    said = plain(finding([weekly])[hop.t])
    assert f"changes from {names[best[hop.t - 1]]} to {names[best[hop.t]]}" in said
    assert data.load("stocks-weekly").source in words.caption([weekly], ["Table"])
    assert weekly.problem.times[3] in words.label(weekly, 3)


def test_what_cannot_be_met_or_promised_is_said_in_one_sentence_each():
    def notes(**values: object) -> list[str]:
        drifts = page(**values)
        return words.notes(drifts, [short for _, short in words.titles([d.world for d in drifts])])

    assert notes() == []
    assert any("ν > 1/2" in n for n in notes(nu="1/2"))
    assert not any("ν > 1/2" in n for n in notes(nu="3/2"))
    assert words.TWINS in notes(kind="jumps", pair="jumps")
    assert words.TWINS not in notes(pair="matern")
    far = notes(kind="rough", pair="none", V=16.0, B=1.0, alpha=2.0)
    assert len(far) == 1 and "at most" in far[0]
    assert notes(kind="markov", pair="none") == []  # its budget is never asked for: the knob is off


def test_two_worlds_of_one_kind_are_told_apart():
    assert [s for _, s in words.titles([d.world for d in page(kind="markov", pair="matern")])] == ["SE", "Matérn 3/2"]
    assert [s for _, s in words.titles([d.world for d in page(kind="jumps", pair="jumps")])] == ["Left", "Right"]
    assert [s for _, s in words.titles([d.world for d in page()])] == ["Glide", "Jumps"]


def test_the_longer_budget_is_printed_where_it_is_known_and_its_absence_is_said():
    glide, jumps = page()
    caption = words.caption([glide, jumps], ["Glide", "Jumps"])
    assert f"Glide {glide.problem.rkhs_variation:.1f}" in caption and "seed 7." in caption
    (markov,) = page(kind="markov", pair="none")
    said = words.caption([markov], ["Markov"])
    assert "Markov: $B_T$ has no value" in said and "B = " not in said


@pytest.mark.parametrize("kinds", [{"still"}, {"data"}, {"markov"}, {"markov", "still"}])
def test_a_budget_that_cannot_be_set_says_why(kinds: set[str]):
    assert words.no_budget(kinds, drawn=False).endswith((".", "set."))
    assert "As drawn" in words.no_budget({"jumps"}, drawn=True)
    for drawn in (False, True):
        assert all("Your hill drifts as" in words.no_budget(one, drawn) for one in ({"yours"}, {"yours", "still"}))


def test_the_words_of_the_page_have_their_two_parts_and_the_definitions():
    text = (ROOT / LESSON.words).read_text(encoding="utf-8")
    assert text.count("\n## ") == 2
    assert "V_T\\le\\sqrt\\kappa" in text and "Iwazaki & Takeno" in text and "Deng et al." in text


def test_replacing_the_seed_keeps_every_sentence_of_a_still_world():
    still = page(kind="still", pair="none")
    again = [drift_of(replace(still[0].world, seed=1))]
    assert finding(still) == finding(again)


def test_only_the_total_makes_a_jump_whole() -> None:
    """Of made-up facts: a jump by all that has moved so far is not the whole move where more is to come."""
    jump = words.Happening(True, False, False, None, False)
    for total, said in ((1.0, "makes its whole move at once"), (3.0, "moves 1.0 in one step")):
        facts = {"A largest change": 1.0, "A V_t": 1.0, "A V_T": total, "A hop": 0.0}
        assert said in words._happening(facts, "A", "the world", jump, False)
