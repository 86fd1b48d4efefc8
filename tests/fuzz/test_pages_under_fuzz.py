"""Every page by hostile links and random turns: no exception, no NaN, no empty axis, no answer over five seconds.

Short form in every run; the long one: `python -m pytest -m wide tests/fuzz` (about `LINKS` links and `TURNS` turns a
page; TVBO_FUZZ_SEED shifts all of its seeds). A failure names the page and what was done, so it can be repeated.
"""

from __future__ import annotations

import os

import numpy as np
import pytest

from tests.fuzz.hostile import STRANGE, answer, link, report, turned
from tests.lessons.test_pages import EVERY, HAS, PAGES, QUICK, opened, settled, unfolded

LINKS, TURNS = 120, 80
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


def by_turns(page: str, walk: int, turns: int) -> list[str]:
    rng, found, done = rng_of(page, 10_000 + walk), [], []
    at = settled(unfolded(opened(page, **QUICK.get(page, {}))))
    for _ in range(turns):
        said, faults = turned(at, page, rng)
        done.append(said)
        settled(at)
        if faults:
            found.append(report(page, done, faults))
            break
    return found


FIRST = ("pages/Drifting_rewards.py", "pages/R_PERP.py")  # of the first ring; the second has every page


@pytest.mark.parametrize("page", [pytest.param(p, marks=() if p in FIRST else pytest.mark.slow) for p in EVERY])
def test_page_stands_hostile_links_turns_and_seeds(page: str) -> None:
    count = 1 if page in QUICK else 4
    found = by_links(page, range(count), strange=0.5, small=True)
    if page in PAGES:
        found += by_turns(page, 0, count)
    if page in PAGES and page not in QUICK and "seed" in HAS[page]:
        knob = HAS[page]["seed"]
        for seed in (0, 999_999):
            found += answer(page, {"seed": f"{min(max(seed, knob.low), knob.high):g}"})[1]
    assert found == []


@pytest.mark.wide
@pytest.mark.parametrize("page", EVERY)
def test_page_stands_many_hostile_links(page: str) -> None:
    assert by_links(page, range(2, LINKS), strange=0.3) == []


@pytest.mark.wide
@pytest.mark.parametrize("page", EVERY)
def test_page_stands_strange_texts_everywhere_at_once(page: str) -> None:
    found = []
    for raw in STRANGE:
        _, faults = answer(page, dict.fromkeys([*HAS[page], "t", "moment", "lecture"], raw))
        found += [report(page, [repr(raw)], faults)] if faults else []
    assert found == []
