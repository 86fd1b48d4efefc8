"""All lessons in their order. A lesson's number is its place in this list."""

from lessons.bands.lesson import LESSON as BANDS
from lessons.chase.lesson import LESSON as CHASE
from lessons.drift.lesson import LESSON as DRIFT
from lessons.forgetting.lesson import LESSON as FORGETTING
from lessons.game.lesson import LESSON as GAME
from lessons.microscope.lesson import LESSON as MICROSCOPE
from lessons.online.lesson import LESSON as ONLINE
from lessons.plane.lesson import LESSON as PLANE
from lessons.points.lesson import LESSON as POINTS
from lessons.race.lesson import LESSON as RACE
from lessons.real_data.lesson import LESSON as REAL_DATA
from lessons.record import registry
from lessons.reproductions.lesson import LESSON as REPRODUCTIONS
from lessons.rperp.lesson import LESSON as RPERP
from lessons.shared.knobs import WORLD
from lessons.side_queries.lesson import LESSON as SIDE_QUERIES
from lessons.theorems.lesson import LESSON as THEOREMS

LESSONS = registry(  # the first is the front page
    CHASE,
    POINTS,
    GAME,
    DRIFT,
    FORGETTING,
    RACE,
    BANDS,
    ONLINE,
    PLANE,
    THEOREMS,
    RPERP,
    SIDE_QUERIES,
    REAL_DATA,
    REPRODUCTIONS,
    MICROSCOPE,
    world=WORLD,
)
BY_KEY = {lesson.key: lesson for lesson in LESSONS}
