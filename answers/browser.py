"""A browser's own Python: it answers what a server answers, on the reader's computer.

assets/engine/python.js calls it. A state comes as the words of its page's address, behind the lesson's key; what goes
back is plain: numbers, bytes, or a text of JSON. Texts are HTML, because the page has no Markdown.
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
from answers.film import compressed, fingerprint, marked, still
from answers.film import film as film_of
from answers.state import BET, LESSON, State
from common.failure import Failure
from lessons.record import Lesson, RunPlan
from tvbo_core.check import contract_of
from tvbo_core.guests import POLICY, Guest, admit
from tvbo_core.testing import FAIL

MADE = {FILM: film, FRAME: frame}
OWN_TABLES = {"real_data": "lessons.real_data.table_desk"}  # lesson -> module that reads a table of the reader's own
OWN_FILE = "mine.py"  # as the checks call the text of the reader's own policy
FOUND, NONE, REFUSED = 200, 204, 400  # as the server's statuses (shell/stage/films.py)


@dataclass
class Order:
    """Runs that a page waits for.

    Attributes:
        jobs: that are missing.   results: of those that are done.   missed: how many jobs were missing at first.
        began: when the first one did.
    """

    plan: RunPlan
    setting: Any
    jobs: list[Any]
    results: dict[Hashable, Any]
    missed: int
    began: float = field(default_factory=monotonic)


class Desk:
    """Answers of some lessons.

    Attributes:
        lessons: key -> lesson.   numbers: key -> its number.   orders: of runs; the last one alone is kept.
        tables: key of a lesson -> where a table of the reader's own is.
    """

    def __init__(self, lessons: Iterable[tuple[Lesson, int]]) -> None:
        self.lessons, self.numbers = {}, {}
        for lesson, number in lessons:
            self.lessons[lesson.key], self.numbers[lesson.key] = lesson, number
        self.orders: dict[Hashable, Order] = {}
        own = {key: module for key, module in OWN_TABLES.items() if key in self.lessons}
        self.tables = {key: import_module(module).TableDesk() for key, module in own.items()}

    # ---------------------------------------------------------------- what the stage asks for by its address

    def get(self, address: str) -> tuple[int, bytes]:
        """Return the status and the film or frame of an address, `film/bands?r=...`, not compressed."""
        path, _, query = address.partition("?")
        kind, _, key = path.partition("/")
        if kind not in MADE or key not in self.lessons:
            return REFUSED, b""
        try:
            state = self.played(read(self.lessons[key], parse_qsl(query, keep_blank_values=True), kind))
        except Refused:
            return REFUSED, b""
        try:
            made = MADE[kind](state, "")
        except ValueError:  # no such world: the page says why
            made = b""
        return (FOUND if made else NONE), made

    # ---------------------------------------------------------------- what the page asks for

    def state(self, text: str) -> tuple[State, list[str]]:
        """Return the state of a page's address, `bands?V=4&t=30`, and what of it was dropped."""
        key, _, query = text.partition("?")
        lesson = self.lessons[key]
        found = link.read(lesson, parse_qs(query, keep_blank_values=True))
        return self.played(replace(link.state_of(lesson, found, self.numbers[key]), html=True)), found.wrong

    def say(self, what: str, text: str, key: str = "") -> str:
        """Return an answer as JSON; a page's with the address of its film and what of its own was dropped."""
        state, wrong = self.state(text)
        if what != PAGE:
            return json.dumps(ask(state, what, key))
        made = page_of(state) | {"wrong": wrong}
        if (desk := self.tables.get(state.lesson.key)) and state.view == LESSON:
            made |= desk.page(state.values, made["scene"] is None, state.text)
        return json.dumps(made)

    def table(self, text: str, act: str, name: str, value: Any) -> str:
        """Return as JSON the words of the address after an act on the reader's own table.

        Args:
            act: "take" a file of this name and these bytes, or the example for no name, "choose" a value in JSON, or
                "accept": race, or "" not.
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
        """Return as JSON what the contract of a policy says of the reader's own.

        Returns:
            "word" of it in settings, "" where it cannot race; "lines": name, outcome and detail of each check, or a
            sentence why there is nothing to check.
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
        """Return a state with the scene of its runs, where they are all there."""
        if state.view != LESSON:
            return state
        if desk := self.tables.get(state.lesson.key):
            return replace(state, given=desk.scene(state.values, state.theme))
        order = self.orders.get(_name(state))
        if order is None or order.jobs:
            return state
        found = order.plan.gather(order.setting, order.results)
        return replace(state, given=order.plan.scene_of(state.values, found, state.theme, "all"))

    def run(self, text: str) -> str:
        """Run one of the jobs that a page waits for, and return as JSON how many are done, and the seconds left.

        Raises:
            ValueError: what a method refuses, in one sentence.
        """
        state, _ = self.state(text)
        if desk := self.tables.get(state.lesson.key):
            return json.dumps(desk.run(state.values))
        name, plan = _name(state), state.lesson.runs
        assert plan is not None
        if name not in self.orders:
            plan.ready(state.values, lambda function, *arguments, seconds, own=False: function(*arguments))
            setting, jobs, stored = plan.at_hand(state.values)
            missing = [job for job in jobs if job not in stored]
            self.orders = {name: Order(plan, setting, missing, dict(stored), len(missing))}
        order = self.orders[name]
        if order.jobs:
            job = order.jobs[0]
            try:
                order.results[job] = job.perform()
            except ValueError as refusal:
                order.results[job] = Failure(str(refusal), refused=True)
            order.jobs.pop(0)
        done, total = len(order.results), len(order.results) + len(order.jobs)
        pace = (monotonic() - order.began) / max(order.missed - len(order.jobs), 1)
        return json.dumps({"done": done, "of": total, "left": pace * len(order.jobs)})


