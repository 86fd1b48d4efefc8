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
    "test_bad_table_is_one_sentence": 1,
    "test_a_bet_opens_reveals_and_goes": 2,
    "test_a_chart_shows_a_fact_where_it_says_so": "opening",  # of every lesson
    "test_a_damaged_code_is_one_sentence_and_the_nearest_thing_is_the_hill_as_drawn": 2,
    "test_a_link_opens_the_question_and_another_one_the_truth": 3,
    "test_a_link_to_a_statement_opens_on_its_telling_place_with_its_own_knobs": 4,
    "test_link_with_columns_too_far_still_opens": 1,
    "test_a_link_with_nonsense_opens_the_default_page_and_one_toast_names_each_value": 3,
    "test_a_missing_package_is_one_sentence_with_the_command": 4,
    "test_a_moment_by_link_is_the_moment_by_click": 1,
    "test_a_moment_is_the_same_twice": 4,
    "test_a_moment_sets_every_control_whatever_was_chosen_before": 1,
    "test_a_moment_that_is_not_there_is_named_and_no_moment_is_chosen": 2,
    "test_names_of_browser_objects_are_told_apart": 1,
    "test_a_page_at_either_end_of_any_control_shows_a_figure_or_says_why": 1,
    "test_a_page_in_one_file_opens_at_the_time_that_is_shown_with_the_same_film": 1,
    "test_a_page_stands_hostile_links": 2,
    "test_a_page_stands_random_turns": 2,
    "test_a_random_stop_of_a_lesson_is_the_film_of_the_server_to_the_byte": 3,
    "test_a_sample_of_seeds_played_again_gives_the_shipped_numbers": 5,
    "test_a_script_prints_the_facts_of_its_frame_under_their_names": "opening",  # of every lesson
    "test_a_setting_given_twice_is_named_and_dropped": 2,
    "test_a_slice_of_every_stored_result_comes_out_again": 6,
    "test_a_small_slice_of_every_experiment_runs_to_its_end": 5,
    "test_a_time_beyond_the_film_opens_at_its_end": 3,
    "test_a_value_between_two_stops_of_a_slider_opens_on_the_nearest_stop": 2,
    "test_a_value_that_is_not_allowed_is_dropped_and_named": 2,
    "test_a_word_that_cannot_be_read_is_named_and_the_page_opens": 3,
    "test_an_address_answers_with_the_film_of_the_scene_that_the_page_draws": 1,
    "test_an_experiment_takes_under_a_second_and_is_the_same_for_the_same_setting": 6,
    "test_an_idle_knob_changes_neither_stage_nor_sentence_and_any_other_something": 6,
    "test_both_buttons_stand_in_one_place_on_every_lesson": 4,
    "test_both_ends_of_every_control_are_drawn_and_said_without_a_nan": 8,
    "test_both_ends_of_every_control_play_and_reveal": 1,
    "test_each_dot_opens_the_world_whose_number_it_shows": 1,
    "test_every_chart_has_a_data_table_with_its_points": 3,
    "test_every_chart_of_a_page_is_in_the_snapshot_with_its_words_and_its_caption": 3,
    "test_every_chart_of_an_opening_is_read_as_it_was_drawn": 3,
    "test_every_page_ends_with_the_lesson_before_and_the_next": 4,
    "test_every_place_of_every_sweep_is_said_and_labelled_in_whole_words": 12,
    "test_every_scene_is_a_sound_film": 100,
    "test_every_stored_reproduction_prints_its_facts_and_one_repetition_that_is_the_stored_one": 2,
    "test_every_table_of_real_rewards_opens": 4,
    "test_every_term_that_a_page_uses_is_marked_once": 4,
    "test_extreme_numbers_give_one_sentence_and_never_a_nan": 8,
    "test_no_name_hides_another_at_any_place": 8,
    "test_no_text_of_any_page_is_translated_by_halves": 2,
    "test_no_worker_outlives_a_server_that_is_killed": 1,
    "test_results_that_a_lost_cluster_was_about_to_bring_are_computed_here": 1,
    "test_best_regularisers_are_found_in_ill_conditioned_cases": 3,
    "test_the_drawer_offers_every_figure_and_the_page_and_the_pack": 3,
    "test_the_drawers_open_and_hold_words_and_numbers": 3,
    "test_the_file_of_a_question_holds_the_film_that_ends_there_and_no_word_of_the_answer": 4,
    "test_the_file_of_a_reveal_says_of_each_answer_whether_it_is_right": 3,
    "test_the_first_and_the_last_entry_of_every_board_open_by_link": 4,
    "test_the_hands_of_a_hall_stand_beside_the_truth_and_in_its_link": 2,
    "test_the_line_of_the_share_drawer_opens_the_page_as_it_stands": 2,
    "test_the_link_of_a_page_opens_the_same_page_in_another_session": 3,
    "test_the_link_to_exactly_this_opens_exactly_this": 1,
    "test_the_world_travels_from_page_to_page": 1,
    "test_there_is_no_task_in_a_course_at_a_bet_or_where_a_link_hides_it": 4,
    "test_what_a_page_ordered_goes_with_its_reader_although_the_session_remembers_its_buttons": 1,
    "test_what_is_asked_is_one_state_whatever_the_link_says_beside_it": 2,
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
