"""The names on which scripts outside this project rely: they stay, with their fields and defaults."""

from __future__ import annotations

from dataclasses import MISSING, fields

import tvbo_core as tv
from tvbo_core import bands

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
    "worlds": ("make_problem", "check_world", "events", "ties", "moved_most", "reachable_budget"),
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


FIELDS = {"AY": ["ridge"], "IGP": ["eta"], "AMM": ["c"], "DMM": ["c", "multiples"], "CMM": ["c"]}


def test_public_names_and_keys_stay() -> None:
    assert set(LISTED.split()) <= set(tv.__all__) and all(hasattr(tv, name) for name in tv.__all__)
    gone = [
        (m, name) for m, names in INSIDE.items() for name in names if not callable(getattr(getattr(tv, m), name, None))
    ]
    assert gone == []
    assert {name: repr(getattr(tv, name)()) for name in KEYS} == KEYS
    assert list(bands.ALL)[:5] == ["CMM", "DMM", "AMM", "AY", "IGP"]
    for name, own in FIELDS.items():
        found = fields(getattr(tv, name))
        assert [f.name for f in found] == ["B", "sigma", "delta", *own, "clip_to_B"]
        assert found[-1].default is False and all(f.default is MISSING for f in found[:3])
