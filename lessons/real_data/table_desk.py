"""A reader's own table where no server is: what the page of files shows of it, and its race, step by step."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

from figures.theme import Theme
from lessons.real_data import model, own_table, words
from lessons.real_data.knobs import choices_text
from lessons.real_data.model import OWN, RealDataSetting, Step, Trial
from lessons.real_data.own_table import OwnTable, Rows, mark_of
from lessons.real_data.reading.limits import MAX_ARMS, MAX_BYTES
from lessons.real_data.reading.reader import read
from lessons.real_data.scene import scene_of
from lessons.real_data.tables import Cells
from lessons.record import Scene

LONG_SECONDS = 10.0  # what takes longer waits for a button
ENDS = 3  # steps of a race beside its methods: the parts, what the first says, and what all comes to


@dataclass
class Race:
    """A race on the reader's table, as far as it has come.

    Attributes:
        of: number of its steps.   done: of them.   made: result of the last one.   trial: once it is played.
        seconds: that it is expected to take.   refused: why it cannot be, in one sentence.
    """

    setting: RealDataSetting
    todo: Generator[Step, Any, Trial]
    of: int
    seconds: float
    done: int = 0
    made: Any = None
    trial: Trial | None = None
    refused: str = ""
    began: float = field(default_factory=monotonic)


class TableDesk:
    """The table of a reader, whose browser computes everything.

    Attributes:
        table: what is kept of it.   race: the last one on it.
    """

    def __init__(self) -> None:
        self.table = OwnTable()
        self.race: Race | None = None

    def take(self, values: Mapping[str, Any], name: str, raw: bytes) -> dict[str, str]:
        """Return the words that a link has once a file was read, none where it is refused; "" is the example."""
        example = ("example_table.csv", own_table.EXAMPLE.read_bytes())
        name, raw = (name, raw) if name else example
        return self.table.take(raw, name, values, read)

    def choose(self, values: Mapping[str, Any], name: str, value: object) -> dict[str, str]:
        """Return the words that a link has after a choice."""
        return {"choices": choices_text(own_table.with_choice(self.table.said(values), name, value))}

    def accept(self, values: Mapping[str, Any], accepted: bool) -> dict[str, str]:
        """Race on the table, or return to its steps."""
        self.table.accepted, self.table.problem = str(values["file"]) if accepted else None, None
        return {}

    # ---------------------------------------------------------------- what the page shows

    def page(self, values: Mapping[str, Any], paused: bool, text: Callable[[str], str]) -> dict[str, Any]:
        """Return what stands on the page beside the answer of a state, nothing where it is of a shipped table.

        Args:
            paused: whether the answer has no scene.   text: returns Markdown as the host shows it.

        Returns:
            "table": see `_steps`, and "racing", a line on the table that races; "waits" and "refused" of the answer.
        """
        if values["table"] != OWN:
            return {}
        found, cells = self._steps(values), self._cells(values)
        if cells is None:
            return {"table": found}
        loaded, race = self.table.racing(cells, values), self._race(values)
        if loaded is None:
            return {"table": found, "refused": ""}
        found["racing"] = words.accepted(loaded)
        refused = text(race.refused) if race else ""
        return {"table": found, "refused": refused} | ({"waits": self._waits(values)} if paused and not refused else {})

    def _steps(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Return the steps from a file to rounds: "shape", "private", "problem", "most" (bytes of a file); where there
        is one also "name", "file" and "rounds" (see `own_table.file_rows`), "checks" ([holds, sentence]), "unusable"
        (why there are no rounds) and "form" (fields of `own_table.Field`).
        """
        said = {"shape": words.SHAPE, "private": words.AT_HOME, "problem": self.table.problem, "most": MAX_BYTES}
        if (cells := self._cells(values)) is None:
            return said
        loaded = self.table.loaded(cells, values)
        rounds = own_table.round_rows(loaded)
        return said | {
            "name": cells.name,
            "file": _table(own_table.file_rows(cells, loaded)),
            "rounds": rounds and _table(rounds),
            "checks": [[check.ok, check.sentence] for check in loaded.checks],
            "unusable": loaded.problem,
            "right": words.RIGHT if rounds else "",
            "form": [vars(one) | {"options": [[*pair] for pair in one.options.items()]}
                     for one in own_table.form(cells, loaded)],
            "arms": MAX_ARMS,
        }  # fmt: skip

    def _cells(self, values: Mapping[str, Any]) -> Cells | None:
        """Return the cells of the file that a link names; None where another one, or none, is here."""
        if self.table.cells is None or mark_of(self.table.cells) != values["file"]:
            return None
        return self.table.cells_as(self.table.said(values), read)

    # ---------------------------------------------------------------- its race

    def _race(self, values: Mapping[str, Any]) -> Race | None:
        """Return the race of these values, begun with the first call; None where none is asked for."""
        cells = self._cells(values) if values["table"] == OWN else None
        loaded = cells and self.table.racing(cells, values)
        if not loaded or not loaded.table:
            return None
        setting, methods = model.setting_from(values, loaded), len(values["algos"])
        if self.race is None or self.race.setting != setting:
            seconds = model.seconds(loaded.table, model.LEARNING_RUNS + setting.seeds * methods)
            self.race = Race(setting, model.steps(setting, loaded.table), ENDS + methods, seconds)
        return self.race

    def _waits(self, values: Mapping[str, Any]) -> dict[str, Any] | None:
        """Return what the page waits for, as `answers.page.waiting` does."""
        race = self._race(values)
        if race is None or race.trial is not None:
            return None
        left = {"jobs": race.of - race.done, "of": race.of, "what": words.size(race.setting), "seconds": race.seconds}
        return left | {"asks": race.seconds > LONG_SECONDS}

    def run(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Perform the next step of a race, and return how many are done, and the seconds left."""
        race = self._race(values)
        if race is None or race.trial is not None or race.refused:
            return {"done": 1, "of": 1, "left": 0}
        try:
            step = race.todo.send(race.made)
            race.made = self.table.kept(step.key, step.perform)
            race.done += 1
        except StopIteration as over:
            race.trial, race.done = over.value, race.of
        except ValueError as refusal:
            race.refused, race.done = str(refusal), race.of
        left = (monotonic() - race.began) / max(race.done, 1) * (race.of - race.done)
        return {"done": race.done, "of": race.of, "left": left}

    def scene(self, values: Mapping[str, Any], theme: Theme) -> Scene | None:
        """Return the scene of the reader's table; None where its race is not played."""
        race = self._race(values)
        return race and race.trial and scene_of(race.trial, values, theme)


def _table(found: Rows) -> dict[str, Any]:
    """Return a preview as plain data."""
    heads, rows = found
    return {"heads": [list(one) for one in heads], "rows": [list(row) for row in rows]}
