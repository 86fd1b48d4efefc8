"""Scripts by address: for good, only this version's, and what Streamlit sends instead of them imports them."""

from __future__ import annotations

import asyncio
import gzip
import re
from pathlib import Path

import pytest
from starlette.applications import Starlette

from app import FILES
from shell import modules, scripts
from shell.compression import CompressedFiles
from tests.node import node
from tests.shared import ROOT
from tests.shell.test_films import Answer, call

ENTRIES = [
    "address/address.js",
    "chase/chase.js",
    "export/alone.js",
    "export/export.js",
    "game/game.js",
    "glossary/glossary.js",
    "player/theme.js",
    "speaker/button.js",
    "stage/served.js",
    "thumb/thumb.js",
    "vendor/gifenc/gifenc.js",
    "vendor/mediabunny/mediabunny.js",
    "vendor/plotly/plotly.js",
]


def ask(path: str) -> Answer:
    return asyncio.run(call(Starlette(routes=modules.routes()), path))


@pytest.mark.parametrize("name", ENTRIES)
def test_an_address_answers_with_its_script_for_good(name: str) -> None:
    answer = ask(f"/{modules.address(name)}")
    assert answer.status_code == 200 and answer.text == scripts.script(name)
    assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert answer.headers["content-type"].startswith("text/javascript")


@pytest.mark.parametrize(
    "path",
    [
        f"/module/{'0' * 16}/stage/served.js",
        modules.address("stage/served.js").replace("module/", "/module/").upper(),
        f"/{modules.address('stage/served.js')}/",
        f"/{modules.address('stage/served.js').replace('stage/', 'stage/../stage/')}",
        f"/module/{modules.address('stage/served.js').split('/')[1]}/{modules.ASSETS}/stage/served.js",
        f"/module/x/{'a' * 3000}.js",
        "/module/x/%00.js",
        "/module/x/nothing.js",
        "/module/x/../app.py",
        "/module/x/stage/../../../app.py",
        "/module/x//etc/passwd",
        "/module/x/style.css",
        "/module/x/links/numbers.json",
    ],
)
def test_another_version_and_what_is_no_script_is_not_there(path: str) -> None:
    answer = ask(path)
    assert answer.status_code == 404 and "immutable" not in answer.headers.get("cache-control", "")


def test_a_script_that_has_changed_has_another_address(monkeypatch: pytest.MonkeyPatch) -> None:
    before = modules.address("stage/served.js")
    monkeypatch.setattr(modules, "content", lambda name: b"changed")
    assert modules.address.__wrapped__("stage/served.js") != before


def test_what_is_sent_is_short_imports_the_script_and_hands_over_to_its_export(tmp_path: Path) -> None:
    (tmp_path / "one.js").write_text(
        "export const mount = (c) => { c.said.push(`on ${c.n}`); return () => c.said.push('off'); };"
    )
    loader = modules.LOADER % ("one.js", "mount")
    (tmp_path / "loader.mjs").write_text(loader)
    test = f"""
globalThis.document = {{ baseURI: "file://{tmp_path}/" }};
const mount = (await import("file://{tmp_path}/loader.mjs")).default, said = [];
const end = mount({{ n: 1, said }});
await new Promise((done) => setTimeout(done, 50));
end();
mount({{ n: 2, said }})();  // taken down before the script has come
await new Promise((done) => setTimeout(done, 50));
console.log(said.join());
"""
    assert node("--input-type=module", "-", text=test).strip() == "on 1,off"
    assert len(modules.loader("stage/served.js", "mountChart")) < 500


def test_a_script_leaves_the_app_compressed() -> None:
    name = "stage/served.js"
    app = CompressedFiles(Starlette(routes=modules.routes()), tuple(f"/{part}/" for part in FILES))
    answer = asyncio.run(call(app, f"/{modules.address(name)}"))
    assert answer.headers["content-encoding"] == "gzip" and len(answer.raw) < len(scripts.script(name)) / 2
    assert gzip.decompress(answer.raw).decode() == scripts.script(name)
    assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"


def test_no_component_sends_a_script_of_assets_itself() -> None:
    sources = [*(ROOT / "shell").rglob("*.py"), *(ROOT / "lessons").rglob("*.py")]
    given = [told for path in sources for told in re.findall(r"\bjs=([\w.]+)", path.read_text(encoding="utf-8"))]
    assert given.count("loader") + given.count("modules.loader") == len(given) == 15
