"""Addresses that name no page lead to the page that was meant."""

from __future__ import annotations

import pytest

from lessons import LESSONS
from shell.links.lost import meant, unknown_name

FILES = [one.file for one in LESSONS[1:]]


@pytest.mark.parametrize("file", FILES)
def test_small_letters_and_slips_mean_the_page(file: str) -> None:
    name = file.removeprefix("pages/").removesuffix(".py")
    for said in (name.lower(), name.upper(), name.replace("_", "-"), name.replace("_", " ")):
        assert meant(said, FILES) == (file, True)
    assert meant(f"{name}s", FILES) == (file, False)


def test_what_is_like_no_page_means_none() -> None:
    assert meant("zzzz", FILES) == (None, False)


def test_front_page_has_no_name() -> None:
    for url, base, name in (
        ("http://a/", "", ""),
        ("http://a/?V=2", "", ""),
        ("http://a/lab/", "lab", ""),
        ("http://a/lab", "/lab/", ""),
        ("http://a/lab/theorems?t=3", "lab", "theorems"),
        ("http://a/theorems/", "", "theorems"),
        ("", "", ""),
    ):
        assert unknown_name(url, base) == name
