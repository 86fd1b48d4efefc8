"""Colours that mean something can be told apart: on their background, in grey, and by colour-blind readers."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from common.roles import ROLES
from figures.theme import (
    BAND_DASH,
    BAND_SYMBOL,
    BANDS_DARK,
    BANDS_LIGHT,
    METHODS,
    SPARE_METHODS,
    WORLDS_DARK,
    WORLDS_LIGHT,
    Theme,
)
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


def test_contrast_of_black_on_white_is_twenty_one() -> None:
    assert contrast("#000000", "#FFFFFF") == pytest.approx(21.0)


@pytest.mark.parametrize("dark", [False, True])
def test_every_line_and_its_label_reach_the_contrast_of_text_on_their_background(dark: bool) -> None:
    theme = Theme(dark=dark)
    bands = BANDS_DARK if dark else BANDS_LIGHT
    kinds = (WORLDS_DARK if dark else WORLDS_LIGHT).values()
    drawn = {
        *families(theme),
        *bands.values(),
        *kinds,
        theme.missed,
        theme.covered,
        theme.grey,
        theme.order("fixed"),
        theme.order("shuffled"),
    }
    assert {c: contrast(c, theme.paper) for c in drawn if contrast(c, theme.paper) < 4.5} == {}
    assert contrast(theme.soft_ink, theme.paper) >= 4.5 and contrast(theme.ink, theme.paper) >= 7.0


@pytest.mark.parametrize("sight", SIGHT)
@pytest.mark.parametrize("dark", [False, True])
def test_two_families_differ_by_several_noticeable_steps_for_every_reader(dark: bool, sight: str) -> None:
    for one, other in combinations(families(Theme(dark=dark)), 2):
        assert np.linalg.norm(lab(one, sight) - lab(other, sight)) > 4 * NOTICED, (one, other)


@pytest.mark.parametrize("sight", SIGHT)
@pytest.mark.parametrize("dark", [False, True])
def test_the_two_orders_of_a_batch_and_a_broken_promise_differ_for_every_reader(dark: bool, sight: str) -> None:
    theme = Theme(dark=dark)
    for one, other in combinations((theme.order("fixed"), theme.order("shuffled"), theme.missed), 2):
        assert np.linalg.norm(lab(one, sight) - lab(other, sight)) > 4 * NOTICED, (one, other)


@pytest.mark.parametrize("sight", SIGHT)
@pytest.mark.parametrize("dark", [False, True])
def test_two_bands_differ_by_several_noticeable_steps_for_every_reader(dark: bool, sight: str) -> None:
    for one, other in combinations((BANDS_DARK if dark else BANDS_LIGHT).values(), 2):
        assert np.linalg.norm(lab(one, sight) - lab(other, sight)) > 4 * NOTICED, (one, other)


@pytest.mark.parametrize("sight", SIGHT)
@pytest.mark.parametrize("dark", [False, True])
def test_two_kinds_of_world_differ_by_several_noticeable_steps_for_every_reader(dark: bool, sight: str) -> None:
    kinds = WORLDS_DARK if dark else WORLDS_LIGHT
    assert set(kinds) <= set(worlds.ALL)
    for one, other in combinations((kinds[kind] for kind in worlds.ALL), 2):  # a newcomer gets a spare one
        assert np.linalg.norm(lab(one, sight) - lab(other, sight)) > 4 * NOTICED, (one, other)


@pytest.mark.parametrize("dark", [False, True])
def test_red_is_a_promise_that_broke_and_no_method_band_or_world_is_near_it(dark: bool) -> None:
    theme = Theme(dark=dark)
    bands, kinds = (BANDS_DARK, WORLDS_DARK) if dark else (BANDS_LIGHT, WORLDS_LIGHT)
    spares = [s.dark if dark else s.light for s in SPARE_METHODS]
    for colour in {*families(theme), *bands.values(), *kinds.values(), *spares}:
        assert np.linalg.norm(lab(colour, "usual") - lab(theme.missed, "usual")) > 16 * NOTICED, colour
        for sight in SIGHT:
            assert np.linalg.norm(lab(colour, sight) - lab(theme.missed, sight)) > 4 * NOTICED, (colour, sight)


@pytest.mark.parametrize("dark", [False, True])
def test_the_truth_is_told_apart_from_every_band(dark: bool) -> None:
    theme = Theme(dark=dark)
    for name, colour in (BANDS_DARK if dark else BANDS_LIGHT).items():
        for sight in SIGHT:
            assert np.linalg.norm(lab(colour, sight) - lab(theme.ink, sight)) > 10 * NOTICED, name


def test_without_colour_dash_and_marker_still_name_each_method_of_a_family() -> None:
    for one, other in combinations(METHODS.values(), 2):
        assert (one.dash, one.symbol) != (other.dash, other.symbol)
        if one.light == other.light:
            assert one.dash != other.dash and one.symbol != other.symbol


def test_without_colour_each_band_has_a_marker_of_its_own_and_the_three_families_a_dash() -> None:
    assert len(set(BAND_SYMBOL.values())) == len(BAND_SYMBOL)
    assert len(set(BAND_DASH.values())) == 3


@pytest.mark.parametrize("dark", [False, True])
def test_a_name_that_is_not_listed_gets_a_style_of_no_listed_family_that_can_be_seen(dark: bool) -> None:
    theme, listed = Theme(dark=dark), families(Theme(dark=dark))
    for spare in SPARE_METHODS:
        colour = spare.dark if dark else spare.light
        assert contrast(colour, theme.paper) >= 4.5 and colour not in listed
        assert all((spare.dash, spare.symbol) != (known.dash, known.symbol) for known in METHODS.values())
    assert METHODS["a new policy"] in SPARE_METHODS and METHODS["a new policy"] == METHODS["a new policy"]
    assert "a new policy" not in METHODS
    new = (BANDS_DARK if dark else BANDS_LIGHT)["a new band"]
    assert contrast(new, theme.paper) >= 4.5 and BAND_SYMBOL["a new band"] not in BAND_SYMBOL.values()


@pytest.mark.parametrize("dark", [False, True])
def test_a_method_has_the_colour_of_its_role(dark: bool) -> None:
    theme = Theme(dark=dark)
    for role, names in ROLES.items():
        assert {theme.method(name) for name in names} == {theme.role(role)}
