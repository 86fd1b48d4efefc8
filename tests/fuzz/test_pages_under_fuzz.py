"""Every page by hostile links: no exception, no NaN, no empty axis, no answer over five seconds.

Short form in every run; the long one: `python -m pytest -m wide tests/fuzz` (about `LINKS` links a page; TVBO_FUZZ_SEED
shifts all of its seeds). A failure names the page and the link. tests/lessons/test_pages.py turns every control.
"""

from __future__ import annotations

import os

import numpy as np
import pytest

from tests.fuzz.hostile import answer, link, report
from tests.lessons.test_pages import EVERY, HAS, PAGES, QUICK

LINKS = 120
SHIFT = int(os.environ.get("TVBO_FUZZ_SEED", "0"))


def rng_of(page: str, number: int) -> np.random.Generator:
    return np.random.default_rng([SHIFT, EVERY.index(page), number])


def by_links(page: str, numbers: range, strange: float, small: bool = False) -> list[str]:
    found = []
    for number in numbers:
        params = link(page, rng_of(page, number), strange, small)
        _, faults = answer(page, params)
        found += [report(page, [repr(params)], faults)] if faults else []
    return found


FIRST = ("pages/Drifting_rewards.py",)  # of the first ring; the second has every page


@pytest.mark.parametrize("page", [pytest.param(p, marks=() if p in FIRST else pytest.mark.slow) for p in EVERY])
def test_page_stands_hostile_links_and_seeds(page: str) -> None:
    count = 1 if page in QUICK else 4
    found = by_links(page, range(count), strange=0.5, small=True)
    if page in PAGES and page not in QUICK and "seed" in HAS[page]:
        for seed in (HAS[page]["seed"].low, HAS[page]["seed"].high):
            found += answer(page, {"seed": f"{seed:g}"})[1]
    assert found == []


@pytest.mark.wide
@pytest.mark.parametrize("page", EVERY)
def test_page_stands_many_hostile_links(page: str) -> None:
    assert by_links(page, range(2, LINKS), strange=0.3) == []
