"""What scripts need, and when there is one; that they are short and print the facts: tests/laws/test_facts.py."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from figures.theme import Theme
from lessons import BY_KEY
from lessons.game import model as game
from lessons.game.recipe import recipe as game_recipe
from lessons.real_data import model as data_lab
from lessons.real_data import tables
from lessons.reproductions import model as reproductions
from lessons.reproductions.names import REPRODUCTIONS
from lessons.shared import script as code
from tests.laws.test_facts import FACT, rounds_to
from tests.lessons.scripts import (
    NUMBER,
    ROOT,
    SCRIPTED,
    drawn,
    formed,
    run,
    script,
    settings,
)
from tvbo_core.worlds.codes import encode

STORED = [name for name in REPRODUCTIONS if (reproductions.FOLDER / f"{name}.json").exists()]
SLOW = {"bogunovic-figure-2b"}  # a Matérn reward over space and time is drawn, which takes seconds


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.study) if name in SLOW else name for name in STORED]
)
def test_every_stored_reproduction_prints_its_facts_and_one_repetition_that_is_the_stored_one(name: str) -> None:
    board, values = reproductions.board(name), settings("reproductions", {"shown": name})
    text = run(formed(script("reproductions", {**values, "t": 999})))
    said, facts = dict(FACT.findall(text)), reproductions.facts(board, board.frames - 1, int(values["within"]))
    assert set(said) == set(facts) and all(rounds_to(said[one], fact) for one, fact in facts.items())
    stored, anew = re.findall(rf"({NUMBER}) is stored, ({NUMBER}) is played anew", text)[0]
    # Rounds are the same; another linear algebra may move a tie, and a stored number has nine digits.
    assert float(anew) == pytest.approx(float(stored), rel=1e-5)


@pytest.mark.parametrize("key", SCRIPTED)
def test_a_script_is_narrow_short_and_uses_what_it_imports_in_any_setting(key: str) -> None:
    lesson = BY_KEY[key]
    for seed in range(20):
        state = drawn(lesson, seed)
        try:
            text = script(key, state)
        except ValueError:  # the page says why there is nothing to show
            with pytest.raises(ValueError):
                lesson.scene(lesson.settings(state), 0, Theme())
            continue
        if text is not None:
            formed(text)


def test_only_reproductions_the_microscope_and_an_own_table_need_a_checkout() -> None:
    needs = {key for key in SCRIPTED if (text := script(key, {})) and code.CHECKOUT in text}
    assert needs == {"reproductions", "microscope"}
    assert code.CHECKOUT in script("real_data", {"table": "own", "file": "0" * 12})


def test_nothing_chosen_is_the_untouched_page_and_lists_are_as_good_as_tuples() -> None:
    for key in SCRIPTED:
        lesson = BY_KEY[key]
        untouched = settings(key, {}) | {"t": lesson.t, "nothing": "of the page"}
        assert script(key, {}) == script(key, untouched)
    assert script("race", {"algos": ["gp", "tv"]}) == script("race", {"algos": ("gp", "tv")})
    assert script("race", {"algos": []}) == script("race", {})


def test_a_page_without_anything_to_run_has_no_script() -> None:
    assert script("reproductions", {"shown": "not-stored"}) is None
    # The proved widths need a norm bound, which a Markov reward has not: nobody can race.
    assert script("race", {"algos": ("gp", "sw"), "kind": "markov", "pair": "none", "beta": "theory"}) is None


def test_a_covered_bet_is_not_given_away_by_the_script() -> None:
    assert "zhou-r" in script("theorems", {"view": "rates"})
    assert "zhou-r" not in script("theorems", {"view": "rates", "wager": "cover"})


def test_the_script_of_an_own_table_reads_the_file_and_splits_it_as_the_page_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    raw = (ROOT / "assets/example_table.csv").read_bytes()
    sheet = tables.read(raw)
    mark = sheet.fingerprint[:12]
    arms = tables.guess(sheet).arms
    chosen = {
        "table": "own",
        "file": mark,
        "std": True,
        "lower": True,
        "share": 0.5,
        "seeds": 1,
        "m": 10,
        "algos": ("gp", "sw"),
        "armcols": ".".join(map(str, arms[:3])),
    }
    state = settings("real_data", chosen)
    text = formed(script("real_data", {**state, "t": 40}))
    assert mark in text
    (tmp_path / "your_table.csv").write_bytes(raw)
    text = run(text.replace("your_table.csv", str(tmp_path / "your_table.csv")))
    assert text.startswith(mark)
    choice = tables.Choice(tables.guess(sheet).time, arms[:3], higher=False, standardise=True)
    shown = data_lab.race(data_lab.chosen(state, mark), tables.check(sheet, choice).table)
    said = dict(FACT.findall(text))
    facts = data_lab.facts(shown, 39)
    assert set(said) == set(facts) and all(rounds_to(said[name], fact) for name, fact in facts.items())
    assert f"best fixed arm: {shown.problem.arm_names[shown.fixed[0]]}" in text


def test_the_game_has_a_script_once_it_is_over_and_not_before_and_it_does_not_tell_how_the_world_moves() -> None:
    state = settings("game", {"rounds": 10, "noise": 0.2, "algos": ("rnd", "gp", "rperp")})
    setting = game.chosen(state)
    assert script("game", state) is None
    assert game_recipe(state, 9, game.Game(setting, (50,) * 9)) is None
    jumping, still = (game.Setting(encode(kind, number), 10, 0.2) for kind, number in ((4, 2), (0, 33)))
    assert jumping.world.kind != still.world.kind
    texts = [game_recipe(state, 9, game.Game(one, (50, 20, *range(60, 68)))) for one in (jumping, still)]
    assert texts[0] and texts[0].replace(jumping.code, still.code) == texts[1]
