"""The lists of bands and policies say what is true of each, and a newcomer needs nothing but to be on them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import pytest

from tvbo_core import bands, trial
from tvbo_core.bands.base import Bound, Curves, FitAt, around
from tvbo_core.bands.coverage import draw_still_worlds, score
from tvbo_core.bands.over_time import films, first_miss
from tvbo_core.designs import play_rng
from tvbo_core.gp.memory import matched
from tvbo_core.kernels import Matern
from tvbo_core.play import play
from tvbo_core.policies import ALL, BY_NAME, SIDE_QUERIES, KernelUCB
from tvbo_core.records import World
from tvbo_core.worlds import make_problem

TOLD = {"c": 1.5, "ridge": 0.3, "eta": 0.02}
JUMPS = make_problem(World(kind="jumps", horizon=60, arms=12, seed=3))
POOL = np.linspace(0, 1, 21)[:, None]


@dataclass(frozen=True)
class WideAY(Bound):
    """A newcomer's band: Abbasi-Yadkori's at the regulariser sigma^2, with no shortcut declared."""

    slack: float = 1.0

    name: ClassVar[str] = "wide AY"

    def from_fits(self, fit_at: FitAt) -> Curves:
        fit = fit_at(self.sigma**2)
        return around(self, fit, self.slack * (self.B + np.sqrt(fit.log_det + self.log_delta)))


def test_registry_words_are_those_of_links() -> None:
    assert list(bands.ALL)[:5] == ["CMM", "DMM", "AMM", "AY", "IGP"]
    linked = ["rnd", "gp", "r", "sw", "wgp", "tv", "pe", "rperp", "opkb", "sparq", "wsparq"]
    assert list(ALL)[: len(linked)] == linked
    assert all(entry.word == word and BY_NAME[entry.name] is entry for word, entry in ALL.items())
    assert len({entry.title for entry in (*bands.ALL.values(), *ALL.values())}) == len(bands.ALL) + len(ALL)


@pytest.mark.parametrize("name", bands.ALL)
def test_bands_are_made_of_what_they_need(name: str) -> None:
    entry = bands.ALL[name]
    band = entry.make(2.0, 0.1, 0.05, **TOLD)
    assert type(band) is entry.band and (band.B, band.sigma, band.delta) == (2.0, 0.1, 0.05)
    assert [getattr(band, field) for field in entry.needs] == [TOLD[field] for field in entry.needs]
    with pytest.raises(ValueError, match=f"{name} has to be told {entry.needs[0]}"):
        entry.make(2.0, 0.1, 0.05)


@pytest.mark.parametrize("word", ALL)
def test_policies_need_what_their_line_says(word: str) -> None:
    entry = ALL[word]
    policy = entry.make(memory=20, width=1.5)
    assert type(policy) is entry.policy and hasattr(policy, "width") == entry.takes_width
    if entry.takes_width:
        assert policy.width == 1.5
    if entry.memory:
        assert getattr(policy, entry.memory) == getattr(matched(20), entry.memory)
        assert getattr(entry.make(), entry.memory) == "paper"
    assert hasattr(policy, "questions") == (SIDE_QUERIES in entry.needs)


def test_trials_race_every_policy_on_tables() -> None:
    assert tuple(entry.name for entry in ALL.values() if entry.on_tables) == trial.NAMES
    memories = trial.Memories(0.03, 40, 20, 0.95)
    for name in trial.NAMES:
        field = BY_NAME[name].memory
        assert not field or getattr(memories.policy(name), field) == getattr(memories, field)


def test_bands_without_shortcuts_are_counted_right() -> None:
    band = WideAY(2.4, 0.2, 0.1)
    assert band.matched_regulariser is None and band.ellipsoid_regulariser is None and band.outer(1.0) is None
    kernel = Matern(1.5, 0.2)
    drawn = draw_still_worlds(kernel, POOL, 15, 20, 3.0, 0.2, np.random.default_rng(2))
    for one in (band, replace(band, slack=0.1)):
        slow = 0
        for w, picks in enumerate(drawn.picks):
            film = films({"new": one}, kernel, POOL[picks], drawn.y[w], POOL)["new"]
            slow += first_miss(film, drawn.f[w]) is None
        count = score({"new": one}, drawn).counts["new"]
        assert (count.covered, count.worlds) == (slow, 20)
    fast, dense = (play(JUMPS, KernelUCB(band=band, dense=d), play_rng(1)).arms for d in (False, True))
    np.testing.assert_array_equal(fast, dense)
