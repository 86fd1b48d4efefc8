"""The forgetting figures: what is drawn is what the memories and the runs say, on axes that never move."""

from __future__ import annotations

import base64
import re
from dataclasses import replace
from functools import cache
from itertools import pairwise

import numpy as np
import pytest

from figures import theme as look
from figures.film import Film
from figures.frames import choose_frames
from figures.theme import Theme
from lessons.forgetting import (
    figure,
    figure_estimates,
    figure_regret_vs_memory,
    figure_weights,
    memories,
    model,
    scene,
    words,
)
from lessons.forgetting.figure_weights import ROW_DEPTH, ROW_HEIGHT
from lessons.forgetting.influence import memory_view
from lessons.forgetting.knobs import FIGURE_2C, MEMORY_STEPS, WITH_MEMORY
from lessons.forgetting.lesson import LESSON
from lessons.forgetting.memories import MemoryViews, Recall, scale_rows, tuned
from lessons.forgetting.model import FAMILY, Curves, Legend, MemorySweep, RegretVsMemory, Setting
from lessons.shared import stored_runs
from lessons.shared.knobs import METHODS
from tvbo_core import World, make_problem
from tvbo_core.designs import play_rng, random_design

FLOAT32 = 1e-6  # relative: tracks travel as 32-bit floats, whose unit roundoff is 6e-8
T, GRID, ROWS = 60, (5, 10, 20, 40), 6
CLOCK = choose_frames(T, [16, 32, 48], most=25)
WORLDS = ("gliding", "jumping", "still")


@cache
def views(kind: str = "jumps") -> MemoryViews:
    problem = make_problem(World(kind=kind, horizon=T, arms=25, switches=1))
    heard = random_design(problem, T, play_rng(1))
    values = {key: knob.default for key, knob in LESSON.knobs.items()} | {"m": 8}
    six = tuned(values).memories
    seen = {
        name: memory_view(problem.kernel, problem.x, heard.arms, heard.y, kept, 0.01, CLOCK.rows, 7)
        for name, kept in six.items()
    }
    scale, told = scale_rows(CLOCK.rows, T), Recall(heard, seen)
    return MemoryViews(problem, 7, six, CLOCK.rows, (30,), (16, 32, 48), scale, lambda: told)


@cache
def sweep(worlds: int = 3, seeds: int = 4) -> MemorySweep:
    """Made-up regret: lowest in the middle in the first two worlds, a slope in the last."""
    rng, found = np.random.default_rng(2), {}
    shape = {0: [60, 30, 25, 50], 1: [80, 50, 40, 90], 2: [90, 50, 20, 8]}
    rows = tuple(range(len(CLOCK.rows)))
    grow = np.linspace(0.01, 1.0, len(rows))
    for method in WITH_MEMORY:
        for w in range(worlds):
            total = np.array(shape[w])[:, None, None] * rng.uniform(0.9, 1.1, (len(GRID), seeds, 1)) * grow
            found[method, w] = RegretVsMemory(Curves(total), rows)
    never = {w: np.array(shape[w])[-1] * rng.uniform(0.9, 1.1, (seeds, 1)) * grow for w in range(worlds)}
    setting = Setting(tuple(World(kind=kind) for kind in FAMILY[:worlds]), "r", "2", seeds)
    return MemorySweep(setting, rows, found, never, 1, 1)


LEGEND = Legend(
    said=dict.fromkeys(views().recalls, "m = 8"),
    front=("r", "R-GP-UCB"),
    methods=METHODS,
    worlds=WORLDS,
    chosen=1,
    drifts=True,
    grid=GRID,
    m=8.0,
    horizon=T,
    has_limit=True,
    bet=0,
    covered=False,
    kind="jumps",
    strip="R-GP-UCB",
    held={"R-GP-UCB": "restarts every 16: holds {} (mean 8)", "GP-UCB": "keeps all: holds {}"},
    here=1.0,
    places=(0, 1, 2, 3),
    never=4,
    last="never forgets",
)
MINE = replace(LEGEND, m=10.0)  # a memory that was played


def stage(legend: Legend = MINE, found: MemorySweep | None = None) -> Film:
    swept = found or sweep(len(legend.worlds))
    said = words.labels(views(), swept, CLOCK.rows, legend)
    return figure.stage(views(), swept, legend, said, CLOCK, Theme(), 5)


def kept(age: str = "time") -> Film:
    return figure_weights.weights(views(), LEGEND, CLOCK, Theme(), 5, age)


