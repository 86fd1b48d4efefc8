"""The reproductions page in a browser: the account and its filters, a click on an entry, a small run, and type that
can be read."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from lessons.reproductions.names import BOARDS
from lessons.reproductions.overview import entries
from tests.browser.boxes import sound
from tests.browser.conftest import DESK, HALL
from tests.browser.screen import Screen, same_picture

pytestmark = pytest.mark.browser
Tab = Callable[..., Screen]
PAGE, QUICK, SLOW = "Reproductions", "deng-figure-1a", "flynn-table-1"
SHAPES = ("every", SLOW, "iwazaki-figure-2", "bogunovic-figure-2c")
# The middle of an entry's ring on screen, from the trace that takes the clicks.
RING = """([key, index]) => {
  const g = tab.chart(key), of = g._fullData.filter(t => t.customdata);
  const t = of.find(t => t.marker.opacity === 0) ?? of[0];
  const box = g.getBoundingClientRect(), x = g._fullLayout.xaxis, y = g._fullLayout.yaxis;
  const i = Array.from(t.customdata).indexOf(index);
  return [box.left + x._offset + x.d2p(t.x[i]), box.top + y._offset + y.d2p(t.y[i])]; }"""


def click(screen: Screen, index: int) -> None:
    x, y = screen.page.evaluate(RING, ["main", index])
    screen.page.mouse.click(x, y)


def entry(screen: Screen) -> str:
    """The entry under the glass, as its list says it."""
    return screen.page.locator(".st-key-cell [data-baseweb=select], .st-key-cell input").first.evaluate(
        "e => e.value || e.innerText"
    )


@pytest.mark.parametrize("look", ["false", "true"], ids=["desk", "lecture"])
def test_the_page_opens_with_its_finding_figure_and_player_on_the_first_screen(tab: Tab, look: str) -> None:
    screen = tab(PAGE, lecture=look)
    assert "28 of 30 printed entries agree with ours to within two standard errors" in screen.finding
    for part in (".st-key-finding_spot .live", ".st-key-main .js-plotly-plot", ".player"):
        box = screen.page.locator(part).first.bounding_box()
        assert box["y"] >= 0 and box["y"] + box["height"] <= 768 + 12, part  # a hall's stage is at least 540 tall
    screen.press("Home").at(0)
    assert "nothing can be said yet" in screen.finding
    screen.press("PageDown").at(1).press("End").at(9)
    assert screen.errors == [] and screen.outside == []


def test_a_click_on_a_dot_opens_the_table_at_its_entry(tab: Tab) -> None:
    screen = tab(PAGE)
    click(screen, 27)
    screen.until("() => new URLSearchParams(location.search).get('cell') === '27'").settle()
    assert entry(screen) == "Matérn 3/2, ℓ = 0.2 · AY" and screen.errors == []


def test_the_account_steps_through_its_rows_and_a_click_on_a_row_leads_to_its_figure(tab: Tab) -> None:
    screen = tab(PAGE, shown="every")
    rows = entries()
    assert screen.frame == len(rows) and "30 of 35 printed entries agree" in screen.finding
    screen.press("Home").at(0)
    assert screen.finding.startswith("Flynn & Reeb: 28 of 30")
    row = next(i for i, e in enumerate(rows) if e.name == QUICK)
    click(screen, row)
    screen.at(row).settle()
    screen.page.get_by_role("button", name="Open Deng et al., Figure 1a").click()
    screen.until("() => document.querySelector('.st-key-cell')").settle()
    assert (
        screen.frame == 9 and screen.finding.startswith("The lowest regret is that of WGP-UCB") and screen.errors == []
    )


def test_a_filter_shortens_the_account(tab: Tab) -> None:
    screen = tab(PAGE, shown="every", paper="mauduit")
    own = [e for e in entries() if e.paper == "mauduit"]
    assert screen.frame == len(own) and screen.finding.startswith("In this selection: ")
    screen.page.locator(".st-key-sort [data-baseweb=select], .st-key-sort input").first.click()
    screen.redraw(lambda: screen.page.get_by_role("option", name="Tables").click())
    assert screen.frame == sum(e.kind == "table" for e in own) and screen.errors == []


def test_a_click_on_an_entry_brings_it_under_the_glass_and_the_link_says_so(tab: Tab) -> None:
    screen = tab(PAGE, shown=SLOW, view="board")
    assert entry(screen) == "RBF, ℓ = 0.5 · DMM"
    click(screen, 27)
    screen.until("() => new URLSearchParams(location.search).get('cell') === '27'").settle()
    assert entry(screen) == "Matérn 3/2, ℓ = 0.2 · AY"
    assert "Matern 3/2, 0.2 | AY" in screen.page.locator("code").filter(has_text="--only").first.inner_text()
    again = tab(PAGE, shown=SLOW, view="board", cell="27")
    same_picture(again.data("seeds"), screen.data("seeds"), screen.spans("seeds"))
    assert screen.errors == []


def test_a_small_run_shows_its_progress_and_ends_beside_the_stored_curve(tab: Tab) -> None:
    screen = tab(PAGE, shown="mauduit-figure-2", cell="12")
    stored = screen.data("seeds")
    screen.page.locator(".st-key-rerun_full button:visible").first.click()
    screen.page.get_by_text("Running theory width · SparQ-GP-UCB").first.wait_for()
    screen.page.get_by_text("Exactly the stored numbers? Yes").wait_for()
    screen.settle()
    drawn = screen.data("seeds")
    assert len(drawn) > len(stored) and drawn[: len(stored)] == stored and screen.errors == []


def test_a_small_run_can_be_stopped(tab: Tab) -> None:
    screen = tab(PAGE, shown=SLOW, view="board", cell="10")
    button = screen.page.locator(".st-key-rerun_full button:visible").first
    assert "about" in button.inner_text() and "all 1000 rounds" in button.inner_text()
    button.click()
    screen.page.locator(".st-key-rerun_cancel button").click()
    screen.page.get_by_text("Stopped: what had finished is kept").wait_for()
    assert "Exactly" not in screen.page.locator(".stMain, body").first.inner_text() and screen.errors == []


@pytest.mark.parametrize("look", ["false", "true"], ids=["desk", "lecture"])
@pytest.mark.parametrize(("name", "view"), [(SLOW, "gaps"), *((name, "board") for name in SHAPES)])
def test_no_text_is_clipped_or_covered_on_any_kind_of_board(tab: Tab, name: str, view: str, look: str) -> None:
    screen = tab(PAGE, shown=name, view=view, lecture=look)
    assert name == "every" or name in BOARDS
    for size in (HALL, DESK):
        screen.page.set_viewport_size(size)
        screen.hold(900).settle()
        for key in screen.page.evaluate("() => Object.keys(tab.copies())"):
            sound(screen.words(key), f"{key} {size}")
    for when in ("Home", "End"):
        sound(screen.press(when).hold(300).settle().words(), when)
    assert screen.errors == []
