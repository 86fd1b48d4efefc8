r"""Contracts of policies and bands, as checks for pytest and for `python -m tvbo_core.check`.

Derive from `PolicyContract` or `BandContract` and override `make`; the lab's own policies and bands run the same:

    class TestGreedy(PolicyContract):
        off = {"cost_of_a_round": "it solves a program in each"}

        def make(self):
            return Greedy(window=20)
"""

from tvbo_core.testing.band import BandContract
from tvbo_core.testing.contract import FAIL, OFF, PASS, CheckResult, Contract
from tvbo_core.testing.policy import PolicyContract

__all__ = ["FAIL", "OFF", "PASS", "BandContract", "CheckResult", "Contract", "PolicyContract"]
