"""The bet of every page in a browser: what it gets before the reveal holds no answer, and what it shows fits."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from urllib.parse import parse_qs, urlsplit

import pytest

from figures.theme import Theme
from lessons import LESSONS
from lessons.record import Lesson
from shell.film_message import film as message
from tests import answers
from tests.browser.boxes import sound
from tests.browser.conftest import DESK, sampled
from tests.browser.screen import Screen

pytestmark = pytest.mark.browser
Tab = Callable[..., Screen]


def path_of(lesson: Lesson) -> str:
    return "" if lesson.file == "home.py" else lesson.file.removeprefix("pages/").removesuffix(".py")


BETTING = {path_of(lesson): lesson for lesson in LESSONS if lesson.bet}
PROJECTOR, PHONE = {"width": 1280, "height": 720}, {"width": 390, "height": 844}
TOLD = "() => document.documentElement.classList.contains('tvbo-told')"
# Notes at each frame of a reveal what is seen of question and answer, the box of the top bar on the page, and whether
# that stands: while the script runs, parts of the page before are still there.
WATCH_FRAMES = """() => {
  const looks = name => [...document.querySelectorAll(name)].map(one => getComputedStyle(one).visibility).join();
  window.topbar = () => {
    const { left, top, width, height } = document.querySelector('.st-key-topbar').getBoundingClientRect(),
      page = document.querySelector('h1').closest('[data-testid=stMain]');
    return [left, top + (page?.scrollTop ?? 0), width, height].map(Math.round);
  };
  window.seen = [];
  addEventListener('tvbo:frame', ({ detail: { t } }) => seen.push({ t, bar: topbar(),
    truth: looks('.st-key-bet_truth'), question: looks('h1').split(',')[0], answer: looks('.st-key-answered h1'),
    stands: lab.player?.truth != null && !document.querySelector('.st-key-bet_panel')
      && document.querySelector('[data-testid=stApp]').dataset.testScriptState === 'notRunning' }));
}"""
LETTERS = re.compile(rb"[\x20-\x7e\xc2-\xf4\x80-\xbf]{4,}")


@dataclass
class Line:
    """Everything that a browser gets: bodies of answers by their address, and messages of the socket."""

    bodies: dict[str, bytes] = field(default_factory=dict)
    frames: list[bytes] = field(default_factory=list)

    def listen(self, screen: Screen) -> None:
        def hear(said: bytes | str) -> None:
            self.frames.append(said if isinstance(said, bytes) else said.encode())

        screen.page.on("websocket", lambda wire: wire.on("framereceived", hear))
        screen.page.on("requestfinished", self._keep)

    def _keep(self, asked: object) -> None:
        answer = asked.response()
        if answer is not None and answer.status == 200 and asked.url not in self.bodies:
            self.bodies[asked.url] = answer.body()  # as it was before it was compressed

    @property
    def films(self) -> dict[str, bytes]:
        """Address -> film."""
        return {url: raw for url, raw in self.bodies.items() if urlsplit(url).path.startswith(("/film/", "/frame/"))}

    @property
    def texts(self) -> list[str]:
        """Every text of the socket, of the films, and of what else the server says; not the scripts, which are the same
        for everybody."""
        raws = [raw for url, raw in self.bodies.items() if "/static/" not in url and ".js" not in url]
        for frame in self.frames:
            raws += [frame, *answers.films_in(frame)]
        return [found.decode(errors="ignore") for raw in raws for found in LETTERS.findall(raw)]


@cache
def question(path: str, lecture: bool) -> bytes:
    """Return the film of a bet's question, as it travels."""
    lesson, bet = BETTING[path], BETTING[path].bet
    scene = lesson.until(lesson.settings(bet.opens_with), bet.opens, Theme(lecture=lecture))
    return message(scene, "ours")


