"""The contracts find what they are for: every fault below fails its check, and only the faulty ones fail."""

from __future__ import annotations

import random
import subprocess
import sys
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

from tests.core.test_every_policy import refused
from tests.standins import Optimist, Uniform
from tvbo_core.bands import AMM, AY, CMM
from tvbo_core.bands.base import Bound, around
from tvbo_core.check import main
from tvbo_core.guests import load_guest
from tvbo_core.policies import IndexPolicy
from tvbo_core.records import Band
from tvbo_core.testing import FAIL, OFF, PASS, BandContract, PolicyContract

MINE = '''
from dataclasses import dataclass

import numpy as np

from tvbo_core.bands.base import Bound, around

THINGS = 3


@dataclass(frozen=True)
class Greedy:
    """The best mean of the last `window` answers, after one of each arm."""

    window: int = 20

    def init(self, known):
        if self.window < 1:
            raise ValueError("window must be at least 1,\\ngot less")
        return known.x.shape[-2], ()

    def __post_init__(self):
        if self.window == 13:
            raise ZeroDivisionError("thirteen")

    def select(self, state, t, rng):
        means = [np.mean([y for a, y in state[1] if a == arm] or [9.0]) for arm in range(state[0])]
        return int(np.argmax(means))

    def update(self, state, t, arm, y):
        return state if y != y else (state[0], (*state[1], (arm, y))[-self.window :])


@dataclass(frozen=True)
class Wide(Bound):
    slack: float = 1.0
    name = "wide AY"

    def from_fits(self, fit_at):
        fit = fit_at(self.sigma**2)
        return around(self, fit, self.slack * (self.B + np.sqrt(fit.log_det + self.log_delta)))
'''


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    path = tmp_path / "mine.py"
    path.write_text(MINE)
    return path


# --- faults -----------------------------------------------------------------------------------------------------------


class NoValue(Uniform):
    def __eq__(self, other):
        return self is other

    __hash__ = object.__hash__


class Beyond(Uniform):
    def select(self, arms, t, rng):
        return arms


class Unseeded(Uniform):
    def select(self, arms, t, rng):
        return int(np.random.default_rng().integers(arms))


class Python(Uniform):
    def select(self, arms, t, rng):
        return random.randrange(arms)


class Shares(Uniform):
    """Keeps the last arm in the class from its `init` on, where runs that take turns meet."""

    last = 0

    def init(self, known):
        Shares.last = 0
        return known.x.shape[-2]

    def update(self, arms, t, arm, y):
        Shares.last = arm
        return arms

    def select(self, arms, t, rng):
        return (Shares.last + 1 + t % 2) % arms


class OneShape(Uniform):
    """Crashes with a ValueError of numpy's own where arms are others in each round."""

    def init(self, known):
        return known.x.shape[-2] + int((known.x @ np.ones((1, 1))).sum() * 0)


class WholeNumbers(Uniform):
    """Crashes with a ValueError of Python's own after a reward of NaN."""

    def update(self, arms, t, arm, y):
        return arms + 0 * int(y)


class Deaf(Optimist):
    """Of the textbook: a reward of NaN stays in its mean."""

    def update(self, state, t, arm, y):
        state = state[0].copy(), state[1]
        return super().update(state, t, arm, y)


class Slow(Uniform):
    def select(self, arms, t, rng):
        return int(sum(rng.standard_normal(10**6)[:1]) > 0) if arms == 100 else super().select(arms, t, rng)


class Crossed(Uniform):
    def band(self, arms, t):
        return Band(np.zeros(arms), np.ones(arms), -np.ones(arms))


class Counts(Uniform):
    """Fails in the round after one that nothing was told about."""

    def init(self, known):
        return known.x.shape[-2], 0

    def select(self, state, t, rng):
        if state[1] != t:
            raise IndexError(f"{state[1]} rewards in round {t}")
        return int(rng.integers(state[0]))

    def update(self, state, t, arm, y):
        return state[0], state[1] + 1


POLICY_FAULTS = {
    NoValue: {"it_is_a_value"},
    Beyond: {"arms_are_valid"},
    Unseeded: {"same_seed_gives_same_arms"},
    Python: {"no_global_random_numbers", "same_seed_gives_same_arms"},
    Shares: {"old_states_give_the_same_rest", "runs_that_take_turns_share_nothing"},
    OneShape: {"fresh_arms_are_played_or_refused"},
    WholeNumbers: {"nan_is_refused_or_handled"},
    Optimist: {"old_states_give_the_same_rest"},
    Deaf: {"nan_is_refused_or_handled"},
    Crossed: {"bands_have_order_and_change_nothing", "failed_rounds_pass"},
    Counts: {"failed_rounds_pass"},
    Slow: {"cost_of_a_round"},
}


