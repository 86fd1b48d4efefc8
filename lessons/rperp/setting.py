"""The reader's choices on the R-PERP page, the policy that they tune, and the world that they stand for."""

from __future__ import annotations

from dataclasses import dataclass, replace

from tvbo_core import World
from tvbo_core.policies.elimination.policy import RPERP
from tvbo_core.policies.width import THEORY

DRIFT = "drift"  # the width that is derived here
DELTA = 0.1  # failure probability of proved widths


@dataclass(frozen=True)
class RPERPSetting:
    """The reader's choices: plain values.

    Attributes:
        world: the world, or the still base of the one that follows the learner.   follows: whether it does.
        restart: H, 0 for Theorem 5.
        width: a number as text, "theory" (eq. 8) or "drift" (derived here).
        ridge: multiple of the noise variance.   shuffle: which shuffle, 0 is the race's.
    """

    world: World
    follows: bool
    restart: int = 25
    width: str = "2"
    ridge: float = 1.0
    shuffle: int = 0

    @property
    def world_only(self) -> RPERPSetting:
        """The same world with every choice that does not decide it at one value."""
        return replace(self, width="2", shuffle=0)


def rule(setting: RPERPSetting, H: int | str, step: float, noise_sd: float, shuffled: bool = True) -> RPERP:
    """Return R-PERP as this page tunes it, or the same policy in the fixed order."""
    proved = setting.width in (THEORY, DRIFT)
    return RPERP(
        restart=H,
        width=THEORY if proved else float(setting.width),
        shuffle=shuffled,
        ridge=setting.ridge * noise_sd**2 if noise_sd > 0 else None,
        delta=DELTA,
        form=DRIFT if setting.width == DRIFT else "paper",
        step=step if setting.width == DRIFT else None,
    )
