"""The lessons' fixed parts, one file a lesson: question, knobs with their defaults here, moments with their line."""

from lessons.bands.lesson import BANDS
from lessons.drift.lesson import DRIFT
from lessons.forgetting.lesson import FORGETTING
from lessons.game.lesson import GAME
from lessons.microscope.lesson import MICROSCOPE
from lessons.side_queries.lesson import QUERIES
from lessons.race.lesson import RACE
from lessons.real_data.lesson import REAL_DATA
from lessons.reproductions.lesson import REPRODUCTIONS_LESSON
from lessons.rperp.lesson import RPERP
from lessons.theorems.lesson import THEOREMS_LESSON

# What a table of rewards does not have.
TABLE_HAS_NO = {"pair", "V", "nu", "ell", "eps", "alpha", "B", "switches", "scale"}

LESSONS = (  # in the order of the front page
    DRIFT, BANDS, RPERP, RACE, THEOREMS_LESSON, FORGETTING, QUERIES, REAL_DATA, REPRODUCTIONS_LESSON, MICROSCOPE,
    GAME,
)  # fmt: skip
