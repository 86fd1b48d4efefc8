"""What every test leaves behind is put back."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator

# One BLAS thread, before numpy loads it: matrices here are small, and xdist runs a test on every core.
os.environ |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}

import pytest
from hypothesis import HealthCheck, settings
from streamlit.testing.v1.element_tree import Markdown

from tests.shared import unmarked

collect_ignore = ["newcomers"]  # files that tests/house/test_how_to_add.py puts into a copy

# No deadline: machines differ by more than the time a case takes. No database: a run leaves no file.
# Derandomized: a law that fails here fails everywhere.
settings.register_profile(
    "lab", deadline=None, database=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("lab")

MAIN = sys.modules["__main__"]
# Tests that walk everything there is, a case each, and which of them a commit runs: so many, or those with this name.
# The others are marked as wide.
CASES = {
    "test_a_bad_table_is_one_sentence_and_the_good_one_before_it_is_not_lost": 1,
    "test_a_bet_opens_reveals_and_goes": 2,
    "test_a_link_opens_the_question_and_another_one_the_truth": 3,
    "test_a_link_whose_columns_the_file_does_not_have_still_opens": 1,
    "test_a_missing_cell_of_a_nullable_column_is_missing_and_the_others_are_read": 2,
    "test_a_moment_that_is_not_there_is_named_and_no_moment_is_chosen": 2,
    "test_a_name_that_every_object_of_a_browser_knows_is_told_apart_from_it": 1,
    "test_a_page_in_one_file_opens_at_the_time_that_is_shown_with_the_same_film": 1,
    "test_a_page_stands_hostile_links": 2,
    "test_a_page_stands_random_turns": 2,
    "test_a_random_stop_of_a_lesson_is_the_film_of_the_server_to_the_byte": 3,
    "test_a_table_that_is_not_what_it_seems_offers_a_switch_and_races_with_it": 1,
    "test_a_value_that_is_not_allowed_is_dropped_and_named": 2,
    "test_a_word_that_cannot_be_read_is_named_and_the_page_opens": 3,
    "test_an_address_answers_with_the_film_of_the_scene_that_the_page_draws": 1,
    "test_both_buttons_stand_in_one_place_on_every_lesson": 4,
    "test_both_ends_of_every_control_play_and_reveal": 1,
    "test_each_dot_opens_the_world_whose_number_it_shows": 1,
    "test_every_chart_has_a_data_table_with_its_points": 3,
    "test_every_chart_of_a_page_is_in_the_snapshot_with_its_words_and_its_caption": 3,
    "test_every_chart_of_an_opening_is_read_as_it_was_drawn": 3,
    "test_every_page_ends_with_the_lesson_before_and_the_next": 4,
    "test_every_term_that_a_page_uses_is_marked_once": 4,
    "test_many_draws_have_the_mean_and_covariance_of_the_dense_posterior": 2,
    "test_no_text_of_any_page_is_translated_by_halves": 2,
    "test_no_worker_outlives_a_server_that_is_killed": 1,
    "test_results_that_a_lost_cluster_was_about_to_bring_are_computed_here": 1,
    "test_the_best_regularisers_are_found_and_never_promise_more_than_the_curve": 3,
    "test_the_drawer_offers_every_figure_and_the_page_and_the_pack": 3,
    "test_the_file_of_a_question_holds_the_film_that_ends_there_and_no_word_of_the_answer": 4,
    "test_the_file_of_a_reveal_says_of_each_answer_whether_it_is_right": 3,
    "test_the_hands_of_a_hall_stand_beside_the_truth_and_in_its_link": 2,
    "test_the_line_of_the_share_drawer_opens_the_page_as_it_stands": 2,
    "test_the_link_of_a_page_opens_the_same_page_in_another_session": 3,
    "test_there_is_no_task_in_a_course_at_a_bet_or_where_a_link_hides_it": 4,
    "test_what_is_asked_is_one_state_whatever_the_link_says_beside_it": 2,
    "test_what_is_no_table_is_told_so_in_one_sentence_before_anything_else": 2,
    "test_without_any_control_a_page_shows_the_same_figures": 4,
}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark as wide what CI leaves to the night: of each test in `CASES` all other cases."""
    found: dict[str, list[pytest.Item]] = {name: [] for name in CASES}
    for item in items:
        found.get(item.name.partition("[")[0], []).append(item)
    for name, cases in found.items():
        few = CASES[name]
        spread = {i * len(cases) // few for i in range(few)} if isinstance(few, int) else ()
        for i, item in enumerate(cases):
            if i not in spread and not (isinstance(few, str) and few in item.name):
                item.add_marker(pytest.mark.wide)


@pytest.fixture(autouse=True, scope="session")
def texts_are_read_without_marks() -> Iterator[None]:
    """Markdown and captions are read as a reader does, a marked term as a word."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Markdown, "value", property(lambda text: unmarked(text.proto.body)))
        yield


@pytest.fixture(autouse=True)
def the_main_module_stays() -> Iterator[None]:
    """Streamlit's test driver makes its script the main module; a process started later would run that script.

    Put back on both sides of a test: a page's script that outlives its test sets it once more.
    """
    sys.modules["__main__"] = MAIN
    yield
    sys.modules["__main__"] = MAIN


def pytest_sessionfinish() -> None:
    """End the workers: the interpreter would wait for every run that a page has left under way."""
    if "shell.runs" in sys.modules:
        sys.modules["shell.runs"].RUNS.close()
