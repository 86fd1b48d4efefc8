"""The game on its page: the games of this session, the code of the world, and the buttons around the stage."""

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

BESIDE = "chase"  # key of the lesson that shows a player's clicks beside a learner's
NEXT = "points"  # and of the one with which the path begins
MEMORY = "10"  # that learner's half-life, rounds
MAX_GAMES = 12  # that a session remembers
# World and browser -> the session that was shown the world's end first.
_end_seen = keyed(1500)


@dataclass
class GameSession:
    """State that this lesson keeps.

    Attributes:
        games: of this session, the latest last.   player: a name of the session.
        code: scene, kind and code of the last run.
    """

    games: dict[GameSetting, Game] = field(default_factory=dict)
    player: str = field(default_factory=partial(secrets.token_hex, 8))
    code: tuple[str, str, str] | None = None


def games() -> dict[GameSetting, Game]:
    """Return the games of this session, the latest last."""
    return of_lesson(GameSession).games


def current(setting: GameSetting) -> Game:
    """Return the session's game in this setting as it was left, or a new one.

    A player who has queried this world before, with other noise or more rounds, is at another try.
    """
    known = games()
    game = known.pop(setting, None)
    if game is None:
        game = Game(setting, tries=1 + sum(g.tries for s, g in known.items() if s.code == setting.code and g.arms))
    known[setting] = game
    while len(known) > MAX_GAMES:
        del known[next(iter(known))]
    return game


def take_question(setting: GameSetting, reset: str) -> None:
    """Take the browser's question, if it is the next one of the game with this reset."""
    question = st.session_state["player"].get("ask")
    if isinstance(question, Mapping) and question.get("reset") == reset:
        games()[setting] = current(setting).ask(question.get("t"), question.get("place"))


def stage(page: LessonPage, game: Game) -> State:
    """Draw the stage of a game that is not over: its figure takes the next question, and the player brings the reward;
    return its state.

    Before the last round only what the player has heard travels: no truth, no kind of world, no drift.
    """
    page = replace(page, reset=f"{page.reset}:{game.name}", keep_made=lambda _, make: make())
    scene = board.scene(game, len(BANDITS), str(page.values["challenge"]), page.theme)
    state = page.state(page.values, scene)
    found = page.ask(state, STAGE)
    player.screens(1)  # a finished game takes two of a phone
    page.stage("main", found["alt"])
    page.live_sentence(symbols.to_html(found["sentence"]), 0)
    odds, spot = page.places.player or (nullcontext(), nullcontext())
    with odds:
        page.odds(found["odds"], found["strip"])
    with spot:
        player.player(
            page.sent(state),
            frames=1,
            start=0,
            reset=page.reset,
            question=None,
            on_ask=partial(take_question, game.setting, page.reset),
        )
    return state


def start_over(setting: GameSetting) -> None:
    """Begin the same world from its first round; it counts as another try."""
    game = current(setting)
    games()[setting] = Game(setting, tries=game.tries + bool(game.arms))


def guess(setting: GameSetting, kind: str) -> None:
    """Take the player's guess how it moved; only the first one counts."""
    game = current(setting)
    if game.over and game.guess is None:
        games()[setting] = replace(game, guess=kind)


def sync_code(page: LessonPage) -> None:
    """Make the code and the knob of how the world moves agree, before the knobs are drawn.

    Another kind is another world; "secret" keeps the world and stops telling. A link or a typed code may name a
    world of another kind than its knob says: the code wins, and the knob says "secret" again. Prepared moments and
    "back to the start" bring their own code.
    """
    state, kept = st.session_state, of_lesson(GameSession)
    scene, challenge, code = page.reset, state["challenge"], state["world"]
    fitting = ("secret", sealed.kind(code))
    before = kept.code
    if before is not None and before[0] == scene and before[1] != challenge not in fitting and before[2] == code:
        code = state["world"] = sealed.new(challenge)
    elif challenge not in fitting:
        challenge = state["challenge"] = "secret"
    kept.code = (scene, challenge, code)
    for key in ("challenge", "world"):
        pending.settle(key)


def needs_the_lab(page: LessonPage) -> None:
    """Say in a frame of somebody's slides where the game is played, and end the body of the page."""
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
    raw = str(st.session_state["code_box"])
    try:
        sealed.plain(raw)
    except ValueError as problem:
        reason = str(problem)
        st.toast(f"{reason[0].upper()}{reason[1:]}. You keep the world you have.", icon=":material/casino:")
        return
    st.session_state["world"] = codes.tidy(raw)


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
    """Draw the links to the first step of the path, and to a learner in this world beside the player's clicks."""
    played = clicks.write(Clicks(game.setting.code, game.setting.noise, game.arms))
    there, after = (lesson_of(key, page.lessons) for key in (BESIDE, NEXT))
    with st.container(key="to_clicks", horizontal=True):
        if not session().course.words:  # a course says itself what is next
            label, look = f"Next: {label_of(after, page.lessons)}", permalink.display_words() or None
            permalink.page_link(after.file, label, icon=":material/arrow_forward:", query_params=look)
        st.page_link(
            there.file,
            label=f"See your clicks in {there.title}",
            icon=":material/landscape:",
            query_params={
                "clicks": played,
                "memory": MEMORY,
                **permalink.display_words(),
                **session().course.words,
            },  # a look aside from its stop
        )


def result_line(page: LessonPage, done: FinishedGame) -> None:
    """Draw the result as a line to copy, with the link to the same world."""
    st.markdown("##### Your result, to hand in or to share")
    s = done.game.setting
    settings = {"v": permalink.VERSION, "world": s.code, "rounds": s.rounds, "noise": f"{s.noise:g}"}
    link = f"{permalink.address()}?{urlencode(settings)}"  # it does not say how the world moves, which is known by now
    st.code(f"{words.result(done, _seen_before(done.game))}\n{link}", language=None, wrap_lines=True)


def _seen_before(game: Game) -> bool:
    """Return whether this browser was shown the end of this world in another session, and note that it is shown."""
    browser = st.context.cookies.get("tvbo_browser")  # of shell/server/browsers.py
    if not browser:
        return False
    player = of_lesson(GameSession).player
    seen = hashlib.sha256(f"{sealed.plain(game.setting.code)} {browser}".encode()).digest()
    return _end_seen(seen, lambda: player) != player


def script(values: Values, t: int) -> str | None:
    """Return the lesson's script of this session's game, which no knob holds."""
    return recipe(values, t, current(model.setting_from(values)))