def bowls(legend: Legend = LEGEND) -> Film:
    return figure_regret_vs_memory.worlds(sweep(len(legend.worlds)), legend, Theme(), 5)


def numbers(packed: dict | list) -> np.ndarray:
    if isinstance(packed, dict):
        return np.frombuffer(base64.b64decode(packed["bdata"]), dtype=packed["dtype"]).astype(float)
    return np.array([np.nan if v is None else v for v in packed], dtype=float)


def data(of: Film) -> list[dict]:
    return of.figure.to_dict()["data"]


def tracks(of: Film, attribute: str, axis: str) -> dict[int, np.ndarray]:
    """trace -> frames, of the moving traces of one panel."""
    return {t.trace: t.values for t in of.tracks if t.attribute == attribute and data(of)[t.trace]["yaxis"] == axis}


def notes(of: Film) -> list[str]:
    return [note["text"] for note in of.figure.to_dict()["layout"]["annotations"]]


def test_the_pale_area_of_a_row_is_the_weight_of_each_observation():
    film = kept()
    pale = next(iter(tracks(film, "y", "y").values())).astype(float)
    rows = pale.reshape(len(pale), ROWS, -1)[:, :, 1:-2]  # without the foot at both ends and the gap
    for i, view in enumerate(views().recalls.values()):
        weight = (rows[:, i] - (ROWS - 1 - i)) / ROW_HEIGHT
        np.testing.assert_allclose(weight, view.weight[:, :T], atol=ROWS * FLOAT32 / ROW_HEIGHT)
    at = CLOCK.frames([32])[0]
    assert (rows[at, 1] == ROWS - 2).all()  # just restarted: its block is gone
    assert (rows[at, 2] > ROWS - 3).sum() == 8  # the window holds eight


def test_the_dark_area_is_the_influence_on_one_scale_for_all_memories():
    film = kept()
    areas = list(tracks(film, "y", "y").values())[1 : 1 + ROWS]
    ratios = []
    for i, (area, view) in enumerate(zip(areas, views().recalls.values(), strict=True)):
        drawn = (area[:, 1:-1].astype(float) - (ROWS - 1 - i)) / ROW_HEIGHT
        assert drawn.min() >= -ROW_DEPTH / ROW_HEIGHT - 1e-5 and drawn.max() <= 1 + 1e-5
        free = (np.abs(drawn) > 0.02) & (drawn < 0.99) & (drawn > -ROW_DEPTH / ROW_HEIGHT + 0.01)
        ratios.append(view.influence[:, :T][free] / drawn[free])
    cap = np.concatenate(ratios)
    np.testing.assert_allclose(cap, cap[0], rtol=1e-3)  # a share of 0.02 in a row at height 5: 5 * 6e-8 / 0.013


@pytest.mark.parametrize("age", ["age", "log"])
def test_by_age_the_newest_observation_stands_at_one(age):
    film = kept(age)
    pale = next(iter(tracks(film, "y", "y").values())).astype(float)
    rows = pale.reshape(len(pale), ROWS, -1)[:, :, 1:-2]
    frame = len(CLOCK.rows) - 1
    row = CLOCK.rows[frame]
    for i, view in enumerate(views().recalls.values()):
        weight = (rows[frame, i] - (ROWS - 1 - i)) / ROW_HEIGHT
        np.testing.assert_allclose(weight[:row], view.weight[frame, :row][::-1], atol=ROWS * FLOAT32 / ROW_HEIGHT)


def test_the_number_of_a_row_is_how_much_its_past_counts():
    film = kept()
    text = next(t.values for t in film.tracks if t.attribute == "text" and data(film)[t.trace]["yaxis"] == "y")
    last = [float(v) for v in text[-1]]
    for shown, view in zip(last, views().recalls.values(), strict=True):
        assert shown == pytest.approx(view.weight[-1].sum(), abs=0.5)


def test_the_curvesof_the_bowl_are_the_medians_of_the_worlds():
    film = bowls()
    lines = [v for i, v in tracks(film, "y", "y").items() if data(film)[i]["mode"] == "lines+markers"]
    for w in range(3):
        np.testing.assert_allclose(lines[w], sweep().curves["r", w].median.T, rtol=FLOAT32)
    top = film.figure.to_dict()["layout"]["yaxis"]["range"][1]
    assert all(line.max() < top for line in lines)


