"""The bands: first misses, parts of a half-width, coverage, where they come from, and what is said of them."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import tvbo_core as tv
from lessons.bands import coverage, model, words
from lessons.bands.knobs import BANDS_WORLD
from lessons.bands.lesson import LESSON
from lessons.bands.mixture import LENGTHSCALE, NOISE_SHARE, PLACES, mixture_view, observed, of_setting
from lessons.bands.model import bands_over_time
from lessons.bands.place import half_width_parts
from lessons.bands.setting import BandSetting, listed_bands, setting_from
from tvbo_core import World
from tvbo_core.bands import ALL
from tvbo_core.gp.spectral import spectrum

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
    setting = setting_from(LESSON.settings(values))
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
        assert sum(half_width_parts(part).values()) == pytest.approx(part.width * part.sd, rel=1e-9, abs=1e-12)
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


@pytest.mark.parametrize(("kernel", "c"), [("matern", 40 ** (-1 / 5)), ("se", 1.0)])
def test_papers_c_is_that_of_section_7(kernel: str, c: float) -> None:
    paper = replace(SHORT, c=0.0, world=replace(SHORT.world, kernel=kernel, nu=1.5))
    assert listed_bands(paper, 3.0, 0.2)["CMM"].c == pytest.approx(c)
    drawn = mixture_view(paper.world.norm_bound, paper.delta, listed_bands(paper, 3.0, 0.2)["CMM"].c, paper.world.seed)
    assert np.array_equal(of_setting(paper).paths, drawn.paths)


@pytest.mark.parametrize(("B", "delta", "c", "seed"), [(3.0, 0.01, 1.0, 3), (1.0, 0.2, 0.5, 8)])
def test_edges_of_ellipses_are_the_bands(B: float, delta: float, c: float, seed: int) -> None:
    """The bands never see the plane: they come from the dual and from the posterior."""
    view = mixture_view(B, delta, c, seed)
    _, _, asked, y = observed(B, B / NOISE_SHARE, seed)
    kernel, x = tv.Matern(1.5, LENGTHSCALE), np.array(PLACES)[:, None]
    for name, tolerance in (("AMM", 1e-8), ("DMM", 1e-8), ("CMM", 1e-4)):  # CMM: least of 1601 alphas
        band = getattr(tv, name)(B=B, sigma=B / NOISE_SHARE, delta=delta, c=c).band(kernel, x[asked], y[0], x[:1])
        assert view.edges[name] == pytest.approx(float(band.upper[0]), rel=tolerance, abs=tolerance)
    assert view.edges["CMM"] <= view.edges["DMM"] <= view.edges["AMM"]


@pytest.mark.parametrize(("delta", "seed"), [(0.01, 3), (0.2, 3), (0.01, 81)])
def test_share_that_crosses_keeps_the_promise(delta: float, seed: int) -> None:
    view = mixture_view(3.0, delta, 1.0, seed)
    share = view.crossed.mean()
    assert share <= delta + 3 * np.sqrt(delta * (1 - delta) / len(view.paths))  # three standard deviations
    said = words.origin(view)["paths"]
    assert f"{int(view.crossed.sum())} of 300" in said and f"{100 * share:.1f} %" in said
    assert ("by chance" in said) == (share > delta) == (seed == 81)


COUNTED = ("no", "one", "two", "three", "four", "five", "six", "seven")


def counted(sentence: str) -> dict[str, int | None]:
    """Bands by what the sentence says of them; None where it says nothing."""
    text = re.sub("<[^>]*>", "", sentence.lower()).replace("\N{NO-BREAK SPACE}", " ")
    text = text.replace("another missed", "one missed")
    if "cover the reward at every time" in text or text.startswith("up to"):
        return {"now": 0, "before": 0, "never": len(ALL)}
    number = "|".join(COUNTED)

    def count(pattern: str, otherwise: int | None) -> int | None:
        found = re.search(pattern, text)
        return COUNTED.index(found[1]) if found else otherwise

    one = 1 if "the tightest band misses the reward" in text else 0
    void = "nothing is guaranteed" in text
    return {
        "now": count(rf"\b({number})(?: of \w+)?(?: tightest)? bands? miss(?:es)? the reward", one),
        "before": count(rf"\b({number})(?: others)? missed it (?:earlier|at)", None if void else 0),
        "never": count(rf"\b({number}) ha(?:s|ve) not\b", None if void else 0),
    }


@settings(max_examples=15)
@example("still", 0.0, 0.5, 0, 3)  # confidence sets are empty
@given(
    st.sampled_from(["still", "glide", "jumps"]),
    st.floats(0, 8),
    st.floats(0.5, 3),
    st.integers(0, 50),
    st.integers(1, 24),
)
def test_sentence_counts_the_bands_that_miss(kind: str, budget: float, ratio: float, seed: int, t: int) -> None:
    world = World(kind=kind, budget=budget, horizon=24, arms=21, kernel="matern", nu=1.5, norm_bound=3.0, seed=seed)
    run = bands_over_time(BandSetting(world, ratio=ratio))
    sentence = words.finding(run)[t]
    outside = {name: run.misses[name].any(axis=1) for name in run.films}
    if empty := {name for name, film in run.films.items() if film.empty[t]}:
        few = f"{COUNTED[len(empty)]} of five confidence sets {'is' if len(empty) == 1 else 'are'} empty: "
        assert few in sentence
        return
    now = {name for name, bad in outside.items() if bad[t]}
    never = {name for name, bad in outside.items() if not bad[: t + 1].any()}
    true = {"now": len(now), "before": len(outside) - len(now) - len(never), "never": len(never)}
    for group, count in counted(sentence).items():
        assert count in (None, true[group]), (group, sentence)


def test_sentences_count_beyond_ten_bands() -> None:
    names = ("CMM", *(f"W{i}*" for i in range(10)))
    facts = {"t": 5, "B": 3.0, "true norm": 1.0}
    facts |= {f"{name} mean half-width": 1.0 + i for i, name in enumerate(names)}
    for missing in range(len(names) + 1):
        now = {name: "misses" if i < missing else "covers" for i, name in enumerate(names)}
        first = {f"{name} first miss": 5 if i < missing else None for i, name in enumerate(names)}
        assert ("11" in words.sentence(facts | first, now, False)) == (missing in (0, 11))
        assert words.sentence_now(facts | first, now)


def test_first_sentence_has_the_width_without_data() -> None:
    """Without data CMM is B sqrt(k(x, x))."""
    run = model.bands_over_time(setting_from({**LESSON.defaults, "T": 20}))
    prior = np.sqrt(run.problem.kernel.diag(run.problem.x))
    assert f"±{(run.norm_bound * prior).mean():.3g}," in words.finding_at(run, 0)