def open_desk(lessons: Iterable[tuple[str, int]], own: str = "") -> Desk:
    """Return the answers of lessons, by their keys and numbers: no others are loaded.

    Args:
        own: Python text with a policy of the reader's own, which is listed before the lessons walk the lists.
    """
    if own:
        admit([own_policy(own)])
    return Desk([(import_module(f"lessons.{key}.lesson").LESSON, number) for key, number in lessons])


def own_policy(text: str) -> Guest:
    """Return the policy that a text defines: its first class with the three methods of one.

    Raises:
        ValueError: the text cannot be read or run, or has no such class; in one sentence.
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
    """Return the answer "page" as a page of files needs it.

    Returns:
        Besides the answer: "film" (the address of the film in parts), "reset" (changes when time starts anew), and
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
    """Return what a file has of a state's page, and what one has of its drawers: nothing where there are none.

    Args:
        glossary: whether it stands beside the page, so that terms in sentences are marked.
    """
    scene = state.scene
    marks = (marked,) if glossary else ()
    # The film of an address opens where its lesson does, whatever time the page is at.
    opens = state if state.given is not None else replace(state, t=state.lesson.t)
    found: dict[str, Any] = {"film": compressed(film_of(scene.showing(()), opens.frame, state.paper, *marks))}
    found["page"] = page_of(replace(state, given=scene))
    if not glossary:
        found["page"]["scene"]["sentence"] = None  # the film has it, without links
    if state.view == LESSON:
        return found, _below(replace(state, given=scene))
    bet = bets.bet_of(state)
    if state.view == BET:
        return found | {"wager": bets.bars_of(state, bets.open_bet(bet)) if bet.places else b""}, {}
    bars = {guess: bets.bars_of(state, bets.placed(state, guess)) for guess in ("", *bets.guesses(bet))}
    return found | bets.truth(state) | {"wagers": bars}, {}


def _below(state: State) -> dict[str, Any]:
    """Return what the drawers of a state hold: films of charts that move and of those that stand, and all words."""
    scene = state.scene
    keys = [key for some in scene.drawers for key in some]
    moved = {key: one for key, one in scene.films.items() if key in keys}
    if not scene.drawers:
        return {}
    return {
        "film": compressed(film_of(replace(scene, films=moved), state.frame, state.paper)) if moved else b"",
        "stills": {key: still(key, state.figure_of(key)) for key in scene.stills},
        "captions": {key: captions.chart_caption(state, key) for key in keys},
        "said": {some[0]: drawers.drawer(state, some[0]) for some in scene.drawers},
    }


def _name(state: State) -> Hashable:
    return state.lesson.key, tuple(state.values.items())
