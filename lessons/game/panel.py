"""The game on its page: the games of a session, the code of the world, and the controls around the stage."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from functools import partial
from urllib.parse import urlencode

import streamlit as st

from answers.ask import STAGE
from answers.state import State
from common.cache import keyed
from lessons.game import board, model, words
from lessons.game.knobs import BANDITS
from lessons.game.model import FinishedGame, Game, GameSetting
from lessons.game.recipe import recipe
from lessons.record import Values, label_of, lesson_of
from lessons.shared import clicks, codes, sealed
from lessons.shared.clicks import Clicks
from shell.links import pending, permalink
from shell.notation import translate as symbols
from shell.page.page import LessonPage
from shell.page.stop import stop
from shell.session import of_lesson, session
from shell.stage import player, skeleton

CLICKS_LESSON = "chase"  # This lesson shows a player's clicks beside a learner's.
NEXT_LESSON = "points"  # The path through the lessons begins with this one.
CLICKS_MEMORY = "10"  # Half-life of the learner beside the clicks, in rounds.
MAX_GAMES = 12  # A session keeps at most this many games.
# Hash of a world and a browser -> player of the session in which this browser first saw the end of this world.
_end_seen = keyed(1500)


@dataclass
class GameSession:
    """This lesson's part of a session.

    Attributes:
        games: setting -> game, the latest last.   player: random name of the session.
        code: (reset, kind, code) of the world at the last run of the page.
    """

    games: dict[GameSetting, Game] = field(default_factory=dict)
    player: str = field(default_factory=partial(secrets.token_hex, 8))
    code: tuple[str, str, str] | None = None


def games() -> dict[GameSetting, Game]:
    """Return the games of this session by setting, the latest last."""
    return of_lesson(GameSession).games


def current(setting: GameSetting) -> Game:
    """Return the session's game in this setting, or a new one, and make it the latest.

    A new game counts as another try if this world has been queried before with other noise or more rounds.
    """
    by_setting = games()
    game = by_setting.pop(setting, None)
    if game is None:
        tries = sum(g.tries for s, g in by_setting.items() if s.code == setting.code and g.arms)
        game = Game(setting, tries=1 + tries)
    by_setting[setting] = game
    while len(by_setting) > MAX_GAMES:
        del by_setting[next(iter(by_setting))]
    return game


def take_query(setting: GameSetting, reset: str) -> None:
    """Make the browser's query, if it is the next one of the game with this reset."""
    query = st.session_state["player"].get("ask")
    if isinstance(query, Mapping) and query.get("reset") == reset:
        games()[setting] = current(setting).ask(query.get("t"), query.get("place"))


def stage(page: LessonPage, game: Game) -> State:
    """Draw the stage of a game that is not over, whose figure takes the next query, and return its state.

    Only the rewards so far are sent to the browser: the truth, the kind of world and its drift stay on the server
    until the last round.
    """
    page = replace(page, reset=f"{page.reset}:{game.name}", keep_made=lambda _, make: make())
    scene = board.scene(game, len(BANDITS), str(page.values["challenge"]), page.theme)
    state = page.state(page.values, scene)
    found = page.ask(state, STAGE)
    player.screens(1)  # The figure fits one screen of a phone; that of a finished game needs two.
    page.stage("main", found["alt"])
    page.live_sentence(symbols.to_html(found["sentence"]), 0)
    odds_slot, player_slot = page.places.player or (nullcontext(), nullcontext())
    with odds_slot:
        page.odds(found["odds"], found["strip"])
    with player_slot:
        player.player(
            page.sent(state),
            frames=1,
            start=0,
            reset=page.reset,
            question=None,
            on_ask=partial(take_query, game.setting, page.reset),
        )
    return state


def start_over(setting: GameSetting) -> None:
    """Begin the game anew in the same world; this counts as another try if the world has been queried."""
    game = current(setting)
    games()[setting] = Game(setting, tries=game.tries + bool(game.arms))


def guess(setting: GameSetting, kind: str) -> None:
    """Record the player's guess of how the world moved; only the first one counts."""
    game = current(setting)
    if game.over and game.guess is None:
        games()[setting] = replace(game, guess=kind)


def sync_code(page: LessonPage) -> None:
    """Make the code of the world agree with the knob of its kind, before the knobs are drawn.

    A code belongs to one kind of world. Where the reader chooses another kind, a new code is drawn. The kind "secret"
    keeps the code and hides its kind. Where a link or a typed code does not agree with the knob, the knob becomes
    "secret". Moments and Reset set the code themselves.
    """
    widgets, kept = st.session_state, of_lesson(GameSession)
    before = kept.code
    reset, kind, code = page.reset, widgets["challenge"], widgets["world"]
    if kind not in ("secret", sealed.kind(code)):
        # Where neither the reset nor the code has changed, the reader has moved the knob.
        moved = before is not None and (before[0], before[2]) == (reset, code) and before[1] != kind
        if moved:
            code = widgets["world"] = sealed.new(kind)
        else:
            kind = widgets["challenge"] = "secret"
    kept.code = (reset, kind, code)
    for key in ("challenge", "world"):
        pending.settle(key)


