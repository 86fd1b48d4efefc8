"""High contrast, paper and wide text spacing: every page stays whole, and what is chosen is seen."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Callable

import pytest
from PIL import Image
from playwright.sync_api import Locator

from tests.browser.boxes import cut
from tests.browser.conftest import DESK, FILMS, HALL, sampled
from tests.browser.screen import Screen

pytestmark = pytest.mark.browser
Tab = Callable[..., Screen]
PAGES = ("", *FILMS)
# A4 and US Letter on their side, less 10 mm of margin all round, in CSS pixels.
PAPERS = {"A4": {"width": 1047, "height": 718}, "Letter": {"width": 980, "height": 740}}
RING = 1.2  # the least of a ring of the focus against what is there without it
SEEN = 3.0  # the ratio that WCAG 1.4.11 asks of a control against its ground


def shot(part: Locator) -> Image.Image:
    return Image.open(io.BytesIO(part.screenshot(animations="disabled"))).convert("RGB")


def light(colour: tuple[int, int, int]) -> float:
    """Return the relative luminance of WCAG 2.2."""
    linear = [c / 12.92 if (c := v / 255) <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for v in colour]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def ratio(one: tuple, other: tuple) -> float:
    high, low = sorted((light(one), light(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def ground(picture: Image.Image) -> tuple:
    """Return the colour that most of a picture has."""
    return max(picture.getcolors(picture.width * picture.height))[1]


def marked(picture: Image.Image) -> float:
    """Return the share of columns with a pixel that is seen on the picture's upper left one."""
    pixels, corner = picture.load(), picture.getpixel((0, 0))
    found = [any(ratio(pixels[x, y], corner) >= SEEN for y in range(picture.height)) for x in range(picture.width)]
    return sum(found) / picture.width


def shown(screen: Screen, part: str) -> list[Locator]:
    return [one for one in screen.page.locator(part).all() if one.is_visible()]