class Policies(PolicyContract):
    def __init__(self, made):
        self.made = made
        self.max_ms = 3.0 if made is Slow else 1000.0

    def make(self):
        return self.made()


@pytest.mark.parametrize("fault", POLICY_FAULTS)
def test_faulty_policies_fail_their_check(fault):
    failed = {result.name for result in Policies(fault).run() if result.outcome == FAIL}
    assert failed >= POLICY_FAULTS[fault]
    if fault not in (Beyond, Counts, Optimist):
        assert failed == POLICY_FAULTS[fault]


def test_sound_policies_of_two_kinds_pass():
    for made in (Uniform, IndexPolicy):
        assert {result.outcome for result in Policies(made).run()} <= {PASS, OFF}


@dataclass(frozen=True)
class Wide(Bound):
    """Abbasi-Yadkori's band at the regulariser sigma^2, or with a fault."""

    fault: str = field(default="", kw_only=True)
    name: ClassVar[str] = "wide AY"

    def __post_init__(self):
        if self.fault != "takes anything":
            super().__post_init__()

    def from_fits(self, fit_at):
        fit = fit_at(self.sigma**2)
        width = (self.B + np.sqrt(fit.log_det + self.log_delta)) * (0.1 if self.fault == "narrow" else 1.0)
        mean, lower, upper, empty = around(self, fit, width)
        if self.fault == "constant":
            lower, upper = mean - 9.0, mean + 9.0
        if self.fault == "crossed":
            lower, upper = upper, lower
        if self.fault == "empty":
            empty = np.ones_like(empty)
        return mean, lower, upper, empty


@dataclass(frozen=True)
class OneTime(Wide):
    at_all_times: ClassVar[bool] = False


BAND_FAULTS = {
    "": set(),
    "narrow": {"it_covers_at_random_picks", "it_covers_at_greedy_picks"},
    "constant": {"it_keeps_its_assumptions", "it_shrinks_with_data"},
    "crossed": {"curves_have_shape_and_order", "empty_sets_are_one_curve"},
    "takes anything": {"wrong_assumptions_are_refused"},
    "empty": {"empty_sets_are_one_curve", "it_covers_at_random_picks", "it_covers_at_greedy_picks"},
}


@pytest.mark.parametrize(
    ("made", "fault"), [*((Wide, fault) for fault in BAND_FAULTS), (OneTime, ""), (OneTime, "narrow")]
)
def test_faulty_bands_fail_their_check(made, fault):
    class Bands(BandContract):
        worlds = 40

        def make(self, B, sigma, delta):
            return made(B, sigma, delta, fault=fault)

    failed = {result.name for result in Bands().run() if result.outcome == FAIL}
    assert failed >= BAND_FAULTS[fault] and (fault == "crossed" or failed == BAND_FAULTS[fault])


def scaled(band: Any, share: float, shift: float = 0.0) -> Any:
    """Return a band of this share of the half-width, moved by so many half-widths."""
    half = 0.5 * (band.upper - band.lower)
    mean = 0.5 * (band.upper + band.lower) + shift * half
    return replace(band, mean=mean, lower=mean - share * half, upper=mean + share * half)


class NarrowSpectrum(CMM):
    def from_spectrum(self, spec, dmm=None):
        return scaled(super().from_spectrum(spec, dmm), 0.3)


class NarrowSpectra(CMM):
    def from_spectra(self, spectra, dmms):
        return [scaled(band, 0.3) for band in super().from_spectra(spectra, dmms)]


class NarrowBand(CMM):
    def band(self, *data):
        return scaled(super().band(*data), 0.3)


class NarrowFits(AMM):
    def from_fits(self, fit_at):
        mean, lower, upper, empty = super().from_fits(fit_at)
        return mean, mean - 0.3 * (mean - lower), mean + 0.3 * (upper - mean), empty


class Late(AY):
    """Its film has at each time what the band was one observation before."""

    def from_fits(self, fit_at):
        curves = super().from_fits(fit_at)
        return tuple(np.concatenate([one[:1], one[:-1]]) for one in curves) if curves[0].ndim == 2 else curves


class DeafToDelta(AMM):
    @property
    def log_delta(self):
        return -2.0 * float(np.log(0.5))


class DeafToNorm(AY):
    def from_fits(self, fit_at):
        return AY.from_fits(AY(1.0, self.sigma, self.delta, self.ridge), fit_at)


FORMS, SHORTCUTS = "every_form_is_the_same_band", "declared_shortcuts_hold"
COVERAGE = {"it_covers_at_random_picks", "it_covers_at_greedy_picks"}
FALSE_BANDS = {
    NarrowSpectrum: {FORMS},
    NarrowSpectra: {SHORTCUTS, *COVERAGE},
    NarrowBand: {FORMS},
    NarrowFits: {SHORTCUTS, *COVERAGE},
    Late: {FORMS},
    DeafToDelta: {"it_keeps_its_assumptions"},
    DeafToNorm: {"it_keeps_its_assumptions", *COVERAGE},
}