def test_rings_and_the_number_sit_at_the_lowest_points():
    film = bowls()
    rings = next(i for i, t in enumerate(data(film)) if t.get("marker", {}).get("symbol") == "circle-open")
    drop = next(i for i, t in enumerate(data(film)) if t["yaxis"] == "y" and t["mode"] == "lines+text")
    where = {(t.trace, t.attribute): t.values for t in film.tracks}
    for w in range(3):
        median = sweep().curves["r", w].median
        np.testing.assert_allclose(where[rings, "y"][:, w], median.min(axis=0), rtol=FLOAT32)
        np.testing.assert_allclose(where[rings, "x"][:, w], np.array(GRID)[median.argmin(axis=0)])
    np.testing.assert_array_equal(where[drop, "y"][:, 0], where[rings, "y"][:, 1])  # of the chosen world, to the foot
    foot, top = where[drop, "y"][:, 1], film.figure.to_dict()["layout"]["yaxis"]["range"][1]
    assert (foot == foot[0]).all() and -0.03 * top < foot[0] < 0  # in the strip under the axis
    assert (where[drop, "x"][:, 0] == where[rings, "x"][:, 1]).all()
    assert where[drop, "text"][-1] == ("", f"<b>{sweep().curves['r', 1].median[:, -1].min():.1f}</b>")


def test_the_ghost_terms_are_slopes_whose_sum_is_lowest_where_the_curve_is():
    film = bowls()
    (ghost,) = [i for i, t in enumerate(data(film)) if t.get("line", {}).get("dash") == "dashdot"]
    y, m = tracks(film, "y", "y")[ghost][-1].astype(float), numbers(data(film)[ghost]["x"])
    noise, stale, m = y[:40], y[41:], m[:40]
    np.testing.assert_allclose(noise * np.sqrt(m), noise[0] * np.sqrt(m[0]), rtol=1e-5)
    shown = np.isfinite(stale)
    np.testing.assert_allclose(stale[shown] / m[shown], stale[0] / m[0], rtol=1e-5)
    total = np.where(shown, noise + stale, np.inf)
    least = GRID[sweep().curves["r", 1].median[:, -1].argmin()]
    assert m[total.argmin()] == pytest.approx(least, rel=0.06)  # 40 points over a factor of 8: 5.5% apart
    still = bowls(legend=replace(LEGEND, drifts=False))
    assert not any("∝" in note for note in notes(still)) and "∝" not in str(data(still))


def test_the_curve_and_its_lowest_point_do_not_depend_on_the_memory_that_is_dragged():
    films = [stage(replace(MINE, m=float(m), here=float(place))) for place, m in enumerate(GRID)]
    ink = [
        [
            np.asarray(t.values).tolist()
            for t in film.tracks
            if t.attribute in "xy" and data(film)[t.trace].get("marker", {}).get("color") == Theme().ink
        ]
        for film in films
    ]
    assert len(ink[0]) == 4 and all(one == ink[0] for one in ink)  # the curve, GP-UCB, and the lowest point's x and y


def test_the_curve_of_the_stage_is_the_median_of_the_chosen_world_and_ends_in_gp_ucb():
    lines = [v for i, v in tracks(stage(), "y", "y2").items() if data(stage())[i]["mode"] == "lines+markers"]
    np.testing.assert_allclose(lines[0], sweep().curves["r", 1].median.T, rtol=FLOAT32)
    dotted = next(v for i, v in tracks(stage(), "y", "y2").items() if data(stage())[i]["line"].get("dash") == "dot")
    np.testing.assert_allclose(dotted[:, 1], sweep().gp_ucb_median[1], rtol=FLOAT32)


@pytest.mark.parametrize("place", range(4))
def test_the_ball_lies_on_the_curve_and_its_stem_is_solid_for_what_is_too_much(place: int):
    film = stage(replace(MINE, m=float(GRID[place]), here=float(place)))
    (ball,) = [i for i, t in enumerate(data(film)) if t.get("meta") == words.YOU]
    median = sweep().curves["r", 1].median
    assert numbers(data(film)[ball]["x"]).tolist() == [place]
    np.testing.assert_allclose(tracks(film, "y", "y2")[ball][:, 0], median[place], rtol=FLOAT32)
    pale, solid = [
        v
        for i, v in tracks(film, "y", "y2").items()
        if data(film)[i].get("line", {}).get("width") == 1.6 * Theme().line
    ]
    np.testing.assert_allclose(pale, np.stack([0 * median[0], median.min(axis=0)], axis=1), rtol=FLOAT32)
    np.testing.assert_allclose(solid, np.stack([median.min(axis=0), median[place]], axis=1), rtol=FLOAT32)


