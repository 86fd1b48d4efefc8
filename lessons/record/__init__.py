"""Plain records that a lesson is made of: knobs, claims, bets, scenes, and the lesson itself.

The shell draws these records and knows no lesson; a lesson fills them and knows no Streamlit.
"""

from lessons.record.bet import APART, BET_KNOBS, CLOSED, OPEN, TASK, Bet, Outcome
from lessons.record.claim import Claim, Limit, Strip
from lessons.record.knob import LECTURE, BadValue, Code, Knob, Values
from lessons.record.lesson import (
    CHECK,
    GROUPS,
    ROOT,
    SEE,
    UNDERSTAND,
    Lesson,
    Moment,
    label_of,
    number_of,
    printed_sources,
    registry,
    script_of,
)
from lessons.record.scene import Ask, Frame, Handles, Pick, Picture, Rounds, Scene, Sketch, Stroke, in_drawers, unit

__all__ = [
    "APART",
    "BET_KNOBS",
    "CHECK",
    "CLOSED",
    "GROUPS",
    "LECTURE",
    "OPEN",
    "ROOT",
    "SEE",
    "TASK",
    "UNDERSTAND",
    "Ask",
    "BadValue",
    "Bet",
    "Claim",
    "Code",
    "Frame",
    "Handles",
    "Knob",
    "Lesson",
    "Limit",
    "Moment",
    "Outcome",
    "Pick",
    "Picture",
    "Rounds",
    "Scene",
    "Sketch",
    "Strip",
    "Stroke",
    "Values",
    "in_drawers",
    "label_of",
    "number_of",
    "printed_sources",
    "registry",
    "script_of",
    "unit",
]
