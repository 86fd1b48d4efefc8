"""The leader of a race, by the medians over the seeds."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np


def lead_changes(median: Mapping[str, np.ndarray], lasting: int = 1) -> tuple[tuple[int, str, str], ...]:
    """Return the changes of the method with the lowest median regret: (row from 0, the new leader, the one it passes).

    The first leader is the lowest of row 0 (of several, the first one named). Another takes the lead in the first row
    in which it is strictly below the leader and from which on no method is below it for `lasting` rows, or until the
    end.

    Args:
        median: name -> (T,) median over the seeds of the regret so far.
    """
    names, rows = list(median), np.array(list(median.values()))
    lowest, bests, changes = rows.min(axis=0), rows.argmin(axis=0).tolist(), []
    leader = bests[0]
    for t, best in enumerate(bests):
        if rows[best, t] < rows[leader, t] and (rows[best, t : t + lasting] <= lowest[t : t + lasting]).all():
            changes.append((t, names[best], names[leader]))
            leader = best
    return tuple(changes)
