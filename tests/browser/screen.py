"""One browser tab on the app: what a reader sees and does, and all that the page says, asks for and sends."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

import numpy as np
from playwright.sync_api import Locator, Page

# Charts by the key that Python gave them. Streamlit keeps the chart of the last run, hidden, until a run has
# ended: only what has a height is on screen. The page is ready when no script runs, no film is on its way, each chart
# stands once, and the player's charts show the player's time.
HELP = """
window.tab = {
  charts: () => [...document.querySelectorAll('.js-plotly-plot')].filter(g => g.offsetHeight),
  key: g => [...g.closest('[class*=st-key-]').classList].find(c => c.startsWith('st-key-')).slice(7),
  chart: key => tab.charts().find(g => tab.key(g) === key),
  copies: () => tab.charts().reduce((n, g) => ({ ...n, [tab.key(g)]: (n[tab.key(g)] ?? 0) + 1 }), {}),
  ready: () => {
    const state = document.querySelector('[data-testid=stApp]')?.dataset.testScriptState;
    const all = tab.charts(), main = tab.chart('main'), player = window.lab?.player;
    const came = !player || (player.data.address ?? player.data.revision) === player.name;  // no film is on its way
    return state === 'notRunning' && !!main && !!window.lab?.now && came && lab.chart(main).frame === lab.now.t
      && new Set(all.map(tab.key)).size === all.length
      && all.every(g => g._fullLayout && g.querySelector('.main-svg') && !g.closest('[data-stale=true]')
        && !lab.chart(g)?.picture.stands);
  },
  // Ready, and has been for a while: between two runs of the script the page looks ready as well.
  since: null,
  steady: () => {
    if (!tab.ready()) tab.since = null;
    else tab.since ??= performance.now();
    return tab.since !== null && performance.now() - tab.since > 200;
  },
  numbers: v => v == null ? null : Array.from(v, e => e?.length && typeof e !== 'string'
    ? tab.numbers(e) : typeof e === 'number' && !Number.isFinite(e) ? null : e),
  data: key => {
    const g = tab.chart(key), picture = lab.chart(g).picture, over = picture.stands;  // what moves is over Plotly's
    return (over ? picture.data : g._fullData).map(t => ({ type: t.type, x: tab.numbers(t.x), y: tab.numbers(t.y),
      text: tab.numbers(Array.isArray(t.text) ? t.text : null), axes: `${t.xaxis ?? 'x'} ${t.yaxis ?? 'y'}`,
      mode: t.mode }))
      .concat(((over ? lab.chart(g).layout : g._fullLayout).images ?? []).map(
        i => ({ type: 'image', source: i.source })));
  },
  spans: key => {
    const spans = {};
    for (const [name, axis] of Object.entries(tab.chart(key)._fullLayout))
      if (/^[xy]axis/.test(name)) {
        const ends = axis.type === 'log' ? axis.range.map(v => 10 ** v) : axis.range;
        spans[name.replace('axis', '')] = Math.abs(ends[1] - ends[0]);
      }
    return spans;
  },
  // Watches every frame on screen for the most copies of the main chart at once.
  most: 0,
  watch: () => { const look = () => { tab.most = Math.max(tab.most, tab.copies().main ?? 0);
    requestAnimationFrame(look); }; look(); },
  // The picture as it is drawn now, and whether there is another one since.
  note: () => { tab.noted = JSON.stringify(tab.data('main')); },
  changed: () => !!tab.chart('main')?._fullLayout && JSON.stringify(tab.data('main')) !== tab.noted,
  // What each toast says, also of those that have gone.
  toasts: [],
};
new MutationObserver(() => {
  for (const toast of document.querySelectorAll('[data-testid=stToast]:not([data-told])')) {
    toast.dataset.told = 'yes';
    tab.toasts.push(toast.innerText);
  }
}).observe(document, { childList: true, subtree: true });
""" + Path(__file__).with_name("boxes.js").read_text(encoding="utf-8")
HARMLESS = "/_stcore/"  # a deep link first asks for the server's health below the page's own name


@dataclass
class Screen:
    """A tab: `errors` of the console or the page, addresses asked for `outside`, messages `sent`."""

    page: Page
    address: str
    errors: list[str] = field(default_factory=list)
    outside: list[str] = field(default_factory=list)
    sent: list[bytes | str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.page.add_init_script(HELP)
        self.page.on("pageerror", lambda problem: self.errors.append(str(problem)))
        self.page.on("console", lambda said: self._console(said))
        self.page.on("request", lambda asked: self._request(asked.url))
        self.page.on("websocket", lambda wire: wire.on("framesent", lambda said: self.sent.append(said)))

    def _console(self, said: object) -> None:
        if said.type == "error" and HARMLESS not in said.location.get("url", ""):
            self.errors.append(said.text)

    def _request(self, url: str) -> None:
        inside = urlsplit(self.address).netloc
        if urlsplit(url).scheme not in ("data", "blob") and urlsplit(url).netloc != inside:
            self.outside.append(url)

    def forget(self) -> None:
        """Begin a new account of what the tab says, asks for and sends."""
        for said in (self.errors, self.outside, self.sent):
            said.clear()

    def open(self, path: str, **link: object) -> Screen:
        """Go to a page of the app through a link and wait until it stands."""
        query = "&".join(f"{key}={value}" for key, value in link.items())
        return self.visit(f"{self.address}/{path}{'?' if query else ''}{query}")

    def visit(self, url: str) -> Screen:
        self.page.goto(url)
        return self.settle()

    def until(self, claim: str, argument: object = None) -> Screen:
        """Wait until a JavaScript claim about the page holds."""
        self.page.wait_for_function(claim, arg=argument, polling=40)
        return self

    def settle(self) -> Screen:
        """Wait until the page stands, and still does a moment later."""
        self.until("() => window.tab && (tab.since = null, true)")
        self.until("() => tab.steady()")
        return self

    def closer(self, *keys: str) -> Screen:
        """Open drawers below the stage, and go back up."""
        for key in keys:
            self.page.locator(f".st-key-closer_{key} summary").click()
            self.until("key => !!tab.chart(key)", key).settle()
        self.page.evaluate("() => document.activeElement.blur()")
        self.page.locator(".st-key-topbar").scroll_into_view_if_needed()
        return self.settle()

    def every_closer(self) -> Screen:
        """Open every drawer below the stage that is closed."""
        shut = self.page.locator("[class*=st-key-closer_] details:not([open]) summary")
        while left := shut.count():
            shut.first.click()
            self.until("n => document.querySelectorAll('[class*=st-key-closer_] details:not([open])').length < n", left)
            self.settle().hold(500).settle()  # a drawer opens over some frames
        return self

    def redraw(self, act: Callable[[], object]) -> Screen:
        """Do something, and wait until the main chart shows something else because of it."""
        self.page.evaluate("() => tab.note()")
        act()
        return self.until("() => tab.changed()").settle()

    def press(self, *keys: str) -> Screen:
        for key in keys:
            self.page.keyboard.press(key)
        return self

    def hold(self, milliseconds: int) -> Screen:
        """Let time pass, for claims that something does not happen."""
        self.page.wait_for_timeout(milliseconds)
        return self

    @property
    def frame(self) -> int:
        """The frame that the player shows."""
        return self.page.evaluate("() => lab.now.t")

    def at(self, frame: int) -> Screen:
        """Wait until the player's time and every chart it moves have reached a frame."""
        return self.until("f => lab.now.t === f && lab.chart(tab.chart('main'))?.frame === f", frame)

    @property
    def time(self) -> int:
        """The time that is written beside the player's bar."""
        return int(re.match(r"t = (\d+) of", self.page.locator(".player output").inner_text()).group(1))

    @property
    def finding(self) -> str:
        """The sentence under the question."""
        return self.page.locator(".st-key-finding_spot .live").inner_text()

    def linked(self) -> Screen:
        """Wait until the address says the time that the player shows: it is told a moment after the last step."""
        return self.until("() => new URLSearchParams(location.search).get('t') === `${lab.player.time}`").settle()

    @property
    def toasts(self) -> list[str]:
        """Texts of all toasts since the page was loaded."""
        return self.page.evaluate("() => tab.toasts")

    def slider(self, key: str) -> Locator:
        return self.page.locator(f".st-key-{key} input[type=range]").first

    def value(self, key: str) -> float:
        """The place of a slider."""
        return float(self.slider(key).input_value())

    def turn(self, key: str, press: str) -> None:
        """One key on a focused slider."""
        self.slider(key).focus()
        self.press(press)

    def front(self, **link: object) -> Screen:
        """Open the front page and wait for its stage."""
        self.page.goto(f"{self.address}/?" + "&".join(f"{key}={value}" for key, value in link.items()))
        self.page.locator(".st-key-main .chart").wait_for()
        self.page.locator(".st-key-neighbours a").first.wait_for()  # the end of the page
        return self.until("() => window.lab?.now?.reset?.startsWith('chase:') && lab.player?.film.n > 1").hold(700)

    def drag(self, key: str, pixels: float) -> None:
        """Take hold of a slider's thumb and pull it to the right, without letting go."""
        thumb = self.slider(key).locator("xpath=..").bounding_box()
        x, y = thumb["x"] + thumb["width"] / 2, thumb["y"] + thumb["height"] / 2
        self.hand((x, y), (x + pixels / 2, y), (x + pixels, y))

    def hand(self, start: tuple[float, float], *way: tuple[float, float]) -> None:
        """Press the mouse and pull it along a way, without letting go."""
        self.page.mouse.move(*start)
        self.page.mouse.down()
        for spot in way:
            self.page.mouse.move(*spot)

    def blur(self) -> Screen:
        """Take the focus from a field, which keeps its keys."""
        self.page.evaluate("() => document.activeElement.blur()")
        return self

    def mark(self) -> None:
        """Mark every chart's node on the page, to know it again."""
        self.page.evaluate("() => tab.charts().forEach(g => { g.marked = true; })")

    def marked(self, key: str) -> bool:
        return self.page.evaluate("key => !!tab.chart(key).marked", key)

    def data(self, key: str = "main") -> list[dict]:
        """The numbers and words that a chart draws."""
        return self.page.evaluate("key => tab.data(key)", key)

    def words(self, key: str = "main") -> dict:
        """Every written thing of a chart (text, size, box, what it stands on) and the frame it must lie in."""
        return self.page.evaluate("key => tab.words(key)", key)

    def spans(self, key: str = "main") -> dict[str, float]:
        return self.page.evaluate("key => tab.spans(key)", key)


