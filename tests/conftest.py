"""Put back all that a test leaves behind."""

from __future__ import annotations

import importlib.metadata
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


@pytest.fixture(autouse=True, scope="session")
def texts_are_read_without_marks() -> Iterator[None]:
    """Markdown and captions are read as a reader does, a marked term as a word."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Markdown, "value", property(lambda text: unmarked(text.proto.body)))
        yield


@pytest.fixture(autouse=True, scope="session")
def no_package_is_asked_for_components() -> Iterator[None]:
    """Streamlit's test driver looks through all installed packages for each page: a fifth of a second, for nothing."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(importlib.metadata, "distributions", lambda **_: ())
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
    if "shell.runs.runs" in sys.modules:
        sys.modules["shell.runs.runs"].RUNS.close()
