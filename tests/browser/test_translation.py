"""A browser's translation leaves the lab alone: React does not find a text again that was wrapped."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.browser.screen import Screen

pytestmark = pytest.mark.browser
# What a translator does: it wraps every text that no element around it keeps from it, now and as texts come.
TRANSLATE = """() => {
  const skipped = "[translate=no], .notranslate, script, style, noscript", wrapped = new WeakSet();
  window.translated = 0;
  const turn = (root) => {
    const walk = document.createTreeWalker(root, NodeFilter.SHOW_TEXT), texts = [];
    while (walk.nextNode()) texts.push(walk.currentNode);
    for (const text of texts) {
      if (!text.isConnected || !text.data.trim() || wrapped.has(text) || text.parentElement?.closest(skipped)) continue;
      const outer = document.createElement("font"), inner = document.createElement("font");
      text.replaceWith(outer);
      outer.append(inner);
      inner.append(text);
      wrapped.add(text);
      window.translated += 1;
    }
  };
  turn(document);
  new MutationObserver((all) => all.forEach((one) => one.addedNodes.forEach((node) => turn(node))))
    .observe(document, { childList: true, subtree: true });
}"""


def test_translation_leaves_the_page_alone(tab: Callable[..., Screen]) -> None:
    screen = tab("Confidence_bands")
    screen.page.evaluate(TRANSLATE)
    screen.redraw(lambda: screen.turn("V", "ArrowRight"))
    screen.press("2")
    screen.until("() => new URLSearchParams(location.search).get('moment') === 'missed'").settle()
    screen.page.locator(".st-key-menu button").click()
    screen.page.get_by_text("Glossary").first.wait_for()
    assert screen.errors == [] and screen.page.evaluate("() => window.translated") == 0
    assert screen.page.locator("[data-testid=stException], [data-testid=stAlertContentError]").count() == 0
    assert screen.page.locator(".player output").is_visible()