PHONE = 304  # pixels, the width of the bowl on a phone of 390; measured in the browser
LETTER = {False: 0.42, True: 0.46}  # width of a letter of Source Sans over its size, in these words; the bold are wider


def met(film: Film, frame: int) -> list[str]:
    """Words under the bowl in a frame that leave the phone or touch one another there."""
    left, right = film.figure.to_dict()["layout"]["xaxis3"]["range"]
    now = {(t.trace, t.attribute): t.values[frame] for t in film.tracks}
    spans = []
    for i, trace in enumerate(data(film)):
        text = now[i, "text"][0] if trace["yaxis"] == "y3" else ""
        if text:
            (x,) = (numbers(now.get((i, "x"), trace["x"])) - left) / (right - left) * PHONE
            wide = len(re.sub("</?b>", "", text)) * LETTER["<b>" in text] * Theme().tick
            low = x - wide * {"middle left": 1.0, "middle center": 0.5, "middle right": 0.0}[trace["textposition"]]
            spans.append((low, low + wide, text))
    spans.sort()
    cut = [text for low, high, text in spans if low < -look.HANG or high > PHONE + 1.6 * Theme().tick]
    return cut + [f"{a[2]} on {b[2]}" for a, b in pairwise(spans) if a[1] > b[0]]


@pytest.mark.parametrize("m", MEMORY_STEPS)
@pytest.mark.parametrize("bowl", [{}, {"kind": "glide"}, {"bowl": "sw"}, {"bowl": "tv"}, {"bowl": "rperp"}, FIGURE_2C])
def test_no_words_under_the_bowl_meet_on_a_phone_in_any_frame(bowl: dict, m: int):
    past, setting = model.chosen({key: knob.default for key, knob in LESSON.knobs.items()} | {"m": m} | bowl)
    clock = scene.frames_of(past)
    found = model.gather(setting, stored_runs.runs(model.jobs(setting), model.FILE), clock.rows)
    seen, names = memories.views(past, clock.rows), words.legend(past, setting)
    said = words.labels(seen, found, clock.rows, names)
    film = figure.stage(seen, found, names, said, clock, Theme(), 0)
    assert all(said["you"]) and {row + 1: one for at, row in enumerate(clock.rows) if (one := met(film, at))} == {}


def test_the_words_stand_in_a_row_of_their_own_below_the_bowl():
    film = stage()
    layout = film.figure.to_dict()["layout"]
    assert layout["yaxis3"]["domain"][1] <= layout["yaxis2"]["domain"][0]
    assert [t["yaxis"] for t in data(film) if t["mode"] == "text"][1:] == ["y3"] * 4  # after that of the strip


def test_the_strip_is_solid_since_the_last_jump_and_pale_before_it():
    film = stage(replace(LEGEND, strip="GP-UCB"))  # keeps everything
    pale, solid = [tracks(film, "y", "y")[i][:, 1:-1] for i, t in enumerate(data(film)) if t.get("meta") == words.STRIP]
    for frame, row in enumerate(CLOCK.rows):
        heard, stale = np.arange(T) < row, np.arange(T) < (30 if row >= 30 else 0)  # the world jumps at row 30
        np.testing.assert_array_equal(pale[frame], heard & stale)
        np.testing.assert_array_equal(solid[frame], heard & ~stale)


def test_the_words_over_the_strip_count_what_is_stale():
    said = words.labels(views(), sweep(), CLOCK.rows, replace(MINE, strip="GP-UCB"))["strip"]
    assert said[-1] == "keeps all: holds 59, 30 stale"
    assert said[0] == "keeps all: holds 0"


def test_the_words_of_the_two_terms_stand_beside_the_number_or_not_at_all():
    film = bowls()
    words = next(i for i, t in enumerate(data(film)) if "staleness" in str(t.get("text")))
    at = next(t.values for t in film.tracks if (t.trace, t.attribute) == (words, "x"))[:, 0]
    number = np.array(GRID)[sweep().curves["r", 1].median.argmin(axis=0)]
    low, high = film.figure.to_dict()["layout"]["xaxis"]["range"]
    apart = np.abs(np.log10(at) - np.log10(number)) / (high - low)
    assert np.nanmin(apart) > 0.48 / 2 + 0.06 and np.isfinite(apart[-1])  # half of the words, half of the number


