"""You against the bandits: the record of the lesson."""

from __future__ import annotations

from lessons.game import claims
from lessons.game.knobs import GAME_MORE, GAME_SHOWN, LAST, OWN
from lessons.game.recipe import recipe
from lessons.game.scene import shipped
from lessons.game.together.scene import TOGETHER
from lessons.record import SEE, Lesson, Moment, printed_sources
from lessons.shared import codes

JUMPS = "fcx6t"  # a world whose one jump comes in the middle


def worlds() -> list[dict[str, object]]:
    """Return the worlds that are played without a server: as the lesson opens, its moments, and one that jumps."""
    played = {one.key: (one.title, one.values) for one in LESSON.moments}
    played = {"opening": ("Opening", {}), **played, "jumps": ("Jumping", {"world": JUMPS})}
    return [{"key": key, "title": title, **shipped(LESSON.settings(own))} for key, (title, own) in played.items()]


LESSON = Lesson(
    key="game",
    group=SEE,
    file="pages/You_against_the_bandits.py",
    icon="🎮",
    title="You against the bandits",
    question="Can you follow a hidden peak better than bandit algorithms?",
    knobs=OWN,
    moments=(
        Moment(
            "still",
            "Static",
            "The reward is static. Find the peak, stay there, and compare your regret with the algorithms'.",
            LAST,
            {"challenge": "still", "world": "cfh3k"},
            claim="an invitation",
        ),
        Moment(
            "glide",
            "Gliding",
            "The reward glides, and you do not know where to. How often do you explore elsewhere?",
            LAST,
            {"challenge": "glide", "world": "yvk7y"},
            claim="an invitation",
        ),
        Moment(
            "travel",
            "Travelling",
            "The hill travels. After 25 rounds WGP-UCB and TV-GP-UCB, which forget, have less regret than GP-UCB in "
            "87 of 100 worlds.",
            LAST,
            {"challenge": "travel", "world": codes.encode(codes.TRAVELS, 41)},
            claims.FADING,
        ),
        Moment(
            "secret",
            "Hidden world",
            "Static, gliding, jumping, wandering or travelling? Play to the end, guess, and see the answer.",
            LAST,
            {"challenge": "secret", "world": "pg6f6"},
            claim="an invitation",
        ),
    ),
    cites=lambda: printed_sources("lessons/race/help.md"),  # its bandits are those of the race
    recipe=recipe,
    controls=lambda values: (GAME_SHOWN, GAME_MORE),
    offline_worlds=worlds,
    former=frozenset({"versus", "algos", "m", "view"}),
    together=TOGETHER,
)
