"""Every page shows its finding on the first screen, holds its places while it loads, and arrives small."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.browser.boxes import cut
from tests.browser.conftest import FILMS, sampled
from tests.browser.screen import Screen

pytestmark = pytest.mark.browser
Tab = Callable[..., Screen]
FIRST_SCREEN = (".st-key-finding_spot .live", ".st-key-main .js-plotly-plot", ".player")


@pytest.mark.parametrize("path", sampled(FILMS))
def test_finding_figure_and_player_share_first_screen(tab: Tab, path: str) -> None:
    screen = tab(path)
    assert cut(screen, *FIRST_SCREEN) == [] and len(screen.finding) > 20
    assert screen.errors == [] and screen.outside == []


MAX_SHIFT = 0.02  # of the screen times the distance, after the chart is drawn (issue 24)
# Every shift with its time, and when the main chart had been drawn for the first time.
WATCH = """
window.shifts = []; window.drawnAt = null;
new PerformanceObserver(list => { for (const e of list.getEntries()) if (!e.hadRecentInput)
  shifts.push([e.startTime, e.value, e.sources.map(s => {
    const n = s.node?.nodeType === 1 ? s.node : s.node?.parentElement;
    const keyed = n?.closest('[class*=st-key-]');
    return `${[...(keyed?.classList ?? [])].find(c => c.startsWith('st-key-')) ?? n?.className} `
      + `${Math.round(s.previousRect.top)}>${Math.round(s.currentRect.top)}`; }).join('; ')]);
}).observe({ type: 'layout-shift', buffered: true });
const look = () => {
  if (drawnAt === null && document.querySelector('.st-key-main .js-plotly-plot .main-svg')) drawnAt = performance.now();
  requestAnimationFrame(look); };
requestAnimationFrame(look);
"""


@pytest.mark.parametrize("path", sampled(["Drifting_rewards", "Confidence_bands", "R_PERP", "Theorems"]))
def test_nothing_jumps_after_chart_is_drawn(stranger: Callable[[], Screen], path: str) -> None:
    screen = stranger()
    screen.page.add_init_script(WATCH)
    screen.open(path).hold(600)
    shifts, drawn = screen.page.evaluate("() => [shifts, drawnAt]")
    late = [shift for shift in shifts if shift[0] >= drawn]
    assert sum(value for _, value, _ in late) <= MAX_SHIFT, late


def test_first_visit_is_compressed_and_small(
    stranger: Callable[[], Screen],
) -> None:
    page = stranger().open("Confidence_bands").hold(300).page
    found = page.evaluate(
        """() => performance.getEntriesByType('resource').filter(e => e.encodedBodySize)
          .map(e => [new URL(e.name).pathname.split('/')[1], e.encodedBodySize, e.decodedBodySize])"""
    )
    for folder, least in (("static", 3e6), ("module", 1.5e6)):  # Streamlit's own files, and ours with plotly.js
        sent, whole = (sum(one[place] for one in found if one[0] == folder) for place in (1, 2))
        assert whole > least and sent < 0.4 * whole, (folder, sent, whole)
    # Three were the aim; it is 2.2 with what comes through the socket.
    assert sum(sent for _, sent, _ in found) < 2.4e6, found


# Milliseconds to measure a new text, as Plotly does for every label: the median of 25.
MEASURE = """() => {
  const times = [], place = document.getElementById('js-plotly-tester');
  for (let i = 0; i < 25; i++) {
    const start = performance.now(), text = document.createElementNS('http://www.w3.org/2000/svg', 'text');
    text.textContent = 'abc';
    place.append(text);
    text.getBoundingClientRect();
    text.remove();
    times.push(performance.now() - start);
  }
  return times.sort((a, b) => a - b)[12];
}"""


def test_measuring_label_does_not_restyle_page(tab: Tab) -> None:
    """A rule such as body:has(...) made it 25 ms; without one it is 0.05, on a loaded machine 1.2."""
    for lecture in ("false", "true"):
        assert tab("Drifting_rewards", lecture=lecture).page.evaluate(MEASURE) < 5