def test_names_of_worlds_keep_their_distance():
    film = bowls()
    named = [i for i, t in enumerate(data(film)) if t["yaxis"] == "y" and t["mode"] == "text"][-1]
    y = np.sort(tracks(film, "y", "y")[named].astype(float), axis=1)
    layout = film.figure.to_dict()["layout"]
    pixels = layout["height"] - layout["margin"]["t"] - layout["margin"]["b"]
    assert np.diff(y, axis=1).min() / np.ptp(layout["yaxis"]["range"]) * pixels > 1.2 * Theme().tick  # a line apart


def test_without_runs_or_while_it_is_covered_the_bowl_says_so_and_shows_no_line():
    empty = replace(sweep(), curves={}, gp_ucb={})
    waiting = stage(found=empty)
    assert "the first runs are being played" in notes(waiting)
    assert any(t["yaxis"] == "y2" for t in data(waiting))  # or Plotly draws no axes, and the words land elsewhere
    covered = stage(replace(LEGEND, covered=True))
    assert "covered: where is it lowest?" in notes(covered)
    assert not any("markers" in data(covered)[i]["mode"] for i in tracks(covered, "y", "y2"))


def test_a_bet_is_a_diamond_on_the_curve_and_stays_while_the_bowl_is_covered():
    film = stage(replace(LEGEND, bet=10))
    (pin,) = [i for i, t in enumerate(data(film)) if t.get("marker", {}).get("symbol") == "diamond-open"]
    assert numbers(data(film)[pin]["x"]).tolist() == [1]
    np.testing.assert_allclose(tracks(film, "y", "y2")[pin][:, 0], sweep().curves["r", 1].median[1], rtol=FLOAT32)
    covered = data(stage(replace(LEGEND, bet=10, covered=True)))
    assert any(t.get("marker", {}).get("symbol") == "diamond-open" and t["x"] == [1] for t in covered)


def test_one_world_and_a_method_without_a_limit_leave_out_the_rest():
    alone = replace(LEGEND, worlds=("Markov",), chosen=0, has_limit=False, front=("rperp", "R-PERP"))
    film = bowls(legend=alone)
    assert "GP-UCB" not in notes(film)
    assert "∞" not in film.figure.to_dict()["layout"]["xaxis"]["ticktext"]


def test_each_panel_of_the_estimates_holds_its_memorys_mean_and_the_truth_of_now():
    film = figure_estimates.beliefs(views(), LEGEND, CLOCK, Theme(), 3)
    lines = [(i, t) for i, t in enumerate(data(film)) if t["mode"] == "lines" and "fill" not in t]
    moved = tracks(film, "y", "y")
    truth, *means = [moved[i] for i, _ in lines]
    now = views().problem.f[CLOCK.index]
    np.testing.assert_allclose(truth.reshape(len(truth), ROWS, -1)[:, 3, :-1], now, rtol=FLOAT32, atol=FLOAT32)
    for mean, view in zip(means, views().recalls.values(), strict=True):
        np.testing.assert_allclose(mean, view.mean, rtol=FLOAT32, atol=FLOAT32)


def test_circles_are_observations_that_count_at_least_half():
    film = figure_estimates.beliefs(views(), LEGEND, CLOCK, Theme(), 3)
    (dots,) = [i for i, t in enumerate(data(film)) if t["mode"] == "markers"]
    y = tracks(film, "y", "y")[dots].reshape(len(CLOCK.rows), ROWS, -1)
    for i, view in enumerate(views().recalls.values()):
        half = (view.weight[-1] >= 0.5).sum()
        assert np.isfinite(y[-1, i]).sum() == min(half, figure_estimates.MAX_CIRCLES)
    assert not np.isfinite(y[0]).any()  # nothing has been heard


def test_every_method_has_its_final_bowl_in_every_world():
    film = figure_regret_vs_memory.every(sweep(), LEGEND, Theme())
    lines = [t for t in data(film) if t["mode"] == "lines+markers"]
    assert len(lines) == 15
    np.testing.assert_allclose(numbers(lines[0]["y"]), sweep().curves["r", 0].median[:, -1], rtol=FLOAT32)
    names = [t["text"] for t in data(film) if t["mode"] == "text"]
    assert all(len(n) == 6 and "GP-UCB" in n for n in names)