def stop_in_iframe(page: LessonPage) -> None:
    """End the page in an iframe of another site, with a link to the lab: the game needs a session of its own."""
    if not permalink.embedded():
        return
    with page.finding_slot:
        st.markdown(f"The game needs the lab itself: [play it there]({permalink.link(page.lesson)}).")
    skeleton.end(page.lecture)
    stop()


def code_box() -> None:
    """Draw the code, to read out or to type in, and a button for a new one."""
    if permalink.hidden("world"):
        return
    st.session_state["code_box"] = st.session_state["world"]
    st.text_input(
        "World code",
        key="code_box",
        on_change=_take_code,
        max_chars=12,
        help="The same code, or the link of this page, opens the same world for everybody.",
    )
    st.button("New world", on_click=_new, key="new_world", icon=":material/casino:", width="stretch")


def _new() -> None:
    code, kept = sealed.new(st.session_state["challenge"]), of_lesson(GameSession)
    st.session_state["world"], kept.code = code, (*kept.code[:2], code)


def _take_code() -> None:
    typed = str(st.session_state["code_box"])
    try:
        sealed.plain(typed)
    except ValueError as problem:
        reason = str(problem)
        st.toast(f"{reason[0].upper()}{reason[1:]}. You keep the world you have.", icon=":material/casino:")
        return
    st.session_state["world"] = codes.tidy(typed)


def start_over_button(setting: GameSetting) -> None:
    """Draw the button that begins the same world from its first round."""
    if permalink.hidden("start_over"):
        return
    st.button(
        "Start over",
        on_click=start_over,
        args=(setting,),
        key="start_over",
        icon=":material/replay:",
        width="stretch",
        help="The same world from round 1. It counts as another try.",
    )


def guess_buttons(setting: GameSetting) -> None:
    """Draw the guesses after the last round of a secret world; any of them shows the truth."""
    with st.container(key="guess", horizontal=True, horizontal_alignment="center", gap="small"):
        for kind, moved in words.MOVES.items():
            st.button(f"It {moved}", on_click=guess, args=(setting, kind), key=f"guess_{kind}")
        st.button("Skip the guess", on_click=guess, args=(setting, ""), key="guess_none", type="tertiary")


def onward(page: LessonPage, game: Game) -> None:
    """Draw the links to the next lesson, and to the lesson that shows the player's clicks beside a learner's."""
    played = clicks.write(Clicks(game.setting.code, game.setting.noise, game.arms))
    beside, following = (lesson_of(key, page.lessons) for key in (CLICKS_LESSON, NEXT_LESSON))
    with st.container(key="to_clicks", horizontal=True):
        if not session().course.words:  # In a course, its next stop takes the place of this link.
            label, display = f"Next: {label_of(following, page.lessons)}", permalink.display_words() or None
            permalink.page_link(following.file, label, icon=":material/arrow_forward:", query_params=display)
        st.page_link(
            beside.file,
            label=f"See your clicks in {beside.title}",
            icon=":material/landscape:",
            query_params={
                "clicks": played,
                "memory": CLICKS_MEMORY,
                **permalink.display_words(),
                **session().course.words,  # The course stays at its stop while the reader looks at another lesson.
            },
        )


def result_line(page: LessonPage, done: FinishedGame) -> None:
    """Draw the result as a line to copy, with a link to the same world."""
    st.markdown("##### Your result, to hand in or to share")
    setting = done.game.setting
    # The kind of the world is left out: it would give the answer to those who open the link.
    settings = {"v": permalink.VERSION, "world": setting.code, "rounds": setting.rounds, "noise": f"{setting.noise:g}"}
    link = f"{permalink.address()}?{urlencode(settings)}"
    st.code(f"{words.result(done, _seen_before(done.game))}\n{link}", language=None, wrap_lines=True)


def _seen_before(game: Game) -> bool:
    """Return whether this browser saw the end of this world in another session, and record that it has seen it now."""
    browser = st.context.cookies.get("tvbo_browser")  # set by shell/server/browsers.py
    if not browser:
        return False
    player = of_lesson(GameSession).player
    key = hashlib.sha256(f"{sealed.plain(game.setting.code)} {browser}".encode()).digest()
    return _end_seen(key, lambda: player) != player


def script(values: Values, t: int) -> str | None:
    """Return the lesson's script with the queries of this session's game, which are in no knob."""
    return recipe(values, t, current(model.setting_from(values)))