@pytest.mark.parametrize("path", sampled(BETTING, "", "Drifting_rewards"))
def test_no_byte_of_the_answer_reaches_the_browser_before_the_reveal(stranger: Callable[[], Screen], path: str) -> None:
    """From the first visit by the bet's own link until just before the reveal, with the film played and an answer
    chosen. What the film holds is compared with `Lesson.until`, whose numbers tests/lessons/test_questions.py reads."""
    lesson, screen, line = BETTING[path], stranger(), Line()
    screen.page.set_viewport_size(PROJECTOR)
    line.listen(screen)
    screen.open(path, guess="open", lecture="true")
    screen.press("Home", "End").hold(600).settle()
    screen.press("1").hold(600).settle()
    assert screen.page.locator(".st-key-bet_reveal button").is_visible()
    got = list(line.films.values()) + [film for frame in line.frames for film in answers.films_in(frame)]
    mine = [film for film in got if b'"key":"main"' in film]
    assert mine and set(mine) == {question(path, True)}
    assert all(parse_qs(urlsplit(url).query)["until"] == [str(lesson.bet.opens)] for url in line.films)
    assert answers.in_words(lesson, line.texts) == set()
    assert not [text for text in line.texts for one in answers.written(lesson) if "." in one and tells(text, one)]
    screen.page.locator(".st-key-bet_reveal button").click()
    screen.until(TOLD).settle()
    assert answers.in_words(lesson, line.texts) != set()  # the same search finds it now
    assert screen.errors == []


def tells(text: str, number: str) -> bool:
    """Whether a number stands in a text, and is no part of another one, nor of a picture in the glossary."""
    plain = re.sub(r"<[^>]*>", " ", text)
    return re.search(rf"(?<![\d.,]){re.escape(number)}(?![\d,]|\.\d)", plain) is not None


@pytest.mark.parametrize("path", sampled(BETTING))
def test_key_d_asks_a_digit_bets_and_the_film_runs_to_the_truth(tab: Tab, path: str) -> None:
    lesson, bet = BETTING[path], BETTING[path].bet
    screen = tab(path) if path else tab("Drifting_rewards")
    if not path:  # whose stage is no chart until it asks
        screen.page.goto(screen.address)
        screen.page.locator(".st-key-bet_open button").first.wait_for()
        screen.until("() => window.lab?.now?.reset?.startsWith('chase:')").hold(700)  # the stage hears keys now
    screen.press("d").until("() => !!document.querySelector('.st-key-bet_panel')").settle()
    assert bet.question[:20] in screen.page.locator("h1").inner_text().replace("\n", " ")
    for i in range(1, (len(bet.options) if bet.ranks else 1) + 1):
        screen.press(str(i)).hold(200).settle()
    words = list(bet.options)
    wanted = ".".join(words) if bet.ranks else words[0]
    screen.until("g => new URLSearchParams(location.search).get('guess') === g", wanted)
    stood = screen.frame
    screen.page.evaluate(WATCH_FRAMES)
    screen.page.locator(".st-key-bet_reveal button").click()
    screen.until(TOLD).settle()
    heading, answer = screen.page.locator("h1").first, screen.page.locator(".st-key-answered h1")
    assert answer.is_visible() and not heading.is_visible()
    seen, bar = screen.page.evaluate("() => [seen, topbar()]")
    end = screen.page.evaluate("() => lab.player.film.n - 1")
    assert seen[-1]["t"] == screen.frame == end
    before = [one for one in seen if one["t"] < end]
    assert {one["truth"] for one in before} <= {"", "hidden"}  # no truth before it has happened
    assert {one["answer"] for one in before} <= {"", "hidden"}
    stands = [one for one in before if one["stands"]]
    assert all(one["bar"] == bar and one["question"] == "visible" for one in stands)  # nothing moves below
    if bet.opens < bet.t and lesson.key != "reproductions":
        assert stood < end and before
    assert screen.page.locator(".st-key-bet_truth").is_visible()
    sound(screen.words("wager"), path)
    screen.page.locator(".st-key-bet_leave button").click()
    screen.until("() => !document.querySelector('.st-key-bet_shown') && !!document.querySelector('.st-key-bet_open')")
    assert screen.errors == []


