"""The server's settings: a closed house that is opened on purpose only."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest
from streamlit import config

from benchmarks.drive import ENVIRONMENT
from lessons.real_data.reading.limits import MAX_BYTES
from lessons.real_data.upload import MAX_PASTED_CHARACTERS
from shell.browsers import HEADER

ROOT = Path(__file__).resolve().parents[2]
SETTINGS = tomllib.loads((ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8"))
WANTED = {
    "server": {
        "headless": True,  # opens no browser and asks no question at the start
        "showEmailPrompt": False,
        "address": "127.0.0.1",
        "fileWatcherType": "none",
        "runOnSave": False,
        "enableXsrfProtection": True,
        "enableCORS": True,
        "enableStaticServing": False,  # no file is served by its name
        "enableAgentApi": False,  # no second door that drives the app without a browser
    },
    "browser": {
        "gatherUsageStats": False,
        "serverAddress": "localhost",  # unset, a server on all addresses asks a web service for its own
    },
    "client": {"showErrorDetails": "type", "showErrorLinks": False, "toolbarMode": "viewer"},
    "runner": {"magicEnabled": False, "postScriptGC": False},
}


@pytest.mark.parametrize("section", WANTED)
def test_the_house_is_closed(section: str) -> None:
    assert {k: SETTINGS[section].get(k) for k in WANTED[section]} == WANTED[section]


def test_every_setting_is_one_that_this_streamlit_knows() -> None:
    known = set(config.get_config_options())
    leaves = [f"{s}.{k}" for s, values in SETTINGS.items() for k, v in values.items() if not isinstance(v, dict)]
    assert set(leaves) <= known and len(leaves) > 15


def test_the_reader_reads_what_an_upload_may_have() -> None:
    assert SETTINGS["server"]["maxUploadSize"] * 10**6 <= MAX_BYTES
    # An unfinished message is held in memory, of every session. UTF-8 takes at most three bytes for a UTF-16 unit.
    assert 2 * 3 * MAX_PASTED_CHARACTERS <= SETTINGS["server"]["maxMessageSize"] * 10**6 <= 3_000_000


def test_a_session_belongs_to_the_browser_that_the_middleware_names() -> None:
    assert {name.lower() for name in SETTINGS["server"]["trustedUserHeaders"]} == {HEADER}


def test_no_folder_exists_that_a_change_of_settings_would_serve() -> None:
    assert not (ROOT / "static").exists()


@pytest.mark.parametrize("name", ["tvbo-lab@.service", "Containerfile"])
def test_what_is_measured_is_started_as_the_examples_start_it(name: str) -> None:
    words = (ROOT / "docs" / "examples" / name).read_text().split()
    given = dict(word.removeprefix("Environment=").split("=", 1) for word in words if "=" in word)
    assert ENVIRONMENT.items() <= given.items()


def test_every_variable_that_the_server_reads_stands_in_the_table_of_settings_and_no_other_one() -> None:
    table = (ROOT / "docs" / "serving.md").read_text("utf-8").split("## All settings")[1].split("\n## ")[0]
    told = set(re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE))
    paths = [ROOT / "app.py", *(path for room in ("shell", "lessons") for path in (ROOT / room).rglob("*.py"))]
    code = "\n".join(path.read_text("utf-8") for path in paths)
    read = set(re.findall(r'os\.environ(?:\.get\(|\[)"(\w+)"', code))
    read |= set(re.findall(r'"(\w+)" (?:not )?in os\.environ', code))
    assert read <= told and len(read) > 4
    assert {name for name in told if f'"{name}"' not in code} == set()
