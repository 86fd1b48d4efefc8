"""The settings of the lesson's script."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from lessons.chase.model import FIRST_TURN, STEPS, compares_noise, last_turn
from lessons.chase.setting import ChaseSetting, discount, setting_from
from lessons.shared import script as code


def recipe(values: Mapping[str, object], t: int) -> str:
    """Return a script for one round of each learner, from the band to the regret."""
    s = setting_from(values)
    rounds, game = s.world.horizon, s.game
    now, step = divmod(min(max(t, 0), rounds * len(STEPS) - 1), len(STEPS))
    asked = s.queries if game is None else tuple(enumerate(game.arms))
    return code.script(
        __file__,
        f"Chase the peak, round {now + 1} of {rounds}, {STEPS[step]}",
        [],
        settings=[
            code.world(s.world, "world"),
            f"t, paid, width = {now}, {now + (STEPS[step] == 'pay')}, {s.width}  # rows count from 0",
        ],
        asked=[_queries(asked)],
        learners=[code.mapping("learners", _learners(s))],
        turns=_turns(s),
        guided=bool(asked),
        quiet=compares_noise(s),
        scored=last_turn(s.queries, now),
    )


def _turns(s: ChaseSetting) -> list[str]:
    """Return the lines that name the plays whose regret in the reader's turns is compared."""
    yours, alone = (next(iter(_learners(one).values())) for one in (s, replace(s, queries=())))
    return [
        code.mapping("turns", {"your regret in your turns": yours, "the learner's regret in them": alone}),
        f"first = {FIRST_TURN - 1}  # row of your first turn",
    ]


def _queries(queries: Sequence[tuple[int, int]]) -> str:
    """Return the reader's queries as source."""
    rows, end = [row for row, _ in queries], "  # your queries: row -> arm"
    if len(rows) > 1 and rows == [*range(rows[0], rows[0] + len(rows))]:
        return code.call("asked = dict(enumerate([", [f"{arm}" for _, arm in queries], f"], {rows[0]})){end}")
    return code.call("asked = {", [f"{row}: {arm}" for row, arm in queries], f"}}{end}")


def _learners(s: ChaseSetting) -> dict[str, str]:
    """Return the name of each of two learners, or none, and its policy as source."""

    def source(memory: str, guided: bool) -> str:
        base, own = ("GPUCB", "") if memory == "all" else ("WGPUCB", f"{discount(memory)!r}, ")
        return f"{f'guided(tv.{base})' if guided else f'tv.{base}'}({own}width=width)"

    def label(memory: str) -> str:
        return f"{'keeps all' if memory == 'all' else 'forgets'} "

    if s.game is not None:
        return {label(s.memory): source(s.memory, False), "you ": source(s.memory, True)}
    memories = [s.memory, "all"] if s.beside else [s.memory]
    return {label(memory) if s.beside else "": source(memory, bool(s.queries)) for memory in memories}
