"""A server that is started again under open tabs: the tab comes back to the same page, values and sentences."""

from __future__ import annotations

import asyncio
import re
from pathlib import Path

import pytest

from benchmarks import drive
from benchmarks.visitor import Dropped, Visitor
from tests.shared import unmarked

COMMAND = ("-m", "streamlit", "run", "app.py")
PAGE, LINK = "Drifting_rewards", "seed=7&kind=jumps&V=6"


def page_texts(tab: Visitor) -> list[str]:
    """Return the page's texts; the names of its visits count from the start of the session.

    The sentence with which a film opened is left out: where a tab opened is its own, and the film has them all.
    """
    said = [text for text in tab.texts if text and not text.startswith('{"sentences"')]
    return [unmarked(re.sub(r'"reset": "[^"]*"|"start": \d+', "", text)) for text in said]


@pytest.mark.wide
def test_tab_survives_a_restarted_server(tmp_path: Path):
    port = drive.free_port()

    async def before(tab: Visitor) -> list[str]:
        await tab.open(PAGE, LINK)
        await tab.move("T", 300.0)
        await tab.again()
        return page_texts(tab)

    async def after(tab: Visitor, stranger: Visitor) -> tuple[list[str], list[str], list[str]]:
        # What the browser does: it offers its old session, which nobody knows any more, and asks for its page again.
        await tab.connect(tab.session)
        await tab.again()
        same = page_texts(tab)
        await tab.move("T", 200.0)
        moved = page_texts(tab)
        await stranger.open(PAGE, tab.link)
        opened = page_texts(stranger)
        await asyncio.gather(tab.close(), stranger.close())
        return same, moved, opened

    async def story() -> None:
        tab = Visitor(f"http://{drive.HOST}:{port}")
        with drive.server(COMMAND, tmp_path / "one.log", port):
            first = await before(tab)
        with pytest.raises(Dropped, match="closed by the server"):
            await tab.again()
        await tab.close()
        with drive.server(COMMAND, tmp_path / "two.log", port):
            same, moved, opened = await after(tab, Visitor(tab.address))
        assert any("T = 300" in text and "seed 7" in text for text in first)
        assert same == first
        assert any("T = 200" in text for text in moved)
        assert opened == moved  # the link alone says as much as the tab
        assert not tab.errors

    asyncio.run(story())
