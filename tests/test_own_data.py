"""A visitor's own table on the page: three steps, a link without data, nothing lost, and honest verdicts."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import replace
from types import SimpleNamespace
from urllib.parse import parse_qs, urlsplit

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from lessons.real_data import model as data_lab
from lessons.real_data import words as data_words
from lessons.real_data.model import Setting
from tests.test_pages import ROOT, faults, opened, sentences, specs
from tvbo_core.data import Choice, check, guess, read, read_text

PAGE = "pages/8_Real_data.py"
EXAMPLE = (ROOT / "assets" / "example_table.csv").read_text(encoding="utf-8")
PRIVATE = data_lab.private
SIX = ("rnd", "gp", "r", "sw", "wgp", "tv")


def pasted(at: AppTest, text: str) -> AppTest:
    return at.text_area(key="paste").set_value(text).run()


def table(values: np.ndarray, names: str = "a") -> str:
    header = "t," + ",".join(f"{names}{i}" for i in range(values.shape[1]))
    return header + "\n" + "\n".join(f"{t}," + ",".join(f"{v:.6g}" for v in r) for t, r in enumerate(values))


def run(values: np.ndarray, **change: object) -> data_lab.Trial:
    sheet = read_text(table(values))
    own = check(sheet, guess(sheet)).table
    setting = replace(Setting("own", "m", 0.0, 0.05, False, 0, SIX, 4, 3), **change)
    return data_lab.run(setting, own, lambda text, share: None)


@pytest.fixture(autouse=True)
def no_session(monkeypatch):
    """Outside a page there is no session: results are made anew."""
    monkeypatch.setattr(data_lab, "private", lambda key, make: make())


# --- the three steps ------------------------------------------------------------------------------------------


def test_without_a_table_the_page_says_what_to_do_and_where_the_file_goes():
    at = opened(PAGE, table="own")
    assert faults(at) == [] and not specs(at)
    assert "one row for every time" in at.info[0].value
    assert any("stays in this session and is not stored" in c.value for c in at.caption)


def test_a_pasted_table_is_previewed_checked_and_run():
    at = pasted(opened(PAGE, table="own"), EXAMPLE)
    assert not at.exception and len(at.dataframe[0].value) == 8
    assert any("5 arms and 150 times" in m.value for m in at.markdown)
    at.button(key="own_run").click().run()
    assert faults(at) == [] and len(specs(at)) == 5
    assert "After 60 rounds" in sentences(at)[-1]


def test_the_link_carries_settings_and_a_fingerprint_and_no_number_of_the_table():
    at = pasted(opened(PAGE, table="own"), EXAMPLE)
    at.toggle(key="lower").set_value(True).run()
    at.button(key="own_run").click().run()
    at.session_state["drawer_link"] = True
    at.run()
    link = at.code[0].value
    mark = read(EXAMPLE.encode()).fingerprint[:12]
    assert f"file={mark}" in link and "lower=true" in link and "29.6" not in link
    other = opened(PAGE, **parse_qs(urlsplit(link).query))
    assert not other.toast and mark in other.info[0].value and "Load the file" in other.info[0].value
    again = pasted(other, EXAMPLE)  # the same bytes: it races at once, with the settings of the link
    assert faults(again) == [] and sentences(again) == sentences(at) and specs(again) == specs(at)


def test_another_file_than_the_link_is_about_is_named_and_its_columns_are_guessed():
    at = pasted(opened(PAGE, table="own", file="0123456789ab", armcols="1.2"), EXAMPLE)
    assert any("0123456789ab" in i.value and "guessed anew" in i.value for i in at.info)
    assert at.session_state["armcols"] == "auto" and not specs(at)


@pytest.mark.parametrize(
    ("bad", "sentence"),
    [
        ("<html></html>", "web page"),
        ("{}", "JSON"),
        ("day,a,b", "nothing below it"),
        ("1" * 100_001, "One line has 100,001"),
    ],
)
def test_a_bad_table_is_one_sentence_and_the_good_one_before_it_is_not_lost(bad, sentence):
    at = pasted(opened(PAGE, table="own"), EXAMPLE)
    pasted(at, bad)
    assert not at.exception and any(sentence in i.value for i in at.info)
    assert any("5 arms and 150 times" in m.value for m in at.markdown)
    at.button(key="own_run").click().run()
    assert faults(at) == [] and specs(at)


def test_a_table_that_cannot_race_says_why_and_cannot_be_run():
    at = pasted(opened(PAGE, table="own"), "t,a\n" + "\n".join(f"{t},{t % 5}" for t in range(40)))
    assert not at.exception and at.button(key="own_run").disabled
    assert any("Only one arm" in m.value for m in at.markdown)


def test_arms_can_be_left_out_and_the_mapping_is_in_the_link():
    at = pasted(opened(PAGE, table="own"), EXAMPLE)
    at.multiselect[0].set_value([1, 3]).run()
    assert at.session_state["armcols"] == "1.3" and at.query_params["armcols"] == "1.3"
    at.button(key="own_run").click().run()
    assert faults(at) == [] and at.session_state["_page_values"]["trial"][1].problem.arm_names == ("north", "centre")
    at.run()  # the wizard is gone, yet its choice holds
    assert at.session_state["armcols"] == "1.3"


def test_switches_are_offered_only_where_a_sentence_asks_for_them():
    plain = pasted(opened(PAGE, table="own"), EXAMPLE)
    keys = {w.key for kind in ("toggle", "button_group") for w in getattr(plain, kind)}
    assert {"lower"} <= keys and not {"std", "fill", "thin"} & keys
    values = np.cumsum(np.random.default_rng(0).normal(size=(60, 3)), axis=0) * [1, 1, 1e6]
    lines = table(values).split("\n")
    lines[6] = "5,,1,1"
    rough = pasted(opened(PAGE, table="own"), "\n".join(lines))
    keys = {w.key for kind in ("toggle", "button_group") for w in getattr(rough, kind)}
    assert {"std", "fill"} <= keys and "thin" not in keys
    rough.toggle(key="std").set_value(True).run()
    rough.button(key="own_run").click().run()
    assert faults(rough) == []
    assert np.ptp(rough.session_state["_page_values"]["trial"][1].table.rewards.std(axis=0)) < 10


def test_names_of_a_strangers_columns_cannot_change_the_page():
    nasty = EXAMPLE.replace("north", "**b** $x^2$ <img src=x onerror=alert(1)> [l](http://e)", 1)
    at = pasted(opened(PAGE, table="own"), nasty)
    at.button(key="own_run").click().run()
    assert faults(at) == []
    said = " ".join(c.value for c in at.caption) + " ".join(sentences(at)) + " ".join(m.value for m in at.markdown)
    assert "<img" not in said and "](http" not in said


def test_an_own_table_is_kept_in_its_session_and_in_no_cache_of_the_server(monkeypatch):
    asked = []
    everybody = data_lab._everybody
    monkeypatch.setattr(data_lab, "_everybody", lambda key, make: asked.append(key) or everybody(key, make))
    at = pasted(opened(PAGE, table="own"), EXAMPLE)
    at.button(key="own_run").click().run()
    assert specs(at) and asked == []
    opened(PAGE)
    assert asked  # a shipped table is everybody's


def test_going_back_to_a_shipped_table_takes_the_file_out_of_the_link_and_keeps_it_in_the_session():
    at = pasted(opened(PAGE, table="own"), EXAMPLE)
    at.button(key="own_run").click().run()
    at.selectbox(key="table").set_value("stocks-weekly").run()
    assert faults(at) == [] and "file" not in at.query_params
    at.selectbox(key="table").set_value("own").run()
    assert faults(at) == [] and len(specs(at)) == 5 and "file" in at.query_params


@pytest.mark.parametrize("column", ["timecol", "armcols"])
@pytest.mark.parametrize("far", ["99", "99.98"])
def test_a_link_whose_columns_the_file_does_not_have_still_opens(column, far):
    mark = read(EXAMPLE.encode()).fingerprint[:12]
    at = pasted(opened(PAGE, table="own", file=mark, **{column: far if column == "armcols" else "99"}), EXAMPLE)
    assert not at.exception


# --- verdicts ---------------------------------------------------------------------------------------------------


def test_a_stationary_table_shows_no_gain_from_forgetting_and_the_page_says_so():
    rng = np.random.default_rng(2)
    shown = run(np.linspace(0, 2, 5) + 0.8 * rng.normal(size=(400, 5)))
    assert shown.switches and data_words.forgetting_helps(shown) is False
    assert "Forgetting does not help" in data_words.finding(shown, [shown.problem.horizon - 1])[-1]


def test_a_best_arm_that_never_changes_is_said():
    rng = np.random.default_rng(3)
    shown = run(np.array([0.0, 5.0, 10.0]) + 0.2 * rng.normal(size=(120, 3)))
    assert data_words.verdict(shown) == "The best arm never changes here: forgetting can only hurt."


def test_arms_that_nobody_can_tell_apart_leave_everybody_near_random():
    rng = np.random.default_rng(4)
    shown = run(rng.normal(size=(300, 6)))
    assert "near Random" in data_words.verdict(shown)


def test_a_table_that_drifts_is_better_followed_by_forgetting():
    rng = np.random.default_rng(5)
    f = [rng.normal(size=4)]
    for _ in range(599):
        f.append(np.sqrt(0.98) * f[-1] + np.sqrt(0.02) * rng.normal(size=4))
    shown = run(np.array(f))
    assert data_words.forgetting_helps(shown) is True and "Forgetting saves" in data_words.verdict(shown)


def test_a_saving_in_half_of_the_seeds_is_told_with_its_number_and_not_called_nothing():
    total = {"GP-UCB": np.array([[20.0], [20.0], [9.0], [20.0]]), "SW-GP-UCB": np.array([[8.0], [9.0], [10.0], [21.0]])}
    average = {name: np.median(ends, axis=0) for name, ends in total.items()}
    shown = SimpleNamespace(switches=[1], total=total, average=average, fixed=np.zeros((2, 1)))
    assert data_words.verdict(shown) == "SW-GP-UCB saves 52% over GP-UCB, but in 2 of 4 seeds only."


def test_the_verdict_is_silent_where_there_is_nothing_to_compare():
    shown = run(np.cumsum(np.random.default_rng(6).normal(size=(80, 3)), axis=0), methods=("tv",))
    assert data_words.verdict(shown) == "" and "loses" in data_words.finding(shown, [0])[0]


def test_changes_of_the_best_arm_are_those_after_which_the_old_one_is_worse():
    values = np.tile([1.0, 0.0], (60, 1)) + 0.01 * np.random.default_rng(0).normal(size=(60, 2))
    values[40:44] = [0.0, 1.0]
    values[50] = [2.0, 2.0]  # a tie is no change
    shown = run(values, methods=("gp",))
    assert [shown.train + row for row in shown.switches] == [40, 44]


@pytest.mark.parametrize(("changes", "right"), [(4, "few"), (5, "some"), (20, "some"), (21, "many")])
def test_a_bet_on_the_changes_stands_beside_their_count(changes, right):
    values = np.zeros((120, 2))
    values[:, 0] = np.sin(np.arange(120))  # so that the first part moves
    values[:, 1] = np.cos(np.arange(120))
    block = np.arange(48) * (changes + 1) // 48 % 2  # the second part: 48 rounds
    values[72:, 0], values[72:, 1] = block, 1 - block
    shown = run(values, methods=("gp",), seeds=1)
    assert len(shown.switches) == changes
    for bet in ("few", "some", "many"):
        said = data_words.bet(shown, bet)
        assert f"Counted: {changes} times" in said and ("well guessed" in said) == (bet == right)
    assert data_words.bet(shown, "none") == ""


def test_a_short_trial_is_one_question_and_a_long_one_a_question_a_step_with_the_same_answers(monkeypatch):
    asked, told, kept = [], [], OrderedDict()

    def done(function, *arguments, seconds=0.0):
        asked.append(function.__name__)
        return function(*arguments)

    monkeypatch.setattr(data_lab, "computed", done)
    monkeypatch.setattr(data_lab, "_mine", lambda: kept)
    monkeypatch.setattr(data_lab, "private", PRIVATE)
    walk = np.cumsum(np.random.default_rng(2).normal(size=(80, 3)), axis=0)
    short = run(walk)
    bowl = data_lab.bowl(short)
    assert asked == ["everything"]
    run(walk)
    assert asked == ["everything"]  # all is kept
    other = run(walk, memory=10)
    assert asked == ["everything"] * 2 and other.learnt is short.learnt  # what is known travels along
    np.testing.assert_array_equal(data_lab.bowl(other), bowl)
    kept.clear()
    asked.clear()
    monkeypatch.setattr(data_lab, "WAIT_SECONDS", 0.0)
    sheet = read_text(table(walk))
    long = data_lab.run(short.setting, check(sheet, guess(sheet)).table, lambda text, share: told.append((share, text)))
    np.testing.assert_array_equal(data_lab.bowl(long), bowl)
    assert asked == ["learn", *["runs"] * 6, "bowl"]
    assert [share for share, _ in told] == sorted(share for share, _ in told) and len(told) == 7
    assert told[0][1] == "Learning from the first part, then racing 4 seeds × 6 methods"
    assert long.memories == short.memories
    for name, curves in short.total.items():
        np.testing.assert_array_equal(curves, long.total[name])
        np.testing.assert_array_equal(short.looks[name], long.looks[name])


def test_the_data_table_lists_every_method_and_the_fixed_arm_best_first():
    shown = run(np.cumsum(np.random.default_rng(7).normal(size=(90, 3)), axis=0))
    rows = data_lab.rows(shown)
    level = [r["regret per round, median"] for r in rows]
    assert level == sorted(level) and len(rows) == 7
    by_hand = {n: np.median(t[:, -1]) / shown.problem.horizon for n, t in shown.total.items()}
    assert {r["method"]: r["regret per round, median"] for r in rows if r["method"] in by_hand} == pytest.approx(
        by_hand
    )


def test_the_largest_table_is_announced_with_its_time_and_a_small_one_is_not():
    sheet = read_text(table(np.cumsum(np.random.default_rng(0).normal(size=(60, 3)), axis=0)))
    assert data_lab.seconds(check(sheet, guess(sheet)).table, 66 + 48) < 1.0
    few, many = (check(sheet, guess(sheet)).table for sheet in map(read_text, map(table, (
        np.cumsum(np.random.default_rng(0).normal(size=(5000, m)), axis=0) for m in (3, 41)))))  # fmt: skip
    assert data_lab.seconds(few, 66 + 48) < 3.0 < data_lab.LONG < data_lab.seconds(many, 66 + 48)
    assert data_words.trials(14.2) == "Run it: about 14 s"
    assert Choice(0, (1, 2)) == Choice(time=0, arms=(1, 2))
