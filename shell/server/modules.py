"""Scripts of the components by address: what Streamlit sends with every message is three lines that import them.

`GET /module/<checksum>/<name>` answers with a script of assets/ (shell/server/scripts.py) for good.
"""

from __future__ import annotations

import hashlib
from functools import cache

import streamlit as st
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from shell.server.headers import KEPT_FOR_GOOD, below
from shell.server.scripts import ASSETS, asset, script

# Streamlit calls the default export at every message, and may do so before the script has come.
LOADER = """const script = import(new URL("%s", document.baseURI));
export default (component) => {
  let end;
  let over = false;
  script.then((module) => { if (!over) end = module.%s(component); });
  return () => { over = true; end?.(); };
};
"""


@cache
def address(name: str) -> str:
    """Return the address of a script, relative to the pages.

    Args:
        name: path below assets/.
    """
    return f"module/{hashlib.sha256(content(name)).hexdigest()[:16]}/{name}"


@cache
def content(name: str) -> bytes:
    """Return a script as the browser gets it."""
    return script(name).encode()


def loader(name: str, export: str) -> str:
    """Return the script of a component: it imports a script of assets/ and hands over to one of its exports."""
    return LOADER % (address(name), export)


@cache
def component(
    name: str, path: str, html: str | None = None, *, isolated: bool = True
) -> st.components.v2.types.ComponentRenderer:
    """Return a component of Streamlit's, whose script, markup and style stand beside each other in assets/.

    Args:
        name: of it in Streamlit.   path: of its files below assets/, without their endings.
        html: its markup, where that has no file.   isolated: whether styles of the page stay out of it.
    """
    markup, style = (f"{path}.{ending}" for ending in ("html", "css"))
    return st.components.v2.component(
        name,
        html=html or asset(markup),
        css=asset(style) if (ASSETS / style).exists() else None,
        js=loader(f"{path}.js", "default"),
        isolate_styles=isolated,
    )


@cache
def names() -> frozenset[str]:
    """Return the names of all scripts."""
    return frozenset(path.relative_to(ASSETS).as_posix() for path in ASSETS.rglob("*.js"))


def answer(request: Request) -> Response:
    """Return a script; 404 for another name, or for a script of another version."""
    checksum, name = request.path_params["checksum"], request.path_params["name"]
    if name not in names() or f"module/{checksum}/{name}" != address(name):
        return PlainTextResponse("There is no such script; load the page anew.\n", 404, {"Cache-Control": "no-store"})
    return Response(content(name), headers={"Cache-Control": KEPT_FOR_GOOD}, media_type="text/javascript")


def routes(base: str = "") -> list[Route]:
    """Return the route.

    Args:
        base: path that the pages lie under.
    """
    return [Route(below(base, "module/{checksum}/{name:path}"), answer)]
