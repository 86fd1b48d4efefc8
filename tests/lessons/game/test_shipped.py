"""The game without a server: its script hears, ranks and says what Python does, for random games in every world."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from lessons.game import figure, model, words
from lessons.game.duel import YOU
from lessons.game.knobs import BANDITS
from lessons.game.lesson import LESSON
from lessons.game.model import FinishedGame, Game
from lessons.game.scene import shipped
from lessons.record import ROOT
from lessons.shared.codes import ARMS
from lessons.shared.wording import counted
from tests.lessons.game.games import TELLING, board_of, whole
from tests.node import node
from tvbo_core.policies import BY_NAME

SCRIPT = Path(__file__).resolve().parents[2] / "js" / "ending.js"
ROW = re.compile(r'<tr(?: class="(\w*)")?><td>(\d+)</td><th[^>]*>([^<]+)</th>.*?</i> ([\d.]+)<')
VALUES = LESSON.settings({})
GAMES = 11  # random ones a world


class Played(NamedTuple):
    world: dict
    game: Game
    done: FinishedGame
    said: dict

    @property
    def challenge(self) -> str:
        """Return how the reward moves, by the choice of the player."""
        chosen = {one.key: one.values["challenge"] for one in LESSON.moments}
        return chosen.get(self.world.get("key"), VALUES["challenge"])


def questions(game: Game, rng: np.random.Generator) -> list[tuple[int, ...]]:
    """Return random games, some near the best action, and those of two bandits, who are your equals then."""
    best, T = model.problem(game.setting).best, game.setting.rounds
    near = [np.clip(best + rng.integers(-k, k + 1, T), 0, ARMS - 1) for k in (0, 2, 10, 15, 18, 20, 25, 30)]
    far = [rng.integers(0, ARMS, T) for _ in range(GAMES - len(near))]
    field, _ = model.field(game.setting)
    theirs = [field.histories[name].arms for name in ("GP-UCB", "Random")]
    return [tuple(int(arm) for arm in arms) for arms in (*near, *far, *theirs)]


@pytest.fixture(scope="module")
def played_games(tmp_path_factory: pytest.TempPathFactory) -> list[Played]:
    rng, games = np.random.default_rng(0), []
    for world in (
        *LESSON.offline_worlds(),
        shipped(VALUES | {"noise": 1.0}),
    ):  # the last one is louder than any on the site
        code, rounds, noise, _ = world["name"].split("-")
        empty = Game(model.GameSetting(code, int(rounds), float(noise)), guess="")
        assert empty.name == world["name"]
        games += [(world, Game(empty.setting, arms, guess="")) for arms in questions(empty, rng)]
    file = tmp_path_factory.mktemp("games") / "games.json"
    file.write_text(json.dumps([[world, game.arms] for world, game in games]), encoding="utf-8")
    said = json.loads(node(SCRIPT, file))
    finished = [model.finished(game) for _, game in games]
    return [Played(*pair, done, one) for pair, done, one in zip(games, finished, said, strict=True)]


def test_rounds_say_what_the_server_says(played_games: list[Played]) -> None:
    for one in played_games:
        for n, said in enumerate(one.said["rounds"]):
            (chart,) = said["charts"]
            theirs = whole(Game(one.game.setting, one.game.arms[:n]), len(BANDITS), one.challenge)
            chart["pick"] = theirs["charts"][0]["pick"] | chart["pick"]
            assert said | {"arrays": []} == theirs
            assert one.challenge != "secret" or not TELLING.search(json.dumps(board_of(said)))


def test_end_says_of_the_world_what_it_is(played_games: list[Played]) -> None:
    for one in played_games:
        assert one.world["moved"] == words.moved(one.done)
        assert one.world["caption"] == words.caption(one.done)
        assert one.world["rules"] == words.status(Game(one.game.setting), [], len(BANDITS), one.challenge)
        assert one.challenge != "secret" or not TELLING.search(one.world["rules"])
    kinds = {one.game.setting.world.kind for one in played_games}
    assert kinds >= {"still", "glide", "jumps"}


def test_ladder_and_verdict_are_those_of_the_lab(played_games: list[Played]) -> None:
    mine = set()
    for one in played_games:
        d, order, ladder = one.done.duel, one.said["order"], one.said["ladder"]
        assert [row["name"] for row in order] == d.order
        assert [row["place"] for row in order] == [d.place[name][-1] for name in d.order]
        assert [row["regret"] for row in order] == pytest.approx([d.total[name][-1] for name in d.order], abs=1e-9)
        assert one.said["verdict"] == words.verdict(one.done)
        rows = [(str(d.place[n][-1]), n, figure.regret_text(d.total[n][-1])) for n in d.order]
        assert [row[1:] for row in ROW.findall(ladder)] == rows
        assert [name for kind, _, name, _ in ROW.findall(ladder) if kind == "you"] == [YOU]
        does = re.findall(r'<td class="does">([^<]*)</td>', ladder)
        assert does == ["" if n == YOU else BY_NAME[n].does for n in d.order]
        assert not re.search("NaN|undefined", one.said["hills"])
        mine.add(int(d.place[YOU][-1]))
    assert mine >= {1, 2, 3, 12} and len(played_games) == (GAMES + 2) * 7


def test_hosting_counts_the_shipped_worlds(played_games: list[Played]) -> None:
    worlds = {one.world["key"] for one in played_games if "key" in one.world}
    hosting = (ROOT / "docs" / "hosting.md").read_text(encoding="utf-8")
    assert f"the game in {counted(len(worlds))} worlds;" in hosting
