"""What the race page asks and says: the same runs as the core's race, whole seeds, and sentences that are true."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from functools import cache
from itertools import product

import numpy as np
import pytest

from common.formats import ordinal
from figures.theme import METHODS as DRAWN
from lessons.race import model as racing
from lessons.race import store
from lessons.race import words as race_words
from lessons.race.lesson import LESSON
from lessons.race.model import Setting
from lessons.shared import odds
from lessons.shared import stored_runs as shipped
from lessons.shared.knobs import KNOBS, METHODS
from lessons.shared.policies import FAMILIES, coloured, policy
from shell.jobs import Failure, outcome
from tvbo_core import bands, policies
from tvbo_core.designs import play_rng
from tvbo_core.jobs import PlayJob
from tvbo_core.play import play
from tvbo_core.policies import ADAOPKB, ALL, OPKB, RGPUCB, SWGPUCB, TVGPUCB, UIGPUCB, WGPUCB, KernelUCB
from tvbo_core.policies.elimination.policy import RPERP
from tvbo_core.policies.elimination.schedule import batch_sizes
from tvbo_core.policies.width import LogWidth
from tvbo_core.race import race as core_race
from tvbo_core.race_results import Run
from tvbo_core.records import World
from tvbo_core.worlds import make_problem

STILL = World(kind="still", horizon=60, arms=20, switches=1, seed=3)
JUMPS = replace(STILL, kind="jumps")
QUICK = ("rnd", "gp", "sw", "wgp", "tv", "pe")
SETTING = Setting((STILL, JUMPS), QUICK, 20, "2", 3)


@cache
def results(setting: Setting) -> dict:
    return {job: outcome(job) for job in racing.jobs(setting)}


@cache
def raced(setting: Setting = SETTING) -> racing.Race:
    return racing.gather(setting, results(setting))


def test_the_page_gathers_the_table_of_the_cores_race():
    policies = {METHODS[m]: policy(m, 20, "2") for m in QUICK}
    oracle = core_race([STILL, JUMPS], policies, range(3, 6))
    table = raced().table
    assert table.names == oracle.names and table.seeds == oracle.seeds
    for column in ("finished", "regret", "arms", "extra_queries"):
        np.testing.assert_array_equal(getattr(table, column), getattr(oracle, column))


def test_one_memory_sets_every_method_and_paper_leaves_it_to_the_paper():
    assert policy("r", 25, "2") == RGPUCB(restart=50, width=2.0)
    assert policy("sw", 25, "1") == SWGPUCB(window=25, width=1.0)
    assert policy("wgp", 25, "log") == WGPUCB(discount=1 - 1 / 25, width=LogWidth(2.0))
    assert policy("tv", 25, "theory") == TVGPUCB(epsilon=2 / 25, width="theory")
    assert policy("rperp", 25, "2") == RPERP(restart=50, width=2.0)
    assert policy("rperp", 0, "2") == RPERP(restart="paper", width=2.0)
    assert policy("wgp", 0, "2") == WGPUCB(discount="paper", width=2.0)


def test_every_method_can_be_made_at_every_stop_of_the_knobs():
    for method, memory, width in product(METHODS, KNOBS["m"].options, KNOBS["beta"].options):
        hash(policy(method, memory, width))  # a key of results


def test_every_method_has_a_name_a_cost_and_a_place_among_the_colours():
    assert all(policies.ALL[word].ms > 0 for word in METHODS)
    assert set(FAMILIES) == set(DRAWN) <= set(METHODS.values())
    assert all(DRAWN[name] for name in METHODS.values())  # a newcomer gets a style by its name


def test_each_band_and_each_opkb_races_as_its_entry_says():
    made = {word: policy(word, 0, "2") for word in METHODS}
    named = {"kucb": "CMM", "kdmm": "DMM", "kamm": "AMM", "kay": "AY", "kigp": "IGP"}
    assert {word: made[word].band for word in named} == named
    assert {p.band for p in made.values() if isinstance(p, KernelUCB)} <= set(bands.ALL)
    assert made["ropkb"] == OPKB(restart="paper")
    assert made["ada"] == ADAOPKB() and made["ada1"] == ADAOPKB(scale=1.0)
    assert made["ropkb1"] == OPKB(restart="paper", scale=1.0) and made["ui"] == UIGPUCB(1.0)


def test_what_a_method_is_told_and_what_no_guarantee_covers_is_said_where_it_races():
    for words, said in (
        (("ada",), "no budget"),
        (("ropkb1",), "told the world's V_T"),
        (("kay",), "bound B"),
        (("opkb",), "divided by a bound"),
        (("ui",), "α < 1/3"),
    ):
        race = raced(replace(SETTING, worlds=(STILL,), methods=("gp", *words), seeds=1))
        assert sum(said in note for note in race_words.notes(race, [])) == 1
    assert not any("OPKB" in note for note in race_words.notes(raced(), []))


@pytest.mark.parametrize("kind", ["jumps", "glide"])
def test_the_authors_scale_matters_to_opkb_on_a_moving_world(kind):
    """Constants that are stated for rewards in [-1, 1] make another method of rewards as they come."""
    problem = make_problem(World(kind=kind, budget=4.0, horizon=300, arms=30))
    for word in ("ropkb", "ada"):
        ours, theirs = (play(problem, policy(w, 0, "2"), play_rng(0)).arms for w in (word, f"{word}1"))
        assert (ours != theirs).mean() > 0.2


def test_runs_are_ordered_seed_by_seed_and_each_once():
    runs = racing.jobs(SETTING)
    seeds = [job.world.seed for job in runs]
    assert seeds == sorted(seeds) and len(set(runs)) == len(runs) == 3 * 6 * 2
    twins = replace(SETTING, worlds=(JUMPS, JUMPS))
    assert len(racing.jobs(twins)) == 3 * 6
    lanes = racing.gather(twins, {job: outcome(job) for job in racing.jobs(twins)}).lanes
    for name in lanes[0].names:
        np.testing.assert_array_equal(lanes[0].total[name], lanes[1].total[name])


def test_only_seeds_with_which_everybody_is_through_are_shown():
    runs = racing.jobs(SETTING)
    part = {job: results(SETTING)[job] for job in runs[: 2 * 12 + 5]}
    shown = racing.gather(SETTING, part)
    assert shown.seeds == 2 and shown.done == 29 and shown.total == 36 and not shown.complete
    assert all(len(rows) == 2 for lane in shown.lanes for rows in lane.total.values())
    begun = racing.gather(SETTING, {job: results(SETTING)[job] for job in runs[:7]})
    assert begun.seeds == 1
    assert Counter(n for lane in begun.lanes for n in lane.names) == Counter(2 * begun.table.names)
    assert racing.gather(SETTING, {}) is None


def test_a_refusal_leaves_the_others_in_the_race_and_is_said_once():
    some = dict(results(SETTING))
    for job in some:
        if job.name in ("PE", "WGP-UCB"):
            some[job] = Failure("no reason", refused=True)
    race = racing.gather(SETTING, some)
    assert set(race.lanes[0].names) == {"Random", "GP-UCB", "SW-GP-UCB", "TV-GP-UCB"} and race.seeds == 3
    assert race_words.refused(race) in (
        ["Left out: PE and WGP-UCB. No reason."],
        ["Left out: WGP-UCB and PE. No reason."],
    )


def test_ranks_follow_the_medians_and_a_tie_is_less_than_the_leaders_spread_away():
    for lane in raced().lanes:
        for row in (0, 10, 59):
            order = sorted(lane.names, key=lambda n: lane.rank[n][row])
            medians = [np.median(lane.total[n][:, row]) for n in order]
            assert medians == sorted(medians)
            assert [lane.at_place(k + 1, row) for k in range(len(order))] == order
            first = order[0]
            spread = np.quantile(lane.total[first][:, row], 0.75) - np.quantile(lane.total[first][:, row], 0.25)
            for name, value in zip(order[1:], medians[1:], strict=True):
                assert lane.tied(first, name, row) == lane.tied(name, first, row) == (value - medians[0] < spread)


def test_a_race_up_to_a_time_holds_the_changes_of_the_lead_of_its_rounds_and_no_later_one():
    for lane in raced().lanes:
        for row, *_ in lane.lead:  # it happens in round row + 1, so the first `row` rounds do not know of it
            assert not any(change[0] == row for change in lane.until(row).lead)
            assert [change for change in lane.lead if change[0] <= row] == list(lane.until(row + 1).lead)
    assert any(lane.lead for lane in raced().lanes)


def test_the_finding_names_the_champion_its_place_and_the_new_leader_with_their_numbers():
    race = raced()
    still, jumps = race.lanes
    said = race_words.finding(race, range(60))
    assert len(said) == 60
    champion, winner = still.at_place(1, 59), jumps.at_place(1, 59)
    text = re.sub(r"<.*?>", "", said[-1])
    assert text.startswith(f"{champion} leads the still world")
    if winner != champion:
        assert f"{ordinal(int(jumps.rank[champion][-1]))} of 6" in text and winner in text


def test_a_change_of_the_lead_is_told_when_it_happens():
    race = raced()
    said = race_words.finding(race, range(60))
    for lane, where in zip(race.lanes, ("the still world", "the jumping world"), strict=True):
        for row, leader, passed in lane.lead:
            if row > 0 and not any(row == other[0] for other in race.lanes[0].lead if lane is not race.lanes[0]):
                assert (
                    f"At t\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}{row + 1} <b>{leader} passes {passed}</b>" in said[row]
                )
                assert f"in {where}." in said[row]
                facts = racing.facts(race, ["Still", "Jumps"], row)
                title = "Still" if lane is race.lanes[0] else "Jumps"
                assert facts[f"{title}, place of {leader}"] == 1 < facts[f"{title}, place of {passed}"]


def test_no_finding_has_more_than_three_numbers_or_24_words():
    shipped_runs = shipped.runs(store.opened())
    for moment in LESSON.moments:
        setting = racing.chosen(LESSON.settings(moment.values))
        race = racing.gather(setting, {job: shipped_runs[job] for job in racing.jobs(setting)})
        alone = replace(race, lanes=race.lanes[-1:])
        for one in (race, alone):
            for said in race_words.finding(one, range(0, moment.t, 7)):
                text = re.sub(r"<.*?>", "", said)
                assert len(text.split(" ")) <= 24 and len(re.findall(r"\d[\d.,]*", text)) <= 4 - (one is race), text


def test_the_odds_stand_where_they_were_counted():
    opens = racing.chosen(LESSON.settings({}))
    assert f"**{odds.share('race/opening')} of 100**" in race_words.odds(opens)
    for other in ({"seeds": 4}, {"m": 5}, {"pair": "glide"}, {"T": 300}, {"sigma": 0.2}):
        assert race_words.odds(racing.chosen(LESSON.settings(other))) == ""


def test_ordinals_and_lists_read_well():
    assert [ordinal(n) for n in (1, 2, 3, 4, 11, 12, 13, 21)] == [
        "1st",
        "2nd",
        "3rd",
        "4th",
        "11th",
        "12th",
        "13th",
        "21st",
    ]
    assert race_words.listed(["A"]) == "A"
    assert race_words.listed(["A", "B", "C"]) == "A, B and C"
    assert race_words.listed(["A", "B", "C", "D"]) == "A, B and 2 others"


def test_progress_names_what_runs_and_how_long():
    said = race_words.progress(replace(SETTING, seeds=8), 37, 96, 3.2)
    assert said == ("Running 8 seeds × 6 methods × 2 worlds: 37/96 done, about 3 s")
    assert race_words.pause(SETTING, 2, stopped=True) == "Cancelled: the 2 of 3 seeds that finished are shown."


def test_pe_loses_the_later_best_action_for_good_when_the_notes_say_so():
    race = raced()
    lane = race.lanes[1]
    lost = racing.lost_for_good(SETTING, lane)
    asked = lane.looks["PE"]
    target = lane.problem.best[-1]
    assert lost is not None  # this world's jump makes an action best that PE has dropped
    assert target not in asked[lost:]
    assert lost in np.cumsum(batch_sizes(60))  # an action is dropped when a batch is over
    assert any(f"at t = {lost} in the jumping world" in note for note in race_words.notes(race, [None, lost]))


def test_one_seed_is_called_an_anecdote_and_has_no_ties():
    one = raced(replace(SETTING, seeds=1))
    assert race_words.ANECDOTE in race_words.notes(one, [])
    assert not any(" tie" in said for said in race_words.finding(one, range(60)))


def test_theory_is_said_to_cost_what_it_was_measured_to_cost():
    setting = replace(SETTING, width="theory", methods=("rnd", "gp", "rperp"))
    race = raced(setting)
    lane = race.lanes[1]
    share = lane.median["R-PERP"][-1] / lane.median["Random"][-1]
    assert any(f"{share:.0%}" in note and "worst case" in note for note in race_words.notes(race, []))


@pytest.mark.parametrize(("memory", "width"), [(20, "2"), (0, "2"), (0, "log"), (20, "theory"), (0, "theory")])
def test_a_late_r_perp_is_told_with_the_restart_and_the_width_that_it_raced_with(memory: int, width: str) -> None:
    """Near-optimal regret is proved for Theorem 5's H with eq. 8's width, and for nothing else."""
    setting = replace(SETTING, methods=("rnd", "gp", "rperp"), memory=memory, width=width, seeds=1)
    race = raced(setting)
    rule = policy("rperp", memory, width)
    proved = rule.restart == "paper" and rule.width == "theory"
    lane = race.lanes[1]
    last = replace(
        lane, total={n: np.full((1, 60), place) for n, place in zip(lane.names, (1.0, 2.0, 3.0), strict=True)}
    )
    said = next(n for n in race_words.notes(replace(race, lanes=(race.lanes[0], last)), []) if "near-optimal" in n)
    assert said.startswith("R-PERP is 3rd of 3 here") and ("for these" in said) == proved
    assert (f"H = {rule.restart}" in said) == (rule.restart != "paper") and ("β = 2" in said) == (width != "theory")


def test_at_most_six_methods_are_coloured_and_the_pinned_ones_always():
    names = tuple(METHODS.values())
    for pins in (("PE", "SparQ"), ("Random",), ("GP-UCB", "GP-UCB")):
        found = coloured(names, pins)
        assert len(found) == 6 and set(pins) <= set(found)
    assert coloured(("PE", "Random"), ("GP-UCB",)) == ("PE", "Random")


def test_a_stored_run_comes_back_as_it_was_played(tmp_path):
    played = [(job, run) for job, run in results(SETTING).items()]
    file = tmp_path / "races.npz"
    shipped.store(played, file)
    back = shipped.runs([job for job, _ in played], file)
    assert len(back) == len(played)
    for job, run in played:
        for column in ("arms", "regret", "extra_queries"):
            np.testing.assert_array_equal(getattr(back[job], column), getattr(run, column))
        # One 32-bit sum is stored; its unit roundoff is 6e-8.
        assert back[job].seconds.sum() == pytest.approx(run.seconds.sum(), rel=1e-6)
    assert shipped.runs([replace(played[0][0], policy=WGPUCB(discount=0.5))], file) == {}
    assert shipped.runs([played[0][0]], tmp_path / "none.npz") == {}


def test_the_opening_and_the_moments_are_shipped():
    wanted = store.opened()
    assert wanted and len(shipped.runs(wanted)) == len(wanted), "play them anew: python -m lessons.race.store"


def test_the_shipped_runs_are_what_the_policies_play_today():
    """Rounding on another machine may turn a near-tie and with it a run; a changed policy turns all of them."""
    opening = [job for job in store.opened() if job.world.horizon == 200 and job.world.seed in (48, 49)]
    stored = shipped.runs(opening)
    same = Counter()
    for job in opening:
        same[job.name] += np.array_equal(outcome(job).arms, stored[job].arms)
    assert len(same) == 10
    assert [name for name, n in same.items() if n == 0] == [], "play them anew: python -m lessons.race.store"
    assert all(isinstance(run, Run) for run in stored.values())


@pytest.mark.parametrize(("horizon", "arms", "times"), [(300, 100, 1.0), (300, 50, 0.9), (600, 100, 2.0)])
def test_a_run_of_300_rounds_with_100_arms_takes_what_its_method_is_registered_with(horizon, arms, times):
    """In proportion to the rounds, and a fifth of it in proportion to the arms."""
    world = World(horizon=horizon, arms=arms)
    for word in ("gp", "sparq"):
        entry = ALL[word]
        run = PlayJob(METHODS[word], policy(word, 0, "2"), world)
        assert racing.seconds([run, run]) == pytest.approx(2e-3 * entry.ms * times)
