"""Scripts of the pages: whole behind what they import, served by address for good, and what their tests say."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from starlette.applications import Starlette

from app import FILES
from shell.server import modules, scripts
from shell.server.compression import CompressedFiles
from tests.asgi import ask
from tests.node import node
from tests.shared import ROOT

ALL = sorted(path.relative_to(scripts.ASSETS).as_posix() for path in scripts.ASSETS.rglob("*.js"))
STAGE = "stage/served.js"


def test_scripts_do_what_their_tests_say() -> None:
    said = node("--test", *sorted((ROOT / "tests" / "js").glob("*.test.js")))
    counted = {name: int(number) for name, number in re.findall(r"^# (tests|pass|skipped|todo) (\d+)$", said, re.M)}
    assert counted["pass"] == counted["tests"] > 0 == counted["skipped"] == counted["todo"]


def test_every_script_is_one_module(tmp_path: Path) -> None:
    for name in ALL:
        text = scripts.script(name)
        assert not re.search(r"^\s*import\b|^export .* from \"", text, re.M), name
        (tmp_path / f"{name.replace('/', '.')}.mjs").write_text(text, encoding="utf-8")
    # A name that two files declare is an error of syntax: all of them are read in one Node, and none is run.
    check = """
import { readdirSync, readFileSync } from "node:fs";
import { SourceTextModule } from "node:vm";
for (const name of readdirSync(".")) new SourceTextModule(readFileSync(name, "utf8"), { identifier: name });
console.log(readdirSync(".").length);
"""
    said = node("--experimental-vm-modules", "--no-warnings", "--input-type=module", "-", text=check, cwd=tmp_path)
    assert int(said) == len(ALL) > 40


# By address ----------------------------------------------------------------------------------------------------------


def routes() -> Starlette:
    return Starlette(routes=modules.routes())


def test_address_answers_with_its_script_for_good() -> None:
    named = re.compile(r'component\(\s*"\w+", "([\w/]+)"')
    sources = [*(ROOT / "shell").rglob("*.py"), *(ROOT / "lessons").rglob("*.py")]
    entries = {f"{one}.js" for path in sources for one in named.findall(path.read_text(encoding="utf-8"))}
    assert len(entries) > 5
    for name in (*entries, STAGE, "vendor/plotly/plotly.js"):
        answer = ask(routes(), f"/{modules.address(name)}", accept_encoding="identity")
        assert answer.status_code == 200 and answer.text == scripts.script(name), name
        assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
        assert answer.headers["content-type"].startswith("text/javascript")
    app = CompressedFiles(routes(), tuple(f"/{part}/" for part in FILES))
    answer = ask(app, f"/{modules.address(STAGE)}")
    assert answer.headers["content-encoding"] == "gzip" and len(answer.raw) < len(answer.content) / 2
    assert answer.text == scripts.script(STAGE) and "immutable" in answer.headers["cache-control"]


def test_other_versions_and_other_files_are_missing() -> None:
    real = f"/{modules.address(STAGE)}"
    for path in (
        f"/module/{'0' * 16}/{STAGE}",
        real.replace("stage/", "stage/../stage/"),
        "/module/x/nothing.js",
        "/module/x/stage/../../../app.py",
        "/module/x/style.css",
    ):
        answer = ask(routes(), path)
        assert answer.status_code == 404 and "immutable" not in answer.headers.get("cache-control", ""), path


@pytest.mark.parametrize("name", ["site/site.js", "site/exports.js", "site/sheet.js", "engine/worker.js"])
def test_scripts_of_one_page_share_no_name(name: str, tmp_path: Path) -> None:
    """They are one script, in which a name that is given twice is an error of its first line."""
    whole = tmp_path / "whole.cjs"
    whole.write_text(f"async () => {{\n{scripts.plain_script(name)}\n}};", encoding="utf-8")
    node("--check", whole)
