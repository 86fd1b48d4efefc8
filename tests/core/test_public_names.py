"""The names on which scripts outside this project rely: they stay, with their fields and defaults."""

from __future__ import annotations

from dataclasses import MISSING, fields

import pytest

import tvbo_core as tv

LISTED = """
ADAOPKB AMM AY Band BandFilm Batch CMM DMM GPUCB History IGP KernelUCB LearnerInfo LogWidth Matern OPKB PE Problem
RGPUCB RPERP RaceTable Random SWGPUCB SparQ SquaredExponential THEOREMS TVGPUCB Tabulated Theorem UIGPUCB WGPUCB WSparQ
World adversary band_film batch_sizes bumps certify coverage data drift_aware_band film films first_miss gain_bounds
greedy_information_gain grid_posterior information_gain kdpp make_kernel make_problem max_information_gain observe play
posterior posterior_weights race theory weighted_sd window_starts worlds
"""
INSIDE = {
    "observe": ("play_rng", "observe", "random_design", "ucb_design", "clustered_design"),
    "film": ("films", "band_film", "missed", "first_miss"),
    "worlds": ("make_problem", "check_world", "events", "ties", "moved_most", "budget_note", "reachable_budget"),
    "coverage": ("still_coverage", "draw_still_worlds", "wilson"),
    "certify": ("socp_bounds",),
    "data": ("load", "data_problem", "training_problem", "Table"),
    "bumps": ("Bumps", "switching", "hidden_function_bound"),
}
# Frozen values whose repr is the key of a stored result.
KEYS = {
    "Random": "Random()",
    "GPUCB": "GPUCB(width=2.0, ridge=None, delta=0.1, dense=False)",
    "RGPUCB": "RGPUCB(width=2.0, ridge=None, delta=0.1, dense=False, restart='paper')",
    "SWGPUCB": "SWGPUCB(width=2.0, ridge=None, delta=0.1, dense=False, window='paper')",
    "TVGPUCB": "TVGPUCB(width=2.0, ridge=None, delta=0.1, dense=False, epsilon='paper')",
    "PE": "PE(width=2.0, ridge=None, delta=0.1)",
    "WSparQ": "WSparQ(q_const=1.0, picker='exact', steps=1000, width=2.0, ridge=None, delta=0.1, alpha=1.0, "
    "window_exponent=0.25, append_start=False)",
}


def test_every_public_name_is_there() -> None:
    assert set(LISTED.split()) <= set(tv.__all__)
    assert all(hasattr(tv, name) for name in tv.__all__)


@pytest.mark.parametrize("module", INSIDE)
def test_modules_hold_what_scripts_import(module: str) -> None:
    assert [name for name in INSIDE[module] if not callable(getattr(getattr(tv, module), name, None))] == []


@pytest.mark.parametrize("name", KEYS)
def test_keys_of_stored_results_are_unchanged(name: str) -> None:
    assert repr(getattr(tv, name)()) == KEYS[name]


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("AY", ["B", "sigma", "delta", "ridge"]),
        ("IGP", ["B", "sigma", "delta", "eta"]),
        ("AMM", ["B", "sigma", "delta", "c"]),
        ("DMM", ["B", "sigma", "delta", "c", "multiples"]),
        ("CMM", ["B", "sigma", "delta", "c"]),
    ],
)
def test_bands_have_the_fields_of_their_theorem(name: str, told: list[str]) -> None:
    found = fields(getattr(tv, name))
    assert [f.name for f in found] == [*told, "clip_to_B"]
    assert found[-1].default is False and all(f.default is MISSING for f in found[:3])
