"""`python -m tests.first_screen [LESSON ...]` prints how many words each page has beside its picture as it opens.

Counted is what stands there to be read: name, question, headline, names of the moments, odds; on the front page also
the line above them. Words in the picture, labels of controls and what lies behind a click are not; numbers and signs
are no words.
"""

from __future__ import annotations

import re
import sys

from answers.ask import PAGE, ask
from answers.captions import WELCOME
from answers.state import State
from common.markup import plain_markdown
from lessons import BY_KEY
from lessons.record import Lesson
from tests.shared import unmarked

WORD = re.compile(r"[^\W\d_]\w*(?:[-’'][^\W\d_]\w*)*")
PARTS = ("welcome", "title", "question", "headline", "moments", "odds")


def words(text: str) -> int:
    """Return how many words a text has (Markdown or HTML)."""
    return len(WORD.findall(re.sub(r"<[^>]+>", "", unmarked(plain_markdown(text)))))


def first_screen(lesson: Lesson) -> dict[str, int]:
    """Return part of `PARTS` -> its words where the page of a lesson opens."""
    page = ask(State(lesson, lesson.settings({}), lesson.t), PAGE)
    scene = page["scene"] or {}
    moments = " ".join(one["title"] for one in page["moments"])
    welcome = WELCOME if lesson.file == "home.py" else ""
    said = (welcome, page["title"], page["question"], scene.get("sentence") or "", moments, scene.get("odds") or "")
    return {part: words(text) for part, text in zip(PARTS, said, strict=True)}


def main(keys: list[str]) -> None:
    """Print a line a lesson."""
    print("lesson".ljust(14), *(part.rjust(9) for part in PARTS), "all".rjust(9))
    for key in keys or BY_KEY:
        found = first_screen(BY_KEY[key])
        print(key.ljust(14), *(str(many).rjust(9) for many in (*found.values(), sum(found.values()))))


if __name__ == "__main__":
    main(sys.argv[1:])