@pytest.mark.parametrize("made", FALSE_BANDS)
def test_false_bands_fail_whatever_they_override(made):
    told = {"ridge": 0.04} if issubclass(made, AY) else {}

    class Bands(BandContract):
        worlds = 12

        def make(self, B, sigma, delta):
            return made(B, sigma, delta, **told)

    failed = {result.name for result in Bands().run() if result.outcome == FAIL}
    assert failed >= FALSE_BANDS[made]


def test_checks_are_switched_off_with_a_reason():
    class Off(PolicyContract):
        off: ClassVar = {"cost_of_a_round": "it is slow"}

        def make(self):
            return Slow()

    assert [r.detail for r in Off().run() if r.name == "cost_of_a_round" and r.outcome == OFF] == ["it is slow"]
    refused(lambda: type("X", (PolicyContract,), {"off": {"cost": "slow"}}), "no check 'cost'", "cost_of_a_round")
    refused(lambda: type("X", (PolicyContract,), {"off": {"cost_of_a_round": ""}}), "without a reason")


# --- guests and the command -------------------------------------------------------------------------------------------


def test_guests_are_named_with_their_settings(mine):
    guest = load_guest(f"{mine}@Greedy", ["window=5"])
    assert (guest.file, guest.kind, repr(guest.policy())) == ("mine.py", "policy", "Greedy(window=5)")
    band = load_guest(f"{mine}@Wide", ["slack=2"])
    assert band.kind == "band" and (band.band(1.0, 0.1, 0.2).B, band.band(1.0, 0.1, 0.2).slack) == (1.0, 2)


PLAIN = """
import numpy as np


class Plain:
    def init(self, known):
        return known.x.shape[-2]

    def select(self, state, t, rng):
        return int(rng.integers(state))

    def update(self, state, t, arm, y):
        return state


class Singular(Plain):
    def init(self, known):
        if known.x.ndim == 3:
            raise ValueError("the same arms in every round, please")
        return known

    def select(self, known, t, rng):
        K = known.kernel(known.x[:1], known.x[:1]) * 0 + known.noise_sd**2
        return 0 if t == 0 else int(np.linalg.inv(K)[0, 0] * 0)

"""


def report(folder: Path, name: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, list[str]]:
    """Return the exit code and the lines of the check of a class of `PLAIN`."""
    (folder / "plain.py").write_text(PLAIN)
    code = main([f"{folder}/plain.py@{name}"])
    return code, capsys.readouterr().out.splitlines()


def test_plain_class_passes(tmp_path, capsys):
    code, lines = report(tmp_path, "Plain", capsys)
    assert code == 0 and lines[0].startswith("Plain() of plain.py, a policy:"), lines


def test_failed_check_names_line_round_and_world(tmp_path, capsys):
    """A right policy but for one world, which has no noise."""
    code, lines = report(tmp_path, "Singular", capsys)
    (said,) = [line for line in lines if line.startswith("fail")]
    number = 1 + next(i for i, line in enumerate(PLAIN.splitlines()) if "linalg.inv" in line)
    assert code == 1 and "LinAlgError: Singular matrix" in said
    assert said.endswith(f"in line {number} in round t = 1, in a world of 2 rounds, 1 arm, noise 0")
    assert "please" in next(line for line in lines if line.startswith("pass  fresh_arms"))


def test_command_counts_its_checks_and_fails(mine, capsys):
    """A line a check, a count, and the exit code; the first one as a user runs it."""
    words = [f"{mine}@Greedy", "-S", "window=20", "--off", "cost_of_a_round=not here"]
    done = subprocess.run([sys.executable, "-m", "tvbo_core.check", *words], capture_output=True, text=True)
    code, lines = done.returncode, done.stdout.splitlines()
    checks = PolicyContract.checks()
    assert code == 0 and lines[0] == f"Greedy(window=20) of mine.py, a policy: {len(checks)} checks"
    assert [line.split()[1] for line in lines[1:-1]] == checks
    assert lines[-1] == f"{len(checks) - 2} passed, 0 failed, 2 off" and lines[1].endswith("not here")
    code, lines = main([f"{mine}@Wide", "-S", "slack=0.1"]), capsys.readouterr().out.splitlines()
    assert code == 1 and "0 of 200 still worlds at all 41 times" in "\n".join(lines)
    assert lines[-1] == f"{len(BandContract.checks()) - 2} passed, 2 failed, 0 off"
    assert lines[0].startswith("Wide(B=3.0, sigma=0.2, delta=0.2, slack=0.1) of mine.py, a band")
    assert "promise 0.8" in "\n".join(lines)
    assert main([f"{mine}@Gready"]) == 2
