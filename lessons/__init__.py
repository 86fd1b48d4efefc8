"""The lessons' fixed parts, one file a lesson: question, knobs with their defaults here, moments with their line."""

from lessons.bands.lesson import BANDS
from lessons.chase.lesson import PEAK
from lessons.drift.lesson import DRIFT
from lessons.forgetting.lesson import FORGETTING
from lessons.game.lesson import GAME
from lessons.microscope.lesson import MICROSCOPE
from lessons.race.lesson import RACE
from lessons.real_data.lesson import REAL_DATA
from lessons.reproductions.lesson import REPRODUCTIONS_LESSON
from lessons.rperp.lesson import RPERP
from lessons.side_queries.lesson import QUERIES
from lessons.theorems.lesson import THEOREMS_LESSON

LESSONS = (  # by number; the first is the front page
    PEAK, DRIFT, BANDS, RPERP, RACE, THEOREMS_LESSON, FORGETTING, QUERIES, REAL_DATA, REPRODUCTIONS_LESSON, MICROSCOPE,
    GAME,
)  # fmt: skip