def numbers(values: list | None) -> np.ndarray:
    """A trace's coordinates as floats, with gaps as NaN."""
    return np.array([np.nan if v is None else v for v in values or []], dtype=float)


NO_WORD = "\u200b"  # of no width, where Plotly would take an empty word's element away for good


def same_picture(one: list[dict], other: list[dict], spans: dict[str, float] | None = None) -> None:
    """Assert that two charts draw the same.

    Without `spans` to the last bit. With the spans of the axes (of what they show, also where they are
    logarithmic), to 2e-4 of each: the player carries numbers as 16-bit steps of the film's range, and a range of
    six axes in 65,000 steps is 1e-4 of an axis a step.
    """
    assert [t["type"] for t in one] == [t["type"] for t in other]
    for a, b in zip(one, other, strict=True):
        if a["type"] == "image":
            assert a["source"] == b["source"]
            continue
        said, again = ([str(w).strip(NO_WORD) for w in trace["text"] or []] for trace in (a, b))
        assert said == again
        for name, axis in zip("xy", a["axes"].split(), strict=True):
            left, right = numbers(a[name]), numbers(b[name])
            assert left.shape == right.shape
            np.testing.assert_array_equal(np.isnan(left), np.isnan(right))
            step = 2e-4 * spans[axis] if spans else 0.0
            np.testing.assert_allclose(left, right, rtol=0, atol=step)
