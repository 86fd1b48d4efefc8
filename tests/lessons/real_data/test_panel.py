"""The race on its page: one call to a worker or one a step, with the same results as a race played in place."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import replace

import numpy as np

from lessons.real_data import panel, upload
from tests.lessons.real_data.own_table import SETTING, checked, run


def test_long_trial_gives_the_same_in_steps(monkeypatch):
    asked, said, kept = [], [], OrderedDict()

    def computed(function, *arguments, seconds=0.0, own=False):
        asked.append(function.__name__)
        return function(*arguments)

    monkeypatch.setattr(panel, "computed", computed)
    monkeypatch.setattr(upload, "own_results", lambda: kept)
    walk = np.cumsum(np.random.default_rng(2).normal(size=(80, 3)), axis=0)
    own = checked(walk)
    short = panel.race(SETTING, own, lambda text, share: None)
    assert asked == ["everything"]
    panel.race(SETTING, own, lambda text, share: None)
    fewer = panel.race(replace(SETTING, seeds=2), own, lambda text, share: None)
    assert asked == ["everything"]  # all is kept, and fewer seeds are the first of the four
    for name, curves in short.total.items():
        np.testing.assert_array_equal(curves[:2], fewer.total[name])
    other = panel.race(replace(SETTING, memory=10), own, lambda text, share: None)
    assert asked == ["everything", "everything"] and other.learnt is short.learnt  # what is known travels
    kept.clear()
    asked.clear()
    monkeypatch.setattr(panel, "AT_ONCE_SECONDS", 0.0)
    long = panel.race(SETTING, own, lambda text, share: said.append((share, text)))
    assert asked == ["learn", *["runs"] * 6]
    assert [share for share, _ in said] == sorted(share for share, _ in said) and len(said) == 7
    assert said[0][1] == "Learning from the first part, then racing 4 seeds × 6 methods"
    in_place = run(walk)
    assert long.memories == short.memories == in_place.memories
    for name, curves in short.total.items():
        for same in (long, in_place):
            np.testing.assert_array_equal(curves, same.total[name])
            np.testing.assert_array_equal(short.looks[name], same.looks[name])
