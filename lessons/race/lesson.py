"""The race: the lesson's knobs and moments."""

from __future__ import annotations

from lessons.race.knobs import FIGURE_1A, PROVED, RACE_MORE, RACE_SHOWN
from lessons.race.recipe import recipe
from lessons.race.scene import scene
from lessons.race.thumbnail import thumbnail
from lessons.race.truth import truth
from lessons.record import SEE, Bet, Lesson, Moment
from lessons.shared.knobs import KNOBS, METHODS

RACE_BET = Bet(
    question="The world jumps once, halfway. In which order do these four finish?",
    options={word: METHODS[word] for word in ("gp", "rnd", "tv", "wgp")},
    why="A method that never forgets keeps believing in a peak that has gone; one that forgets pays a little all the "
    "time, and little after the jump.",
    t=300,
    before=149,
    hides=(),  # the lines go on after the bet
    about={
        "gp": "keeps every answer",
        "rnd": "asks at random",
        "tv": "expects the reward to change a little in every round",
        "wgp": "gives old answers less weight",
    },
    ranks=True,
)
RACE = Lesson(
    number=4,
    group=SEE,
    abreast=3,
    file="pages/4_The_race.py",
    icon="🏁",
    title="The race",
    question="Who should I bet on if the world might move?",
    knobs={
        **{k: KNOBS[k] for k in (*RACE_SHOWN, *RACE_MORE, "pin1", "pin2")},
        "kind": KNOBS["kind"].replace(default="still", words="World on the left"),
        "T": KNOBS["T"].replace(default=300, low=100, high=2000),
        **RACE_BET.knobs,
    },
    moments=(
        Moment("Still against jumps", "The best method of the still world is near the bottom of the jumping one.", 300),
        Moment("Deng's world, width 2", "Their world, with the memory that each paper prescribes and one width for "
               "all.",
               500, FIGURE_1A),
        Moment("Theory meets practice", "With the widths that are proved, R-PERP pays what random play "
               "pays.", 2000, PROVED),
    ),
    t=300,
    words="lessons/race/help.md",
    bet=RACE_BET,
    recipe=recipe,
    thumbnail=thumbnail,
    scene=scene,
    truth=truth,
)  # fmt: skip
