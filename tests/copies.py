"""Copies of what lessons show: `python -m tests.copies` renews those that are stale, then `npm run approve`.

The films that the tests of the scripts draw (tests/js/films), and the README's pictures (docs/pictures). Beside each
stands a checksum of the approved text of what it shows (tests/baseline/expected).
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from lessons import BY_KEY
from tests.baseline.texts import EXPECTED, read

FILE = Path(__file__).with_name("copies.json")
PICTURES = Path(__file__).parents[1] / "docs" / "pictures"


def checksums() -> dict[str, str]:
    """Return the checksum of what is approved of each copy: "films LESSON", "picture LESSON MOMENT"."""
    found, entries = {}, {key: read((EXPECTED / f"{key}.txt").read_text("utf-8")) for key in BY_KEY}

    def add(name: str, lesson: str, states: list[str]) -> None:
        shown = [sorted(entries[lesson][state].items()) for state in states if state in entries[lesson]]
        found[name] = hashlib.sha256(repr(shown).encode()).hexdigest()[:16]

    for key, lesson in BY_KEY.items():
        add(f"films {key}", key, ["opening", *(moment.key for moment in lesson.moments), "bet asked"])
    for picture in sorted(PICTURES.glob("*.webp")):
        lesson, _, moment = picture.stem.partition("-")
        add(f"picture {lesson} {moment}", lesson, [moment])
    return found


def stale() -> list[str]:
    """Return the copies of something else than is approved now."""
    kept = json.loads(FILE.read_text("utf-8"))
    return sorted({name for name, _ in kept.items() ^ checksums().items()})


def main() -> None:
    """Renew what is stale; pictures need a Chromium."""
    from docs import pictures
    from tests.js import films

    for name in (old := stale()):
        kind, lesson, *_ = name.split()
        if kind == "films":
            films.write(lesson)
        print(name)
    if moments := [tuple(name.split()[1:]) for name in old if name.startswith("picture ")]:
        pictures.renew(moments)
    FILE.write_text(json.dumps(checksums(), indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
