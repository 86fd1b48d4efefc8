"""The scene of the lesson: its film, what a click and a handle do there, and its words."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, partial
from pathlib import Path

from figures.theme import Theme
from lessons.chase import claims, figure, model, words
from lessons.chase.figure_layout import CHOOSE, PAY
from lessons.chase.model import STEPS
from lessons.chase.setting import ARMS, setting_from
from lessons.record import DATA, Ask, Handles, Pick, Picture, Rounds, Scene, Values, of_all
from lessons.shared import hills
from lessons.shared.reshaped import HANDLES, MOST, UNIT

LASTING = (620, 480, 620, 720)  # milliseconds of each step
SLOW, BRISK = 3, 600  # rounds that are played so slowly that each step is seen, and milliseconds of a later one


def scene(values: Values, theme: Theme) -> Scene:
    """Return the scene of these knob values.

    Raises:
        ValueError: a world that cannot be.
    """
    return scene_of(model.chase(setting_from(values)), bool(values["unseen"]), theme, bool(values["reshape"]))


def frame(values: Values, t: int, theme: Theme) -> Scene:
    """Return frame t alone; all rounds are played in a few hundredths of a second.

    Raises:
        ValueError: a world that cannot be.
    """
    film = model.chase(setting_from(values))
    one = min(max(t, 0), film.frames - 1)
    return scene_of(film, bool(values["unseen"]), theme, bool(values["reshape"]), (one,))


def question_scene(values: Values, t: int, theme: Theme) -> Scene:
    """Return what the bet's question shows: the rounds as far as that of frame t.

    Raises:
        ValueError: a world that cannot be.
    """
    film = model.chase(setting_from(values))
    rounds = min(max(t, 0), film.frames - 1) // len(STEPS) + 1
    return scene_of(model.until(film, rounds), bool(values["unseen"]), theme).without_answer(t)


def scene_of(film: model.Chase, unseen: bool, theme: Theme, bending: bool = False, frames: Sequence[int] = ()) -> Scene:
    """Return the scene of a film, or of some of its frames, with the handles of its hill while it is reshaped."""
    bending, frames = bending and film.setting.game is None, frames or range(film.frames)
    odds, label = claims.odds_of(film.setting, unseen), of_all(lambda: words.labels(film))
    stage = partial(figure.stage, film, unseen, frames, theme, bending=bending)
    return Scene(
        state=(film.setting, unseen, bending),
        times=frames,
        films={"main": Picture(stage, words.ALT, pick=pick(film, unseen, bending), screens=(len(film.learners), 0))},
        says=lambda at: words.sentence(film, unseen, frames[at]),
        facts=lambda at: model.facts(film, frames[at]),
        label=lambda at: label(frames[at]),
        events=range(PAY, film.frames, len(STEPS)),
        odds=claims.strip(odds, film.setting.seed)
        if odds
        else claims.line_of(film.setting, unseen) or words.game_line(film),
        caption=words.caption(film),
        tables={DATA: lambda at: model.table(film)},
        rounds=Rounds(steps(), LASTING, SLOW, BRISK),
    )


def pick(film: model.Chase, unseen: bool, bending: bool) -> Pick:
    """Return what a click and a handle do on the stage; in a finished game nothing."""
    setting = film.setting
    if setting.game is not None:
        return Pick()
    panels = ["" if i == 0 else str(i + 1) for i in range(len(film.learners))]
    if not bending:
        return Pick(ask=Ask("asked", tuple(f"x{panel}" for panel in panels), ARMS, answer_frames(film, unseen)))
    axes, places = tuple(f"y{panel}" for panel in panels), tuple(map(float, HANDLES[:, 0]))
    shapes = {"start": setting.start, "end": setting.end} if film.moves else {"start": setting.start}
    return Pick(
        handles={
            key: Handles(axes, places, tuple(map(float, film.heights(i))), numbers, UNIT, MOST, hills.DRAWN)
            for i, (key, numbers) in enumerate(shapes.items())
        }
    )


def answer_frames(film: model.Chase, unseen: bool) -> tuple[int, int] | None:
    """Return the frames from and to which the reader's last query and its regret play, None without one.

    Where the hill is hidden it goes on to the reader's next turn, until the score.
    """
    asked = film.setting.queries
    if not asked:
        return None
    row, _ = asked[-1]
    over = model.last_turn(asked, row)
    begin = len(STEPS) * row + CHOOSE
    return begin, min(begin + (len(STEPS) if unseen and not over else PAY - CHOOSE), film.frames - 1)


@cache
def steps() -> tuple[str, ...]:
    """Return the names of the steps, each with its picture (HTML)."""
    return tuple((Path(__file__).parent / "steps.html").read_text(encoding="utf-8").splitlines())
