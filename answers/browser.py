"""A browser's own Python: it answers what a server answers, on the reader's computer.

assets/engine/python.js calls it. A state comes as a lesson's key and the query of its page's address, `bands?V=4&t=30`.
An answer is what a script can read: numbers, bytes, or JSON as text. Texts are HTML, because the page has no Markdown.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field, replace
from importlib import import_module
from time import monotonic
from typing import Any
from urllib.parse import parse_qs, parse_qsl

from answers import bets, captions, drawers, link
from answers.address import Refused, question, read
from answers.ask import CHART, FILM, FRAME, PAGE, ask, film, frame
from answers.film import compressed, fingerprint, still
from answers.film import film as film_of
from answers.state import BET, LESSON, State
from common.failure import Failure
from lessons.record import Lesson, RunPlan
from tvbo_core.check import contract_of
from tvbo_core.guests import POLICY, Guest, admit
from tvbo_core.testing import FAIL

MAKERS = {FILM: film, FRAME: frame}  # kind of an address -> function that draws it
OWN_TABLES = {"real_data": "lessons.real_data.table_desk"}  # lesson -> module that reads a table of the reader's own
OWN_FILE = "mine.py"  # file name under which the checks report on the reader's own policy
FOUND, NONE, REFUSED = 200, 204, 400  # the same statuses as a server's (shell/stage/films.py)


@dataclass
class PendingRuns:
    """Runs that a page waits for, which are made one after the other.

    Attributes:
        jobs: those without a result yet.   results: by job, those from files too.
        missing: number of jobs at first.   began: time at which the first one started, in seconds.
    """

    plan: RunPlan
    setting: Any
    jobs: list[Any]
    results: dict[Hashable, Any]
    missing: int
    began: float = field(default_factory=monotonic)


class Desk:
    """The answers of some lessons, and the state of their runs and tables.

    Attributes:
        lessons: key -> lesson.   numbers: key -> its number.
        pending: `_runs_key` of a state -> its runs; only the latest entry stays.
        tables: key of a lesson -> what reads a table of the reader's own.
    """

    def __init__(self, lessons: Iterable[tuple[Lesson, int]]) -> None:
        self.lessons, self.numbers = {}, {}
        for lesson, number in lessons:
            self.lessons[lesson.key], self.numbers[lesson.key] = lesson, number
        self.pending: dict[Hashable, PendingRuns] = {}
        own = {key: module for key, module in OWN_TABLES.items() if key in self.lessons}
        self.tables = {key: import_module(module).TableDesk() for key, module in own.items()}

    # ---------------------------------------------------------------- films and frames, which the stage requests

    def get(self, address: str) -> tuple[int, bytes]:
        """Return the status and the film or frame of an address, `film/bands?r=...`, not compressed."""
        path, _, query = address.partition("?")
        kind, _, key = path.partition("/")
        if kind not in MAKERS or key not in self.lessons:
            return REFUSED, b""
        try:
            state = self.played(read(self.lessons[key], parse_qsl(query, keep_blank_values=True), kind))
        except Refused:
            return REFUSED, b""
        try:
            made = MAKERS[kind](state, "")
        except ValueError:  # no such world: the page says why
            made = b""
        return (FOUND if made else NONE), made

    # ---------------------------------------------------------------- answers for the page

    def state(self, text: str) -> tuple[State, list[str]]:
        """Return the state of a page's address, `bands?V=4&t=30`, and a text on each part of it that was dropped."""
        key, _, query = text.partition("?")
        lesson = self.lessons[key]
        found = link.read(lesson, parse_qs(query, keep_blank_values=True))
        return self.played(replace(link.state_of(lesson, found, self.numbers[key]), html=True)), found.wrong

    def say(self, what: str, text: str, key: str = "") -> str:
        """Return the answer `what` of answers/ask.py as JSON; a page also has "wrong", texts on what was dropped."""
        state, wrong = self.state(text)
        if what != PAGE:
            return json.dumps(ask(state, what, key))
        made = page_of(state) | {"wrong": wrong}
        if (desk := self.tables.get(state.lesson.key)) and state.view == LESSON:
            made |= desk.page(state.values, made["scene"] is None, state.text)
        return json.dumps(made)

    def table(self, text: str, act: str, name: str, value: Any) -> str:
        """Change the reader's own table, and return as JSON the settings that the address then has.

        Args:
            act: "take" reads a file from its `name` and its bytes `value`, or the example where the name is empty;
                "choose" sets the choice `name` to a JSON `value`; "accept" starts the race, or returns to the choices
                where `name` is empty.
        """
        state, _ = self.state(text)
        desk, values = self.tables[state.lesson.key], state.values
        if act == "take":
            return json.dumps(desk.take(values, name, bytes(value) if name else b""))
        if act == "choose":
            return json.dumps(desk.choose(values, name, json.loads(value)))
        return json.dumps(desk.accept(values, bool(name)))

    def chart(self, text: str, key: str) -> bytes:
        """Return a chart that stands still, compressed."""
        return ask(self.state(text)[0], CHART, key)

    def check(self, text: str) -> str:
        """Run the checks of a policy on the reader's own, and return their results as JSON.

        Returns:
            "word": name of the policy in settings, "" where it cannot race. "lines": name, outcome and detail of each
            check, or one line with the reason why there is nothing to check.
        """
        try:
            guest = own_policy(text)
            results = [(one.name, one.outcome, one.detail) for one in contract_of(guest, {}).run()]
        except ValueError as refusal:
            return json.dumps({"word": "", "lines": [["", FAIL, str(refusal)]]})
        fails = any(outcome == FAIL for _, outcome, _ in results)
        return json.dumps({"word": "" if fails else guest.word, "lines": results})

    # ---------------------------------------------------------------- runs

    def played(self, state: State) -> State:
        """Return a state with the scene of its runs once all of them are done, else the state as it is."""
        if state.view != LESSON:
            return state
        if desk := self.tables.get(state.lesson.key):
            return replace(state, given=desk.scene(state.values, state.theme))
        runs = self.pending.get(_runs_key(state))
        if runs is None or runs.jobs:
            return state
        found = runs.plan.gather(runs.setting, runs.results)
        return replace(state, given=runs.plan.scene_of(state.values, found, state.theme, "all"))

    def run(self, text: str) -> str:
        """Run one of the jobs that a page waits for, and return as JSON how many are done, and the seconds left.

        Raises:
            ValueError: what a method refuses, in one sentence.
        """
        state, _ = self.state(text)
        if desk := self.tables.get(state.lesson.key):
            return json.dumps(desk.run(state.values))
        key, plan = _runs_key(state), state.lesson.runs
        assert plan is not None
        if key not in self.pending:
            # Here is no worker: what has to be computed before the runs is computed in place.
            plan.ready(state.values, lambda function, *arguments, seconds, own=False: function(*arguments))
            setting, jobs, stored = plan.at_hand(state.values)
            missing = [job for job in jobs if job not in stored]
            self.pending = {key: PendingRuns(plan, setting, missing, dict(stored), len(missing))}
        runs = self.pending[key]
        if runs.jobs:
            job = runs.jobs[0]
            try:
                runs.results[job] = job.perform()
            except ValueError as refusal:
                runs.results[job] = Failure(str(refusal), refused=True)
            runs.jobs.pop(0)
        done, total = len(runs.results), len(runs.results) + len(runs.jobs)
        pace = (monotonic() - runs.began) / max(runs.missing - len(runs.jobs), 1)
        return json.dumps({"done": done, "of": total, "left": pace * len(runs.jobs)})


