"""The numbers of the bands' lesson: when the truth is missed, which settings share a coverage, how c is chosen."""

from __future__ import annotations

from dataclasses import replace

import pytest

import tvbo_core as tv
from lessons.bands import coverage, model
from lessons.bands.knobs import BANDS_WORLD
from lessons.bands.lesson import LESSON
from lessons.bands.model import BandSetting
from tvbo_core import World
from tvbo_core.worlds import Reshaped

SHORT = BandSetting(replace(BANDS_WORLD, horizon=40, budget=4.0, arms=21))


def test_the_untouched_page_is_the_base_world_with_the_plain_assumptions():
    assert model.chosen(LESSON.defaults) == BandSetting(BANDS_WORLD)


def test_the_first_miss_is_the_first_frame_whose_truth_leaves_the_band_and_the_first_empty_set_likewise():
    run = model.bands_over_time(SHORT)
    for name, film in run.films.items():
        out = [bool(((run.truth[t] < film.lower[t]) | (run.truth[t] > film.upper[t])).any()) for t in range(run.frames)]
        assert run.first_miss[name] == (out.index(True) if True in out else None)
        assert run.first_empty[name] == (film.empty.tolist().index(True) if film.empty.any() else None)
    assert any(t is not None for t in run.first_miss.values())
    assert run.events == sorted({t for t in (*run.first_miss.values(), *run.first_empty.values()) if t is not None})


def test_a_frame_shows_the_reward_of_the_last_observation():
    run = model.bands_over_time(SHORT)
    assert run.frames == SHORT.world.horizon + 1 == len(run.history.y) + 1
    assert (run.truth[0] == run.problem.f[0]).all() and (run.truth[1:] == run.problem.f).all()


def test_how_the_reward_moves_and_where_the_data_fall_play_no_part_in_the_coverage():
    still = coverage.still_worlds(SHORT)
    moved = replace(SHORT, world=replace(SHORT.world, kind="rough", budget=1.0, alpha=0.3), design="ucb")
    assert coverage.still_worlds(moved) == still and still.world.kind == "still"
    assert coverage.still_worlds(replace(SHORT, delta=0.1)) != still
    counts = coverage.measured(still).counts
    assert {count.worlds for count in counts.values()} == {coverage.WORLDS}
    assert {count.promised for count in counts.values()} == {1 - SHORT.delta}


def test_the_still_worlds_of_a_reshaped_hill_have_its_kernel_its_norm_and_its_noise() -> None:
    hill = Reshaped(end=(0, 0, -9, 0, 0, 31), horizon=50, noise_sd=0.2, seed=8)
    still = coverage.still_worlds(replace(SHORT, world=hill)).world
    assert type(still) is World and (still.kind, still.lengthscale, still.noise_sd) == ("still", 0.25, 0.2)
    assert still.norm_bound == pytest.approx(tv.make_problem(hill).norm_bound) and still.norm_bound > 2


@pytest.mark.parametrize("changes", [{"kind": "data", "dataset": "stocks"}, {"norm_bound": float("inf")}])
def test_a_world_without_a_kernel_or_a_norm_has_no_repeated_still_worlds(changes: dict):
    assert coverage.still_worlds(replace(SHORT, world=replace(SHORT.world, **changes))) is None


def test_matched_bands_share_one_regulariser():
    bands = model.listed_bands(replace(SHORT, match=True, c=5.0, ridge=7.0), 3.0, 0.2)
    assert 0.2**2 / bands["AMM"].c == pytest.approx(1 + bands["IGP"].eta)
    assert bands["AY"].ridge == pytest.approx(0.2**2 / bands["AMM"].c)


@pytest.mark.parametrize(("kernel", "nu", "c"), [("matern", 1.5, 40 ** (-1 / 5)), ("se", 1.5, 1.0)])
def test_the_papers_c_is_that_of_section_7(kernel: str, nu: float, c: float):
    paper = replace(SHORT, c=0.0, world=replace(SHORT.world, kernel=kernel, nu=nu))
    assert model.listed_bands(paper, 3.0, 0.2)["CMM"].c == pytest.approx(c)
