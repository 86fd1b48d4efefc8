"""The end of a hall's game: everybody's place as a ladder, and the crowd's queries as a cloud over the hidden hills."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from figures import theme as style
from figures.film import Film
from figures.theme import Theme
from lessons.game import figure as places
from lessons.game.together.model import Crowd

ONE, LARGEST = 8, 12  # pixels across the circle of one phone's query where few play, and of any at most


def stage(found: Crowd, does: Mapping[str, str], theme: Theme, frame: int) -> Film:
    """Return the film of a hall's game, a frame a round.

    Args:
        does: name -> what a bandit does, in a few words.   frame: the round that the figure shows, from 0.
    """
    sheet = places.ladder(found, does, theme, frame)
    hill, seen = places.hills(sheet, found, "● this hall's queries; ▼ the peak of that round")
    rounds, arms, counts = found.cloud
    size = np.sqrt(counts) * min(ONE, LARGEST / np.sqrt(counts.max()))
    sheet.dots(
        "hills",
        found.problem.x[arms, 0],
        np.where(seen[:, rounds], hill[rounds, arms][None, :], np.nan),
        style.faded(theme.ink, 0.45),
        size.round(1).tolist(),
        opacity=1,
        rim=(0, theme.ink),
        customdata=np.stack([rounds + 1, counts], axis=1).tolist(),
        hovertemplate="x = %{x:.2f} in round %{customdata[0]}: %{customdata[1]} of the phones<extra></extra>",
        meta="queries",
    )
    return sheet.film()
