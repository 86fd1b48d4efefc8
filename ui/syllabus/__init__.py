"""The lessons' fixed parts, one file a lesson: question, knobs with their defaults here, moments with their line."""

from ui.syllabus.bands import BANDS
from ui.syllabus.drift import DRIFT
from ui.syllabus.forgetting import FORGETTING
from ui.syllabus.game import GAME
from ui.syllabus.microscope import MICROSCOPE
from ui.syllabus.queries import QUERIES
from ui.syllabus.race import RACE
from ui.syllabus.real_data import REAL_DATA
from ui.syllabus.reproductions import REPRODUCTIONS_LESSON
from ui.syllabus.rperp import RPERP
from ui.syllabus.theorems import THEOREMS_LESSON

# What a table of rewards does not have.
TABLE_HAS_NO = {"pair", "V", "nu", "ell", "eps", "alpha", "B", "switches", "scale"}

LESSONS = (  # in the order of the front page
    DRIFT, BANDS, RPERP, RACE, THEOREMS_LESSON, FORGETTING, QUERIES, REAL_DATA, REPRODUCTIONS_LESSON, MICROSCOPE,
    GAME,
)  # fmt: skip
