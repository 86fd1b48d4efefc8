r"""A travelling hill that was reshaped by hand before its way and after it.

$f_t=g_t+\sum_j\big((1-s_t)a_j+s_tb_j\big)\Phi_j$: $g_t$ is the travelling world, $s_t$ the share of its way, and
$\Phi_j(x)=\sum_ik(x,z_i)(K^{-1})_{ij}$ the function of least norm that is 1 at handle $z_j$ and 0 at the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace

import numpy as np

from tvbo_core.kernels import Kernel
from tvbo_core.records import Problem, World
from tvbo_core.worlds import draws, make_problem

HANDLES = np.linspace(0.0, 1.0, 6)[:, None]  # (6, 1) places of the handles, as shares of the way from low to high
FLAT = (0,) * len(HANDLES)  # a shape that nobody has bent
UNIT = 0.05  # of a bend, reward units
MOST = 120  # units of a bend, at most


@dataclass(frozen=True)
class Reshaped(World):
    r"""The world of lesson 0 with a shape of its own at both ends.

    Attributes:
        hill: seed of the hill; `seed` is that of the noise alone.   drift: $V_T$ before it was bent, reward units.
        start, end: bends at the handles, in multiples of `UNIT`; without drift there is no end.
        norm_bound: of the hill before it was bent; the problem reports $\max_t\|f_t\|$. All others as `World`.
    """

    kind: str = "travel"
    budget: float | None = None
    lengthscale: float = 0.25
    arms: int = 101
    norm_bound: float = 2.0
    hill: int = 49
    drift: float = 2.2
    start: tuple[int, ...] = FLAT
    end: tuple[int, ...] = FLAT

    @property
    def base(self) -> World:
        """The hill before anything was bent."""
        plain = {field.name: getattr(self, field.name) for field in fields(World)}
        return World(**plain | {"budget": self.drift, "seed": self.hill})

    def problem(self) -> Problem:
        """Return the travelling world, bent by hand.

        Raises:
            ValueError: a bend that no hill can have.
        """
        if self.dimension != 1:
            raise ValueError(f"dimension must be 1 where a hill is reshaped by hand, got {self.dimension}")
        for name, units in (("start", self.start), ("end", self.end)):
            whole = isinstance(units, Sequence) and all(type(one) is int and abs(one) <= MOST for one in units)
            if not whole or len(units) != len(HANDLES):
                raise ValueError(f"{name} must be {len(HANDLES)} whole numbers from -{MOST} to {MOST}, got {units!r}")
        plain = make_problem(self.base)
        assert plain.centres is not None and plain.coefficients is not None  # a travelling hill is a sum of kernels
        way = draws.travelled(self.horizon)[:, None] if self.drift else np.zeros((self.horizon, 1))
        bent = UNIT * ((1.0 - way) * np.array(self.start) + way * np.array(self.end))
        handles = self.low + (self.high - self.low) * HANDLES
        lifted, values = bends(plain.kernel, handles, plain.x)
        centres = np.concatenate([plain.centres, handles])
        coefficients = np.concatenate([plain.coefficients, bent @ lifted], axis=1)
        norm = float(draws.norms(plain.kernel, centres, coefficients).max())
        return replace(plain, f=plain.f + bent @ values, centres=centres, coefficients=coefficients, norm_bound=norm)


def bends(kernel: Kernel, handles: np.ndarray, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the kernel coefficients (handles, handles) of one unit of each handle, and their values (handles, m)."""
    lifted = np.linalg.inv(kernel(handles, handles))
    return lifted, lifted @ kernel(handles, x)
