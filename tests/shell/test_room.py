"""Answers to phones and to a lecturer's browser, and facts that they keep to themselves."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.applications import Starlette
from streamlit.testing.v1 import AppTest

from benchmarks.drive import free_port
from lessons import LESSONS
from lessons.game.model import Game
from lessons.game.together.memory import LEAST
from lessons.game.together.model import ROUNDS, setting
from lessons.game.together.panel import TOO_SOON
from lessons.record import ROOT, lesson_of
from shell.hall.room import control, phones, room, routes
from shell.hall.room.control import line
from shell.hall.room.database import digest
from shell.hall.room.phones import OPEN, TOLD
from shell.hall.room.routes import Hall
from shell.hall.room.store import Rooms
from shell.server.limits import PerMinute, is_page
from tests.asgi import Answer, ask
from tests.lessons.shown import sent
from tests.shell.test_course import opened

RACE, GAME = lesson_of("race", LESSONS), lesson_of("game", LESSONS)
LECTURER, PHONE, OTHER = "1" * 32, "2" * 32, "3" * 32


@pytest.fixture
def rooms(tmp_path: Path) -> Iterator[Rooms]:
    made = Rooms(f"sqlite:///{tmp_path}/rooms.db")
    made.open("nobody")
    yield made
    made._engine.dispose()


@pytest.fixture
def app(rooms: Rooms, monkeypatch: pytest.MonkeyPatch) -> Starlette:
    monkeypatch.setattr(routes, "FRESH_SECONDS", -1.0)  # every request reads the room
    monkeypatch.setattr(routes, "HOLD_SECONDS", 0.0)
    return Starlette(routes=Hall(rooms, LESSONS).routes())


@pytest.fixture
def code(rooms: Rooms) -> str:
    return rooms.open(digest(LECTURER))


def phone(app: Starlette, path: str, method: str = "GET", token: str = PHONE) -> Answer:
    return ask(app, path, method, cookie=f"{routes.COOKIE}={token}")


def lecturer(app: Starlette, path: str, method: str = "GET", word: str = LECTURER) -> Answer:
    return ask(app, path, method, cookie=f"{control.BROWSER}={word}")


def now(app: Starlette, code: str, token: str = PHONE) -> dict:
    return json.loads(phone(app, f"/r/{code}/now", token=token).text)


def test_page_is_small_and_whole(app: Starlette) -> None:
    found = ask(app, "/r/ABCDE")
    assert found.status_code == 200 and len(found.content) < 60_000
    assert not {"STYLE", "SCRIPT"} & set(found.text.split()) and "src=" not in found.text and "http" not in found.text
    cookie = found.headers["set-cookie"]
    assert "HttpOnly" in cookie and "Path=/r/ABCDE" in cookie and "SameSite=lax" in cookie
    assert "set-cookie" not in phone(app, "/r/ABCDE").headers
    asked = {"type": "http", "method": "GET", "path": "/r/ABCDE", "headers": [(b"accept", b"text/html")]}
    assert not is_page(asked)  # a server that is full still gives it, and no cookie of the lab


def test_phone_follows_the_room(app: Starlette, rooms: Rooms, code: str) -> None:
    assert now(app, code)["state"] == "waiting" and now(app, code.lower())["state"] == "waiting"
    rooms.ask(code, "race", room.content(RACE.bet))
    found = now(app, code)
    assert found["state"] == "open" and found["options"] == list(RACE.bet.options.values()) and found["mine"] is None
    assert phone(app, f"/r/{code}/answer?question={found['id']}&choice=1", "POST").status_code == 204
    assert now(app, code)["mine"] == 1 and now(app, code, OTHER)["mine"] is None
    assert phone(app, f"/r/{code}/now?v={now(app, code)['v']}").status_code == 204


def test_phones_get_no_tex() -> None:
    for lesson in (one for one in LESSONS if one.bet):
        shown = room.content(lesson.bet)
        for said in (shown["question"], *shown["options"], *shown["about"]):
            assert not {"$", "\\"} & set(said), (lesson.key, said)


def test_bet_that_opens_looks_nobody_up(
    app: Starlette, rooms: Rooms, code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    rooms.ask(code, "race", room.content(RACE.bet))
    looked: list[str] = []
    monkeypatch.setattr(Rooms, "choices", lambda _, question, phone: looked.append(phone) or (1,))
    assert now(app, code)["mine"] is None and looked == []
    rooms.answer(code, rooms.view(code).question.id, digest(OTHER), 1)
    assert now(app, code)["mine"] == 1 and looked == [digest(PHONE)]


def test_phone_learns_nothing_before_the_reveal(app: Starlette, rooms: Rooms, code: str) -> None:
    rooms.ask(code, "race", room.content(RACE.bet))
    found = now(app, code)
    phone(app, f"/r/{code}/answer?question={found['id']}&choice=1", "POST")
    for _ in range(2):  # while it is open, and while its film runs
        assert not {"counts", "right", "sentence"} & set(now(app, code))
        rooms.shut(code, "race")
        rooms.keep_truth(code, "race", {"right": [0], "sentence": "So it is."})
    assert lecturer(app, f"/r/{code}/told", "POST").status_code == 204
    told = now(app, code)
    assert (told["right"], told["sentence"], sum(told["counts"])) == ([0], "So it is.", 1)


def started(rooms: Rooms, code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Put the game on the phones of a room."""
    monkeypatch.setattr(room, "ROOMS", rooms)
    monkeypatch.setattr(room, "code", lambda: code)
    room.begin_game(GAME)