def open_desk(lessons: Iterable[tuple[str, int]], own: str = "") -> Desk:
    """Return the desk of lessons, given by their keys and numbers; only their modules are loaded.

    Args:
        own: Python text with a policy of the reader's own. It is added before the lessons load, which read it then.
    """
    if own:
        admit([own_policy(own)])
    return Desk([(import_module(f"lessons.{key}.lesson").LESSON, number) for key, number in lessons])


def own_policy(text: str) -> Guest:
    """Return the policy that a text defines: its first class with the three methods of one.

    Raises:
        ValueError: the text cannot be read or run, or has no such class.
    """
    try:
        names = [one.name for one in ast.parse(text).body if isinstance(one, ast.ClassDef)]
    except SyntaxError as problem:
        raise ValueError(f"Line {problem.lineno} cannot be read: {problem.msg}.") from None
    why = "There is no class in it: a policy is a class with init, select and update."
    for guest in (Guest(OWN_FILE, name, (), text) for name in names):
        try:
            if guest.kind == POLICY:
                guest.policy()
                return guest
        except ValueError as refusal:
            why = f"{refusal}."
    raise ValueError(why)


def page_of(state: State) -> dict[str, Any]:
    """Return the answer `PAGE` with what a page without a server also needs.

    Returns:
        Also "film" (the address of the film in parts), "reset" (changes when the time goes back to its start), and
        "caption" of exports, without the time.
    """
    made = ask(state, PAGE)
    if made["scene"] is None:
        return made
    scene = state.scene
    shown = {
        "film": question(state),
        "reset": fingerprint(scene.reset) if scene.reset else "",
    }
    return made | shown | ({"caption": captions.stage_caption(state)} if state.view == LESSON else {})


def contents(state: State, glossary: bool = True) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the content of two files: one for a state's page, one for its drawers, empty where it has none.

    Args:
        glossary: whether the glossary stands beside the page, so that sentences link to its terms.
    """
    scene = state.scene
    # All states with one address of a film share its file, which opens at the lesson's own time.
    opening = state if state.given is not None else replace(state, t=state.lesson.t)
    found: dict[str, Any] = {"film": compressed(film_of(scene.showing(()), opening.frame, state.paper, glossary))}
    found["page"] = page_of(replace(state, given=scene))
    if not glossary:
        found["page"]["scene"]["sentence"] = None  # the film has it, without links
    if state.view == LESSON:
        return found, _drawers_content(replace(state, given=scene))
    bet = bets.bet_of(state)
    if state.view == BET:
        return found | {"wager": bets.bars_of(state, bets.open_bet(bet)) if bet.places else b""}, {}
    bars = {guess: bets.bars_of(state, bets.placed(state, guess)) for guess in ("", *bets.guesses(bet))}
    return found | bets.truth(state) | {"wagers": bars}, {}


def _drawers_content(state: State) -> dict[str, Any]:
    """Return the content of a state's drawers: one film of the charts that move, the still charts, and all texts."""
    scene = state.scene
    keys = [key for group in scene.drawers for key in group]
    films = {key: chart for key, chart in scene.films.items() if key in keys}
    if not scene.drawers:
        return {}
    return {
        "film": compressed(film_of(replace(scene, films=films), state.frame, state.paper)) if films else b"",
        "stills": {key: still(key, state.figure_of(key)) for key in scene.stills},
        "captions": {key: captions.chart_caption(state, key) for key in keys},
        "said": {group[0]: drawers.drawer(state, group[0]) for group in scene.drawers},
    }


def _runs_key(state: State) -> Hashable:
    """Return what tells the runs of two states apart: the lesson and its settings."""
    return state.lesson.key, tuple(state.values.items())
