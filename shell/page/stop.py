"""The early end of a page's body: what it had to say is drawn, and its frame draws what stands below.

`st.stop` would end the whole page, and no public name tells its exception from that of a run that is cut short.
"""

from __future__ import annotations

from typing import NoReturn


class Stopped(Exception):
    """A page's body has ended early; `PageLayout.body` catches it."""


def stop() -> NoReturn:
    """End the body of the page.

    Raises:
        Stopped: always.
    """
    raise Stopped
