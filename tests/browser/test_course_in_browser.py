"""A course in a browser: one key walks from the title to the last page, another one back, and a reload stays there."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from lessons import BY_KEY
from shell.course.courses import COURSES, Course, Stop
from tests.browser.boxes import SLACK
from tests.browser.conftest import DESK, sampled
from tests.browser.screen import Screen

pytestmark = pytest.mark.browser
COURSE = COURSES["twenty"]
PROJECTOR, PHONE = {"width": 1280, "height": 720}, {"width": 390, "height": 844}
ON_ITS_SIDE = {"width": 844, "height": 390}
SCREENS = {"desk": DESK, "hall": PROJECTOR, "phone": PHONE, "on its side": ON_ITS_SIDE}
WALKS = [f"{key}, {name}" for key in ("twenty", "hour") for name in SCREENS] + ["one stop, desk"]
PRESSES = 16  # a stop; three would do, but a press while a page is on its way does nothing
# The bar knows the page, and the page stands.
ARRIVED = """() => document.querySelector('[data-testid=stApp]')?.dataset.testScriptState === 'notRunning'
  && !!lab.course"""
# How long after now another stop stands with its picture, in `window.took`; null until then. The canvases show it, and
# Plotly draws the same once it rests.
CLOCK = f"""from => {{
  const since = performance.now(), arrived = {ARRIVED};
  const drawn = () => {{
    const {{ player, course }} = lab, chart = lab.charts.get('main');
    if (location.pathname.includes('bandits') && lab.game) return true;
    return !!chart?.figure && chart.root.isConnected && !!player?.reset?.startsWith(course.data.scene)
      && (player.data.address ?? player.data.revision) === player.name && chart.frame === player.t;
  }};
  const here = () => {{
    const at = Number(new URLSearchParams(location.search).get('stop') ?? '0'), where = lab.course.data.where;
    if (at === from) return false;
    return where === '' ? !!document.querySelector('.st-key-course_page') : parseInt(where) === at && drawn();
  }};
  const look = () => {{
    if (!arrived() || !here()) return requestAnimationFrame(look);
    window.took = performance.now() - since;
  }};
  window.took = null;
  look();
}}"""
THERE = "at => new URLSearchParams(location.search).get('stop') === at && !!lab.course"


def stop(screen: Screen) -> int:
    return int(screen.page.evaluate("() => new URLSearchParams(location.search).get('stop') ?? '0'"))


def begin(screen: Screen, size: dict[str, int], **link: object) -> Screen:
    screen.page.set_viewport_size(size)
    screen.page.goto(f"{screen.address}/?{'&'.join(f'{k}={v}' for k, v in link.items())}")
    return screen.until("() => !!window.lab?.course")


def walk(screen: Screen, course: Course, act: Callable[[], object]) -> list[int]:
    """Do the next thing until the last page; return the stops that were seen, each once in a row."""
    seen = [stop(screen)]
    for _ in range(PRESSES * course.last):
        screen.page.evaluate(CLOCK, seen[-1])
        act()
        screen.hold(500).until(ARRIVED).hold(200)
        if stop(screen) != seen[-1]:
            seen.append(stop(screen))
            screen.until(THERE, str(seen[-1])).until("() => window.took !== null")
            print(f"to stop {seen[-1]}: {screen.page.evaluate('() => window.took') / 1000:.2f} s")
        if seen[-1] == course.last:
            break
    return seen


@pytest.mark.parametrize("key", ["twenty", *(pytest.param(k, marks=pytest.mark.wide) for k in ("hour", "gpucb"))])
def test_page_down_alone_walks_from_the_title_to_the_last_page_and_page_up_back(
    stranger: Callable[[], Screen], key: str
) -> None:
    course = COURSES[key]
    screen = begin(stranger(), PROJECTOR, course=key, lecture="true")
    assert stop(screen) == 0
    assert walk(screen, course, lambda: screen.press("PageDown")) == list(range(course.last + 1))
    screen.until("() => document.querySelector('h1')?.innerText === 'What we have seen'").hold(300)
    looks = screen.page.locator("[class*=st-key-course_seen_] [data-testid=stPageLink] a").evaluate_all(
        "all => all.map(a => [getComputedStyle(a).backgroundColor, getComputedStyle(a.querySelector('p')).fontWeight])"
    )
    assert len(looks) == len(course.stops) and all(look == looks[0] for look in looks)  # none is marked
    screen.press("PageDown").hold(300)
    assert stop(screen) == course.last  # nothing is left, and nothing is said
    for at in range(course.last - 1, -1, -1):
        screen.press("PageUp").until(THERE, str(at)).hold(300)
        if at and course.stops[at - 1].plays:
            screen.until("() => lab.course?.came")  # what came out there, not the beginning of its film
    assert screen.page.locator("h1").inner_text() == course.title and screen.errors == []


def test_the_hands_of_the_hall_are_counted_by_digits_hidden_until_the_reveal(stranger: Callable[[], Screen]) -> None:
    asks = next(i for i, one in enumerate(COURSE.stops, start=1) if one.asks)
    screen = begin(stranger(), PROJECTOR, course="twenty", stop=asks, guess="open", lecture="true")
    screen.until("() => !!document.querySelector('.st-key-bet_reveal button')").settle()
    screen.press("3").until("() => lab.course.root.querySelector('.where').textContent.includes('a hand for 3')")
    screen.press("Shift+Digit3").until("() => !lab.course.root.querySelector('.where').textContent.includes('hands')")
    for key in ("1", "1", "1", "2", "Shift+Digit1", "Shift+Digit3", "9"):
        screen.press(key)
    screen.until("() => lab.course.root.querySelector('.where').textContent.endsWith(' · 3 hands')")
    assert screen.page.locator(".st-key-bet_pick [aria-checked=true]").count() == 0  # a hand is nobody's own bet
    screen.press("PageDown").until("() => location.search.includes('hands=2.1.0')")
    screen.press("PageDown").until("() => document.documentElement.classList.contains('tvbo-told')")
    assert "of 3 hands had it right" in screen.page.locator(".st-key-bet_truth").inner_text()
    screen.settle().hold(500).press("PageUp").until("() => !!document.querySelector('.st-key-bet_reveal button')")
    said(screen, " · 3 hands")  # one press too far and back loses none
    screen.settle().press("3").until("() => lab.course.root.querySelector('.where').textContent.includes(' · 4 hands')")
    screen.press("PageUp").until(THERE, str(asks - 1)).hold(500)
    assert "hand" not in screen.page.locator(".course .where").inner_text()
    walk_to(screen, asks)
    said(screen, " · 4 hands")
    screen.settle().press("PageDown").until("() => location.search.includes('hands=2.1.1')").settle()
    screen.page.reload()
    screen.until(THERE, str(asks)).settle()  # the answer's address holds them
    screen.hold(500).press("PageUp").until("() => !!document.querySelector('.st-key-bet_reveal button')")
    said(screen, " · 4 hands")
    again = screen.page.locator(".course [data-do=anew]")
    again.click()
    said(screen, f"{asks} of {len(COURSE.stops)}")
    assert not again.is_visible()  # nothing is left to count again
    screen.press("2")
    said(screen, " · 1 hand")
    assert again.is_visible()
    screen.settle().press("PageDown").until("() => location.search.includes('hands=0.1.0')")
    walk_to(screen, COURSE.last)
    screen.until("() => /of 1 hands had it right/.test(document.querySelector('.st-key-course_page')?.innerText)")
    assert screen.errors == []


def said(screen: Screen, words: str) -> None:
    """Wait until the line of the bar ends like this; which answer got a hand is said for a moment."""
    screen.until("words => lab.course?.root.querySelector('.where').textContent.endsWith(words)", words)


def walk_to(screen: Screen, at: int) -> None:
    """Press Page Down until this stop stands."""
    for _ in range(PRESSES):
        if stop(screen) == at:
            return
        screen.press("PageDown").hold(500).until(ARRIVED)
    raise AssertionError(f"stop {stop(screen)}, not {at}, after {PRESSES} presses")


def test_a_digit_chooses_a_moment_after_the_reveal_and_page_up_leads_back_to_the_stop(
    stranger: Callable[[], Screen],
) -> None:
    asks = next(i for i, one in enumerate(COURSE.stops, start=1) if one.asks)
    screen = begin(stranger(), PROJECTOR, course="twenty", stop=asks, guess="open", lecture="true")
    screen.until("() => !!document.querySelector('.st-key-bet_reveal button')").settle()
    screen.press("1", "PageDown").until("() => location.search.includes('hands=1.0.0')").settle()
    address = screen.page.url
    screen.press("1", "2").hold(800)  # a hand that comes too late counts nothing and shows nothing else
    assert screen.page.url == address and screen.page.locator(".st-key-bet_shown").is_visible()
    screen.page.locator(".st-key-bet_leave button").click()
    screen.until("() => !document.querySelector('.st-key-bet_shown') && !location.search.includes('guess')")
    said(screen, f"back to {asks} of {len(COURSE.stops)}")
    screen.press("2").until("() => location.search.includes('moment=')")
    screen.press("PageUp").until("() => !!document.querySelector('.st-key-bet_reveal button')")
    said(screen, " · 1 hand")
    plays = next(i for i, one in enumerate(COURSE.stops, start=1) if one.lesson == "race")
    screen.page.goto(f"{screen.address}/The_race?course=twenty&stop={plays}&moment=jumps&t=0&lecture=true")
    screen.settle()
    own = [one.key for one in BY_KEY["race"].moments].index("jumps") + 1
    for digit in (own, 1 + (own == 1)):  # its own moment's, which leaves it, and another one
        screen.press(str(digit)).until("() => !location.search.includes('moment=jumps')").settle()
        said(screen, f"back to {plays} of {len(COURSE.stops)}")
        screen.press("PageUp").until("() => location.search.includes('moment=jumps')").settle()
        said(screen, f"{plays} of {len(COURSE.stops)}")
        assert stop(screen) == plays and screen.frame == 0
        assert screen.page.locator(".course [data-do=next]").inner_text() == "Play"
    assert screen.errors == []


def test_outside_a_course_digits_answer_an_open_bet_and_choose_moments_once_it_is_left(
    stranger: Callable[[], Screen],
) -> None:
    screen = stranger()
    screen.page.set_viewport_size(PROJECTOR)
    screen.page.goto(f"{screen.address}/Confidence_bands?guess=open")
    screen.settle().press("2").until("() => !!document.querySelector('.st-key-bet_pick [aria-checked=true]')").settle()
    assert "moment" not in screen.page.url
    screen.page.locator(".st-key-bet_reveal button").click()
    screen.until("() => document.documentElement.classList.contains('tvbo-told')").settle()
    address = screen.page.url
    screen.press("1").hold(800)
    assert screen.page.url == address  # the answer stays on screen
    screen.page.locator(".st-key-bet_leave button").click()
    screen.until("() => !document.querySelector('.st-key-bet_shown')").settle()
    screen.press("1").until("key => location.search.includes(`moment=${key}`)", BY_KEY["bands"].moments[0].key)
    assert screen.errors == []


def test_a_game_that_is_not_over_is_left_by_a_second_press(stranger: Callable[[], Screen]) -> None:
    screen = begin(stranger(), PROJECTOR, course="twenty", lecture="true")
    walk_to(screen, 1)
    button = screen.page.locator(".course [data-do=next]")

    def says(words: str) -> None:
        screen.until("words => lab.course?.root.querySelector('[data-do=next]').textContent === words", words)

    screen.until("() => lab.game?.left === 12").hold(500)
    says("Leave the game …")
    screen.press("PageDown")
    says("Leave it: Chase the peak ›")
    said(screen, " · 12 rounds left")
    bar = screen.page.locator(".course")
    ink, paper = bar.evaluate("e => [getComputedStyle(e).backgroundColor, getComputedStyle(e).color]")
    assert ink == "rgb(27, 30, 36)" and paper == "rgb(255, 255, 255)"  # the colours of the page, the other way round
    screen.press("Enter").until("() => lab.game.left === 11")  # who plays on is asked again
    says("Leave the game …")
    said(screen, f"1 of {len(COURSE.stops)}")
    screen.press("PageDown", "PageDown").hold(1500)  # a clicker that bounces leaves nothing
    assert stop(screen) == 1 and screen.page.evaluate("() => lab.game.left") == 11
    said(screen, " · 11 rounds left")
    screen.press("PageDown").until(THERE, "2").settle()
    assert screen.page.locator(".st-key-bet_reveal").is_visible()
    screen.press("PageUp").until(THERE, "1").until("() => lab.game?.left === 11").hold(500)  # where it was left
    for left in range(10, -1, -1):
        screen.press("Enter").until("left => (lab.game?.left ?? 0) === left", left)
    screen.until("() => !lab.game && !!document.querySelector('.st-key-to_clicks')").settle()
    says("Next: Chase the peak ›")
    button.click()
    screen.until(THERE, "2")
    assert screen.errors == []


def test_a_question_is_revealed_a_film_is_played_and_brought_to_its_end(stranger: Callable[[], Screen]) -> None:
    asks = next(i for i, one in enumerate(COURSE.stops, start=1) if one.asks)
    screen = begin(stranger(), PROJECTOR, course="twenty", stop=asks, guess="open", lecture="true")
    screen.until("() => !!document.querySelector('.st-key-bet_reveal button')").settle()
    screen.press("PageDown").until("() => location.search.includes('reveal=true') && lab.player?.clock.runs")
    screen.press("PageDown").until("() => document.documentElement.classList.contains('tvbo-told')")
    assert stop(screen) == asks
    screen.hold(500).press("PageUp").until("() => !!document.querySelector('.st-key-bet_reveal button')")
    assert stop(screen) == asks  # a step back is the question, not the stop before
    plays = next(i for i, one in enumerate(COURSE.stops, start=1) if one.lesson == "race")
    screen.page.goto(f"{screen.address}/The_race?course=twenty&stop={plays}&moment=jumps&t=0&lecture=true")
    screen.settle()
    odds = screen.page.locator(".st-key-odds_spot p").first  # how often it ends so is not told before it does
    assert odds.evaluate("e => getComputedStyle(e).visibility") == "hidden" and odds.text_content()
    screen.page.locator("input[type=range]").first.focus()  # wherever the focus is
    screen.press("PageDown").until("() => lab.player.clock.runs")
    assert odds.evaluate("e => getComputedStyle(e).visibility") == "hidden"
    screen.press("PageDown").until("() => !lab.player.clock.runs && lab.player.t === lab.player.film.n - 1")
    assert odds.is_visible()
    screen.page.reload()
    screen.until(THERE, str(plays)).settle()
    assert screen.frame == 0  # a reload begins the stop anew
    screen.press("PageDown").until("() => lab.player.clock.runs")
    screen.press("PageDown").until("() => !lab.player.clock.runs")
    screen.press("PageDown").until(THERE, str(plays + 1))
    assert screen.errors == []


def test_a_press_that_was_meant_for_a_film_and_comes_just_after_its_end_does_not_leave_the_stop(
    stranger: Callable[[], Screen],
) -> None:
    plays = next(i for i, one in enumerate(COURSE.stops, start=1) if one.lesson == "race")
    screen = begin(stranger(), PROJECTOR, course="twenty", stop=plays)
    screen.page.goto(f"{screen.address}/The_race?course=twenty&stop={plays}&moment=jumps&t=0")
    screen.settle()
    # The press comes as the film stands still, before any hand could know of it.
    screen.page.evaluate("""() => { const { player } = lab; addEventListener('tvbo:frame', function look() {
        if (player.clock.runs || player.t < player.film.n - 1) return;
        removeEventListener('tvbo:frame', look);
        window.said = [];
        setTimeout(() => { lab.course.next(); said.push(lab.course.button.textContent); }); }); }""")
    screen.press("PageDown").until("() => !lab.player.clock.runs && lab.player.t === lab.player.film.n - 1").hold(1000)
    assert stop(screen) == plays and screen.page.evaluate("() => said") == ["To the end"]
    screen.until("() => lab.course.button.textContent === 'Next: Confidence bands ›'")
    screen.press("PageDown").until(THERE, str(plays + 1)).settle()
    screen.press("PageDown").until("() => lab.player.clock.runs")
    screen.press("PageUp").until(THERE, str(plays))  # a film that is left does not end on another page
    screen.until("() => lab.course.button.textContent.startsWith('Next')")
    assert not screen.page.evaluate("() => lab.course.rests") and screen.errors == []


def test_a_secret_game_shows_how_it_moved_before_the_next_stop(stranger: Callable[[], Screen]) -> None:
    screen = stranger()
    screen.page.goto(f"{screen.address}/You_against_the_bandits?stops=game.secret,race.jumps&stop=1&moment=secret")
    screen.until("() => lab.game?.left === 12").hold(500)
    for left in range(11, -1, -1):
        screen.press("Enter").until("left => lab.game?.left === left", left)
    screen.until("() => lab.course.root.querySelector('[data-do=next]').textContent === 'Show how it moved'")
    screen.until("() => !!document.querySelector('.st-key-guess_none')").hold(300)
    screen.press("PageDown").until("() => !lab.game && !!document.querySelector('.st-key-to_clicks')").settle()
    assert stop(screen) == 1
    screen.press("PageDown").until(THERE, "2")
    assert screen.errors == []


def addresses(stop: Stop) -> list[dict[str, str]]:
    """The words under which a stop stands: a bet has its question and its reveal."""
    return [stop.query(), {**stop.query(), "reveal": "true"}] if stop.asks else [stop.query()]


@pytest.mark.parametrize("name", sampled(WALKS, "one stop, desk"))
def test_the_bar_covers_neither_headline_nor_figure_nor_player(stranger: Callable[[], Screen], name: str) -> None:
    key, _, of = name.partition(", ")
    size, more = SCREENS[of], {"lecture": "true"} if of == "hall" else {}
    course, only = (COURSES["hour"], {3}) if key == "one stop" else (COURSES[key], None)
    screen = stranger()
    screen.page.emulate_media(reduced_motion="reduce")
    met = 0
    for at, one in enumerate(course.stops, start=1):
        if only and at not in only:
            continue
        path = BY_KEY[one.lesson].file
        for words in addresses(one):
            screen.page.set_viewport_size(size)
            link = {"course": course.key, "stop": at, **words, **more}
            query = "&".join(f"{word}={said}" for word, said in link.items())
            screen.page.goto(f"{screen.address}/{'' if path == 'home.py' else Path(path).stem}?{query}")
            screen.until(ARRIVED).hold(300)
            if one.lesson != "game":  # whose stage is no figure with a player
                screen.settle()
            bar = screen.page.locator(".st-key-course_bar").bounding_box()
            assert bar["y"] >= 0 and bar["y"] + bar["height"] <= size["height"] + SLACK, (one.name, bar)
            # In a hall the bar stands in the row of the question, beside its words.
            headline = "h1 span" if of == "hall" else "h1"
            for part in (headline, ".st-key-finding_spot", "[class*=st-key-stage_]", ".st-key-player"):
                found = screen.page.locator(part).first
                box = found.bounding_box() if found.count() else None
                if box is None:
                    continue
                met += part == ".st-key-player"
                below = box["y"] + box["height"] <= bar["y"] + SLACK
                beside = box["x"] + box["width"] <= bar["x"] + SLACK or bar["y"] + bar["height"] <= box["y"] + SLACK
                assert below or (of == "hall" and beside), (one.name, words, part, box, bar)
                assert box["y"] + box["height"] <= size["height"] + SLACK, (one.name, part, box)
    assert met >= (1 if only else len(course.stops) - 1) and screen.errors == []


def test_the_button_says_what_a_press_does_and_a_click_does_it(stranger: Callable[[], Screen]) -> None:
    asks = next(i for i, one in enumerate(COURSE.stops, start=1) if one.asks)
    screen = begin(stranger(), DESK, course="twenty", stop=asks, guess="open")
    button, truth = screen.page.locator(".course [data-do=next]"), screen.page.locator(".st-key-bet_truth")

    def says(words: str) -> None:
        screen.until("words => lab.course?.root.querySelector('[data-do=next]').textContent === words", words)

    screen.until("() => !!document.querySelector('.st-key-bet_reveal button')").settle()
    says("Show what happened")
    button.click()
    says("To the end")
    screen.until("() => lab.player?.clock.runs").press(" ").until("() => !lab.player.clock.runs")
    assert screen.frame < screen.page.evaluate("() => lab.player.truth") and stop(screen) == asks
    hidden = "e => getComputedStyle(e).visibility === 'hidden'"  # halted before it has happened
    assert truth.evaluate(hidden) and truth.locator("p").first.evaluate(hidden)
    place = truth.bounding_box()
    says("Play")
    button.click()
    says("To the end")
    says("Next: Forgetting ›")  # the film has come to its end by itself
    assert screen.page.get_by_role("button", name="Back to the lesson").count() == 0  # it would leave the course
    assert truth.is_visible() and truth.bounding_box() == place  # nothing jumps
    button.click()
    screen.until(THERE, str(asks + 1))
    plays = next(i for i, one in enumerate(COURSE.stops, start=1) if one.lesson == "race")
    screen.page.goto(f"{screen.address}/The_race?course=twenty&stop={plays}&moment=jumps&t=0")
    screen.settle()
    odds = screen.page.locator(".st-key-odds_spot p").first  # how often it ends so is not told before it does
    for words in ("Play", "To the end"):
        says(words)
        assert odds.evaluate(hidden)
        button.click()
    says("Next: Confidence bands ›")
    assert odds.is_visible()
    button.click()
    screen.until(THERE, str(plays + 1))
    assert screen.errors == []


def test_on_a_phone_the_next_button_walks_and_lies_at_the_lower_edge(stranger: Callable[[], Screen]) -> None:
    screen = begin(stranger(), PHONE, course="twenty")
    button = screen.page.locator(".course [data-do=next]")

    def touch() -> None:
        box = button.bounding_box()
        assert box["y"] + box["height"] <= PHONE["height"] and min(box["width"], box["height"]) >= 24
        button.click()

    assert walk(screen, COURSE, touch) == list(range(COURSE.last + 1)) and screen.errors == []


def test_a_stop_on_the_page_of_the_one_before_stays_when_the_whole_page_is_drawn(
    stranger: Callable[[], Screen],
) -> None:
    screen = begin(stranger(), DESK, course="hour")
    screen.page.goto(f"{screen.address}/Forgetting?course=hour&stop=4&moment=bowl")
    screen.settle()
    screen.page.locator(".course [data-do=next]").click()
    screen.until(THERE, "5").settle()
    screen.press("l").until("() => location.search.includes('lecture=true')").settle()
    assert stop(screen) == 5 and "moment=sawtooth" in screen.page.url
    screen.press("PageUp").until(THERE, "4").settle()
    assert "moment=bowl" in screen.page.url
    last = COURSES["twenty"].last
    screen.page.goto(f"{screen.address}/?course=twenty&stop={last}")
    screen.until("() => !!window.lab?.course")
    screen.page.get_by_role("link", name="Chase the peak: a bet").click()  # the last page is the front page's
    screen.until("() => !!document.querySelector('.st-key-bet_reveal button')").settle()
    screen.page.locator(".course [data-do=next]").click()
    screen.until("() => location.search.includes('reveal=true')").until(THERE, "2")
    assert screen.errors == []


def test_the_menu_leaves_a_course_and_page_down_steps_time_again(stranger: Callable[[], Screen]) -> None:
    screen = begin(stranger(), PROJECTOR, course="twenty", stop=0)
    screen.page.goto(f"{screen.address}/Confidence_bands?course=twenty&stop=5&moment=missed")
    screen.settle()
    screen.page.get_by_text("Lessons", exact=False).first.click()
    screen.page.get_by_test_id("stPopoverBody").get_by_role("link", name="The race").click()
    screen.until("() => location.pathname.endsWith('The_race') && !lab.course").settle()
    frame = screen.frame
    screen.press("PageUp").until("f => lab.now.t === f", frame - 1)
    assert "course" not in screen.page.url and screen.errors == []


def test_the_last_page_shows_the_last_picture_of_each_film_and_stands_without_waiting_for_it(
    stranger: Callable[[], Screen],
) -> None:
    screen, asked = stranger(), []
    screen.page.route("**/film/**", lambda route: asked.append(route))
    begin(screen, PROJECTOR, course="twenty", stop=COURSE.last, lecture="true")
    screen.until("() => document.querySelector('.st-key-course_seen_5')?.innerText.includes('once the world moves')")
    for _ in range(50):
        if len(asked) == 3:
            break
        screen.hold(200)
    assert len(asked) == 3 and screen.page.locator(".slide").count() == 0  # painted before any film has come
    boxes = "all => all.map(one => one.getBoundingClientRect().height)"
    heights = screen.page.locator("[class*=st-key-course_picture_]").evaluate_all(boxes)
    assert heights == [0, 0, 0]  # and nothing empty stands in their place
    for route in asked:
        route.continue_()
    slides = screen.page.locator(".slide")
    for at in (3, 4, 5):
        screen.page.locator(f".st-key-course_picture_{at} .slide canvas").first.wait_for()
        named = screen.page.locator(f".st-key-course_picture_{at} [role=img]").get_attribute("aria-label")
        assert named.startswith("Last picture of ")
    ink = """all => all.map(slide => { const c = slide.querySelectorAll('canvas')[1];
        return c.getContext('2d').getImageData(0, 0, c.width, c.height).data.some(v => v > 0); })"""
    assert slides.evaluate_all(ink) == [True] * 3
    lowest = slides.evaluate_all("all => Math.max(...all.map(one => one.getBoundingClientRect().bottom))")
    bar = screen.page.locator(".st-key-course_bar").bounding_box()["y"]
    assert lowest < bar  # all on one screen
    x, y = (lambda box: (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2))(slides.nth(1).bounding_box())
    screen.page.mouse.click(x, y)  # a picture leads to its stop
    screen.until(THERE, "4")
    assert screen.errors == []


def test_the_hands_of_an_open_question_outlast_a_reload_until_they_are_counted_again(
    stranger: Callable[[], Screen],
) -> None:
    at = next(at for at, one in enumerate(COURSE.stops, start=1) if one.asks)
    screen = begin(stranger(), PROJECTOR, course="twenty", lecture="true")
    walk_to(screen, 1)
    screen.until("() => lab.game?.left === 12").hold(500).press("PageDown").hold(1500).press("PageDown")
    screen.until(THERE, str(at)).settle().press("1", "1", "2")
    said(screen, " · 3 hands")
    screen.page.reload()
    said(screen.until(THERE, str(at)), " · 3 hands")
    screen.settle().press("3")
    said(screen, " · 4 hands")
    screen.page.locator(".course [data-do=anew]").click()
    said(screen, f"{at} of {len(COURSE.stops)}")
    screen.page.reload()
    said(screen.until(THERE, str(at)), f"{at} of {len(COURSE.stops)}")  # they do not come back
    key = screen.page.evaluate("() => Object.keys(sessionStorage).find(one => one.startsWith('tvbo-hands'))")
    screen.page.evaluate("key => sessionStorage.setItem(key, '[1, -2]')", key)
    screen.page.reload()
    said(screen.until(THERE, str(at)), f"{at} of {len(COURSE.stops)}")  # what was changed by hand is not believed
    screen.settle().press("2").settle()
    said(screen, " · 1 hand")
    screen.press("PageDown").until("() => location.search.includes('hands=0.1.0')")
    assert screen.errors == []
