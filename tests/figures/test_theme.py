"""Colours that mean something can be told apart: on their background, in grey, and by colour-blind readers."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import combinations

import numpy as np
import pytest

from common.roles import ROLES
from figures.palette import (
    BAND_DASH,
    BAND_SYMBOL,
    BANDS_DARK,
    BANDS_LIGHT,
    METHODS,
    ROLES_DARK,
    ROLES_LIGHT,
    SPARE_METHODS,
    WORLDS_DARK,
    WORLDS_LIGHT,
)
from figures.theme import Theme, decades
from tests.shared import ROOT
from tvbo_core import worlds

# Machado, Oliveira & Fernandes (2009), severity 1, on linear RGB.
SIGHT = {
    "usual": np.eye(3),
    "protan": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deutan": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    "tritan": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
    ),
}
XYZ = np.array(
    [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]]
)
WHITE = XYZ.sum(axis=1)
NOTICED = 2.3  # difference in CIELAB that is just noticeable (Mahy et al., 1994)


LISTED = {False: (BANDS_LIGHT, WORLDS_LIGHT), True: (BANDS_DARK, WORLDS_DARK)}


def linear(colour: str) -> np.ndarray:
    s = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    return np.where(s <= 0.04045, s / 12.92, ((s + 0.055) / 1.055) ** 2.4)


def luminance(colour: str) -> float:
    return float(XYZ[1] @ linear(colour))


def contrast(one: str, other: str) -> float:
    """WCAG 2: from 1 to 21."""
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def lab(colour: str, sight: str) -> np.ndarray:
    xyz = XYZ @ np.clip(SIGHT[sight] @ linear(colour), 0, 1) / WHITE
    f = np.where(xyz > (6 / 29) ** 3, np.cbrt(xyz), xyz / (3 * (6 / 29) ** 2) + 4 / 29)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def families(theme: Theme) -> dict[str, str]:
    """One colour a family of methods."""
    return {theme.method(name): name for name in METHODS}


@pytest.mark.parametrize("dark", [False, True])
def test_lines_reach_the_contrast_of_text(dark: bool) -> None:
    theme, (bands, kinds) = Theme(dark=dark), LISTED[dark]
    shades = (theme.missed, theme.covered, theme.grey, theme.order("fixed"), theme.order("shuffled"), theme.soft_ink)
    drawn = {*families(theme), *bands.values(), *kinds.values(), *shades}
    assert {c: contrast(c, theme.paper) for c in drawn if contrast(c, theme.paper) < 4.5} == {}
    assert contrast(theme.ink, theme.paper) >= 7.0


def near(pairs: Iterable[tuple[str, str]], steps: float, sights: Iterable[str] = SIGHT) -> list[tuple[str, str, str]]:
    """Return the pairs of colours that differ by at most so many noticeable steps for a reader."""
    return [
        (one, other, sight)
        for one, other in pairs
        for sight in sights
        if np.linalg.norm(lab(one, sight) - lab(other, sight)) <= steps * NOTICED
    ]


@pytest.mark.parametrize("dark", [False, True])
def test_colours_of_a_kind_differ_for_every_reader(dark: bool) -> None:
    theme, (bands, kinds) = Theme(dark=dark), LISTED[dark]
    assert set(kinds) <= set(worlds.ALL)
    orders = (theme.order("fixed"), theme.order("shuffled"), theme.missed)
    for group in (families(theme), orders, bands.values(), [kinds[kind] for kind in worlds.ALL]):
        assert near(combinations(group, 2), 4) == []


@pytest.mark.parametrize("dark", [False, True])
def test_red_and_ink_are_far_from_others(dark: bool) -> None:
    """Red is a promise that broke, ink the truth."""
    theme, (bands, kinds) = Theme(dark=dark), LISTED[dark]
    spares = [s.dark if dark else s.light for s in SPARE_METHODS]
    others = {*families(theme), *bands.values(), *kinds.values(), *spares}
    assert near(((one, theme.missed) for one in others), 16, ["usual"]) == []
    assert near(((one, theme.missed) for one in others), 4) == []
    assert near(((one, theme.ink) for one in bands.values()), 10) == []


def test_dash_and_marker_name_methods_without_colour() -> None:
    for one, other in combinations(METHODS.values(), 2):
        assert (one.dash, one.symbol) != (other.dash, other.symbol)
        if one.light == other.light:
            assert one.dash != other.dash and one.symbol != other.symbol
    assert len(set(BAND_SYMBOL.values())) == len(BAND_SYMBOL) and len(set(BAND_DASH.values())) == 3


@pytest.mark.parametrize("dark", [False, True])
def test_unlisted_names_get_a_visible_spare_style(dark: bool) -> None:
    theme, listed = Theme(dark=dark), families(Theme(dark=dark))
    for spare in SPARE_METHODS:
        colour = spare.dark if dark else spare.light
        assert contrast(colour, theme.paper) >= 4.5 and colour not in listed
        assert all((spare.dash, spare.symbol) != (known.dash, known.symbol) for known in METHODS.values())
    assert METHODS["a new policy"] == SPARE_METHODS[2]  # in every process: Python's own hash of a name would differ
    assert "a new policy" not in METHODS
    new = LISTED[dark][0]["a new band"]
    assert contrast(new, theme.paper) >= 4.5 and BAND_SYMBOL["a new band"] not in BAND_SYMBOL.values()


@pytest.mark.parametrize("dark", [False, True])
def test_methods_have_the_colour_of_their_role(dark: bool) -> None:
    theme = Theme(dark=dark)
    for role, names in ROLES.items():
        assert {theme.method(name) for name in names} == {theme.role(role)}


@pytest.mark.parametrize("dark", [False, True])
def test_style_sheet_has_colours_of_the_theme(dark: bool) -> None:
    theme = Theme(dark=dark)
    own = {"ink": theme.ink, "soft-ink": theme.soft_ink, "grey": theme.grey, "method-r-opkb": theme.method("R-OPKB")}
    own |= {f"role-{name}": theme.role(name) for name in (ROLES_DARK if dark else ROLES_LIGHT)}
    own |= {f"band-{name.lower()}": theme.band(name) for name in ("CMM", "DMM")}
    sheet = (ROOT / "assets/colours.css").read_text("utf-8")
    found = {name: pair[dark] for name, *pair in re.findall(r"--([\w-]+): light-dark\((#\w+), (#\w+)\)", sheet)}
    assert found == {name: colour.lower() for name, colour in own.items()}


def test_decades_keep_ends_and_number() -> None:
    assert decades(-2.0, 3.0 - 1e-12) == [-2, -1, 0, 1, 2, 3] and decades(0.1, 0.9) == []
    assert decades(-0.5, 9.5, 5) == [0, 2, 4, 6, 8]
