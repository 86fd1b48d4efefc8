"""A marked term opens its note by pointer, focus and tap; a word of the finding lights its mark, and back."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.browser.screen import Screen

pytestmark = pytest.mark.browser
Tab = Callable[..., Screen]

NOTE = "() => { const n = document.querySelector('.term-note:popover-open'); return n ? n.innerText : ''; }"
OPACITY = """name => tab.chart('main').data.filter(t => typeof t.meta === 'string')
  .map(t => [t.meta === name, t.opacity ?? 1])"""


def test_a_term_opens_its_note_by_pointer_focus_and_tap_and_closes(tab: Tab) -> None:
    screen = tab("Confidence_bands", t=0)  # its sentence names CMM
    caption = screen.page.locator("[data-testid=stCaptionContainer] a[href='#term-matern']")
    caption.hover()
    screen.until(f"() => ({NOTE})().includes('Bertil Matérn')")
    box = screen.page.locator(".term-note").bounding_box()
    assert box["x"] >= 0 and box["y"] >= 0 and box["y"] + box["height"] <= screen.page.viewport_size["height"]
    screen.page.mouse.move(3, 3)
    screen.until(f"() => !({NOTE})()")
    address = screen.page.url
    word = screen.page.locator(".live a.term[href='#term-cmm']")  # in the shadow of a component
    word.click()
    assert "convex martingale mixture" in screen.page.evaluate(NOTE)
    screen.press("Escape").until(f"() => !({NOTE})()")
    screen.page.keyboard.press("Tab")
    word.focus()
    assert "convex martingale mixture" in screen.page.evaluate(NOTE)
    assert screen.page.url == address and screen.errors == []
    screen.page.goto(f"{screen.address}/Glossary#term-regret")
    screen.page.locator("[id=term-regret].here").wait_for()
    assert screen.page.locator("[id=term-regret]").bounding_box()["y"] < screen.page.viewport_size["height"]


def test_a_word_lights_its_mark_and_a_mark_its_word(tab: Tab) -> None:
    screen = tab("Confidence_bands", t="0")
    screen.page.locator(".live [data-mark=CMM]").hover()
    screen.until(f"() => ({OPACITY})('CMM').some(([mine, share]) => !mine && share < 0.5)")
    lit = screen.page.evaluate(OPACITY, "CMM")
    assert {share for mine, share in lit if mine} == {1} and max(share for mine, share in lit if not mine) < 0.5
    screen.page.mouse.move(3, 3)
    screen.until(f"() => ({OPACITY})('CMM').every(([, share]) => share === 1)")
    screen.page.locator(".st-key-main .js-plotly-plot").hover()
    over = """() => { const gd = tab.chart('main'), data = gd.data.find(t => t.meta === 'CMM');
      gd.emit('plotly_hover', { points: [{ data, pointNumber: 0 }] }); }"""
    screen.page.evaluate(over)
    assert screen.page.locator(".live [data-mark=CMM].lit").count() == 1
    screen.page.evaluate("() => tab.chart('main').emit('plotly_unhover', {})")
    assert screen.page.locator(".live .lit").count() == 0 and screen.errors == []