@pytest.mark.parametrize("path", sampled(BETTING))
def test_question_answers_and_figure_stand_on_a_projector_of_720_lines(tab: Tab, path: str) -> None:
    bet = BETTING[path].bet
    guess = ".".join(bet.options) if bet.ranks else next(iter(bet.options))
    for link in ({"guess": "open"}, {"guess": guess, "reveal": "true"}):
        fits(tab, path, link)


@pytest.mark.parametrize("path", sampled(BETTING))
def test_the_hands_of_a_hall_stand_beside_the_figure_on_a_projector_of_720_lines(tab: Tab, path: str) -> None:
    hands = ".".join(str(7 * i % 5) for i in range(len(BETTING[path].bet.options)))  # some have none
    fits(tab, path, {"guess": "open", "reveal": "true", "hands": hands})


def fits(tab: Tab, path: str, link: dict[str, str]) -> None:
    """Assert that all of a bet stands on a projector of 720 lines, and no text of its chart on another one."""
    screen = tab(path, size=PROJECTOR, media={"reduced_motion": "reduce"}, lecture="true", **link)
    if "reveal" in link:
        screen.until(TOLD).settle()
    parts = ["h1", ".st-key-stage_hall", ".st-key-player", ".st-key-bet_chart"]
    parts += [".st-key-bet_truth"] if "reveal" in link else [".st-key-bet_pick", ".st-key-bet_reveal"]
    for part in parts:
        box = screen.page.locator(part).first.bounding_box()
        assert box["y"] >= 0 and box["y"] + box["height"] <= PROJECTOR["height"], (part, box)
        assert box["x"] >= 0 and box["x"] + box["width"] <= PROJECTOR["width"], (part, box)
    sound(screen.words("wager"), path)
    assert screen.errors == []


@pytest.mark.parametrize("path", sampled(BETTING))
def test_on_a_phone_question_figure_and_answers_stand_on_one_screen_and_the_film_is_seen_by_who_answered(
    stranger: Callable[[], Screen], path: str
) -> None:
    bet, screen = BETTING[path].bet, stranger()
    screen.page.set_viewport_size(PHONE)
    screen.open(path, guess="open")
    stand(screen, "h1", ".st-key-stage_desk", ".st-key-player", ".st-key-bet_pick")
    screen.page.locator(".st-key-bet_pick button").last.click()
    for i in range(1, len(bet.options)) if bet.ranks else ():
        screen.page.locator(".st-key-bet_pick button").nth(i - 1).click()
    screen.settle()
    screen.page.locator(".st-key-bet_reveal button").scroll_into_view_if_needed()
    screen.page.locator(".st-key-bet_reveal button").click()
    screen.until("() => lab.player?.truth !== null && !document.querySelector('.st-key-bet_panel')").settle()
    stand(screen, "h1", ".st-key-stage_desk", ".st-key-player")
    screen.until(TOLD).settle()
    stand(screen, ".st-key-answered h1", ".st-key-stage_desk", ".st-key-player")
    assert screen.errors == []


def stand(screen: Screen, *parts: str) -> None:
    """Assert that these parts of a page stand whole on the screen of a phone."""
    for part in parts:
        box = screen.page.locator(part).first.bounding_box()
        assert box["y"] >= 0 and box["y"] + box["height"] <= PHONE["height"], (part, box)


def test_who_wants_less_motion_gets_the_truth_at_once(tab: Tab) -> None:
    screen = tab("Confidence_bands", media={"reduced_motion": "reduce"}, guess="widest", reveal="true")
    screen.until(TOLD).settle()
    assert screen.frame == screen.page.evaluate("() => lab.player.film.n - 1")
    assert screen.page.locator(".st-key-bet_truth").is_visible()


def test_on_a_desk_the_stage_and_the_answers_stand_beside_each_other(tab: Tab) -> None:
    screen = tab("The_race", guess="open")
    stage, chart = (screen.page.locator(f".st-key-{one}").bounding_box() for one in ("stage_desk", "bet_chart"))
    assert stage["x"] + stage["width"] <= chart["x"] and chart["y"] < stage["y"] + stage["height"]
    assert chart["x"] + chart["width"] <= DESK["width"]
