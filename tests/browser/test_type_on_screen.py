"""Every moment and drawer of every lesson on five screens: what figures say lies inside their frame and apart."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.browser.boxes import of_figures
from tests.browser.conftest import DESK, FILMS, HALL, PHONE, TABLET, ZOOMED
from tests.browser.screen import Screen

pytestmark = [pytest.mark.browser, pytest.mark.wide]
SCREENS = {"desk": DESK, "200 %": ZOOMED, "hall": HALL, "phone": PHONE, "tablet": TABLET}
WIDE = "() => document.querySelector('[data-testid=stMain]').scrollWidth"


@pytest.mark.parametrize("of", SCREENS)
@pytest.mark.parametrize("path", FILMS)
def test_words_lie_inside_their_frame_and_apart(tab: Callable[..., Screen], path: str, of: str) -> None:
    more, wrong = {"lecture": "true"} if of == "hall" else {}, []
    screen = tab(path, size=SCREENS[of])
    for moment in FILMS[path].moments:
        screen.open(path, moment=moment.key, **more).every_closer()
        wrong += [f"{moment.key}: {one}" for one in of_figures(screen)]
        for share in (0.0, 0.4, 1.0):  # of its film
            screen.page.evaluate("share => lab.player.show(Math.round(share * lab.player.last))", share)
            screen.until("() => lab.chart(tab.chart('main')).frame === lab.now.t").hold(120)
            wrong += [f"{moment.key}, {share}: {one}" for one in of_figures(screen, moved=True)]
        if screen.page.evaluate(WIDE) > SCREENS[of]["width"]:
            wrong.append(f"{moment.key}: the page is wider than the window")
    assert wrong == [] and screen.errors == []