@pytest.mark.parametrize("scheme", sampled(["light", "dark"], "dark"))
@pytest.mark.parametrize("path", sampled(PAGES, "The_race"))
def test_high_contrast_shows_controls_and_choices(tab: Tab, path: str, scheme: str) -> None:
    media = {"forced_colors": "active", "color_scheme": scheme}
    screen = tab(path, media=media) if path else tab("Theorems", media=media).front()
    for slider in shown(screen, ".stSlider [role=group] > [data-orientation]"):
        assert marked(shot(slider)) > 0.8  # a track from end to end
        thumb = shot(slider.locator("div:has(> [data-testid=stSliderThumbValue])"))
        across = [thumb.getpixel((x, thumb.height // 2)) for x in range(thumb.width)]
        assert max(ratio(a, b) for a in across for b in across) >= SEEN  # a ring on its track
    for switch in shown(screen, ".stCheckbox label > span + div"):
        assert marked(shot(switch)) > 0.8
    for chosen in shown(screen, ".stButtonGroup button[data-selected=true]"):
        beside = chosen.locator("xpath=..").locator("button:not([data-selected=true])")
        if beside.count():
            assert ratio(ground(shot(chosen)), ground(shot(beside.first))) >= SEEN, chosen.inner_text()
    for worlds in shown(screen, ".worlds:has(.fails)"):
        dots = [shot(worlds.locator(f"b{kind}").first) for kind in (".fails", ":not(.fails)")]
        assert ratio(*(dot.getpixel((dot.width // 2, dot.height // 2)) for dot in dots)) >= SEEN
    words = shown(screen, ".live, .st-key-moments button, .player output, .st-key-start a")
    assert words and [w.inner_text() for w in words if marked(shot(w)) < 0.15] == []


# One of each kind that a key reaches, and the part of the page on which its focus is seen.
CONTROLS = {
    ".st-key-moment button": "el",
    ".st-key-bet_open button": "el",
    ".stPopover button": "el",
    ".stSelectbox input, .stSelectbox button": "el.closest('.stSelectbox')",
    ".stSlider input": "el.closest('.stSlider')",
    ".stCheckbox input": "el.closest('.stCheckbox')",
    ".st-key-algos [role=toolbar] button": "el",
    ".stExpander summary": "el",
    ".player button[data-do=play]": "el",
    ".player input": "el",
    ".player select": "el",
    ".live a.term": "el",
    ".worlds": "el",
    ".st-key-neighbours a": "el",
    ".st-key-main .chart": "el",
}


def test_focus_is_seen_on_every_control(tab: Tab) -> None:
    screen = tab("The_race", size={"width": 1366, "height": 1100})
    unseen = []
    for part, where in CONTROLS.items():
        control = screen.page.locator(part).first
        control.scroll_into_view_if_needed()
        box = control.evaluate(f"el => JSON.stringify(({where}).getBoundingClientRect())")
        left, top, wide, high = (json.loads(box)[side] for side in ("x", "y", "width", "height"))
        clip = {"x": max(left - 5, 0), "y": max(top - 5, 0), "width": wide + 10, "height": high + 10}

        def look(clip: dict = clip) -> Image.Image:
            picture = screen.hold(120).page.screenshot(clip=clip, animations="disabled", caret="hide")
            return Image.open(io.BytesIO(picture)).convert("RGB")

        screen.blur().page.mouse.move(0, 0)
        before = look()
        screen.press("Tab")  # the focus comes by the keyboard
        control.focus()
        after = look()
        other = [
            ratio(before.getpixel((x, y)), after.getpixel((x, y)))
            for x in range(before.width)
            for y in range(before.height)
            if before.getpixel((x, y)) != after.getpixel((x, y))
        ]
        # A ring that is gone changes nothing. Ours have 3 to 1 and more, Streamlit's own 1.25 to 2.2.
        if sum(one >= RING for one in other) < min(wide, high):
            unseen.append((part, len(other), max(other, default=1.0)))
    assert unseen == [], unseen


@pytest.mark.parametrize("lecture", [False, pytest.param(True, marks=pytest.mark.wide)])
@pytest.mark.parametrize("path", sampled(PAGES, "Real_data"))
def test_lesson_is_one_page_on_paper(tab: Tab, path: str, lecture: bool) -> None:
    link, size = ({"lecture": "true"}, HALL) if lecture else ({}, DESK)
    screen = tab(path or "Theorems", size=size, **link)
    if not path:
        screen.front(**link)
    for name in PAPERS:
        paper = screen.page.pdf(format=name)
        assert len(re.findall(rb"/Type\s*/Page\b(?!s)", paper)) == 1, name
    screen.page.evaluate("() => window.dispatchEvent(new Event('beforeprint'))")
    screen.page.emulate_media(media="print")
    for name, page in PAPERS.items():
        screen.page.set_viewport_size(page)
        screen.hold(300)
        assert cut(screen, "h1", ".live", ".st-key-main .chart", ".st-key-main .main-svg") == [], name
        assert screen.page.locator(".st-key-main .chart").bounding_box()["width"] > 0.6 * page["width"]
        captions = [one.bounding_box() for one in shown(screen, "[data-testid=stCaptionContainer]")]
        assert all(one["y"] + one["height"] <= page["height"] for one in captions)
        assert shown(screen, "button, input, select, textarea, summary") == [], name


SPACED = """* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important; }
p { margin-bottom: 2em !important; }"""  # WCAG 1.4.12
# Words of the page that their own box, or one around it that does not scroll, cuts. Figures and formulas are pictures.
CUT = """() => {
  const found = [];
  const walker = document.createTreeWalker(document.querySelector('.stMain'), NodeFilter.SHOW_TEXT);
  for (let node; (node = walker.nextNode()); ) {
    const own = node.parentElement;
    if (!node.data.trim() || own.closest('.chart, .katex, svg, style, script, option, .sheet')) continue;
    if (own.closest('[data-testid=stIconMaterial]')) continue;
    if (!own.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const text = range.getBoundingClientRect(), size = parseFloat(getComputedStyle(own).fontSize);
    if (text.width < 2 || text.height < 2) continue;
    for (let box = own; box && !box.matches('.stMain'); box = box.parentElement) {
      const look = getComputedStyle(box), edge = box.getBoundingClientRect();
      if (look.display === 'contents') continue;
      if (edge.width <= 2 || edge.height <= 2) break;  // for a screen reader alone
      // Half a line's leading is no ink.
      const x = look.overflowX !== 'visible' && look.overflowX !== 'auto' && look.overflowX !== 'scroll'
        && (text.right > edge.right + 1 || text.left < edge.left - 1);
      const y = look.overflowY !== 'visible' && look.overflowY !== 'auto' && look.overflowY !== 'scroll'
        && (text.bottom > edge.bottom + 0.3 * size || text.top < edge.top - 0.3 * size);
      if (x || y) { found.push(`${node.data.trim()} in ${box.className}`); break; }
    }
  }
  return found;
}"""


@pytest.mark.parametrize("path", sampled(PAGES, "Forgetting"))
def test_wide_text_spacing_cuts_nothing(tab: Tab, path: str) -> None:
    screen = tab(path or "Theorems")
    if not path:
        screen.front()
    assert screen.page.evaluate(CUT) == []
    screen.page.add_style_tag(content=SPACED)
    assert screen.hold(600).page.evaluate(CUT) == []
