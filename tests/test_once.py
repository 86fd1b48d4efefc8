"""What is found once is what would be found every time."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from types import SimpleNamespace

import pytest
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime import app_session

from ui.once import filled, kept

ROOT = Path(__file__).resolve().parent.parent
SECTIONS = ("theme", "theme.light", "theme.dark", "theme.sidebar", "theme.light.sidebar", "theme.dark.sidebar")
pages = import_module("streamlit.navigation.page")


def plain(function):
    """As Streamlit ships it, whether or not a page has installed ours before."""
    return getattr(function, "__wrapped__", function)


@pytest.fixture
def asked(monkeypatch) -> list[Path]:
    """A run of the app; every file that Streamlit asks the disk for."""
    names: list[Path] = []
    is_file = Path.is_file
    monkeypatch.setattr(Path, "is_file", lambda path: (names.append(path), is_file(path))[1])
    manager = SimpleNamespace(main_script_parent=ROOT)
    monkeypatch.setattr(pages, "get_script_run_ctx", lambda *_, **__: SimpleNamespace(pages_manager=manager))
    return names


def test_a_page_that_is_kept_is_the_page_that_would_be_made(asked):
    make = plain(pages._create_page)
    give = kept(make)
    for path in sorted((ROOT / "pages").glob("*.py")):
        assert vars(give(path)) == vars(give(path)) == vars(make(path))
    assert vars(give(ROOT / "app.py", default=True)) == vars(make(ROOT / "app.py", default=True))
    assert vars(give(ROOT / "app.py", default=True)) != vars(give(ROOT / "app.py"))


def test_a_page_is_looked_for_once_and_a_mark_on_one_copy_is_on_no_other(asked):
    give = kept(plain(pages._create_page))
    one, other = give(ROOT / "app.py"), give(ROOT / "app.py")
    one._can_be_called = True
    assert len(asked) == 1 and not other._can_be_called and not give(ROOT / "app.py")._can_be_called


def test_a_theme_that_is_kept_is_the_theme_that_would_be_read_and_no_section_appears():
    read = plain(app_session._populate_theme_msg)
    again = filled(read)
    for section in SECTIONS * 2:
        ours, theirs = ForwardMsg().new_session, ForwardMsg().new_session
        again(ours.custom_theme, section)
        read(theirs.custom_theme, section)
        assert ours.SerializeToString(deterministic=True) == theirs.SerializeToString(deterministic=True), section


def test_a_section_is_read_once_and_two_messages_do_not_share_it():
    seen: list[str] = []

    def fill(message, section):
        seen.append(section)
        message.base_font_size = 17

    again = filled(fill)
    one, other = ForwardMsg().new_session.custom_theme, ForwardMsg().new_session.custom_theme
    again(one)
    one.base_font_size = 3
    again(other)
    assert seen == ["theme"] and other.base_font_size == 17
