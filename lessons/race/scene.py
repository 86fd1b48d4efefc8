"""The picture of the race: the two worlds with their ranks, the places that are asked, and the tables below."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from figures.film import Film
from figures.frames import FilmFrames, choose_frames
from figures.theme import Theme
from lessons.race import claims, figure, figure_details, model, words
from lessons.race.indices import Indices, indices
from lessons.race.model import Race
from lessons.record import DATA, Pick, Picture, Scene, Values, of_all
from lessons.shared import problems
from lessons.shared.policies import FAMILIES, coloured, guests
from lessons.shared.stored_runs import FILE, StoredPlan, played
from lessons.shared.wording import left_out, product

ALT = "Ranks of all algorithms by regret so far, a column a world"
QUESTION_ALT = "Regret so far of four algorithms in a jumping world"
OF_THE_BET = ("gp", "rnd", "tv", "wgp")  # its answers
HEIGHT = {False: 400, True: 560}  # of the curves below the stage, normal and in lecture type


def question_scene(values: Values, t: int, theme: Theme) -> Scene:
    """Return what the bet's question shows: the race as far as time t.

    Raises:
        ValueError: a world that cannot be, or nobody can race in it.
    """
    setting = model.setting_from(dict(values) | {"algos": OF_THE_BET})
    race = _raced(model.gather(setting, played(model.jobs(setting))))
    lane = race.lanes[-1].until(t)
    board = RaceShared(replace(race, lanes=(lane,)), lane.names[:1], theme)

    def stage(at: int) -> Film:
        return figure.regret((lane,), board.titles, lane.names, (), board.ticks, theme, at)

    made = scene_of(values, board.race, theme, "all")
    return replace(made, films={"main": Picture(stage, QUESTION_ALT)}).without_answer(t)


def _raced(race: Race | None) -> Race:
    if race is None or not race.lanes:
        raise ValueError(" ".join(left_out(race.refused)) if race else words.WAIT)
    return race


def scene_of(values: Values, found: Race | None, theme: Theme, mark: str) -> Scene:
    """Return the scene of a race as far as it has come.

    Args:
        mark: which runs are there.
    Raises:
        ValueError: nothing has come yet, or nobody can race.
    """
    race = _raced(found)
    names = race.lanes[0].names
    pins = tuple(dict.fromkeys(name for name in (*FAMILIES, *names) if name in names))[:2]
    board, odds = RaceShared(race, pins, theme), claims.odds_of(race.setting)
    ticks = board.ticks
    title, lane = board.titles[-1], race.lanes[-1]
    shown = max(1, len(left_out(race.refused)))  # notes on the stage; the others stand with the curves

    def lost() -> list:
        return [model.lost_for_good(race.setting, one) for one in race.lanes]

    return Scene(
        state=(race.setting, mark, pins),
        times=ticks.times,
        films={
            "main": Picture(
                lambda at: figure.stage(race.lanes, board.titles, board.leaders, ticks, theme, at),
                ALT,
                pick=Pick(),
            ),
            "curves": Picture(
                lambda at: figure.regret(
                    race.lanes,
                    board.titles,
                    board.coloured,
                    pins,
                    ticks,
                    theme,
                    at,
                    HEIGHT[theme.lecture],
                ),
                "Regret so far of every algorithm in each world",
                "Regret against time",
                lambda frame: " ".join((words.lines(race, pins), *words.notes(race, lost())[shown:])),
                pick=Pick("customdata", along=("x", "x2")[: len(race.lanes)]),
            ),
            "looks": Picture(
                lambda at: figure_details.queries(lane, pins, ticks, theme, at, 380 if theme.lecture else 270),
                "Queries of two algorithms over the reward of every action and time",
                "Where two algorithms query",
                lambda frame: f"{title}, seed {lane.world.seed}. {words.QUERIES}",
                Pick("customdata"),  # a click chooses the time
            ),
            "indices": Picture(
                lambda at: figure_details.indices(board.indices, lane, ticks, theme, at, 460 if theme.lecture else 360),
                "Six curves of one set of observations, each that one algorithm maximises, with their highest points",
                "Where would each query now",
                lambda frame: f"{title}, seed {lane.world.seed}. {words.INDICES}",
            ),
        },
        says=of_all(lambda: words.finding(race, ticks.rows)),
        facts=lambda at: model.facts(race, board.titles, ticks.rows[at]),
        label=ticks.label,
        events=sorted({ticks.frame(row + 1) for one in race.lanes for row in one.stops}),
        caption=words.caption(race),
        notes=lambda frame: words.notes(race, lost())[:shown],
        odds=claims.strip(odds, race) if odds else "",
        tables={DATA: lambda frame: model.table(race, board.titles)},
        reset=(ticks.horizon,),
    )


RUNS = StoredPlan(
    setting=model.setting_from,
    jobs=model.jobs,
    what=lambda s: product((s.seeds, "seed"), (len(s.methods), "method"), (len(s.worlds), "world")),
    gather=model.gather,
    scene_of=scene_of,
    file=FILE,
    long_seconds=12.0,
    ready=lambda values, compute: [problems.problem(stage) for stage in model.setting_from(values).stages],
    starter=model.starter,
    display_key=lambda setting, results: (
        len(model.whole_seeds(setting, results)),
        bool(results),
        model.guests_through(setting, results),
    ),
)


@dataclass(frozen=True, eq=False)
class RaceShared:
    """Parts that several pictures of one race share, each computed on first use."""

    race: Race
    pins: tuple[str, ...]
    theme: Theme

    @cached_property
    def titles(self) -> list[str]:
        return words.titles([lane.world for lane in self.race.lanes])

    @property
    def leaders(self) -> tuple[str, ...]:
        """Return whom the sentence compares: the leaders of the first and the last world at the end; and the guests."""
        lanes = self.race.lanes
        compared = words.AGAINST_RANDOM if words.faces_random(self.race) else [lane.at_place(1, -1) for lane in lanes]
        return tuple(dict.fromkeys([*compared, *guests(lanes[0].names)]))

    @cached_property
    def coloured(self) -> tuple[str, ...]:
        return coloured(self.race.lanes[0].names, self.pins)

    @cached_property
    def ticks(self) -> FilmFrames:
        """The rounds that become frames: by the worlds alone, so that they stay the same while runs come in."""
        jumps = [row for lane in self.race.lanes for row in lane.jumps]
        lane = self.race.lanes[0]
        every = choose_frames(lane.horizon, jumps, most=150)
        return FilmFrames(tuple(row for row in every.rows if row < lane.visible_rounds), lane.horizon)

    @cached_property
    def indices(self) -> Indices:
        return indices(self.race.setting, self.race.lanes[-1].world, self.ticks.rows)
