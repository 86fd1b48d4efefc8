"""Every lesson's script is short, needs the core alone, and prints the numbers that the page shows.

A printed number may differ from the page's by half a unit of its last printed digit, and no more.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from lessons.game import model as game
from lessons.game.recipe import recipe as game_recipe
from lessons.microscope import model as microscope
from lessons.microscope.statements import STATEMENTS
from lessons.real_data import model as data_lab
from lessons.reproductions import model as reproductions
from lessons.reproductions.names import REPRODUCTIONS
from tests.recipe_oracles import (
    BY_NUMBER,
    NUMBER,
    NUMBERS,
    ROOT,
    SAYS,
    SHORT,
    cells,
    compare,
    drawn,
    formed,
    moments,
    near,
    run,
    script,
    settings,
    statement,
    told,
)
from tvbo_core import data

CASES = [
    pytest.param(number, state, id=f"{number}-{'scene' if i else 'untouched'} {i}")
    for number in NUMBERS
    for i, state in enumerate(moments(number))
]
CASES += [
    pytest.param(number, drawn(BY_NUMBER[number], seed), id=f"{number}-any {seed}")
    for number in NUMBERS
    for seed in (1, 2)
]


@pytest.mark.parametrize(("number", "state"), CASES)
def test_a_script_prints_the_numbers_that_the_page_shows(number: int, state: dict) -> None:
    SAYS[number](state, int(state["t"]), run(formed(script(number, state))))


@pytest.mark.study
@pytest.mark.parametrize(("number", "i"), [(n, i) for n in SHORT for i in range(len(BY_NUMBER[n].moments) + 1)])
def test_a_script_of_a_slow_page_prints_its_numbers_at_full_size(number: int, i: int) -> None:
    lesson = BY_NUMBER[number]
    values, t = [({}, lesson.t), *((moment.values, moment.t) for moment in lesson.moments)][i]
    state = settings(number, values)
    SAYS[number](state, t, run(formed(script(number, {**state, "t": t}))))


@pytest.mark.parametrize(
    ("number", "change"),
    [
        (1, {"kind": "data", "data": "stocks-weekly", "t": 9999}),
        (1, {"kind": "adversary", "pair": "rough", "nu": "3/2", "t": 1}),
        (2, {"kind": "data", "data": "stocks-weekly", "T": 50, "t": 0}),
        (2, {"kind": "markov", "T": 50, "match": True, "domain": "[-1, 1]", "Bhat": 0.5, "t": 9999}),
        (3, {"H": 0, "beta": "drift", "order": "both", "t": 400}),
        (3, {"kind": "glide", "H": 0, "beta": "theory", "shuffle": 5, "grain": "restart", "V": 16.0, "t": 3}),
        (3, {"kind": "data", "data": "stocks-weekly", "grain": "batch", "t": 2}),
        (4, {"algos": ("gp", "tv"), "kind": "markov", "pair": "none", "beta": "theory", "seeds": 1, "T": 100}),
        (4, {"algos": ("rnd", "opkb"), "pair": "matern", "seeds": 1, "T": 100, "t": 40}),
        (4, {"algos": ("gp", "sw"), "kind": "data", "data": "stocks-weekly", "m": 0, "seeds": 1, "beta": "log"}),
        (6, {"bowl": "rperp", "kind": "data", "data": "stocks-weekly", "seeds": 1, "t": 20}),
        (6, {"bowl": "wgp", "kind": "rough", "beta": "log", "seeds": 1, "T": 100, "t": 1}),
        (7, {"papers": True, "seeds": 1, "T": 100, "t": 80}),
        (7, {"nu": "1/2", "ell": 0.4, "alpha": 1.06, "seed": 45, "seeds": 1, "T": 100, "t": 3}),
        (7, {"kind": "rough", "scale": "set", "nu": "3/2", "seeds": 1, "T": 100, "t": 3}),
        (8, {"table": "stocks-weekly", "seeds": 1, "m": 20, "mixed": True, "share": 0.4, "algos": ("wgp",), "t": 9}),
        (9, {"shown": "flynn-table-1", "t": 0}),
        (9, {"shown": "bogunovic-figure-2a", "t": 12}),
    ],
)  # fmt: skip
def test_a_script_knows_the_corners_of_its_page(number: int, change: dict) -> None:
    state = settings(number, change)
    SAYS[number](state, int(state.get("t", 9999)), run(formed(script(number, {"t": 9999, **state}))))


@pytest.mark.parametrize("key", [key for key in STATEMENTS if key not in ("deng-times", "bogunovic-21")])
def test_every_statement_under_the_microscope_has_its_script(key: str) -> None:
    t = microscope.experiment(key, microscope.chosen(key, settings(10, {"statement": key}))).tells
    statement(settings(10, {"statement": key}), t, run(formed(script(10, {"statement": key, "t": t}))))


STORED = [name for name in REPRODUCTIONS if (reproductions.FOLDER / f"{name}.json").exists()]
SLOW = {"bogunovic-figure-2b"}  # a Matérn reward over space and time is drawn, which takes seconds


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.study) if name in SLOW else name for name in STORED]
)
def test_every_stored_reproduction_has_its_script(name: str) -> None:
    cells(settings(9, {"shown": name}), 999, run(formed(script(9, {"shown": name, "t": 999}))))


def test_nothing_chosen_is_the_untouched_page_and_lists_are_as_good_as_tuples() -> None:
    for number in NUMBERS:
        lesson = BY_NUMBER[number]
        untouched = settings(number, {}) | {"t": lesson.t, "nothing": "of the page"}
        assert script(number, {}) == script(number, untouched)
    assert script(4, {"algos": ["gp", "tv"]}) == script(4, {"algos": ("gp", "tv")})
    assert script(4, {"algos": []}) == script(4, {})


def test_a_page_without_anything_to_run_has_no_script() -> None:
    assert script(9, {"shown": "not-stored"}) is None
    # The proved widths need a norm bound, which a Markov reward has not: nobody can race.
    assert script(4, {"algos": ("gp", "sw"), "kind": "markov", "pair": "none", "beta": "theory"}) is None


def test_a_covered_bet_is_not_given_away_by_the_script() -> None:
    assert "zhou-r" in script(5, {"view": "rates"})
    assert "zhou-r" not in script(5, {"view": "rates", "wager": "cover"})


def test_the_script_of_an_own_table_reads_the_file_and_splits_it_as_the_page_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    raw = (ROOT / "assets/example_table.csv").read_bytes()
    sheet = data.read(raw)
    mark = sheet.fingerprint[:12]
    arms = data.guess(sheet).arms
    state = settings(8, {"table": "own", "file": mark, "std": True, "lower": True, "share": 0.5, "seeds": 1, "m": 10,
                         "algos": ("gp", "sw"), "armcols": ".".join(map(str, arms[:3]))})  # fmt: skip
    text = formed(script(8, {**state, "t": 40}))
    assert mark in text
    (tmp_path / "your_table.csv").write_bytes(raw)
    text = run(text.replace("your_table.csv", str(tmp_path / "your_table.csv")))
    assert text.startswith(mark)
    choice = data.Choice(data.guess(sheet).time, arms[:3], higher=False, standardise=True)
    setting = data_lab.chosen(state, mark)
    shown = data_lab.race(setting, data.check(sheet, choice).table)
    want = [float(sum(switch <= 39 for switch in shown.switches))]
    compare(told(text), [*want, *(float(shown.average[n][39]) for n in setting.names), float(shown.fixed_average[39])])


def test_the_game_has_a_script_once_it_is_over_and_not_before() -> None:
    state = settings(11, {"rounds": 10, "noise": 0.2, "algos": ("rnd", "gp", "rperp")})
    setting = game.chosen(state)
    assert script(11, state) is None
    assert game_recipe(state, 9, game.Game(setting, (50,) * 9)) is None
    done = game.Game(setting, (50, 20, *range(60, 68)))
    text = run(formed(game_recipe(state, 10, done)))
    duel = game.finished(done, state["algos"], int(state["m"]), "best").duel
    said = re.findall(rf"^(.*): place = (\d+), regret = ({NUMBER})$", text, re.MULTILINE)
    assert [name for name, *_ in said] == duel.order
    assert [int(place) for _, place, _ in said] == [duel.place[name][-1] for name in duel.order]
    assert all(near(number, float(duel.total[name][-1])) for name, _, number in said)
