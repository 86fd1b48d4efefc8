"""The server's settings: a closed house that is opened on purpose only."""

from __future__ import annotations

import re
import tomllib

from streamlit import config

from benchmarks.drive import ENVIRONMENT
from lessons.real_data.own_table import OWN_BYTES
from lessons.real_data.reading.limits import MAX_BYTES
from lessons.real_data.upload import MAX_PASTED_CHARACTERS
from lessons.record import ROOT
from shell.server.browsers import HEADER

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


def test_the_house_is_closed() -> None:
    for section, wanted in WANTED.items():
        assert {k: SETTINGS[section].get(k) for k in wanted} == wanted, section
    assert {name.lower() for name in SETTINGS["server"]["trustedUserHeaders"]} == {HEADER}
    assert not (ROOT / "static").exists()  # no folder that a change of settings would serve


def test_every_setting_is_one_that_this_streamlit_knows() -> None:
    known = set(config.get_config_options())
    leaves = [f"{s}.{k}" for s, values in SETTINGS.items() for k, v in values.items() if not isinstance(v, dict)]
    assert set(leaves) <= known and len(leaves) > 15


def test_reader_takes_every_upload() -> None:
    assert SETTINGS["server"]["maxUploadSize"] * 10**6 <= MAX_BYTES
    # An unfinished message is held in memory, of every session. UTF-8 takes at most three bytes for a UTF-16 unit.
    assert 2 * 3 * MAX_PASTED_CHARACTERS <= SETTINGS["server"]["maxMessageSize"] * 10**6 <= 3_000_000


def test_measured_server_starts_as_the_examples() -> None:
    for name in ("tvbo-lab@.service", "Containerfile"):
        words = (ROOT / "docs" / "examples" / name).read_text().split()
        given = dict(word.removeprefix("Environment=").split("=", 1) for word in words if "=" in word)
        assert ENVIRONMENT.items() <= given.items(), name


def test_table_of_settings_holds_every_variable() -> None:
    table = (ROOT / "docs" / "serving.md").read_text("utf-8").split("## All settings")[1].split("\n## ")[0]
    told = set(re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE))
    paths = [ROOT / "app.py", *(path for room in ("shell", "lessons") for path in (ROOT / room).rglob("*.py"))]
    code = "\n".join(path.read_text("utf-8") for path in paths)
    read = set(re.findall(r'os\.environ(?:\.get\(|\[)"(\w+)"', code))
    read |= set(re.findall(r'"(\w+)" (?:not )?in os\.environ', code))
    assert read <= told and len(read) > 4
    assert {name for name in told if f'"{name}"' not in code} == set()


def test_serving_says_what_a_table_keeps() -> None:
    assert f"{OWN_BYTES // 10**6} MB of results" in (ROOT / "docs" / "serving.md").read_text("utf-8")
