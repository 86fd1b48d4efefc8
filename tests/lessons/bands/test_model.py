"""The numbers of the bands: first misses, parts of a half-width, coverage of still worlds, the choice of c."""

from __future__ import annotations

from dataclasses import replace

import pytest

import tvbo_core as tv
from lessons.bands import coverage, model
from lessons.bands.knobs import BANDS_WORLD
from lessons.bands.lesson import LESSON
from lessons.bands.model import BandSetting
from tvbo_core import World
from tvbo_core.gp.spectral import spectrum
from tvbo_core.worlds import Reshaped

SHORT = BandSetting(replace(BANDS_WORLD, horizon=40, budget=4.0, arms=21))


def test_first_miss_is_when_truth_leaves() -> None:
    run = model.bands_over_time(SHORT)
    assert run.frames == SHORT.world.horizon + 1 == len(run.history.y) + 1
    assert (run.truth[0] == run.problem.f[0]).all() and (run.truth[1:] == run.problem.f).all()
    for name, film in run.films.items():
        out = [bool(((run.truth[t] < film.lower[t]) | (run.truth[t] > film.upper[t])).any()) for t in range(run.frames)]
        assert run.first_miss[name] == (out.index(True) if True in out else None)
        assert run.first_empty[name] == (film.empty.tolist().index(True) if film.empty.any() else None)
    assert any(t is not None for t in run.first_miss.values())
    assert run.events == sorted({t for t in (*run.first_miss.values(), *run.first_empty.values()) if t is not None})


@pytest.mark.parametrize("values", [{}, {"V": 4.0}, {"Bhat": 0.5}])
def test_one_frame_knows_what_holds_now(values: dict) -> None:
    setting = model.setting_from(LESSON.settings(values))
    whole = model.bands_over_time(setting)
    for t in (0, 65):
        one = model.bands_at(setting, t)
        for name in whole.films:
            assert one.misses[name][t].tolist() == whole.misses[name][t].tolist()
            assert one.films[name].empty[t] == whole.films[name].empty[t]
            # Since when the exact band misses is left open: it would need a search at every earlier time.
            assert one.known(name).all() == (name != "CMM") and one.known(name)[t] and whole.known(name).all()


@pytest.mark.parametrize(("t", "arm"), [(0, 3), (12, 10), (40, 0)])
def test_parts_of_a_half_width_add_up(t: int, arm: int) -> None:
    run = model.bands_over_time(SHORT)
    h = run.history
    spec = spectrum(run.problem.kernel, h.X[:t], h.y[:t], run.problem.x)
    for name, film in run.films.items():
        part = run.bands[name].terms(spec, arm)
        # At most five terms, which may cancel: the misfit is negative.
        assert sum(model.half_width_parts(part).values()) == pytest.approx(part.width * part.sd, rel=1e-9, abs=1e-12)
        if not film.empty[t]:  # the film has one factor for all times, the terms a spectrum for this one
            assert part.bound(1) == pytest.approx(film.upper[t, arm], rel=1e-6, abs=1e-9)


def test_coverage_ignores_movement_and_design() -> None:
    still = coverage.still_worlds(SHORT)
    moved = replace(SHORT, world=replace(SHORT.world, kind="rough", budget=1.0, alpha=0.3), design="ucb")
    assert coverage.still_worlds(moved) == still and still.world.kind == "still"
    assert coverage.still_worlds(replace(SHORT, delta=0.1)) != still
    counts = coverage.measured(still).counts
    assert {count.worlds for count in counts.values()} == {coverage.WORLDS}
    assert {count.promised for count in counts.values()} == {1 - SHORT.delta}


def test_still_worlds_of_a_reshaped_hill() -> None:
    hill = Reshaped(end=(0, 0, -9, 0, 0, 31), horizon=50, noise_sd=0.2, seed=8)
    still = coverage.still_worlds(replace(SHORT, world=hill)).world
    assert type(still) is World and (still.kind, still.lengthscale, still.noise_sd) == ("still", 0.25, 0.2)
    assert still.norm_bound == pytest.approx(tv.make_problem(hill).norm_bound) and still.norm_bound > 2


@pytest.mark.parametrize(("kernel", "c"), [("matern", 40 ** (-1 / 5)), ("se", 1.0)])
def test_papers_c_is_that_of_section_7(kernel: str, c: float) -> None:
    paper = replace(SHORT, c=0.0, world=replace(SHORT.world, kernel=kernel, nu=1.5))
    assert model.listed_bands(paper, 3.0, 0.2)["CMM"].c == pytest.approx(c)