def test_phone_hears_its_own_rewards_alone(
    app: Starlette, rooms: Rooms, code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    started(rooms, code, monkeypatch)
    question = rooms.view(code).question
    arms = (50, 20, 50)
    for turn, place in enumerate(arms):
        heard = phone(app, f"/r/{code}/play?question={question.id}&round={turn}&choice={place}", "POST")
    expected = [round(y, 3) for y in Game(setting(question.world), arms).rewards()]
    assert json.loads(heard.text) == {"mine": list(arms), "rewards": expected}
    here, other = now(app, code), now(app, code, OTHER)
    assert (here["mine"], here["rewards"]) == (list(arms), expected) and other["mine"] == other["rewards"] == []
    assert question.world not in json.dumps([here, other]) and not {"result", "world"} & set(here)
    assert json.loads(lecturer(app, f"/r/{code}/wall").text)["queries"] == [list(arms)]
    rooms.end_game(code, question.id, TOLD)
    assert now(app, code)["result"].startswith("Your regret after 3 rounds is ") and "result" not in now(
        app, code, OTHER
    )
    late = phone(app, f"/r/{code}/play?question={question.id}&round=3&choice=1", "POST")
    assert (late.status_code, late.text) == (409, phones.LATE)


def test_page_of_a_game_ends_with_the_crowd(rooms: Rooms, code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    started(rooms, code, monkeypatch)
    game = rooms.view(code).question
    at = AppTest.from_file(str(ROOT / GAME.file), default_timeout=60).run()
    assert not at.exception and game.world not in str(at.main) and not [e for e in at.text_input if e.key == "code_box"]
    chance = random.Random(0)
    for i in range(LEAST):
        for turn in range(ROUNDS):
            rooms.play(code, game.id, f"p{i}", turn, chance.randrange(101))
    rooms.play(code, game.id, "late", 0, 3)
    at.button(key="game_reveal").click().run()
    assert not at.exception and rooms.view(code).question.state == TOLD
    assert any("assumes that every phone chooses by a softmax" in one.value for one in at.caption)
    assert any(f"{LEAST} phones played all {ROUNDS} rounds. Not counted: 1 phone" in one.value for one in at.caption)
    at.button(key="game_leave").click().run()
    assert not at.exception and rooms.view(code).question is None
    assert [one.key for one in at.button if one.key == "game_open"] == ["game_open"]


def test_game_that_nobody_finished_is_closed(rooms: Rooms, code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    started(rooms, code, monkeypatch)
    at = AppTest.from_file(str(ROOT / GAME.file), default_timeout=60).run()
    at.button(key="game_reveal").click().run()
    assert not at.exception and [one.value for one in at.toast] == [TOO_SOON] and rooms.view(code).question is None


def test_only_the_opener_controls(app: Starlette, rooms: Rooms, code: str) -> None:
    rooms.ask(code, "race", room.content(RACE.bet))
    for path, method in (("wall", "GET"), ("speaker", "GET"), ("told", "POST")):
        for answer in (lecturer(app, f"/r/{code}/{path}", method, OTHER), phone(app, f"/r/{code}/{path}", method)):
            assert answer.status_code == 409 and answer.text.startswith("Only the browser"), path
    assert json.loads(lecturer(app, f"/r/{code}/wall").text) == {"phones": 0, "answered": 0, "asks": True}


def test_speaker_is_told_truth_and_counts(app: Starlette, rooms: Rooms, code: str) -> None:
    rooms.ask(code, "chase", room.content(lesson_of("chase", LESSONS).bet))
    phone(app, f"/r/{code}/answer?question={now(app, code)['id']}&choice=0", "POST")
    found = json.loads(lecturer(app, f"/r/{code}/speaker").text)
    assert found["truth"] == "The one that forgets" and [count for _, count in found["counts"]] == [1, 0, 0]
    assert found["line"] == "All of you say the same. Are you sure?"


def test_refusals_are_sentences(app: Starlette, rooms: Rooms, code: str) -> None:
    rooms.ask(code, "race", room.content(RACE.bet))
    question = now(app, code)["id"]
    wrong = {
        "/r/ZZZZZ/now": phones.NO_ROOM,
        "/r/<b>/now": phones.NO_ROOM,
        f"/r/{code}/answer?question={question}&choice=x": "An answer names",
        f"/r/{code}/answer?question={question}": "An answer names",
        f"/r/{code}/answer?question={question}&choice=9": "This question has no such answer",
        f"/r/{code}/answer?question=99999999999&choice=1": phones.LATE,
    }
    for path, said in wrong.items():
        answer = phone(app, path, "POST" if "answer" in path else "GET")
        assert answer.status_code == 409 and answer.text.startswith(said), path
    assert ask(app, f"/r/{code}/now").text == routes.NO_COOKIE
    assert phone(app, f"/r/{code}/answer?question={question}&choice=1").status_code == 405  # a link is no answer


def test_database_that_is_away_is_no_refusal() -> None:
    away = Rooms(f"postgresql://lab@127.0.0.1:{free_port()}/rooms")
    answer = phone(Starlette(routes=Hall(away, LESSONS).routes()), "/r/ABCDE/now")
    assert answer.status_code == 503 and "does not answer" in answer.text


def test_codes_cannot_be_guessed(app: Starlette, code: str) -> None:
    said = [phone(app, f"/r/{code[:4]}!/now", token=f"{i:032x}").text for i in range(routes.MAX_WRONG_CODES + 1)]
    assert set(said[:-1]) == {phones.NO_ROOM} and said[-1] == routes.TOO_MANY
    assert phone(app, f"/r/{code}/now").text == routes.TOO_MANY  # the refusal says nothing about the code


def test_closed_room_locks_no_hall_out(app: Starlette, rooms: Rooms, code: str) -> None:
    other = rooms.open("another")
    assert now(app, code)["state"] == now(app, other)["state"] == "waiting"
    rooms.close(code)
    asked = {phone(app, f"/r/{code}/now", token=f"{i:032x}").text for i in range(routes.MAX_WRONG_CODES + 1)}
    assert asked == {phones.NO_ROOM} and now(app, other)["state"] == "waiting"
    assert now(app, rooms.open(digest(LECTURER)))["state"] == "waiting"


HALL = routes.MAX_WRONG_CODES + 10  # more phones than one address may be wrong in a minute


def test_hall_behind_one_address_comes_in(
    app: Starlette, rooms: Rooms, code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(routes, "MAX_REQUESTS", 20)  # of a phone in a minute
    for i in range(HALL):
        assert phone(app, f"/r/{code}/now", token=f"{i:032x}").status_code == 200
    assert rooms.view(code).phones == HALL
    said = [phone(app, f"/r/{code}/now").status_code for _ in range(routes.MAX_REQUESTS + 1)]
    assert set(said[:-1]) == {200} and said[-1] == 409


def test_minute_begins_anew() -> None:
    clock = iter([0.0, 1.0, 2.0, 61.0, 61.0]).__next__
    count = PerMinute(clock)
    assert [count.within("a", "b", 1) for _ in range(3)] == [True, False, True]


def test_line_to_say_keeps_the_truth() -> None:
    for counts in ((0, 0), (5, 0), (3, 3), (5, 1), (1, 5)):
        assert "right" not in line(("A", "B"), counts, [0])
    assert line(("A", "B"), (3, 3), [0]) == "You are divided: A and B have 3 of 6 each."
    assert line(("A", "B"), (5, 1), [0]).startswith("Most of you agree.")
    assert "agree" not in line(("A", "B"), (1, 5), [0]) and "mind" not in line(("A", "B"), (1, 5), [0])


def test_saved_answers_hold_counts_alone(rooms: Rooms, code: str) -> None:
    rooms.ask(code, "race", room.content(RACE.bet))
    rooms.answer(code, rooms.view(code).question.id, digest(PHONE), 1)
    rooms.shut(code, "race")
    rooms.keep_truth(code, "race", {"right": [0], "sentence": "So."})
    head, *lines = room.table(rooms.askings(code)).splitlines()
    assert head == "number,lesson,question,answer,true,phones" and digest(PHONE) not in "".join(lines)
    assert [line.rsplit(",", 2)[1:] for line in lines][:2] == [["yes", "0"], ["no", "1"]]


def test_second_asking_says_the_first() -> None:
    assert room.before([(3, 1)], [1]) == room.before([], [1]) == ""
    assert room.before([(3, 1), (0, 0), (1, 3)], [1]) == "Before: 1 of 4. "


def test_page_counts_phones_at_the_reveal(rooms: Rooms, code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "ROOMS", rooms)
    monkeypatch.setattr(room, "browser", lambda: digest(LECTURER))
    at = AppTest.from_file(str(ROOT / "home.py"), default_timeout=60)
    at.query_params["guess"] = "open"
    at.run()
    assert rooms.view(code).question.lesson == "chase"
    for i, choice in enumerate((0, 1, 1)):
        rooms.answer(code, rooms.view(code).question.id, f"p{i}", choice)
    at.button(key="bet_reveal").click().run()
    assert not at.exception and at.session_state["hands"] == "1.2.0"
    assert any("2 of 3 votes had it right." in one.value for one in at.markdown)
    rooms.tell(code)
    assert rooms.view(code).question.truth["right"] == [1]
    at.button(key="bet_leave").click().run()
    assert rooms.view(code).question is None


def test_second_tab_keeps_bet_and_room(rooms: Rooms, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "ROOMS", rooms)
    monkeypatch.setattr(room, "browser", lambda: digest(LECTURER))
    second = opened()
    assert sent(second, "tvbo_room", "json") == []
    code = rooms.open(digest(LECTURER))
    opened(guess="open")
    assert code in str(sent(second.run(), "tvbo_room", "json")) and rooms.view(code).question.state == OPEN
    rooms.close(code)
    assert not second.run().exception and sent(second, "tvbo_room", "json") == []


def test_page_without_a_room_asks_no_database(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    unused = Rooms(f"sqlite:///{tmp_path}/state/rooms.db")
    monkeypatch.setattr(room, "ROOMS", unused)
    monkeypatch.setattr(room, "browser", lambda: digest(LECTURER))
    at = AppTest.from_file(str(ROOT / "home.py"), default_timeout=60).run()
    assert not at.exception and not (tmp_path / "state").exists()
