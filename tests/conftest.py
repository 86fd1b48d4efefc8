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
    "test_best_regularisers_are_found_in_ill_conditioned_cases": 3,
    "test_link_with_columns_too_far_still_opens": 1,
    "test_names_of_browser_objects_are_told_apart": 1,
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
