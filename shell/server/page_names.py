"""Middleware for addresses that name no page: the page that was meant is opened, or offered in a sentence."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from html import escape
from urllib.parse import quote

from starlette.responses import HTMLResponse, RedirectResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from shell.server.headers import below
from shell.server.limits import is_page

SHOWN = 20  # signs of an unknown name that the answer repeats
UNKNOWN = """<!doctype html><html lang="en" translate="no"><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>No such page</title>
<body style="font-family: sans-serif; max-width: 36em; margin: 15vh auto; padding: 0 1em">
<h1>The lab has no page “{}”</h1><p>{}Open <a href="{}">the front page</a>: its menu has all pages.</p>
</body></html>
"""


class PageNames:
    """Middleware that leads a browser to the page whose name is like that of its address, with its query.

    Args:
        names: of all pages but the front page.   base: path that the pages lie under.
    """

    def __init__(self, app: ASGIApp, names: Sequence[str], base: str = "") -> None:
        self.app, self.names, self.home = app, {one.lower(): one for one in names}, below(base, "")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = scope.get("path", "")
        name = path.removeprefix(self.home).rstrip("/")
        asked = scope["type"] == "http" and is_page(scope) and path.startswith(self.home)
        if not asked or not name or "/" in name or name in self.names.values():
            return await self.app(scope, receive, send)
        said, query = name.lower().replace("-", "_").replace(" ", "_"), scope["query_string"].decode("latin-1")
        query = f"?{query}" if query else ""
        if said in self.names:
            return await RedirectResponse(f"{self.home}{self.names[said]}{query}")(scope, receive, send)
        meant = [self.names[one] for one in get_close_matches(said, self.names, 1)]
        links = "".join(
            f'Did you mean <a href="{self.home}{quote(one)}{escape(query)}">{escape(one.replace("_", " "))}</a>? '
            for one in meant
        )
        shown = "".join(sign if sign.isprintable() else "\ufffd" for sign in name[:SHOWN])
        text = UNKNOWN.format(escape(shown), links, self.home)
        await HTMLResponse(text, 404, {"Cache-Control": "no-store"})(scope, receive, send)
