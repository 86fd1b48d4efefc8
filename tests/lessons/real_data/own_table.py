"""Tables of a visitor's own, and their race."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from lessons.real_data import model
from lessons.real_data.model import RealDataSetting, Trial
from lessons.real_data.tables import load, read, suggest
from lessons.real_data.worker_jobs import Base
from tvbo_core.worlds.tables import Table

SETTING = RealDataSetting(Base("own", "m", 0.05, False, 3), 0, ("rnd", "gp", "r", "sw", "wgp", "tv"), 4)


def table(values: np.ndarray, names: str = "a") -> str:
    """A file with these rewards, a row a time."""
    header = "t," + ",".join(f"{names}{i}" for i in range(values.shape[1]))
    return header + "\n" + "\n".join(f"{t}," + ",".join(f"{v:.6g}" for v in r) for t, r in enumerate(values))


def checked(values: np.ndarray) -> Table:
    """The table as the page accepts it."""
    cells = read(table(values).encode())
    return load(cells, suggest(cells)).table


def run(values: np.ndarray, **change: object) -> Trial:
    """The race on these rewards, with everything played."""
    return model.race(replace(SETTING, **change), checked(values))
