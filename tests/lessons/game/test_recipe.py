"""The script of a finished game prints everybody's place and regret; before the end there is none."""

from __future__ import annotations

import contextlib
import io
import re

import pytest

from lessons.game import model
from lessons.game.lesson import GAME
from lessons.game.model import Game, Setting
from lessons.game.recipe import recipe

LINE = re.compile(r"^(.*): place = (\d+), regret = (\d+\.\d+)$", re.MULTILINE)


def printed(script: str) -> str:
    heard = io.StringIO()
    with contextlib.redirect_stdout(heard):
        exec(compile(script, "script", "exec"), {"__name__": "__main__"})
    return heard.getvalue()


def test_the_game_has_a_script_once_it_is_over_and_not_before() -> None:
    values = GAME.settings({"rounds": 10, "noise": 0.2, "algos": ("rnd", "gp", "rperp")})
    setting = Setting(str(values["world"]), 10, 0.2)
    assert recipe(values, 9) is None and recipe(values, 9, Game(setting, (50,) * 9)) is None
    done = Game(setting, (50, 20, *range(60, 68)))
    script = recipe(values, 9, done)
    assert len(script.splitlines()) <= 25 and max(map(len, script.splitlines())) <= 110
    duel = model.finished(done, values["algos"], int(values["m"]), "best").duel
    said = LINE.findall(printed(script))
    assert [name for name, *_ in said] == duel.order
    assert [int(place) for _, place, _ in said] == [duel.place[name][-1] for name in duel.order]
    regrets = [float(duel.total[name][-1]) for name in duel.order]
    assert [float(regret) for *_, regret in said] == pytest.approx(regrets, abs=0.5e-4)  # four decimals are printed
