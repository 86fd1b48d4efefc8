"""In how many of a hundred seeds each claim of the lab holds: `python -m lessons.odds` counts all, or those named.

A title, a headline or a bet's reason speaks in general; one seed is an anecdote. So every claim is played in a hundred
seeds that nobody has looked at before, at the settings that its page shows.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from joblib import Parallel, delayed

from lessons import LESSONS
from lessons.record import Bet, Claim, Lesson, Moment
from lessons.shared import odds
from tvbo_core import __version__

SEEDS = range(1000, 1100)
DIGITS = 6  # of a shipped number


@dataclass(frozen=True)
class ClaimPlace:
    """A place in a lesson that may make a general claim.

    Attributes:
        name: "bands/bet", "bands/tight" (a moment).   text: what stands there.
        claim: what it says in general, or in words why it says nothing.   values: of all knobs there.
    """

    name: str
    text: str
    claim: Claim | str
    values: dict[str, Any]

    def number(self, seed: int) -> float:
        """Return what decides the claim in the world of this seed."""
        assert isinstance(self.claim, Claim)
        return float(f"{self.claim.number({**self.values, self.claim.seed: seed}):.{DIGITS}g}")

    def share(self, numbers: Sequence[float]) -> int:
        """Return in how many of a hundred of these the claim holds."""
        assert isinstance(self.claim, Claim)
        return round(100 * sum(map(self.claim.holds, numbers)) / len(numbers))


def places(lessons: Sequence[Lesson] = LESSONS) -> Iterator[ClaimPlace]:
    """Return every moment and bet."""
    for one in lessons:
        spots: list[tuple[str, str, Moment | Bet]] = [
            (moment.key, f"{moment.title} {moment.script}", moment) for moment in one.moments
        ]
        if one.bet:
            spots.append(("bet", one.bet.why, one.bet))
        for key, text, spot in spots:
            yield ClaimPlace(f"{one.key}/{key}", text, spot.claim, one.defaults | dict(spot.values))


def claims(lessons: Sequence[Lesson] = LESSONS) -> dict[str, ClaimPlace]:
    """Return name -> place of every general claim."""
    return {place.name: place for place in places(lessons) if isinstance(place.claim, Claim)}


def main(wanted: Sequence[str]) -> int:
    """Count the claims whose names begin with one of these, or all, into the file; return the exit code."""
    counting = [place for name, place in claims().items() if not wanted or name.startswith(tuple(wanted))]
    played: dict[str, list[float]] = {}  # a moment and a bet often claim the same of the same world
    for place in counting:
        assert isinstance(place.claim, Claim)
        same = f"{place.claim} {place.values}"
        if same not in played:
            played[same] = Parallel(n_jobs=-1)(delayed(_number)(place.name, seed) for seed in SEEDS)
        numbers = played[same]
        counted = {"says": place.claim.says, "share": place.share(numbers), "numbers": numbers}
        print(f"{counted['share']:4d} of 100  {place.name}: {place.claim.says}", flush=True)
        _keep(place.name, counted)
    return 0


def _keep(name: str, counted: dict[str, Any]) -> None:
    """Write one claim's count into the file, beside those of the claims that there are."""
    held = json.loads(odds.FILE.read_text(encoding="utf-8"))["claims"] if odds.FILE.exists() else {}
    found = {key: value for key, value in sorted((held | {name: counted}).items()) if key in claims()}
    whole = {"engine": __version__, "seeds": [SEEDS.start, SEEDS.stop], "claims": found}
    rows = json.dumps(whole, ensure_ascii=False).replace(', "', ',\n"').replace("}, ", "},\n")
    odds.FILE.write_text(rows + "\n", encoding="utf-8")


def _number(name: str, seed: int) -> float:
    """Return the number of one seed, by the claim's name: a worker process cannot be sent its functions."""
    return claims()[name].number(seed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
