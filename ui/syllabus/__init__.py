"""The lessons' fixed parts, one file a lesson: question, knobs with their defaults here, moments with their line."""

from ui.syllabus.bands import BANDS
from ui.syllabus.drift import DRIFT
from ui.syllabus.race import RACE

# What a table of rewards does not have.
TABLE_HAS_NO = {"pair", "V", "nu", "ell", "eps", "alpha", "B", "switches", "scale"}

LESSONS = (DRIFT, BANDS, RACE)  # in the order of the front page
