"""Plain records that a lesson is made of: knobs, claims, bets, scenes, and the lesson itself.

The shell draws these records and knows no lesson; a lesson fills them and knows no Streamlit.
"""

from lessons.record.bet import APART, BET_KNOBS, CLOSED, OPEN, TASK, Bet, BetOutcome
from lessons.record.claim import Claim, Limit, Strip
from lessons.record.knob import LECTURE, OF_DISPLAY, OF_WORLD, PARTS, BadValue, Code, Knob, Values, text_of
from lessons.record.lesson import (
    CHECK,
    GROUPS,
    ROOT,
    SEE,
    UNDERSTAND,
    Lesson,
    Moment,
    beside,
    label_of,
    lesson_of,
    number_of,
    page_alone,
    printed_sources,
    registry,
)
from lessons.record.runs import Compute, Results, RunPlan
from lessons.record.scene import DATA, Ask, Handles, Pick, Picture, Rounds, Scene, in_drawers, of_all
from lessons.record.together import Together

__all__ = [
    "APART",
    "BET_KNOBS",
    "CHECK",
    "CLOSED",
    "DATA",
    "GROUPS",
    "LECTURE",
    "OF_DISPLAY",
    "OF_WORLD",
    "OPEN",
    "PARTS",
    "ROOT",
    "SEE",
    "TASK",
    "UNDERSTAND",
    "Ask",
    "BadValue",
    "Bet",
    "BetOutcome",
    "Claim",
    "Code",
    "Compute",
    "Handles",
    "Knob",
    "Lesson",
    "Limit",
    "Moment",
    "Pick",
    "Picture",
    "Results",
    "Rounds",
    "RunPlan",
    "Scene",
    "Strip",
    "Together",
    "Values",
    "beside",
    "in_drawers",
    "label_of",
    "lesson_of",
    "number_of",
    "of_all",
    "page_alone",
    "printed_sources",
    "registry",
    "text_of",
]
