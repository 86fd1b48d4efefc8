"""You against the bandits: the lesson's knobs and moments."""

from __future__ import annotations

from lessons.shared.knobs import KNOBS, METHODS
from shell.page import Lesson, Moment

END = 999  # the last round, however many there are
GAME_SHOWN = ("challenge", "rounds", "noise")
GAME_MORE = ("algos", "m")

GAME = Lesson(
    number=11,
    title="You against the bandits",
    question="Can you stay on a peak that you cannot see, better than the bandits?",
    knobs={
        **{key: KNOBS[key] for key in (*GAME_SHOWN, "versus", "world")},
        "algos": KNOBS["algos"].but(
            default=tuple(METHODS),
            words="Bandits",
            help="Who plays the same world with the same noise. None chosen means all.",
        ),
        "m": KNOBS["m"].but(default=10, options=(0, 5, 10, 20, 50)),
    },
    moments=(
        Moment(
            "It stands still",
            "Nothing moves. Find the peak, stay there, and see what the bandits paid to find it.",
            END,
            {"challenge": "still", "world": "cfh3k"},
        ),
        Moment(
            "It glides",
            "It moves, and nobody says where to. How often do you dare to look elsewhere?",
            END,
            {"challenge": "glide", "world": "n2kn5"},
        ),
        Moment(
            "I am not telling",
            "Still, gliding, jumping or wandering? Play thirty rounds, then bet, then look.",
            END,
            {"challenge": "secret", "world": "pg6f6"},
        ),
    ),
    t=END,
    words="lessons/game/help.md",
)
